/* screen_print.c - characters into cells: runs of ASCII quickly, everything else with its width. */
#include "apps/terminal/screen/internal.h"
#include "apps/terminal/screen/vt_width.h"

/* Code points of DEC's line drawing for 0x5F to 0x7E. */
static const uint16_t line_drawing[] = {
	0x0020, 0x25C6, 0x2592, 0x2409, 0x240C, 0x240D, 0x240A, 0x00B0, 0x00B1, 0x2424, 0x240B,
	0x2518, 0x2510, 0x250C, 0x2514, 0x253C, 0x23BA, 0x23BB, 0x2500, 0x23BC, 0x23BD, 0x251C,
	0x2524, 0x2534, 0x252C, 0x2502, 0x2264, 0x2265, 0x03C0, 0x2260, 0x00A3, 0x00B7};

static uint32_t translate(char set, uint32_t code)
{
	if (set == '0' && code >= 0x5F && code <= 0x7E)
		return line_drawing[code - 0x5F];
	if (set == 'A' && code == '#')
		return 0x00A3;
	return code;
}

/* The character that was waiting for it goes to the next row. */
static void wrap(struct tn_screen *s)
{
	tn_screen_index(s, true);
	s->now.column = 0;
	s->now.waiting = false;
}

static void advance(struct tn_screen *s, unsigned column)
{
	unsigned last = tn_screen_columns(s) - 1u;

	if (column > last) {
		/* The end of this row is new; whether it goes on will be seen. */
		tn_screen_row(s)->wrapped = false;
		s->now.column = (uint16_t)last;
		s->now.waiting = s->modes.autowrap;
		if (!s->modes.autowrap)
			tn_screen_forget_last(s);
	} else {
		s->now.column = (uint16_t)column;
	}
}

static struct tn_cell pen_of(const struct tn_screen *s)
{
	return (struct tn_cell){.foreground = s->now.style.foreground,
				.background = s->now.style.background,
				.flags = s->now.style.flags};
}

/* As many as fit into the row. Returns how many were used. */
static size_t print_run(struct tn_screen *s, struct tn_str ascii)
{
	struct tn_row *row = tn_screen_row(s);
	uint16_t columns = tn_screen_columns(s), at = s->now.column;
	size_t room = (size_t)(columns - at), count = ascii.size < room ? ascii.size : room;
	struct tn_cell cell = pen_of(s);
	struct tn_cell *cells = row->cells + at;

	tn_row_part(row, columns, at);
	tn_row_part(row, columns, (uint16_t)(at + count));
	for (size_t i = 0; i < count; i++) {
		cells[i] = cell;
		cells[i].text[0] = ascii.data[i];
	}
	if (row->used < at + count)
		row->used = (uint16_t)(at + count);
	advance(s, (unsigned)(at + count));
	return count;
}

void tn_screen_print_text(struct tn_str ascii, void *screen)
{
	struct tn_screen *s = screen;
	struct tn_charsets *sets = &s->now.charsets;
	size_t at = 0;

	s->changed = true;
	while (at < ascii.size &&
	       (s->single_shift || sets->sets[sets->shift] != 'B' || s->modes.insert))
		tn_screen_print_code((unsigned char)ascii.data[at++], s);
	if (at == ascii.size)
		return;
	tn_screen_forget_last(s);
	s->last[0] = ascii.data[ascii.size - 1];
	while (at < ascii.size) {
		if (s->now.waiting)
			wrap(s);
		at += print_run(s, tn_str_from_offset(ascii, at));
		/* Without wrapping, everything that is too much goes to the last column. */
		if (at < ascii.size && !s->modes.autowrap)
			at = ascii.size - 1;
	}
}

/* A mark joins the character before the cursor; at the start of a row there is none. */
static void join(struct tn_screen *s, struct tn_str text)
{
	struct tn_row *row = tn_screen_row(s);
	unsigned column = s->now.column;

	if (!s->now.waiting) {
		if (column == 0)
			return;
		column--;
	}
	if (column > 0 && row->cells[column].flags & TN_CELL_WIDE_TAIL)
		column--;
	tn_row_join(row, tn_screen_columns(s), (uint16_t)column, text);
}

static void put_cells(struct tn_screen *s, struct tn_str text, unsigned width)
{
	uint16_t columns = tn_screen_columns(s);
	struct tn_row *row = tn_screen_row(s);
	unsigned at = s->now.column;
	struct tn_cell cell = pen_of(s);

	if (s->modes.insert)
		tn_row_insert(row, columns, (uint16_t)at, (uint16_t)width, cell.background);
	tn_row_part(row, columns, (uint16_t)at);
	tn_row_part(row, columns, (uint16_t)(at + width));
	if (width == 2) {
		row->wide = true;
		row->cells[at + 1] = cell;
		row->cells[at + 1].flags |= TN_CELL_WIDE_TAIL;
		cell.flags |= TN_CELL_WIDE;
	}
	/* After the rest: read as a whole, what was just written in part makes the processor wait.
	 */
	row->cells[at] = cell;
	memcpy(row->cells[at].text, text.data, text.size);
	if (row->used < at + width)
		row->used = (uint16_t)(at + width);
	advance(s, at + width);
}

static void print_wide(struct tn_screen *s, struct tn_str text, unsigned width)
{
	uint16_t columns = tn_screen_columns(s);

	/* On a single column nothing wide can be shown. */
	if (width > columns) {
		text = TN_STR("\xEF\xBF\xBD");
		width = 1;
	}
	if (s->now.waiting)
		wrap(s);
	/* One column is left and two are needed: the next row, or as far right as it fits. */
	if (s->now.column + width > columns && s->modes.autowrap)
		wrap(s);
	else if (s->now.column + width > columns)
		s->now.column = (uint16_t)(columns - width);
	put_cells(s, text, width);
}

void tn_screen_print_code(uint32_t code, void *screen)
{
	struct tn_screen *s = screen;
	const struct tn_charsets *sets = &s->now.charsets;
	enum tn_vt_width width;
	char text[TN_UTF8_BYTES_MAX] = {0};
	bool shifted = s->single_shift;
	size_t size;

	code = translate(sets->sets[shifted ? s->single_shift : sets->shift], code);
	s->single_shift = 0;
	size = tn_utf8_encode(code, text);
	width = tn_vt_width(code);
	s->changed = true;
	if (width == TN_VT_UNSEEN)
		return;
	if (width == TN_VT_JOINS) {
		join(s, tn_str(text, size));
		return;
	}
	memcpy(s->last, text, sizeof(text));
	/* A row that goes on could not be drawn again with a character inserted last. */
	if (shifted || (s->modes.insert && tn_screen_row(s)->wrapped))
		tn_screen_forget_last(s);
	print_wide(s, tn_str(text, size), width);
}

void tn_screen_repeat(struct tn_screen *s, unsigned count)
{
	/* More than a screen full shows nothing new; 65,535 a sequence would be an attack. */
	unsigned most = (unsigned)tn_screen_columns(s) * tn_screen_rows(s);
	char last[TN_UTF8_BYTES_MAX];
	struct tn_str text = tn_str(last, strnlen(s->last, sizeof(s->last)));
	uint32_t code;

	memcpy(last, s->last, sizeof(last));
	if (text.size == 0 || tn_utf8_decode(text.data, text.size, &code) == 0)
		return;
	for (count = count < most ? count : most; count; count--)
		print_wide(s, text, tn_vt_width(code) == TN_VT_WIDE ? 2 : 1);
}
