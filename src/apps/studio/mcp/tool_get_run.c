/* get_run: a run that is under way or over (P2), with its log from a line on. */
#include "apps/studio/mcp/tool_run.h"
#include "apps/studio/mcp/tools.h"

void tn_studio_call_get_run(struct tenon_call *call, void *data)
{
	struct tn_studio_run *run = tn_studio_run_of(call, data);
	struct tn_studio_wait *wait;
	int64_t wait_ms = 0, log = 0;

	if (!run)
		return;
	(void)tenon_call_int(call, "waitMs", &wait_ms);
	(void)tenon_call_int(call, "logFrom", &log);
	/* A run that is told of here was asked for: that its engine failed is its result. */
	if (tn_studio_run_state(run) != TN_STUDIO_RUNNING || wait_ms == 0) {
		tn_studio_reply_run(call, run, (uint64_t)log);
		return;
	}
	wait = tn_studio_wait_of(call, data);
	if (!wait)
		return;
	wait->log_from = (uint64_t)log;
	tn_studio_wait_for(wait, run, false, wait_ms);
}
