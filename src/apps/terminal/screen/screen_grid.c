#include "apps/terminal/screen/screen_grid.h"

#include "base/mem.h"

_Static_assert(sizeof(struct tn_cell) == 16, "cells are written as a whole");

bool tn_grid_create(struct tn_grid *grid, uint16_t columns, uint16_t rows)
{
	*grid = (struct tn_grid){.columns = columns, .row_count = rows};
	grid->rows = tn_mem_alloc_array(rows, sizeof(*grid->rows));
	grid->cells = tn_mem_alloc_array((size_t)rows * columns, sizeof(*grid->cells));
	if (!grid->rows || !grid->cells) {
		tn_grid_finish(grid);
		return false;
	}
	for (size_t i = 0; i < rows; i++)
		grid->rows[i].cells = grid->cells + i * columns;
	return true;
}

void tn_grid_finish(struct tn_grid *grid)
{
	for (unsigned i = 0; grid->rows && i < grid->row_count; i++)
		tn_mem_free(grid->rows[i].clusters);
	tn_mem_free(grid->rows);
	tn_mem_free(grid->cells);
	*grid = (struct tn_grid){.columns = 0};
}

/* A whole row; quick when it is short and goes blank. */
static void clear(struct tn_row *row, uint16_t columns, tn_colour background)
{
	memset(row->cells, 0, row->used * sizeof(*row->cells));
	row->used = 0;
	row->wrapped = row->wide = row->reported = false;
	if (background)
		tn_row_erase(row, columns, 0, columns, background);
}

static void reverse(struct tn_grid *grid, unsigned first, unsigned last)
{
	while (first < last) {
		struct tn_row *a = tn_grid_row(grid, first++);
		struct tn_row *b = tn_grid_row(grid, last--);
		struct tn_row kept = *a;

		*a = *b;
		*b = kept;
	}
}

/* Upwards: row first + count comes to stand at first. */
static void rotate(struct tn_grid *grid, unsigned first, unsigned last, unsigned count)
{
	if (count == 0 || count > last - first)
		return;
	reverse(grid, first, first + count - 1);
	reverse(grid, first + count, last);
	reverse(grid, first, last);
}

void tn_grid_scroll_up(struct tn_grid *grid, uint16_t first, uint16_t last, uint16_t count,
		       tn_colour background)
{
	if (first == 0 && last == grid->row_count - 1)
		grid->top = (uint16_t)((grid->top + count) % grid->row_count);
	else
		rotate(grid, first, last, count);
	for (unsigned i = 0; i < count; i++)
		clear(tn_grid_row(grid, last - i), grid->columns, background);
	if (first > 0)
		tn_grid_row(grid, first - 1u)->wrapped = false;
}

void tn_grid_scroll_down(struct tn_grid *grid, uint16_t first, uint16_t last, uint16_t count,
			 tn_colour background)
{
	rotate(grid, first, last, (last - first + 1u) - count);
	for (unsigned i = 0; i < count; i++)
		clear(tn_grid_row(grid, first + i), grid->columns, background);
	tn_grid_row(grid, last)->wrapped = false;
	if (first > 0)
		tn_grid_row(grid, first - 1u)->wrapped = false;
}

void tn_grid_erase(struct tn_grid *grid, tn_colour background)
{
	for (unsigned i = 0; i < grid->row_count; i++)
		clear(tn_grid_row(grid, i), grid->columns, background);
}

static void blank(struct tn_cell *cell)
{
	*cell = (struct tn_cell){.background = cell->background};
}

void tn_row_part(struct tn_row *row, uint16_t columns, uint16_t column)
{
	if (!row->wide || column == 0 || column >= columns)
		return;
	if (row->cells[column].flags & TN_CELL_WIDE_TAIL) {
		blank(&row->cells[column - 1]);
		blank(&row->cells[column]);
	}
}

void tn_row_erase(struct tn_row *row, uint16_t columns, uint16_t from, uint16_t to,
		  tn_colour background)
{
	const struct tn_cell erased = {.background = background};

	if (from >= to)
		return;
	tn_row_part(row, columns, from);
	tn_row_part(row, columns, to);
	if (background == 0 && to >= row->used) {
		if (row->used > from)
			memset(row->cells + from, 0,
			       (size_t)(row->used - from) * sizeof(*row->cells));
		row->used = row->used < from ? row->used : from;
	} else {
		for (unsigned i = from; i < to; i++)
			row->cells[i] = erased;
		row->used = row->used > to ? row->used : to;
	}
	row->wide = row->wide && row->used > 0;
	/* What went on in the next row has lost its end. */
	if (to == columns)
		row->wrapped = false;
}

