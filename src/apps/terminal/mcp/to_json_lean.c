/* The same for a model (hosts.md HO-001, HO-003): what is as it usually is does not stand there. */
#include <string.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/to_json.h"
#include "mcp/fit.h"

static bool is_word(const char *text, const char *usual)
{
	return !text || strcmp(text, usual) == 0;
}

static void put_text_if(struct tn_buf *out, const char *key, const char *text)
{
	if (text && text[0])
		tn_json_put_member_text(out, key, text);
}

static void put_true_if(struct tn_buf *out, const char *key, bool value)
{
	if (value)
		tn_json_put_member_bool(out, key, true);
}

static void put_count_if(struct tn_buf *out, const char *key, uint64_t count)
{
	if (count > 0)
		tn_json_put_member_int(out, key, (int64_t)count);
}

static void put_waiting_if(struct tn_buf *out, const struct tn_term_waiting *waiting)
{
	if (!waiting->for_input && !waiting->hidden_input && !waiting->program[0])
		return;
	tn_json_put_key(out, "waiting");
	tn_term_put_waiting(out, waiting);
}

static void put_code_if(struct tn_buf *out, int code, const char *signal)
{
	if (code != TN_TERM_NO_EXIT_CODE)
		tn_json_put_member_int(out, "exit_code", code);
	put_text_if(out, "signal", signal);
}

/* "bash" is what runs in /bin/bash. */
static bool is_shell(const struct tn_term_session_info *info)
{
	const char *name = info->shell ? strrchr(info->shell, '/') : NULL;

	return !info->program || (name && strcmp(name + 1, info->program) == 0);
}

void tn_term_put_session_lean(struct tn_buf *out, const struct tn_term_session_info *info)
{
	tn_json_begin_object(out);
	tn_term_put_session_members(out, info);
	tn_json_put_member_text(out, "state", tn_term_state_name(info->state));
	if (!is_shell(info))
		put_text_if(out, "program", info->program);
	put_text_if(out, "title", info->title);
	if (info->integration != TN_TERM_INTEGRATION_MARKS)
		tn_json_put_member_text(out, "integration",
					tn_term_integration_name(info->integration));
	put_true_if(out, "alternate_screen", info->alternate_screen);
	put_text_if(out, "running_command_id", info->running_command_id);
	put_code_if(out, info->exit_code, info->signal);
	if (!is_word(info->sandbox, "none"))
		put_text_if(out, "sandbox", info->sandbox);
	put_true_if(out, "stuck", info->stuck);
	put_true_if(out, "recorded", info->recorded);
	put_text_if(out, "controlled_by", info->controlled_by);
	put_waiting_if(out, &info->waiting);
	tn_json_end_object(out);
}

void tn_term_put_session_for(const struct tenon_call *call, struct tn_buf *out,
			     const struct tn_term_session_info *info)
{
	if (tn_call_is_lean(call))
		tn_term_put_session_lean(out, info);
	else
		tn_term_put_session(out, info);
}

/* ---- execute_command ---- */

static void put_outcome(struct tn_buf *out, const struct tn_term_command_info *info)
{
	tn_json_put_member_text(out, "status", tn_term_status_name(info->status));
	if (info->queued_for != TN_TERM_FOR_NOTHING)
		tn_json_put_member_text(out, "queued_for",
					info->queued_for == TN_TERM_FOR_COMMAND ? "command"
										: "shell_start");
	put_code_if(out, info->exit_code, info->signal);
	/* Of marks, and of a process of our own, the exit code is exact. */
	if (!is_word(info->completion, "marks") && !is_word(info->completion, "process"))
		put_text_if(out, "completion", info->completion);
	if (info->duration_ms >= TN_TERM_DURATION_TOLD_MS)
		tn_json_put_member_int(out, "duration_ms", info->duration_ms);
}

static void put_output(struct tn_buf *out, const struct tn_term_executed *executed)
{
	const struct tn_output *output = &executed->output;
	const struct tn_term_command_info *info = &executed->command;
	char cursor[TN_CURSOR_TEXT_SIZE];

	tn_json_put_member_str(out, "output", tn_buf_str(&output->text));
	if (executed->has_error_output)
		tn_json_put_member_str(out, "stderr", tn_buf_str(&executed->error_output));
	if (executed->format != TN_OUTPUT_PLAIN)
		tn_json_put_member_text(out, "format", tn_term_format_name(executed->format));
	put_true_if(out, "truncated", output->truncated);
	put_true_if(out, "rendered", output->rendered);
	put_count_if(out, "omitted_bytes", output->omitted_bytes);
	put_count_if(out, "gap_bytes", output->gap_bytes);
	if (output->truncated || output->omitted_bytes > 0) {
		put_count_if(out, "total_bytes", info->total_bytes);
		put_count_if(out, "total_lines", info->total_lines);
	}
	/* Where to read on: there is nothing behind what has ended and is all there. */
	if (output->truncated || info->status != TN_TERM_COMPLETED) {
		tn_output_cursor(executed->epoch, output->next, cursor);
		tn_json_put_member_text(out, "next_cursor", cursor);
	}
}

static void put_warnings_if(struct tn_buf *out, const char *const *warnings)
{
	if (!warnings || !warnings[0])
		return;
	tn_json_put_key(out, "warnings");
	tn_json_begin_array(out);
	for (; *warnings; warnings++)
		tn_json_put_text(out, *warnings);
	tn_json_end_array(out);
}

void tn_term_put_executed_lean(struct tn_buf *out, const struct tn_term_executed *executed)
{
	const struct tn_term_command_info *info = &executed->command;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "command_id", info->id);
	/* Else it is the one that was named, or the active one, which counts without a name. */
	put_text_if(out, "session_id", executed->new_session_id);
	put_outcome(out, info);
	tn_json_put_member_text(out, "cwd", executed->cwd);
	put_output(out, executed);
	put_true_if(out, "alternate_screen", info->alternate_screen);
	if (executed->has_screen) {
		tn_json_put_key(out, "screen");
		tn_term_put_screen(out, executed->screen, TN_TERM_SCREEN_TEXT, 0, true);
	}
	put_waiting_if(out, &info->waiting);
	if (info->status == TN_TERM_TIMED_OUT)
		put_count_if(out, "timeout_ms", info->timeout_ms);
	put_count_if(out, "redactions", executed->redactions);
	put_warnings_if(out, info->warnings);
	tn_json_end_object(out);
}
