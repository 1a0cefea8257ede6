/* terraform_context: the one document a model would get (plan.md section 9). */
#include "apps/plan/answer.h"
#include "apps/plan/app.h"
#include "apps/plan/context.h"
#include "apps/plan/tool_schema.h"
#include "apps/plan/tool_task.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_PLAN_SOURCE_PROPERTIES ","
	"\"conversation_id\":{\"type\":\"string\",\"description\":\"Its last two turns become the "
	"document's history\"}"
	"},\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"mcp_version\":{\"const\":\"1.0\"},"
	"\"system\":" TN_SCHEMA_TEXT ","
	"\"tool_output\":{\"type\":\"array\",\"items\":" TN_SCHEMA_TEXT ",\"maxItems\":10},"
	"\"history\":{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":\"object\","
	"\"properties\":{\"role\":{\"enum\":[\"user\",\"assistant\"]},\"content\":" TN_SCHEMA_TEXT
	"},"
	"\"required\":[\"role\",\"content\"],\"additionalProperties\":false}}},"
	"\"anyOf\":[{\"required\":[\"mcp_version\",\"system\",\"tool_output\",\"history\"]},"
	"{\"required\":[\"error\"]}]}";

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

static void call_context(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, true, ready);
}

const struct tenon_tool tn_plan_tool_context = {
	.name = "terraform_context",
	.title = "What a model would be told",
	.description = "Returns the JSON document that a language model gets when it words an "
		       "explanation: "
		       "nothing else about the plan ever leaves the process.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_context,
};
