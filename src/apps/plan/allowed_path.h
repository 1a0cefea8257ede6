/* allowed_path.h - opening a file that a client names (plan_path, plan.md section 12).
 *
 * The operator lists folders; a file counts as inside when its real path does, links resolved.
 * Whether a file outside exists is not told. Threads: any; these calls block. */
#ifndef TN_PLAN_ALLOWED_PATH_H
#define TN_PLAN_ALLOWED_PATH_H

#include "base/error.h"

/* `folders` are separated by colons; a relative `path` is looked for in each of them in turn. On
 * failure *ret_reason is the contract's code: "path_not_allowed" or "no_such_file". Fails: DENIED,
 * NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_plan_open_path(const char *folders, const char *path, int *ret_fd,
					      const char **ret_reason, struct tenon_error *err);

#endif
