#include "apps/plan/read/text_reader.h"

#include "apps/plan/read/plan_line.h"

/* ---- the Plan: line ---- */

bool tn_plan_text_plan_line(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_plan *plan = reader->build->plan;
	struct tn_plan_line line;

	if (row->column > 3 || !tn_plan_line_read(row->text, &line))
		return false;
	reader->evidence = true;
	if (reader->section == TN_PLAN_SECTION_APPLY)
		return true;
	if (!reader->label_pending && reader->unit.planned)
		return true; /* comments repeat it below the plan */
	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_OTHER);
	if (plan->unit_count == 0)
		return true;
	plan->units[plan->unit_count - 1].plan_line = line;
	reader->unit.planned = true;
	reader->section = TN_PLAN_SECTION_NONE;
	return true;
}

/* ---- anchors ---- */

static void enter(struct tn_plan_text_reader *reader, enum tn_plan_section section,
		  enum tn_plan_unit_cause cause)
{
	tn_plan_text_need_unit(reader, cause);
	reader->section = section;
	reader->evidence = true;
}

static void enter_list(struct tn_plan_text_reader *reader)
{
	enter(reader, TN_PLAN_SECTION_LIST, TN_PLAN_UNIT_LIST);
	reader->unit.listed = reader->unit.anchored = true;
}

static void enter_verdict(struct tn_plan_text_reader *reader)
{
	enter(reader, TN_PLAN_SECTION_NONE, TN_PLAN_UNIT_PREFACE);
	reader->unit.verdict = true;
}

static void enter_outputs(struct tn_plan_text_reader *reader)
{
	enter(reader, TN_PLAN_SECTION_OUTPUTS, TN_PLAN_UNIT_OTHER);
	tn_plan_body_open(&reader->body, true);
}

static void take_planned_anchor(struct tn_plan_text_reader *reader, enum tn_plan_anchor anchor)
{
	struct tn_plan *plan = reader->build->plan;

	switch (anchor) {
	case TN_PLAN_ANCHOR_DRIFT:
		enter(reader, TN_PLAN_SECTION_DRIFT, TN_PLAN_UNIT_PREFACE);
		break;
	case TN_PLAN_ANCHOR_OLD_LEGEND:
		reader->old_legend = true;
		/* fall through */
	case TN_PLAN_ANCHOR_LEGEND:
		enter(reader, TN_PLAN_SECTION_LEGEND, TN_PLAN_UNIT_PREFACE);
		reader->unit.legend = reader->legend = true;
		break;
	case TN_PLAN_ANCHOR_SYMBOLS:
		reader->section = TN_PLAN_SECTION_LEGEND;
		reader->evidence = true;
		break;
	case TN_PLAN_ANCHOR_LIST_ERRORED:
		plan->errored = true;
		/* fall through */
	case TN_PLAN_ANCHOR_LIST:
		enter_list(reader);
		break;
	case TN_PLAN_ANCHOR_DEFERRED:
		enter(reader, TN_PLAN_SECTION_DEFERRED, TN_PLAN_UNIT_OTHER);
		break;
	case TN_PLAN_ANCHOR_INVOKE:
		enter(reader, TN_PLAN_SECTION_INVOKE, TN_PLAN_UNIT_OTHER);
		break;
	default:
		enter_outputs(reader);
		break;
	}
}

static void take_other_anchor(struct tn_plan_text_reader *reader, enum tn_plan_anchor anchor)
{
	struct tn_plan *plan = reader->build->plan;

	switch (anchor) {
	case TN_PLAN_ANCHOR_NO_CHANGES:
		enter_verdict(reader);
		reader->no_changes = true;
		break;
	case TN_PLAN_ANCHOR_DEFERRED_ONLY:
		enter_verdict(reader);
		reader->deferred_only = true;
		break;
	case TN_PLAN_ANCHOR_FAILED:
		enter_verdict(reader);
		reader->failed = plan->errored = true;
		break;
	case TN_PLAN_ANCHOR_END:
		reader->section = TN_PLAN_SECTION_NONE;
		reader->evidence = true;
		break;
	case TN_PLAN_ANCHOR_REFRESH_ONLY:
		reader->mode = TN_PLAN_REFRESH_ONLY;
		reader->section = TN_PLAN_SECTION_NONE;
		break;
	case TN_PLAN_ANCHOR_APPLY:
		plan->contains_apply = true;
		reader->section = TN_PLAN_SECTION_APPLY;
		break;
	case TN_PLAN_ANCHOR_OLD_REFRESH:
		reader->old_refresh = reader->refreshed = true;
		break;
	case TN_PLAN_ANCHOR_REFRESH:
		reader->refreshed = true;
		break;
	default:
		break;
	}
}

