/* layout_diagram: automatic layout, and lining up what was chosen. */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	if (!tn_studio_edit_layout(act->edit, arguments, result))
		return false;
	tn_buf_append_text(act->text, act->edit->summary); /* the places are data */
	return true;
}

const struct tn_studio_action tn_studio_action_layout = {
	.writes = true, .on_trial = true, .changes = "diagram", .run = run};
