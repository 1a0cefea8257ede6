/* count.h - the sums, and whether they agree with what the plan says itself (plan.md section 6).
 * Threads: one at a time. */
#ifndef TN_PLAN_COUNT_H
#define TN_PLAN_COUNT_H

#include "apps/plan/read/build.h"

/* Fills total_changes, actions, plan_line, consistent, mismatches and the units' totals. */
void tn_plan_count(struct tn_plan_build *build);

/* True when some unit states more than was counted in it. */
bool tn_plan_states_more(const struct tn_plan *plan, uint32_t unit);

/* Destroy mode is known from the entries: everything goes and nothing says why. */
bool tn_plan_only_unexplained_deletes(const struct tn_plan *plan);

/* Sets confidence from what was found; the last step before risk. */
void tn_plan_judge(struct tn_plan_build *build);

#endif
