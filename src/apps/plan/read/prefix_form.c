#include "apps/plan/read/prefix_form.h"

#include "base/size.h"

static size_t digits(struct tn_str text, size_t at, const char *pattern)
{
	/* '0' stands for a digit, everything else for itself. */
	for (; *pattern; pattern++, at++) {
		if (at >= text.size ||
		    (*pattern == '0' ? !tn_is_digit(text.data[at]) : text.data[at] != *pattern))
			return 0;
	}
	return at;
}

/* 2024-05-01T12:00:00.1234567Z, or with an offset. Returns the offset behind it, or 0. */
static size_t timestamp(struct tn_str text, size_t at)
{
	at = digits(text, at, "0000-00-00T00:00:00");
	if (at == 0)
		return 0;
	if (at < text.size && text.data[at] == '.') {
		at++;
		while (at < text.size && tn_is_digit(text.data[at]))
			at++;
	}
	if (at < text.size && text.data[at] == 'Z')
		return at + 1;
	if (at < text.size && (text.data[at] == '+' || text.data[at] == '-'))
		return digits(text, at + 1, "00:00");
	return 0;
}

static size_t skip_one_blank(struct tn_str text, size_t at)
{
	return at < text.size && text.data[at] == ' ' ? at + 1 : at;
}

/* With the stream tag that one runner adds: "00O " begins a line, "01E+" continues one. */
static size_t iso8601_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at = timestamp(line, 0), tag;

	(void)ret_unit;
	if (at == 0 || (at < line.size && line.data[at] != ' '))
		return 0;
	at = skip_one_blank(line, at);
	tag = digits(line, at, "00");
	if (tag && tag < line.size && (line.data[tag] == 'O' || line.data[tag] == 'E') &&
	    (tag + 1 == line.size || line.data[tag + 1] == ' ' || line.data[tag + 1] == '+'))
		at = tag + 2 > line.size ? line.size : tag + 2;
	return at;
}

static size_t bracket_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at;

	(void)ret_unit;
	if (line.size < 2 || line.data[0] != '[')
		return 0;
	at = timestamp(line, 1);
	return at && at < line.size && line.data[at] == ']' ? skip_one_blank(line, at + 1) : 0;
}

/* "[unit] terraform: " at `at`, blanks before it allowed. What a runner says itself, "[unit]
 * Downloading", has no prefix and names no unit. */
static size_t unit_and_tool(struct tn_str line, size_t at, struct tn_str *ret_unit)
{
	static const struct tn_str names[] = {{"terraform:", 10}, {"tofu:", 5}};
	struct tn_str unit = {NULL, 0};
	size_t close;

	while (at < line.size && line.data[at] == ' ')
		at++;
	if (at < line.size && line.data[at] == '[') {
		close = tn_str_find_byte(tn_str_from_offset(line, at), ']');
		if (close == TN_STR_NONE)
			return 0;
		unit = tn_str(line.data + at + 1, close - 1);
		at = skip_one_blank(line, at + close + 1);
	}
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_starts(tn_str_from_offset(line, at), names[i])) {
			*ret_unit = unit;
			return skip_one_blank(line, at + names[i].size);
		}
	}
	return 0;
}

/* "time=... level=stdout prefix=[unit] tf-path=terraform msg=TEXT"; a quoted TEXT is unquoted
 * later, by strip_line. */
static size_t key_value_form(struct tn_str line, struct tn_str *ret_unit)
{
	static const struct tn_str prefix = {" prefix=", 8}, message = {" msg=", 5};
	size_t at = tn_str_find(line, message), unit = tn_str_find(line, prefix);
	struct tn_str name;

	if (at == TN_STR_NONE)
		return 0;
	if (unit != TN_STR_NONE && unit < at) {
		name = tn_str_from_offset(line, unit + prefix.size);
		name.size = 0;
		while (name.data[name.size] != ' ')
			name.size++;
		while (name.size && (*name.data == '[' || *name.data == '"')) {
			name.data++;
			name.size--;
		}
		while (name.size &&
		       (name.data[name.size - 1] == ']' || name.data[name.size - 1] == '"'))
			name.size--;
		*ret_unit = name;
	}
	return at + message.size;
}

