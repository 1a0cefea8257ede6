/* app.h - the plan server: explains Terraform and OpenTofu plans over MCP (plan.md section 12).
 *
 * The engine (parse.h, explain.h and so on) knows nothing of MCP; the files tool_*.c, resource_*.c
 * and prompt_*.c are its door, one each. Settings come from the environment: config.h lists them.
 */
#ifndef TN_PLAN_APP_H
#define TN_PLAN_APP_H

#include "tenon/app.h"

extern const struct tenon_app tn_plan_app;

/* What the app offers; each is defined in the file of its name. */
extern const struct tenon_tool tn_plan_tool_parse;
extern const struct tenon_tool tn_plan_tool_explain;
extern const struct tenon_tool tn_plan_tool_best_of;
/* The same two where a model that is not on this machine is configured. */
extern const struct tenon_tool tn_plan_tool_explain_open_world;
extern const struct tenon_tool tn_plan_tool_best_of_open_world;
extern const struct tenon_tool tn_plan_tool_risk;
extern const struct tenon_tool tn_plan_tool_show_change;
extern const struct tenon_tool tn_plan_tool_compare;
extern const struct tenon_tool tn_plan_tool_score;
extern const struct tenon_tool tn_plan_tool_context;
extern const struct tenon_tool tn_plan_tool_history;
extern const struct tenon_tool tn_plan_tool_review;
extern const struct tenon_resource tn_plan_resource_history;
extern const struct tenon_resource tn_plan_resource_plans;
extern const struct tenon_resource_template tn_plan_resource_plan;
extern const struct tenon_resource_template tn_plan_resource_markdown;
extern const struct tenon_resource_template tn_plan_resource_change;
extern const struct tenon_resource_template tn_plan_resource_review;
extern const struct tenon_prompt tn_plan_prompt_explain;

#endif
