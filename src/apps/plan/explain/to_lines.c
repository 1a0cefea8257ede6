#include "apps/plan/explain/to_lines.h"

#include <string.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/limits.h"
#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* ---- attributes ---- */

static bool is_there(const struct tn_plan_value *value)
{
	return value->kind != TN_PLAN_VALUE_NONE && value->kind != TN_PLAN_VALUE_NULL;
}

/* At most `most` bytes of it. */
static void put_cut(struct tn_buf *out, const struct tn_plan_value *value, size_t most)
{
	struct tn_str head = tn_utf8_cut(value->text, most);

	if (!is_there(value)) {
		tn_buf_append_text(out, "null");
	} else if (value->kind == TN_PLAN_VALUE_STRING) {
		tn_buf_append_byte(out, '"');
		tn_json_put_escaped(out, head);
		tn_buf_append_text(out, head.size < value->text.size ? "...\"" : "\"");
	} else {
		tn_utf8_put_line(out, value->text);
	}
}

static void put_value(struct tn_buf *out, const struct tn_plan_value *value)
{
	put_cut(out, value, TN_PLAN_LINE_VALUE_BYTES);
}

static void put_after(struct tn_buf *out, const struct tn_plan_attribute *at, size_t most)
{
	if (at->unknown)
		tn_buf_append_text(out, "?");
	else
		put_cut(out, &at->after, most);
}

/* The bracket of a block or list: the values stand in it. */
static bool is_opening(const struct tn_plan_attribute *at)
{
	return !at->sensitive && !at->write_only && !at->unknown && !is_there(&at->before) &&
	       !is_there(&at->after);
}

/* "name="a"", "size: 1 -> 2", "arn" when nothing is known of it yet; of what goes with its object,
 * `gone`, what it was. */
static void put_attribute(struct tn_buf *out, const struct tn_plan_attribute *at, bool gone,
			  size_t most)
{
	tn_utf8_put_line(out, at->path);
	if (is_opening(at)) {
		/* its name and that it forces are all there is */
	} else if (at->sensitive || at->write_only) {
		tn_buf_append_text(out, at->sensitive ? " (sensitive)" : " (write-only)");
	} else if (at->change == TN_PLAN_ATTR_ADD || at->change == TN_PLAN_ATTR_UNCHANGED) {
		tn_buf_append_byte(out, '=');
		put_after(out, at, most);
	} else if (gone && at->change == TN_PLAN_ATTR_REMOVE) {
		tn_buf_append_byte(out, '=');
		put_cut(out, &at->before, most);
	} else {
		tn_buf_append_text(out, ": ");
		put_cut(out, &at->before, most);
		tn_buf_append_text(out, " -> ");
		put_after(out, at, most);
	}
	if (at->change == TN_PLAN_ATTR_UNCHANGED)
		tn_buf_append_text(out, " (unchanged)");
	if (at->forces_replacement)
		tn_buf_append_text(out, " (forces replacement)");
}

/* Of many entries, what is not known before the plan is applied says little. */
static bool says_nothing(const struct tn_plan_attribute *at)
{
	return at->unknown && at->change == TN_PLAN_ATTR_ADD;
}

/* At most `max` of them and those that weigh; `change`: TN_PLAN_NO_CHANGE for those of a drift.
 * True: there are more. */
static bool put_attributes(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			   const struct tn_plan_attributes *attributes,
			   const struct tn_plan_filter *filter, uint32_t max)
{
	bool gone = change != TN_PLAN_NO_CHANGE && plan->changes[change].action == TN_PLAN_DELETE;
	uint32_t shown = 0, more = attributes->truncated;

	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *at = &attributes->items[i];

		if (at->change == TN_PLAN_ATTR_UNCHANGED && filter->detail != TN_PLAN_DETAIL_FULL)
			continue;
		if ((shown >= max || (says_nothing(at) && attributes->count > max)) &&
		    (change == TN_PLAN_NO_CHANGE || !tn_plan_attribute_weighs(plan, change, at))) {
			more++;
			continue;
		}
		tn_buf_append_text(out, shown++ ? ", " : ": ");
		put_attribute(out, at, gone, TN_PLAN_LINE_VALUE_BYTES);
	}
	if (more)
		tn_buf_format(out, "%s%u more", shown ? " and " : ": ", more);
	return more > 0;
}

/* ---- entries ---- */

static void put_note(struct tn_buf *out, const char *before, struct tn_str text, const char *behind)
{
	if (!text.size)
		return;
	tn_buf_append_text(out, before);
	tn_utf8_put_line(out, text);
	tn_buf_append_text(out, behind);
}

