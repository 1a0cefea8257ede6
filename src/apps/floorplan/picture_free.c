/* The largest part of a box that no obstacle is in: where a room's words go (6.8). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/picture_private.h"

enum {
	EXACT_MAX = 64, /* obstacles; among more, the box is looked at in LINES steps */
	LINES = 128
};

struct grid {
	double *xs, *ys; /* lines, one more than cells */
	size_t columns, rows;
	double *heights; /* of free cells above, by column */
	size_t *stack;
	uint8_t *taken;
};

static int by_number(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The lines of one direction: the edges of all obstacles, or even steps. */
static size_t make_lines(double *lines, double from, double size,
			 const struct tn_floor_box *obstacles, size_t count, bool across)
{
	size_t used = 0, kept = 1;

	if (count > EXACT_MAX) {
		for (size_t i = 0; i <= LINES; i++)
			lines[i] = from + size * (double)i / LINES;
		return LINES;
	}
	lines[used++] = from;
	lines[used++] = from + size;
	for (size_t i = 0; i < count; i++) {
		const struct tn_floor_box *o = &obstacles[i];
		double a = across ? o->x : o->y, b = a + (across ? o->width : o->height);

		lines[used++] = fmin(fmax(a, from), from + size);
		lines[used++] = fmin(fmax(b, from), from + size);
	}
	qsort(lines, used, sizeof(*lines), by_number);
	for (size_t i = 1; i < used; i++)
		if (lines[i] > lines[kept - 1])
			lines[kept++] = lines[i];
	return kept - 1;
}

static void take(struct grid *grid, const struct tn_floor_box *o)
{
	for (size_t row = 0; row < grid->rows; row++) {
		if (grid->ys[row + 1] <= o->y || grid->ys[row] >= o->y + o->height)
			continue;
		for (size_t column = 0; column < grid->columns; column++)
			if (grid->xs[column + 1] > o->x && grid->xs[column] < o->x + o->width)
				grid->taken[row * grid->columns + column] = 1;
	}
}

/* Rectangles whose lower edge is that of one row: the classic walk over a histogram. */
static void look_at_row(struct grid *grid, size_t row, struct tn_floor_box *best)
{
	size_t depth = 0;

	for (size_t column = 0; column <= grid->columns; column++) {
		double height = column < grid->columns ? grid->heights[column] : -1;

		while (depth > 0 && grid->heights[grid->stack[depth - 1]] >= height) {
			double high = grid->heights[grid->stack[--depth]];
			size_t left = depth > 0 ? grid->stack[depth - 1] + 1 : 0;
			double width = grid->xs[column] - grid->xs[left];

			if (width * high > best->width * best->height * (1 + 1e-9))
				*best = (struct tn_floor_box){
					grid->xs[left], grid->ys[row + 1] - high, width, high};
		}
		if (column < grid->columns)
			grid->stack[depth++] = column;
	}
}

static struct tn_floor_box search(struct grid *grid)
{
	struct tn_floor_box best = {0};

	for (size_t row = 0; row < grid->rows; row++) {
		double height = grid->ys[row + 1] - grid->ys[row];

		for (size_t column = 0; column < grid->columns; column++)
			grid->heights[column] = grid->taken[row * grid->columns + column]
							? 0
							: grid->heights[column] + height;
		look_at_row(grid, row, &best);
	}
	return best;
}

struct tn_floor_box tn_paint_free_box(struct tn_painter *painter, struct tn_floor_box box,
				      const struct tn_floor_box *obstacles, size_t count)
{
	size_t lines = count > EXACT_MAX ? LINES + 1 : 2 * count + 2;
	struct grid grid = {0};

	if (count == 0 || box.width <= 0 || box.height <= 0)
		return box;
	grid.xs = tn_paint_new(painter, lines, sizeof(*grid.xs));
	grid.ys = tn_paint_new(painter, lines, sizeof(*grid.ys));
	grid.heights = tn_paint_new(painter, lines, sizeof(*grid.heights));
	grid.stack = tn_paint_new(painter, lines, sizeof(*grid.stack));
	grid.taken = tn_paint_new(painter, lines * lines, 1);
	if (painter->starved)
		return box;
	grid.columns = make_lines(grid.xs, box.x, box.width, obstacles, count, true);
	grid.rows = make_lines(grid.ys, box.y, box.height, obstacles, count, false);
	for (size_t i = 0; i < count; i++)
		take(&grid, &obstacles[i]);
	return search(&grid);
}
