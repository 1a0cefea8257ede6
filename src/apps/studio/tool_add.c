/* add_resource: a node of a type, with everything it needs (FR-10, 15, 16). */
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"typeId\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":256,\"description\":"
	"\"A type of get_available_resource_types, e.g. azurerm/networking/virtual_network\"},"
	"\"properties\":{\"type\":\"object\",\"maxProperties\":500,\"description\":\"Values by "
	"property key; what is left out has its default\"},"
	"\"parentId\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"The "
	"container it stands in, by instanceId; without it top level\"},"
	"\"position\":" TN_STUDIO_POINT
	",\"description\":\"Pixels from the parent's top-left corner; without it a free place is "
	"found\"},"
	"\"label\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":512,\"description\":\"What "
	"the diagram shows; at most 128 characters\"},"
	"\"terraformName\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":"
	"\"Name of the block, unique in the diagram; without it made from the label\"},"
	"\"references\":{\"type\":\"object\",\"maxProperties\":500,\"description\":\"Other nodes "
	"by property key: an instanceId, or a list of them\"},"
	"\"slug\":{\"type\":\"string\",\"maxLength\":128,\"description\":\"Name part for the "
	"naming convention\"},"
	"\"size\":{\"type\":\"object\",\"properties\":{\"width\":{\"type\":\"number\",\"minimum\":"
	"1,\"maximum\":1000000},\"height\":{\"type\":\"number\",\"minimum\":1,\"maximum\":1000000}"
	"},\"required\":[\"width\",\"height\"],\"additionalProperties\":false,\"description\":"
	"\"Pixels; without it by its type\"},"
	"\"moduleId\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"The "
	"module it belongs to\"}," TN_STUDIO_WRITE_ARGUMENTS
	"},\"required\":[\"typeId\"],\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"instanceId\":" TN_STUDIO_TEXT ",\"terraformName\":" TN_STUDIO_TEXT
			 ",\"position\":" TN_STUDIO_ANY_OBJECT ",\"label\":" TN_STUDIO_TEXT
			 ",\"parentId\":" TN_STUDIO_TEXT ",\"diagnostics\":" TN_STUDIO_OBJECTS
			 ",\"defaultsApplied\":" TN_STUDIO_ANY_OBJECT TN_STUDIO_CHANGE,
			 "\"instanceId\",\"terraformName\",\"position\",\"label\",\"diagnostics\","
			 "\"defaultsApplied\",\"revision\",\"changeId\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_add(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_add = {
	.name = "add_resource", .writes = true, .changes = "diagram", .run = run};

static void call_add(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_add);
}

const struct tenon_tool tn_studio_tool_add = {
	.name = "add_resource",
	.title = "Add a resource",
	.description = "Adds a resource to the diagram. Missing values get their defaults, a name "
		       "and a place; the answer says which, and what is still missing. Containers "
		       "(groups, networks, servers) come first: their instanceId is the parentId "
		       "of what they hold.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_CLOSED_WORLD,
	.call = call_add,
};
