/* rules.h - a firewall's rules in words, paired by what they say and not by where they stand in
 * their list.
 *
 * The same for text and JSON plans. Threads: any; no state. */
#ifndef TN_PLAN_RULES_H
#define TN_PLAN_RULES_H

#include "apps/plan/explain/block.h"
#include "base/buf.h"

/* The attribute says whom a rule is about: addresses, or groups of machines where these stand. */
bool tn_plan_rule_is_source(struct tn_str name);

/* Of a new object, or one that goes: `lets everybody in on SSH (port 22)`. False and nothing: it
 * has no rules. */
bool tn_plan_put_rules(struct tn_buf *out, const struct tn_plan_entry *entry,
		       enum tn_plan_side side);

/* Of one that changes: `lets "10.1.0.0/16" in on port 5432, no longer lets "10.0.0.0/16" in on port
 * 5432`, or that only the descriptions of its rules change. `without_everybody`: what is open to
 * all is told elsewhere. False and nothing: its rules stay. */
bool tn_plan_put_rule_changes(struct tn_buf *out, const struct tn_plan_entry *entry,
			      bool without_everybody);

/* It kept something out, or from being reached, and does not afterwards. */
enum tn_plan_denial { TN_PLAN_DENIES_AS_BEFORE, TN_PLAN_DENIES_LESS_IN, TN_PLAN_DENIES_LESS_OUT };
/* False: no memory. */
bool tn_plan_find_lost_denial(const struct tn_plan_entry *entry, enum tn_plan_denial *ret);

#endif