bool tn_plan_text_anchor(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_plan *plan = reader->build->plan;
	struct tn_plan_anchor_hit hit = tn_plan_anchor_find(row->text);

	if (hit.anchor == TN_PLAN_ANCHOR_NONE)
		return false;
	if (hit.tool != TN_PLAN_TOOL_UNKNOWN && plan->tool == TN_PLAN_TOOL_UNKNOWN)
		plan->tool = hit.tool;
	if (hit.version.size && !plan->tool_version.data)
		plan->tool_version = hit.version;
	if (hit.mode != TN_PLAN_MODE_UNKNOWN)
		reader->mode = hit.mode;
	/* Progress lines before or between entries end nothing. */
	if (hit.anchor != TN_PLAN_ANCHOR_REFRESH && hit.anchor != TN_PLAN_ANCHOR_NOISE)
		tn_plan_text_end_entry(reader, row->number - 1, false);
	if (hit.anchor <= TN_PLAN_ANCHOR_OUTPUTS)
		take_planned_anchor(reader, hit.anchor);
	else
		take_other_anchor(reader, hit.anchor);
	return true;
}

/* ---- outputs ---- */

/* The path of a top-level name that is no identifier is ["NAME"]. */
static struct tn_str output_name(struct tn_str path)
{
	if (path.size >= 4 && path.data[0] == '[')
		return tn_str(path.data + 2, path.size - 4);
	return path;
}

void tn_plan_text_end_output(struct tn_plan_text_reader *reader)
{
	struct tn_plan_body *body = &reader->body;
	const struct tn_plan_attribute *value;
	struct tn_plan_attributes attributes;
	struct tn_plan_output *output;

	if (body->list.count > 0) {
		tn_plan_body_commit(body, &attributes);
		output = attributes.count ? tn_plan_add_output(reader->build) : NULL;
		if (output) {
			value = &attributes.items[0];
			output->name = output_name(value->path);
			output->action = value->change == TN_PLAN_ATTR_ADD      ? TN_PLAN_CREATE
					 : value->change == TN_PLAN_ATTR_REMOVE ? TN_PLAN_DELETE
										: TN_PLAN_UPDATE;
			output->sensitive = value->sensitive;
			output->unknown = value->unknown;
			output->before = value->before;
			output->after = value->after;
		}
	}
	tn_plan_body_open(body, true);
}

/* NAME = VALUE behind a symbol, where outputs stand. */
static bool is_output(const struct tn_plan_row *row)
{
	size_t equals;

	if (row->symbol == TN_PLAN_SYMBOL_NONE || row->rest_column != 4)
		return false;
	equals = tn_str_find(row->rest, TN_STR(" = "));
	return equals != TN_STR_NONE &&
	       (row->rest.data[0] == '"' ||
		tn_plan_is_identifier(tn_str_trim(tn_str(row->rest.data, equals))));
}

static bool is_closing(struct tn_str text)
{
	return text.data[0] == '}' || text.data[0] == ']' || text.data[0] == ')' ||
	       tn_str_starts(text, TN_STR("EOT"));
}

bool tn_plan_text_output(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	struct tn_plan_body *body = &reader->body;

	if (tn_plan_row_is_blank(row)) {
		if (body->heredoc.open)
			(void)tn_plan_body_line(body, row); /* outputs have no closing brace */
		return true;
	}
	if (!body->heredoc.open || row->column < 4) {
		tn_plan_row_split(row);
		if (is_output(row)) {
			tn_plan_text_end_output(reader);
			tn_plan_text_note_layout(reader, row);
			(void)tn_plan_body_line(body, row);
			return true;
		}
	}
	if (row->column < 4 && !is_closing(row->text)) {
		tn_plan_text_end_output(reader);
		reader->section = TN_PLAN_SECTION_NONE;
		return false;
	}
	if (body->list.count > 0)
		(void)tn_plan_body_line(body, row);
	return true;
}
