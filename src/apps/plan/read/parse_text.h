/* parse_text.h - plan text after clean-up to the model (plan.md section 4). One forward pass over
 * lines. Threads: one at a time. */
#ifndef TN_PLAN_PARSE_TEXT_H
#define TN_PLAN_PARSE_TEXT_H

#include "apps/plan/read/clean.h"

/* `text` must live as long as the plan. Failures stick to the build; text without any sign of a
 * plan fails with "not_a_plan". */
void tn_plan_parse_text(struct tn_plan_build *build, struct tn_plan_text text);

#endif
