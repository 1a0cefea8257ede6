/* screen_snapshot.c - a screen as bytes that draw it again.
 *
 * Order: scroll-back, what the main screen's cursor was saved as, the main screen, the same for the
 * alternate one, modes, the cursor. Drawing comes before any mode that would change what it does.
 */
#include "apps/terminal/screen/internal.h"

struct drawing {
	const struct tn_screen *screen;
	struct tn_buf *out;
	struct tn_style style; /* in force */
};

static void use_style(struct drawing *d, struct tn_style style)
{
	if (!tn_style_equal(&d->style, &style))
		tn_screen_put_style(&style, d->out);
	d->style = style;
}

static void go_to(struct drawing *d, unsigned row, unsigned column)
{
	tn_buf_format(d->out, "\033[%u;%uH", row + 1, column + 1);
}

/* Erased cells in a row with the same background: nothing to draw, or an erasure. */
static unsigned draw_erased(struct drawing *d, const struct tn_row *row, unsigned from, unsigned to)
{
	struct tn_style style = tn_cell_style(&row->cells[from]);
	unsigned count = 1;

	while (from + count < to && tn_cell_is_erased(&row->cells[from + count]) &&
	       row->cells[from + count].background == style.background)
		count++;
	if (style.background) {
		use_style(d, style);
		tn_buf_format(d->out, "\033[%uX", count);
	}
	if (from + count < to)
		tn_buf_format(d->out, "\033[%uC", count);
	return count;
}

/* Columns `from` to before `to`, the cursor being at the first of them. */
static void draw_cells(struct drawing *d, const struct tn_row *row, unsigned from, unsigned to)
{
	while (from < to) {
		const struct tn_cell *cell = &row->cells[from];

		if (tn_cell_is_erased(cell)) {
			from += draw_erased(d, row, from, to);
			continue;
		}
		if (!(cell->flags & TN_CELL_WIDE_TAIL)) {
			use_style(d, tn_cell_style(cell));
			tn_buf_append_str(d->out, tn_cell_text(row, (uint16_t)from));
		}
		from++;
	}
}

/* A row goes on in the next: only a character that does not fit any more can say so. It is erased
 * again; the cursor is then at the start of the next row. `full`: the last column was just drawn,
 * and the cursor waits behind it. Otherwise one column is free, and a wide one does not fit. */
static void draw_wrap(struct drawing *d, bool full)
{
	use_style(d, (struct tn_style){.flags = 0});
	if (!full)
		tn_buf_format(d->out, "\r\033[%uC", tn_screen_columns(d->screen) - 1u);
	tn_buf_append_text(d->out, full ? "x" : "\xE3\x80\x80");
	tn_buf_append_text(d->out, "\r\033[2X");
}

static bool is_full(const struct tn_row *row, unsigned columns)
{
	return row->used == columns && !tn_cell_is_erased(&row->cells[columns - 1]);
}

/* A line of the scroll-back at the start of a blank row; to the start of the next one. Returns how
 * many rows it took: lines that are wider than the screen are drawn over several. */
static unsigned draw_line(struct drawing *d, const struct tn_row *row)
{
	unsigned columns = tn_screen_columns(d->screen), from = 0, rows = 0;

	do {
		unsigned to = row->used - from < columns ? row->used : from + columns;
		const struct tn_row piece = {.cells = row->cells + from,
					     .clusters = row->clusters + from,
					     .used = (uint16_t)(to - from)};
		bool more;

		if (to < row->used && to - from > 1 && row->cells[to].flags & TN_CELL_WIDE_TAIL)
			to--;
		more = to < row->used;
		draw_cells(d, row, from, to);
		use_style(d, (struct tn_style){.flags = 0});
		if (more || row->wrapped)
			draw_wrap(d, to - from == columns && is_full(&piece, columns));
		else
			tn_buf_append_text(d->out, "\r\n");
		from = to;
		rows++;
	} while (from < row->used);
	return rows;
}

