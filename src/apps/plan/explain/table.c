#include "apps/plan/explain/table.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

enum { ADDRESS_WIDTH_MAX = 60 };

typedef void row_fn(struct tn_buf *out, const struct tn_plan *plan, uint32_t change, void *data);

/* Calls `row` for every entry of the filter's page. */
static void for_each_row(struct tn_buf *out, const struct tn_plan *plan,
			 const struct tn_plan_filter *filter, row_fn *row, void *data)
{
	uint32_t index = 0;

	for (uint32_t i = 0; i < plan->change_count; i++) {
		if (!tn_plan_entry_matches(&plan->changes[i], filter))
			continue;
		if (index >= filter->offset &&
		    (filter->limit == 0 || index - filter->offset < filter->limit))
			row(out, plan, i, data);
		index++;
	}
}

/* ---- the table ---- */

static size_t count_characters(struct tn_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
	return count;
}

static void pad(struct tn_buf *out, size_t from, size_t width)
{
	size_t shown;

	if (out->failed)
		return;
	shown = count_characters(tn_str(out->data + from, out->size - from));
	for (; shown < width; shown++)
		tn_buf_append_byte(out, ' ');
}

static void measure_row(struct tn_buf *out, const struct tn_plan *plan, uint32_t change, void *data)
{
	size_t *width = data, size = count_characters(plan->changes[change].address);

	(void)out;
	if (size > ADDRESS_WIDTH_MAX)
		size = ADDRESS_WIDTH_MAX;
	if (size > *width)
		*width = size;
}

static void put_row(struct tn_buf *out, const struct tn_plan *plan, uint32_t change, void *data)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	const size_t *width = data;
	size_t start;

	tn_buf_format(out, "%-8s %-8s ", tn_plan_action_name(entry->action),
		      tn_plan_risk_name(entry->risk));
	start = out->size;
	tn_plan_put_clean(out, entry->address, 0);
	pad(out, start, *width);
	tn_buf_append_byte(out, ' ');
	tn_plan_put_what(out, entry, TN_PLAN_NON_TECHNICAL);
	tn_buf_append_byte(out, '\n');
}

void tn_plan_put_table(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_filter *filter)
{
	size_t width = sizeof("ADDRESS") - 1;

	for_each_row(out, plan, filter, measure_row, &width);
	tn_buf_format(out, "%-8s %-8s %-*s %s\n", "ACTION", "RISK", (int)width, "ADDRESS", "WHAT");
	for_each_row(out, plan, filter, put_row, &width);
	tn_buf_format(out, "\n%u change%s; risk: %s\n", plan->total_changes,
		      tn_plan_plural(plan->total_changes), tn_plan_risk_name(plan->risk));
}

/* ---- tab separated ---- */

static void put_cell(struct tn_buf *out, struct tn_str text)
{
	static const struct {
		char byte;
		const char *escape;
	} escapes[] = {{'\t', "\\t"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\\', "\\\\"}};

	for (size_t i = 0; i < text.size; i++) {
		const char *escape = NULL;

		for (size_t j = 0; j < TN_COUNT(escapes); j++)
			if (text.data[i] == escapes[j].byte)
				escape = escapes[j].escape;
		if (escape)
			tn_buf_append_text(out, escape);
		else
			tn_buf_append_byte(out, text.data[i]);
	}
}

static void put_tsv_row(struct tn_buf *out, const struct tn_plan *plan, uint32_t change, void *data)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	const struct tn_str cells[] = {entry->type, entry->address, entry->previous_address,
				       entry->deposed, entry->import_id};

	(void)data;
	tn_buf_format(out, "%u\t%s\t%s", change + 1, tn_plan_action_name(entry->action),
		      tn_plan_risk_name(entry->risk));
	for (size_t i = 0; i < TN_COUNT(cells); i++) {
		tn_buf_append_byte(out, '\t');
		put_cell(out, cells[i]);
	}
	tn_buf_append_byte(out, '\n');
}

void tn_plan_put_tsv(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_filter *filter)
{
	tn_buf_append_text(out, "index\taction\trisk\ttype\taddress\tprevious_address\tdeposed\t"
				"import_id\n");
	for_each_row(out, plan, filter, put_tsv_row, NULL);
}
