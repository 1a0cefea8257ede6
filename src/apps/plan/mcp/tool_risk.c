/* terraform_risk: what may go wrong, by rules only (plan.md section 8). */
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/risk_text.h"
#include "apps/plan/explain/to_lines.h"
#include "apps/plan/mcp/tool_task.h"
#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

static void ready(struct tn_plan_task *task)
{
	enum tn_plan_risk least = TN_PLAN_RISK_LOW;
	struct tn_buf text, evidence, structured;

	(void)tn_plan_risk_from_name(tn_str_from(tenon_call_text(task->call, "min_level")),
				     &least); /* absent: low */
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_buf_init(&evidence, TN_RESULT_BYTES_MAX);
	tn_plan_put_risk_text(&text, task->plan, least);
	if (tn_call_is_for_model(task->call))
		tn_plan_put_evidence(&evidence, task->plan, least);
	if (tn_call_sends_structured(task->call))
		tn_plan_put_risk_json(&structured, task->plan, least);
	tn_plan_task_reply_with(task, &text, &evidence, &structured);
}

void tn_plan_call_risk(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
