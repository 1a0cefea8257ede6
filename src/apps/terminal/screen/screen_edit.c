/* screen_edit.c - where the cursor goes, and what it moves and erases. */
#include "apps/terminal/screen/internal.h"

/* Whoever listens is told of a row that leaves the main screen at its top; then it is kept. */
void tn_screen_keep_row(struct tn_screen *s, const struct tn_row *row)
{
	if (s->options.scrolled && !row->reported) {
		tn_buf_clear(&s->text);
		tn_row_put_text(row, &s->text);
		s->options.scrolled(s, tn_buf_str(&s->text), row->wrapped, s->options.data);
	}
	tn_scrollback_push(&s->scrollback, row);
}

/* Rows from `first` to the region's end go up; those that leave the screen's top are kept. */
void tn_screen_scroll_up(struct tn_screen *s, uint16_t first, unsigned count)
{
	unsigned height = s->bottom - first + 1u;

	count = count < height ? count : height;
	if (first == 0 && s->grid == &s->grids[TN_MAIN])
		for (unsigned i = 0; i < count; i++)
			tn_screen_keep_row(s, tn_grid_row(s->grid, i));
	tn_grid_scroll_up(s->grid, first, s->bottom, (uint16_t)count, s->now.style.background);
}

void tn_screen_scroll_down(struct tn_screen *s, uint16_t first, unsigned count)
{
	unsigned height = s->bottom - first + 1u;

	count = count < height ? count : height;
	tn_grid_scroll_down(s->grid, first, s->bottom, (uint16_t)count, s->now.style.background);
}

void tn_screen_index(struct tn_screen *s, bool wrapped)
{
	if (s->now.row == s->bottom) {
		tn_screen_row(s)->wrapped = wrapped;
		tn_screen_scroll_up(s, s->top, 1);
	} else if (s->now.row < tn_screen_rows(s) - 1) {
		if (wrapped)
			tn_screen_row(s)->wrapped = true;
		s->now.row++;
	}
}

void tn_screen_reverse_index(struct tn_screen *s)
{
	if (s->now.row == s->top)
		tn_screen_scroll_down(s, s->top, 1);
	else if (s->now.row > 0)
		s->now.row--;
}

void tn_screen_move(struct tn_screen *s, unsigned row, unsigned column)
{
	unsigned last = tn_screen_rows(s) - 1u, right = tn_screen_columns(s) - 1u;

	if (s->now.origin) {
		row += s->top;
		last = s->bottom;
	}
	s->now.row = (uint16_t)(row < last ? row : last);
	s->now.column = (uint16_t)(column < right ? column : right);
	s->now.waiting = false;
}

void tn_screen_check_waiting(struct tn_screen *s)
{
	const struct tn_row *row = tn_screen_row(s);

	if (s->now.column != tn_screen_columns(s) - 1 || row->wrapped ||
	    tn_cell_is_erased(&row->cells[s->now.column]))
		s->now.waiting = false;
}

void tn_screen_save_cursor(struct tn_screen *s)
{
	s->saved[s->grid == &s->grids[TN_ALTERNATE]] = s->now;
}

void tn_screen_restore_cursor(struct tn_screen *s)
{
	s->now = s->saved[s->grid == &s->grids[TN_ALTERNATE]];
	if (s->now.origin && s->now.row < s->top)
		s->now.row = s->top;
	if (s->now.origin && s->now.row > s->bottom)
		s->now.row = s->bottom;
	tn_screen_check_waiting(s);
}

static void erase_rows(struct tn_screen *s, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		tn_row_erase(tn_grid_row(s->grid, i), tn_screen_columns(s), 0, tn_screen_columns(s),
			     s->now.style.background);
}

void tn_screen_erase_line(struct tn_screen *s, unsigned what)
{
	uint16_t columns = tn_screen_columns(s);
	uint16_t from = what == 0 ? s->now.column : 0;
	uint16_t to = what == 1 ? (uint16_t)(s->now.column + 1) : columns;

	/* Behind the last column nothing is left to erase: grep ends each match like this, and its
	 * last letter must stay. */
	if (what > 2 || (what == 0 && s->now.waiting))
		return;
	tn_row_erase(tn_screen_row(s), columns, from, to, s->now.style.background);
	s->now.waiting = false;
}

void tn_screen_erase_display(struct tn_screen *s, unsigned what)
{
	switch (what) {
	case 0:
		tn_screen_erase_line(s, 0);
		erase_rows(s, s->now.row + 1u, tn_screen_rows(s));
		break;
	case 1:
		erase_rows(s, 0, s->now.row);
		tn_screen_erase_line(s, 1);
		break;
	case 2:
		erase_rows(s, 0, tn_screen_rows(s));
		s->now.waiting = false;
		break;
	case 3:
		tn_scrollback_clear(&s->scrollback);
		break;
	default:
		break;
	}
}

void tn_screen_tab(struct tn_screen *s, unsigned count)
{
	unsigned last = tn_screen_columns(s) - 1u, at = s->now.column;

	while (count-- && at < last)
		do
			at++;
		while (at < last && !(s->tabs[at / 8] >> (at % 8) & 1));
	s->now.column = (uint16_t)at;
}

void tn_screen_align(struct tn_screen *s)
{
	uint16_t columns = tn_screen_columns(s);

	s->top = 0;
	s->bottom = (uint16_t)(tn_screen_rows(s) - 1);
	s->now.row = s->now.column = 0;
	s->now.waiting = false;
	for (unsigned i = 0; i < tn_screen_rows(s); i++) {
		struct tn_row *row = tn_grid_row(s->grid, i);

		tn_row_erase(row, columns, 0, columns, 0);
		for (unsigned j = 0; j < columns; j++)
			row->cells[j].text[0] = 'E';
		row->used = columns;
	}
}
