#include "apps/terminal/mcp/to_json.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/size.h"
#include "base/utf8.h"

const char *tn_term_format_name(enum tn_output_format format)
{
	static const char *const names[] = {
		[TN_OUTPUT_PLAIN] = "plain", [TN_OUTPUT_ANSI] = "ansi", [TN_OUTPUT_RAW] = "raw"};

	return names[format];
}

static void put_time(struct tn_buf *out, const char *key, int64_t wall_ms)
{
	char when[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(wall_ms, when);
	tn_json_put_member_text(out, key, when);
}

static void put_code(struct tn_buf *out, const char *key, int code)
{
	if (code == TN_TERM_NO_EXIT_CODE)
		tn_json_put_member_null(out, key);
	else
		tn_json_put_member_int(out, key, code);
}

/* ---- sessions ---- */

void tn_term_put_session_members(struct tn_buf *out, const struct tn_term_session_info *info)
{
	tn_json_put_member_text(out, "id", info->id);
	tn_json_put_member_text(out, "name", info->name);
	tn_json_put_member_text(out, "cwd", info->cwd);
	tn_json_put_member_text(out, "project_id", info->project_id);
	tn_json_put_member_bool(out, "is_active", info->is_active);
}

void tn_term_put_session_base(struct tn_buf *out, const struct tn_term_session_info *info)
{
	tn_json_begin_object(out);
	tn_term_put_session_members(out, info);
	tn_json_end_object(out);
}

void tn_term_put_session(struct tn_buf *out, const struct tn_term_session_info *info)
{
	tn_json_begin_object(out);
	tn_term_put_session_members(out, info);
	tn_json_put_member_text(out, "state", tn_term_state_name(info->state));
	tn_json_put_member_text(out, "program", info->program);
	tn_json_put_member_text(out, "shell", info->shell);
	if (info->pid)
		tn_json_put_member_int(out, "pid", info->pid);
	else
		tn_json_put_member_null(out, "pid");
	tn_json_put_member_int(out, "cols", info->columns);
	tn_json_put_member_int(out, "rows", info->rows);
	tn_json_put_member_text(out, "title", info->title);
	tn_json_put_member_text(out, "integration", tn_term_integration_name(info->integration));
	tn_json_put_member_bool(out, "alternate_screen", info->alternate_screen);
	tn_json_put_member_text(out, "running_command_id", info->running_command_id);
	put_code(out, "exit_code", info->exit_code);
	tn_json_put_member_text(out, "signal", info->signal);
	put_time(out, "created_at", info->created_ms);
	put_time(out, "last_activity_at", info->last_activity_ms);
	put_time(out, "expires_at", info->expires_ms);
	tn_json_put_member_text(out, "sandbox", info->sandbox);
	tn_json_put_member_text(out, "host", info->hosted ? "hosted" : "inline");
	tn_json_put_member_text(out, "live_url", info->live_url);
	tn_json_put_member_int(out, "total_bytes", (int64_t)info->total_bytes);
	tn_json_put_member_bool(out, "stuck", info->stuck);
	tn_json_put_member_bool(out, "recorded", info->recorded);
	tn_json_put_member_text(out, "controlled_by", info->controlled_by);
	tn_json_put_key(out, "waiting");
	tn_term_put_waiting(out, &info->waiting);
	tn_json_end_object(out);
}

/* ---- commands ---- */

void tn_term_put_waiting(struct tn_buf *out, const struct tn_term_waiting *waiting)
{
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "for_input", waiting->for_input);
	tn_json_put_member_bool(out, "certain", waiting->certain);
	tn_json_put_member_bool(out, "hidden_input", waiting->hidden_input);
	tn_json_put_member_text(out, "program", waiting->program[0] ? waiting->program : NULL);
	tn_json_end_object(out);
}

static const char *queued_for_name(enum tn_term_queued_for what)
{
	static const char *const names[] = {[TN_TERM_FOR_NOTHING] = NULL,
					    [TN_TERM_FOR_COMMAND] = "command",
					    [TN_TERM_FOR_SHELL_START] = "shell_start"};

	return names[what];
}

