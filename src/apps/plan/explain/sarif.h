/* sarif.h - the findings as SARIF 2.1.0, which code hosts show beside a pull request. Threads: any.
 */
#ifndef TN_PLAN_SARIF_H
#define TN_PLAN_SARIF_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

/* `artifact`: the plan's file as a relative URI; no data: "plan.txt" (it was piped). */
void tn_plan_put_sarif(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk min_level,
		       struct tn_str artifact);

#endif
