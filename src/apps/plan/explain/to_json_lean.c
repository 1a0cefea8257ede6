/* The object of section 5 for a model (hosts.md HO-001, HO-003): no null, nothing at its default,
 * nothing twice. What is left out stands in the whole one, and terraform_show_change has all of a
 * change. */
#include <string.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* ---- small parts ---- */

static void put_text_if(struct tn_buf *out, const char *key, struct tn_str text)
{
	if (text.size > 0)
		tn_json_put_member_str(out, key, text);
}

static void put_true_if(struct tn_buf *out, const char *key, bool value)
{
	if (value)
		tn_json_put_member_bool(out, key, true);
}

static void put_count_if(struct tn_buf *out, const char *key, int64_t count)
{
	if (count > 0)
		tn_json_put_member_int(out, key, count);
}

static bool is_there(const struct tn_plan_value *value)
{
	return value->kind != TN_PLAN_VALUE_NONE && value->kind != TN_PLAN_VALUE_NULL;
}

/* True when it is cut here. */
static bool put_value_if(struct tn_buf *out, const char *key, const struct tn_plan_value *value)
{
	struct tn_str head = value->text;

	if (!is_there(value))
		return false;
	tn_json_put_key(out, key);
	if (value->kind == TN_PLAN_VALUE_STRING) {
		head = tn_utf8_cut(value->text, TN_PLAN_LEAN_VALUE_BYTES);
		tn_json_put_str(out, head);
	} else {
		tn_plan_put_json_value(out, value);
	}
	return head.size < value->text.size;
}

/* ---- attributes ---- */

/* What the two values say by themselves. */
static enum tn_plan_change told_change(const struct tn_plan_attribute *at, bool hidden)
{
	bool before = !hidden && is_there(&at->before);
	bool after = at->unknown || (!hidden && is_there(&at->after));

	if (before)
		return after ? TN_PLAN_ATTR_UPDATE : TN_PLAN_ATTR_REMOVE;
	return after ? TN_PLAN_ATTR_ADD : TN_PLAN_ATTR_UNCHANGED;
}

static void put_attribute(struct tn_buf *out, const struct tn_plan_attribute *at)
{
	bool hidden = at->sensitive || at->write_only, cut = false;

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "path", at->path);
	if (told_change(at, hidden) != at->change || at->change == TN_PLAN_ATTR_UNCHANGED)
		tn_json_put_member_text(out, "change", tn_plan_change_name(at->change));
	if (!hidden) {
		cut = put_value_if(out, "before", &at->before);
		cut = put_value_if(out, "after", &at->after) || cut;
	}
	put_true_if(out, "unknown", at->unknown);
	put_true_if(out, "sensitive", at->sensitive);
	put_true_if(out, "write_only", at->write_only);
	put_true_if(out, "forces_replacement", at->forces_replacement);
	put_true_if(out, "value_truncated", cut || at->before.truncated || at->after.truncated);
	tn_json_end_object(out);
}

static bool is_weighty(const struct tn_plan *plan, uint32_t change, uint32_t finding,
		       const struct tn_plan_attribute *at)
{
	if (at->forces_replacement)
		return true;
	for (uint32_t left = TN_PLAN_LEAN_FINDINGS;
	     left > 0 && finding < plan->finding_count && plan->findings[finding].change == change;
	     finding++, left--) {
		if (tn_str_equal(plan->findings[finding].path, at->path))
			return true;
	}
	return false;
}

bool tn_plan_attribute_weighs(const struct tn_plan *plan, uint32_t change,
			      const struct tn_plan_attribute *at)
{
	return is_weighty(plan, change, tn_plan_first_finding(plan, change), at);
}

