/* login_path.h - the PATH that the user's own login shell has.
 *
 * A program that a desktop or a supervisor started inherits a bare PATH; nvm, pyenv and the like
 * stand in the user's start files. The shell is run once as login and interactive shell, without a
 * terminal and without input, and prints its PATH between random marks, so that nothing else it
 * prints is taken for it (terminal.md section 10.3).
 *
 * Ownership: the caller frees it, also from inside `done`. Threads: loop. */
#ifndef TN_TERM_LOGIN_PATH_H
#define TN_TERM_LOGIN_PATH_H

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct tn_login_path;

/* `done` comes once, not inside the call: the PATH, or NULL when the shell did not say one within
 * TN_TERM_LOGIN_PATH_MS. The text lives until it returns. `shell`: absolute. Fails: SYSTEM (it
 * cannot be started), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_login_path_ask(struct tn_loop *loop, const char *shell,
					      const char *const *env,
					      void (*done)(const char *path, void *data),
					      void *data, struct tn_login_path **ret,
					      struct tenon_error *err);
/* The shell and what it has started is killed when it still runs. Accepts NULL. */
void tn_login_path_free(struct tn_login_path *ask);

/* ---- for the tests ---- */

/* What stands in `said` between two lines that are `mark`, in `out`; false: nothing that can be a
 * PATH. */
bool tn_login_path_find(struct tn_str said, const char *mark, struct tn_str *out);

#endif
