#include "apps/terminal/mcp/tool_answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fit.h"

enum { MESSAGE_SIZE = 1024, JSON_INVALID_PARAMS = -32602, JSON_INTERNAL = -32603 };

void tn_term_caller_of(const struct tenon_call *call, struct tn_term_caller *ret)
{
	const struct tn_peer *peer = call->peer;

	*ret = (struct tn_term_caller){.principal = tenon_call_principal(call),
				       .client = tenon_call_client_name(call),
				       .process = peer ? peer->process : 0,
				       .directory = peer ? peer->directory : NULL,
				       .passes_by = peer && peer->directory && !peer->process,
				       .person = tenon_call_is_person(call),
				       .elsewhere = call->elsewhere};
	/* Two windows of one host are two conversations, and so are two relays of one window. The
	 * relay stands last: what it leaves behind is the next one's (tn_term_active_id). */
	(void)snprintf(ret->key, sizeof(ret->key), "%.63s/%.63s/%lld/%lld", ret->principal,
		       ret->client, peer ? (long long)peer->parent : 0,
		       peer ? (long long)peer->process : 0);
}

void tn_term_reply(struct tenon_call *call, struct tn_str text, struct tn_buf *structured)
{
	tn_term_reply_with(call, text, tn_str(NULL, 0), structured);
}

void tn_term_reply_with(struct tenon_call *call, struct tn_str text, struct tn_str note,
			struct tn_buf *structured)
{
	if (tn_buf_is_bad(structured)) {
		tenon_call_refuse(call, JSON_INTERNAL,
				  "Out of memory, or the result is too large: ask for less.", NULL);
	} else {
		tenon_call_add_text(call, text.data ? text.data : "", text.size);
		if (note.size) {
			tenon_call_add_text(call, note.data, note.size);
			tenon_call_annotate(call, "assistant", -1); /* no part of the output */
		}
		tn_call_put_structured(call, structured);
		tenon_call_finish(call);
	}
	tn_buf_finish(structured);
}

/* What the engine says of an error ends without a stop, as part of other sentences. */
static void put_sentence(struct tn_buf *out, const char *message)
{
	size_t size = strlen(message);

	tn_buf_append(out, message, size);
	if (size && !strchr(".!?", message[size - 1]))
		tn_buf_append_byte(out, '.');
}

static void fail(struct tenon_call *call, const char *code, const char *hint, const char *data,
		 const char *message)
{
	struct tn_buf structured, text, note;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	put_sentence(&text, message);
	tn_call_begin_structured(call, &structured);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "error");
	tn_json_begin_object(&structured);
	tn_json_put_member_text(&structured, "code", code);
	tn_json_put_member_str(&structured, "message", tn_buf_str(&text));
	tn_json_put_member_text(&structured, "hint", hint);
	if (data && data[0])
		tn_json_put_member_raw(&structured, "data", tn_str_from(data));
	tn_json_end_object(&structured);
	tn_json_end_object(&structured);
	if (hint && hint[0]) {
		tn_buf_append_byte(&text, ' ');
		tn_buf_append_text(&text, hint);
	}
	tn_buf_init(&note, TN_RESULT_BYTES_MAX);
	tn_buf_format(&note, "error %s", code);
	if (data && data[0])
		tn_buf_format(&note, " data:%s", data);
	tenon_call_set_error(call);
	tn_buf_inherit_failure(&structured, &text);
	tn_buf_inherit_failure(&structured, &note);
	tn_term_reply_with(call, tn_buf_str(&text), tn_buf_str(&note), &structured);
	tn_buf_finish(&note);
	tn_buf_finish(&text);
}

void tn_term_fail(struct tenon_call *call, const char *code, const char *hint, const char *data,
		  const char *format, ...)
{
	char message[MESSAGE_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	tn_utf8_one_line(message, strlen(message));
	fail(call, code, hint, data, message);
}

void tn_term_fail_fault(struct tenon_call *call, const struct tn_term_fault *fault)
{
	if (!fault->code)
		tenon_call_refuse(call, JSON_INTERNAL, fault->message, NULL);
	else
		fail(call, fault->code, fault->hint[0] ? fault->hint : NULL, fault->data,
		     fault->message);
}

void tn_term_refuse(struct tenon_call *call, const char *format, ...)
{
	char message[MESSAGE_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	tn_utf8_one_line(message, strlen(message));
	tenon_call_refuse(call, JSON_INVALID_PARAMS, message, NULL);
}
