#include "apps/plan/explain/to_json.h"

#include <string.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/vocabulary.h"
#include "jsonrpc/json_write.h"

enum { CLEANUP_BITS = 18 };

/* ---- small parts ---- */

void tn_plan_put_json_text(struct tn_buf *out, struct tn_str text)
{
	if (text.data)
		tn_json_put_str(out, text);
	else
		tn_json_put_null(out);
}

static void put_member(struct tn_buf *out, const char *key, struct tn_str text)
{
	tn_json_put_key(out, key);
	tn_plan_put_json_text(out, text);
}

void tn_plan_put_json_value(struct tn_buf *out, const struct tn_plan_value *value)
{
	switch ((enum tn_plan_value_kind)value->kind) {
	case TN_PLAN_VALUE_STRING:
		tn_json_put_str(out, value->text);
		break;
	case TN_PLAN_VALUE_NUMBER:
	case TN_PLAN_VALUE_BOOL:
	case TN_PLAN_VALUE_JSON:
		tn_json_put_raw(out, value->text);
		break;
	case TN_PLAN_VALUE_NONE:
	case TN_PLAN_VALUE_NULL:
		tn_json_put_null(out);
		break;
	}
}

/* A string without its secrets. */
static void put_redacted(struct tn_buf *out, struct tn_str text)
{
	struct tn_buf clean;

	tn_buf_init(&clean, out->limit);
	tn_plan_redact(&clean, text);
	if (clean.failed)
		out->failed = true;
	else
		tn_json_put_str(out, tn_buf_str(&clean));
	tn_buf_finish(&clean);
}

static void put_value(struct tn_buf *out, const char *key, const struct tn_plan_value *value,
		      bool hidden, bool redact)
{
	tn_json_put_key(out, key);
	if (hidden)
		tn_json_put_null(out);
	else if (redact && value->kind == TN_PLAN_VALUE_STRING)
		put_redacted(out, value->text);
	else
		tn_plan_put_json_value(out, value);
}

static void put_text_list(struct tn_buf *out, const char *key, const char *const *words,
			  unsigned count)
{
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	for (unsigned i = 0; i < count; i++)
		tn_json_put_text(out, words[i]);
	tn_json_end_array(out);
}

static void put_actions(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	const char *words[2];
	unsigned count = tn_plan_action_words(entry, words);

	tn_json_put_member_text(out, "action", tn_plan_action_name(entry->action));
	put_text_list(out, "actions", words, count);
}

/* ---- attributes ---- */

static void put_attribute(struct tn_buf *out, const struct tn_plan_attribute *attribute,
			  bool redact)
{
	bool hidden = attribute->sensitive || attribute->write_only ||
		      (redact &&
		       tn_plan_is_hidden(attribute->path, &attribute->before, &attribute->after));

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "path", attribute->path);
	tn_json_put_member_text(out, "change", tn_plan_change_name(attribute->change));
	put_value(out, "before", &attribute->before, hidden, redact);
	put_value(out, "after", &attribute->after, hidden, redact);
	tn_json_put_member_bool(out, "unknown", attribute->unknown);
	tn_json_put_member_bool(out, "sensitive", attribute->sensitive);
	tn_json_put_member_bool(out, "write_only", attribute->write_only);
	tn_json_put_member_bool(out, "forces_replacement", attribute->forces_replacement);
	tn_json_put_member_bool(out, "multiline", attribute->multiline);
	if (attribute->before.truncated || attribute->after.truncated)
		tn_json_put_member_bool(out, "value_truncated", true);
	tn_json_end_object(out);
}

struct range {
	uint32_t offset, limit; /* limit 0: none */
	bool unchanged;         /* these too */
	bool redact;
};

static bool in_range(const struct range *range, uint32_t index)
{
	return index >= range->offset &&
	       (range->limit == 0 || index - range->offset < range->limit);
}

/* Returns how many there are, in or out of the range. */
static uint32_t put_attributes(struct tn_buf *out, const struct tn_plan_attributes *attributes,
			       const struct range *range)
{
	uint32_t index = 0;

	tn_json_put_key(out, "attributes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *attribute = &attributes->items[i];

		if (attribute->change == TN_PLAN_ATTR_UNCHANGED && !range->unchanged)
			continue;
		if (in_range(range, index++))
			put_attribute(out, attribute, range->redact);
	}
	tn_json_end_array(out);
	return index;
}

/* ---- entries ---- */

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
	put_member(out, "module", entry->module);
	tn_json_put_member_text(out, "mode", entry_mode(entry));
	tn_json_put_member_str(out, "type", entry->type);
	tn_json_put_member_str(out, "name", entry->name);
	put_key(out, entry);
	put_member(out, "deposed", entry->deposed);
	put_member(out, "previous_address", entry->previous_address);
	put_member(out, "import_id", entry->import_id);
}

