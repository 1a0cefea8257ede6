/* terraform_compare: what differs between two plans (plan.md section 12). */
#include "apps/plan/app.h"
#include "apps/plan/compare.h"
#include "apps/plan/tool_schema.h"
#include "apps/plan/tool_task.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_PLAN_SOURCE_PROPERTIES ","
	"\"other_plan_id\":{\"type\":\"string\",\"description\":\"Handle of the plan to compare "
	"with\"},"
	"\"other_plan_text\":{\"type\":\"string\",\"description\":\"Or its text\"}"
	"},\"additionalProperties\":false}";

#define ENTRIES "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"address\"]}}"

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"identical\":" TN_SCHEMA_SWITCH ","
	"\"plan_id\":" TN_SCHEMA_TEXT_OR_NULL ",\"other_plan_id\":" TN_SCHEMA_TEXT_OR_NULL ","
	"\"total_changes\":" TN_SCHEMA_COUNT ",\"other_total_changes\":" TN_SCHEMA_COUNT ","
	"\"counts\":" TN_SCHEMA_ACTIONS ",\"added\":" ENTRIES ",\"removed\":" ENTRIES ","
	"\"changed\":" ENTRIES "},"
	"\"anyOf\":[{\"required\":[\"identical\",\"counts\",\"added\",\"removed\",\"changed\"]},{"
	"\"required\":[\"error\"]}]}";

static void both_ready(struct tn_plan_task *task)
{
	const struct tn_plan *other = task->other->value;
	struct tenon_error err = {0};
	struct tn_buf text, structured;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	if (tn_plan_put_compare_text(&text, task->plan, other, &err) != TENON_OK ||
	    tn_plan_put_compare_json(&structured, task->plan, other, &err) != TENON_OK)
		structured.failed = true; /* no memory: the reply says it is too large */
	tn_plan_task_reply(task, &text, &structured);
}

static void ready(struct tn_plan_task *task)
{
	tn_plan_task_read_other(task, both_ready);
}

static void call_compare(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}

const struct tenon_tool tn_plan_tool_compare = {
	.name = "terraform_compare",
	.title = "Compare two Terraform plans",
	.description =
		"Compares two plans entry by entry: which changes were added, which are gone, and "
		"which attributes differ.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_compare,
};
