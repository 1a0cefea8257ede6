/* risk_grants.c - RISK-IAM and RISK-PUBLIC-DATA from the permissions that a change gives. */
#include "apps/plan/explain/grants.h"
#include "apps/plan/explain/risk_rules.h"

enum { FACT_BYTES = 1024 };

static const char *const details[TN_PLAN_GRANT_KINDS] = {
	[TN_PLAN_GRANTS_ALL_ACTIONS] = "It allows every action.",
	[TN_PLAN_GRANTS_ALL_BUT] = "It allows every action but those that it names.",
	[TN_PLAN_GRANTS_MORE_GRANTS] = "It may hand its permissions on or get itself more of them.",
	[TN_PLAN_GRANTS_TRUST_TO_ALL] = "Everybody may take this role on.",
	[TN_PLAN_GRANTS_MIGHTY_ROLE] = "It gives an owner's or administrator's role.",
	[TN_PLAN_GRANTS_NO_DENIAL] = "A denial becomes a permission.",
};

static void tell(struct tn_plan_risks *risks, const struct tn_plan_grant *grant)
{
	struct tn_buf fact;

	tn_buf_init(&fact, FACT_BYTES);
	tn_plan_put_grant(&fact, risks->entry, grant);
	risks->failed = risks->failed || fact.starved;
	if (grant->kind == TN_PLAN_GRANTS_TO_ALL) {
		tn_plan_risk_add_fact(risks, TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				      "Everybody gets a permission on it.", grant->evidence,
				      tn_buf_str(&fact));
	} else if (!risks->iam_detail) { /* one reason is enough */
		risks->iam_detail = details[grant->kind];
		risks->iam_evidence = grant->evidence;
		risks->iam_fact = tn_plan_risk_keep(risks, tn_buf_str(&fact));
	}
	tn_buf_finish(&fact);
}

void tn_plan_risk_grants(struct tn_plan_risks *risks)
{
	const struct tn_plan_attributes *attributes = &risks->entry->attributes;
	bool public = false;

	for (uint32_t i = 0; i < attributes->count; i++) {
		struct tn_plan_grant grant = {TN_PLAN_GRANTS_NOTHING, &attributes->items[i]};

		grant.kind = tn_plan_new_grant(risks->entry, grant.evidence);
		if (grant.kind == TN_PLAN_GRANTS_NOTHING ||
		    (public && grant.kind == TN_PLAN_GRANTS_TO_ALL))
			continue;
		public = public || grant.kind == TN_PLAN_GRANTS_TO_ALL;
		tell(risks, &grant);
	}
}
