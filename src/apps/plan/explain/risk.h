/* risk.h - what may go wrong when the plan is applied: the rules of plan.md section 8.
 *
 * Rules look at exact type names, classes of the type table and exact attribute names only.
 * Threads: one per plan; the plan is written. */
#ifndef TN_PLAN_RISK_H
#define TN_PLAN_RISK_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

/* Fills findings, each entry's risk and the plan's; what an earlier call found is replaced. Texts
 * are static or live in the plan's arena, which may grow by the findings. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_plan_assess_risk(struct tn_plan *plan, struct tenon_error *err);

/* How many findings of exactly this level. */
uint32_t tn_plan_count_findings(const struct tn_plan *plan, enum tn_plan_risk level);

/* All rule ids with a short title, for catalogues (SARIF). */
struct tn_plan_rule {
	const char *id;
	const char *title;
	enum tn_plan_risk level; /* the usual one */
};
const struct tn_plan_rule *tn_plan_rules(size_t *ret_count);

#endif
