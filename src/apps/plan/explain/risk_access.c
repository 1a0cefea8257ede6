/* risk_access.c - RISK-ACCESS-OPEN: what an object's rules open to everybody. */
#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/risk_rules.h"

enum { FACT_BYTES = 256 };

/* By what may be reached: anything, every port, a precious one, whatever is outside. */
enum reached { SOMETHING, EVERYTHING, PRECIOUS, OUTSIDE };

static const struct {
	enum tn_plan_risk level;
	const char *detail, *half;
} tellings[] = {
	[SOMETHING] = {TN_PLAN_RISK_HIGH,
		       "Everybody on the internet may come in through this rule.",
		       "Half of the internet may come in through this rule."},
	[EVERYTHING] = {TN_PLAN_RISK_CRITICAL, "Everybody on the internet may reach every port.",
			"Half of the internet may reach every port."},
	[PRECIOUS] = {TN_PLAN_RISK_CRITICAL,
		      "Everybody on the internet may reach a port used for administration or "
		      "data.",
		      "Half of the internet may reach a port used for administration or data."},
	[OUTSIDE] = {TN_PLAN_RISK_LOW, "What is behind this rule may reach any address.",
		     "What is behind this rule may reach half of the internet."},
};

static enum reached what_is_reached(const struct tn_plan_opening *opening)
{
	if (opening->out)
		return OUTSIDE;
	if (opening->all)
		return EVERYTHING;
	return opening->precious ? PRECIOUS : SOMETHING;
}

static void tell(void *context, const struct tn_plan_opening *opening)
{
	struct tn_plan_risks *risks = context;
	enum reached reached = what_is_reached(opening);
	struct tn_buf fact;

	tn_buf_init(&fact, FACT_BYTES);
	tn_plan_put_ports(&fact, opening->ranges, opening->range_count);
	if (opening->more)
		tn_buf_append_text(&fact, " and more");
	risks->failed = risks->failed || fact.starved;
	risks->half = opening->half;
	tn_plan_risk_add_fact(risks, TN_PLAN_RULE_ACCESS_OPEN, tellings[reached].level,
			      opening->half ? tellings[reached].half : tellings[reached].detail,
			      opening->evidence, tn_buf_str(&fact));
	risks->half = false;
	tn_buf_finish(&fact);
}

void tn_plan_risk_access(struct tn_plan_risks *risks)
{
	if (!tn_plan_find_openings(risks->entry, tell, risks))
		risks->failed = true;
}
