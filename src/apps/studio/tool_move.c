/* move_resource: another place, size, container or module. */
#include "apps/studio/tool_state.h"

static const char input_schema[] = "{\"type\":\"object\",\"properties\":{" TN_STUDIO_ID_ARGUMENT(
	"instanceId", "The node") ","
				  "\"position\":" TN_STUDIO_POINT
				  ",\"description\":\"Pixels from the (new) parent's top-left "
				  "corner; without it the node "
				  "stays where it is on the canvas\"},"
				  "\"size\":{\"type\":\"object\",\"properties\":{\"width\":{"
				  "\"type\":\"number\",\"minimum\":"
				  "1,\"maximum\":1000000},\"height\":{\"type\":\"number\","
				  "\"minimum\":1,\"maximum\":1000000}"
				  "},\"required\":[\"width\",\"height\"],\"additionalProperties\":"
				  "false,\"description\":"
				  "\"Pixels; a container stays as large as what it holds\"},"
				  "\"parentId\":{\"type\":[\"string\",\"null\"],\"maxLength\":64,"
				  "\"description\":\"Another "
				  "container; null: top level\"},"
				  "\"moduleId\":{\"type\":[\"string\",\"null\"],\"maxLength\":64,"
				  "\"description\":\"Another "
				  "module; null: none\"}," TN_STUDIO_WRITE_ARGUMENTS
				  "},\"required\":[\"instanceId\"],\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"instanceId\":" TN_STUDIO_TEXT ",\"position\":" TN_STUDIO_ANY_OBJECT
			 ",\"size\":" TN_STUDIO_ANY_OBJECT ",\"parentId\":" TN_STUDIO_TEXT
			 ",\"diagnostics\":" TN_STUDIO_OBJECTS TN_STUDIO_CHANGE,
			 "\"instanceId\",\"position\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_move(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_move = {
	.name = "move_resource", .writes = true, .changes = "diagram", .run = run};

static void call_move(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_move);
}

const struct tenon_tool tn_studio_tool_move = {
	.name = "move_resource",
	.title = "Move a resource",
	.description = "Moves or resizes a resource, or puts it into another container with all it "
		       "holds. What may contain what is checked as when adding.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_move,
	.beyond_core = true,
};
