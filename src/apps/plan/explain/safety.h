/* safety.h - settings that make an object less safe when they change one way: what
 * data/plan-safety.tsv says of them, found by the name of an attribute.
 *
 * The table is what tools/safety_to_c.sh writes, sorted by name, bytewise. Threads: any; no
 * state.
 */
#ifndef TN_PLAN_SAFETY_H
#define TN_PLAN_SAFETY_H

#include "apps/plan/read/model.h"

/* Which change is the risky one. */
enum tn_plan_risky {
	TN_PLAN_RISKY_OFF,
	TN_PLAN_RISKY_ON,
	TN_PLAN_RISKY_LESS,         /* a number or a duration goes down */
	TN_PLAN_RISKY_LESS_FOREVER, /* the same, where 0, nothing and -1 are without end */
	TN_PLAN_RISKY_GONE,         /* a text, or an element of a list, is taken away */
	TN_PLAN_RISKY_ORDER         /* from a stronger word to a weaker one */
};

enum tn_plan_meaning {
	TN_PLAN_MEANS_NONE,
	TN_PLAN_MEANS_SAFEGUARD,
	TN_PLAN_MEANS_CARELESS,
	TN_PLAN_MEANS_SHORTER,
	TN_PLAN_MEANS_BACKUPS,
	TN_PLAN_MEANS_HELD,
	TN_PLAN_MEANS_KEPT,
	TN_PLAN_MEANS_LOGS,
	TN_PLAN_MEANS_MESSAGES,
	TN_PLAN_MEANS_AGES,
	TN_PLAN_MEANS_ENTRIES,
	TN_PLAN_MEANS_DATED,
	TN_PLAN_MEANS_LATER,
	TN_PLAN_MEANS_EXPIRES,
	TN_PLAN_MEANS_ENCRYPTION,
	TN_PLAN_MEANS_PLAIN,
	TN_PLAN_MEANS_UNVERIFIED,
	TN_PLAN_MEANS_OWN_KEY,
	TN_PLAN_MEANS_ROTATION,
	TN_PLAN_MEANS_KEY_OFF,
	TN_PLAN_MEANS_PUBLIC,
	TN_PLAN_MEANS_NESTED,
	TN_PLAN_MEANS_REACHABLE,
	TN_PLAN_MEANS_WIDER,
	TN_PLAN_MEANS_LOCK,
	TN_PLAN_MEANS_UNLOCKED,
	TN_PLAN_MEANS_ANYBODY,
	TN_PLAN_MEANS_GUARD,
	TN_PLAN_MEANS_UNRECORDED,
	TN_PLAN_MEANS_UNWATCHED,
	TN_PLAN_MEANS_SIGN_IN,
	TN_PLAN_MEANS_METADATA,
	TN_PLAN_MEANS_UNCHECKED,
	TN_PLAN_MEANS_EXCHANGEABLE,
	TN_PLAN_MEANS_HOST,
	TN_PLAN_MEANS_REVIEW,
	TN_PLAN_MEANS_COUNT
};

struct tn_plan_safety {
	const char *name;  /* "key_rotation", "*_encryption", "expiration.days", "." */
	const char *of;    /* a type, or "aws_lb*"; empty: any */
	const char *order; /* "HTTPS>HTTP,TLS>TCP"; empty: none */
	enum tn_plan_risky risky;
	enum tn_plan_meaning meaning;
};

extern const struct tn_plan_safety tn_plan_safety_table[];
extern const size_t tn_plan_safety_count;

/* The row for an attribute of a type; NULL: none. *ret_turned: the name says the opposite of the
 * row's, as disable_x does of x. */
const struct tn_plan_safety *tn_plan_safety_find(struct tn_str type, struct tn_str path,
						 bool *ret_turned);

/* The row for a block that the path goes through, the outermost first; NULL: none. *ret_owner: the
 * path up to and with the block's dot. */
const struct tn_plan_safety *tn_plan_safety_find_block(struct tn_str type, struct tn_str path,
						       struct tn_str *ret_owner);

/* Where a word stands in the row's orders: 0 is the strongest of one. False: in none. Both words
 * must stand in the same order to be compared, so `other` is looked for there: its place is
 * *ret_other. */
bool tn_plan_safety_places(const struct tn_plan_safety *setting, struct tn_str word,
			   struct tn_str other, unsigned *ret_place, unsigned *ret_other);

/* True for a value that can be nothing but a setting: a switch, a word that the row of this name
 * puts in order, a number where the row counts. */
bool tn_plan_value_is_setting(struct tn_str path, const struct tn_plan_value *value);

/* True for a word of one of its orders; `last`: for the weakest one. */
bool tn_plan_safety_has_word(const struct tn_plan_safety *setting, struct tn_str word, bool last);

#endif
