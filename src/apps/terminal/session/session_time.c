/* What happens to a session because time passes: it starts too slowly, its command waits for input,
 * takes too long or does not end, nobody uses it. */
#include "apps/terminal/session/operation.h"

#include <signal.h>
#include <string.h>

/* ---- waiting for input ---- */

static bool same_waiting(const struct tn_term_waiting *a, const struct tn_term_waiting *b)
{
	return a->for_input == b->for_input && a->certain == b->certain &&
	       a->hidden_input == b->hidden_input && strcmp(a->program, b->program) == 0;
}

/* 7.1: nothing printed for a second and it certainly waits, or for three and it probably does. Text
 * is never looked at. */
static void look_for_waiting(struct tn_term_session *s, uint64_t now)
{
	uint64_t quiet = tn_term_since(now, s->output_ms);
	struct tn_term_waiting waiting;

	if (quiet < QUIET_CERTAIN_MS || s->swallowing)
		return;
	tn_term_session_waiting(s, &waiting);
	if (!waiting.for_input || (!waiting.certain && quiet < QUIET_LIKELY_MS)) {
		if (!waiting.for_input)
			tn_term_session_works(s);
		return;
	}
	/* A shell writes the end of a command and then waits for the next one: its mark may still
	 * be on its way here. Who waits for a command is seen to do so twice. */
	if (s->waiting_seen_ms <= s->output_ms) {
		s->waiting_seen_ms = now;
		return;
	}
	if (s->state == TN_TERM_WAITING_INPUT && same_waiting(&s->waiting, &waiting))
		return;
	s->waiting = waiting;
	tn_term_session_set_state(s, TN_TERM_WAITING_INPUT);
	tn_term_session_tell(s);
}

/* ---- without integration (5.3) ---- */

static void look_for_end(struct tn_term_session *s, uint64_t now)
{
	if (s->integration != TN_TERM_INTEGRATION_NONE ||
	    tn_term_since(now, s->output_ms) < QUIET_HEURISTIC_MS || !tn_pty_root_in_front(s->pty))
		return;
	tn_term_command_end(s->running, s->offset, TN_TERM_NO_EXIT_CODE);
	s->typed_since_prompt =
		!s->program; /* a shell that nobody knows may have kept some of it */
	tn_term_session_set_state(s, TN_TERM_IDLE);
}

/* ---- a command that takes too long ---- */

static void send(struct tn_term_session *s, int number)
{
	bool in_front = tn_pty_root_in_front(s->pty);
	enum tn_pty_target target = s->isolated                    ? TN_PTY_SESSION
				    : in_front && number == SIGINT ? TN_PTY_ROOT
								   : TN_PTY_FOREGROUND;
	pid_t pids[16];

	s->running->ended_by = number;
	(void)tn_term_session_kill(s, number, target, pids, 16);
}

/* interrupt: INT, two seconds later TERM, three later KILL; no prompt two later: stuck. */
static void end_by_steps(struct tn_term_session *s, struct tn_term_command *c, uint64_t now)
{
	switch (c->stage) {
	case 0:
		c->timed_out = true;
		c->stage = c->on_timeout == TN_TERM_KILL ? 3 : 1;
		send(s, c->on_timeout == TN_TERM_KILL ? SIGKILL : SIGINT);
		c->stage_ms = now + (c->stage == 3 ? INTERRUPT_PROMPT_MS : INTERRUPT_TERM_MS);
		break;
	case 1:
		c->stage = 2;
		send(s, SIGTERM);
		c->stage_ms = now + INTERRUPT_KILL_MS;
		break;
	case 2:
		c->stage = 3;
		send(s, SIGKILL);
		c->stage_ms = now + INTERRUPT_PROMPT_MS;
		break;
	case 3:
		c->stage = STAGE_STUCK;
		c->stage_ms = 0;
		s->stuck = true;
		tn_term_command_warn(c, "stuck");
		if (tn_pty_write(s->pty, TN_STR("\x03"), NULL) != TENON_OK) /* once */
			s->end_reason = "it takes no more input";
		tn_term_session_tell(s);
		tn_term_session_moved(s);
		break;
	default:
		c->stage_ms = 0;
		break;
	}
}

static void look_at_time(struct tn_term_session *s, uint64_t now)
{
	struct tn_term_command *c = s->running;

	if (!c || !c->stage_ms || now < c->stage_ms || !s->pty)
		return;
	if (c->stage == 0 && c->on_timeout == TN_TERM_LEAVE) {
		c->stage_ms = 0; /* it goes on; the call returns */
		c->timed_out = true;
		tn_term_session_moved(s);
		return;
	}
	end_by_steps(s, c, now);
}