/* Drawn at the top, then pushed off it. */
static void draw_scrollback(struct drawing *d, uint32_t count)
{
	const struct tn_screen *s = d->screen;
	unsigned last = tn_screen_rows(s) - 1u;
	struct tn_scroll_line line;
	size_t rows = 0;

	if (count > s->scrollback.count)
		count = s->scrollback.count;
	while (count && tn_scrollback_get(&s->scrollback, --count, &line))
		rows += draw_line(d, &line.row);
	if (rows == 0)
		return;
	go_to(d, last, 0);
	for (size_t i = 0; i < rows && i < last; i++)
		tn_buf_append_byte(d->out, '\n');
}

static void put_charsets(const struct tn_charsets *charsets, struct tn_buf *out)
{
	static const char *const shifts[] = {"\017", "\016", "\033n", "\033o"};
	static const char designators[] = "()*+";

	for (unsigned i = 0; i < 4; i++)
		if (charsets->sets[i] != 'B')
			tn_buf_format(out, "\033%c%c", designators[i], charsets->sets[i]);
	if (charsets->shift)
		tn_buf_append_text(out, shifts[charsets->shift]);
}

static bool is_default(const struct tn_place *place)
{
	struct tn_place none = tn_screen_default_place();

	return place->row == 0 && place->column == 0 && !place->waiting && !place->origin &&
	       tn_style_equal(&place->style, &none.style) &&
	       memcmp(&place->charsets, &none.charsets, sizeof(none.charsets)) == 0;
}

/* Saves the cursor as it was saved, on a screen that has nothing yet, and puts everything back. */
static void draw_saved(struct drawing *d, const struct tn_place *place)
{
	static const char designators[] = "()*+";

	if (is_default(place))
		return;
	if (place->origin)
		tn_buf_append_text(d->out, "\033[?6h");
	go_to(d, place->row, place->column);
	if (place->waiting)
		tn_buf_append_byte(d->out, 'x');
	use_style(d, place->style);
	put_charsets(&place->charsets, d->out);
	tn_buf_append_text(d->out, "\0337\017");
	for (unsigned i = 0; i < 4; i++)
		if (place->charsets.sets[i] != 'B')
			tn_buf_format(d->out, "\033%cB", designators[i]);
	use_style(d, (struct tn_style){.flags = 0});
	if (place->origin)
		tn_buf_append_text(d->out, "\033[?6l");
	if (place->waiting) {
		go_to(d, place->row, place->column);
		tn_buf_append_text(d->out, "\033[X");
	}
}

static void draw_grid(struct drawing *d, const struct tn_grid *grid)
{
	bool at_start = false;

	for (unsigned i = 0; i < grid->row_count; i++) {
		const struct tn_row *row = tn_grid_row(grid, i);

		if (row->used && !at_start)
			go_to(d, i, 0);
		draw_cells(d, row, 0, row->used);
		at_start = row->wrapped;
		if (row->wrapped && !row->used)
			go_to(d, i, 0);
		if (row->wrapped)
			draw_wrap(d, is_full(row, grid->columns));
	}
	use_style(d, (struct tn_style){.flags = 0});
}

static void put_tabs(struct drawing *d)
{
	const struct tn_screen *s = d->screen;
	uint8_t tabs[sizeof(s->tabs)] = {0};

	tn_screen_default_tabs(tabs, 0);
	if (memcmp(tabs, s->tabs, sizeof(tabs)) == 0)
		return;
	tn_buf_append_text(d->out, "\033[3g");
	for (unsigned i = 0; i < tn_screen_columns(s); i++)
		if (s->tabs[i / 8] >> (i % 8) & 1)
			tn_buf_format(d->out, "\033[%uG\033H", i + 1);
}

static void put_mode(struct tn_buf *out, unsigned number, bool on)
{
	tn_buf_format(out, "\033[?%u%c", number, on ? 'h' : 'l');
}

