#include "apps/plan/read/parse_text.h"

#include "apps/plan/read/count.h"
#include "apps/plan/read/plan_line.h"
#include "apps/plan/read/text_reader.h"

/* ---- what is around a plan in a comment ---- */

/* Fences and tags of a pull-request comment. The words in a <summary> repeat what the plan says. */
static bool is_markdown(const struct tn_plan_row *row)
{
	static const char *const tags[] = {"<details", "</details", "<summary", "</summary", "<pre",
					   "</pre",    "<code",     "</code",   NULL};

	if (row->column > 3)
		return false;
	if (tn_str_starts(row->text, TN_STR("```")) || tn_str_starts(row->text, TN_STR("~~~")))
		return true;
	if (row->text.data[0] != '<')
		return false;
	for (size_t i = 0; tags[i]; i++) {
		if (tn_str_starts(row->text, tn_str_from(tags[i])))
			return true;
	}
	return false;
}

/* ---- lines outside of bodies ---- */

/* A plain diagnostic ends where something begins that can be no part of its prose. */
static bool ends_diagnostic(const struct tn_plan_row *row)
{
	struct tn_plan_line line;
	struct tn_str label;
	enum tn_plan_anchor anchor;

	if (row->column > 0 || row->text.size == 0)
		return false;
	if (tn_plan_is_rule(row->text) || is_markdown(row) ||
	    tn_plan_label_read(row->text, &label) || row->text.data[0] == TN_PLAN_UNIT_MARK ||
	    tn_plan_line_read(row->text, &line))
		return true;
	anchor = tn_plan_anchor_find(row->text).anchor;
	return anchor != TN_PLAN_ANCHOR_NONE && anchor != TN_PLAN_ANCHOR_REFRESH_ONLY &&
	       anchor != TN_PLAN_ANCHOR_NOISE;
}

/* True when the line belonged to a diagnostic. */
static bool diagnostic_row(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_plan_diagnostic_reader *diagnostic = &reader->diagnostic;

	if (diagnostic->state == TN_PLAN_DIAGNOSTIC_FRAMED &&
	    tn_plan_diagnostic_line(diagnostic, row))
		return true;
	if (diagnostic->state == TN_PLAN_DIAGNOSTIC_PLAIN) {
		if (!ends_diagnostic(row))
			return tn_plan_diagnostic_begin(diagnostic, row) ||
			       tn_plan_diagnostic_line(diagnostic, row);
		tn_plan_diagnostic_end(diagnostic);
	}
	return false;
}

static bool begins_diagnostic(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	if (row->column > 3)
		return false;
	if (!tn_plan_diagnostic_begin(&reader->diagnostic, row))
		return false;
	reader->diagnostic.in_apply = reader->section == TN_PLAN_SECTION_APPLY;
	tn_plan_text_end_entry(reader, row->number - 1, false);
	return true;
}

/* Lines indented by four and more: nothing that counts but what follows an entry. */
static void indented_row(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	if (reader->entry_state == TN_PLAN_ENTRY_LEGACY && tn_plan_legacy_attribute(reader, row))
		return;
	if (row->column > 5)
		return;
	if (tn_plan_text_action(reader, row))
		return;
	(void)tn_plan_text_opening(reader, row);
}

static void symbol_row(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	if (tn_plan_text_opening(reader, row))
		return;
	(void)tn_plan_legacy_header(reader, row);
}

static bool is_symbol(char c)
{
	return c == '+' || c == '-' || c == '~' || c == '<' || c == '.' || c == '!';
}

static void word_row(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	if (tn_plan_text_plan_line(reader, row)) {
		tn_plan_text_end_entry(reader, row->number - 1, false);
		return;
	}
	if (begins_diagnostic(reader, row) || tn_plan_text_anchor(reader, row) ||
	    tn_plan_text_label(reader, row) || tn_plan_text_opening(reader, row))
		return;
	if (tn_plan_is_ellipsis(row->text))
		reader->ellipsis = true;
}

