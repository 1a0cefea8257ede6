/* From a program's start to its shell's first prompt (terminal.md 4.2). A shell that reads its
 * start files may take its time, ask something, end, or become another one; until it has shown a
 * prompt nothing is typed into it, because whatever reads then is not its command line. */
#include "apps/terminal/session/session.h"

#include <stdio.h>
#include <string.h>

#include "apps/terminal/policy/analysis.h"

/* ---- begun, over ---- */

void tn_term_start_begun(struct tn_term_session *s)
{
	s->started_ms = tn_term_now(s->term);
	s->start_state = s->program ? TN_START_OVER : TN_START_FILES;
	/* What is no shell never says that it is ready: whoever types knows what it reads. */
	if (s->program)
		tn_term_session_set_state(s, s->isolated ? TN_TERM_RUNNING : TN_TERM_IDLE);
}

void tn_term_start_over(struct tn_term_session *s)
{
	tn_shell_begun(s->run_folder);
	s->start_state = TN_START_OVER;
	s->taken_ms = 0;
	s->root_digest = s->pty ? tn_pty_root_digest(s->pty) : 0;
}

void tn_term_start_interrupted(struct tn_term_session *s)
{
	if (s->start_state == TN_START_FILES)
		s->start_state = TN_START_INTERRUPTED;
}

/* ---- a shell that took the first one's place ---- */

/* What cannot be taken is typed to as a person would, and never said to have ended well (5.3). */
static void go_without(struct tn_term_session *s)
{
	tn_term_start_over(s);
	s->kind = TN_SHELL_OTHER;
	s->integration = TN_TERM_INTEGRATION_NONE;
	s->swallowing = false;
	s->typed_since_prompt = true; /* its line is cleared before anything is typed */
	tn_term_session_set_state(s, TN_TERM_IDLE);
	tn_journal_session(s);
}

/* What is known of how the terminal is read now. */
struct reading {
	bool edits; /* the program edits lines itself, as shells do: no echo, no lines of the kernel
		     */
	bool pastes; /* and has turned bracketed paste on */
	bool waits, certain;
	uint64_t quiet_ms;
};

static bool read_reading(const struct tn_term_session *s, uint64_t now, struct reading *ret)
{
	struct tn_screen_look look = {.rows = 0};
	enum tn_pty_waiting waiting;
	struct tn_pty_mode mode;

	ret->quiet_ms = tn_term_since(now, s->output_ms);
	if (ret->quiet_ms < QUIET_HEURISTIC_MS || !s->screen || !tn_pty_mode(s->pty, &mode) ||
	    !tn_pty_root_in_front(s->pty))
		return false;
	tn_screen_look(s->screen, &look);
	waiting = tn_pty_waiting(s->pty);
	ret->edits = !mode.canonical && !mode.echo;
	ret->pastes = look.bracketed_paste;
	ret->waits = waiting != TN_PTY_NOT_WAITING;
	ret->certain = waiting == TN_PTY_WAITS;
	return true;
}

/* Its line editor reads, and it is no question of a start file: most of these are read in lines of
 * the kernel (read), or in keys without the editor's own modes (read -k, read -n). What asks with
 * the editor itself (read in fish, vared) has its start file open meanwhile. Only `read -e` of a
 * bash that took another shell's place looks like its prompt. */