static void put_outcome(struct tn_buf *out, const struct tn_term_command_info *info)
{
	tn_json_put_member_text(out, "status", tn_term_status_name(info->status));
	tn_json_put_member_text(out, "queued_for", queued_for_name(info->queued_for));
	tn_json_put_member_text(out, "integration", tn_term_integration_name(info->integration));
	put_code(out, "exit_code", info->exit_code);
	tn_json_put_member_text(out, "signal", info->signal);
	tn_json_put_member_text(out, "completion", info->completion);
	tn_json_put_member_int(out, "duration_ms", info->duration_ms);
}

void tn_term_put_command(struct tn_buf *out, const struct tn_term_command_info *info)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "command_id", info->id);
	tn_json_put_member_text(out, "session_id", info->session_id);
	tn_json_put_member_text(out, "command", info->text);
	put_outcome(out, info);
	tn_json_put_member_text(out, "cwd", info->cwd);
	put_time(out, "started_at", info->started_ms);
	tn_json_put_member_int(out, "total_bytes", (int64_t)info->total_bytes);
	tn_json_put_member_int(out, "total_lines", (int64_t)info->total_lines);
	tn_json_put_member_bool(out, "typed", info->typed);
	tn_json_put_member_bool(out, "isolated", info->isolated);
	tn_json_put_member_text(out, "client", info->caller);
	tn_json_end_object(out);
}

static void put_warnings(struct tn_buf *out, const struct tn_term_command_info *info)
{
	tn_json_put_key(out, "warnings");
	tn_json_begin_array(out);
	for (size_t i = 0; info->warnings && info->warnings[i]; i++)
		tn_json_put_text(out, info->warnings[i]);
	tn_json_end_array(out);
}

static void put_output(struct tn_buf *out, const struct tn_term_executed *executed)
{
	const struct tn_output *output = &executed->output;
	char cursor[TN_CURSOR_TEXT_SIZE];

	tn_output_cursor(executed->epoch, output->next, cursor);
	tn_json_put_member_str(out, "output", tn_buf_str(&output->text));
	if (executed->has_error_output)
		tn_json_put_member_str(out, "stderr", tn_buf_str(&executed->error_output));
	else
		tn_json_put_member_null(out, "stderr");
	tn_json_put_member_text(out, "format", tn_term_format_name(executed->format));
	tn_json_put_member_bool(out, "truncated", output->truncated);
	tn_json_put_member_bool(out, "rendered", output->rendered);
	tn_json_put_member_int(out, "omitted_bytes", (int64_t)output->omitted_bytes);
	tn_json_put_member_int(out, "gap_bytes", (int64_t)output->gap_bytes);
	tn_json_put_member_int(out, "total_bytes", (int64_t)executed->command.total_bytes);
	tn_json_put_member_int(out, "total_lines", (int64_t)executed->command.total_lines);
	tn_json_put_member_text(out, "next_cursor", cursor);
}

void tn_term_put_executed(struct tn_buf *out, const struct tn_term_executed *executed)
{
	const struct tn_term_command_info *info = &executed->command;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "command_id", info->id);
	tn_json_put_member_text(out, "session_id", info->session_id);
	put_outcome(out, info);
	tn_json_put_member_text(out, "cwd", executed->cwd);
	put_output(out, executed);
	tn_json_put_member_bool(out, "alternate_screen", info->alternate_screen);
	tn_json_put_key(out, "screen");
	if (executed->has_screen)
		tn_term_put_screen(out, executed->screen, TN_TERM_SCREEN_TEXT, 0, true);
	else
		tn_json_put_null(out);
	tn_json_put_key(out, "waiting");
	tn_term_put_waiting(out, &info->waiting);
	tn_json_put_member_int(out, "timeout_ms", (int64_t)info->timeout_ms);
	put_time(out, "started_at", info->started_ms);
	tn_json_put_member_int(out, "redactions", executed->redactions);
	put_warnings(out, info);
	tn_json_end_object(out);
}

static void put_seconds(struct tn_buf *out, int64_t ms)
{
	tn_buf_format(out, "%lld.%lld s", (long long)(ms / 1000), (long long)(ms % 1000 / 100));
}

