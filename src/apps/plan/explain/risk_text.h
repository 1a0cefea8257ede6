/* risk_text.h - the findings for people: plain lines, Markdown, and JSON for terraform_risk.
 * Findings below `min_level` are left out and counted. Highest level first, then plan order.
 * Threads: any. */
#ifndef TN_PLAN_RISK_TEXT_H
#define TN_PLAN_RISK_TEXT_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

/* "Risk: high" and one line a finding:
 *   high      RISK-ACCESS-OPEN  aws_security_group.edge  Open to the whole internet: ... */
void tn_plan_put_risk_text(struct tn_buf *out, const struct tn_plan *plan,
			   enum tn_plan_risk min_level);
void tn_plan_put_risk_markdown(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_risk min_level);

/* {"plan_id","level","findings":[...],"counts":{"low":0,"medium":1,"high":0,"critical":0},
 *  "total_findings","total_changes"}; the counts are those of the whole plan. */
void tn_plan_put_risk_json(struct tn_buf *out, const struct tn_plan *plan,
			   enum tn_plan_risk min_level);

/* {"level":"high","findings":[...]}: the member "risk" of results. */
void tn_plan_put_risk_object(struct tn_buf *out, const struct tn_plan *plan,
			     enum tn_plan_risk min_level);

#endif
