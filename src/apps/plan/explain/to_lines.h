/* to_lines.h - a plan as lines that stand alone (hosts.md HO-001): every id, name, value and code
 * that the object of section 5 has for a model, a line an entry.
 *
 *     terraform plan (changes): 2 changes: 1 create, 1 replace; risk critical
 *     1 create aws_s3_bucket.logs: bucket = "logs", id = (known after apply) and 6 more
 *     2 replace aws_db_instance.ledger [critical]: name: "a" -> "b" (forces replacement)
 *     RISK-DATA-LOSS critical aws_db_instance.ledger name: a database is replaced
 *
 * Failures stick to the buffer (base/buf.h). Threads: any. */
#ifndef TN_PLAN_TO_LINES_H
#define TN_PLAN_TO_LINES_H

#include "apps/plan/explain/to_json.h"

/* All of it; without the first line, which counts, for who gets that otherwise. */
void tn_plan_put_lines(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_filter *filter);
void tn_plan_put_entry_lines(struct tn_buf *out, const struct tn_plan *plan,
			     const struct tn_plan_filter *filter);
/* What the findings of a level or more are seen by, a line each: its address, path and values. */
void tn_plan_put_evidence(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk least);
/* One entry alone (terraform_show_change): of its kept attributes, `limit` (0: all) from `offset`
 * on, a line each, uncut; "?" is known after the plan is applied. */
void tn_plan_put_change_lines(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			      uint32_t offset, uint32_t limit);

#endif
