/* environment.h - the environment that sessions get (terminal.md sections 3 and 10.3), and the
 * PATH that the user's own login shell would have.
 *
 * Ownership: the caller finishes. Threads: loop. */
#ifndef TN_TERM_ENVIRONMENT_H
#define TN_TERM_ENVIRONMENT_H

#include "apps/terminal/settings/config.h"
#include "loop/loop.h"

struct tn_environment; /* what all sessions have in common */

/* Takes what may be passed on from our own environment; the PATH is asked for when the first
 * session needs it. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_environment_create(const struct tn_term_config *config,
						  struct tn_environment **ret,
						  struct tenon_error *err);
void tn_environment_destroy(struct tn_environment *environment); /* accepts NULL */

/* Calls `ready` when the PATH is known: at once, or after the user's shell was asked, the first
 * time only (5 s at most). `shell`: that one, absolute. It may destroy the environment only when it
 * is the last that waits. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_environment_prepare(struct tn_environment *environment,
						   struct tn_loop *loop, const char *shell,
						   void (*ready)(void *data), void *data,
						   struct tenon_error *err);
/* Whoever waits with this `data` is not called any more. */
void tn_environment_forget(struct tn_environment *environment, const void *data);

/* The PATH that sessions get; NULL: it has not been asked for yet. */
const char *tn_environment_path(const struct tn_environment *environment);

struct tn_environment_wish {
	const char *session_id;
	bool pagers;                  /* leave pager and editor variables alone */
	const char *const *more;      /* "NAME=value" of create_session and the shell; NULL: none */
	const char *const *even_more; /* likewise, of tn_shell_start; NULL: none */
};
/* A NULL-terminated block, its texts in the arena or living as long as `environment`. Later ones
 * win: what we pass on, our defaults, `more`, `even_more`. Fails: INVALID (a name that is none),
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_environment_make(const struct tn_environment *environment,
						const struct tn_environment_wish *wish,
						struct tn_arena *arena, const char *const **ret,
						struct tenon_error *err);

#endif
