/* A full disk (terminal.md sections 6.1 and 9): what is said of it, and who waits for room. */
#include "apps/terminal/session/session.h"

#include <errno.h>

/* `told`: the last command of which this was said. */
static void tell(struct tn_term_session *s, uint64_t *told, const char *sentence)
{
	uint64_t number = s->running ? s->running->number : 0;

	if (*told == number + 1)
		return;
	*told = number + 1;
	if (s->running)
		tn_term_command_warn(s->running, "disk_full");
	if (s->term->options.problem)
		s->term->options.problem(sentence, s->term->options.data);
}

void tn_term_session_tell_gave(struct tn_term_session *s)
{
	tell(s, &s->gave_told, "The disk is full: the oldest output of terminals was given up.");
}

bool tn_term_session_made_room(struct tn_term_session *s, const struct tenon_error *why)
{
	bool is_full = why->sys_errno == ENOSPC || why->sys_errno == EDQUOT;

	if (!is_full || !tn_spool_make_room(&s->term->budget))
		return false;
	tn_term_session_tell_gave(s);
	return true;
}

/* The timer tries again. */
void tn_term_session_wait_for_room(struct tn_term_session *s, const struct tenon_error *err)
{
	tn_pty_pause(s->pty, true);
	s->paused = true;
	tell(s, &s->waits_told, err->message);
	tn_term_session_schedule(s);
}
