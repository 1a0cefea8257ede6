/* plan_line.h - the sentence "Plan: 1 to add, 0 to change, 2 to destroy." (plan.md section 4.9).
 * Threads: any. */
#ifndef TN_PLAN_PLAN_LINE_H
#define TN_PLAN_PLAN_LINE_H

#include "apps/plan/read/model.h"

/* False: not such a line; *ret is then untouched. */
bool tn_plan_line_read(struct tn_str text, struct tn_plan_line *ret);

/* Adds the fields of `line` to `sum`; -1 stays only where no line had the field. */
void tn_plan_line_add(struct tn_plan_line *sum, const struct tn_plan_line *line);

/* A line on which nothing was printed. */
#define TN_PLAN_LINE_ABSENT ((struct tn_plan_line){false, -1, -1, -1, -1, -1, -1})

#endif
