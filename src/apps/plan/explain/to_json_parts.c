#include "apps/plan/explain/to_json_parts.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/vocabulary.h"
#include "jsonrpc/json_write.h"

/* ---- texts and values ---- */

void tn_plan_put_json_text(struct tn_buf *out, struct tn_str text)
{
	if (text.data)
		tn_json_put_str(out, text);
	else
		tn_json_put_null(out);
}

void tn_plan_to_json_member(struct tn_buf *out, const char *key, struct tn_str text)
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
void tn_plan_to_json_redacted(struct tn_buf *out, struct tn_str text)
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

void tn_plan_to_json_value(struct tn_buf *out, const char *key, const struct tn_plan_value *value,
			   bool hidden, bool redact)
{
	tn_json_put_key(out, key);
	if (hidden)
		tn_json_put_null(out);
	else if (redact && value->kind == TN_PLAN_VALUE_STRING)
		tn_plan_to_json_redacted(out, value->text);
	else
		tn_plan_put_json_value(out, value);
}

void tn_plan_to_json_texts(struct tn_buf *out, const char *key, const char *const *words,
			   unsigned count)
{
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	for (unsigned i = 0; i < count; i++)
		tn_json_put_text(out, words[i]);
	tn_json_end_array(out);
}

void tn_plan_to_json_actions(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	const char *words[2];
	unsigned count = tn_plan_action_words(entry, words);

	tn_json_put_member_text(out, "action", tn_plan_action_name(entry->action));
	tn_plan_to_json_texts(out, "actions", words, count);
}

void tn_plan_to_json_count(struct tn_buf *out, const char *key, int64_t count)
{
	if (count < 0)
		tn_json_put_member_null(out, key);
	else
		tn_json_put_member_int(out, key, count);
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
	tn_plan_to_json_value(out, "before", &attribute->before, hidden, redact);
	tn_plan_to_json_value(out, "after", &attribute->after, hidden, redact);
	tn_json_put_member_bool(out, "unknown", attribute->unknown);
	tn_json_put_member_bool(out, "sensitive", attribute->sensitive);
	tn_json_put_member_bool(out, "write_only", attribute->write_only);
	tn_json_put_member_bool(out, "forces_replacement", attribute->forces_replacement);
	tn_json_put_member_bool(out, "multiline", attribute->multiline);
	if (attribute->before.truncated || attribute->after.truncated)
		tn_json_put_member_bool(out, "value_truncated", true);
	tn_json_end_object(out);
}

bool tn_plan_to_json_in_range(const struct tn_plan_to_json_range *range, uint32_t index)
{
	return index >= range->offset &&
	       (range->limit == 0 || index - range->offset < range->limit);
}

/* Returns how many there are, in or out of the range. */
uint32_t tn_plan_to_json_attributes(struct tn_buf *out, const struct tn_plan_attributes *attributes,
				    const struct tn_plan_to_json_range *range)
{
	uint32_t index = 0;

	tn_json_put_key(out, "attributes");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *attribute = &attributes->items[i];

		if (attribute->change == TN_PLAN_ATTR_UNCHANGED && !range->unchanged)
			continue;
		if (tn_plan_to_json_in_range(range, index++))
			put_attribute(out, attribute, range->redact);
	}
	tn_json_end_array(out);
	return index;
}
