/* risk_expiry.c - RISK-DATA-EXPIRES: rules that delete what a store holds once it is old enough.
 *
 * What counts is what a rule deletes afterwards and did not before: sooner, or more of it. A store
 * that is only made holds nothing yet that could be lost. */
#include "apps/plan/explain/expiry.h"
#include "apps/plan/explain/expiry_keep.h"
#include "apps/plan/explain/new_stores.h"
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/safety.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

enum news { FROM_NOW_ON, SOONER, MORE };

static const char *const of_all[] = {
	[FROM_NOW_ON] = "All that is stored there is deleted from a certain age on, also what is "
			"there now.",
	[SOONER] = "All that is stored there is deleted sooner than before, also what is there "
		   "now.",
	[MORE] = "More of what is stored there is deleted than before, also what is there now.",
};

static const char *const of_part[] = {
	[FROM_NOW_ON] = "What falls under its rule is deleted from a certain age on, also what is "
			"there now.",
	[SOONER] = "What falls under its rule is deleted sooner than before, also what is there "
		   "now.",
	[MORE] = "More falls under its rule, which deletes by age, than before, also of what is "
		 "there now.",
};

static const char *const perhaps[] = {
	[FROM_NOW_ON] = "If its rule deletes, which this text does not show, what falls under it "
			"is deleted from now on, also what is there now.",
	[SOONER] = "If its rule deletes, which this text does not show, what falls under it is "
		   "deleted sooner than before.",
	[MORE] = "If its rule deletes, which this text does not show, more is deleted than "
		 "before, also of what is there now.",
};

static bool is_of_images(const struct tn_plan_entry *entry)
{
	return tn_str_is(entry->type, "aws_ecr_lifecycle_policy") ||
	       tn_str_is(entry->type, "google_artifact_registry_repository");
}

static const char *detail_of(const struct tn_plan_entry *entry, const struct tn_plan_expiry *after,
			     enum news news)
{
	bool old = after->reach == TN_PLAN_REACH_OLD;

	if (!after->deletes && after->age_hidden)
		return perhaps[news];
	if (is_of_images(entry))
		return old ? "Images without a tag are deleted sooner than before, or from now on."
			   : "Images that fall under its rule are deleted, also those that are "
			     "there now.";
	if (old)
		return "Old versions of what is stored there are deleted sooner than before, or "
		       "from now on.";
	if (!after->deletes)
		return perhaps[news];
	if (after->date.size > 0)
		return "What falls under its rule is deleted by a date, also what is there now.";
	return after->reach == TN_PLAN_REACH_ALL ? of_all[news] : of_part[news];
}

static void tell(struct tn_plan_risks *risks, const struct tn_plan_expiry *after, enum news news,
		 const struct tn_plan_attribute *evidence)
{
	if (after->reach == TN_PLAN_REACH_ALL && !after->age_hidden && after->days <= 1 &&
	    after->date.size == 0 && !is_of_images(risks->entry))
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_CRITICAL,
				 "All that is stored there and older than a day is deleted, also "
				 "what is there now.",
				 evidence);
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_EXPIRES,
				 after->reach == TN_PLAN_REACH_OLD ? TN_PLAN_RISK_MEDIUM
								   : TN_PLAN_RISK_HIGH,
				 detail_of(risks->entry, after, news), evidence);
}

static enum news news_of(const struct tn_plan_expiry *before, const struct tn_plan_expiry *after)
{
	if (before->reach == TN_PLAN_REACH_NOTHING)
		return FROM_NOW_ON;
	return after->days < before->days ? SOONER : MORE;
}

/* What is said of what was overwritten decides only about that; filters and switches about both. */
static bool decides(const struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
		    bool of_old)
{
	bool is_of_old = tn_plan_expiry_is_of_old(attribute->path), turned;
	const struct tn_plan_safety *row;

	if (tn_plan_is_unclear(attribute))
		return false;
	if (tn_plan_expiry_is_shared(risks->entry->type, attribute->path))
		return of_old || !is_of_old;
	row = tn_plan_safety_find(risks->entry->type, attribute->path, &turned);
	return row && row->meaning == TN_PLAN_MEANS_EXPIRES && is_of_old == of_old;
}

/* An age that is asked for: clouds print 0 and -1 for those that are not. */
static bool says_when(const struct tn_plan_attribute *attribute)
{
	return tn_plan_expiry_is_age(attribute->path) && attribute->change != TN_PLAN_ATTR_REMOVE &&
	       !tn_plan_value_is_endless(&attribute->after) && attribute->after.text.size > 0;
}

/* The age, where that changes, or else the filter. */
static const struct tn_plan_attribute *evidence_of(const struct tn_plan_risks *risks,
						   const struct tn_plan_block *rule,
						   const struct tn_plan_attribute *first,
						   bool of_old)
{
	const struct tn_plan_attribute *filter = NULL;

	for (const struct tn_plan_attribute *at = first; at < rule->end; at++) {
		if (!decides(risks, at, of_old))
			continue;
		if (says_when(at))
			return at;
		if (!filter && tn_plan_filter_is_one(at->path))
			filter = at;
	}
	return filter ? filter : first;
}

static void assess(struct tn_plan_risks *risks, const struct tn_plan_block *rule,
		   const struct tn_plan_attribute *first, bool of_old)
{
	struct tn_plan_expiry before, after;

	after = tn_plan_expiry_read(risks->entry, rule, TN_PLAN_AFTER, of_old);
	if (after.reach == TN_PLAN_REACH_NOTHING ||
	    tn_plan_is_of_new_store(risks->new_stores, risks->entry) ||
	    tn_plan_expiry_was_there(risks->entry, &after))
		return;
	before = tn_plan_expiry_read(risks->entry, rule, TN_PLAN_BEFORE, of_old);
	tell(risks, &after, news_of(&before, &after), evidence_of(risks, rule, first, of_old));
}

static void assess_kept(struct tn_plan_risks *risks, const struct tn_plan_block *rule,
			const struct tn_plan_attribute *first)
{
	if (tn_plan_expiry_keeps_less(risks->entry, rule))
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				 "What it kept may be deleted by its other rules, also what is "
				 "there now.",
				 evidence_of(risks, rule, first, false));
}

/* One danger a rule, told by the first attribute that decides: the rest of the rule is passed over.
 */
void tn_plan_risk_expiry(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute)
{
	struct tn_plan_block rule;

	for (int of_old = 0; of_old < 2; of_old++) {
		if (attribute < risks->rule_end[of_old] || !decides(risks, attribute, of_old) ||
		    !tn_plan_expiry_rule(risks->entry, attribute, &rule))
			continue;
		risks->rule_end[of_old] = rule.end;
		if (!of_old)
			assess_kept(risks, &rule, attribute);
		assess(risks, &rule, attribute, of_old);
	}
}
