#include "apps/plan/explain/markdown_settings.h"

#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/to_json.h"

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

/* `before`, path and values, `behind`. */
static void put_setting(struct tn_buf *out, const struct tn_plan_attribute *attribute,
			const char *before, const char *behind)
{
	struct tn_buf values;

	tn_buf_init(&values, out->limit);
	tn_plan_put_shown_value(&values, attribute, &attribute->before);
	tn_buf_append_text(&values, " \xe2\x86\x92 ");
	tn_plan_put_shown_value(&values, attribute, &attribute->after);
	tn_buf_inherit_failure(out, &values);
	tn_buf_append_text(out, before);
	tn_plan_put_markdown_code(out, attribute->path);
	tn_buf_append_text(out, ": ");
	tn_plan_put_markdown_text(out, tn_buf_str(&values));
	if (attribute->forces_replacement)
		tn_buf_append_text(out, " (forces the replacement)");
	tn_buf_append_text(out, behind);
	tn_buf_finish(&values);
}

/* Whether the table, or a sentence, has no room for all of it. */
static bool has_settings(const struct tn_plan_entry *entry)
{
	return (entry->action == TN_PLAN_UPDATE || entry->action == TN_PLAN_REPLACE) &&
	       count_told(entry) > TN_PLAN_UPDATES_SHOWN;
}

void tn_plan_put_markdown_settings(struct tn_buf *out, const struct tn_plan *plan,
				   const struct tn_plan_entry *entry)
{
	if (!has_settings(entry))
		return;
	tn_buf_append_byte(out, '\n');
	tn_plan_put_markdown_code(out, entry->address);
	tn_plan_put_markdown_unit(out, plan, entry->unit);
	tn_buf_format(out, "\n<details>\n<summary>All %u settings</summary>\n\n",
		      count_told(entry));
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (is_told(&entry->attributes.items[i]))
			put_setting(out, &entry->attributes.items[i], "- ", "\n");
	tn_buf_append_text(out, "\n</details>\n");
}

/* Both values are known, if not shown: what the provider makes says little. */
static bool is_plain(const struct tn_plan_attribute *attribute)
{
	return !attribute->unknown && (attribute->sensitive || attribute->write_only ||
				       (attribute->before.kind != TN_PLAN_VALUE_NONE &&
					attribute->after.kind != TN_PLAN_VALUE_NONE));
}

void tn_plan_put_markdown_weighty(struct tn_buf *out, const struct tn_plan *plan, uint32_t change)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	uint32_t plain = 0, shown = 0, count = count_told(entry);

	if (!has_settings(entry))
		return;
	tn_buf_append_text(out, "- ");
	tn_plan_put_markdown_code(out, entry->address);
	tn_plan_put_markdown_unit(out, plan, entry->unit);
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];

		if (!is_told(attribute) ||
		    (!tn_plan_attribute_weighs(plan, change, attribute) &&
		     (!is_plain(attribute) || plain++ >= TN_PLAN_UPDATES_SHOWN)))
			continue;
		put_setting(out, attribute, shown++ ? ", " : ": ", "");
	}
	if (shown < count)
		tn_buf_format(out, "%s%u more", shown ? " and " : ": ", count - shown);
	tn_buf_append_byte(out, '\n');
}