static void put_reasons(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	tn_json_put_key(out, "reasons");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < entry->reason_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", entry->reasons[i].code);
		put_member(out, "text", entry->reasons[i].text);
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
				  const struct range *range)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	uint32_t total;

	tn_json_put_member_int(out, "index", (int64_t)change + 1);
	put_identity(out, entry);
	put_actions(out, entry);
	tn_json_put_member_text(out, "replace_order", tn_plan_order_name(entry->order));
	put_reasons(out, entry);
	total = put_attributes(out, &entry->attributes, range);
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

static void put_entries(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_filter *filter)
{
	const struct range page = {.offset = filter->offset, .limit = filter->limit};
	const struct range attributes = {.unchanged = filter->detail == TN_PLAN_DETAIL_FULL,
					 .redact = filter->redact};
	uint32_t index = 0;

	tn_json_put_key(out, "resource_changes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->change_count && filter->detail != TN_PLAN_DETAIL_SUMMARY;
	     i++) {
		if (!tn_plan_entry_matches(&plan->changes[i], filter) || !in_range(&page, index++))
			continue;
		tn_json_begin_object(out);
		(void)put_entry_members(out, plan, i, &attributes);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

/* ---- the plan ---- */

static void put_input(struct tn_buf *out, const struct tn_plan *plan)
{
	const char *steps[CLEANUP_BITS];
	unsigned count = 0;

	for (unsigned bit = 0; bit < CLEANUP_BITS; bit++)
		if (plan->normalised & (1u << bit))
			steps[count++] = tn_plan_cleanup_name(1u << bit);
	tn_json_put_key(out, "input");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", tn_plan_kind_name(plan->kind));
	tn_json_put_member_text(out, "tool", tn_plan_tool_name(plan->tool));
	put_member(out, "tool_version", plan->tool_version);
	tn_json_put_member_text(out, "format", tn_plan_format_name(plan->format));
	tn_json_put_member_int(out, "bytes", (int64_t)plan->bytes);
	tn_json_put_member_text(out, "encoding", plan->encoding);
	tn_json_put_member_text(out, "sha256", plan->sha256);
	put_text_list(out, "normalised", steps, count);
	tn_json_put_member_bool(out, "contains_apply", plan->contains_apply);
	tn_json_put_member_bool(out, "truncated", plan->truncated);
	tn_json_end_object(out);
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

static void put_summary(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "summary");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_put_key(out, "actions");
	tn_plan_put_actions_object(out, plan);
	tn_json_end_object(out);
}

static void put_count(struct tn_buf *out, const char *key, int64_t count)
{
	if (count < 0)
		tn_json_put_member_null(out, key);
	else
		tn_json_put_member_int(out, key, count);
}

/* Imports that are not printed are none (plan.md section 6.2); other absent fields are unknown. */
static void put_plan_line(struct tn_buf *out, const struct tn_plan_line *line)
{
	tn_json_put_key(out, "plan_line");
	if (!line->present) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "import", line->import < 0 ? 0 : line->import);
	put_count(out, "add", line->add);
	put_count(out, "change", line->change);
	put_count(out, "destroy", line->destroy);
	put_count(out, "forget", line->forget);
	put_count(out, "invoke", line->invoke);
	tn_json_end_object(out);
}

static void put_mismatches(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "mismatches");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->mismatch_count; i++) {
		const struct tn_plan_mismatch *mismatch = &plan->mismatches[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "field", mismatch->field);
		tn_json_put_member_int(out, "unit", mismatch->unit);
		tn_json_put_member_int(out, "stated", mismatch->stated);
		tn_json_put_member_int(out, "counted", mismatch->counted);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_consistency(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "consistent");
	if (plan->consistent < 0)
		tn_json_put_null(out);
	else
		tn_json_put_bool(out, plan->consistent > 0);
	put_mismatches(out, plan);
	tn_json_put_member_text(out, "confidence", tn_plan_confidence_name(plan->confidence));
}

