/* cancel_run: asks a run to stop, or kills it (9.6). */
#include "apps/studio/tool_run.h"
#include "jsonrpc/json_write.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"runId\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"The run "
	"to stop\"},"
	"\"force\":{\"type\":\"boolean\",\"description\":\"Kill it. The state may stay locked, or "
	"lack what was just made: only when it does not stop, and the user "
	"agrees\"}," TN_STUDIO_PROJECT_ARGUMENT
	"},\"required\":[\"runId\"],\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"runId\":" TN_STUDIO_TEXT ",\"status\":" TN_STUDIO_TEXT
			 ",\"stopping\":" TN_STUDIO_SWITCH ",\"warning\":" TN_STUDIO_TEXT,
			 "\"runId\",\"status\",\"stopping\"");

static void call_cancel(struct tenon_call *call, void *data)
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

const struct tenon_tool tn_studio_tool_cancel_run = {
	.name = "cancel_run",
	.title = "Stop a run",
	.description = "Asks a run to stop; an apply or destroy comes to a clean end by itself, "
		       "which may take a while. A second call with force: true kills it.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	/* Stopping is what one asks for in a hurry: nobody is asked first. */
	.flags = TENON_IDEMPOTENT | TENON_ASKS_CONSENT,
	.call = call_cancel,
	.beyond_core = true,
};