/* At most `max` of them, and those that weigh; how many more there are is told. */
static void put_attributes(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			   const struct tn_plan_filter *filter, uint32_t max)
{
	const struct tn_plan_attributes *attributes = &plan->changes[change].attributes;
	bool unchanged = filter->detail == TN_PLAN_DETAIL_FULL;
	uint32_t shown = 0, more = 0, finding = tn_plan_first_finding(plan, change);

	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *at = &attributes->items[i];

		if (at->change == TN_PLAN_ATTR_UNCHANGED && !unchanged)
			continue;
		if (shown >= max && !is_weighty(plan, change, finding, at)) {
			more++;
			continue;
		}
		if (shown++ == 0) {
			tn_json_put_key(out, "attributes");
			tn_json_begin_array(out);
		}
		put_attribute(out, at);
	}
	if (shown > 0)
		tn_json_end_array(out);
	put_count_if(out, "attributes_more", more);
	put_count_if(out, "attributes_truncated", attributes->truncated);
}

/* ---- entries ---- */

static void put_identity(struct tn_buf *out, const struct tn_plan *plan, uint32_t change)
{
	const struct tn_plan_entry *entry = &plan->changes[change];

	tn_json_put_member_int(out, "index", (int64_t)change + 1);
	if (plan->unit_count > 1)
		tn_json_put_member_int(out, "unit", entry->unit);
	tn_json_put_member_str(out, "address", entry->address);
	tn_json_put_member_str(out, "type", entry->type);
	tn_json_put_member_str(out, "name", entry->name);
	put_text_if(out, "module", entry->module);
	put_text_if(out, "deposed", entry->deposed);
	put_text_if(out, "previous_address", entry->previous_address);
	put_text_if(out, "import_id", entry->import_id);
}

static void put_actions(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	const char *words[2];
	unsigned count = tn_plan_action_words(entry, words);

	tn_json_put_member_text(out, "action", tn_plan_action_name(entry->action));
	tn_json_put_key(out, "actions");
	tn_json_begin_array(out);
	for (unsigned i = 0; i < count; i++)
		tn_json_put_text(out, words[i]);
	tn_json_end_array(out);
}

/* Which attributes force a replacement is said of these. */
static bool is_told(const struct tn_plan_reason *reason)
{
	return strcmp(reason->code, "forces_replacement") != 0;
}

static void put_reasons(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	bool open = false;

	for (uint32_t i = 0; i < entry->reason_count; i++) {
		if (!is_told(&entry->reasons[i]))
			continue;
		if (!open) {
			tn_json_put_key(out, "reasons");
			tn_json_begin_array(out);
			open = true;
		}
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", entry->reasons[i].code);
		tn_json_end_object(out);
	}
	if (open)
		tn_json_end_array(out);
}

static uint32_t shown_entries(const struct tn_plan *plan, const struct tn_plan_filter *filter)
{
	uint32_t matched = tn_plan_count_matching(plan, filter);

	matched = matched > filter->offset ? matched - filter->offset : 0;
	return filter->limit && filter->limit < matched ? filter->limit : matched;
}

/* All of one change, a few of each of many. */
static uint32_t attributes_of_each(const struct tn_plan *plan, const struct tn_plan_filter *filter)
{
	uint32_t entries = shown_entries(plan, filter);
	uint32_t each = entries ? TN_PLAN_LEAN_ATTRIBUTES / entries : 0;

	if (filter->detail == TN_PLAN_DETAIL_FULL)
		return UINT32_MAX;
	return each < TN_PLAN_LEAN_ATTRIBUTES_MIN ? TN_PLAN_LEAN_ATTRIBUTES_MIN : each;
}

