/* terraform_parse: what a plan changes, as data (plan.md sections 5 and 12). */
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/mcp/tool_task.h"
#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mcp/call.h"
#include "mcp/fit.h"

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

/* ---- what the compact text leaves out ---- */

enum { PATHS_MAX = 16, PATHS_MIN = 4, PATHS_OF_ALL = 80, LINES_BYTES_MAX = 24 * TN_KIB };

static void put_paths(struct tn_buf *out, const struct tn_plan_attributes *attributes, uint32_t max)
{
	uint32_t shown = 0, changed = 0;

	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *at = &attributes->items[i];

		if (at->change == TN_PLAN_ATTR_UNCHANGED ||
		    (changed++ >= max && !at->forces_replacement))
			continue;
		tn_buf_append_text(out, shown++ ? ", " : ": ");
		tn_utf8_put_line(out, at->path);
		if (at->forces_replacement)
			tn_buf_append_text(out, " (forces replacement)");
	}
	changed += attributes->truncated;
	if (changed > shown)
		tn_buf_format(out, " and %u more", changed - shown);
}

/* Of many entries a few each (hosts.md HO-003). */
static uint32_t paths_of_each(const struct tn_plan *plan, const struct tn_plan_filter *filter)
{
	uint32_t entries = tn_plan_count_matching(plan, filter);
	uint32_t each = entries ? PATHS_OF_ALL / entries : PATHS_MAX;

	if (each > PATHS_MAX)
		return PATHS_MAX;
	return each < PATHS_MIN ? PATHS_MIN : each;
}

/* A line for each entry shown, with its index for terraform_show_change: its risk, and the paths
 * that change. */
static void put_lines(struct tn_buf *out, const struct tn_plan *plan,
		      const struct tn_plan_filter *filter)
{
	uint32_t index = 0, max = paths_of_each(plan, filter);

	if (filter->detail == TN_PLAN_DETAIL_SUMMARY)
		return;
	for (uint32_t i = 0; i < plan->change_count && out->size < LINES_BYTES_MAX; i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (!tn_plan_entry_matches(entry, filter) || index++ < filter->offset)
			continue;
		if (filter->limit != 0 && index - filter->offset > filter->limit)
			break;
		tn_buf_format(out, "%s%u ", out->size ? "\n" : "", i + 1);
		tn_utf8_put_line(out, entry->address);
		if (entry->risk != TN_PLAN_RISK_NONE)
			tn_buf_format(out, " [risk %s]", tn_plan_risk_name(entry->risk));
		put_paths(out, &entry->attributes, max);
	}
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
	struct tn_buf text, more, structured;

	/* Absent or checked by the schema: the filter keeps NONE otherwise. */
	(void)tn_plan_risk_from_name(tn_str_from(tenon_call_text(call, "min_risk")),
				     &filter.min_risk);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(call, &structured);
	tn_plan_put_compact_json(&text, task->plan, &filter);
	if (tn_call_is_lean(call))
		tn_plan_put_lean_json(&structured, task->plan, &filter);
	else
		tn_plan_put_json(&structured, task->plan, &filter);
	tn_buf_init(&more, TN_RESULT_BYTES_MAX);
	put_lines(&more, task->plan, &filter);
	tn_plan_task_reply_with(task, &text, &more, &structured);
}

void tn_plan_call_parse(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
