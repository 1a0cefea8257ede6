/* One session: its state, and what it is told to do. */
#include "apps/terminal/session/session.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/limits.h"

enum { BESIDE_BYTES = 4096 }; /* longer than any key */

/* ---- state ---- */

void tn_term_session_tell(struct tn_term_session *s)
{
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->changed)
			w->changed(w);
	}
	tn_term_changed(s->term, TN_TERM_SESSION_CHANGED, s->id);
}

void tn_term_session_tell_command(struct tn_term_session *s, const struct tn_term_command *c)
{
	struct tn_term_command_info info;

	tn_term_command_describe(c, &info);
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->command)
			w->command(w, &info, c->ended);
	}
	if (c->ended)
		tn_term_changed(s->term, TN_TERM_COMMAND_ENDED, c->id);
	tn_term_changed(s->term, TN_TERM_SESSION_CHANGED, s->id);
}

void tn_term_session_set_state(struct tn_term_session *s, enum tn_term_state state)
{
	bool changed = s->state != state;

	s->state = state;
	if (state == TN_TERM_IDLE && !s->replaying)
		tn_term_session_pump(s);
	tn_term_session_schedule(s);
	if (changed)
		tn_term_session_tell(s);
	tn_term_session_moved(s);
}

void tn_term_session_works(struct tn_term_session *s)
{
	if (s->state == TN_TERM_WAITING_INPUT)
		tn_term_session_set_state(s, tn_term_session_starting(s) && !s->running
						     ? TN_TERM_STARTING
						     : TN_TERM_RUNNING);
}

void tn_term_session_moved(struct tn_term_session *s)
{
	if (s->later)
		tn_later_request(s->later);
}

/* ---- what it is told ---- */

struct tn_typed_line *tn_term_session_typed_line(struct tn_term_session *s)
{
	if (!s->typed_line)
		s->typed_line = tn_mem_alloc(sizeof(*s->typed_line));
	return s->typed_line;
}

void tn_term_session_learn(struct tn_term_session *s, const struct tn_analysis *analysis)
{
	tn_names_take(&s->names, analysis);
}

static enum tenon_code type(struct tn_term_session *s, struct tn_str bytes, struct tenon_error *err)
{
	if (!tn_term_session_open(s))
		return tn_fail(err, TENON_EXPIRED, "the session has ended");
	if (!s->pty)
		return tn_fail(err, TENON_BUSY, "the session's program is about to be started");
	if (memchr(bytes.data, '\x03', bytes.size))
		tn_term_start_interrupted(s);
	s->activity_ms = tn_term_now(s->term);
	s->activity_wall_ms = tn_term_wall(s->term);
	s->typed_since_prompt = true;
	/* dash does not say that a line begins: it is assumed (5.1). */
	if (s->kind == TN_SHELL_POSIX && s->at_prompt && memchr(bytes.data, '\r', bytes.size)) {
		s->at_prompt = false;
		tn_term_session_set_state(s, TN_TERM_RUNNING);
	}
	/* Whatever waited for input has it now; it is looked at again from here on. */
	s->output_ms = s->activity_ms;
	tn_term_session_works(s);
	return tn_pty_write(s->pty, bytes, err);
}

enum tenon_code tn_term_session_type(struct tn_term_session *s, struct tn_str bytes,
				     struct tenon_error *err)
{
	return type(s, bytes, err);
}

/* 7.7: in canonical mode the kernel would cut a line of more than 4095 bytes. */
static bool line_is_too_long(const struct tn_term_session *s, struct tn_str bytes)
{
	struct tn_pty_mode mode;
	size_t line = 0;

	if (!s->pty || !tn_pty_mode(s->pty, &mode) || !mode.canonical)
		return false;
	for (size_t i = 0; i < bytes.size; i++) {
		line = bytes.data[i] == '\r' || bytes.data[i] == '\n' ? 0 : line + 1;
		if (line > 4095)
			return true;
	}
	return false;
}

enum tenon_code tn_term_session_send(struct tn_term_session *s, struct tn_str bytes,
				     struct tenon_error *err)
{
	if (line_is_too_long(s, bytes))
		return tn_fail(err, TENON_LIMIT,
			       "a line of more than 4095 bytes, which the terminal would cut; "
			       "send shorter lines, or write a file");
	return type(s, bytes, err);
}

enum tenon_code tn_term_session_resize(struct tn_term_session *s, uint16_t columns, uint16_t rows,
				       struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (!s->pty || s->pipes)
		return tn_fail(err, TENON_EXPIRED, "the session has no terminal any more");
	if (s->screen)
		code = tn_screen_resize(s->screen, columns, rows, err);
	if (code == TENON_OK)
		code = tn_pty_resize(s->pty, columns, rows, err);
	if (code != TENON_OK)
		return code;
	s->columns = columns;
	s->rows = rows;
	tn_journal_state(s);
	tn_term_session_tell(s);
	return TENON_OK;
}

bool tn_term_session_take(struct tn_term_session *s, const char *who)
{
	if (s->controller[0] && strcmp(s->controller, who) != 0)
		return false;
	(void)snprintf(s->controller, sizeof(s->controller), "%s", who);
	tn_term_session_tell(s);
	tn_term_session_moved(s);
	return true;
}

void tn_term_session_give(struct tn_term_session *s)
{
	s->controller[0] = '\0';
	tn_mem_free(s->message);
	s->message = NULL;
	tn_term_session_tell(s);
	tn_term_session_moved(s);
	tn_term_session_pump(s);
}

