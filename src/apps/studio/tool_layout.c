/* layout_diagram: automatic layout, and lining up what was chosen. */
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"algorithm\":{\"type\":\"string\",\"enum\":[\"layered\",\"hybrid\"],\"description\":"
	"\"layered: what leads to what, in layers. hybrid: containers in layers, the rest inside "
	"each "
	"in a grid by category. Without it as the project is configured\"},"
	"\"direction\":{\"type\":\"string\",\"enum\":[\"LR\",\"RL\",\"TB\",\"BT\"],\"description\":"
	"\"Where edges lead: left to right, right to left, top to bottom, bottom to top. Without "
	"it as "
	"the project is configured\"}," TN_STUDIO_ID_ARGUMENT(
		"containerId",
		"Only what is inside this container") ","
						      "\"instanceIds\":{\"type\":\"array\","
						      "\"minItems\":1,\"maxItems\":10000,\"items\":"
						      "{\"type\":"
						      "\"string\",\"minLength\":1,\"maxLength\":64}"
						      ",\"description\":\"Only these, among "
						      "themselves; to be laid out they stand in "
						      "one container\"},"
						      "\"align\":{\"type\":\"string\",\"enum\":["
						      "\"left\",\"center\",\"right\",\"top\","
						      "\"middle\","
						      "\"bottom\"],\"description\":\"Instead of a "
						      "layout: line up two or more instanceIds\"},"
						      "\"distribute\":{\"type\":\"string\","
						      "\"enum\":[\"horizontal\",\"vertical\"],"
						      "\"description\":"
						      "\"Instead of a layout: equal gaps between "
						      "three or more instanceIds; the outer two "
						      "stay\"}," TN_STUDIO_WRITE_ARGUMENTS
						      "},\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"moved\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"instanceId\":" TN_STUDIO_TEXT ",\"position\":" TN_STUDIO_ANY_OBJECT
	",\"size\":" TN_STUDIO_ANY_OBJECT
	"},\"required\":[\"instanceId\",\"position\"]}}" TN_STUDIO_CHANGE,
	"\"moved\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	if (!tn_studio_edit_layout(act->edit, arguments, result))
		return false;
	tn_buf_append_text(act->text, act->edit->summary); /* the places are data */
	return true;
}

const struct tn_studio_action tn_studio_action_layout = {
	.name = "layout_diagram", .writes = true, .changes = "diagram", .run = run};

static void call_layout(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_layout);
}

const struct tenon_tool tn_studio_tool_layout = {
	.name = "layout_diagram",
	.title = "Lay out the diagram",
	.description = "Puts resources in order on the canvas: all, those in a container, or those "
		       "you name. Containers get the size they need; sticky notes go along with "
		       "the resource they are nearest to. Only places change, nothing else.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_layout,
	.beyond_core = true,
};
