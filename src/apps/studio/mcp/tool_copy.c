/* copy_resources: copy, paste, duplicate (SC-014). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_copy(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_copy = {
	.writes = true, .on_trial = true, .changes = "diagram", .run = run};
