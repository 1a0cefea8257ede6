/* connect_resources: an edge between two handles (FR-13, ST-046). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	return tn_studio_edit_connect(act->edit, arguments, result);
}

const struct tn_studio_action tn_studio_action_connect = {
	.writes = true, .changes = "diagram", .run = run};