static void put_identity(struct tn_buf *out, const struct tn_plan *plan, uint32_t change)
{
	const struct tn_plan_entry *entry = &plan->changes[change];

	tn_buf_format(out, "%u %s ", change + 1, tn_plan_action_name(entry->action));
	tn_utf8_put_line(out, entry->address);
	put_note(out, " (deposed ", entry->deposed, ")");
	put_note(out, " (moved from ", entry->previous_address, ")");
	put_note(out, " (import id ", entry->import_id, ")");
	if (plan->unit_count > 1)
		tn_buf_format(out, " (unit %u)", entry->unit);
	if (entry->order != TN_PLAN_ORDER_NONE)
		tn_buf_format(out, " (%s)", tn_plan_order_name(entry->order));
}

static bool put_entry(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
		      const struct tn_plan_filter *filter, uint32_t max)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	bool more;

	put_identity(out, plan, change);
	for (uint32_t i = 0; i < entry->reason_count; i++) {
		if (strcmp(entry->reasons[i].code, "forces_replacement") != 0)
			tn_buf_format(out, " (%s)", entry->reasons[i].code);
	}
	if (entry->risk != TN_PLAN_RISK_NONE)
		tn_buf_format(out, " [%s]", tn_plan_risk_name(entry->risk));
	more = put_attributes(out, plan, change, &entry->attributes, filter, max);
	tn_buf_append_byte(out, '\n');
	return more;
}

/* All of one change, a few of each of many: half of what the data has, which is twice as long. */
static uint32_t attributes_of_each(const struct tn_plan_filter *filter, uint32_t shown)
{
	uint32_t each = shown ? TN_PLAN_LEAN_ATTRIBUTES / 2 / shown : 0;

	if (filter->detail == TN_PLAN_DETAIL_FULL)
		return UINT32_MAX;
	return each < TN_PLAN_LEAN_ATTRIBUTES_MIN ? TN_PLAN_LEAN_ATTRIBUTES_MIN : each;
}

/* Those of the entries that match which stand from the one up to the other are told. */
struct told {
	uint32_t first, end;
};

/* What is not told, and how to get it. */
static void put_untold(struct tn_buf *out, const struct tn_plan *plan, struct told told,
		       const struct tn_plan_filter *filter)
{
	uint32_t matched = tn_plan_count_matching(plan, filter);
	uint64_t next = (uint64_t)filter->offset + filter->limit;

	if (filter->limit && next < matched)
		tn_buf_format(out, "(%u entries match; offset %llu gives the next)\n", matched,
			      (unsigned long long)next);
	else if (told.end || filter->detail == TN_PLAN_DETAIL_SUMMARY)
		return;
	else if (matched > 0)
		tn_buf_format(out, "(no entry is told: %u match, and offset is %u)\n", matched,
			      filter->offset);
	else if (plan->change_count > 0)
		tn_buf_format(out, "(none of %u %s matches)\n", plan->change_count,
			      plan->change_count == 1 ? "entry" : "entries");
}

static struct told put_entries(struct tn_buf *out, const struct tn_plan *plan,
			       const struct tn_plan_filter *filter)
{
	struct told told = {0, 0};
	uint32_t matched = tn_plan_count_matching(plan, filter), index = 0, max;
	uint32_t shown = matched > filter->offset ? matched - filter->offset : 0;
	bool more = false;

	if (filter->limit && shown > filter->limit)
		shown = filter->limit;
	max = attributes_of_each(filter, shown);
	for (uint32_t i = 0; i < plan->change_count && filter->detail != TN_PLAN_DETAIL_SUMMARY;
	     i++) {
		if (!tn_plan_entry_matches(&plan->changes[i], filter) || index++ < filter->offset)
			continue;
		if (filter->limit && index - filter->offset > filter->limit)
			break;
		more = put_entry(out, plan, i, filter, max) || more;
		told.first = told.end ? told.first : i;
		told.end = i + 1;
	}
	if (more)
		tn_buf_append_text(out, "(terraform_show_change has all of one)\n");
	put_untold(out, plan, told, filter);
	return told;
}

/* ---- the plan ---- */

