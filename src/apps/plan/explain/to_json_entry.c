/* to_json_entry.c - the changes of a plan as JSON: all of them, one alone, or few words of each. */
#include <string.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/to_json_parts.h"
#include "jsonrpc/json_write.h"

/* ---- one of them ---- */

static const char *entry_mode(const struct tn_plan_entry *entry)
{
	if (entry->is_data)
		return "data";
	return "managed";
}

static void put_key(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	tn_json_put_key(out, "key");
	if (entry->key_kind == TN_PLAN_KEY_INT)
		tn_json_put_raw(out, entry->key_text);
	else if (entry->key_kind == TN_PLAN_KEY_STRING)
		tn_json_put_str(out, entry->key_text);
	else
		tn_json_put_null(out);
}

static void put_identity(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	tn_json_put_member_int(out, "unit", entry->unit);
	tn_json_put_key(out, "lines");
	if (entry->line_first > 0) {
		tn_json_begin_array(out);
		tn_json_put_int(out, entry->line_first);
		tn_json_put_int(out, entry->line_last);
		tn_json_end_array(out);
	} else {
		tn_json_put_null(out);
	}
	tn_json_put_member_str(out, "address", entry->address);
	tn_plan_to_json_member(out, "module", entry->module);
	tn_json_put_member_text(out, "mode", entry_mode(entry));
	tn_json_put_member_str(out, "type", entry->type);
	tn_json_put_member_str(out, "name", entry->name);
	put_key(out, entry);
	tn_plan_to_json_member(out, "deposed", entry->deposed);
	tn_plan_to_json_member(out, "previous_address", entry->previous_address);
	tn_plan_to_json_member(out, "import_id", entry->import_id);
}

static void put_reasons(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	tn_json_put_key(out, "reasons");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < entry->reason_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", entry->reasons[i].code);
		tn_plan_to_json_member(out, "text", entry->reasons[i].text);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

uint32_t tn_plan_first_finding(const struct tn_plan *plan, uint32_t change)
{
	uint32_t low = 0, high = plan->finding_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (plan->findings[middle].change < change)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void put_entry_risk(struct tn_buf *out, const struct tn_plan *plan, uint32_t change)
{
	uint32_t at = tn_plan_first_finding(plan, change);
	const char *last = NULL;

	tn_json_put_key(out, "risk");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->changes[change].risk));
	tn_json_put_key(out, "codes");
	tn_json_begin_array(out);
	for (; at < plan->finding_count && plan->findings[at].change == change; at++) {
		if (last && strcmp(last, plan->findings[at].id) == 0)
			continue; /* found twice, told once */
		last = plan->findings[at].id;
		tn_json_put_text(out, last);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

/* Returns how many attributes it has by the range's measure. */
static uint32_t put_entry_members(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
				  const struct tn_plan_to_json_range *range)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	uint32_t total;

	tn_json_put_member_int(out, "index", (int64_t)change + 1);
	put_identity(out, entry);
	tn_plan_to_json_actions(out, entry);
	tn_json_put_member_text(out, "replace_order", tn_plan_order_name(entry->order));
	put_reasons(out, entry);
	total = tn_plan_to_json_attributes(out, &entry->attributes, range);
	tn_json_put_member_int(out, "attributes_truncated", entry->attributes.truncated);
	tn_json_put_key(out, "hidden");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "attributes", entry->hidden_attributes);
	tn_json_put_member_int(out, "blocks", entry->hidden_blocks);
	tn_json_put_member_int(out, "elements", entry->hidden_elements);
	tn_json_end_object(out);
	put_entry_risk(out, plan, change);
	return total;
}

/* ---- those that match ---- */

bool tn_plan_entry_matches(const struct tn_plan_entry *entry, const struct tn_plan_filter *filter)
{
	return (filter->actions == 0 || (filter->actions & (1u << entry->action)) != 0) &&
	       entry->risk >= filter->min_risk &&
	       tn_str_starts(entry->address, filter->address_prefix);
}

uint32_t tn_plan_count_matching(const struct tn_plan *plan, const struct tn_plan_filter *filter)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->change_count; i++)
		count += tn_plan_entry_matches(&plan->changes[i], filter);
	return count;
}

void tn_plan_to_json_entries(struct tn_buf *out, const struct tn_plan *plan,
			     const struct tn_plan_filter *filter)
{
	const struct tn_plan_to_json_range page = {.offset = filter->offset,
						   .limit = filter->limit};
	const struct tn_plan_to_json_range attributes = {
		.unchanged = filter->detail == TN_PLAN_DETAIL_FULL, .redact = filter->redact};
	uint32_t index = 0;

	tn_json_put_key(out, "resource_changes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->change_count && filter->detail != TN_PLAN_DETAIL_SUMMARY;
	     i++) {
		if (!tn_plan_entry_matches(&plan->changes[i], filter) ||
		    !tn_plan_to_json_in_range(&page, index++))
			continue;
		tn_json_begin_object(out);
		(void)put_entry_members(out, plan, i, &attributes);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

void tn_plan_put_actions_object(struct tn_buf *out, const struct tn_plan *plan)
{
	static const enum tn_plan_action order[] = {TN_PLAN_CREATE,  TN_PLAN_UPDATE, TN_PLAN_DELETE,
						    TN_PLAN_REPLACE, TN_PLAN_FORGET, TN_PLAN_IMPORT,
						    TN_PLAN_MOVE,    TN_PLAN_READ};

	tn_json_begin_object(out);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		tn_json_put_member_int(out, tn_plan_action_name(order[i]), plan->actions[order[i]]);
	if (plan->actions[TN_PLAN_ACTION_UNKNOWN] > 0)
		tn_json_put_member_int(out, "unknown", plan->actions[TN_PLAN_ACTION_UNKNOWN]);
	tn_json_end_object(out);
}

void tn_plan_to_json_summary(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "summary");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_put_key(out, "actions");
	tn_plan_put_actions_object(out, plan);
	tn_json_end_object(out);
}

void tn_plan_put_compact_json(struct tn_buf *out, const struct tn_plan *plan,
			      const struct tn_plan_filter *filter)
{
	const struct tn_plan_to_json_range page = {.offset = filter->offset,
						   .limit = filter->limit};
	uint32_t index = 0;

	tn_json_begin_object(out);
	tn_json_put_key(out, "resource_changes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->change_count && filter->detail != TN_PLAN_DETAIL_SUMMARY;
	     i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (!tn_plan_entry_matches(entry, filter) ||
		    !tn_plan_to_json_in_range(&page, index++))
			continue;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", entry->address);
		tn_json_put_member_str(out, "type", entry->type);
		tn_json_put_member_str(out, "name", entry->name);
		tn_plan_to_json_actions(out, entry);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_plan_to_json_summary(out, plan);
	tn_json_end_object(out);
}

void tn_plan_put_change_json(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			     uint32_t offset, uint32_t limit)
{
	const struct tn_plan_to_json_range range = {
		.offset = offset, .limit = limit, .unchanged = true};
	uint32_t total;

	tn_json_begin_object(out);
	total = put_entry_members(out, plan, change, &range);
	tn_json_put_member_int(out, "total_attributes", total);
	tn_json_end_object(out);
}
