/* terraform_show_change: one entry with all its attributes (plan.md section 12). */
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/to_lines.h"
#include "apps/plan/mcp/tool_task.h"
#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

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

/* Two plans in one text have an object of this address each. */
static bool is_ambiguous(const struct tn_plan *plan, struct tn_str address)
{
	uint32_t first = find_change(plan, address, 0);

	for (uint32_t i = first; i < plan->change_count; i++)
		if (plan->changes[i].unit != plan->changes[first].unit &&
		    tn_str_equal(plan->changes[i].address, address))
			return true;
	return false;
}

static void ready(struct tn_plan_task *task)
{
	struct tn_str address = {NULL, 0};
	int64_t index = 0, offset = 0, limit = LIMIT_DEFAULT;
	bool by_address = tenon_call_bytes(task->call, "address", &address.data, &address.size);
	bool by_index = tenon_call_int(task->call, "index", &index);
	struct tn_buf text, structured;
	uint32_t change;

	if (by_address == by_index) {
		tn_plan_task_refuse(task, "arguments: send one of address and index");
		return;
	}
	if (by_address && is_ambiguous(task->plan, address)) {
		tn_plan_task_fail(task, "unknown_address",
				  "the text holds several plans, and more than one has that "
				  "address; send the index of the one that is meant",
				  NULL);
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
	if (!tn_call_says_all(task->call)) {                 /* the text is the same JSON */
		tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
		tn_plan_put_change_json(&structured, task->plan, change, (uint32_t)offset,
					(uint32_t)limit);
		tn_plan_task_reply(task, NULL, &structured);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_plan_put_change_lines(&text, task->plan, change, (uint32_t)offset, (uint32_t)limit);
	tn_call_begin_structured(task->call, &structured);
	tn_plan_put_change_json(&structured, task->plan, change, (uint32_t)offset, (uint32_t)limit);
	tn_plan_task_reply(task, &text, &structured);
}

void tn_plan_call_show_change(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
