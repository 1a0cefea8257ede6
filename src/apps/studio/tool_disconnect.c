/* disconnect_resources: an edge goes, and with it the reference it stands for (FR-14). */
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{\"edgeId\":{\"type\":\"string\",\"minLength\":1,"
	"\"maxLength\":400,\"description\":\"An edge of get_diagram, also one that pictures a "
	"reference\"}," TN_STUDIO_WRITE_ARGUMENTS
	"},\"required\":[\"edgeId\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"edgeId\":" TN_STUDIO_TEXT ",\"clearedReferences\":" TN_STUDIO_OBJECTS TN_STUDIO_CHANGE,
	"\"edgeId\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_disconnect(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_disconnect = {
	.name = "disconnect_resources", .writes = true, .changes = "diagram", .run = run};

static void call_disconnect(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_disconnect);
}

const struct tenon_tool tn_studio_tool_disconnect = {
	.name = "disconnect_resources",
	.title = "Remove a connection",
	.description = "Removes an edge. The reference it stands for is cleared with it.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_CLOSED_WORLD,
	.call = call_disconnect,
};
