/* explain_terraform_plan: the system prompt and the context document as messages, so that the
 * host's own model words the explanation (plan.md sections 10.5 and 12.4). */
#include "apps/plan/service/answer.h"
#include "apps/plan/mcp/app.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/mcp/tool_complete.h"
#include "apps/plan/mcp/tool_task.h"
#include "base/limits.h"

static void ready(struct tn_plan_task *task)
{
	struct tn_str wanted = tn_str_from(tenon_call_text(task->call, "audience"));
	enum tn_plan_audience audience = TN_PLAN_NON_TECHNICAL;
	enum tn_plan_form form = tn_plan_choose_form(TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false,
						     task->plan->total_changes);
	struct tn_buf system, document;

	if (wanted.data && !tn_plan_audience_from_name(wanted, &audience)) {
		tn_plan_task_refuse(task, "audience: send non_technical or developer");
		return;
	}
	tn_buf_init(&system, 64 * TN_KIB);
	tn_buf_init(&document, TN_RESULT_BYTES_MAX);
	tn_plan_put_system_prompt(&system, task->plan->total_changes, form, audience);
	tn_plan_put_context(&document, task->plan, tn_buf_str(&system), NULL, 0,
			    tn_plan_shows_details(&task->state->config, TN_PLAN_SOURCE_CLIENT));
	if (system.failed || document.failed) {
		tenon_call_fail(task->call, "The result is too large.");
	} else {
		tenon_call_set_description(task->call, "Explain this Terraform plan");
		tenon_call_add_text(task->call, system.data, system.size);
		tenon_call_add_text(task->call, document.data, document.size);
		tenon_call_finish(task->call);
	}
	tn_buf_finish(&system);
	tn_buf_finish(&document);
}

static void get_prompt(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_PROMPT, false, ready);
}

static const struct tenon_prompt_argument arguments[] = {
	{.name = "plan_id",
	 .title = "Plan",
	 .description = "Handle of a plan from an earlier result"},
	{.name = "plan_text",
	 .title = "Plan text",
	 .description = "Or what terraform plan printed"},
	{.name = "audience", .title = "Reader", .description = "non_technical or developer"},
};

const struct tenon_prompt tn_plan_prompt_explain = {
	.name = "explain_terraform_plan",
	.title = "Explain a Terraform plan",
	.description = "Explain in plain English what a Terraform or OpenTofu plan will do.",
	.arguments = arguments,
	.argument_count = sizeof(arguments) / sizeof(arguments[0]),
	.get = get_prompt,
	.complete = tn_plan_complete_id,
};
