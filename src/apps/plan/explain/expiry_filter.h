/* expiry_filter.h - what a rule that deletes by age is about, besides the age: prefixes, tags,
 * sizes, states.
 *
 * Slices and pointers are the entry's. Threads: any; no state. */
#ifndef TN_PLAN_EXPIRY_FILTER_H
#define TN_PLAN_EXPIRY_FILTER_H

#include "apps/plan/explain/block.h"

/* A rule on one side of the change. */
struct tn_plan_rule_side {
	struct tn_plan_block rule;
	enum tn_plan_side side;
	bool of_old; /* by what it says of what was overwritten */
};

/* Parts of a rule are about what was overwritten, and about nothing else. */
bool tn_plan_expiry_is_of_old(struct tn_str path);

/* How many are kept, the newest first, whatever other rules delete. */
bool tn_plan_expiry_is_kept_number(struct tn_str path);

/* The attribute says what the rule is about. */
bool tn_plan_filter_is_one(struct tn_str path);

/* The rule is about a part of what is stored there, as far as is shown. */
bool tn_plan_filter_parts(const struct tn_plan_rule_side *rule);

/* A filter is stated, and is none any more: prefix from "tmp/" to "". */
bool tn_plan_filter_is_dropped(const struct tn_plan_rule_side *rule);

/* All that `narrow` is about, `wide` is about, as far as is shown. */
bool tn_plan_filter_holds(const struct tn_plan_entry *entry, const struct tn_plan_rule_side *wide,
			  const struct tn_plan_rule_side *narrow);

#endif