static void put_exit(struct tn_buf *out, const struct tn_term_command_info *info)
{
	if (info->signal)
		tn_buf_format(out, "%s", info->signal);
	else if (info->exit_code == TN_TERM_NO_EXIT_CODE)
		tn_buf_append_text(out, "exit unknown");
	else
		tn_buf_format(out, "exit %d", info->exit_code);
}

#define DOT " \xC2\xB7 "

static bool has_warning(const struct tn_term_command_info *info, const char *warning)
{
	for (size_t i = 0; info->warnings && info->warnings[i]; i++) {
		if (strcmp(info->warnings[i], warning) == 0)
			return true;
	}
	return false;
}

static const char *wanted_input(const struct tn_term_waiting *waiting)
{
	return waiting->hidden_input ? "hidden input (password?)" : "input";
}

static void put_queued(struct tn_buf *out, const struct tn_term_command_info *info)
{
	const char *program = info->waiting.program;

	if (info->queued_for == TN_TERM_FOR_NOTHING)
		tn_buf_append_text(out, "queued until the shell has an empty prompt");
	else if (info->queued_for == TN_TERM_FOR_COMMAND)
		tn_buf_append_text(out, "queued behind another command");
	else if (info->waiting.for_input)
		tn_buf_format(out,
			      "queued until the shell shows its first prompt: %s waits for %s, "
			      "send_keys or hand_over answer it",
			      program[0] ? program : "its program", wanted_input(&info->waiting));
	else
		tn_buf_format(out, "queued until the shell shows its first prompt%s%s%s",
			      program[0] ? ": " : "", program, program[0] ? " is in front" : "");
	tn_buf_format(out, DOT "%s" DOT "use wait_for", info->id);
}

static const char *how_timed_out(const struct tn_term_command_info *info)
{
	if (has_warning(info, "stuck"))
		return "and goes on all the same: the session is stuck";
	if (info->exit_code == 128 + SIGKILL ||
	    (info->signal && strcmp(info->signal, "SIGKILL") == 0))
		return "killed";
	return "interrupted";
}

static void put_notes(struct tn_buf *out, const struct tn_term_executed *executed)
{
	const char *const *warnings = executed->command.warnings;

	if (executed->new_session_id)
		tn_buf_format(out, DOT "in a new session, %s", executed->new_session_id);
	for (size_t i = 0; warnings && warnings[i]; i++)
		tn_buf_format(out, "%s%s", i == 0 ? DOT "warnings: " : ", ", warnings[i]);
}

/* 7.1: one line that says how it stands. */
static void put_footer(struct tn_buf *out, const struct tn_term_executed *executed)
{
	const struct tn_term_command_info *info = &executed->command;
	size_t from;

	tn_buf_append_byte(out, '[');
	from = out->size;
	switch (info->status) {
	case TN_TERM_QUEUED:
		put_queued(out, info);
		break;
	case TN_TERM_STATUS_RUNNING:
		tn_buf_append_text(out, "still running after ");
		put_seconds(out, info->duration_ms);
		tn_buf_format(out, DOT "%s" DOT "use wait_for", info->id);
		break;
	case TN_TERM_STATUS_WAITING_INPUT:
		tn_buf_format(out, "waiting for %s" DOT "%s", wanted_input(&info->waiting),
			      info->id);
		break;
	case TN_TERM_TIMED_OUT:
		tn_buf_append_text(out, "timed out after ");
		put_seconds(out, (int64_t)info->timeout_ms);
		tn_buf_format(out, ", %s" DOT "%s", how_timed_out(info), info->id);
		break;
	case TN_TERM_NOT_STARTED:
		tn_buf_format(out, "not run" DOT "%s" DOT "%s", executed->cwd, info->id);
		break;
	case TN_TERM_UNKNOWN:
		tn_buf_append_text(out,
				   "no way to know whether it ran and how it ended: this is no "
				   "shell that tells" DOT);
		put_seconds(out, info->duration_ms);
		tn_buf_format(out, DOT "%s" DOT "%s", executed->cwd, info->id);
		break;
	case TN_TERM_COMPLETED:
	case TN_TERM_INTERRUPTED:
	case TN_TERM_KILLED:
	case TN_TERM_SESSION_EXITED:
		if (info->status != TN_TERM_COMPLETED)
			tn_buf_format(out, "%s" DOT,
				      info->status == TN_TERM_INTERRUPTED ? "interrupted"
				      : info->status == TN_TERM_KILLED    ? "killed"
									  : "session exited");
		put_exit(out, info);
		tn_buf_append_text(out, DOT);
		put_seconds(out, info->duration_ms);
		tn_buf_format(out, DOT "%s" DOT "%s", executed->cwd, info->id);
		break;
	}
	put_notes(out, executed);
	if (out->size > from) /* names of folders and programs */
		tn_utf8_one_line(out->data + from, out->size - from);
	tn_buf_append_byte(out, ']');
}

