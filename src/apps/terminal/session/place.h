/* place.h - where a run happens: in which session, or in one made how, and in which directory. The
 * one place that decides it (terminal.md section 10.2): rules, questions and the runner take its
 * answer, and ask nobody else.
 *
 * Threads: loop. The answer's session is good until the loop turns. */
#ifndef TN_TERM_PLACE_H
#define TN_TERM_PLACE_H

#include "apps/terminal/session/backend.h"
#include "apps/terminal/settings/config.h"
#include "store/held.h"

struct tn_term;

struct tn_term_place_wish {
	const struct tn_term_caller *caller;
	const char *session_id, *cwd; /* NULL: none */
	bool isolated, is_new;        /* a command by itself; create_session */
	bool leaves_busy;             /* if_busy = new_session */
	bool in_front;                /* what reads the terminal now: a shell in the shell, say */
};

struct tn_term_place {
	struct tn_term_session *session; /* it runs there; NULL: in one that is made for it */
	struct tn_term_session
		*like;         /* and that one is made like this; NULL: as the settings say */
	bool temporary;        /* the one that is made ends with the command */
	bool moves;            /* there and back again: the session stands somewhere else */
	struct tn_held folder; /* fd -1: not known, and `path` is what the session says */
};

/* False: *fault says why it can run nowhere. `term` may be NULL (a backend without sessions). The
 * caller finishes `folder`. */
bool tn_term_place_find(struct tn_term *term, const struct tn_term_config *config,
			const struct tn_term_place_wish *wish, struct tn_term_place *ret,
			struct tn_term_fault *fault);

/* The session stands in that folder now. True as well when nobody can tell. */
bool tn_term_place_stands(const struct tn_term_session *s, const struct tn_held *folder);

#endif
