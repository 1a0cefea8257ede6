/* layout_diagram: automatic layout, and lining up what was chosen. */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	if (!tn_studio_edit_layout(act->edit, arguments, result))
		return false;
	if (result->size > 0 && tn_str_ends(tn_buf_str(result), TN_STR("\"moved\":[]")))
		tn_buf_append_text(act->text, "Everything stands where it would be put.");
	else
		tn_buf_format(act->text, "%s: done. list_resources has the places.",
			      act->edit->summary);
	return true;
}

const struct tn_studio_action tn_studio_action_layout = {
	.writes = true, .on_trial = true, .changes = "diagram", .run = run};