static bool shows_prompt(const struct tn_term_session *s, enum tn_shell_kind kind, uint64_t now)
{
	static const char *const fish_files[] = {".fish", NULL};
	static const char *const zsh_files[] = {"/.zshenv", "/.zprofile", "/.zshrc",
						"/.zlogin", "/zshenv",    "/zprofile",
						"/zshrc",   "/zlogin",    NULL};
	struct reading r;

	if (!read_reading(s, now, &r) || !r.waits)
		return false;
	switch (kind) {
	case TN_SHELL_ZSH:
		return r.edits && r.pastes && !tn_pty_root_has_open(s->pty, zsh_files);
	case TN_SHELL_FISH:
		return r.edits && r.pastes && !tn_pty_root_has_open(s->pty, fish_files);
	case TN_SHELL_BASH: /* older ones, and settings, do without bracketed paste */
	case TN_SHELL_OTHER:
		return r.edits && (r.pastes || r.quiet_ms >= QUIET_LIKELY_MS);
	case TN_SHELL_POSIX: /* the kernel edits its lines; without ENV it reads no start file */
		return r.quiet_ms >= QUIET_CERTAIN_MS && (r.edits || r.certain);
	}
	return false;
}

static void note_shell(struct tn_term_session *s, enum tn_shell_kind kind, const char *path)
{
	const char *slash = strrchr(path, '/');

	s->kind = kind;
	(void)snprintf(s->shell, sizeof(s->shell), "%s", path);
	(void)snprintf(s->program_name, sizeof(s->program_name), "%.127s",
		       slash ? slash + 1 : path);
}

/* One line, that reads our part of its start files. */
static void take(struct tn_term_session *s, uint64_t now)
{
	struct tenon_error err = {0};
	struct tn_buf line;
	enum tenon_code code;

	tn_buf_init(&line, 2 * PATH_MAX);
	do {
		tn_buf_clear(&line);
		code = tn_shell_take(s->kind, s->run_folder, s->nonce, &line, &err);
	} while (code != TENON_OK && tn_term_session_made_room(s, &err));
	if (code == TENON_OK) {
		tn_pty_discard_input(s->pty);
		code = tn_pty_write(s->pty, tn_buf_str(&line), NULL);
	}
	tn_buf_finish(&line);
	if (code != TENON_OK) {
		go_without(s);
		return;
	}
	s->start_state = TN_START_TAKING;
	s->taken_ms = now;
	s->input_offset = s->offset;
	s->swallowing = true;
	tn_journal_session(s);
}

bool tn_term_start_taken(struct tn_term_session *s, uint64_t at)
{
	if (s->start_state != TN_START_TAKING)
		return false;
	s->swallowing = s->typed_since_prompt = false;
	/* The command that brought it here ended where it began; nobody knows a code of it. */
	if (s->running && s->running->started)
		tn_term_command_end(s->running, s->input_offset, TN_TERM_NO_EXIT_CODE);
	tn_term_session_add_edit(
		s,
		&(struct tn_output_edit){.from = s->input_offset, .to = at, .text = tn_str("", 0)});
	return true;
}

/* The program that the session began with reads its start files still, unless they were
 * interrupted; what is at its place now knows nothing of us. */
