/* Units of a text: each begins with a label, or where what comes asks for a new one. */
#include "apps/plan/read/text_reader.h"

#include "apps/plan/limits.h"
#include "apps/plan/read/clean.h"
#include "apps/plan/read/plan_line.h"

static bool asks_for_unit(const struct tn_plan_text_reader *reader, enum tn_plan_unit_cause cause)
{
	const struct tn_plan_unit_state *unit = &reader->unit;

	if (!unit->open || reader->label_pending)
		return true;
	switch (cause) {
	case TN_PLAN_UNIT_LIST:
	case TN_PLAN_UNIT_PREFACE:
		return unit->listed || unit->planned || unit->verdict;
	case TN_PLAN_UNIT_HEADER:
		return unit->planned || unit->verdict;
	default:
		return false;
	}
}

/* "dir: `a` workspace: `b`" without its backquotes. */
static struct tn_str plain_label(struct tn_plan_build *build, struct tn_str label)
{
	size_t to = 0;
	char *text;

	if (label.size > TN_PLAN_PATH_BYTES_MAX)
		label.size = TN_PLAN_PATH_BYTES_MAX;
	text = tn_arena_copy(&build->plan->arena, label);
	if (!text)
		return label;
	for (size_t i = 0; i < label.size; i++) {
		if (text[i] != '`')
			text[to++] = text[i];
	}
	return tn_str(text, to);
}

void tn_plan_text_need_unit(struct tn_plan_text_reader *reader, enum tn_plan_unit_cause cause)
{
	struct tn_plan_unit *unit;

	if (!asks_for_unit(reader, cause))
		return;
	unit = tn_plan_add_unit(reader->build);
	if (!unit)
		return;
	unit->plan_line = TN_PLAN_LINE_ABSENT;
	if (reader->label.data)
		unit->label = plain_label(reader->build, reader->label);
	reader->label = (struct tn_str){NULL, 0};
	reader->label_pending = false;
	reader->unit = (struct tn_plan_unit_state){
		.open = true, .first_entry = reader->build->plan->change_count};
}

bool tn_plan_text_label(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_str label;

	if (row->column > 3 || row->text.size > 1000)
		return false;
	if (row->text.data[0] == TN_PLAN_UNIT_MARK)
		label = tn_str_from_offset(row->text, 1);
	else if (!tn_plan_label_read(row->text, &label))
		return false;
	reader->label = label;
	reader->label_pending = true;
	reader->section = TN_PLAN_SECTION_NONE;
	return true;
}