static void put_outputs(struct tn_buf *out, const struct tn_plan *plan, bool redact)
{
	tn_json_put_key(out, "outputs");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->output_count; i++) {
		const struct tn_plan_output *output = &plan->outputs[i];
		bool hidden = output->sensitive ||
			      (redact &&
			       tn_plan_is_hidden(output->name, &output->before, &output->after));

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "name", output->name);
		tn_json_put_member_text(out, "action", tn_plan_action_name(output->action));
		tn_json_put_member_bool(out, "sensitive", output->sensitive);
		put_value(out, "before", &output->before, hidden, redact);
		put_value(out, "after", &output->after, hidden, redact);
		tn_json_put_member_bool(out, "unknown", output->unknown);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_drift(struct tn_buf *out, const struct tn_plan *plan,
		      const struct tn_plan_filter *filter)
{
	const struct range range = {.unchanged = filter->detail == TN_PLAN_DETAIL_FULL,
				    .redact = filter->redact};
	static const struct tn_plan_attributes none;

	tn_json_put_key(out, "drift");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->drift_count; i++) {
		const struct tn_plan_drift *drift = &plan->drift[i];

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", drift->address);
		put_member(out, "previous_address", drift->previous_address);
		tn_json_put_member_text(out, "action", tn_plan_action_name(drift->action));
		(void)put_attributes(
			out, filter->detail == TN_PLAN_DETAIL_SUMMARY ? &none : &drift->attributes,
			&range);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_deferred(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "deferred");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->deferred_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", plan->deferred[i].address);
		tn_json_put_member_text(out, "action",
					tn_plan_action_name(plan->deferred[i].action));
		tn_json_put_member_text(out, "reason", plan->deferred[i].reason);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "invocations");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->invocation_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", plan->invocations[i].address);
		tn_json_put_member_text(out, "when", plan->invocations[i].when);
		put_member(out, "resource", plan->invocations[i].resource);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_diagnostic(struct tn_buf *out, const struct tn_plan_diagnostic *diagnostic,
			   bool redact)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "severity", diagnostic->severity);
	tn_json_put_key(out, "summary");
	if (redact)
		put_redacted(out, diagnostic->summary);
	else
		tn_json_put_str(out, diagnostic->summary);
	put_member(out, "address", diagnostic->address);
	put_member(out, "file", diagnostic->file);
	put_count(out, "line", diagnostic->line ? (int64_t)diagnostic->line : -1);
	tn_json_put_key(out, "detail");
	if (redact && diagnostic->detail.data)
		put_redacted(out, diagnostic->detail);
	else
		tn_plan_put_json_text(out, diagnostic->detail);
	tn_json_put_member_text(out, "phase", diagnostic->in_apply ? "apply" : "plan");
	tn_json_end_object(out);
}

static void put_units(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_key(out, "units");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->unit_count; i++) {
		const struct tn_plan_unit *unit = &plan->units[i];

		tn_json_begin_object(out);
		tn_json_put_member_int(out, "index", i);
		put_member(out, "label", unit->label);
		tn_json_put_member_int(out, "total_changes", unit->total_changes);
		put_plan_line(out, &unit->plan_line);
		tn_json_put_member_bool(out, "truncated", unit->truncated);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

void tn_plan_put_warnings_array(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->warning_count; i++) {
		const struct tn_plan_warning *warning = &plan->warnings[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", warning->code);
		tn_json_put_member_str(out, "message", warning->message);
		put_count(out, "line", warning->line ? (int64_t)warning->line : -1);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_page(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_filter *filter)
{
	uint32_t matched = tn_plan_count_matching(plan, filter);
	uint64_t next = (uint64_t)filter->offset + filter->limit;

	tn_json_put_key(out, "page");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "offset", filter->offset);
	put_count(out, "limit", filter->limit ? (int64_t)filter->limit : -1);
	tn_json_put_member_int(out, "matched", matched);
	put_count(out, "next_offset", filter->limit && next < matched ? (int64_t)next : -1);
	tn_json_end_object(out);
}

/* Which of several plans in one text: addresses alone do not tell. */
static void put_finding_unit(struct tn_buf *out, const struct tn_plan *plan,
			     const struct tn_plan_finding *finding)
{
	struct tn_buf unit;

	if (finding->change == TN_PLAN_NO_CHANGE)
		return;
	tn_buf_init(&unit, out->limit);
	tn_plan_put_unit(&unit, plan, plan->changes[finding->change].unit, "");
	tn_buf_inherit_failure(out, &unit);
	if (unit.size > 0)
		tn_json_put_member_str(out, "unit", tn_buf_str(&unit));
	tn_buf_finish(&unit);
}

/* Evidence is a copy of attribute values, so it obeys the same rules. */
static void put_finding(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_finding *finding, bool redact)
{
	bool whole = finding->change == TN_PLAN_NO_CHANGE;
	bool hidden = redact && tn_plan_is_hidden(finding->path, &finding->before, &finding->after);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", finding->id);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(finding->level));
	put_member(out, "address",
		   whole ? tn_str(NULL, 0) : plan->changes[finding->change].address);
	put_finding_unit(out, plan, finding);
	tn_json_put_member_str(out, "title", finding->title);
	tn_json_put_member_str(out, "detail", finding->detail);
	tn_json_put_key(out, "evidence");
	if (finding->path.data) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "path", finding->path);
		put_value(out, "before", &finding->before, hidden, redact);
		put_value(out, "after", &finding->after, hidden, redact);
		tn_json_end_object(out);
	} else {
		tn_json_put_null(out);
	}
	tn_json_end_object(out);
}

