#include "apps/floorplan/language/lex_text.h"

#include <utf8proc.h>

#include "apps/floorplan/limits.h"
#include "base/utf8.h"

static bool is_line_end(uint32_t character)
{
	return character == '\n' || character == '\r';
}

struct tn_floor_cursor tn_floor_cursor_at_start(struct tn_str text)
{
	struct tn_floor_cursor cursor = {.text = text, .line = 1, .column = 1};

	if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
		cursor.at = 3; /* L1: it counts as no column */
	return cursor;
}

uint32_t tn_floor_peek(const struct tn_floor_cursor *cursor)
{
	uint32_t character = TN_UTF8_REPLACEMENT;
	unsigned char first;

	if (tn_floor_at_end(cursor))
		return 0;
	first = (unsigned char)cursor->text.data[cursor->at];
	if (first < 0x80)
		return first;
	(void)tn_utf8_decode(cursor->text.data + cursor->at, cursor->text.size - cursor->at,
			     &character);
	return character;
}

static uint32_t width_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xE0)
		return 2;
	return first < 0xF0 ? 3 : 4;
}

void tn_floor_step(struct tn_floor_cursor *cursor)
{
	char byte;

	if (tn_floor_at_end(cursor))
		return;
	byte = cursor->text.data[cursor->at];
	cursor->at += width_of((unsigned char)byte);
	if (cursor->at > cursor->text.size)
		cursor->at = (uint32_t)cursor->text.size;
	if (!is_line_end((unsigned char)byte)) {
		cursor->column++;
		return;
	}
	if (byte == '\r' && tn_floor_byte(cursor, 0) == '\n')
		cursor->at++;
	cursor->line++;
	cursor->column = 1;
}

struct tn_floor_range tn_floor_range_between(const struct tn_floor_cursor *from,
					     const struct tn_floor_cursor *to)
{
	return (struct tn_floor_range){.start = from->at,
				       .end = to->at,
				       .line = from->line,
				       .column = from->column,
				       .end_line = to->line,
				       .end_column = to->column};
}

/* ---- input checks ---- */

static void tell_byte(struct tn_floor_diagnostics *list, struct tn_str text, size_t offset,
		      int code, const char *what)
{
	/* The text before it is good, so that its lines can be counted. */
	struct tn_floor_cursor cursor = tn_floor_cursor_at_start(tn_str(text.data, offset));
	struct tn_floor_range range;

	while (!tn_floor_at_end(&cursor))
		tn_floor_step(&cursor);
	range = tn_floor_range_between(&cursor, &cursor);
	range.end++;
	range.end_column++;
	(void)tn_floor_diagnose(list, code, &range, "%s", what);
}

static size_t valid_prefix(struct tn_str text)
{
	uint32_t code;
	size_t at = 0;

	while (at < text.size) {
		size_t size = (unsigned char)text.data[at] < 0x80
				      ? 1
				      : tn_utf8_decode(text.data + at, text.size - at, &code);

		if (size == 0)
			break;
		at += size;
	}
	return at;
}

bool tn_floor_text_check(struct tn_str text, struct tn_floor_diagnostics *list)
{
	const struct tn_floor_range start = {
		.line = 1, .column = 1, .end_line = 1, .end_column = 1};
	size_t bad, nul;

	if (text.size > TN_FLOOR_TEXT_BYTES_MAX) {
		(void)tn_floor_diagnose(list, 1, &start,
					"the plan has %zu bytes; at most %zu are read", text.size,
					(size_t)TN_FLOOR_TEXT_BYTES_MAX);
		return false;
	}
	bad = valid_prefix(text);
	nul = tn_str_find_byte(tn_str(text.data, bad), '\0');
	if (nul != TN_STR_NONE)
		tell_byte(list, text, nul, 3, "a NUL cannot stand in a plan");
	else if (bad < text.size)
		tell_byte(list, text, bad, 2, "this byte is not UTF-8; save the plan as UTF-8");
	return nul == TN_STR_NONE && bad == text.size;
}

/* ---- characters ---- */

bool tn_floor_is_blank(uint32_t c)
{
	return (c >= 0x09 && c <= 0x0D) || c == ' ' || c == 0xA0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
	       c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

bool tn_floor_is_letter(uint32_t c)
{
	utf8proc_category_t category;

	if (c < 0x80)
		return tn_is_alpha((char)c);
	category = utf8proc_category((utf8proc_int32_t)c);
	return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
	       (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME);
}

bool tn_floor_is_name_start(uint32_t c)
{
	return c < 0x80 && (tn_is_alpha((char)c) || c == '_');
}

bool tn_floor_is_name_part(uint32_t c)
{
	return tn_floor_is_name_start(c) || (c < 0x80 && tn_is_digit((char)c));
}