/* ---- one look ---- */

/* A prompt came instead, and the shell waits for what is typed now: the line was dropped on its
 * way. Looking at once would not do: the shell could be reading it, and it would run twice. */
static bool line_is_lost(const struct tn_term_session *s, const struct tn_term_command *c,
			 uint64_t now)
{
	/* Or nothing came at all, and the shell itself sits and reads: once that is believed. */
	bool silent = !c->sent_again && tn_term_since(now, c->started_ms) >= SILENT_LINE_MS &&
		      tn_term_since(now, s->output_ms) >= QUIET_CERTAIN_MS &&
		      tn_term_session_shell_in_front(s);

	return ((c->lost_ms && now >= c->lost_ms) || silent) &&
	       tn_pty_waiting(s->pty) != TN_PTY_NOT_WAITING;
}

static void send_again(struct tn_term_session *s, struct tn_term_command *c)
{
	/* Should the line come nevertheless, it finds nothing to run. */
	tn_shell_forget(s->run_folder, c->number);
	c->lost_ms = 0;
	c->passed = false;
	c->sent_again = true;
	s->swallowing = false;
	if (c->unwanted || c->ends_early) { /* nobody wants it any more */
		tn_term_command_end(c, c->from, TN_TERM_NO_EXIT_CODE);
	} else {
		c->delivered = false;
		c->status = TN_TERM_QUEUED;
		c->queue_next = s->queue;
		s->queue = c;
		s->running = NULL;
	}
	tn_term_session_set_state(s, TN_TERM_IDLE);
}

/* The line that was sent has not been taken: whatever is in front does not read as a shell does. */
static void look_at_delivery(struct tn_term_session *s, uint64_t now)
{
	struct tn_term_command *c = s->running;

	if (!c || c->started || !c->delivered)
		return;
	if (line_is_lost(s, c, now)) {
		/* Nothing came of it: it may stand in the middle of something that goes on. */
		s->typed_since_prompt = s->typed_since_prompt || !c->lost_ms;
		send_again(s, c);
		return;
	}
	if (tn_term_since(now, c->started_ms) < NOT_STARTED_MS)
		return;
	tn_term_command_warn(c, "not_started");
	s->swallowing = false;
	s->stuck = true;
	tn_term_command_end(c, c->from, TN_TERM_NO_EXIT_CODE); /* nothing was its output */
}

static void look_at_cleared(struct tn_term_session *s, uint64_t now)
{
	if (!s->cleared_ms || tn_term_since(now, s->cleared_ms) < LOOK_MS)
		return;
	s->cleared_ms = 0;
	s->typed_since_prompt = false;
	tn_term_session_pump(s);
}

/* Something waits to be delivered, nothing runs, the shell reads, and there is no prompt of ours:
 * it is in a continued command of dash, or its prompt lost its mark. */
static void look_at_lost_prompt(struct tn_term_session *s, uint64_t now)
{
	struct tn_term_waiting waiting;

	if (!s->queue || s->running || s->at_prompt || tn_term_session_starting(s) ||
	    s->integration == TN_TERM_INTEGRATION_NONE || s->controller[0] || s->cleared_ms ||
	    tn_term_since(now, s->output_ms) < QUIET_CERTAIN_MS ||
	    !tn_term_session_shell_in_front(s))
		return;
	tn_term_session_waiting(s, &waiting);
	if (waiting.for_input)
		tn_term_session_clear_line(s);
}

/* Something was interrupted, and its shell sits at its line editor again without a word: its prompt
 * cannot be made to tell (readonly). */
static void look_at_silent_prompt(struct tn_term_session *s, uint64_t now)
{
	struct tn_term_command *c = s->running;
	struct tn_term_waiting waiting;
	struct tn_pty_mode mode;

	if (!c || !c->started || c->isolated || !c->ended_by || s->swallowing ||
	    s->integration == TN_TERM_INTEGRATION_NONE ||
	    tn_term_since(now, s->output_ms) < QUIET_CERTAIN_MS || !tn_pty_root_in_front(s->pty) ||
	    !tn_pty_mode(s->pty, &mode))
		return;
	tn_term_session_waiting(s, &waiting);
	if (!waiting.for_input ||
	    (s->kind == TN_SHELL_POSIX ? !waiting.certain : mode.canonical || mode.echo))
		return;
	tn_term_command_end(c, s->offset, TN_TERM_NO_EXIT_CODE);
	tn_term_session_prompted(s, s->offset);
}

