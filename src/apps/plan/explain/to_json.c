/* to_json.c - the members of the whole plan. */
#include "apps/plan/explain/to_json.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/to_json_parts.h"
#include "apps/plan/explain/vocabulary.h"
#include "jsonrpc/json_write.h"

enum { CLEANUP_BITS = 18 };

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
	tn_plan_to_json_member(out, "tool_version", plan->tool_version);
	tn_json_put_member_text(out, "format", tn_plan_format_name(plan->format));
	tn_json_put_member_int(out, "bytes", (int64_t)plan->bytes);
	tn_json_put_member_text(out, "encoding", plan->encoding);
	tn_json_put_member_text(out, "sha256", plan->sha256);
	tn_plan_to_json_texts(out, "normalised", steps, count);
	tn_json_put_member_bool(out, "contains_apply", plan->contains_apply);
	tn_json_put_member_bool(out, "truncated", plan->truncated);
	tn_json_end_object(out);
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
	tn_plan_to_json_count(out, "add", line->add);
	tn_plan_to_json_count(out, "change", line->change);
	tn_plan_to_json_count(out, "destroy", line->destroy);
	tn_plan_to_json_count(out, "forget", line->forget);
	tn_plan_to_json_count(out, "invoke", line->invoke);
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
		tn_plan_to_json_value(out, "before", &output->before, hidden, redact);
		tn_plan_to_json_value(out, "after", &output->after, hidden, redact);
		tn_json_put_member_bool(out, "unknown", output->unknown);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_drift(struct tn_buf *out, const struct tn_plan *plan,
		      const struct tn_plan_filter *filter)
{
	const struct tn_plan_to_json_range range = {
		.unchanged = filter->detail == TN_PLAN_DETAIL_FULL, .redact = filter->redact};
	static const struct tn_plan_attributes none;

	tn_json_put_key(out, "drift");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->drift_count; i++) {
		const struct tn_plan_drift *drift = &plan->drift[i];

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", drift->address);
		tn_plan_to_json_member(out, "previous_address", drift->previous_address);
		tn_json_put_member_text(out, "action", tn_plan_action_name(drift->action));
		(void)tn_plan_to_json_attributes(
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
		tn_plan_to_json_member(out, "resource", plan->invocations[i].resource);
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
		tn_plan_to_json_redacted(out, diagnostic->summary);
	else
		tn_json_put_str(out, diagnostic->summary);
	tn_plan_to_json_member(out, "address", diagnostic->address);
	tn_plan_to_json_member(out, "file", diagnostic->file);
	tn_plan_to_json_count(out, "line", diagnostic->line ? (int64_t)diagnostic->line : -1);
	tn_json_put_key(out, "detail");
	if (redact && diagnostic->detail.data)
		tn_plan_to_json_redacted(out, diagnostic->detail);
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
		tn_plan_to_json_member(out, "label", unit->label);
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
		tn_plan_to_json_count(out, "line", warning->line ? (int64_t)warning->line : -1);
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
	tn_plan_to_json_count(out, "limit", filter->limit ? (int64_t)filter->limit : -1);
	tn_json_put_member_int(out, "matched", matched);
	tn_plan_to_json_count(out, "next_offset",
			      filter->limit && next < matched ? (int64_t)next : -1);
	tn_json_end_object(out);
}

static void put_risk(struct tn_buf *out, const struct tn_plan *plan, bool redact)
{
	tn_json_put_key(out, "risk");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->risk));
	tn_plan_to_json_findings(out, plan, TN_PLAN_RISK_LOW, redact);
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
	tn_plan_to_json_entries(out, plan, filter);
	tn_plan_to_json_summary(out, plan);
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
