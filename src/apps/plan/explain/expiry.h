/* expiry.h - rules that delete what a store holds once it is old enough: how much of it, how soon.
 *
 * Slices and pointers are the entry's. Threads: any; no state. */
#ifndef TN_PLAN_EXPIRY_H
#define TN_PLAN_EXPIRY_H

#include "apps/plan/explain/expiry_filter.h"

/* The more of it, the larger. */
enum tn_plan_reach {
	TN_PLAN_REACH_NOTHING,   /* no rule, or one that is switched off */
	TN_PLAN_REACH_OLD,       /* what was overwritten already: versions, images without a tag */
	TN_PLAN_REACH_PART,      /* what a filter says */
	TN_PLAN_REACH_UNCERTAIN, /* a filter may stand in what the text does not print */
	TN_PLAN_REACH_ALL
};

struct tn_plan_expiry {
	struct tn_plan_block rule;
	enum tn_plan_side side;
	enum tn_plan_reach reach;
	uint64_t days;      /* or, of images and versions, how many are kept; 0: at once */
	struct tn_str date; /* instead of an age; empty: none */
	bool of_old;        /* read by what it says of what was overwritten */
	bool age_hidden;    /* days and date are not known */
	bool deletes;       /* false: what it does stands in what the text does not print */
};

/* The rule that the attribute stands in: "rule[0].", "policy.rules[1].". False: in none. */
bool tn_plan_expiry_rule(const struct tn_plan_entry *entry,
			 const struct tn_plan_attribute *attribute, struct tn_plan_block *ret);

/* The attribute decides what a rule deletes, whichever age it goes by: a filter, a switch, what is
 * done. */
bool tn_plan_expiry_is_shared(struct tn_str type, struct tn_str path);

/* True for the attribute that says when: an age, a number, a date. */
bool tn_plan_expiry_is_age(struct tn_str path);

struct tn_plan_expiry tn_plan_expiry_read(const struct tn_plan_entry *entry,
					  const struct tn_plan_block *rule, enum tn_plan_side side,
					  bool of_old);

/* Some rule deleted as much before, as soon. */
bool tn_plan_expiry_was_there(const struct tn_plan_entry *entry,
			      const struct tn_plan_expiry *after);

#endif
