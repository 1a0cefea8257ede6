#include "apps/plan/explain/markdown_settings.h"

#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/sentence.h"

static bool is_told(const struct tn_plan_attribute *attribute)
{
	return attribute->change != TN_PLAN_ATTR_UNCHANGED &&
	       (attribute->sensitive || attribute->write_only || attribute->unknown ||
		attribute->before.kind != TN_PLAN_VALUE_NONE ||
		attribute->after.kind != TN_PLAN_VALUE_NONE);
}

static uint32_t count_told(const struct tn_plan_entry *entry)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < entry->attributes.count; i++)
		count += is_told(&entry->attributes.items[i]);
	return count;
}

static void put_setting(struct tn_buf *out, const struct tn_plan_attribute *attribute)
{
	struct tn_buf values;

	tn_buf_init(&values, out->limit);
	tn_plan_put_shown_value(&values, attribute, &attribute->before);
	tn_buf_append_text(&values, " \xe2\x86\x92 ");
	tn_plan_put_shown_value(&values, attribute, &attribute->after);
	tn_buf_inherit_failure(out, &values);
	tn_buf_append_text(out, "- ");
	tn_plan_put_markdown_code(out, attribute->path);
	tn_buf_append_text(out, ": ");
	tn_plan_put_markdown_text(out, tn_buf_str(&values));
	tn_buf_append_text(out,
			   attribute->forces_replacement ? " (forces the replacement)\n" : "\n");
	tn_buf_finish(&values);
}

void tn_plan_put_markdown_settings(struct tn_buf *out, const struct tn_plan *plan,
				   const struct tn_plan_entry *entry)
{
	uint32_t count = count_told(entry);

	if ((entry->action != TN_PLAN_UPDATE && entry->action != TN_PLAN_REPLACE) ||
	    count <= TN_PLAN_UPDATES_SHOWN)
		return;
	tn_buf_append_byte(out, '\n');
	tn_plan_put_markdown_code(out, entry->address);
	tn_plan_put_markdown_unit(out, plan, entry->unit);
	tn_buf_format(out, "\n<details>\n<summary>All %u settings</summary>\n\n", count);
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (is_told(&entry->attributes.items[i]))
			put_setting(out, &entry->attributes.items[i]);
	tn_buf_append_text(out, "\n</details>\n");
}
