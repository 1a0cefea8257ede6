/* A session ends: by itself, because it was asked to, or because what kept it has gone. */
#include "apps/terminal/session/operation.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "apps/terminal/limits.h"

/* ---- its end ---- */

static void name_signal(int number, char *out, size_t size)
{
	const char *abbreviation = sigabbrev_np(number);

	if (abbreviation)
		(void)snprintf(out, size, "SIG%s", abbreviation);
	else
		(void)snprintf(out, size, "SIG%d", number);
}

static void note_end(struct tn_term_session *s, int status)
{
	if (WIFEXITED(status)) {
		s->exit_code = WEXITSTATUS(status);
	} else if (WIFSIGNALED(status)) {
		name_signal(WTERMSIG(status), s->signal_text, sizeof(s->signal_text));
		s->signal = s->signal_text;
	}
}

/* What it printed last stands in the ring: all of it is output of what ran. */
static void drain(struct tn_term_session *s)
{
	for (unsigned i = 0; i < 64 && s->pty && tn_pty_peek(s->pty, TN_PTY_OUT, 1).size; i++)
		tn_term_session_readable(s, TN_PTY_OUT);
	for (unsigned i = 0; i < 64 && s->pipes && tn_pty_peek(s->pty, TN_PTY_ERR, 1).size; i++)
		tn_term_session_readable(s, TN_PTY_ERR);
}

static void end_session(struct tn_term_session *s, enum tn_term_state state)
{
	s->ended_ms = tn_term_now(s->term);
	s->ended_wall_ms = tn_term_wall(s->term);
	s->term->open_count--;
	s->at_prompt = s->swallowing = false;
	tn_term_session_end_alternate(s, s->offset);
	tn_term_session_set_state(s, state);
	tn_term_commands_give_up(s);
	tn_term_drop_active(s->term, s->id);
	tn_journal_state(s);
	if (s->term->history && !s->isolated) {
		struct tn_history_session record = {.id = s->id,
						    .name = s->name,
						    .project_id = s->project_id,
						    .shell = s->shell,
						    .owner = s->owner,
						    .created_ms = s->created_wall_ms,
						    .closed_ms = s->ended_wall_ms,
						    .exit_code = s->exit_code,
						    .signal = s->signal};

		if (!s->history_off)
			tn_history_record_session(s->term->history, &record);
	}
	tn_term_changed(s->term, TN_TERM_LIST_CHANGED, NULL);
}

/* Whoever waits for its end, once. */
static void tell_closed(struct tn_term_session *s, const pid_t *killed, unsigned count,
			struct tn_str output)
{
	tn_term_closed_fn *done = s->on_closed;
	struct tn_term_session_info info;

	s->on_closed = NULL;
	if (!done)
		return;
	tn_term_session_describe(s, NULL, &info);
	done(&info, killed, count, output, s->on_closed_data);
}

/* With pipes a program's end is not the end of what it wrote: the rest comes through the ring as
 * that is read. What it has left behind may hold them open, and is not waited for. */
static bool has_more(const struct tn_term_session *s)
{
	if (!s->pipes || (tn_pty_ended(s->pty, TN_PTY_OUT) && tn_pty_ended(s->pty, TN_PTY_ERR)))
		return false;
	return tn_term_now(s->term) - s->output_ms < QUIET_HEURISTIC_MS;
}

/* Asked again, as long as it says nothing, by whatever is read and by time. */
void tn_term_session_exited(struct tn_term_session *s)
{
	const char *failure;
	bool directory = false;
	int status = 0;

	if (!tn_term_session_open(s) || !s->pty)
		return;
	failure = tn_pty_failure(s->pty, &directory);
	if (failure) {
		s->directory_failed = directory;
		tn_term_session_fail(s, failure);
		tn_pty_end(s->pty, true, 0); /* its keeper goes */
		return;
	}
	drain(s);
	if (has_more(s))
		return;
	if (tn_pty_has_exited(s->pty, &status))
		note_end(s, status);
	end_session(s, TN_TERM_EXITED);
	/* What it has left in the background ends with it. */
	if (!s->closing)
		tn_pty_end(s->pty, false, s->isolated ? 1000 : 3000);
}