/* The worst first, then in the order of the plan. */
static void put_findings(struct tn_buf *out, const struct tn_plan *plan,
			 enum tn_plan_risk min_level, bool redact)
{
	tn_json_put_key(out, "findings");
	tn_json_begin_array(out);
	for (int level = TN_PLAN_RISK_CRITICAL; level >= (int)min_level; level--)
		for (uint32_t i = 0; i < plan->finding_count; i++)
			if ((int)plan->findings[i].level == level)
				put_finding(out, plan, &plan->findings[i], redact);
	tn_json_end_array(out);
}

void tn_plan_put_json_findings(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_risk min_level)
{
	put_findings(out, plan, min_level, false);
}

static void put_risk(struct tn_buf *out, const struct tn_plan *plan, bool redact)
{
	tn_json_put_key(out, "risk");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->risk));
	put_findings(out, plan, TN_PLAN_RISK_LOW, redact);
	tn_json_end_object(out);
}

static void put_diagnostics(struct tn_buf *out, const struct tn_plan *plan, bool redact)
{
	tn_json_put_key(out, "diagnostics");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->diagnostic_count; i++)
		put_diagnostic(out, &plan->diagnostics[i], redact);
	tn_json_end_array(out);
}

void tn_plan_put_json(struct tn_buf *out, const struct tn_plan *plan,
		      const struct tn_plan_filter *filter)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "plan_id", plan->id[0] ? plan->id : NULL);
	put_input(out, plan);
	tn_json_put_member_text(out, "status", tn_plan_status_name(plan->status));
	tn_json_put_member_bool(out, "errored", plan->errored);
	tn_json_put_member_text(out, "mode", tn_plan_mode_name(plan->mode));
	put_entries(out, plan, filter);
	put_summary(out, plan);
	put_plan_line(out, &plan->plan_line);
	put_consistency(out, plan);
	put_outputs(out, plan, filter->redact);
	put_drift(out, plan, filter);
	put_deferred(out, plan);
	put_diagnostics(out, plan, filter->redact);
	put_units(out, plan);
	put_risk(out, plan, filter->redact);
	tn_json_put_key(out, "warnings");
	tn_plan_put_warnings_array(out, plan);
	put_page(out, plan, filter);
	tn_json_end_object(out);
}

void tn_plan_put_rare_members(struct tn_buf *out, const struct tn_plan *plan,
			      const struct tn_plan_filter *filter)
{
	tn_json_put_key(out, "consistent");
	if (plan->consistent < 0)
		tn_json_put_null(out);
	else
		tn_json_put_bool(out, plan->consistent > 0);
	if (plan->mismatch_count > 0) {
		put_mismatches(out, plan);
		put_plan_line(out, &plan->plan_line);
	}
	tn_json_put_member_text(out, "confidence", tn_plan_confidence_name(plan->confidence));
	if (plan->drift_count > 0)
		put_drift(out, plan, filter);
	if (plan->deferred_count > 0 || plan->invocation_count > 0)
		put_deferred(out, plan);
	if (plan->diagnostic_count > 0)
		put_diagnostics(out, plan, filter->redact);
	if (plan->unit_count > 1)
		put_units(out, plan);
	tn_json_put_key(out, "warnings");
	tn_plan_put_warnings_array(out, plan);
}

void tn_plan_put_compact_json(struct tn_buf *out, const struct tn_plan *plan,
			      const struct tn_plan_filter *filter)
{
	const struct range page = {.offset = filter->offset, .limit = filter->limit};
	uint32_t index = 0;

	tn_json_begin_object(out);
	tn_json_put_key(out, "resource_changes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->change_count && filter->detail != TN_PLAN_DETAIL_SUMMARY;
	     i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (!tn_plan_entry_matches(entry, filter) || !in_range(&page, index++))
			continue;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", entry->address);
		tn_json_put_member_str(out, "type", entry->type);
		tn_json_put_member_str(out, "name", entry->name);
		put_actions(out, entry);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	put_summary(out, plan);
	tn_json_end_object(out);
}

void tn_plan_put_change_json(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			     uint32_t offset, uint32_t limit)
{
	const struct range range = {.offset = offset, .limit = limit, .unchanged = true};
	uint32_t total;

	tn_json_begin_object(out);
	total = put_entry_members(out, plan, change, &range);
	tn_json_put_member_int(out, "total_attributes", total);
	tn_json_end_object(out);
}
