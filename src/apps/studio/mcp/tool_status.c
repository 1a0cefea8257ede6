/* get_deployment_status: what of the diagram exists (FR-25; studio.md section 10). */
#include "apps/studio/mcp/tool_run.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"
#include "mcp/call.h"

struct refreshing {
	struct tenon_call *call; /* NULL: it has gone */
	struct tn_studio_door *door;
	bool is_reading;
};

static void free_refreshing(void *data)
{
	struct refreshing *refreshing = data;

	refreshing->call = NULL;
	if (!refreshing->is_reading) /* otherwise who reads frees it */
		tn_mem_free(refreshing);
}

/* A reading that failed is no reason not to tell what is known. */
static void refreshed(bool good, void *data)
{
	struct refreshing *refreshing = data;
	struct tenon_call *call = refreshing->call;

	(void)good;
	refreshing->is_reading = false;
	if (call)
		tn_studio_run_action(call, refreshing->door, &tn_studio_action_status);
	else
		tn_mem_free(refreshing);
}

void tn_studio_call_status(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project;
	struct refreshing *refreshing;
	bool refresh = false;

	(void)tenon_call_bool(call, "refresh", &refresh);
	if (!refresh) {
		tn_studio_run_action(call, door, &tn_studio_action_status);
		return;
	}
	project = tn_studio_project_of(call, door);
	refreshing = project ? tn_mem_alloc(sizeof(*refreshing)) : NULL;
	if (!project)
		return;
	if (!refreshing) {
		tn_studio_run_action(call, door, &tn_studio_action_status);
		return;
	}
	*refreshing = (struct refreshing){.call = call, .door = door, .is_reading = true};
	tenon_call_set_data(call, refreshing, free_refreshing);
	tn_studio_state_refresh(door->runs, project, refreshed, refreshing);
}
