/* Bytes and marks become state: where prompts, commands and full-screen programs begin and end. */
#include "apps/terminal/session/session.h"

#include <stdio.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/output/intake.h"
#include "base/utf8.h"

/* ---- bytes that are shown ---- */

static void tell_output(struct tn_term_session *s, struct tn_str bytes, uint64_t from)
{
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->output)
			w->output(w, bytes, from);
	}
}

/* Everything that watches gets the same: the screen, viewers, recordings. */
static void show(struct tn_term_session *s, struct tn_str bytes, uint64_t from)
{
	if (s->screen)
		tn_screen_feed(s->screen, bytes);
	tell_output(s, bytes, from);
}

static uint64_t count_lines(struct tn_str bytes)
{
	const char *at = bytes.data, *end = bytes.data + bytes.size;
	uint64_t count = 0;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		count++;
		at++;
	}
	return count;
}

/* In a replay what was edited then is left out now; the command itself comes with its mark. */
static void show_again(struct tn_term_session *s, struct tn_str bytes, uint64_t from)
{
	uint64_t at = from, end = from + bytes.size;

	for (size_t i = 0; i < s->edit_count && at < end; i++) {
		const struct tn_output_edit *edit = &s->edits[i];

		if (edit->to <= at)
			continue;
		if (edit->from >= end)
			break;
		if (edit->from > at)
			show(s, tn_str(bytes.data + (at - from), (size_t)(edit->from - at)), at);
		at = edit->to;
	}
	if (at < end)
		show(s, tn_str(bytes.data + (at - from), (size_t)(end - at)), at);
}

static void show_echo_again(struct tn_term_session *s, const struct tn_mark *mark)
{
	for (size_t i = 0; mark->kind == TN_MARK_START && i < s->edit_count; i++) {
		if (s->edits[i].to == mark->to)
			show(s, s->edits[i].text, mark->to);
	}
}

static void take_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct tn_term_session *s = data;

	/* Line feeds before this were counted by the daemon before us. */
	if (from + bytes.size > s->event_offset && !s->swallowing) {
		size_t known = from < s->event_offset ? (size_t)(s->event_offset - from) : 0;

		s->lines += count_lines(tn_str_from_offset(bytes, known));
		s->last_byte = bytes.data[bytes.size - 1];
	}
	if (s->replaying)
		show_again(s, bytes, from);
	else if (!s->swallowing)
		show(s, bytes, from);
}

/* ---- the echo of a helper line ---- */

/* The command as a terminal would have shown it while it was typed. */
static void put_echo(const struct tn_term_command *c, struct tn_buf *out)
{
	struct tn_str text = tn_str(c->text, c->text_size);
	struct tn_str head = tn_utf8_cut(text, ECHO_TEXT_MAX);

	for (size_t i = 0; i < head.size; i++) {
		unsigned char byte = (unsigned char)head.data[i];

		if (byte == '\n')
			tn_buf_append_text(out, "\r\n");
		else if (byte == '\t' || (byte >= ' ' && byte != 0x7f))
			tn_buf_append_byte(out, (char)byte);
		else
			tn_buf_format(out, "^%c", (byte ^ 0x40) & 0x7f);
	}
	if (head.size < text.size)
		tn_buf_append_text(out, "\xE2\x80\xA6");
	tn_buf_append_text(out, "\r\n");
}

/* The state a crashed full-screen program has left (5.2). */
static void tidy(struct tn_term_session *s, struct tn_term_command *c, uint64_t at)
{
	bool alternate = s->alternate_from != UINT64_MAX;

	tn_term_session_end_alternate(s, at);
	if (!s->screen || (!tn_screen_sane(s->screen) && !alternate))
		return;
	/* Viewers have terminals of their own that must follow. */
	tell_output(s,
		    TN_STR("\x1b[?1049l\x1b[r\x1b[m\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l"
			   "\x1b[?2004l\x1b[?25h"),
		    at);
	if (c)
		tn_term_command_warn(c, "terminal_reset");
}

static void replace_echo(struct tn_term_session *s, const struct tn_term_command *c, uint64_t at)
{
	struct tn_buf echo;
	char place[48];

	tn_buf_init(&echo, 4 * ECHO_TEXT_MAX);
	put_echo(c, &echo);
	/* The line editor's own end of its modes stands in what is left out. */
	tidy(s, NULL, at);
	if (!echo.failed) {
		tn_term_session_add_edit(s, &(struct tn_output_edit){.from = s->input_offset,
								     .to = at,
								     .text = tn_buf_str(&echo)});
		/* Whatever stood on the input line is gone from it, and the line editor has put
		 * back its modes. */
		(void)snprintf(place, sizeof(place), "\x1b[?2004l\x1b[%u;%uH\x1b[J",
			       s->input_row + 1U, s->input_column + 1U);
		show(s, tn_str_from(place), at);
		show(s, tn_buf_str(&echo), at);
	}
	tn_buf_finish(&echo);
}

/* ---- marks ---- */

