/* effective.h - what a prop is worth with its drafts laid over it (workbench.md A12), as the page
 * computes it.
 *
 * Ownership: the result shares what has not changed with `base` and the values; new parts live in
 * the arena. Threads: any. */
#ifndef TN_WB_SESSIONS_EFFECTIVE_H
#define TN_WB_SESSIONS_EFFECTIVE_H

#include "apps/workbench/values/prop_path.h"
#include "jsonrpc/json.h"

/* `base` (NULL: nothing) with `value` at the tokens of the path behind the first, which is the
 * prop's name. Objects that are missing on the way are made, arrays where the next token is a
 * position. NULL: the way leads through something else (*ret_blocked), or there is no memory. */
const struct tn_json *tn_wb_effective_set(struct tn_arena *arena, const struct tn_json *base,
					  const struct tn_wb_prop_path *path,
					  const struct tn_json *value, bool *ret_blocked);

#endif
