/* parse.h - bytes to a struct tn_plan (plan.md sections 3 to 6).
 *
 * Threads: any; no global state. Works on arbitrary bytes, one forward pass over lines, no
 * recursion on input, at most four times the input in memory. Assesses risk as its last step. */
#ifndef TN_PLAN_PARSE_H
#define TN_PLAN_PARSE_H

#include "apps/plan/read/model.h"
#include "apps/plan/read/options.h"

/* On success *ret is set; the caller frees it. A text without any plan in it is an error.
 * `ret_reason` (may be NULL) gets the contract's error code, a static string: "not_a_plan",
 * "binary_plan", "input_too_large", "unsupported_format", "timeout", "cancelled".
 * Fails: INVALID, LIMIT, CANCELLED, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_plan_parse(const void *bytes, size_t size,
					  const struct tn_plan_options *options,
					  struct tn_plan **ret, const char **ret_reason,
					  struct tenon_error *err);
void tn_plan_free(struct tn_plan *plan);

#endif
