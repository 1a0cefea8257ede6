/* get_run: a run that is under way or over (P2), with its log from a line on. */
#include "apps/studio/tool_run.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"runId\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"Without "
	"it the last run of the project\"},"
	"\"waitMs\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":55000,\"default\":0,"
	"\"description\":\"Wait so long for its end\"},"
	"\"logFrom\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Return the log from "
	"this "
	"line on, at most 100 kB; nextLine says where to go on\"}," TN_STUDIO_PROJECT_ARGUMENT
	"},\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_RUN_OUTPUT;

static void call_get(struct tenon_call *call, void *data)
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

const struct tenon_tool tn_studio_tool_get_run = {
	.name = "get_run",
	.title = "A run",
	.description =
		"What became of a run of the engine: state, exit code, counts, changes, "
		"diagnostics; with waitMs it waits for the end, with logFrom it has the log.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.text_max_bytes = 100 * 1000,
	.call = call_get,
	.beyond_core = true,
};