static void put_head(struct tn_buf *out, const struct tn_plan *plan)
{
	const char *between = ": ";

	tn_buf_format(out, "%s", tn_plan_tool_name(plan->tool));
	put_note(out, " ", plan->tool_version, "");
	tn_buf_format(out, " plan (%s%s%s%s%s%s): %u change%s", tn_plan_kind_name(plan->kind), ", ",
		      tn_plan_status_name(plan->status), plan->errored ? ", errored" : "",
		      plan->truncated ? ", truncated" : "",
		      plan->contains_apply ? ", with its apply" : "", plan->total_changes,
		      tn_plan_plural(plan->total_changes));
	for (unsigned i = 0; i < TN_PLAN_ACTION_COUNT; i++) {
		if (!plan->actions[i])
			continue;
		tn_buf_format(out, "%s%u %s", between, plan->actions[i],
			      tn_plan_action_name((enum tn_plan_action)i));
		between = ", ";
	}
	tn_buf_format(out, "; risk %s", tn_plan_risk_name(plan->risk));
	if (plan->mode != TN_PLAN_NORMAL)
		tn_buf_format(out, "; mode %s", tn_plan_mode_name(plan->mode));
	if (plan->confidence != TN_PLAN_HIGH)
		tn_buf_format(out, "; confidence %s", tn_plan_confidence_name(plan->confidence));
	tn_buf_append_byte(out, '\n');
	for (uint32_t i = 0; i < plan->mismatch_count; i++)
		tn_buf_format(out, "inconsistent: %s: %lld stated, %lld counted\n",
			      plan->mismatches[i].field, (long long)plan->mismatches[i].stated,
			      (long long)plan->mismatches[i].counted);
}

static void put_outputs(struct tn_buf *out, const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->output_count; i++) {
		const struct tn_plan_output *at = &plan->outputs[i];

		tn_buf_format(out, "output %s ", tn_plan_action_name(at->action));
		tn_utf8_put_line(out, at->name);
		if (at->sensitive) {
			tn_buf_append_text(out, " (sensitive)\n");
			continue;
		}
		if (is_there(&at->before)) {
			tn_buf_append_text(out, ": ");
			put_value(out, &at->before);
			tn_buf_append_text(out, " ->");
		}
		tn_buf_append_byte(out, ' ');
		if (at->unknown)
			tn_buf_append_byte(out, '?');
		else
			put_value(out, &at->after);
		tn_buf_append_byte(out, '\n');
	}
}

static void put_outside(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_filter *filter)
{
	for (uint32_t i = 0; i < plan->drift_count; i++) {
		const struct tn_plan_drift *at = &plan->drift[i];

		tn_buf_format(out, "drift %s ", tn_plan_action_name(at->action));
		tn_utf8_put_line(out, at->address);
		put_note(out, " (moved from ", at->previous_address, ")");
		if (filter->detail != TN_PLAN_DETAIL_SUMMARY)
			(void)put_attributes(out, plan, TN_PLAN_NO_CHANGE, &at->attributes, filter,
					     attributes_of_each(filter, plan->drift_count));
		tn_buf_append_byte(out, '\n');
	}
	for (uint32_t i = 0; i < plan->deferred_count; i++) {
		tn_buf_format(out, "deferred %s ", tn_plan_action_name(plan->deferred[i].action));
		tn_utf8_put_line(out, plan->deferred[i].address);
		tn_buf_format(out, " (%s)\n", plan->deferred[i].reason);
	}
	for (uint32_t i = 0; i < plan->invocation_count; i++) {
		tn_buf_append_text(out, "invokes ");
		tn_utf8_put_line(out, plan->invocations[i].address);
		tn_buf_format(out, " (%s", plan->invocations[i].when);
		put_note(out, " ", plan->invocations[i].resource, "");
		tn_buf_append_text(out, ")\n");
	}
}

static void put_messages(struct tn_buf *out, const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->diagnostic_count; i++) {
		const struct tn_plan_diagnostic *at = &plan->diagnostics[i];

		tn_buf_append_text(out, at->severity);
		put_note(out, " ", at->address, "");
		put_note(out, " ", at->file, "");
		if (at->line)
			tn_buf_format(out, ":%u", at->line);
		put_note(out, ": ", at->summary, "");
		put_note(out, ". ", at->detail, "");
		tn_buf_append_byte(out, '\n');
	}
	for (uint32_t i = 0; i < plan->unit_count && plan->unit_count > 1; i++) {
		tn_buf_format(out, "unit %u: %u change%s", i, plan->units[i].total_changes,
			      tn_plan_plural(plan->units[i].total_changes));
		put_note(out, " ", plan->units[i].label, "");
		tn_buf_append_byte(out, '\n');
	}
	for (uint32_t i = 0; i < plan->warning_count; i++) {
		tn_buf_format(out, "%s: ", plan->warnings[i].code);
		tn_utf8_put_line(out, plan->warnings[i].message);
		if (plan->warnings[i].line)
			tn_buf_format(out, " (line %u)", plan->warnings[i].line);
		tn_buf_append_byte(out, '\n');
	}
}

/* The number of an entry that is told; else its address. */
static void put_place(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
		      const struct tn_plan_filter *filter, struct told told)
{
	const struct tn_plan_entry *entry;

	if (change == TN_PLAN_NO_CHANGE)
		return;
	entry = &plan->changes[change];
	if (change >= told.first && change < told.end && tn_plan_entry_matches(entry, filter))
		tn_buf_format(out, " %u", change + 1);
	else
		put_note(out, " ", entry->address, "");
}

