/* terraform_risk: what may go wrong, by rules only (plan.md section 8). */
#include "apps/plan/app.h"
#include "apps/plan/names.h"
#include "apps/plan/risk_text.h"
#include "apps/plan/tool_schema.h"
#include "apps/plan/tool_task.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_PLAN_SOURCE_PROPERTIES ","
	"\"min_level\":{\"enum\":[\"none\",\"low\",\"medium\",\"high\",\"critical\"],"
	"\"default\":\"low\",\"description\":\"Leave out findings below this level\"}"
	"},\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"plan_id\":" TN_SCHEMA_TEXT ","
	"\"level\":" TN_SCHEMA_LEVEL ",\"findings\":" TN_SCHEMA_FINDINGS ","
	"\"counts\":" TN_SCHEMA_ACTIONS ",\"total_findings\":" TN_SCHEMA_COUNT
	",\"total_changes\":" TN_SCHEMA_COUNT "},"
	"\"anyOf\":[{\"required\":[\"plan_id\",\"level\",\"findings\",\"counts\"]},{\"required\":["
	"\"error\"]}]}";

static void ready(struct tn_plan_task *task)
{
	enum tn_plan_risk least = TN_PLAN_RISK_LOW;
	struct tn_buf text, structured;

	(void)tn_plan_risk_from_name(tn_str_from(tenon_call_text(task->call, "min_level")),
				     &least); /* absent: low */
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_plan_put_risk_text(&text, task->plan, least);
	tn_plan_put_risk_json(&structured, task->plan, least);
	tn_plan_task_reply(task, &text, &structured);
}

static void call_risk(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}

const struct tenon_tool tn_plan_tool_risk = {
	.name = "terraform_risk",
	.title = "Risks of a Terraform plan",
	.description =
		"Lists what may go wrong when the plan is applied: lost data, open firewalls, "
		"public data, permissions, downtime and more, each with its level and evidence. "
		"Decided by fixed rules, never by a model.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_risk,
};
