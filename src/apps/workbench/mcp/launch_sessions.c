/* A launch and the sessions that it is for. */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "mcp/server.h"

struct tn_wb_workspace *tn_wb_launch_workspace(const struct tn_wb_launch *launch)
{
	return tn_wb_workspaces_find(&launch->door->workspaces, tn_str_from(launch->workspace));
}

struct tn_wb_session *tn_wb_launch_next(const struct tn_wb_launch *launch,
					const struct tn_wb_session *after)
{
	const struct tn_wb_workspace *workspace = after ? NULL : tn_wb_launch_workspace(launch);
	struct tn_wb_session *at = workspace ? workspace->sessions.first : NULL;

	if (after)
		at = after->next;
	while (at && (at->launch != launch || !tn_wb_session_state_is_live(at->state)))
		at = at->next;
	return at;
}

const struct tn_json *tn_wb_launch_kept(const char *text, struct tn_arena *arena)
{
	struct tn_json *json = NULL;
	struct tenon_error err;

	return tn_json_parse_copy(arena, tn_str_from(text), &json, &err) == TENON_OK &&
			       !tn_json_is(json, TN_JSON_NULL)
		       ? json
		       : NULL;
}

void tn_wb_launch_end(struct tn_wb_launch *launch)
{
	if (launch->phase == TN_WB_LAUNCH_ENDING)
		return;
	launch->phase = TN_WB_LAUNCH_ENDING;
	launch->due_ms = tn_server_now_ms(launch->door->server) + TN_WB_STOP_MS;
	if (launch->process)
		tn_wb_process_stop(launch->process);
}

void tn_wb_launch_fail(struct tn_wb_launch *launch, enum tn_wb_session_event event,
		       const char *code, const char *message)
{
	struct tn_wb_session *at = tn_wb_launch_next(launch, NULL);

	for (struct tn_wb_session *next; at; at = next) {
		next = tn_wb_launch_next(launch, at);
		tn_wb_session_failed(at, event, code, message);
	}
	tn_wb_launch_end(launch);
	tn_wb_preview_run_soon(launch->door);
}
