#include "apps/plan/read/escape.h"

#include "base/utf8.h"

static int hex_value(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hex(struct tn_str text, size_t at, size_t digits, uint32_t *ret)
{
	uint32_t code = 0;

	if (at > text.size || text.size - at < digits)
		return false;
	for (size_t i = 0; i < digits; i++) {
		int value = hex_value(text.data[at + i]);

		if (value < 0)
			return false;
		code = code << 4 | (uint32_t)value;
	}
	*ret = code;
	return true;
}

/* \xNN, \uNNNN, \UNNNNNNNN at `at`, which stands on the letter. Returns the bytes consumed. */
static size_t unescape_number(struct tn_str text, size_t at, char **to)
{
	size_t digits = text.data[at] == 'x' ? 2 : text.data[at] == 'u' ? 4 : 8;
	uint32_t code, low;
	size_t used = 1 + digits;

	if (!read_hex(text, at + 1, digits, &code))
		return 0;
	/* JSON inside of a value may write one character as two surrogates. */
	if (code >= 0xD800 && code <= 0xDBFF && text.size - at > used + 1 &&
	    text.data[at + used] == '\\' && text.data[at + used + 1] == 'u' &&
	    read_hex(text, at + used + 2, 4, &low) && low >= 0xDC00 && low <= 0xDFFF) {
		code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
		used += 6;
	}
	*to += tn_utf8_encode(code, *to);
	return used;
}

/* `at` stands behind a backslash. Returns the bytes consumed; 0: no escape. */
static size_t unescape_one(struct tn_str text, size_t at, char **to)
{
	static const char letters[] = "\"\\nrtabfv/'";
	static const char bytes[] = "\"\\\n\r\t\a\b\f\v/'";
	const char *letter;

	if (at >= text.size || text.data[at] == '\0')
		return 0;
	if (text.data[at] == 'x' || text.data[at] == 'u' || text.data[at] == 'U')
		return unescape_number(text, at, to);
	letter = strchr(letters, text.data[at]);
	if (!letter)
		return 0;
	*(*to)++ = bytes[letter - letters];
	return 1;
}

static bool is_doubled_marker(struct tn_str text, size_t at)
{
	char c = text.data[at];

	return (c == '$' || c == '%') && text.size - at >= 3 && text.data[at + 1] == c &&
	       text.data[at + 2] == '{';
}

static bool needs_work(struct tn_str text)
{
	if (text.size == 0)
		return false;
	return memchr(text.data, '\\', text.size) ||
	       tn_str_find(text, TN_STR("$${")) != TN_STR_NONE ||
	       tn_str_find(text, TN_STR("%%{")) != TN_STR_NONE;
}

bool tn_plan_unescape(struct tn_str text, struct tn_arena *arena, struct tn_str *ret)
{
	size_t at = 0;
	char *start, *to;

	*ret = text;
	if (!needs_work(text))
		return true;
	/* Every escape is at least as long as what it stands for. */
	to = start = tn_arena_alloc_raw(arena, text.size + TN_UTF8_BYTES_MAX);
	if (!start)
		return false;
	while (at < text.size) {
		size_t used = text.data[at] == '\\' ? unescape_one(text, at + 1, &to) : 0;

		if (used) {
			at += 1 + used;
			continue;
		}
		if (is_doubled_marker(text, at))
			at++;
		*to++ = text.data[at++];
	}
	*ret = tn_str(start, (size_t)(to - start));
	return true;
}

size_t tn_plan_quote_end(struct tn_str text, size_t at)
{
	while (at < text.size) {
		const char *quote = memchr(text.data + at, '"', text.size - at);
		const char *back;

		if (!quote)
			return TN_STR_NONE;
		for (back = quote; back > text.data + at && back[-1] == '\\';)
			back--;
		if ((quote - back) % 2 == 0)
			return (size_t)(quote - text.data);
		at = (size_t)(quote - text.data) + 1;
	}
	return TN_STR_NONE;
}
