/* How every call of studio ends: with a result, a fault, or contents. */
#include "apps/studio/mcp/say.h"
#include "apps/studio/mcp/tool_state.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fit.h"

enum { JSON_INTERNAL = -32603 };

void tn_studio_reply(struct tenon_call *call, struct tn_str text, struct tn_buf *structured)
{
	if (tn_buf_is_bad(structured)) {
		tenon_call_refuse(call, JSON_INTERNAL,
				  "Out of memory, or the result is too large: ask for less.", NULL);
	} else {
		if (text.size == 0)
			text = tn_buf_str(structured);
		tenon_call_add_text(call, text.data, text.size);
		tn_call_put_structured(call, structured);
		tenon_call_finish(call);
	}
	tn_buf_finish(structured);
}

/* HO-001: to a client that is sent no structured content the text alone must say everything, and to
 * a model, too, whose host may hand on the one or the other. */
void tn_studio_reply_headline(struct tenon_call *call, struct tn_str text,
			      struct tn_buf *structured)
{
	if (!tn_call_says_all(call) || structured->failed) {
		tn_studio_reply(call, text, structured);
		return;
	}
	tenon_call_add_text(call, text.data, text.size);
	tenon_call_add_text(call, structured->data, structured->size);
	tenon_call_annotate(call, "assistant", -1);
	if (tn_call_sends_structured(call))
		tn_call_put_structured(call, structured);
	tenon_call_finish(call);
	tn_buf_finish(structured);
}

static void put_sentence(struct tn_buf *text, const struct tn_studio_fault *fault)
{
	tn_buf_format(text, "%s: %s", fault->code, fault->message);
	if (fault->suggestion_count > 0) {
		tn_buf_append_text(text, " Closest: ");
		for (unsigned i = 0; i < fault->suggestion_count; i++) {
			if (i > 0)
				tn_buf_append_text(text, ", ");
			tn_buf_append_str(text, fault->suggestions[i]);
		}
		tn_buf_append_byte(text, '.');
	}
}

/* HO-001. */
static void put_details(struct tn_buf *text, const struct tn_studio_fault *fault)
{
	struct tn_buf more;

	tn_buf_init(&more, TN_RESULT_BYTES_MAX);
	tn_studio_say_details(&more, fault->details, tn_str_from(fault->message));
	if (more.size > 0) {
		tn_buf_append_text(text, "\nDetails: ");
		tn_buf_append_str(text, tn_buf_str(&more));
	}
	tn_buf_inherit_failure(text, &more);
	tn_buf_finish(&more);
}

void tn_studio_reply_fault(struct tenon_call *call, const struct tn_studio_fault *fault)
{
	struct tn_buf structured, text;

	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_studio_fault_put(&structured, fault);
	put_sentence(&text, fault);
	if (fault->details.size > 0 && tn_call_says_all(call))
		put_details(&text, fault);
	tn_buf_inherit_failure(&structured, &text);
	tenon_call_set_error(call);
	tn_studio_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

void tn_studio_reply_contents(struct tenon_call *call, struct tn_buf *object)
{
	tn_json_end_object(object);
	if (object->failed) {
		tenon_call_fail(call, "The result is too large.");
		return;
	}
	tenon_call_set_cache(call, 0, false);
	tenon_call_add_resource_text(call, NULL, "application/json", object->data, object->size);
	tenon_call_finish(call);
}
