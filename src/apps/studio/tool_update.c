/* update_resource: values, references, names of a node (FR-11). */
#include "apps/studio/tool_state.h"

static const char input_schema[] = "{\"type\":\"object\",\"properties\":{" TN_STUDIO_ID_ARGUMENT(
	"instanceId",
	"The node") ","
		    "\"properties\":{\"type\":\"object\",\"maxProperties\":500,\"description\":"
		    "\"Values to "
		    "set, by property key; null takes one away; what is not named stays\"},"
		    "\"label\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":512,"
		    "\"description\":\"What "
		    "the diagram shows; at most 128 characters\"},"
		    "\"terraformName\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,"
		    "\"description\":"
		    "\"Name of the block; a deployed resource would be created anew\"},"
		    "\"slug\":{\"type\":[\"string\",\"null\"],\"maxLength\":128,\"description\":"
		    "\"Name part "
		    "for the naming convention\"},"
		    "\"references\":{\"type\":\"object\",\"maxProperties\":500,\"description\":"
		    "\"Other nodes "
		    "by property key: an instanceId, a list of them, or null\"},"
		    "\"variableModes\":{\"type\":\"object\",\"maxProperties\":500,"
		    "\"additionalProperties\":{"
		    "\"enum\":[\"literal\",\"variable\",null]},\"description\":\"variable: the "
		    "value becomes a "
		    "Terraform variable\"},"
		    "\"enabledOutputs\":{\"type\":\"array\",\"maxItems\":100,\"items\":{\"type\":"
		    "\"string\"},"
		    "\"description\":\"Keys of the outputs to write; replaces the list\"},"
		    "\"notes\":{\"type\":[\"string\",\"null\"],\"maxLength\":16384,\"description\":"
		    "\"Free "
		    "text for people\"},"
		    "\"costUsage\":{\"type\":\"object\",\"maxProperties\":100,"
		    "\"additionalProperties\":{"
		    "\"type\":[\"number\",\"null\"]},\"description\":\"Assumptions of the cost "
		    "estimate\"}"
		    "," TN_STUDIO_WRITE_ARGUMENTS "},\"required\":[\"instanceId\",\"properties\"],"
		    "\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"instanceId\":" TN_STUDIO_TEXT ",\"updated\":" TN_STUDIO_TEXTS
			 ",\"diagnostics\":" TN_STUDIO_OBJECTS TN_STUDIO_CHANGE,
			 "\"instanceId\",\"updated\",\"diagnostics\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_update(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_update = {
	.name = "update_resource", .writes = true, .changes = "diagram", .run = run};

static void call_update(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_update);
}

const struct tenon_tool tn_studio_tool_update = {
	.name = "update_resource",
	.title = "Change a resource",
	.description = "Sets values, references, names or outputs of one resource. Only what is "
		       "named changes. A value of a sensitive property goes to the secret store "
		       "and is never shown again.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_update,
};