/* The worst come first. */
static void put_findings(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk level,
			 const struct tn_plan_filter *filter, struct told told)
{
	for (uint32_t i = 0; i < plan->finding_count; i++) {
		const struct tn_plan_finding *at = &plan->findings[i];

		if (at->level != level ||
		    (i > 0 && at[-1].change == at->change && strcmp(at[-1].id, at->id) == 0))
			continue;
		tn_buf_format(out, "%s %s", at->id, tn_plan_risk_name(at->level));
		put_place(out, plan, at->change, filter, told);
		put_note(out, " ", at->path, "");
		put_note(out, ": ", at->title, "\n");
	}
}

void tn_plan_put_lines(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_filter *filter)
{
	put_head(out, plan);
	tn_plan_put_entry_lines(out, plan, filter);
}

void tn_plan_put_entry_lines(struct tn_buf *out, const struct tn_plan *plan,
			     const struct tn_plan_filter *filter)
{
	const struct told told = put_entries(out, plan, filter);

	put_outputs(out, plan);
	put_outside(out, plan, filter);
	put_messages(out, plan);
	for (int level = TN_PLAN_RISK_CRITICAL; level >= TN_PLAN_RISK_NONE; level--)
		put_findings(out, plan, (enum tn_plan_risk)level, filter, told);
	if (out->size && !out->failed)
		out->size--; /* the last line feed */
}

void tn_plan_put_evidence(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk least)
{
	for (uint32_t i = 0; i < plan->finding_count; i++) {
		const struct tn_plan_finding *at = &plan->findings[i];

		if (at->level < least || at->change == TN_PLAN_NO_CHANGE ||
		    (!is_there(&at->before) && !is_there(&at->after)))
			continue;
		tn_buf_format(out, "%s%s ", out->size ? "\n" : "", at->id);
		tn_utf8_put_line(out, plan->changes[at->change].address);
		put_note(out, " ", at->path, "");
		tn_buf_append_text(out, ": ");
		put_value(out, &at->before);
		tn_buf_append_text(out, " -> ");
		put_value(out, &at->after);
	}
}

/* ---- one entry ---- */

static void put_entry_head(struct tn_buf *out, const struct tn_plan *plan, uint32_t change)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	const char *last = NULL;

	put_identity(out, plan, change);
	for (uint32_t i = 0; i < entry->reason_count; i++) {
		tn_buf_format(out, " (%s", entry->reasons[i].code);
		put_note(out, " ", entry->reasons[i].text, "");
		tn_buf_append_byte(out, ')');
	}
	if (entry->line_first)
		tn_buf_format(out, ", lines %u to %u", entry->line_first, entry->line_last);
	if (entry->risk != TN_PLAN_RISK_NONE)
		tn_buf_format(out, ", risk %s", tn_plan_risk_name(entry->risk));
	for (uint32_t i = tn_plan_first_finding(plan, change);
	     i < plan->finding_count && plan->findings[i].change == change; i++) {
		if (!last || strcmp(last, plan->findings[i].id) != 0)
			tn_buf_format(out, " %s", plan->findings[i].id);
		last = plan->findings[i].id;
	}
	tn_buf_append_byte(out, '\n');
}

static void put_hidden(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	const uint32_t counts[] = {entry->hidden_attributes, entry->hidden_blocks,
				   entry->hidden_elements};
	static const char *const names[] = {"attribute", "block", "element"};
	const char *before = "; unchanged and not printed: ";

	for (size_t i = 0; i < TN_COUNT(counts); i++) {
		if (!counts[i])
			continue;
		tn_buf_format(out, "%s%u %s%s", before, counts[i], names[i],
			      tn_plan_plural(counts[i]));
		before = ", ";
	}
}

void tn_plan_put_change_lines(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			      uint32_t offset, uint32_t limit)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	const struct tn_plan_attributes *attributes = &entry->attributes;
	uint32_t end = attributes->count;

	put_entry_head(out, plan, change);
	if (limit && offset < end && limit < end - offset)
		end = offset + limit;
	for (uint32_t i = offset; i < end; i++) {
		put_attribute(out, &attributes->items[i], entry->action == TN_PLAN_DELETE,
			      SIZE_MAX);
		tn_buf_append_byte(out, '\n');
	}
	tn_buf_format(out, "%u attribute%s", attributes->count, tn_plan_plural(attributes->count));
	if (end < attributes->count)
		tn_buf_format(out, "; offset %u gives the next", end);
	if (attributes->truncated)
		tn_buf_format(out, "; %u more %s not kept", attributes->truncated,
			      attributes->truncated == 1 ? "was" : "were");
	put_hidden(out, entry);
}
