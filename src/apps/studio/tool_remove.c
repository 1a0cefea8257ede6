/* remove_resource: a node, all it holds, and every link to them (FR-12). */
#include "apps/studio/tool_state.h"

static const char input_schema[] = "{\"type\":\"object\",\"properties\":{" TN_STUDIO_ID_ARGUMENT(
	"instanceId", "The node") "," TN_STUDIO_WRITE_ARGUMENTS
				  "},\"required\":[\"instanceId\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"removed\":" TN_STUDIO_TEXTS ",\"removedEdges\":" TN_STUDIO_TEXTS
	",\"clearedReferences\":" TN_STUDIO_OBJECTS
	",\"willDestroy\":" TN_STUDIO_TEXTS TN_STUDIO_CHANGE,
	"\"removed\",\"removedEdges\",\"clearedReferences\",\"willDestroy\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_remove(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_remove = {
	.name = "remove_resource", .writes = true, .changes = "diagram", .run = run};

static void call_remove(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_remove);
}

const struct tenon_tool tn_studio_tool_remove = {
	.name = "remove_resource",
	.title = "Remove a resource",
	.description = "Removes a resource from the diagram, with everything inside it and every "
		       "connection to it. What is deployed is only destroyed by the next apply; "
		       "the answer names it. undo_change brings all of it back.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_CLOSED_WORLD,
	.call = call_remove,
};
