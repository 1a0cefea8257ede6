/* cancel_run: asks a run to stop, or kills it (9.6). */
#include "apps/studio/mcp/tool_run.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

/* Stopping is what one asks for in a hurry: nobody is asked first. */
void tn_studio_call_cancel_run(struct tenon_call *call, void *data)
{
	struct tn_studio_run *run = tn_studio_run_of(call, data);
	bool force = false, running, changes;
	struct tn_buf result;

	if (!run)
		return;
	(void)tenon_call_bool(call, "force", &force);
	running = tn_studio_run_state(run) == TN_STUDIO_RUNNING;
	changes = tn_studio_run_command(run) == TN_STUDIO_APPLY ||
		  tn_studio_run_command(run) == TN_STUDIO_DESTROY;
	/* The second step of two: the first asks it to stop cleanly. */
	force = force && (!changes || tn_studio_run_is_cancelled(run));
	if (running)
		tn_studio_run_cancel(run, force);
	tn_buf_init(&result, 16 * TN_KIB);
	tn_json_begin_object(&result);
	tn_json_put_member_text(&result, "runId", tn_studio_run_id(run));
	tn_json_put_member_text(&result, "status", running ? "running" : "over");
	tn_json_put_member_bool(&result, "stopping", running);
	if (running && force && changes)
		tn_json_put_member_text(
			&result, "warning",
			"It was killed. The state may still be locked (force-unlock) "
			"and may not know of what was just made: run plan and look.");
	else if (running && changes)
		tn_json_put_member_text(&result, "warning",
					"It was asked to stop and ends when the state is written. "
					"Calling again with force: true kills it.");
	tn_json_end_object(&result);
	tn_studio_reply(call, tn_str("", 0), &result);
}