static void note_cwd(struct tn_term_session *s, struct tn_str cwd)
{
	if (cwd.size && cwd.size < sizeof(s->cwd) && cwd.data[0] == '/') {
		memcpy(s->cwd, cwd.data, cwd.size);
		s->cwd[cwd.size] = '\0';
	}
}

/* What a person typed, as it stood on the screen: the stream between the prompt and the command. */
static struct tn_term_command *typed_command(struct tn_term_session *s, uint64_t to)
{
	struct tn_output_source source = {.spool = s->spool,
					  .ahead = tn_term_session_ahead(s),
					  .nonce = s->nonce,
					  .columns = s->columns,
					  .rows = s->rows,
					  .epoch = s->epoch};
	struct tn_output_wish wish = {.from = s->input_offset,
				      .to = to,
				      .format = TN_OUTPUT_PLAIN,
				      .bytes_max = TN_TERM_ANSWER_BYTES,
				      .contiguous = true};
	struct tn_term_command *c = NULL;
	struct tn_output output = {0};

	if (tn_output_make(&source, &wish, &output, NULL) == TENON_OK) {
		struct tn_str text = tn_str_trim(tn_buf_str(&output.text));

		if (text.size)
			c = tn_term_command_new(s, text, s->controller[0] ? s->controller : NULL);
		tn_output_finish(&output);
	}
	if (c)
		c->typed = true;
	return c;
}

static void take_start(struct tn_term_session *s, const struct tn_mark *mark)
{
	struct tn_term_command *c = s->running;
	pid_t pids[16];

	s->swallowing = false;
	s->at_prompt = false;
	if (c && mark->number && c->number == mark->number) {
		replace_echo(s, c, mark->to);
	} else if (!mark->number && !c) {
		c = typed_command(s, mark->from);
		s->running = c;
	} else {
		return; /* no command that we know of */
	}
	if (c)
		tn_term_command_start(c, mark->to);
	tn_term_session_set_state(s, TN_TERM_RUNNING);
	if (c && c->ends_early && s->running == c)
		(void)tn_term_session_signal(s, c->ends_early, "foreground", false, pids,
					     TN_COUNT(pids));
}

/* dash says nothing when a typed line starts. */
static struct tn_term_command *typed_in_dash(struct tn_term_session *s, const struct tn_mark *end)
{
	struct tn_term_command *c;

	if (s->kind != TN_SHELL_POSIX || !s->typed_since_prompt || tn_term_session_starting(s) ||
	    s->input_offset >= end->from)
		return NULL;
	c = typed_command(s, end->from);
	if (c)
		tn_term_command_start(c, end->from);
	return c;
}

static void take_end(struct tn_term_session *s, const struct tn_mark *mark)
{
	struct tn_term_command *c = s->running;

	note_cwd(s, mark->cwd);
	if (tn_term_start_taken(s, mark->from))
		return;
	if (!c && !mark->number)
		c = typed_in_dash(s, mark);
	/* What was typed until now was for what has ended; what follows stands on the line. */
	s->typed_since_prompt = false;
	if (c && c->delivered && !c->started && !mark->number) {
		c->passed = true;
		return;
	}
	s->swallowing = false;
	if (!c || (mark->number && c->number != mark->number) || !c->started)
		return;
	tidy(s, c, mark->from);
	tn_term_command_end(c, mark->from, mark->exit_code);
}

static void take_input(struct tn_term_session *s, const struct tn_mark *mark)
{
	if (s->running && s->running->delivered && !s->running->started) {
		/* Line editors draw their prompt anew whenever they like (shell.h). */
		if (!s->running->passed)
			return;
		/* The line we sent was dropped on its way, or the shell is about to read it now:
		 * time tells (session_time.c). */
		if (!s->running->lost_ms)
			s->running->lost_ms = tn_term_now(s->term) + LOST_LINE_MS;
		return;
	} else if (s->running) {
		tn_term_command_end(s->running, mark->from, TN_TERM_NO_EXIT_CODE);
	}
	tn_term_session_prompted(s, mark->to);
}

void tn_term_session_prompted(struct tn_term_session *s, uint64_t at)
{
	struct tn_screen_look look;

	s->swallowing = false;
	s->at_prompt = true;
	if (tn_term_session_starting(s))
		tn_term_start_over(s);
	if (s->typed_line && s->cleared_ms)
		tn_typed_line_reset(s->typed_line);
	if (s->cleared_ms)
		s->typed_since_prompt = false;
	s->cleared_ms = 0;
	s->stuck = false;
	s->integration =
		s->kind == TN_SHELL_POSIX ? TN_TERM_INTEGRATION_PROMPT : TN_TERM_INTEGRATION_MARKS;
	s->input_offset = at;
	if (s->typed_line)
		tn_typed_line_prompted(s->typed_line);
	if (s->screen) {
		tn_screen_look(s->screen, &look);
		s->input_row = look.cursor_row;
		s->input_column = look.cursor_column;
	}
	tn_term_session_set_state(s, TN_TERM_IDLE);
}

