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

bool tn_plan_value_is_endless(const struct tn_plan_value *value)
{
	return is_nothing(value) || tn_plan_value_is_zero(value) ||
	       (tn_plan_value_is_readable(value) && value->text.size > 1 &&
		value->text.data[0] == '-' && tn_is_digit(value->text.data[1]));
}

/* ---- numbers and durations ---- */

static uint64_t seconds_of(char unit, bool of_date)
{
	static const uint64_t minute = 60, hour = 60 * minute, day = 24 * hour;

	switch (tn_to_lower(unit)) {
	case 's':
		return 1;
	case 'm':
		return of_date ? 30 * day : minute;
	case 'h':
		return hour;
	case 'd':
		return day;
	case 'w':
		return 7 * day;
	case 'y':
		return 365 * day;
	default:
		return 0;
	}
}

/* Takes "12h" off the front of the text. */
static bool take_part(struct tn_str *text, bool of_date, uint64_t *sum)
{
	static const size_t digits_max = 12;
	uint64_t number, unit;
	size_t digits = 0;

	while (digits < text->size && tn_is_digit(text->data[digits]))
		digits++;
	if (digits == 0 || digits > digits_max || digits == text->size ||
	    !tn_str_to_uint(tn_str(text->data, digits), &number))
		return false;
	unit = seconds_of(text->data[digits], of_date);
	*sum += number * unit;
	*text = tn_str_from_offset(*text, digits + 1);
	return unit > 0;
}

bool tn_plan_read_seconds(struct tn_str text, uint64_t *ret)
{
	bool iso = text.size > 1 && text.data[0] == 'P', of_date = iso;

	*ret = 0;
	text = tn_str_from_offset(text, iso);
	if (text.size == 0)
		return false;
	while (text.size > 0) {
		if (of_date && text.data[0] == 'T') {
			text = tn_str_from_offset(text, 1);
			of_date = false;
		} else if (!take_part(&text, of_date, ret)) {
			return false;
		}
	}
	return true;
}

/* "30", "30.5": the number before the point. */
static bool read_number(struct tn_str text, uint64_t *ret)
{
	size_t digits = 0, end;

	while (digits < text.size && tn_is_digit(text.data[digits]))
		digits++;
	for (end = digits;
	     end < text.size && (text.data[end] == '.' || tn_is_digit(text.data[end]));)
		end++;
	return end == text.size && tn_str_to_uint(tn_str(text.data, digits), ret);
}

/* What has a unit is compared with what has one. */
static bool read_amount(const struct tn_plan_value *value, uint64_t *ret, bool *ret_has_unit)
{
	if (value->kind != TN_PLAN_VALUE_NUMBER && value->kind != TN_PLAN_VALUE_STRING)
		return false;
	*ret_has_unit = !read_number(value->text, ret);
	return !*ret_has_unit || tn_plan_read_seconds(value->text, ret);
}

bool tn_plan_turns_less(const struct tn_plan_attribute *attribute)
{
	bool unit_before, unit_after;
	uint64_t before, after;

	return !tn_plan_is_unclear(attribute) &&
	       read_amount(&attribute->before, &before, &unit_before) &&
	       read_amount(&attribute->after, &after, &unit_after) && unit_before == unit_after &&
	       after < before;
}

bool tn_plan_is_taken_away(const struct tn_plan_attribute *attribute)
{
	const struct tn_plan_value *after = &attribute->after;

	return !tn_plan_is_unclear(attribute) && attribute->before.kind == TN_PLAN_VALUE_STRING &&
	       attribute->before.text.size > 0 &&
	       (is_nothing(after) ||
		(after->kind == TN_PLAN_VALUE_STRING && after->text.size == 0));
}
