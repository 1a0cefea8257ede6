#include "mcp/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/method.h"

enum { FAULT_MESSAGE_MAX = 1024, FAULT_BYTES_MAX = 8 * FAULT_MESSAGE_MAX };

static void put_fault(struct tn_buf *out, const char *code, bool retryable, struct tn_str message,
		      struct tn_str members)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "error", code);
	tn_json_put_member_str(out, "message", message);
	tn_json_put_member_bool(out, "retryable", retryable);
	if (members.size) {
		tn_buf_append_byte(out, ',');
		tn_buf_append_str(out, members);
	}
	tn_json_end_object(out);
}

void tn_fault_write(struct tn_buf *out, const char *code, bool retryable, struct tn_str message)
{
	put_fault(out, code, retryable, message, tn_str(NULL, 0));
}

/* The text is the sentence, as of every refusal, and the code is another: many hosts hand nothing
 * else to the model. */
static void end_tool(struct tenon_call *call, struct tn_str json, const char *code,
		     const char *sentence)
{
	char named[128];

	tn_result_reset_content(call);
	tenon_call_set_error(call);
	if (call->revision >=
	    TN_R3) { /* before, the text is all that clients see, and is the JSON */
		(void)snprintf(named, sizeof(named), "error %s", code);
		tenon_call_add_text(call, sentence, strlen(sentence));
		tenon_call_add_text(call, named, strlen(named));
		tenon_call_annotate(call, "assistant", -1);
	}
	tenon_call_set_structured(call, json.data, json.size);
	tenon_call_finish(call);
}

static void fail(struct tenon_call *call, const char *code, bool retryable, struct tn_str members,
		 const char *text)
{
	struct tn_str message = tn_str_from(text);
	struct tn_buf json;

	if (call->phase == TN_CALL_FINISHED)
		return;
	tn_buf_init(&json, FAULT_BYTES_MAX);
	put_fault(&json, code, retryable, message, members);
	if (json.failed)
		tn_call_error(call, 200, TN_INTERNAL_ERROR, message, tn_str(NULL, 0));
	else if (call->item && call->item->kind == TN_ITEM_TOOL)
		end_tool(call, tn_buf_str(&json), code, text);
	else
		tn_call_error(call, 200, TN_INTERNAL_ERROR, message, tn_buf_str(&json));
	tn_buf_finish(&json);
}

void tn_call_fail_code(struct tenon_call *call, const char *code, bool retryable,
		       const char *format, ...)
{
	char text[FAULT_MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	tn_utf8_one_line(text, strlen(text));
	fail(call, code, retryable, tn_str(NULL, 0), text);
}

void tn_call_fail_with(struct tenon_call *call, const char *code, bool retryable,
		       struct tn_str members, const char *format, ...)
{
	char text[FAULT_MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	tn_utf8_one_line(text, strlen(text));
	fail(call, code, retryable, members, text);
}