static void take_alternate(struct tn_term_session *s, const struct tn_mark *mark)
{
	if (mark->on && s->alternate_from == UINT64_MAX) {
		s->alternate_from = mark->from;
		if (s->pty)
			tn_pty_foreground_name(s->pty, s->alternate_program,
					       sizeof(s->alternate_program));
		if (s->running)
			s->running->alternate = true;
	} else if (!mark->on) {
		tn_term_session_end_alternate(s, mark->to);
	}
}

static void take_mark(const struct tn_mark *mark, void *data)
{
	struct tn_term_session *s = data;

	if (mark->to <= s->event_offset) { /* heard before: it is replayed */
		show_echo_again(s, mark);
		return;
	}
	s->event_offset = mark->to;
	switch (mark->kind) {
	case TN_MARK_PROMPT:
		tidy(s, NULL, mark->from);
		break;
	case TN_MARK_INPUT:
		take_input(s, mark);
		break;
	case TN_MARK_START:
		take_start(s, mark);
		break;
	case TN_MARK_END:
		take_end(s, mark);
		break;
	case TN_MARK_DIRECTORY:
		note_cwd(s, mark->cwd);
		break;
	case TN_MARK_ALTERNATE:
		take_alternate(s, mark);
		break;
	case TN_MARK_RESET:
		tn_term_session_end_alternate(s, mark->to);
		break;
	}
	/* What a program does as often as it likes is found again in a replay. */
	if (mark->kind != TN_MARK_ALTERNATE && mark->kind != TN_MARK_RESET)
		tn_journal_state(s);
}

/* ---- the stream ---- */

static const struct tn_marks_sink *sink_for(struct tn_term_session *s, struct tn_marks_sink *sink)
{
	*sink = (struct tn_marks_sink){.text = take_text, .mark = take_mark, .data = s};
	return sink;
}

static void note_title(struct tn_term_session *s)
{
	struct tn_screen_look look;

	if (!s->screen)
		return;
	tn_screen_look(s->screen, &look);
	if (strcmp(look.title, s->title) == 0)
		return;
	(void)snprintf(s->title, sizeof(s->title), "%s", look.title);
	tn_term_session_tell(s);
}

static void take_piece(struct tn_str bytes, void *data)
{
	struct tn_term_session *s = data;
	struct tn_marks_sink sink;

	s->offset += bytes.size;
	tn_marks_feed(&s->marks, bytes, sink_for(s, &sink));
}

static void take_error_piece(struct tn_str bytes, void *data)
{
	struct tn_term_session *s = data;

	s->error_offset += bytes.size;
	s->output_ms = tn_term_now(s->term);
}

/* Once: afterwards it is not said to be recorded any more. */
static void look_at_record(struct tn_term_session *s)
{
	if (!s->recorded || !s->record || !s->record_ended)
		return;
	s->recorded = false;
	if (s->term->options.problem)
		s->term->options.problem(tn_record_problem(s->record), s->term->options.data);
	tn_journal_session(s); /* the next daemon does not go on with it */
	tn_term_session_tell(s);
}

void tn_term_session_readable(struct tn_term_session *s, int stream)
{
	struct tn_intake intake = {.pty = s->pty,
				   .stream = stream,
				   .spool = s->spool,
				   .clock = s->term->options.clock,
				   .take = take_piece,
				   .data = s};
	uint64_t before = s->offset;
	struct tenon_error err;

	if (!s->pty || !s->spool || (stream == TN_PTY_ERR && !s->error_spool))
		return;
	if (stream == TN_PTY_ERR) {
		intake.spool = s->error_spool;
		intake.take = take_error_piece;
	}
	/* Errors without room stay in their ring. */
	if (tn_intake_turn(&intake, &err) != TENON_OK && stream == TN_PTY_OUT)
		tn_term_session_wait_for_room(s, &err);
	else if (tn_spool_clear_gave(intake.spool))
		tn_term_session_tell_gave(s);
	if (s->offset != before) {
		s->output_ms = s->activity_ms = tn_term_now(s->term);
		s->activity_wall_ms = tn_term_wall(s->term);
		tn_term_session_works(s);
		look_at_record(s);
		note_title(s);
		if (s->offset - s->snapshot_offset >= SNAPSHOT_BYTES && s->marks.held_size == 0)
			tn_journal_snapshot(s);
	}
	tn_term_session_moved(s);
}

void tn_term_session_replay(struct tn_term_session *s, uint64_t from, uint64_t to)
{
	struct tn_marks_sink sink;
	struct tn_buf bytes;

	s->replaying = true;
	tn_buf_init(&bytes, TN_TERM_TURN_BYTES);
	for (uint64_t at = from; at < to; at += bytes.size) {
		size_t max = to - at < TN_TERM_TURN_BYTES ? (size_t)(to - at) : TN_TERM_TURN_BYTES;

		tn_buf_clear(&bytes);
		if (tn_spool_read(s->spool, at, max, &bytes, NULL) != TENON_OK || !bytes.size)
			break; /* what cannot be read is not shown */
		tn_marks_feed(&s->marks, tn_buf_str(&bytes), sink_for(s, &sink));
	}
	tn_buf_finish(&bytes);
	s->replaying = false;
}
