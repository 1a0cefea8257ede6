/* allowed_path.h - opening a file that a client names (plan_path, plan.md section 12).
 *
 * The operator lists folders; whether a file outside of them exists is not told. Threads: any;
 * opening blocks. */
#ifndef TN_PLAN_ALLOWED_PATH_H
#define TN_PLAN_ALLOWED_PATH_H

#include "store/beneath.h"

/* A relative `path` is looked for in each folder in turn. On failure *ret_reason is the contract's
 * code: "path_not_allowed" or "no_such_file". Fails: DENIED, NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_plan_open_path(const struct tn_roots *roots, const char *path,
					      int *ret_fd, const char **ret_reason,
					      struct tenon_error *err);

#endif
