/* selection.h - which changes get a sentence, and in which order (plan.md section 10.4).
 *
 * By action, inside of it by risk, then as in the plan. Ten of them; a change with a critical or
 * high finding is among them however many there are, and nothing that takes away is left out while
 * anything else is told. Threads: any. */
#ifndef TN_PLAN_SELECTION_H
#define TN_PLAN_SELECTION_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

struct tn_plan_selection {
	struct tn_buf items; /* const struct tn_plan_entry * each */
	uint32_t count;
	uint32_t folded[TN_PLAN_ACTION_COUNT];
	uint32_t folded_total;
};

void tn_plan_selection_init(struct tn_plan_selection *selection, const struct tn_plan *plan);
void tn_plan_selection_finish(struct tn_plan_selection *selection);

const struct tn_plan_entry *tn_plan_selected(const struct tn_plan_selection *selection,
					     uint32_t index);

#endif
