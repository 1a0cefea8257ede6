#include "draw/font.h"

#include "base/size.h"
#include "base/utf8.h"
#include "draw/font_table.h"

enum {
	OP_END,
	OP_MOVE,
	OP_LINE,
	OP_CURVE, /* as in tools/font_to_c.py */

	BOX_HEIGHT = 1493, /* of a capital letter */
	BOX_EDGE = 96,
	BOX_DIGIT = 440, /* how far apart the digits stand */
	BOX_ROW = 620,
	DIGIT_NUMERATOR = 3, /* a digit's size */
	DIGIT_DENOMINATOR = 8
};

/* ---- characters ---- */

bool tn_font_is_unseen(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x00, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},       {0x200B, 0x200F},
		{0x202A, 0x202E}, {0x2060, 0x206F},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
		{0xFFF9, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
	};
	size_t i;

	for (i = 0; i < TN_COUNT(ranges); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

static bool is_space(uint32_t code)
{
	return code == '\t' || code == '\n' || code == '\r' || code == 0xA0 ||
	       (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
	       code == 0x202F || code == 0x205F || code == 0x3000;
}

bool tn_font_next(struct tn_str *text, uint32_t *ret_code)
{
	while (text->size > 0) {
		uint32_t code;
		size_t size = tn_utf8_decode(text->data, text->size, &code);

		if (size == 0) {
			code = TN_UTF8_REPLACEMENT;
			size = 1;
		}
		*text = tn_str_from_offset(*text, size);
		if (is_space(code))
			code = ' ';
		if (tn_font_is_unseen(code))
			continue;
		*ret_code = code;
		return true;
	}
	return false;
}

/* ---- the table ---- */

static const struct tn_font_table *table_of(enum tn_draw_weight weight)
{
	return weight == TN_DRAW_BOLD ? &tn_font_bold : &tn_font_regular;
}

static const struct tn_font_row *row_of(const struct tn_font_table *table, uint32_t code)
{
	size_t low = 0, high = table->row_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->rows[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->row_count && table->rows[low].code == code ? &table->rows[low] : NULL;
}

bool tn_font_has(enum tn_draw_weight weight, uint32_t code)
{
	return row_of(table_of(weight), code) != NULL;
}

static int32_t box_columns(uint32_t code)
{
	return code > 0xFFFF ? 3 : 2;
}

int32_t tn_font_width(enum tn_draw_weight weight, uint32_t code)
{
	const struct tn_font_row *row = row_of(table_of(weight), code);

	if (row)
		return row->width;
	return box_columns(code) * BOX_DIGIT + 4 * BOX_EDGE;
}

static int32_t next_number(const char **at, unsigned *ret_operation)
{
	uint32_t value = 0;
	unsigned shift = 0;
	unsigned char byte;

	do {
		byte = (unsigned char)*(*at)++;
		value |= (uint32_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	value = value & 1 ? ~(value >> 1) : value >> 1;
	if (!ret_operation)
		return (int32_t)value;
	*ret_operation = value & 3; /* the low bits of first * 4 + operation */
	return ((int32_t)value - (int32_t)*ret_operation) / 4;
}

/* The table is ours and ends each outline with OP_END: it is not checked again. */
static bool draw_row(const char *at, const struct tn_font_pen *pen)
{
	int32_t x = 0, y = 0, cx, cy;
	bool any = false;

	for (;;) {
		unsigned operation;
		int32_t dx = next_number(&at, &operation);

		if (operation == OP_END)
			return any;
		any = true;
		x += dx;
		y += next_number(&at, NULL);
		if (operation == OP_MOVE) {
			pen->move(pen->data, x, y);
		} else if (operation == OP_LINE) {
			pen->line(pen->data, x, y);
		} else {
			cx = x;
			cy = y;
			x += next_number(&at, NULL);
			y += next_number(&at, NULL);
			pen->curve(pen->data, cx, cy, x, y);
		}
	}
}

/* ---- the box of what has no glyph ---- */

struct digit_pen {
	const struct tn_font_pen *pen;
	int32_t x, y;
};

static int32_t digit_place(int32_t from, int32_t value)
{
	return from + value * DIGIT_NUMERATOR / DIGIT_DENOMINATOR;
}

static void digit_move(void *data, int32_t x, int32_t y)
{
	const struct digit_pen *digit = data;

	digit->pen->move(digit->pen->data, digit_place(digit->x, x), digit_place(digit->y, y));
}

static void digit_line(void *data, int32_t x, int32_t y)
{
	const struct digit_pen *digit = data;

	digit->pen->line(digit->pen->data, digit_place(digit->x, x), digit_place(digit->y, y));
}

static void digit_curve(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y)
{
	const struct digit_pen *digit = data;

	digit->pen->curve(digit->pen->data, digit_place(digit->x, cx), digit_place(digit->y, cy),
			  digit_place(digit->x, x), digit_place(digit->y, y));
}

static void draw_rectangle(const struct tn_font_pen *pen, int32_t left, int32_t top, int32_t right,
			   int32_t bottom)
{
	pen->move(pen->data, left, top);
	pen->line(pen->data, right, top);
	pen->line(pen->data, right, bottom);
	pen->line(pen->data, left, bottom);
}

static void draw_box(enum tn_draw_weight weight, uint32_t code, const struct tn_font_pen *pen)
{
	int32_t columns = box_columns(code), place;
	int32_t right = columns * BOX_DIGIT + 3 * BOX_EDGE;
	int32_t inner = BOX_EDGE + BOX_EDGE / 2;

	draw_rectangle(pen, BOX_EDGE, -BOX_HEIGHT, right, 0);
	/* The hole runs the other way round. */
	draw_rectangle(pen, right - BOX_EDGE / 2, -BOX_HEIGHT + BOX_EDGE / 2, inner, -BOX_EDGE / 2);
	for (place = 0; place < 2 * columns; place++) {
		uint32_t digit = (code >> (4 * (2 * columns - 1 - place))) & 15;
		struct digit_pen where = {pen, inner + BOX_EDGE / 2 + place % columns * BOX_DIGIT,
					  place < columns ? -BOX_ROW - BOX_EDGE * 2
							  : -BOX_EDGE * 2};
		struct tn_font_pen smaller = {digit_move, digit_line, digit_curve, &where};

		(void)tn_font_outline(weight, digit < 10 ? '0' + digit : 'A' + digit - 10,
				      &smaller); /* digits have outlines */
	}
}

bool tn_font_outline(enum tn_draw_weight weight, uint32_t code, const struct tn_font_pen *pen)
{
	const struct tn_font_table *table = table_of(weight);
	const struct tn_font_row *row = row_of(table, code);

	if (!pen)
		return !row || table->outlines[row->outline] != OP_END;
	if (row)
		return draw_row(table->outlines + row->outline, pen);
	draw_box(weight, code, pen);
	return true;
}
