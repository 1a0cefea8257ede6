/* terraform_context: the one document a model would get (plan.md section 9). */
#include "apps/plan/mcp/tools.h"
#include "apps/plan/service/answer.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/mcp/tool_task.h"
#include "base/limits.h"

static void ready(struct tn_plan_task *task)
{
	const struct tn_plan_config *config = &task->state->config;
	enum tn_plan_form form = tn_plan_choose_form(TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false,
						     task->plan->total_changes);
	const struct tn_plan_conversation *conversation = NULL;
	struct tn_buf system, structured;

	if (!tn_plan_task_converse(task, false))
		return;
	if (task->conversation)
		conversation = task->conversation->value;
	tn_buf_init(&system, 64 * TN_KIB);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_plan_put_system_prompt(&system, task->plan->total_changes, form, TN_PLAN_NON_TECHNICAL);
	/* As it would leave the process, so that a person can look before it does. */
	tn_plan_put_context(&structured, task->plan, tn_buf_str(&system),
			    conversation ? conversation->turns : NULL,
			    conversation ? conversation->turn_count : 0,
			    tn_plan_shows_details(config, TN_PLAN_SOURCE_OPENAI));
	structured.failed |= system.failed;
	tn_buf_finish(&system);
	tn_plan_task_reply(task, NULL, &structured);
}

void tn_plan_call_context(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, true, ready);
}