void tn_term_put_ended(struct tn_buf *out, const struct tn_term_command_info *info)
{
	tn_buf_format(out, "%s", tn_term_status_name(info->status));
	if (info->exit_code != TN_TERM_NO_EXIT_CODE || info->signal) {
		tn_buf_append_text(out, DOT);
		put_exit(out, info);
	}
	tn_buf_append_text(out, DOT);
	tn_utf8_put_line(out, tn_str_from(info->cwd));
	tn_buf_format(out, DOT "%s", info->id);
}

void tn_term_put_executed_text(struct tn_buf *out, const struct tn_term_executed *executed)
{
	struct tn_str text = tn_buf_str(&executed->output.text);

	tn_buf_append_str(out, text);
	if (executed->has_error_output && executed->error_output.size) {
		if (out->size && out->data[out->size - 1] != '\n')
			tn_buf_append_byte(out, '\n');
		tn_buf_append_text(out, "[stderr]\n");
		tn_buf_append_str(out, tn_buf_str(&executed->error_output));
	}
	if (out->size && out->data[out->size - 1] != '\n')
		tn_buf_append_byte(out, '\n');
	if (executed->has_screen) {
		tn_buf_append_text(out, "[screen]\n");
		tn_term_put_screen_text(out, executed->screen, false);
		tn_buf_append_byte(out, '\n');
	}
	put_footer(out, executed);
}

/* ---- screens ---- */

void tn_term_put_screen_text(struct tn_buf *out, const struct tn_screen *screen, bool ansi)
{
	struct tn_screen_look look;
	struct tn_buf line;
	size_t end = out->size;

	tn_screen_look(screen, &look);
	tn_buf_init(&line, TN_RESULT_BYTES_MAX);
	for (uint16_t row = 0; row < look.rows; row++) {
		tn_buf_clear(&line);
		if (ansi)
			tn_screen_put_line_ansi(screen, row, true, &line);
		else
			tn_screen_put_line(screen, row, true, &line);
		tn_buf_append_str(out, tn_buf_str(&line));
		if (line.size && !out->failed)
			end = out->size;
		tn_buf_append_byte(out, '\n');
	}
	tn_buf_inherit_failure(out, &line);
	tn_buf_finish(&line);
	/* Empty lines below the last one say nothing. */
	if (!out->failed && out->size > end)
		out->size = end;
}

static void put_lines(struct tn_buf *out, const struct tn_screen *screen, int32_t from, int32_t to,
		      bool ansi, bool trim)
{
	struct tn_buf line;

	tn_buf_init(&line, TN_RESULT_BYTES_MAX);
	tn_json_begin_array(out);
	for (int32_t row = from; row < to; row++) {
		tn_buf_clear(&line);
		if (ansi)
			tn_screen_put_line_ansi(screen, row, trim, &line);
		else
			tn_screen_put_line(screen, row, trim, &line);
		tn_json_put_str(out, tn_buf_str(&line));
	}
	tn_json_end_array(out);
	tn_buf_inherit_failure(out, &line);
	tn_buf_finish(&line);
}

static void put_colour(struct tn_buf *out, const char *key, tn_colour colour)
{
	char text[16];

	if (!colour)
		return;
	if (colour & TN_COLOUR_RGB) {
		(void)snprintf(text, sizeof(text), "#%06x", (unsigned)(colour & 0xffffff));
		tn_json_put_member_text(out, key, text);
	} else {
		tn_json_put_member_int(out, key, (int64_t)colour - 1);
	}
}

