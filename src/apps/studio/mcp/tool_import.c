/* import_terraform: existing configuration, a state or a plan into the diagram. */
#include "apps/studio/import/import_action.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

const struct tn_studio_action tn_studio_action_import = {
	.writes = true, .alone = true, .on_trial = true, .run = tn_studio_act_import};
