/* The largest part of a box that no obstacle is in: where a room's words go (6.8). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/floorplan/picture/internal.h"

enum {
	EXACT_MAX = 64, /* obstacles; among more, the box is looked at in even steps */
	STEPS = 128,
	DENSE_STEPS = 40 /* where walls are looked up in each of them */
};

static int by_number(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The lines of one direction: the edges of all obstacles, or even steps. */
static size_t make_lines(double *lines, double from, double size,
			 const struct tn_floor_obstacles *obstacles, bool across)
{
	const size_t steps = obstacles->dense ? DENSE_STEPS : STEPS;
	size_t used = 0, kept = 1;

	if (obstacles->dense || obstacles->count > EXACT_MAX) {
		for (size_t i = 0; i <= steps; i++)
			lines[i] = from + size * (double)i / (double)steps;
		return steps;
	}
	lines[used++] = from;
	lines[used++] = from + size;
	for (size_t i = 0; i < obstacles->count; i++) {
		const struct tn_floor_box *o = &obstacles->boxes[i];
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

/* The first cell that ends behind `at`. */
static size_t first_behind(const double *lines, size_t count, double at)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines[middle + 1] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take(struct tn_floor_grid *grid, const struct tn_floor_box *o)
{
	const size_t left = first_behind(grid->xs, grid->columns, o->x);

	for (size_t row = first_behind(grid->ys, grid->rows, o->y);
	     row < grid->rows && grid->ys[row] < o->y + o->height; row++)
		for (size_t column = left;
		     column < grid->columns && grid->xs[column] < o->x + o->width; column++)
			grid->taken[row * grid->columns + column] = 1;
}

/* Rectangles whose lower edge is that of one row: the classic walk over a histogram. */
static void look_at_row(struct tn_floor_grid *grid, size_t row, struct tn_floor_box *best)
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

static struct tn_floor_box search(struct tn_floor_grid *grid)
{
	struct tn_floor_box best = {0};

	memset(grid->heights, 0, sizeof(grid->heights));
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
				      const struct tn_floor_obstacles *obstacles)
{
	struct tn_floor_grid *grid = painter->grid;

	if ((obstacles->count == 0 && !obstacles->dense) || box.width <= 0 || box.height <= 0)
		return box;
	if (!grid)
		grid = painter->grid = tn_paint_new(painter, 1, sizeof(*grid));
	if (!grid)
		return box;
	grid->columns = make_lines(grid->xs, box.x, box.width, obstacles, true);
	grid->rows = make_lines(grid->ys, box.y, box.height, obstacles, false);
	memset(grid->taken, 0, grid->columns * grid->rows);
	for (size_t i = 0; i < obstacles->count; i++)
		take(grid, &obstacles->boxes[i]);
	if (obstacles->dense)
		tn_paint_take_walls(painter, grid);
	return search(grid);
}
