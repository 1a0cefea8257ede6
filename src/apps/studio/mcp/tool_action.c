/* tool_action.c - the way of an action: at once, aside (aside.h) or on trial (trial.h). */
#include "apps/studio/mcp/aside.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/trial.h"
#include "apps/studio/mcp/waiting.h"
#include "mcp/call.h"

void tn_studio_run_action(struct tenon_call *call, struct tn_studio_door *door,
			  const struct tn_studio_action *action)
{
	struct tn_studio_project *project = tn_studio_project_current(door->projects);

	if (!action->without_project || tenon_call_text(call, "project")) {
		project = tn_studio_project_of(call, door);
		if (!project)
			return;
	}
	if (tn_studio_goes_aside(action, project)) {
		tn_studio_act_aside(call, door, project, action, NULL, tn_studio_turn_answer);
		return;
	}
	if (action->writes && tn_studio_waits(call, door, project->path, tn_studio_call_action,
					      (void *)(uintptr_t)action))
		return;
	if (action->on_trial)
		tn_studio_act_on_trial(call, door, project, action);
	else
		tn_studio_act_now(call, door, project, action);
}

void tn_studio_call_action(struct tenon_call *call, void *action)
{
	tn_studio_run_action(call, tenon_call_app_state(call), action);
}
