/* hcl_text.c - strings, numbers, keys and names as HCL writes them (studio.md 8.3). */
#include "apps/studio/hcl/hcl_tree.h"

#include <math.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static bool starts_identifier(char c)
{
	return tn_is_alpha(c) || c == '_';
}

static bool continues_identifier(char c)
{
	return starts_identifier(c) || tn_is_digit(c) || c == '-';
}

bool tn_studio_hcl_is_identifier(struct tn_str text)
{
	if (text.size == 0 || !starts_identifier(text.data[0]))
		return false;
	for (size_t i = 1; i < text.size; i++) {
		if (!continues_identifier(text.data[i]))
			return false;
	}
	return true;
}

/* "[0]" at `at`; the offset after it, or 0. */
static size_t index_end(struct tn_str text, size_t at)
{
	size_t end = at + 1;
	while (end < text.size && tn_is_digit(text.data[end]))
		end++;
	return end > at + 1 && end < text.size && text.data[end] == ']' ? end + 1 : 0;
}

bool tn_studio_hcl_is_path(struct tn_str text)
{
	size_t at = 0;
	for (;;) {
		size_t start = at;
		while (at < text.size && continues_identifier(text.data[at]))
			at++;
		if (at == start || !starts_identifier(text.data[start]))
			return false;
		while (at < text.size && text.data[at] == '[') {
			at = index_end(text, at);
			if (at == 0)
				return false;
		}
		if (at == text.size)
			return true;
		if (text.data[at++] != '.')
			return false;
	}
}

static const char *short_escape(char c)
{
	switch (c) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\r':
		return "\\r";
	case '\t':
		return "\\t";
	default:
		return NULL;
	}
}

/* One character at `at`; returns its length. Other controls are written as numbers: they would end
 * a line in some reader or other. */
static size_t put_character(struct tn_buf *out, struct tn_str text, size_t at)
{
	uint32_t code = TN_UTF8_REPLACEMENT;
	size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);
	const char *escape = size == 1 ? short_escape(text.data[at]) : NULL;
	if (escape)
		tn_buf_append_text(out, escape);
	else if (size == 0)
		tn_buf_append_text(out, "\xEF\xBF\xBD");
	else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		tn_buf_format(out, "\\u%04X", (unsigned)code);
	else
		tn_buf_append(out, text.data + at, size);
	return size ? size : 1;
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c != '"' && c != '\\' && c != '$' && c != '%' && c < 0x7f;
}

/* The inside of a quoted template: `${` and `%{` are doubled, or text would be evaluated. */
static void put_escaped(struct tn_buf *out, struct tn_str text)
{
	size_t at = 0;
	while (at < text.size) {
		size_t start = at;
		while (at < text.size && is_plain((unsigned char)text.data[at]))
			at++;
		tn_buf_append(out, text.data + start, at - start);
		if (at == text.size)
			return;
		char c = text.data[at];
		if ((c == '$' || c == '%') && at + 1 < text.size && text.data[at + 1] == '{')
			tn_buf_append_byte(out, c);
		at += put_character(out, text, at);
	}
}

void tn_studio_put_hcl_string(struct tn_buf *out, struct tn_str text)
{
	tn_buf_append_byte(out, '"');
	put_escaped(out, text);
	tn_buf_append_byte(out, '"');
}

/* Words that HCL would not read as the text they are. */
static bool is_word_of_hcl(struct tn_str key)
{
	return tn_str_is(key, "for") || tn_str_is(key, "null") || tn_str_is(key, "true") ||
	       tn_str_is(key, "false") || tn_str_is(key, "if") || tn_str_is(key, "in");
}

void tn_studio_hcl_put_key(struct tn_buf *out, struct tn_str key)
{
	if (tn_studio_hcl_is_identifier(key) && !is_word_of_hcl(key))
		tn_buf_append_str(out, key);
	else
		tn_studio_put_hcl_string(out, key);
}

void tn_studio_hcl_put_number(struct tn_buf *out, const struct tn_json *number)
{
	int64_t integer;
	double value = 0;
	if (tn_json_to_int(number, &integer)) {
		tn_buf_format(out, "%lld", (long long)integer);
		return;
	}
	bool digits = true; /* an integer of any size keeps its digits */
	for (size_t i = number->text.data[0] == '-' ? 1 : 0; i < number->text.size; i++)
		digits = digits && tn_is_digit(number->text.data[i]);
	if (digits || !tn_json_to_double(number, &value) || !isfinite(value)) {
		tn_buf_append_str(out, number->text); /* JSON's numbers are HCL's, too */
		return;
	}
	/* The JSON writer may set a comma before a value: its own buffer. */
	struct tn_buf text;
	tn_buf_init(&text, 64);
	tn_json_put_double(&text, value);
	tn_buf_append_str(out, tn_buf_str(&text));
	tn_buf_inherit_failure(out, &text);
	tn_buf_finish(&text);
}

/* The formatter counts token by token: one that ends with these begins no cluster with the next. */
static bool ends_token(struct tn_str text, size_t at)
{
	char c = text.data[at];
	if (c == '$' || c == '%')
		return true;
	return c == '{' && at >= 2 && text.data[at - 1] == text.data[at - 2] &&
	       (text.data[at - 1] == '$' || text.data[at - 1] == '%');
}

size_t tn_studio_hcl_columns(struct tn_str text)
{
	size_t columns = 0, at = 0;
	utf8proc_int32_t before = 0, state = 0;
	bool fresh = true;
	while (at < text.size) {
		utf8proc_int32_t code = 0;
		utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)text.data + at,
							 (utf8proc_ssize_t)(text.size - at), &code);
		if (size <= 0 || code < 0)
			return columns + text.size - at;
		if (fresh)
			state = 0;
		if (fresh || utf8proc_grapheme_break_stateful(before, code, &state))
			columns++;
		fresh = ends_token(text, at);
		before = code;
		at += (size_t)size;
	}
	return columns;
}

struct tn_str tn_studio_hcl_identifier(struct tn_arena *arena, struct tn_str text)
{
	if (tn_studio_hcl_is_identifier(text))
		return text;
	bool under = text.size == 0 || !starts_identifier(text.data[0]);
	char *copy = tn_arena_alloc(arena, text.size + 2);
	if (!copy)
		return TN_STR("_");
	size_t size = 0;
	if (under)
		copy[size++] = '_';
	for (size_t i = 0; i < text.size; i++)
		copy[size++] = continues_identifier(text.data[i]) ? text.data[i] : '_';
	return tn_str(copy, size);
}
