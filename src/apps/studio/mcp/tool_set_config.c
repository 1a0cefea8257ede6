/* set_project_config: a partial configuration, merged (FR-21, ST-030). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	if (!tn_studio_edit_config(act->edit, arguments, result))
		return false;
	tn_studio_put_config_answer(result, act->project);
	return true;
}

const struct tn_studio_action tn_studio_action_set_config = {
	.writes = true, .changes = "config", .run = run};
