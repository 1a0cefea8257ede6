/* terraform_parse: what a plan changes, as data (plan.md sections 5 and 12). */
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/to_lines.h"
#include "apps/plan/mcp/tool_task.h"
#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "mcp/call.h"
#include "mcp/fit.h"
#include "mcp/room.h"

enum { LIMIT_DEFAULT = 200 };

static uint32_t number_argument(const struct tenon_call *call, const char *name, uint32_t fallback)
{
	int64_t value = fallback;

	(void)tenon_call_int(call, name, &value); /* absent: the fallback stays */
	return (uint32_t)value;
}

static enum tn_plan_detail detail_argument(const struct tenon_call *call)
{
	struct tn_str detail = tn_str_from(tenon_call_text(call, "detail"));

	if (tn_str_is(detail, "summary"))
		return TN_PLAN_DETAIL_SUMMARY;
	return tn_str_is(detail, "full") ? TN_PLAN_DETAIL_FULL : TN_PLAN_DETAIL_CHANGES;
}

/* Bits of the actions asked for; 0 when the argument is absent. An empty list selects nothing, so
 * it becomes a bit that no entry has. */
static uint32_t actions_argument(const struct tenon_call *call)
{
	const struct tn_json *list = tn_json_get(tn_call_arguments(call), "actions");
	const struct tn_json *word;
	enum tn_plan_action action;
	uint32_t bits = 0;
	struct tn_str text;

	if (!list)
		return 0;
	for (word = list->count ? list->first : NULL; word; word = word->next) {
		if (tn_json_to_str(word, &text) && tn_plan_action_from_name(text, &action))
			bits |= 1u << action;
	}
	return bits ? bits : 1u << TN_PLAN_ACTION_COUNT;
}

/* ---- the answer ---- */

struct answer {
	struct tn_buf text, more, structured;
};

static void finish(struct answer *answer)
{
	tn_buf_finish(&answer->text);
	tn_buf_finish(&answer->more);
	tn_buf_finish(&answer->structured);
}

/* A model gets lines, which have all that the data has for it; others the object that the contract
 * names (section 12) before them. */
static void put_answer(struct tn_plan_task *task, const struct tn_plan_filter *filter,
		       struct answer *ret)
{
	struct tenon_call *call = task->call;

	tn_buf_init(&ret->text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&ret->more, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(call, &ret->structured);
	if (tn_call_is_for_model(call)) {
		tn_plan_put_lines(&ret->text, task->plan, filter);
	} else {
		tn_plan_put_compact_json(&ret->text, task->plan, filter);
		tn_plan_put_entry_lines(&ret->more, task->plan, filter);
	}
	if (tn_call_is_lean(call))
		tn_plan_put_lean_json(&ret->structured, task->plan, filter);
	else
		tn_plan_put_json(&ret->structured, task->plan, filter);
}

static void ready(struct tn_plan_task *task)
{
	struct tenon_call *call = task->call;
	struct tn_plan_filter filter = {
		.detail = detail_argument(call),
		.offset = number_argument(call, "offset", 0),
		.limit = number_argument(call, "limit", LIMIT_DEFAULT),
		.actions = actions_argument(call),
		.address_prefix = tn_str_from(tenon_call_text(call, "address_prefix"))};
	struct answer answer;

	/* Absent or checked by the schema: the filter keeps NONE otherwise. */
	(void)tn_plan_risk_from_name(tn_str_from(tenon_call_text(call, "min_risk")),
				     &filter.min_risk);
	put_answer(task, &filter, &answer);
	/* Both say where the next page begins. */
	while (tn_room_lacks(call, &answer.text, &answer.structured, &filter.limit)) {
		finish(&answer);
		put_answer(task, &filter, &answer);
	}
	tn_plan_task_reply_with(task, &answer.text, &answer.more, &answer.structured);
}

void tn_plan_call_parse(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
