/* finding_words.h - what is dangerous in a plan, one sentence each: object and deciding fact, worst
 * first (plan.md section 10.4). Free of control characters and line breaks. Threads: any. */
#ifndef TN_PLAN_FINDING_WORDS_H
#define TN_PLAN_FINDING_WORDS_H

#include "apps/plan/explain/explain.h"

enum { TN_PLAN_HIGH_SHOWN = 5 };

/* "Opens SSH (port 22) to the whole internet (aws_security_group_rule.in)." */
void tn_plan_put_finding_sentence(struct tn_buf *out, const struct tn_plan *plan,
				  const struct tn_plan_finding *finding,
				  enum tn_plan_audience audience);

/* Each critical finding, up to five high ones, the rest of those counted by kind. Each sentence
 * leaves a blank behind it. */
void tn_plan_put_dangers(struct tn_buf *out, const struct tn_plan *plan,
			 enum tn_plan_audience audience);

/* The findings of one change stand together: the first of them, and how many. */
const struct tn_plan_finding *tn_plan_findings_of(const struct tn_plan *plan, uint32_t change,
						  uint32_t *ret_count);

#endif
