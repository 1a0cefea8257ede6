/* terraform_show_change: one entry with all its attributes (plan.md section 12). */
#include "apps/plan/app.h"
#include "apps/plan/to_json.h"
#include "apps/plan/tool_schema.h"
#include "apps/plan/tool_task.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_PLAN_SOURCE_PROPERTIES ","
	"\"address\":{\"type\":\"string\",\"description\":\"The exact address, index included\"},"
	"\"index\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":4294967295,"
	"\"description\":\"The entry's index in the result of terraform_parse, from 1\"},"
	"\"offset\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295,\"default\":0,"
	"\"description\":\"Attributes to pass over\"},"
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":200,"
	"\"description\":\"Attributes to return\"}"
	"},\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_SCHEMA_ENTRY_MEMBERS
	",\"total_attributes\":" TN_SCHEMA_COUNT
	"},\"anyOf\":[{\"required\":[" TN_SCHEMA_ENTRY_REQUIRED "]},{\"required\":[\"error\"]}]}";

enum { LIMIT_DEFAULT = 200 };

/* The entry asked for; change_count when there is none. A deposed object shares its address with
 * the current one, which comes first in the plan; its index tells it apart. */
static uint32_t find_change(const struct tn_plan *plan, struct tn_str address, int64_t index)
{
	if (!address.data)
		return index <= plan->change_count ? (uint32_t)index - 1 : plan->change_count;
	for (uint32_t i = 0; i < plan->change_count; i++) {
		if (tn_str_equal(plan->changes[i].address, address))
			return i;
	}
	return plan->change_count;
}

static void ready(struct tn_plan_task *task)
{
	struct tn_str address = {NULL, 0};
	int64_t index = 0, offset = 0, limit = LIMIT_DEFAULT;
	bool by_address = tenon_call_bytes(task->call, "address", &address.data, &address.size);
	bool by_index = tenon_call_int(task->call, "index", &index);
	struct tn_buf structured;
	uint32_t change;

	if (by_address == by_index) {
		tn_plan_task_refuse(task, "arguments: send one of address and index");
		return;
	}
	change = find_change(task->plan, address, index);
	if (change == task->plan->change_count) {
		tn_plan_task_fail(task, "unknown_address", "no entry of this plan has that address",
				  NULL);
		return;
	}
	(void)tenon_call_int(task->call, "offset", &offset); /* absent: 0 */
	(void)tenon_call_int(task->call, "limit", &limit);   /* absent: the default */
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_plan_put_change_json(&structured, task->plan, change, (uint32_t)offset, (uint32_t)limit);
	tn_plan_task_reply(task, NULL, &structured);
}

static void call_show_change(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}

const struct tenon_tool tn_plan_tool_show_change = {
	.name = "terraform_show_change",
	.title = "One change of a Terraform plan",
	.description = "Shows one entry of a plan, by address or index, with every attribute that "
		       "changes: "
		       "its path, the value before and after, and whether it forces replacement. "
		       "Sensitive values are never shown.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_show_change,
};
