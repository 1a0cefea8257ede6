/* guard_words.h - does a text say of an object what happens to it, or the opposite? (plan.md
 * section 10.6)
 *
 * Sentence by sentence: one that names the object must have a verb of its action and none that
 * denies it. Threads: any. */
#ifndef TN_PLAN_GUARD_WORDS_H
#define TN_PLAN_GUARD_WORDS_H

#include "apps/plan/read/model.h"

enum tn_plan_saying {
	TN_PLAN_SAID,
	TN_PLAN_NOT_SAID,       /* it is not named */
	TN_PLAN_SAID_OTHERWISE, /* it is named, without a verb of its action */
	TN_PLAN_DENIED,
	TN_PLAN_SAID_WITHOUT_MEMORY
};

/* `names`: address and label of the object; an empty one is none. */
enum tn_plan_saying tn_plan_said(struct tn_str text, const struct tn_str names[2],
				 enum tn_plan_action action);

#endif