void tn_term_session_hand_over(struct tn_term_session *s, const char *message)
{
	tn_mem_free(s->message);
	s->message = tn_mem_copy_text(message ? message : "", message ? strlen(message) : 0);
	tn_term_session_tell(s);
}

unsigned tn_term_session_kill(struct tn_term_session *s, int number, enum tn_pty_target whom,
			      pid_t *ret_pids, unsigned max)
{
	unsigned count = tn_pty_signal(s->pty, number, whom, ret_pids, max);
	pid_t pids[1];

	/* What is stopped hears of it when it goes on. */
	if (number == SIGINT || number == SIGTERM || number == SIGHUP)
		(void)tn_pty_signal(s->pty, SIGCONT, whom, pids, TN_COUNT(pids));
	return count;
}

/* A loop of the shell's own is interrupted like any program: shells outlive SIGINT. One that has
 * stopped itself can go on. */
static enum tn_pty_target target_of(const struct tn_term_session *s, int number, const char *target)
{
	if (strcmp(target, "session") == 0)
		return TN_PTY_SESSION;
	if ((number == SIGINT || number == SIGCONT) && tn_pty_root_in_front(s->pty))
		return TN_PTY_ROOT;
	return TN_PTY_FOREGROUND;
}

unsigned tn_term_session_signal(struct tn_term_session *s, int number, const char *target,
				bool escalate, pid_t *ret_pids, unsigned max)
{
	enum tn_pty_target whom;
	unsigned count;

	if (!s->pty || !tn_term_session_open(s))
		return 0;
	whom = target_of(s, number, target);
	if (number == SIGINT)
		tn_term_start_interrupted(s);
	/* Before the shell has read its line a signal would only empty the line, which is then
	 * sent again. */
	if (s->running && whom != TN_PTY_SESSION && s->running->delivered && !s->running->started) {
		s->running->ends_early = number;
		return 0;
	}
	if (s->running && whom != TN_PTY_SESSION) {
		s->running->ended_by = number;
		if (escalate && s->running->stage < 2) {
			s->running->stage = 2;
			s->running->stage_ms = tn_term_now(s->term) + INTERRUPT_KILL_MS;
		}
	}
	count = tn_term_session_kill(s, number, whom, ret_pids, max);
	tn_term_session_schedule(s);
	return count;
}

/* What stands beside a page, as far as a secret could reach over its border. */
static void put_beside(const struct tn_output_source *source, const struct tn_output_wish *page,
		       uint64_t from, uint64_t to, struct tn_buf *out)
{
	struct tn_output_wish wish = *page;
	struct tn_output beside = {0};

	wish.from = from;
	wish.to = to;
	wish.bytes_max = 2 * BESIDE_BYTES;
	wish.lines_max = 0;
	if (from >= to || tn_output_make(source, &wish, &beside, NULL) != TENON_OK)
		return;
	tn_buf_append_str(out, tn_buf_str(&beside.text));
	tn_output_finish(&beside);
}

/* Two pages must not have a half each of what neither may show (9). */
static void clean_page(struct tn_term *term, const struct tn_output_source *source,
		       const struct tn_output_wish *page, struct tn_output *ret, unsigned *count)
{
	enum tn_redact_level level = term->config->redact_results;
	struct tn_buf text, clean;
	size_t begin, end;

	if (!page) {
		tn_term_clean(term, &ret->text, count);
		return;
	}
	if (level == TN_REDACT_OFF || !ret->text.size)
		return;
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	put_beside(source, page, ret->from > BESIDE_BYTES ? ret->from - BESIDE_BYTES : 0, ret->from,
		   &text);
	begin = text.size;
	tn_buf_append_str(&text, tn_buf_str(&ret->text));
	end = text.size;
	put_beside(source, page, ret->next, ret->next + BESIDE_BYTES, &text);
	tn_buf_init(&clean, ret->text.limit);
	tn_redact_part(term->redactor, level, tn_buf_str(&text), begin, end, &clean, count);
	tn_buf_inherit_failure(&clean, &text);
	tn_buf_finish(&text);
	tn_buf_finish(&ret->text);
	ret->text = clean;
}

enum tenon_code tn_term_session_output(struct tn_term_session *s, uint64_t from, uint64_t to,
				       const struct tn_term_shaping *shaping, bool contiguous,
				       struct tn_output *ret, unsigned *ret_redactions,
				       struct tenon_error *err)
{
	bool last = from == UINT64_MAX;
	struct tn_output_wish wish = {.from = last ? 0 : from,
				      .to = to,
				      .format = shaping->format,
				      .omit = last && !shaping->lines_max ? TN_OUTPUT_OMIT_HEAD
									  : shaping->omit,
				      .bytes_max = shaping->bytes_max,
				      .lines_max = last ? 0 : shaping->lines_max,
				      .last_lines = last ? shaping->lines_max : 0,
				      .contiguous = contiguous};
	struct tn_output_source source;
	struct tn_arena arena;
	enum tenon_code code;

	*ret_redactions = 0;
	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_term_session_edits(s, true, &arena, &source, err);
	if (code == TENON_OK)
		code = tn_output_make(&source, &wish, ret, err);
	if (code == TENON_OK && wish.format != TN_OUTPUT_RAW)
		clean_page(s->term, &source, contiguous ? &wish : NULL, ret, ret_redactions);
	tn_arena_finish(&arena);
	return code;
}
