#include "base/utf8.h"
#include "jsonrpc/schema_node.h"

static bool is_atom_char(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || (unsigned char)c >= 0x80 ||
	       (c && strchr("!#$%&'*+-/=?^_`{|}~.", c));
}

/* Labels of letters, digits and inner hyphens, 1 to 63 bytes, at least one; 253 in all. */
static bool is_host(struct tn_str host)
{
	size_t start = 0;

	if (host.size == 0 || host.size > 253)
		return false;
	for (size_t i = 0; i <= host.size; i++) {
		if (i < host.size && host.data[i] != '.') {
			char c = host.data[i];

			if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '-' &&
			    (unsigned char)c < 0x80)
				return false;
			continue;
		}
		if (i == start || i - start > 63 || host.data[start] == '-' ||
		    host.data[i - 1] == '-')
			return false;
		start = i + 1;
	}
	return true;
}

/* What people have: no quoted names, no address literals. */
static bool is_email(struct tn_str text)
{
	size_t at = tn_str_find_byte(text, '@');

	if (at == TN_STR_NONE || at == 0 || at > 64 || text.data[0] == '.' ||
	    text.data[at - 1] == '.')
		return false;
	for (size_t i = 0; i < at; i++) {
		if (!is_atom_char(text.data[i]) || (text.data[i] == '.' && text.data[i + 1] == '.'))
			return false;
	}
	return is_host(tn_str_from_offset(text, at + 1));
}

static bool is_hex(char c)
{
	c = tn_to_lower(c);
	return tn_is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool is_escape(struct tn_str text, size_t at)
{
	return text.size - at >= 3 && is_hex(text.data[at + 1]) && is_hex(text.data[at + 2]);
}

static bool is_scheme(struct tn_str text)
{
	if (text.size == 0 || !tn_is_alpha(text.data[0]))
		return false;
	for (size_t i = 1; i < text.size; i++) {
		char c = text.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '+' && c != '-' && c != '.')
			return false;
	}
	return true;
}

/* A scheme, and only characters that RFC 3986 allows, % being followed by two digits. */
static bool is_uri(struct tn_str text)
{
	size_t colon = tn_str_find_byte(text, ':');

	if (colon == TN_STR_NONE || colon + 1 == text.size || !is_scheme(tn_str(text.data, colon)))
		return false;
	for (size_t i = colon + 1; i < text.size; i++) {
		char c = text.data[i];

		if (tn_is_alpha(c) || tn_is_digit(c))
			continue;
		if (!c || !strchr("-._~:/?#[]@!$&'()*+,;=%", c) ||
		    (c == '%' && !is_escape(text, i)))
			return false;
	}
	return true;
}

/* Exactly `count` digits at the front of *text, within min..max. */
static bool take_number(struct tn_str *text, size_t count, unsigned min, unsigned max,
			unsigned *ret)
{
	unsigned value = 0;

	if (text->size < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!tn_is_digit(text->data[i]))
			return false;
		value = value * 10 + (unsigned)(text->data[i] - '0');
	}
	*text = tn_str_from_offset(*text, count);
	*ret = value;
	return value >= min && value <= max;
}

static bool take_byte(struct tn_str *text, char byte)
{
	if (text->size == 0 || text->data[0] != byte)
		return false;
	*text = tn_str_from_offset(*text, 1);
	return true;
}

static bool take_date(struct tn_str *text)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned year, month, day;
	bool leap;

	if (!take_number(text, 4, 0, 9999, &year) || !take_byte(text, '-') ||
	    !take_number(text, 2, 1, 12, &month) || !take_byte(text, '-') ||
	    !take_number(text, 2, 1, 31, &day))
		return false;
	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return day <= days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/* Minutes to subtract for UTC. */
static bool take_offset(struct tn_str *text, int *ret_minutes)
{
	unsigned hours, minutes;
	bool east;

	*ret_minutes = 0;
	if (take_byte(text, 'Z') || take_byte(text, 'z'))
		return true;
	east = take_byte(text, '+');
	if ((!east && !take_byte(text, '-')) || !take_number(text, 2, 0, 23, &hours) ||
	    !take_byte(text, ':') || !take_number(text, 2, 0, 59, &minutes))
		return false;
	*ret_minutes = (int)(hours * 60 + minutes) * (east ? 1 : -1);
	return true;
}

static bool take_fraction(struct tn_str *text)
{
	if (!take_byte(text, '.'))
		return true;
	if (text->size == 0 || !tn_is_digit(text->data[0]))
		return false;
	while (text->size && tn_is_digit(text->data[0]))
		*text = tn_str_from_offset(*text, 1);
	return true;
}

static bool is_date_time(struct tn_str text)
{
	const int day = 24 * 60;
	unsigned hours, minutes, seconds;
	int offset;

	if (!take_date(&text) || !(take_byte(&text, 'T') || take_byte(&text, 't')) ||
	    !take_number(&text, 2, 0, 23, &hours) || !take_byte(&text, ':') ||
	    !take_number(&text, 2, 0, 59, &minutes) || !take_byte(&text, ':') ||
	    !take_number(&text, 2, 0, 60, &seconds) || !take_fraction(&text) ||
	    !take_offset(&text, &offset) || text.size)
		return false;
	/* A leap second is the last of a day in UTC. */
	return seconds < 60 || ((int)(hours * 60 + minutes) - offset + 2 * day) % day == day - 1;
}

bool tn_schema_format_holds(enum tn_schema_format format, struct tn_str text)
{
	switch (format) {
	case TN_SCHEMA_FORMAT_EMAIL:
		return is_email(text);
	case TN_SCHEMA_FORMAT_URI:
		return is_uri(text);
	case TN_SCHEMA_FORMAT_DATE:
		return take_date(&text) && text.size == 0;
	case TN_SCHEMA_FORMAT_DATE_TIME:
		return is_date_time(text);
	default:
		return true;
	}
}
