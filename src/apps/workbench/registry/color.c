#include "apps/workbench/registry/color.h"

enum unit { NONE, PERCENT, ANGLE };

struct scan {
	struct tn_str rest;
	bool commas;        /* between the parts */
	enum unit units[3]; /* of the parts */
};

static bool is_hex_digit(char c)
{
	c = tn_to_lower(c);
	return tn_is_digit(c) || (c >= 'a' && c <= 'f');
}

bool tn_wb_color_is_hex(struct tn_str text)
{
	if (text.size < 4 || text.data[0] != '#')
		return false;
	for (size_t i = 1; i < text.size; i++) {
		if (!is_hex_digit(text.data[i]))
			return false;
	}
	return text.size == 4 || text.size == 5 || text.size == 7 || text.size == 9;
}

static char peek(const struct scan *s)
{
	return s->rest.size ? s->rest.data[0] : '\0';
}

static void skip(struct scan *s, size_t count)
{
	s->rest = tn_str_from_offset(s->rest, count);
}

static bool take_byte(struct scan *s, char byte)
{
	if (!s->rest.size || peek(s) != byte)
		return false;
	skip(s, 1);
	return true;
}

static bool take_blanks(struct scan *s)
{
	bool any = false;

	for (; peek(s) && strchr(" \t\n\r\f", peek(s)); any = true)
		skip(s, 1);
	return any;
}

static bool take_word(struct scan *s, struct tn_str word)
{
	if (s->rest.size < word.size || !tn_str_equal_nocase(tn_str(s->rest.data, word.size), word))
		return false;
	skip(s, word.size);
	return true;
}

static size_t take_digits(struct scan *s)
{
	size_t count = 0;

	for (; tn_is_digit(peek(s)); count++)
		skip(s, 1);
	return count;
}

/* "e" is an exponent only with digits behind it. */
static void take_exponent(struct scan *s)
{
	struct scan ahead = *s;

	if (!take_byte(&ahead, 'e') && !take_byte(&ahead, 'E'))
		return;
	if (!take_byte(&ahead, '+'))
		(void)take_byte(&ahead, '-');
	if (take_digits(&ahead))
		*s = ahead;
}

static bool take_number(struct scan *s)
{
	size_t whole;

	if (!take_byte(s, '+'))
		(void)take_byte(s, '-');
	whole = take_digits(s);
	if (peek(s) == '.') {
		skip(s, 1);
		if (!take_digits(s))
			return false;
	} else if (!whole) {
		return false;
	}
	take_exponent(s);
	return true;
}

static enum unit take_unit(struct scan *s)
{
	static const char *const angles[] = {"deg", "grad", "rad", "turn"};

	if (take_byte(s, '%'))
		return PERCENT;
	for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); i++) {
		if (take_word(s, tn_str_from(angles[i])))
			return ANGLE;
	}
	return NONE;
}

/* What stands between two parts; after the first it settles which kind the text uses. */
static bool take_between(struct scan *s, bool first)
{
	bool blank = take_blanks(s), comma = take_byte(s, ',');

	if (comma)
		(void)take_blanks(s);
	if (first)
		s->commas = comma;
	return comma ? s->commas : blank && !s->commas;
}

static bool take_alpha(struct scan *s)
{
	(void)take_blanks(s);
	if (peek(s) == ')')
		return true;
	if (!take_byte(s, s->commas ? ',' : '/'))
		return false;
	(void)take_blanks(s);
	if (!take_number(s) || take_unit(s) == ANGLE)
		return false;
	(void)take_blanks(s);
	return true;
}

static bool take_function(struct scan *s, struct tn_str name)
{
	if (!take_word(s, name))
		return false;
	if (!take_byte(s, 'a'))
		(void)take_byte(s, 'A');
	if (!take_byte(s, '('))
		return false;
	(void)take_blanks(s);
	for (size_t i = 0; i < 3; i++) {
		if ((i && !take_between(s, i == 1)) || !take_number(s))
			return false;
		s->units[i] = take_unit(s);
	}
	return take_alpha(s) && take_byte(s, ')') && s->rest.size == 0;
}

bool tn_wb_color_is_rgb(struct tn_str text)
{
	struct scan s = {.rest = text};

	return take_function(&s, TN_STR("rgb")) && s.units[0] != ANGLE &&
	       s.units[1] == s.units[0] && s.units[2] == s.units[0];
}

bool tn_wb_color_is_hsl(struct tn_str text)
{
	struct scan s = {.rest = text};

	if (!take_function(&s, TN_STR("hsl")) || s.units[0] == PERCENT || s.units[1] == ANGLE ||
	    s.units[2] == ANGLE)
		return false;
	return !s.commas || (s.units[1] == PERCENT && s.units[2] == PERCENT);
}
