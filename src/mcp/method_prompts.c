/* prompts/get. */
#include "mcp/method.h"
#include "mcp/limits.h"
#include "mcp/server.h"

/* MCP-238: values are strings, required ones are there, unknown ones are ignored. */
static bool check_arguments(struct tenon_call *call)
{
	const struct tenon_prompt *prompt = &call->item->prompt;

	for (const struct tn_json *a = call->arguments ? call->arguments->first : NULL; a;
	     a = a->next) {
		if (a->type != TN_JSON_STRING) {
			tn_method_invalid(call, "arguments.%.*s: expected a string, got %s",
					  a->key.size > 100 ? 100 : (int)a->key.size, a->key.data,
					  tn_json_type_name(a));
			return false;
		}
	}
	for (size_t i = 0; i < prompt->argument_count; i++) {
		if (prompt->arguments[i].required &&
		    !tn_json_get(call->arguments, prompt->arguments[i].name)) {
			tn_method_invalid(call, "arguments.%s is missing",
					  prompt->arguments[i].name);
			return false;
		}
	}
	return true;
}

void tn_method_prompts_get(struct tenon_call *call)
{
	struct tn_str name;

	if (!tn_method_string(call, "name", TN_NAME_BYTES_MAX, &name))
		return;
	call->arguments = tn_json_get(call->params, "arguments");
	if (call->arguments && call->arguments->type != TN_JSON_OBJECT) {
		tn_method_invalid(call, "arguments: expected an object, got %s",
				  tn_json_type_name(call->arguments));
		return;
	}
	call->item = tn_call_find_item(call, TN_ITEM_PROMPT, name);
	if (!call->item) {
		tn_method_invalid(call, "Unknown prompt: %.*s", (int)name.size, name.data);
		return;
	}
	call->item->references++;
	if (!tn_method_admit(call) || !check_arguments(call) || !tn_call_take_answers(call))
		return;
	call->handler = call->item->prompt.get;
	call->handler_data =
		call->item->prompt.data ? call->item->prompt.data : call->item->app_state;
	tn_call_run(call);
}