static void outside_row(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	if (diagnostic_row(reader, row))
		return;
	if (reader->section == TN_PLAN_SECTION_OUTPUTS && tn_plan_text_output(reader, row))
		return;
	if (tn_plan_row_is_blank(row))
		return;
	if (row->column > 3) {
		indented_row(reader, row);
	} else if (is_markdown(row)) {
		reader->build->plan->normalised |= TN_PLAN_CLEAN_MARKDOWN;
	} else if (row->text.data[0] == '#') {
		if (!tn_plan_text_header(reader, row) && !tn_plan_text_note(reader, row))
			(void)tn_plan_text_label(reader, row);
	} else if (row->text.data[0] == '(' && tn_plan_text_note(reader, row)) {
		return;
	} else if (is_symbol(row->text.data[0])) {
		symbol_row(reader, row);
		if (row->text.data[0] == '.' && tn_plan_is_ellipsis(row->text))
			reader->ellipsis = true;
	} else {
		word_row(reader, row);
	}
}

/* ---- lines inside of bodies ---- */

/* A header or the Plan: line ends a body that was cut off (the body rule of plan.md section 4.1).
 */
static bool breaks_body(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	struct tn_plan_line line;

	if (row->column == 0 && row->text.data[0] == 'P' && tn_plan_line_read(row->text, &line)) {
		tn_plan_text_end_entry(reader, row->number - 1, true);
		reader->entry_state = TN_PLAN_ENTRY_NONE;
		return tn_plan_text_plan_line(reader, row);
	}
	if (row->text.data[0] == '#')
		return tn_plan_text_header(reader, row);
	if (!tn_is_alpha(row->text.data[0]) && tn_plan_is_ellipsis(row->text))
		reader->ellipsis = true;
	return false;
}

static void take_row(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	if (reader->entry_state != TN_PLAN_ENTRY_BODY) {
		outside_row(reader, row);
		return;
	}
	if (row->column <= 2 && row->text.size && breaks_body(reader, row))
		return;
	tn_plan_text_body(reader, row);
}

static void read_rows(struct tn_plan_text_reader *reader, struct tn_plan_text text)
{
	const char *at = text.data, *end = text.data + text.size;
	size_t next_tick = TN_PLAN_TICK_BYTES;
	struct tn_plan_row row = {.number = 0};

	while (at < end && reader->build->code == TENON_OK) {
		tn_plan_row_read(&row, &at, end, row.number);
		take_row(reader, &row);
		if ((size_t)(at - text.data) < next_tick)
			continue;
		next_tick = (size_t)(at - text.data) + TN_PLAN_TICK_BYTES;
		if (!tn_plan_build_tick(reader->build, (size_t)(at - text.data)))
			return;
	}
	if (reader->entry_state == TN_PLAN_ENTRY_BODY)
		reader->cut = true;
	if (reader->section == TN_PLAN_SECTION_OUTPUTS)
		tn_plan_text_end_output(reader);
	tn_plan_text_end_entry(reader, row.number, true);
	tn_plan_diagnostic_end(&reader->diagnostic);
}

/* ---- the verdict ---- */

static bool has_error(const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->diagnostic_count; i++) {
		if (!plan->diagnostics[i].in_apply &&
		    strcmp(plan->diagnostics[i].severity, "error") == 0)
			return true;
	}
	return false;
}

static bool has_updates(const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->change_count; i++) {
		if (plan->changes[i].action == TN_PLAN_UPDATE ||
		    plan->changes[i].action == TN_PLAN_REPLACE)
			return true;
	}
	return false;
}

/* 0.12 and 0.13 print every attribute; 0.14 still has their legend but hides what is unchanged. */
static enum tn_plan_format find_format(const struct tn_plan_text_reader *reader)
{
	const struct tn_plan *plan = reader->build->plan;

	if (plan->format == TN_PLAN_LEGACY_0_11)
		return plan->format;
	if (reader->hidden)
		return TN_PLAN_MODERN;
	if (reader->old_heredoc || reader->old_refresh)
		return TN_PLAN_LEGACY_0_12;
	return reader->old_legend && has_updates(plan) ? TN_PLAN_LEGACY_0_12 : TN_PLAN_MODERN;
}

