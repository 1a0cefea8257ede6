/* plan_cost.h - what a plan changes of what a project costs a month (studio-canvas.md SC-022).
 *
 * Before is what it cost when it was applied, after is the diagram's estimate. What is not known is
 * no difference, and says so. Threads: loop. */
#ifndef TN_STUDIO_PLAN_COST_H
#define TN_STUDIO_PLAN_COST_H

#include "apps/studio/mcp/tool_state.h"

struct tn_studio_plan_cost { /* cents a month */
	int64_t before, after;
	bool is_before_known, is_after_known;
};

struct tn_studio_plan_costs {
	struct tn_studio_plan_cost all; /* known: of everything */
	struct tn_map nodes;            /* of those that change: to struct tn_studio_plan_cost */
	struct tn_arena arena;
};

/* `plan` is over. Finish them in any case. False: there are no prices, or no memory. */
bool tn_studio_plan_costs_find(struct tn_studio_plan_costs *costs, struct tn_studio_door *door,
			       const struct tn_studio_project *project,
			       const struct tn_studio_run *plan);
void tn_studio_plan_costs_finish(struct tn_studio_plan_costs *costs);
/* NULL: it does not change. */
const struct tn_studio_plan_cost *tn_studio_plan_cost_of(const struct tn_studio_plan_costs *costs,
							 struct tn_str node_id);
/* The members before, after, currency, complete as one object; of one node those that are not known
 * are null. */
void tn_studio_plan_costs_put(struct tn_buf *out, const struct tn_studio_plan_costs *costs);
void tn_studio_plan_cost_put(struct tn_buf *out, const struct tn_studio_plan_cost *cost);
/* "30.37 USD before, 45.00 USD after (+14.63)", for the person who is asked. */
void tn_studio_plan_costs_say(struct tn_buf *out, const struct tn_studio_plan_costs *costs);

#endif