void tn_term_session_lost(struct tn_term_session *s, const char *why)
{
	s->end_reason = why;
	if (tn_term_session_open(s)) {
		if (s->pty)
			drain(s);
		end_session(s, TN_TERM_LOST);
	}
	tn_pty_close(s->pty);
	s->pty = NULL;
	tell_closed(s, NULL, 0, tn_str("", 0));
}

/* Every process of it is gone. */
void tn_term_session_closed(struct tn_term_session *s, const pid_t *killed, unsigned count)
{
	struct tn_output output = {0};
	bool has_output = false;
	int status;

	if (s->pty) {
		drain(s);
		if (tn_term_session_open(s) && tn_pty_has_exited(s->pty, &status))
			note_end(s, status);
	}
	if (tn_term_session_open(s))
		end_session(s, TN_TERM_EXITED);
	if (s->state != TN_TERM_FAILED)
		tn_term_session_set_state(s, TN_TERM_CLOSED);
	tn_pty_close(s->pty);
	s->pty = NULL;
	tn_journal_state(s);
	if (s->on_closed) {
		struct tn_term_shaping shaping = {.bytes_max = TN_TERM_ANSWER_BYTES,
						  .lines_max = TN_TERM_ANSWER_LINES};
		unsigned redactions;

		has_output = tn_term_session_output(s, UINT64_MAX, UINT64_MAX, &shaping, false,
						    &output, &redactions, NULL) == TENON_OK;
		tell_closed(s, killed, count,
			    has_output ? tn_buf_str(&output.text) : tn_str("", 0));
		if (has_output)
			tn_output_finish(&output);
	}
	/* A screen that nobody can change any more is read from the spool. */
	tn_screen_destroy(s->screen);
	s->screen = NULL;
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->closed)
			w->closed(w);
	}
	tn_term_session_schedule(s);
}

/* Its program, spool and journal stay for the server that comes. */
void tn_term_session_leave(struct tn_term_session *s)
{
	tn_term_ops_lose(s);
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->closed)
			w->closed(w);
	}
	tn_journal_snapshot(s);
	tn_handles_close(&s->term->session_handles, s->handle);
	tn_handle_unref(s->handle);
	tn_spool_close(s->error_spool);
	tn_spool_close(s->spool);
	tn_term_session_free(s);
}

void tn_term_session_remove(struct tn_term_session *s)
{
	struct tn_term *term = s->term;

	tell_closed(s, NULL, 0, tn_str("", 0));
	tn_term_ops_lose(s);
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->closed)
			w->closed(w);
	}
	if (tn_term_session_open(s))
		term->open_count--;
	if (s->previous)
		s->previous->next = s->next;
	else
		term->sessions = s->next;
	if (s->next)
		s->next->previous = s->previous;
	term->session_count--;
	tn_term_drop_active(term, s->id);
	if (term->options.went && !s->isolated && !term->closing)
		term->options.went(s->id, term->options.data);
	tn_handles_close(&term->session_handles, s->handle);
	tn_handle_unref(s->handle);
	tn_spool_remove(s->error_spool);
	tn_spool_remove(s->spool);
	tn_shell_remove(s->run_folder);
	tn_term_session_free(s);
	tn_term_changed(term, TN_TERM_LIST_CHANGED, NULL);
}

void tn_term_session_close(struct tn_term_session *s, bool force, uint32_t grace_ms,
			   tn_term_closed_fn *done, void *data)
{
	struct tn_term_session_info info;

	if (!s->pty && s->start_state == TN_START_PENDING && tn_term_session_open(s)) {
		s->closing = true;
		tn_term_session_fail(s, "it was closed before it had started");
	}
	if (!s->pty) {
		if (done) {
			tn_term_session_describe(s, NULL, &info);
			done(&info, NULL, 0, tn_str("", 0), data);
		}
		return;
	}
	tell_closed(s, NULL, 0, tn_str("", 0)); /* somebody else waits for the same */
	s->on_closed = done;
	s->on_closed_data = data;
	s->closing = true;
	tn_pty_end(s->pty, force, grace_ms);
}

void tn_term_session_close_forget(struct tn_term_session *s, void *data)
{
	if (s->on_closed_data == data)
		s->on_closed = NULL;
}
