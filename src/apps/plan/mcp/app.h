/* app.h - the plan server: explains Terraform and OpenTofu plans over MCP (plan.md section 12).
 *
 * The engine (parse.h, explain.h and so on) knows nothing of MCP; the files tool_*.c, resource_*.c
 * and prompt_*.c are its door, one each. Settings come from the environment: config.h lists them.
 */
#ifndef TN_PLAN_APP_H
#define TN_PLAN_APP_H

#include "tenon/app.h"

extern const struct tenon_app tn_plan_app;

/* What the app offers beside its tools (tools.h is made of tool_*.json); each is defined in
 * the file of its name. */
extern const struct tenon_resource tn_plan_resource_history;
extern const struct tenon_resource tn_plan_resource_plans;
extern const struct tenon_resource_template tn_plan_resource_plan;
extern const struct tenon_resource_template tn_plan_resource_markdown;
extern const struct tenon_resource_template tn_plan_resource_change;
extern const struct tenon_resource_template tn_plan_resource_review;
extern const struct tenon_prompt tn_plan_prompt_explain;

#endif