static void put_entries(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_filter *filter)
{
	uint32_t each = attributes_of_each(plan, filter), index = 0;

	tn_json_put_key(out, "resource_changes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->change_count && filter->detail != TN_PLAN_DETAIL_SUMMARY;
	     i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (!tn_plan_entry_matches(entry, filter) || index++ < filter->offset)
			continue;
		if (filter->limit && index - filter->offset > filter->limit)
			break;
		tn_json_begin_object(out);
		put_identity(out, plan, i);
		put_actions(out, entry);
		put_reasons(out, entry);
		put_attributes(out, plan, i, filter, each);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

/* ---- risk ---- */

static bool is_repeated(const struct tn_plan *plan, uint32_t finding)
{
	const struct tn_plan_finding *at = &plan->findings[finding];

	return finding > 0 && at[-1].change == at->change && strcmp(at[-1].id, at->id) == 0;
}

/* The evidence stands among the attributes. */
static void put_finding(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_finding *at)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", at->id);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(at->level));
	if (at->change != TN_PLAN_NO_CHANGE)
		tn_json_put_member_str(out, "address", plan->changes[at->change].address);
	tn_json_put_member_str(out, "title", at->title);
	put_text_if(out, "path", at->path);
	tn_json_end_object(out);
}

/* The worst first. */
static void put_risk(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "risk");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->risk));
	tn_json_put_key(out, "findings");
	tn_json_begin_array(out);
	for (int level = TN_PLAN_RISK_CRITICAL; level > TN_PLAN_RISK_NONE; level--)
		for (uint32_t i = 0; i < plan->finding_count; i++)
			if ((int)plan->findings[i].level == level && !is_repeated(plan, i))
				put_finding(out, plan, &plan->findings[i]);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

/* ---- the plan ---- */

static void put_outputs(struct tn_buf *out, const struct tn_plan *plan)
{
	if (plan->output_count == 0)
		return;
	tn_json_put_key(out, "outputs");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->output_count; i++) {
		const struct tn_plan_output *at = &plan->outputs[i];

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "name", at->name);
		tn_json_put_member_text(out, "action", tn_plan_action_name(at->action));
		put_true_if(out, "sensitive", at->sensitive);
		put_true_if(out, "unknown", at->unknown);
		if (!at->sensitive) {
			bool cut = put_value_if(out, "before", &at->before);

			cut = put_value_if(out, "after", &at->after) || cut;
			put_true_if(out, "value_truncated", cut);
		}
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_input(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "input");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", tn_plan_kind_name(plan->kind));
	tn_json_put_member_text(out, "tool", tn_plan_tool_name(plan->tool));
	put_text_if(out, "tool_version", plan->tool_version);
	put_true_if(out, "contains_apply", plan->contains_apply);
	put_true_if(out, "truncated", plan->truncated);
	tn_json_end_object(out);
}

static void put_summary(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "summary");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_put_key(out, "actions");
	tn_json_begin_object(out);
	for (unsigned i = 0; i < TN_PLAN_ACTION_COUNT; i++)
		put_count_if(out, tn_plan_action_name((enum tn_plan_action)i), plan->actions[i]);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static void put_page(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_filter *filter)
{
	uint32_t matched = tn_plan_count_matching(plan, filter);
	uint64_t next = (uint64_t)filter->offset + filter->limit;

	if (!filter->limit || next >= matched)
		return;
	tn_json_put_key(out, "page");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "matched", matched);
	tn_json_put_member_int(out, "next_offset", (int64_t)next);
	tn_json_end_object(out);
}

void tn_plan_put_lean_json(struct tn_buf *out, const struct tn_plan *plan,
			   const struct tn_plan_filter *filter)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "plan_id", plan->id[0] ? plan->id : NULL);
	put_input(out, plan);
	tn_json_put_member_text(out, "status", tn_plan_status_name(plan->status));
	tn_json_put_member_bool(out, "errored", plan->errored);
	if (plan->mode != TN_PLAN_NORMAL)
		tn_json_put_member_text(out, "mode", tn_plan_mode_name(plan->mode));
	put_entries(out, plan, filter);
	put_summary(out, plan);
	put_outputs(out, plan);
	tn_plan_put_rare_members(out, plan, filter);
	put_risk(out, plan);
	put_page(out, plan, filter);
	tn_json_end_object(out);
}
