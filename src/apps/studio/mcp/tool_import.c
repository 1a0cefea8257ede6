/* import_terraform: existing configuration, a state or a plan into the diagram. */
#include "apps/studio/import/import_action.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/trial.h"
#include "mcp/call.h"

static const struct tn_studio_action import_action = {
	.writes = true, .on_trial = true, .run = tn_studio_act_import};

void tn_studio_call_import(struct tenon_call *call, void *data)
{
	struct tn_studio_fault fault = {.code = NULL};
	bool fresh = false, dry_run = false;

	(void)tenon_call_bool(call, "newProject", &fresh);
	(void)tenon_call_bool(call, "dryRun", &dry_run);
	if (!fresh) {
		tn_studio_run_action(call, data, &import_action);
	} else if (!dry_run || tenon_call_text(call, "project") || tenon_call_text(call, "into")) {
		(void)tn_studio_fail(&fault, "INVALID_INPUT",
				     "newProject goes with dryRun, and without project and into: "
				     "new_project makes one");
		tn_studio_reply_fault(call, &fault);
	} else {
		tn_studio_act_on_trial(call, data, NULL,
				       &import_action); /* in one that nobody keeps */
	}
}
