/* risk_access.c - RISK-ACCESS-OPEN: what an object's rules open to everybody. */
#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/risk_rules.h"

enum { FACT_BYTES = 256 };

static void tell(void *context, const struct tn_plan_opening *opening)
{
	struct tn_plan_risks *risks = context;
	enum tn_plan_risk level = TN_PLAN_RISK_HIGH;
	const char *detail = "Everybody on the internet may come in through this rule.";
	struct tn_buf fact;

	if (opening->out) {
		level = TN_PLAN_RISK_LOW;
		detail = "What is behind this rule may reach any address.";
	} else if (opening->all) {
		level = TN_PLAN_RISK_CRITICAL;
		detail = "Everybody on the internet may reach every port.";
	} else if (opening->precious) {
		level = TN_PLAN_RISK_CRITICAL;
		detail = "Everybody on the internet may reach a port used for administration or "
			 "data.";
	}
	tn_buf_init(&fact, FACT_BYTES);
	tn_plan_put_ports(&fact, opening->ranges, opening->range_count);
	if (opening->more)
		tn_buf_append_text(&fact, " and more");
	risks->failed = risks->failed || fact.starved;
	tn_plan_risk_add_fact(risks, TN_PLAN_RULE_ACCESS_OPEN, level, detail, opening->evidence,
			      tn_buf_str(&fact));
	tn_buf_finish(&fact);
}

void tn_plan_risk_access(struct tn_plan_risks *risks)
{
	if (!tn_plan_find_openings(risks->entry, tell, risks))
		risks->failed = true;
}
