/* What is refused before its tool is reached: arguments that do not fit, and what changes real
 * infrastructure without being confirmed. */
#include <stdio.h>
#include <string.h>

#include "apps/studio/mcp/tool_run.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

bool tn_studio_guard(struct tenon_call *call)
{
	static const char format[] =
		"{\"error\":\"CONFIRMATION_REQUIRED\",\"message\":\"%s changes real "
		"infrastructure. Repeat with confirmed: true after the user agreed.\"}";
	const struct tn_json *arguments = tn_call_arguments(call);
	const struct tn_json *confirmed = tn_json_get(arguments, "confirmed");
	struct tn_str command = {NULL, 0};
	char text[256];

	if (!call->item || call->item->kind != TN_ITEM_TOOL ||
	    strcmp(call->item->tool.name, "run_terraform") != 0)
		return false;
	(void)tn_json_to_str(tn_json_get(arguments, "command"), &command);
	if ((!tn_str_is(command, "apply") && !tn_str_is(command, "destroy")) ||
	    tn_json_is(confirmed, TN_JSON_TRUE))
		return false;
	(void)snprintf(text, sizeof(text), format,
		       tn_str_is(command, "apply") ? "apply" : "destroy");
	tenon_call_set_error(call);
	tenon_call_add_text(call, text, TENON_TEXT);
	tenon_call_set_structured(call, text, TENON_TEXT);
	tenon_call_finish(call);
	return true;
}

/* INVALID_INPUT with all of them (12.1). */
void tn_studio_refuse_arguments(struct tenon_call *call, void *state,
				const struct tenon_argument_fault *faults, size_t count,
				size_t more)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf sentences, details;

	(void)state;
	if (tn_studio_guard(call)) /* ST-080: before anything else is looked at */
		return;
	tn_buf_init(&sentences, TN_RESULT_BYTES_MAX);
	tn_buf_init(&details, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&details);
	tn_json_put_key(&details, "faults");
	tn_json_begin_array(&details);
	for (size_t i = 0; i < count; i++) {
		tn_buf_format(&sentences, "%s%s", i > 0 ? "; " : "", faults[i].message);
		tn_json_begin_object(&details);
		tn_json_put_member_text(&details, "path", faults[i].path);
		tn_json_put_member_text(&details, "message", faults[i].message);
		tn_json_end_object(&details);
	}
	tn_json_end_array(&details);
	tn_json_end_object(&details);
	if (more > 0)
		tn_buf_format(&sentences, "; and %zu more", more);
	(void)tn_studio_fail(&fault, "INVALID_INPUT", "%.*s", (int)sentences.size,
			     sentences.data ? sentences.data : "the arguments do not fit");
	if (!details.failed)
		fault.details = tn_buf_str(&details);
	tn_studio_reply_fault(call, &fault);
	tn_buf_finish(&sentences);
	tn_buf_finish(&details);
}
