/* close_session: ends it and everything it has started (terminal.md section 7.12). */
#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_TERM_SESSION_ARGUMENT ","
	"\"force\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Kill at once\"},"
	"\"grace_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":60000,\"default\":3000,"
	"\"description\":\"From the hang-up to the kill\"}"
	"},\"required\":[\"session_id\"],\"additionalProperties\":false}";

static const char output_schema[] =
	TN_TERM_OUTPUT_SCHEMA("\"session\":" TN_TERM_SESSION_SCHEMA
			      ",\"killed\":{\"type\":\"array\",\"items\":" TN_TERM_COUNT
			      "},\"final_output\":" TN_TERM_TEXT,
			      "\"session\",\"killed\",\"final_output\"");

static void closed(const struct tn_term_session_info *info, const pid_t *killed, unsigned count,
		   struct tn_str final_output, void *data)
{
	struct tn_term_task *task = data;
	struct tn_buf text, structured;

	task->session = NULL;
	task->stop = NULL;
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "session");
	tn_term_put_session(&structured, info);
	tn_json_put_key(&structured, "killed");
	tn_json_begin_array(&structured);
	for (unsigned i = 0; i < count; i++)
		tn_json_put_int(&structured, killed[i]);
	tn_json_end_array(&structured);
	tn_json_put_member_str(&structured, "final_output", final_output);
	tn_json_end_object(&structured);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_format(&text, "Closed session %s \"%s\".", info->id, info->name);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(task->call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

static void stop(struct tn_term_task *task)
{
	if (task->session)
		tn_term_session_close_forget(task->session, task);
	task->session = NULL;
}

static void call_close(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_session *s;
	struct tn_term_task *task;

	if (!tn_term_begin(call, door, "{\"force\":false,\"grace_ms\":3000}", &caller))
		return;
	s = tn_term_session_of(call, door, &caller, false);
	task = s ? tn_term_task_new(call, door, &caller) : NULL;
	if (!task)
		return;
	tn_term_note(door->term, "close", s, &caller, NULL);
	task->session = s;
	task->stop = stop;
	tn_term_session_close(s, tn_term_flag(call, "force", false),
			      (uint32_t)tn_term_int(call, "grace_ms", 3000), closed, task);
}

const struct tenon_tool tn_term_tool_close = {
	.name = "close_session",
	.title = "Close a session",
	.description = "Ends a session and every process it has started: hang-up, then TERM, then "
		       "KILL. Its output stays readable for a while. Closing a closed one is fine.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_close,
};
