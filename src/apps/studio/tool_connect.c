/* connect_resources: an edge between two handles (FR-13, ST-046). */
#include "apps/studio/tool_state.h"

#define SOURCE TN_STUDIO_ID_ARGUMENT("sourceInstanceId", "The node the edge starts at")
#define SOURCE_HANDLE                         \
	TN_STUDIO_ID_ARGUMENT("sourceHandle", \
			      "A handle of its type, or ref-{property}, out-{output}, node")
#define TARGET TN_STUDIO_ID_ARGUMENT("targetInstanceId", "The node it ends at")
#define TARGET_HANDLE TN_STUDIO_ID_ARGUMENT("targetHandle", "A handle of its type, or node")

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" SOURCE "," SOURCE_HANDLE "," TARGET
	"," TARGET_HANDLE ","
	"\"label\":{\"type\":\"string\",\"maxLength\":512,\"description\":\"What the edge "
	"says\"}," TN_STUDIO_WRITE_ARGUMENTS
	"},\"required\":[\"sourceInstanceId\",\"sourceHandle\",\"targetInstanceId\","
	"\"targetHandle\"],\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"edgeId\":" TN_STUDIO_TEXT ",\"category\":{\"enum\":[\"structural\","
			 "\"binding\",\"reference\",\"annotation\"]},\"sets\":" TN_STUDIO_ANY_OBJECT
			 ",\"existing\":" TN_STUDIO_SWITCH TN_STUDIO_CHANGE,
			 "\"edgeId\",\"category\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_connect(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_connect = {
	.name = "connect_resources", .writes = true, .changes = "diagram", .run = run};

static void call_connect(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_connect);
}

const struct tenon_tool tn_studio_tool_connect = {
	.name = "connect_resources",
	.title = "Connect two resources",
	.description = "Draws an edge from a source handle to a target handle. What a rule allows "
		       "also sets the reference it stands for. A pair that is not allowed is "
		       "refused with the legal ones between the two.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_connect,
};
