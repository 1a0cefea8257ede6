/* The area that rectangles cover together: a sweep along x over a tree of stretches of y. */
#include <stdlib.h>

#include "apps/floorplan/plan/metrics.h"

struct edge {
	double x;
	uint32_t low, high; /* stretches of y: low..high - 1 */
	int change;         /* +1: a rectangle begins, -1: it ends */
};

struct sweep {
	double *ys;
	uint32_t y_count;
	unsigned *cover; /* rectangles over the whole of a tree node */
	double *covered; /* length of y that is covered in it */
};

static int by_value(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static int by_x(const void *a, const void *b)
{
	const struct edge *one = a, *other = b;

	return (one->x > other->x) - (one->x < other->x);
}

static uint32_t find_y(const struct sweep *sweep, double y)
{
	uint32_t low = 0, high = sweep->y_count;

	while (low + 1 < high) {
		uint32_t middle = (low + high) / 2;

		if (sweep->ys[middle] <= y)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The node covers the stretches from..to - 1; the depth is the logarithm of their count. */
static void change(struct sweep *sweep, uint32_t node, uint32_t from, uint32_t to,
		   const struct edge *edge)
{
	uint32_t middle = (from + to) / 2;

	if (edge->high <= from || to <= edge->low)
		return;
	if (edge->low <= from && to <= edge->high) {
		sweep->cover[node] += (unsigned)edge->change;
	} else {
		change(sweep, 2 * node, from, middle, edge);
		change(sweep, 2 * node + 1, middle, to, edge);
	}
	if (sweep->cover[node] > 0)
		sweep->covered[node] = sweep->ys[to] - sweep->ys[from];
	else if (to - from > 1)
		sweep->covered[node] = sweep->covered[2 * node] + sweep->covered[2 * node + 1];
	else
		sweep->covered[node] = 0;
}

static void sort_ys(struct sweep *sweep, const struct tn_floor_rect *rects, size_t count)
{
	uint32_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		sweep->ys[2 * i] = rects[i].y;
		sweep->ys[2 * i + 1] = rects[i].y + rects[i].height;
	}
	qsort(sweep->ys, 2 * count, sizeof(*sweep->ys), by_value);
	for (size_t i = 0; i < 2 * count; i++) {
		if (kept == 0 || sweep->ys[kept - 1] < sweep->ys[i])
			sweep->ys[kept++] = sweep->ys[i];
	}
	sweep->y_count = kept;
}

static double run(struct sweep *sweep, struct edge *edges, size_t count)
{
	double area = 0;

	if (sweep->y_count < 2)
		return 0;
	qsort(edges, count, sizeof(*edges), by_x);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			area += (edges[i].x - edges[i - 1].x) * sweep->covered[1];
		change(sweep, 1, 0, sweep->y_count - 1, &edges[i]);
	}
	return area;
}

bool tn_floor_union_area(const struct tn_floor_rect *rects, size_t count, struct tn_arena *arena,
			 double *ret)
{
	struct sweep sweep = {.ys = tn_arena_alloc_array(arena, 2 * count + 1, sizeof(double)),
			      .cover = tn_arena_alloc_array(arena, 8 * count + 8, sizeof(unsigned)),
			      .covered =
				      tn_arena_alloc_array(arena, 8 * count + 8, sizeof(double))};
	struct edge *edges = tn_arena_alloc_array(arena, 2 * count + 1, sizeof(*edges));

	*ret = 0;
	if (!sweep.ys || !sweep.cover || !sweep.covered || !edges)
		return false;
	if (count == 0)
		return true;
	sort_ys(&sweep, rects, count);
	for (size_t i = 0; i < count; i++) {
		const struct tn_floor_rect *one = &rects[i];
		uint32_t low = find_y(&sweep, one->y), high = find_y(&sweep, one->y + one->height);

		edges[2 * i] = (struct edge){one->x, low, high, 1};
		edges[2 * i + 1] = (struct edge){one->x + one->width, low, high, -1};
	}
	*ret = run(&sweep, edges, 2 * count);
	return true;
}
