/* sandbox.h - a program's argv inside bubblewrap, and what that grants it in words (terminal.md
 * section 10). Threads: loop. */
#ifndef TN_TERM_SANDBOX_H
#define TN_TERM_SANDBOX_H

#include "apps/terminal/config.h"
#include "base/buf.h"
#include "loop/loop.h"

/* Whether it can be used here, tried once (it runs `true` in it) on a worker. `done` comes with a
 * sentence why not, or NULL. As root it is never available: nothing would confine it. Fails:
 * NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_sandbox_probe(struct tn_loop *loop,
					     void (*done)(const char *why_not, void *data),
					     void *data, struct tenon_error *err);

struct tn_sandbox_wish {
	const char *const *argv; /* of the program; absolute */
	const char *cwd;
	const char *run_folder; /* run/<session>, readable inside */
};
/* The argv to start instead, in the arena, and the report: one line for each thing it may reach.
 * Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_sandbox_wrap(const struct tn_term_config *config,
					    const struct tn_sandbox_wish *wish,
					    struct tn_arena *arena, const char *const **ret_argv,
					    struct tn_buf *report, struct tenon_error *err);

#endif