/* Until it is another program the shell's child has the shell's own ways with signals, and may lose
 * one; one that goes on like that is a part of the shell, and has it all the same. */
static bool is_program_there(const struct tn_term_session *s, struct tn_term_command *c)
{
	return !tn_term_session_is_shell_still(s) || ++c->to_shell > 4;
}

/* A signal that was sent before the command had begun reached the shell that was about to start it,
 * perhaps in the one moment in which it has no ear for it: it comes again, twice. */
static void look_at_early(struct tn_term_session *s)
{
	struct tn_term_command *c = s->running;
	int number = !c ? 0 : c->ends_early ? c->ends_early : c->unwanted ? SIGINT : 0;
	pid_t pids[16];

	if (c && c->to_shell && !tn_pty_root_in_front(s->pty) && is_program_there(s, c)) {
		/* The program was not there when the shell had the signal: it has its own now, and
		 * no second one, which some take for more than the first. */
		c->to_shell = 0;
		(void)tn_term_session_signal(s, SIGINT, "foreground", false, pids, TN_COUNT(pids));
		return;
	}
	if (!number || !c->started || c->reminders >= 2)
		return;
	c->reminders++;
	(void)tn_term_session_signal(s, number, "foreground", false, pids, TN_COUNT(pids));
}

static void publish_screen(struct tn_term_session *s, uint64_t now)
{
	struct tn_screen_look look;

	if (!s->screen)
		return;
	tn_screen_look(s->screen, &look);
	if (look.revision == s->screen_revision ||
	    tn_term_since(now, s->screen_published_ms) < SCREEN_PUBLISH_MS)
		return;
	s->screen_revision = look.revision;
	s->screen_published_ms = now;
	tn_term_changed(s->term, TN_TERM_SCREEN_CHANGED, s->id);
}

void tn_term_session_time(struct tn_timer *timer, void *data)
{
	struct tn_term_session *s = data;
	uint64_t now = tn_term_now(s->term);
	int status;

	(void)timer;
	if (s->pipes && s->pty && tn_pty_has_exited(s->pty, &status))
		tn_term_session_exited(s);
	publish_screen(s, now);
	if (s->pty && tn_term_session_open(s)) {
		if (s->paused) { /* the disk was full; there may be room again */
			s->paused = false;
			tn_pty_pause(s->pty, false);
		}
		look_at_cleared(s, now);
		look_at_lost_prompt(s, now);
		look_at_delivery(s, now);
		look_at_early(s);
		look_at_silent_prompt(s, now);
		look_at_time(s, now);
		if (tn_term_session_starting(s))
			look_for_waiting(s, now);
		if (s->running && s->running->started) {
			tn_term_start_look_again(s, now);
			look_for_waiting(s, now);
			if (s->running)
				look_for_end(s, now);
		}
	}
	tn_term_start_look(s, now);
	tn_term_ops_look(s);
	tn_term_session_schedule(s);
}

static bool screen_is_news(const struct tn_term_session *s)
{
	struct tn_screen_look look;

	if (!s->screen)
		return false;
	tn_screen_look(s->screen, &look);
	return look.revision != s->screen_revision;
}

/* In how many ms somebody should look; UINT64_MAX: nothing is due. */
static uint64_t next_look(const struct tn_term_session *s)
{
	const struct tn_term_command *c = s->running;
	uint64_t now = tn_term_now(s->term);

	if (c && c->stage_ms && c->stage_ms < now + LOOK_MS)
		return c->stage_ms > now ? c->stage_ms - now : 0;
	if (tn_term_session_open(s) && (tn_term_session_starting(s) ||
					(s->pty && (c || s->cleared_ms || s->queue || s->paused))))
		return LOOK_MS;
	return screen_is_news(s) ? SCREEN_PUBLISH_MS : UINT64_MAX;
}

/* A session at its prompt costs no timer. */
void tn_term_session_schedule(struct tn_term_session *s)
{
	uint64_t after;

	if (!s->timer)
		return;
	after = next_look(s);
	if (after == UINT64_MAX)
		tn_timer_stop(s->timer);
	else if (!tn_timer_active(s->timer) || after < LOOK_MS)
		tn_timer_start(s->timer, after);
}
