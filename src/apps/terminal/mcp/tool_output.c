/* get_terminal_output: what a session or a command has printed, from a cursor on or its last lines
 * (terminal.md section 7.2, T-13). */
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

static void put_result(struct tn_buf *out, const struct tn_term_read_result *result,
		       enum tn_output_format format)
{
	const struct tn_output *output = &result->output;
	char from[TN_CURSOR_TEXT_SIZE], next[TN_CURSOR_TEXT_SIZE];

	tn_output_cursor(result->epoch, output->from, from);
	tn_output_cursor(result->epoch, output->next, next);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "session_id", result->session.id);
	tn_json_put_member_text(out, "command_id", result->command_id);
	tn_json_put_member_str(out, "output", tn_buf_str(&output->text));
	tn_json_put_member_text(out, "format", tn_term_format_name(format));
	tn_json_put_member_text(out, "from_cursor", from);
	tn_json_put_member_text(out, "next_cursor", next);
	tn_json_put_member_int(out, "gap_bytes", (int64_t)output->gap_bytes);
	tn_json_put_member_bool(out, "more", output->more);
	tn_json_put_member_bool(out, "truncated", output->truncated);
	tn_json_put_member_int(out, "omitted_bytes", (int64_t)output->omitted_bytes);
	tn_json_put_member_int(out, "total_bytes", (int64_t)result->session.total_bytes);
	tn_json_put_member_text(out, "state", tn_term_state_name(result->session.state));
	if (result->has_ended) {
		const struct tn_term_command_info *info = &result->command;

		tn_json_put_member_text(out, "command_status", tn_term_status_name(info->status));
		if (info->exit_code != TN_TERM_NO_EXIT_CODE)
			tn_json_put_member_int(out, "exit_code", info->exit_code);
		if (info->signal)
			tn_json_put_member_text(out, "signal", info->signal);
	}
	tn_json_put_member_text(out, "running_command_id", result->session.running_command_id);
	tn_json_put_member_bool(out, "alternate_screen", result->session.alternate_screen);
	tn_json_put_key(out, "screen");
	if (result->has_screen)
		tn_term_put_screen(out, result->screen, TN_TERM_SCREEN_TEXT, 0, true);
	else
		tn_json_put_null(out);
	tn_json_put_member_int(out, "redactions", result->redactions);
	tn_json_end_object(out);
}

/* How to read on, and what stands on the screen (hosts.md HO-001). */
static void put_note(struct tn_buf *out, const struct tn_term_read_result *result)
{
	const char *running = result->session.running_command_id;
	char next[TN_CURSOR_TEXT_SIZE];

	tn_output_cursor(result->epoch, result->output.next, next);
	if (result->has_screen) {
		tn_buf_append_text(out, "[screen]\n");
		tn_term_put_screen_text(out, result->screen, false);
		tn_buf_append_byte(out, '\n');
	}
	tn_buf_append_byte(out, '[');
	if (result->has_ended) { /* the session may still wait for its shell's prompt */
		tn_term_put_ended(out, &result->command);
		tn_buf_format(out, " \xc2\xb7 session %s",
			      tn_term_state_name(result->session.state));
	} else {
		tn_buf_format(out, "%s%s%s", tn_term_state_name(result->session.state),
			      running ? " " : "", running ? running : "");
	}
	tn_buf_format(out, "%s \xc2\xb7 next_cursor %s]",
		      result->output.more ? " \xc2\xb7 there is more" : "", next);
}

static void was_read(const struct tn_term_read_result *result, const struct tn_term_fault *fault,
		     void *data)
{
	struct tn_term_task *task = data;
	struct tn_buf note, structured;

	task->op = NULL;
	if (fault) {
		tn_term_fail_fault(task->call, fault);
		return;
	}
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	if (tn_call_sends_structured(task->call))
		put_result(&structured, result, task->shaping.format);
	tn_buf_init(&note, TN_RESULT_BYTES_MAX);
	put_note(&note, result);
	if (result->has_screen) { /* what is on it may hold a secret; the output is clean
				     already */
		unsigned redactions;

		tn_term_clean(task->door->term, &note, &redactions);
		tn_term_clean(task->door->term, &structured, &redactions);
	}
	tn_buf_inherit_failure(&structured, &note);
	tn_term_reply_with(task->call, tn_buf_str(&result->output.text), tn_buf_str(&note),
			   &structured);
	tn_buf_finish(&note);
}

void tn_term_call_output(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_read request = {.cursor = tenon_call_text(call, "cursor"),
				       .command_id = tenon_call_text(call, "command_id"),
				       .session_id = tenon_call_text(call, "session_id")};
	struct tn_term_task *task;
	struct tn_term_caller caller;
	int64_t lines;

	if (!tn_term_begin(call, door, "{\"lines\":100}", &caller))
		return;
	if (request.cursor && tenon_call_int(call, "lines", &lines)) {
		tn_term_refuse(call, "lines: not together with cursor; send one of them");
		return;
	}
	task = tn_term_task_new(call, door, &caller);
	if (!task)
		return;
	tn_term_shaping_of(call, &task->shaping);
	if (!request.cursor && !request.command_id && !task->shaping.lines_max)
		task->shaping.lines_max = TN_TERM_ANSWER_LINES;
	request.caller = &task->caller;
	request.shaping = task->shaping;
	request.wait_ms = (uint32_t)tn_term_int(call, "wait_ms", 0);
	task->op = door->backend->get_output(door->backend->self, &request, was_read, task);
}
