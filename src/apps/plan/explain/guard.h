/* guard.h - may this answer of a language model be shown? (plan.md section 10.6)
 *
 * The text is data: it is looked at, cleaned and refused, never interpreted. Threads: any. */
#ifndef TN_PLAN_GUARD_H
#define TN_PLAN_GUARD_H

#include "apps/plan/read/model.h"
#include "apps/plan/explain/score.h"
#include "base/buf.h"

enum { TN_PLAN_FAILURES_MAX = 20 }; /* told per answer; a model needs no more to mend it */

struct tn_plan_verdict {
	struct tn_str answer;       /* without fences, outer white space and control characters */
	struct tn_plan_score score; /* of that answer */
	struct tn_str failures[TN_PLAN_FAILURES_MAX]; /* sentences that name what to mend */
	unsigned failure_count;                       /* 0: the answer may be shown */
};

/* The verdict's texts live in the arena. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_plan_guard(struct tn_arena *arena, const struct tn_plan *plan,
					  struct tn_str answer, bool count_only,
					  struct tn_plan_verdict *ret, struct tenon_error *err);

/* The message for the one retry: the failures, and the demand to write the answer again. */
void tn_plan_put_retry_message(struct tn_buf *out, const struct tn_plan_verdict *verdict);

#endif
