/* open_project: a project from its folder, and the current one (FR-17). */
#include "apps/studio/mcp/tool_state.h"

#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"

void tn_studio_call_open_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;
	struct tn_buf warnings;

	tn_buf_init(&warnings, TN_STUDIO_RESULT_BYTES_MAX);
	project = tn_studio_project_open(door->projects, tenon_call_text(call, "projectPath"),
					 &warnings, &fault);
	if (project) {
		tn_studio_runs_take_up(door->runs, project);
		tn_studio_reply_project(call, door, project, warnings.size > 0 ? &warnings : NULL);
		/* ST-100: what exists, in the background; nothing of what is not trusted runs. */
		tn_studio_state_refresh(door->runs, project, NULL, NULL);
	} else {
		tn_studio_reply_fault(call, &fault);
	}
	tn_buf_finish(&warnings);
}
