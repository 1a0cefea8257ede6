/* terraform_compare: what differs between two plans (plan.md section 12). */
#include "apps/plan/explain/compare.h"
#include "apps/plan/mcp/tool_task.h"
#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

static void both_ready(struct tn_plan_task *task)
{
	const struct tn_plan *other = task->other->value;
	struct tenon_error err = {0};
	struct tn_buf text, structured;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(task->call, &structured);
	if (tn_plan_put_compare_text(&text, task->plan, other, &err) != TENON_OK ||
	    (!structured.unwanted &&
	     tn_plan_put_compare_json(&structured, task->plan, other, &err) != TENON_OK))
		text.failed = true; /* no memory: the reply says it is too large */
	tn_plan_task_reply(task, &text, &structured);
}

static void ready(struct tn_plan_task *task)
{
	tn_plan_task_read_other(task, both_ready);
}

void tn_plan_call_compare(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
