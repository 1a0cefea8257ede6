#include "apps/plan/explain/expiry_keep.h"

#include "apps/plan/explain/expiry.h"
#include "apps/plan/explain/expiry_filter.h"

/* 0: it keeps whatever it is about. */
static uint64_t number_kept(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	uint64_t number = 0;
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if (tn_plan_expiry_is_kept_number(at->path) && tn_plan_side_text(at, side, &text) &&
		    tn_str_to_uint(text, &number))
			return number;
	return 0;
}

/* Only such rules have a number; what they do may stand in what the text does not print. */
static bool keeps(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	return tn_plan_block_says(rule, side, "action", "KEEP") || number_kept(rule, side) > 0;
}

static bool keeps_as_much(const struct tn_plan_entry *entry, const struct tn_plan_block *now,
			  const struct tn_plan_block *then)
{
	struct tn_plan_rule_side wide = {*now, TN_PLAN_AFTER, false};
	struct tn_plan_rule_side narrow = {*then, TN_PLAN_BEFORE, false};
	uint64_t number = number_kept(now, TN_PLAN_AFTER);

	return keeps(now, TN_PLAN_AFTER) &&
	       (number == 0 || (number_kept(then, TN_PLAN_BEFORE) > 0 &&
				number >= number_kept(then, TN_PLAN_BEFORE))) &&
	       tn_plan_filter_holds(entry, &wide, &narrow);
}

bool tn_plan_expiry_keeps_less(const struct tn_plan_entry *entry, const struct tn_plan_block *rule)
{
	const struct tn_plan_attribute *end = entry->attributes.items + entry->attributes.count;
	struct tn_plan_block other;

	if (!keeps(rule, TN_PLAN_BEFORE))
		return false;
	for (const struct tn_plan_attribute *at = entry->attributes.items; at < end; at++) {
		if (!tn_plan_expiry_rule(entry, at, &other))
			continue;
		if (keeps_as_much(entry, &other, rule))
			return false;
		at = other.end - 1;
	}
	return true;
}