/* All but those that would change what is still to be drawn. */
static void put_modes(const struct tn_modes *m, struct tn_buf *out)
{
	if (m->application_cursor)
		put_mode(out, 1, true);
	if (m->application_keypad)
		tn_buf_append_text(out, "\033=");
	if (m->reversed)
		put_mode(out, 5, true);
	if (!m->cursor_visible)
		put_mode(out, 25, false);
	if (m->bracketed_paste)
		put_mode(out, 2004, true);
	if (m->focus)
		put_mode(out, 1004, true);
	if (m->mouse)
		put_mode(out, m->mouse, true);
	if (m->mouse_encoding)
		put_mode(out, m->mouse_encoding, true);
	if (m->modify_other)
		tn_buf_format(out, "\033[>4;%um", m->modify_other);
	if (m->cursor_shape)
		tn_buf_format(out, "\033[%u q", m->cursor_shape);
	if (m->newline)
		tn_buf_append_text(out, "\033[20h");
}

/* The cell before the cursor, which is drawn again so that the cursor comes to wait behind it. */
static unsigned last_drawn(const struct tn_screen *s)
{
	unsigned column = s->now.column;

	if (!s->now.waiting)
		column = column ? column - 1 : 0;
	if (column && tn_screen_row(s)->cells[column].flags & TN_CELL_WIDE_TAIL)
		column--;
	return column;
}

/* Nothing came after this character: its style is the one in force. Where characters are inserted
 * its place is made first. */
static void put_last(const struct tn_screen *s, const struct tn_cell *cell, struct tn_str text,
		     struct tn_buf *out)
{
	if (s->modes.insert)
		tn_buf_format(out, "\033[%uP", cell->flags & TN_CELL_WIDE ? 2u : 1u);
	tn_buf_append_str(out, text);
}

static void put_cursor(struct drawing *d)
{
	const struct tn_screen *s = d->screen;
	const struct tn_row *row = tn_screen_row(s);
	bool again = s->now.waiting || s->last[0];
	unsigned column = again ? last_drawn(s) : s->now.column;
	struct tn_str text = tn_cell_text(row, (uint16_t)column);

	if (s->top != 0 || s->bottom != tn_screen_rows(s) - 1)
		tn_buf_format(d->out, "\033[%u;%ur", s->top + 1u, s->bottom + 1u);
	if (s->now.origin)
		put_mode(d->out, 6, true);
	go_to(d, s->now.row - (s->now.origin ? s->top : 0u), column);
	if (again && !s->last[0]) {
		use_style(d, tn_cell_style(&row->cells[column]));
		tn_buf_append_str(d->out, text);
	}
	use_style(d, s->now.style);
	put_charsets(&s->now.charsets, d->out);
	if (s->modes.insert)
		tn_buf_append_text(d->out, "\033[4h");
	if (!s->modes.autowrap)
		put_mode(d->out, 7, false);
	if (s->last[0])
		put_last(s, &row->cells[column], text, d->out);
	if (s->single_shift)
		tn_buf_append_text(d->out, s->single_shift == 2 ? "\033N" : "\033O");
}

void tn_screen_put_snapshot(const struct tn_screen *screen, uint32_t scrollback, struct tn_buf *out)
{
	struct drawing d = {.screen = screen, .out = out};

	draw_scrollback(&d, scrollback);
	draw_saved(&d, &screen->saved[TN_MAIN]);
	draw_grid(&d, &screen->grids[TN_MAIN]);
	if (screen->grid == &screen->grids[TN_ALTERNATE]) {
		tn_buf_append_byte(out, '\r'); /* nothing waits there */
		put_mode(out, 47, true);
		draw_saved(&d, &screen->saved[TN_ALTERNATE]);
		draw_grid(&d, &screen->grids[TN_ALTERNATE]);
	}
	put_tabs(&d);
	if (screen->title[0])
		tn_buf_format(out, "\033]2;%s\033\\", screen->title);
	put_modes(&screen->modes, out);
	put_cursor(&d);
	tn_vt_put_state(&screen->parser, out);
}
