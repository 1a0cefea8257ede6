#include "apps/plan/explain/turn.h"

#include "apps/plan/explain/block.h"
#include "base/size.h"

bool tn_plan_is_one_of(struct tn_str text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_equal_nocase(text, tn_str_from(words[i])))
			return true;
	return false;
}

static bool is_nothing(const struct tn_plan_value *value)
{
	return value->kind == TN_PLAN_VALUE_NONE || value->kind == TN_PLAN_VALUE_NULL;
}

static bool is_word(const struct tn_plan_value *value)
{
	return value->kind == TN_PLAN_VALUE_BOOL || value->kind == TN_PLAN_VALUE_STRING;
}

bool tn_plan_value_is_on(const struct tn_plan_value *value)
{
	static const char *const words[] = {"true", "enabled", "active", "on"};

	return is_word(value) && tn_plan_is_one_of(value->text, words, TN_COUNT(words));
}

bool tn_plan_value_is_off(const struct tn_plan_value *value)
{
	static const char *const words[] = {"false", "disabled", "suspended", "inactive", "off"};

	return is_nothing(value) ||
	       (is_word(value) && tn_plan_is_one_of(value->text, words, TN_COUNT(words)));
}

bool tn_plan_value_is_zero(const struct tn_plan_value *value)
{
	bool digit = false;

	if (value->kind != TN_PLAN_VALUE_NUMBER && value->kind != TN_PLAN_VALUE_STRING)
		return false;
	for (size_t i = 0; i < value->text.size; i++) {
		if (value->text.data[i] != '0' && value->text.data[i] != '.')
			return false;
		digit = digit || value->text.data[i] == '0';
	}
	return digit;
}

bool tn_plan_is_unclear(const struct tn_plan_attribute *attribute)
{
	return attribute->sensitive || attribute->unknown || attribute->write_only ||
	       attribute->change == TN_PLAN_ATTR_UNCHANGED;
}

bool tn_plan_turns_off(const struct tn_plan_attribute *attribute)
{
	return !tn_plan_is_unclear(attribute) && tn_plan_value_is_on(&attribute->before) &&
	       tn_plan_value_is_off(&attribute->after);
}

bool tn_plan_turns_on(const struct tn_plan_attribute *attribute)
{
	return !tn_plan_is_unclear(attribute) && !tn_plan_value_is_on(&attribute->before) &&
	       tn_plan_value_is_on(&attribute->after);
}

bool tn_plan_turns_zero(const struct tn_plan_attribute *attribute)
{
	return !tn_plan_is_unclear(attribute) && tn_plan_value_is_readable(&attribute->before) &&
	       !tn_plan_value_is_zero(&attribute->before) &&
	       tn_plan_value_is_zero(&attribute->after);
}

/* "30", "30.5", "2592000s": the number before the point, and what stands behind its digits. */
static bool read_amount(const struct tn_plan_value *value, uint64_t *ret, struct tn_str *ret_unit)
{
	struct tn_str text = value->text;
	size_t digits = 0, end;

	if (value->kind != TN_PLAN_VALUE_NUMBER && value->kind != TN_PLAN_VALUE_STRING)
		return false;
	while (digits < text.size && tn_is_digit(text.data[digits]))
		digits++;
	for (end = digits;
	     end < text.size && (text.data[end] == '.' || tn_is_digit(text.data[end]));)
		end++;
	*ret_unit = tn_str_from_offset(text, end);
	return tn_str_to_uint(tn_str(text.data, digits), ret);
}

bool tn_plan_turns_less(const struct tn_plan_attribute *attribute)
{
	struct tn_str unit_before, unit_after;
	uint64_t before, after;

	return !tn_plan_is_unclear(attribute) &&
	       read_amount(&attribute->before, &before, &unit_before) &&
	       read_amount(&attribute->after, &after, &unit_after) && after < before &&
	       tn_str_equal(unit_before, unit_after);
}

bool tn_plan_is_taken_away(const struct tn_plan_attribute *attribute)
{
	const struct tn_plan_value *after = &attribute->after;

	return !tn_plan_is_unclear(attribute) && attribute->before.kind == TN_PLAN_VALUE_STRING &&
	       attribute->before.text.size > 0 &&
	       (is_nothing(after) ||
		(after->kind == TN_PLAN_VALUE_STRING && after->text.size == 0));
}
