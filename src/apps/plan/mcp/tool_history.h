/* tool_history.h - searching the history for a call; shared by the tool and the resource. Threads:
 * loop; the search itself runs in a worker. */
#ifndef TN_PLAN_TOOL_HISTORY_H
#define TN_PLAN_TOOL_HISTORY_H

#include "apps/plan/service/state.h"
#include "tenon/tool.h"

/* Searches as the call's principal and hands {"entries":[...],"total":N} to `reply`, which finishes
 * the call. The question's texts live as long as the call. */
void tn_plan_search_history(struct tenon_call *call, struct tn_plan_state *state,
			    const struct tn_plan_question *question,
			    void (*reply)(struct tenon_call *call, const struct tn_buf *found));

#endif