static void look_for_another(struct tn_term_session *s, uint64_t now)
{
	char path[PATH_MAX], name[PROGRAM_SIZE];
	enum tn_shell_kind kind;
	bool same;

	if (tn_pty_root_file(s->pty, path, sizeof(path), NULL) != TENON_OK)
		return;
	kind = tn_shell_kind_of(path);
	if (!shows_prompt(s, kind, now))
		return;
	same = tn_pty_root_was_told(s->pty, s->run_folder);
	if (same && kind != TN_SHELL_OTHER && s->start_state != TN_START_INTERRUPTED)
		return;
	(void)snprintf(name, sizeof(name), "%.127s",
		       strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	if (kind == TN_SHELL_OTHER && s->kind != TN_SHELL_OTHER &&
	    !tn_analysis_is_shell(tn_str_from(name)))
		return; /* tmux, ssh: what stands behind them is another machine, or another door */
	note_shell(s, kind, path);
	if (kind == TN_SHELL_OTHER)
		go_without(s);
	else
		take(s, now);
}

void tn_term_start_look_again(struct tn_term_session *s, uint64_t now)
{
	char path[PATH_MAX];
	enum tn_shell_kind kind;

	if (s->start_state != TN_START_OVER || s->program || s->controller[0] || s->message ||
	    s->integration == TN_TERM_INTEGRATION_NONE || !s->root_digest ||
	    tn_term_since(now, s->output_ms) < QUIET_HEURISTIC_MS ||
	    !tn_pty_root_in_front(s->pty) ||
	    tn_pty_root_file(s->pty, path, sizeof(path), NULL) != TENON_OK)
		return;
	kind = tn_shell_kind_of(path);
	if (kind == TN_SHELL_OTHER || tn_pty_root_digest(s->pty) == s->root_digest ||
	    !shows_prompt(s, kind, now))
		return;
	note_shell(s, kind, path);
	take(s, now);
}

/* ---- time ---- */

static uint64_t wait_limit_ms(const struct tn_term_command *c)
{
	uint64_t limit = c->session->start_timeout_ms;

	return c->timeout_ms && c->timeout_ms < limit ? c->timeout_ms : limit;
}

/* Those that have waited as long as they may. */
static void withdraw_late(struct tn_term_session *s, uint64_t now)
{
	struct tn_term_command *next;

	for (struct tn_term_command *c = s->queue; c; c = next) {
		next = c->queue_next;
		if (tn_term_since(now, c->queued_ms) < wait_limit_ms(c))
			continue;
		tn_term_command_warn(c, "shell_not_ready");
		tn_term_command_withdraw(c);
	}
}

void tn_term_start_look(struct tn_term_session *s, uint64_t now)
{
	if (!tn_term_session_starting(s) || !tn_term_session_open(s))
		return;
	if (s->start_state == TN_START_TAKING) {
		if (tn_term_since(now, s->taken_ms) >= TAKE_MS)
			go_without(s);
	} else if (s->pty && !s->controller[0] && !s->message) {
		look_for_another(s, now);
	}
	if (tn_term_session_starting(s) && !s->running)
		withdraw_late(s, now);
}

/* ---- what is told ---- */

static void fault_ended(const struct tn_term_session *s, struct tn_term_fault *fault)
{
	char how[64] = "";

	if (s->signal)
		(void)snprintf(how, sizeof(how), " by %s", s->signal);
	else if (s->exit_code >= 0)
		(void)snprintf(how, sizeof(how), " with exit code %d", s->exit_code);
	tn_term_fault(fault, s->closing ? "session_closed" : "session_exited",
		      "get_terminal_output shows what its start files printed; create_session with "
		      "another shell, or program, does without them.",
		      "The shell of session \"%s\" ended%s before it had shown a prompt. The "
		      "command was not run.",
		      s->name, how);
}

void tn_term_start_fault(const struct tn_term_command *c, struct tn_term_fault *fault)
{
	const struct tn_term_session *s = c->session;
	struct tn_term_waiting waiting;

	if (!tn_term_session_open(s)) {
		fault_ended(s, fault);
	} else {
		tn_term_start_describe(s, &waiting);
		tn_term_fault(
			fault, "shell_not_ready",
			"get_screen shows what it says; send_keys or hand_over answer it, "
			"signal INT ends its start file; a larger timeout_ms waits longer.",
			"The shell of session \"%s\" has shown no prompt in %.1f s: %s %s. The "
			"command was not run.",
			s->name, (double)wait_limit_ms(c) / 1000,
			waiting.program[0] ? waiting.program : "its program",
			waiting.for_input ? "is in front and waits for input" : "is in front");
		(void)snprintf(fault->data, sizeof(fault->data),
			       "{\"command_id\":\"%s\",\"session_id\":\"%s\",\"status\":"
			       "\"not_started\",\"waits_for_input\":%s}",
			       c->id, s->id, waiting.for_input ? "true" : "false");
		return;
	}
	(void)snprintf(fault->data, sizeof(fault->data),
		       "{\"command_id\":\"%s\",\"session_id\":\"%s\",\"status\":\"not_started\"}",
		       c->id, s->id);
}