static enum tn_plan_mode find_mode(const struct tn_plan_text_reader *reader)
{
	const struct tn_plan *plan = reader->build->plan;

	if (reader->mode != TN_PLAN_MODE_UNKNOWN)
		return reader->mode;
	if (tn_plan_only_unexplained_deletes(plan))
		return TN_PLAN_DESTROY;
	return plan->change_count || reader->unit.listed ? TN_PLAN_NORMAL : TN_PLAN_MODE_UNKNOWN;
}

static enum tn_plan_status find_status(const struct tn_plan_text_reader *reader)
{
	const struct tn_plan *plan = reader->build->plan;

	if (plan->errored)
		return TN_PLAN_ERRORED;
	if (plan->change_count || plan->invocation_count)
		return TN_PLAN_CHANGES;
	if (plan->output_count)
		return TN_PLAN_OUTPUTS_ONLY;
	if (plan->deferred_count || reader->deferred_only)
		return TN_PLAN_DEFERRED_ONLY;
	if (plan->drift_count && plan->mode == TN_PLAN_REFRESH_ONLY)
		return TN_PLAN_DRIFT_ONLY;
	if (reader->no_changes)
		return TN_PLAN_NO_CHANGES;
	return reader->unit.listed || reader->unit.planned ? TN_PLAN_CHANGES : TN_PLAN_NO_VERDICT;
}

/* More stated than counted, and a sign of why (plan.md section 6.3). */
static bool is_unit_cut(const struct tn_plan_text_reader *reader, uint32_t unit)
{
	const struct tn_plan *plan = reader->build->plan;

	if (!tn_plan_states_more(plan, unit))
		return false;
	return reader->ellipsis || reader->cut || !reader->unit.anchored ||
	       plan->units[unit].total_changes == 0;
}

/* The last plan has no end. */
static bool has_no_end(const struct tn_plan_text_reader *reader)
{
	const struct tn_plan *plan = reader->build->plan;

	if (reader->cut)
		return true;
	if (reader->ellipsis && !plan->plan_line.present && plan->change_count)
		return true;
	return !reader->unit.planned && !reader->unit.verdict && !plan->output_count &&
	       (reader->unit.listed || reader->unit.legend);
}

static void find_truncation(const struct tn_plan_text_reader *reader)
{
	struct tn_plan *plan = reader->build->plan;

	for (uint32_t i = 0; i < plan->unit_count; i++) {
		plan->units[i].truncated = is_unit_cut(reader, i);
		plan->truncated |= plan->units[i].truncated;
	}
	if (!has_no_end(reader))
		return;
	plan->truncated = true;
	if (plan->unit_count)
		plan->units[plan->unit_count - 1].truncated = true;
}

static void conclude(struct tn_plan_text_reader *reader)
{
	struct tn_plan_build *build = reader->build;
	struct tn_plan *plan = build->plan;

	plan->errored |= has_error(plan);
	if (!reader->evidence && !plan->errored && (!reader->refreshed || plan->contains_apply)) {
		(void)tn_plan_build_fail(build, TENON_INVALID, "not_a_plan",
					 "no plan was found in this text; send the whole output of "
					 "terraform plan, or of terraform show");
		return;
	}
	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_OTHER);
	if (plan->format != TN_PLAN_LEGACY_0_11)
		plan->format = find_format(reader);
	tn_plan_count(build);
	plan->mode = find_mode(reader);
	find_truncation(reader);
	plan->status = find_status(reader);
	tn_plan_judge(build);
}

void tn_plan_parse_text(struct tn_plan_build *build, struct tn_plan_text text)
{
	struct tn_plan_text_reader reader = {.build = build};

	if (!tn_plan_body_init(&reader.body, build))
		return;
	tn_plan_diagnostic_init(&reader.diagnostic, build);
	build->plan->format = TN_PLAN_MODERN;
	read_rows(&reader, text);
	if (build->code == TENON_OK)
		conclude(&reader);
	tn_plan_diagnostic_finish(&reader.diagnostic);
	tn_plan_body_finish(&reader.body);
}