/* `count` cells of a row to another column of it, with their clusters. */
static void move(struct tn_row *row, uint16_t to, uint16_t from, uint16_t count)
{
	memmove(row->cells + to, row->cells + from, count * sizeof(*row->cells));
	if (row->clusters)
		memmove(row->clusters + to, row->clusters + from, count * sizeof(*row->clusters));
}

/* A row whose last column has nothing does not go on, unless something wide did not fit there. */
static void check_wrapped(struct tn_row *row, uint16_t columns)
{
	if (tn_cell_is_erased(&row->cells[columns - 1]))
		row->wrapped = false;
}

void tn_row_insert(struct tn_row *row, uint16_t columns, uint16_t at, uint16_t count,
		   tn_colour background)
{
	uint16_t rest = (uint16_t)(columns - at);

	count = count < rest ? count : rest;
	tn_row_part(row, columns, at);
	tn_row_part(row, columns, (uint16_t)(columns - count));
	move(row, (uint16_t)(at + count), at, (uint16_t)(rest - count));
	if (row->used > at)
		row->used = (uint16_t)(row->used + count < columns ? row->used + count : columns);
	/* What was moved is whole: erasing must not find the old halves. */
	for (unsigned i = at; i < (unsigned)at + count; i++)
		row->cells[i] = (struct tn_cell){.background = background};
	if (background && row->used < at + count)
		row->used = (uint16_t)(at + count);
	check_wrapped(row, columns);
}

void tn_row_delete(struct tn_row *row, uint16_t columns, uint16_t at, uint16_t count,
		   tn_colour background)
{
	uint16_t rest = (uint16_t)(columns - at);

	count = count < rest ? count : rest;
	tn_row_part(row, columns, at);
	tn_row_part(row, columns, (uint16_t)(at + count));
	move(row, at, (uint16_t)(at + count), (uint16_t)(rest - count));
	for (unsigned i = columns - count; i < columns; i++)
		row->cells[i] = (struct tn_cell){.background = background};
	if (background)
		row->used = columns;
	check_wrapped(row, columns);
}

static unsigned codes_of(struct tn_str text)
{
	unsigned count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += ((unsigned char)text.data[i] & 0xC0) != 0x80;
	return count;
}

void tn_row_join(struct tn_row *row, uint16_t columns, uint16_t column, struct tn_str text)
{
	struct tn_cell *cell = &row->cells[column];
	struct tn_str old = tn_cell_text(row, column);

	if (codes_of(old) >= TN_SCREEN_CODES_MAX)
		return;
	if (!row->clusters)
		row->clusters = tn_mem_alloc_array(columns, sizeof(*row->clusters));
	if (!row->clusters)
		return;
	if (old.size == 0) {
		old = TN_STR(" ");
		row->used = row->used > column ? row->used : (uint16_t)(column + 1);
	}
	if (!cell->cluster_size)
		memcpy(row->clusters[column], old.data, old.size);
	memcpy(row->clusters[column] + old.size, text.data, text.size);
	cell->cluster_size = (uint16_t)(old.size + text.size);
	/* So that it does not look erased. */
	if (!cell->text[0])
		cell->text[0] = ' ';
}

void tn_row_copy(struct tn_row *to, uint16_t to_columns, const struct tn_row *from,
		 uint16_t from_columns)
{
	uint16_t columns = to_columns < from_columns ? to_columns : from_columns;

	to->used = from->used < columns ? from->used : columns;
	memcpy(to->cells, from->cells, to->used * sizeof(*to->cells));
	to->wrapped = from->wrapped;
	to->wide = from->wide;
	to->reported = from->reported;
	if (from->clusters && !to->clusters)
		to->clusters = tn_mem_alloc_array(to_columns, sizeof(*to->clusters));
	if (from->clusters && to->clusters)
		memcpy(to->clusters, from->clusters, to->used * sizeof(*to->clusters));
	for (unsigned i = 0; !to->clusters && i < to->used; i++)
		to->cells[i].cluster_size = 0;
	/* The first half of a character that no longer fits. */
	if (to->used == columns && columns < from_columns &&
	    (to->cells[columns - 1].flags & TN_CELL_WIDE))
		blank(&to->cells[columns - 1]);
	if (to_columns == 1)
		check_wrapped(to, to_columns);
}

struct tn_str tn_cell_text(const struct tn_row *row, uint16_t column)
{
	const struct tn_cell *cell = &row->cells[column];

	if (cell->cluster_size)
		return tn_str(row->clusters[column], cell->cluster_size);
	return tn_str(cell->text, tn_text_size(cell->text));
}