static void put_style(struct tn_buf *out, unsigned row, unsigned column, unsigned size,
		      const struct tn_style *style)
{
	static const struct {
		unsigned flag;
		const char *name;
	} flags[] = {{TN_CELL_BOLD, "bold"},     {TN_CELL_DIM, "dim"},
		     {TN_CELL_ITALIC, "italic"}, {TN_CELL_UNDERLINE, "underline"},
		     {TN_CELL_BLINK, "blink"},   {TN_CELL_REVERSE, "reverse"},
		     {TN_CELL_HIDDEN, "hidden"}, {TN_CELL_STRIKE, "strike"}};

	tn_json_begin_object(out);
	tn_json_put_member_int(out, "row", row);
	tn_json_put_member_int(out, "col", column);
	tn_json_put_member_int(out, "len", size);
	put_colour(out, "fg", style->foreground);
	put_colour(out, "bg", style->background);
	for (size_t i = 0; i < TN_COUNT(flags); i++) {
		if (style->flags & flags[i].flag)
			tn_json_put_member_bool(out, flags[i].name, true);
	}
	tn_json_end_object(out);
}

static bool same_style(const struct tn_style *a, const struct tn_style *b)
{
	return a->foreground == b->foreground && a->background == b->background &&
	       a->flags == b->flags;
}

/* Runs of cells that look alike; what looks as by default is left out. */
static void put_styles(struct tn_buf *out, const struct tn_screen *screen,
		       const struct tn_screen_look *look)
{
	static const struct tn_style plain = {.flags = 0};
	unsigned ignored;

	tn_json_begin_array(out);
	for (uint16_t row = 0; row < look->rows; row++) {
		struct tn_style run = plain, style;
		uint16_t begin = 0;

		for (uint16_t column = 0; column <= look->columns; column++) {
			style = plain;
			if (column < look->columns)
				(void)tn_screen_cell(screen, row, column, &style, &ignored);
			if (same_style(&style, &run))
				continue;
			if (!same_style(&run, &plain))
				put_style(out, row, begin, (unsigned)(column - begin), &run);
			run = style;
			begin = column;
		}
		if (!same_style(&run, &plain))
			put_style(out, row, begin, (unsigned)(look->columns - begin), &run);
	}
	tn_json_end_array(out);
}

static void put_cursor(struct tn_buf *out, const struct tn_screen_look *look)
{
	tn_json_put_key(out, "cursor");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "row", look->cursor_row);
	tn_json_put_member_int(out, "col", look->cursor_column);
	tn_json_put_member_bool(out, "visible", look->cursor_visible);
	tn_json_put_member_text(out, "shape", look->cursor_shape);
	tn_json_end_object(out);
}

void tn_term_put_screen(struct tn_buf *out, const struct tn_screen *screen,
			enum tn_term_screen_format format, uint32_t scrollback, bool trim)
{
	bool ansi = format == TN_TERM_SCREEN_ANSI;
	struct tn_screen_look look;

	tn_screen_look(screen, &look);
	if (scrollback > look.scrollback_count)
		scrollback = look.scrollback_count;
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "cols", look.columns);
	tn_json_put_member_int(out, "rows", look.rows);
	put_cursor(out, &look);
	tn_json_put_member_text(out, "title", look.title);
	tn_json_put_member_bool(out, "alternate_screen", look.alternate);
	tn_json_put_member_text(out, "mouse", look.mouse);
	tn_json_put_key(out, "lines");
	put_lines(out, screen, 0, look.rows, ansi, trim);
	tn_json_put_key(out, "scrollback");
	put_lines(out, screen, -(int32_t)scrollback, 0, ansi, trim);
	if (format == TN_TERM_SCREEN_CELLS) {
		tn_json_put_key(out, "styles");
		put_styles(out, screen, &look);
	}
	tn_json_put_member_int(out, "revision", (int64_t)look.revision);
	tn_json_end_object(out);
}