/* 09:32:46.963 STDOUT [unit] terraform: */
static size_t runner_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at;

	if (tn_str_starts(line, TN_STR("time=")))
		return key_value_form(line, ret_unit);
	at = digits(line, 0, "00:00:00.000 ");
	if (at == 0)
		at = digits(line, 0, "00:00:00 ");
	if (at == 0)
		return 0;
	while (at < line.size && line.data[at] == ' ')
		at++;
	while (at < line.size && tn_is_alpha(line.data[at]))
		at++;
	return at < line.size && line.data[at] == ' ' ? unit_and_tool(line, at, ret_unit) : 0;
}

/* "service_1  | " */
static size_t compose_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at = 0;

	(void)ret_unit;
	while (at < line.size &&
	       (tn_is_alpha(line.data[at]) || tn_is_digit(line.data[at]) || line.data[at] == '_' ||
		line.data[at] == '-' || line.data[at] == '.'))
		at++;
	if (at == 0)
		return 0;
	while (at < line.size && line.data[at] == ' ')
		at++;
	if (at >= line.size || line.data[at] != '|')
		return 0;
	return skip_one_blank(line, at + 1);
}

static size_t quote_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at = 0;

	(void)ret_unit;
	while (at < line.size && line.data[at] == '>')
		at = skip_one_blank(line, at + 1);
	return at;
}

/* gh run view --log: the job, the step and the time, with tabs between; a byte order mark may stand
 * before the first. */
static size_t job_form(struct tn_str line, struct tn_str *ret_unit)
{
	static const struct tn_str mark = {"\xEF\xBB\xBF", 3};
	size_t job = tn_str_find_byte(line, '\t'), step, at;

	if (job == TN_STR_NONE || job == 0)
		return 0;
	step = tn_str_find_byte(tn_str_from_offset(line, job + 1), '\t');
	if (step == TN_STR_NONE)
		return 0;
	at = job + 1 + step + 1;
	if (tn_str_starts(tn_str_from_offset(line, at), mark))
		at += mark.size;
	step = iso8601_form(tn_str_from_offset(line, at), ret_unit);
	return step ? at + step : 0;
}

/* "12:34:56 ", as one build server has it. */
static size_t time_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at = digits(line, 0, "00:00:00");

	(void)ret_unit;
	if (at && at < line.size && line.data[at] == '.' && digits(line, at, ".000"))
		at += 4;
	return at && (at == line.size || line.data[at] == ' ') ? skip_one_blank(line, at) : 0;
}

/* "[plan:12] ": the step and the number of the line. */
static size_t step_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at = 1, number;

	(void)ret_unit;
	if (line.size < 4 || line.data[0] != '[')
		return 0;
	while (at < line.size && line.data[at] != ':' && line.data[at] != ']')
		at++;
	number = at + 1;
	if (at == 1 || at >= line.size || line.data[at] != ':')
		return 0;
	for (at = number; at < line.size && tn_is_digit(line.data[at]);)
		at++;
	if (at == number || at >= line.size || line.data[at] != ']')
		return 0;
	return skip_one_blank(line, at + 1);
}

/* cat -n: blanks, a number, a tab. */
static size_t number_form(struct tn_str line, struct tn_str *ret_unit)
{
	size_t at = 0, number;

	(void)ret_unit;
	while (at < line.size && line.data[at] == ' ')
		at++;
	for (number = at; at < line.size && tn_is_digit(line.data[at]);)
		at++;
	return at > number && at < line.size && line.data[at] == '\t' ? at + 1 : 0;
}

const struct tn_plan_prefix_form tn_plan_prefix_forms[] = {
	{iso8601_form, TN_PLAN_CLEAN_PREFIX_ISO8601},
	{bracket_form, TN_PLAN_CLEAN_PREFIX_BRACKET_TIME},
	{runner_form, TN_PLAN_CLEAN_PREFIX_RUNNER},
	{compose_form, TN_PLAN_CLEAN_PREFIX_COMPOSE},
	{quote_form, TN_PLAN_CLEAN_PREFIX_QUOTE},
	{job_form, TN_PLAN_CLEAN_PREFIX_GENERIC},
	{time_form, TN_PLAN_CLEAN_PREFIX_GENERIC},
	{step_form, TN_PLAN_CLEAN_PREFIX_GENERIC},
	{number_form, TN_PLAN_CLEAN_PREFIX_GENERIC},
};
const size_t tn_plan_prefix_form_count = TN_COUNT(tn_plan_prefix_forms);
