/* screen_text.c - what stands on a screen, as text. */
#include "apps/terminal/screen/internal.h"

void tn_row_put_text(const struct tn_row *row, struct tn_buf *out)
{
	unsigned used = row->used;

	while (used && tn_cell_is_erased(&row->cells[used - 1]))
		used--;
	for (unsigned i = 0; i < used; i++) {
		const struct tn_cell *cell = &row->cells[i];

		if (tn_cell_is_erased(cell))
			tn_buf_append_byte(out, ' ');
		else if (!(cell->flags & TN_CELL_WIDE_TAIL))
			tn_buf_append_str(out, tn_cell_text(row, (uint16_t)i));
	}
}

struct tn_str tn_screen_cell(const struct tn_screen *screen, uint16_t row, uint16_t column,
			     struct tn_style *ret_style, unsigned *ret_flags)
{
	const struct tn_row *line;

	*ret_style = (struct tn_style){.flags = 0};
	*ret_flags = 0;
	if (row >= tn_screen_rows(screen) || column >= tn_screen_columns(screen))
		return TN_STR("");
	line = tn_grid_row(screen->grid, row);
	*ret_style = tn_cell_style(&line->cells[column]);
	*ret_flags = line->cells[column].flags;
	return tn_cell_text(line, column);
}

/* The row of a line wherever it is: `line` is memory for one of the scroll-back. NULL: none. */
static const struct tn_row *find(const struct tn_screen *s, int32_t row,
				 struct tn_scroll_line *line)
{
	if (row >= 0)
		return row < tn_screen_rows(s) ? tn_grid_row(s->grid, (unsigned)row) : NULL;
	return tn_scrollback_get(&s->scrollback, (uint32_t)(-(row + 1)), line) ? &line->row : NULL;
}

bool tn_screen_line_wraps(const struct tn_screen *screen, int32_t row)
{
	struct tn_scroll_line line;
	const struct tn_row *found = find(screen, row, &line);

	return found && found->wrapped;
}

static unsigned width_of(const struct tn_row *row, size_t column)
{
	return row->cells[column].flags & TN_CELL_WIDE ? 2 : 1;
}

void tn_screen_put_line(const struct tn_screen *screen, int32_t row, bool trim, struct tn_buf *out)
{
	struct tn_scroll_line line;
	const struct tn_row *found = find(screen, row, &line);
	size_t start = out->size;
	unsigned column = 0;

	if (!found)
		return;
	for (; column < found->used; column += width_of(found, column)) {
		struct tn_str text = tn_cell_text(found, (uint16_t)column);

		tn_buf_append_str(out, text.size ? text : TN_STR(" "));
	}
	while (trim && out->size > start && out->data[out->size - 1] == ' ')
		out->size--;
	for (; !trim && column < tn_screen_columns(screen); column++)
		tn_buf_append_byte(out, ' ');
}

/* A blank that cannot be told from none. */
static bool shows_nothing(const struct tn_row *row, unsigned column)
{
	const struct tn_cell *cell = &row->cells[column];
	struct tn_str text = tn_cell_text(row, (uint16_t)column);

	return (text.size == 0 || tn_str_is(text, " ")) && cell->background == 0 &&
	       !(cell->flags &
		 (TN_CELL_REVERSE | TN_CELL_UNDERLINE | TN_CELL_STRIKE | TN_CELL_WIDE_TAIL));
}

void tn_screen_put_line_ansi(const struct tn_screen *screen, int32_t row, bool trim,
			     struct tn_buf *out)
{
	const struct tn_style plain = {.flags = 0};
	struct tn_style style = plain;
	struct tn_scroll_line line;
	const struct tn_row *found = find(screen, row, &line);
	unsigned used, column = 0;

	if (!found)
		return;
	used = found->used;
	while (trim && used && shows_nothing(found, used - 1))
		used--;
	for (; column < used; column += width_of(found, column)) {
		struct tn_style next = tn_cell_style(&found->cells[column]);
		struct tn_str text = tn_cell_text(found, (uint16_t)column);

		if (!tn_style_equal(&next, &style))
			tn_screen_put_style(&next, out);
		style = next;
		tn_buf_append_str(out, text.size ? text : TN_STR(" "));
	}
	if (!tn_style_equal(&style, &plain))
		tn_screen_put_style(&plain, out);
	for (; !trim && column < tn_screen_columns(screen); column++)
		tn_buf_append_byte(out, ' ');
}
