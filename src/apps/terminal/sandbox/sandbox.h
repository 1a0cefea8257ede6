/* sandbox.h - a program's argv inside Landlock or bubblewrap, and what that grants it in words
 * (terminal.md section 10, docs/terminal-safety.md).
 *
 * Landlock: reads everything but secrets, writes to the roots, caches and a temporary folder of its
 * own (confine.h). Bubblewrap: system folders, read only, the roots, an empty home and /tmp of its
 * own, no processes but its own. The root process of such a session is the sandbox; the shell
 * inside leads a process group of its own, also at its prompt. Ownership: the caller frees what it
 * gets. Threads: loop. */
#ifndef TN_TERM_SANDBOX_H
#define TN_TERM_SANDBOX_H

#include "apps/terminal/settings/config.h"
#include "base/buf.h"
#include "loop/loop.h"

/* For tests: the youngest ABI of Landlock that is used. Of the server's environment alone. */
#define TN_SANDBOX_ABI "TENON_TEST_LANDLOCK_ABI"

enum tn_sandbox_kind { TN_SANDBOX_NONE, TN_SANDBOX_BUBBLEWRAP, TN_SANDBOX_LANDLOCK };
const char *tn_sandbox_name(enum tn_sandbox_kind kind);

struct tn_sandbox_probe;

/* Whether it can be used here: `true` is run in it. `done` comes once, not inside the call, with a
 * sentence why not, or NULL; it may free the probe. As root bubblewrap is never available: root in
 * it is still root of everything that it may write to; Landlock holds root as well. The answer does
 * not change while we run: ask once. Fails: NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_sandbox_probe(struct tn_loop *loop, enum tn_sandbox_kind kind,
					     void (*done)(const char *why_not, void *data),
					     void *data, struct tn_sandbox_probe **ret,
					     struct tenon_error *err);
/* No `done` comes any more. Accepts NULL. */
void tn_sandbox_probe_free(struct tn_sandbox_probe *probe);

struct tn_sandbox_wish {
	enum tn_sandbox_kind kind; /* bubblewrap, unless it is Landlock */
	const char *const *argv;   /* of the program; looked up in the PATH of its environment */
	const char *cwd;           /* absolute, resolved */
	const char *run_folder;    /* run/<session>, readable inside; NULL: none */
	bool holds; /* its inputs are held (hold.h); with TN_SANDBOX_NONE just that */
};
/* The argv to start instead, in the arena, and the report: one line for each kind of thing it may
 * reach. Without roots the directory it starts in is what it may write to, unless home or the whole
 * system lies below that. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_sandbox_wrap(const struct tn_term_config *config,
					    const struct tn_sandbox_wish *wish,
					    struct tn_arena *arena, const char *const **ret_argv,
					    struct tn_buf *report, struct tenon_error *err);

#endif
