/* explain_notes.h - what is said about a plan as a whole, before and after its changes (plan.md
 * section 10.4), and instead of them when there are none (10.3). Every note is a sentence with a
 * blank behind it. Threads: any. */
#ifndef TN_PLAN_EXPLAIN_NOTES_H
#define TN_PLAN_EXPLAIN_NOTES_H

#include "apps/plan/explain/explain.h"
#include "base/buf.h"

void tn_plan_put_leading_notes(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_audience audience);
void tn_plan_put_closing_notes(struct tn_buf *out, const struct tn_plan *plan);

/* One sentence about a plan without changes. */
void tn_plan_put_nothing_note(struct tn_buf *out, const struct tn_plan *plan);

/* "2 objects were changed outside Terraform. " with the verb for one and for many; nothing for 0.
 */
void tn_plan_put_counted(struct tn_buf *out, uint64_t count, const char *one, const char *many);

#endif
