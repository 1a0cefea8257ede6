/* Where walls are at all, in even steps: for rooms that more walls cross than can be looked at one
 * by one, thousands of times (floorplan.md 11). */
#include <math.h>
#include <string.h>

#include "apps/floorplan/picture/internal.h"

enum { SIDE = 512, ROW = SIDE + 1 }; /* sums have a row and a column of zeros before them */

static size_t step_of(double at, double from, double size)
{
	return (size_t)fmin(fmax(floor((at - from) * SIDE / size), 0), SIDE - 1);
}

/* Where something begins, 1; where it ends, -1: unsigned, as all of it adds up to what is there. */
static void mark(struct tn_painter *painter, const struct tn_floor_wall_piece *piece)
{
	const struct tn_floor_rect body = tn_floor_wall_body(piece);
	const struct tn_floor_box *page = &painter->cell->box,
				  box = tn_paint_grown(painter, &body,
						       TN_FLOOR_WALL_PEN / 2 * painter->p);
	const size_t left = step_of(box.x, page->x, page->width),
		     right = step_of(box.x + box.width, page->x, page->width),
		     top = step_of(box.y, page->y, page->height),
		     bottom = step_of(box.y + box.height, page->y, page->height);

	painter->dense[top * ROW + left]++;
	painter->dense[top * ROW + right + 1]--;
	painter->dense[(bottom + 1) * ROW + left]--;
	painter->dense[(bottom + 1) * ROW + right + 1]++;
}

/* In place: from marks to how many walls there are, to 0 or 1, to sums. */
static void add_up(uint32_t *sums)
{
	for (size_t row = 0; row < ROW; row++)
		for (size_t column = 1; column < ROW; column++)
			sums[row * ROW + column] += sums[row * ROW + column - 1];
	for (size_t row = 1; row < ROW; row++)
		for (size_t column = 0; column < ROW; column++)
			sums[row * ROW + column] += sums[(row - 1) * ROW + column];
	for (size_t row = SIDE; row > 0; row--)
		for (size_t column = SIDE; column > 0; column--)
			sums[row * ROW + column] = sums[(row - 1) * ROW + column - 1] > 0 ? 1 : 0;
	for (size_t i = 0; i < ROW; i++)
		sums[i] = sums[i * ROW] = 0;
	for (size_t row = 1; row < ROW; row++) {
		uint32_t sum = 0;

		for (size_t column = 1; column < ROW; column++) {
			sum += sums[row * ROW + column];
			sums[row * ROW + column] = sums[(row - 1) * ROW + column] + sum;
		}
	}
}

/* For this floor, at this scale. */
static bool make(struct tn_painter *painter)
{
	if (painter->dense_scale == painter->at->scale && painter->dense_of == painter->cell->floor)
		return true;
	if (!painter->dense)
		painter->dense = tn_paint_new(painter, (size_t)ROW * ROW, sizeof(*painter->dense));
	if (!painter->dense)
		return false;
	memset(painter->dense, 0, (size_t)ROW * ROW * sizeof(*painter->dense));
	painter->dense_scale = painter->at->scale;
	painter->dense_of = painter->cell->floor;
	for (size_t i = 0; i < painter->cell->piece_count; i++)
		mark(painter, &painter->cell->pieces[i]);
	add_up(painter->dense);
	return true;
}

/* The first and last step that touch each cell between lines. */
static void find_steps(const double *lines, size_t count, double from, double size,
		       uint16_t (*ret)[2])
{
	for (size_t i = 0; i < count; i++) {
		ret[i][0] = (uint16_t)step_of(lines[i], from, size);
		ret[i][1] = (uint16_t)(step_of(lines[i + 1], from, size) + 1);
	}
}

void tn_paint_take_walls(struct tn_painter *painter, struct tn_floor_grid *grid)
{
	const struct tn_floor_box *page = &painter->cell->box;
	uint16_t across[TN_FLOOR_GRID_LINES][2], down[TN_FLOOR_GRID_LINES][2];

	if (!make(painter))
		return;
	find_steps(grid->xs, grid->columns, page->x, page->width, across);
	find_steps(grid->ys, grid->rows, page->y, page->height, down);
	for (size_t row = 0; row < grid->rows; row++) {
		const uint32_t *above = painter->dense + (size_t)down[row][0] * ROW,
			       *below = painter->dense + (size_t)down[row][1] * ROW;
		uint8_t *taken = grid->taken + row * grid->columns;

		for (size_t i = 0; i < grid->columns; i++)
			taken[i] |= below[across[i][1]] + above[across[i][0]] !=
				    above[across[i][1]] + below[across[i][0]];
	}
}
