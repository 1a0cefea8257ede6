/* completion/complete (mcp.md section 14.5). */
#include "base/limits.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/server.h"

static tenon_call_fn *completer_of(const struct tn_item *item, void **ret_data)
{
	bool prompt = item->kind == TN_ITEM_PROMPT;
	void *data = prompt ? item->prompt.data : item->resource_template.data;

	*ret_data = data ? data : item->app_state;
	return prompt ? item->prompt.complete : item->resource_template.complete;
}

/* Finds what is completed. False: answered. */
static bool find_reference(struct tenon_call *call)
{
	const struct tn_json *ref = tn_json_get(call->params, "ref");
	struct tn_str type = {"", 0}, key;
	bool prompt;

	(void)tn_json_to_str(tn_json_get(ref, "type"), &type);
	prompt = tn_str_is(type, "ref/prompt");
	if (!prompt && !tn_str_is(type, "ref/resource")) {
		tn_method_invalid(call, "ref.type: send ref/prompt or ref/resource");
		return false;
	}
	if (!tn_json_to_str(tn_json_get(ref, prompt ? "name" : "uri"), &key)) {
		tn_method_invalid(call, "ref.%s: send a string", prompt ? "name" : "uri");
		return false;
	}
	call->item = tn_call_find_item(call, prompt ? TN_ITEM_PROMPT : TN_ITEM_TEMPLATE, key);
	if (!call->item) {
		tn_method_invalid(call, "ref: unknown %s", prompt ? "prompt" : "resource template");
		return false;
	}
	call->item->references++;
	return tn_method_admit(call);
}

/* MCP-184: what a prompt does not have is completed with nothing. */
static bool is_known_argument(const struct tenon_call *call)
{
	const struct tenon_prompt *prompt = &call->item->prompt;

	if (call->item->kind != TN_ITEM_PROMPT)
		return true; /* the completer of a template knows its variables */
	for (size_t i = 0; i < prompt->argument_count; i++) {
		if (tn_str_is(call->complete_name, prompt->arguments[i].name))
			return true;
	}
	return false;
}

void tn_method_complete(struct tenon_call *call)
{
	const struct tn_json *argument = tn_json_get(call->params, "argument");
	const struct tn_json *context = tn_json_get(call->params, "context");

	if (!find_reference(call))
		return;
	if (!tn_json_to_str(tn_json_get(argument, "name"), &call->complete_name) ||
	    !tn_json_to_str(tn_json_get(argument, "value"), &call->complete_value)) {
		call->complete_name = tn_str(NULL, 0);
		tn_method_invalid(call, "argument: send an object with the strings name and value");
		return;
	}
	if (call->complete_name.size > TN_NAME_BYTES_MAX ||
	    call->complete_value.size > TN_URI_BYTES_MAX) { /* MCP-185 */
		call->complete_name = tn_str(NULL, 0);
		tn_method_invalid(call, "argument: longer than %d (name) or %zu (value) bytes",
				  TN_NAME_BYTES_MAX, TN_URI_BYTES_MAX);
		return;
	}
	call->arguments = tn_json_get(context, "arguments");
	if (!tn_json_is(call->arguments, TN_JSON_OBJECT))
		call->arguments = NULL;
	call->handler = completer_of(call->item, &call->handler_data);
	if (call->handler && is_known_argument(call)) {
		tn_call_run(call);
	} else {
		tn_result_reset_content(call);
		tenon_call_finish(call);
	}
}
