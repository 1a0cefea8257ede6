/* close_session: ends it and everything it has started (terminal.md section 7.12). */
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mcp/fit.h"

static void closed(const struct tn_term_session_info *info, const pid_t *killed, unsigned count,
		   struct tn_str final_output, void *data)
{
	struct tn_term_task *task = data;
	struct tn_buf text, structured;

	task->session = NULL;
	task->stop = NULL;
	tn_call_begin_structured(task->call, &structured);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "session");
	tn_term_put_session_for(task->call, &structured, info);
	tn_json_put_key(&structured, "killed");
	tn_json_begin_array(&structured);
	for (unsigned i = 0; i < count; i++)
		tn_json_put_int(&structured, killed[i]);
	tn_json_end_array(&structured);
	tn_json_put_member_str(&structured, "final_output", final_output);
	tn_json_end_object(&structured);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_format(&text, "Closed session %s \"", info->id);
	tn_utf8_put_line(&text, tn_str_from(info->name));
	tn_buf_append_byte(&text, '"');
	if (info->signal && tn_call_says_all(task->call))
		tn_buf_format(&text, ", ended by %s", info->signal);
	tn_buf_append_byte(&text, '.');
	if (final_output.size) {
		tn_buf_append_text(&text, " Its last output:\n");
		tn_buf_append_str(&text, final_output);
	}
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

void tn_term_call_close(struct tenon_call *call, void *data)
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
