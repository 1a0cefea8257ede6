/* How tools of workbench answer. */
#include <stdarg.h>
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fit.h"

void tn_wb_reply(struct tenon_call *call, struct tn_buf *out)
{
	if (out->failed) {
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL,
				  "Out of memory, or the result is too large: ask for less.", NULL);
	} else {
		tenon_call_add_text(call, out->data, out->size);
		tn_call_put_structured(call, out);
		tenon_call_finish(call);
	}
	tn_buf_finish(out);
}

static void caller_gone(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_finish(call);
}

void tn_wb_end_with_caller(struct tenon_call *call)
{
	tenon_call_on_cancel(call, caller_gone, NULL);
}

void tn_wb_put_untrusted(struct tn_buf *out, const char *const *pointers)
{
	tn_json_put_key(out, "untrusted");
	tn_json_begin_array(out);
	for (; *pointers; pointers++)
		tn_json_put_text(out, *pointers);
	tn_json_end_array(out);
}

/* Section 18. */
static bool is_retryable(const char *code)
{
	static const char *const codes[] = {"workspace_loading", "session_not_ready",
					    "launch_timeout",    "consent_timeout",
					    "conflict",          "persist_failed"};

	for (size_t i = 0; i < TN_COUNT(codes); i++)
		if (strcmp(code, codes[i]) == 0)
			return true;
	return false;
}

static void reply_error(struct tenon_call *call, const char *code, struct tn_str details,
			const char *message)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_bool(&out, "ok", false);
	tn_json_put_key(&out, "error");
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "code", code);
	tn_json_put_member_text(&out, "message", message);
	tn_json_put_member_bool(&out, "retryable", is_retryable(code));
	if (details.size)
		tn_json_put_member_raw(&out, "details", details);
	tn_json_end_object(&out);
	/* Details are of a page: its logs, and what it says that an instance is. */
	if (details.size)
		tn_wb_put_untrusted(
			&out, (const char *const[]){"/error/message", "/error/details", NULL});
	tn_json_end_object(&out);
	tenon_call_set_error(call);
	tn_wb_reply(call, &out);
}

void tn_wb_reply_error(struct tenon_call *call, const char *code, const char *format, ...)
{
	char message[TN_WB_TEXT_BYTES_MAX];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	reply_error(call, code, (struct tn_str){0}, message);
}

void tn_wb_reply_error_with(struct tenon_call *call, const char *code, struct tn_str details,
			    const char *format, ...)
{
	char message[TN_WB_TEXT_BYTES_MAX];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	reply_error(call, code, details, message);
}

void tn_wb_reply_failure(struct tenon_call *call, const struct tenon_error *err)
{
	switch (err->code) {
	case TENON_NOT_FOUND:
		tn_wb_reply_error(call, "NOT_FOUND", "%s", err->message);
		break;
	case TENON_INVALID:
	case TENON_DENIED:
		tn_wb_reply_error(call, "VALIDATION_ERROR", "%s", err->message);
		break;
	case TENON_LIMIT:
		tn_wb_reply_error(call, "limit_exceeded", "%s", err->message);
		break;
	case TENON_SYSTEM:
		tn_wb_reply_error(call, "persist_failed", "%s", err->message);
		break;
	default:
		tn_wb_reply_error(call, "internal_error", "%s", err->message);
	}
}

void tn_wb_reply_not_written(struct tenon_call *call, enum tenon_code code,
			     const struct tenon_error *err)
{
	tn_wb_reply_error(call,
			  code == TENON_CANCELLED ? "no_workspace"
			  : code == TENON_LIMIT   ? "limit_exceeded"
						  : "persist_failed",
			  "%s", err->message);
}

bool tn_wb_look_begin_call(struct tn_wb_look *look, struct tn_wb_door *door,
			   struct tenon_call *call, struct tn_buf *data)
{
	const char *id = tenon_call_text(call, "workspace");

	if (id && !tn_wb_workspace_of(call, door))
		return false;
	tn_buf_init(data, TN_RESULT_BYTES_MAX);
	return tn_wb_look_begin(look, door, call, id, data);
}

void tn_wb_reply_look(struct tenon_call *call, struct tn_wb_look *look, enum tn_wb_seen seen,
		      struct tn_buf *data)
{
	struct tn_buf out;

	if (seen == TN_WB_MALFORMED) {
		tenon_call_refuse(call, TN_WB_RPC_INVALID_PARAMS, look->message, NULL);
	} else {
		tn_buf_init(&out, TN_RESULT_BYTES_MAX);
		tn_wb_put_envelope(&out, look);
		tn_wb_reply(call, &out);
	}
	tn_buf_finish(data);
}

struct tn_wb_workspace *tn_wb_workspace_of(struct tenon_call *call, struct tn_wb_door *door)
{
	const char *id = tenon_call_text(call, "workspace");
	struct tn_wb_look look;

	if (!tn_wb_look_begin(&look, door, call, id, NULL))
		tn_wb_reply_error(call, "no_workspace",
				  "there is no workspace %.60s; skaffa://workspaces lists them",
				  id);
	else if (!look.workspace)
		tn_wb_reply_error(
			call, "no_workspace",
			"no workspace is open; a person opens one: tenon workbench open PATH");
	else
		return look.workspace;
	return NULL;
}

void tn_wb_reply_no_session(struct tenon_call *call, const char *session_id)
{
	tn_wb_reply_error(call, "session_not_found",
			  "there is no session %.60s; skaffa://preview/sessions lists them",
			  session_id);
}
