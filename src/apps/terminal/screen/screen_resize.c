/* screen_resize.c - another size, without reflow: what stays visible stays as it was.
 *
 * A smaller main screen first gives up what is blank below its text; then its top rows go to the
 * scroll-back, but never the cursor's. A larger one that is full takes them back from there. */
#include "apps/terminal/screen/internal.h"

struct resizing {
	struct tn_grid grid; /* the new one */
	unsigned dropped;    /* rows at the top that have no place any more */
	unsigned taken;      /* rows that come back from the scroll-back */
};

/* One past the last row that has something, the cursor's at least. */
static unsigned rows_in_use(const struct tn_grid *grid, unsigned cursor_row)
{
	unsigned count = grid->row_count;

	while (count > cursor_row + 1 && tn_grid_row(grid, count - 1)->used == 0)
		count--;
	return count;
}

static void plan_rows(const struct tn_screen *s, unsigned which, unsigned cursor_row,
		      struct resizing *r)
{
	const struct tn_grid *old = &s->grids[which];
	unsigned used = rows_in_use(old, cursor_row);

	r->dropped = r->taken = 0;
	if (used > r->grid.row_count) {
		r->dropped = used - r->grid.row_count;
		if (r->dropped > cursor_row)
			r->dropped = cursor_row;
	}
	if (which == TN_MAIN && used == old->row_count && r->grid.row_count > used)
		r->taken = r->grid.row_count - used;
}

/* The newest lines that fit; one that would be cut stays where it is, and all above it. */
static void take_back(struct tn_screen *s, struct resizing *r)
{
	struct tn_scroll_line line;
	unsigned count = 0;

	while (count < r->taken && tn_scrollback_get(&s->scrollback, count, &line) &&
	       line.columns <= r->grid.columns)
		count++;
	r->taken = count;
	for (unsigned i = 0; i < count; i++) {
		if (!tn_scrollback_get(&s->scrollback, 0, &line))
			return;
		tn_row_copy(tn_grid_row(&r->grid, count - 1 - i), r->grid.columns, &line.row,
			    line.columns);
		tn_grid_row(&r->grid, count - 1 - i)->reported = true;
		tn_scrollback_drop_newest(&s->scrollback);
	}
}

static void copy_rows(struct tn_screen *s, unsigned which, struct resizing *r)
{
	struct tn_grid *old = &s->grids[which];
	unsigned to = r->taken;

	for (unsigned i = 0; i < r->dropped && which == TN_MAIN; i++)
		tn_screen_keep_row(s, tn_grid_row(old, i));
	for (unsigned i = r->dropped; i < old->row_count && to < r->grid.row_count; i++)
		tn_row_copy(tn_grid_row(&r->grid, to++), r->grid.columns, tn_grid_row(old, i),
			    old->columns);
	tn_grid_row(&r->grid, r->grid.row_count - 1u)->wrapped = false;
	tn_grid_finish(old);
	*old = r->grid;
}

/* A cursor that waited behind the last column may now stand behind its character. */
static void move_place(struct tn_place *place, const struct resizing *r, unsigned old_columns)
{
	unsigned last = r->grid.row_count - 1u;
	unsigned row = place->row + r->taken;

	row = row > r->dropped ? row - r->dropped : 0;
	place->row = (uint16_t)(row < last ? row : last);
	if (place->waiting && r->grid.columns > old_columns) {
		place->column++;
		place->waiting = false;
	}
	if (place->column >= r->grid.columns)
		place->column = (uint16_t)(r->grid.columns - 1);
}

static void commit(struct tn_screen *s, struct resizing r[2], unsigned shown)
{
	unsigned old_columns = s->grid->columns;

	take_back(s, &r[TN_MAIN]);
	copy_rows(s, TN_MAIN, &r[TN_MAIN]);
	copy_rows(s, TN_ALTERNATE, &r[TN_ALTERNATE]);
	move_place(&s->now, &r[shown], old_columns);
	move_place(&s->saved[TN_MAIN], &r[TN_MAIN], old_columns);
	move_place(&s->saved[TN_ALTERNATE], &r[TN_ALTERNATE], old_columns);
	if (s->grid->columns > old_columns)
		tn_screen_default_tabs(s->tabs, old_columns);
	s->top = 0;
	s->bottom = (uint16_t)(s->grid->row_count - 1);
	tn_screen_check_waiting(s);
	tn_screen_forget_last(s);
	s->revision++;
}

enum tenon_code tn_screen_resize(struct tn_screen *screen, uint16_t columns, uint16_t rows,
				 struct tenon_error *err)
{
	unsigned shown = screen->grid == &screen->grids[TN_ALTERNATE];
	enum tenon_code code = tn_screen_check_size(columns, rows, err);
	struct resizing r[2] = {{.dropped = 0}, {.dropped = 0}};

	if (code != TENON_OK ||
	    (columns == screen->grid->columns && rows == screen->grid->row_count))
		return code;
	if (!tn_grid_create(&r[TN_MAIN].grid, columns, rows) ||
	    !tn_grid_create(&r[TN_ALTERNATE].grid, columns, rows) ||
	    (screen->options.scrolled &&
	     !tn_buf_reserve(&screen->text, (size_t)columns * TN_CLUSTER_SIZE)) ||
	    !tn_scrollback_widen(&screen->scrollback, columns)) {
		tn_grid_finish(&r[TN_MAIN].grid);
		tn_grid_finish(&r[TN_ALTERNATE].grid);
		tn_buf_clear(&screen->text);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for %ux%u", columns, rows);
	}
	plan_rows(screen, TN_MAIN, shown == TN_MAIN ? screen->now.row : screen->saved[TN_MAIN].row,
		  &r[TN_MAIN]);
	plan_rows(screen, TN_ALTERNATE, shown == TN_ALTERNATE ? screen->now.row : 0,
		  &r[TN_ALTERNATE]);
	commit(screen, r, shown);
	return TENON_OK;
}
