/* close_project: a project is let go. */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

void tn_studio_call_close_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	const struct tn_studio_project *current;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf result;
	char id[TN_STUDIO_ID_SIZE];
	bool discard = false;

	if (!project)
		return;
	memcpy(id, project->id, sizeof(id));
	(void)tenon_call_bool(call, "discard", &discard);
	/* What runs in it has to come to its end first. */
	if (!tn_studio_runs_forget(door->runs, project, &fault) ||
	    !tn_studio_project_close(project, discard, &fault)) {
		tn_studio_reply_fault(call, &fault);
		return;
	}
	current = tn_studio_project_current(door->projects);
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_member_text(&result, "closed", id);
	tn_json_put_member_text(&result, "current", current ? current->id : NULL);
	tn_json_end_object(&result);
	tn_studio_publish(door, NULL, "current");
	tn_studio_reply(call, tn_str("", 0), &result);
}
