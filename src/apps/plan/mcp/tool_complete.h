/* tool_complete.h - completing a plan_id for those who may know it. Threads: loop. */
#ifndef TN_PLAN_TOOL_COMPLETE_H
#define TN_PLAN_TOOL_COMPLETE_H

#include "tenon/tool.h"

/* A `complete` function of templates and prompts; its data is the app's state. On transports
 * without authentication handles are bearer tokens (plan.md section 16), so there nothing is
 * completed. */
void tn_plan_complete_id(struct tenon_call *call, void *state);

/* Whether the caller may be told which plans are open, for the same reason. */
bool tn_plan_may_list(const struct tenon_call *call);

#endif
