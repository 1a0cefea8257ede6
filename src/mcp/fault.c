#include "mcp/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "jsonrpc/json_write.h"
#include "mcp/method.h"

enum { FAULT_MESSAGE_MAX = 1024, FAULT_BYTES_MAX = 8 * FAULT_MESSAGE_MAX };

void tn_fault_write(struct tn_buf *out, const char *code, bool retryable, struct tn_str message)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "error", code);
	tn_json_put_member_str(out, "message", message);
	tn_json_put_member_bool(out, "retryable", retryable);
	tn_json_end_object(out);
}

/* The text of the tool error is the same JSON: clients before 2025-06-18 see nothing else. */
static void end_tool(struct tenon_call *call, struct tn_str json)
{
	tn_result_reset_content(call);
	tenon_call_set_error(call);
	tenon_call_set_structured(call, json.data, json.size);
	tenon_call_finish(call);
}

void tn_call_fail_code(struct tenon_call *call, const char *code, bool retryable,
		       const char *format, ...)
{
	char text[FAULT_MESSAGE_MAX];
	struct tn_str message;
	struct tn_buf json;
	va_list args;

	if (call->phase == TN_CALL_FINISHED)
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	message = tn_str_from(text);
	tn_buf_init(&json, FAULT_BYTES_MAX);
	tn_fault_write(&json, code, retryable, message);
	if (json.failed)
		tn_call_error(call, 200, TN_INTERNAL_ERROR, message, tn_str(NULL, 0));
	else if (call->item && call->item->kind == TN_ITEM_TOOL)
		end_tool(call, tn_buf_str(&json));
	else
		tn_call_error(call, 200, TN_INTERNAL_ERROR, message, tn_buf_str(&json));
	tn_buf_finish(&json);
}
