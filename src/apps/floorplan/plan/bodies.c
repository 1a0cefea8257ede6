#include "apps/floorplan/plan/bodies.h"

#include <math.h>
#include <stdlib.h>

#define GRID 1e6 /* places in U: ends that differ by less are one */

struct block { /* a part of a wall, on the grid */
	int64_t x0, y0, x1, y1;
};

struct edge { /* of the union's outline, along x; the inside is below or above, never both */
	int64_t y, x0, x1;
};

struct span {
	int64_t from, to;
};

struct merge {
	struct tn_arena *arena;
	struct block *blocks;
	size_t block_count;
	int64_t *levels; /* every y at which a block begins or ends */
	size_t level_count;
	size_t *active; /* blocks of the sweep, by x0 */
	size_t active_count;
	struct span *under, *over; /* what is covered just before and just behind a level */
	struct edge *edges;
	size_t edge_count, edge_room;
	bool starved;
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_value(const void *a, const void *b)
{
	return compare(*(const int64_t *)a, *(const int64_t *)b);
}

static int by_top(const void *left, const void *right)
{
	const struct block *a = left, *b = right;
	int order = compare(a->y0, b->y0);

	return order ? order : compare(a->x0, b->x0);
}

/* ---- blocks ---- */

static void add_block(struct merge *merge, const struct tn_floor_wall_piece *piece, double from,
		      double to)
{
	int64_t low = llround((piece->line - piece->thickness / 2) * GRID),
		high = llround((piece->line + piece->thickness / 2) * GRID),
		start = llround(from * GRID), end = llround(to * GRID);

	if (end <= start || high <= low)
		return;
	merge->blocks[merge->block_count++] = piece->horizontal
						      ? (struct block){start, low, end, high}
						      : (struct block){low, start, high, end};
}

static bool cut_blocks(struct merge *merge, const struct tn_floor_wall_piece *pieces, size_t count)
{
	size_t room = 0;

	for (size_t i = 0; i < count; i++)
		room += pieces[i].opening_count + 1;
	merge->blocks = tn_arena_alloc_array(merge->arena, room ? room : 1, sizeof(struct block));
	if (!merge->blocks)
		return false;
	for (size_t i = 0; i < count; i++) {
		double from = pieces[i].start;

		for (unsigned j = 0; j < pieces[i].opening_count; j++) {
			const struct tn_floor_opening *opening = pieces[i].openings[j];
			double left = opening->center - opening->width / 2;

			add_block(merge, &pieces[i], from, fmin(left, pieces[i].end));
			from = fmax(from, left + opening->width);
		}
		add_block(merge, &pieces[i], from, pieces[i].end);
	}
	qsort(merge->blocks, merge->block_count, sizeof(struct block), by_top);
	return true;
}

static bool find_levels(struct merge *merge)
{
	size_t count = merge->block_count, kept = 0;

	merge->levels = tn_arena_alloc_array(merge->arena, 2 * count + 1, sizeof(int64_t));
	merge->active = tn_arena_alloc_array(merge->arena, count + 1, sizeof(size_t));
	merge->under = tn_arena_alloc_array(merge->arena, count + 1, sizeof(struct span));
	merge->over = tn_arena_alloc_array(merge->arena, count + 1, sizeof(struct span));
	if (!merge->levels || !merge->active || !merge->under || !merge->over)
		return false;
	for (size_t i = 0; i < count; i++) {
		merge->levels[2 * i] = merge->blocks[i].y0;
		merge->levels[2 * i + 1] = merge->blocks[i].y1;
	}
	qsort(merge->levels, 2 * count, sizeof(int64_t), by_value);
	for (size_t i = 0; i < 2 * count; i++)
		if (i == 0 || merge->levels[i] != merge->levels[kept - 1])
			merge->levels[kept++] = merge->levels[i];
	merge->level_count = kept;
	return true;
}

/* ---- the sweep ---- */

/* What the active blocks cover, as spans that do not touch. */
static size_t cover(const struct merge *merge, struct span *spans)
{
	size_t count = 0;

	for (size_t i = 0; i < merge->active_count; i++) {
		const struct block *block = &merge->blocks[merge->active[i]];

		if (count > 0 && block->x0 <= spans[count - 1].to) {
			if (block->x1 > spans[count - 1].to)
				spans[count - 1].to = block->x1;
		} else {
			spans[count++] = (struct span){block->x0, block->x1};
		}
	}
	return count;
}

static void drop_ended(struct merge *merge, int64_t y)
{
	size_t kept = 0;

	for (size_t i = 0; i < merge->active_count; i++)
		if (merge->blocks[merge->active[i]].y1 > y)
			merge->active[kept++] = merge->active[i];
	merge->active_count = kept;
}

static void enter(struct merge *merge, size_t block)
{
	size_t at = merge->active_count++;

	for (; at > 0 && merge->blocks[merge->active[at - 1]].x0 > merge->blocks[block].x0; at--)
		merge->active[at] = merge->active[at - 1];
	merge->active[at] = block;
}

static void add_edge(struct merge *merge, int64_t y, int64_t x0, int64_t x1)
{
	if (merge->starved || x0 >= x1)
		return;
	if (merge->edge_count == merge->edge_room) {
		size_t room = merge->edge_room ? 2 * merge->edge_room : 256;
		struct edge *more = tn_arena_alloc_array(merge->arena, room, sizeof(*more));

		if (!more) {
			merge->starved = true;
			return;
		}
		if (merge->edge_count > 0)
			memcpy(more, merge->edges, merge->edge_count * sizeof(*more));
		merge->edges = more;
		merge->edge_room = room;
	}
	merge->edges[merge->edge_count++] = (struct edge){y, x0, x1};
}

/* Where the one covers and the other does not there is an edge. Both lists end with a span that
 * nothing reaches. */
static void put_difference(struct merge *merge, int64_t y, size_t under_count, size_t over_count)
{
	size_t i = 0, j = 0;
	bool under = false, over = false;
	int64_t from = 0;

	while (i < 2 * under_count || j < 2 * over_count) {
		const struct span *a = &merge->under[i / 2], *b = &merge->over[j / 2];
		int64_t next_a = i < 2 * under_count ? (i % 2 ? a->to : a->from) : INT64_MAX;
		int64_t next_b = j < 2 * over_count ? (j % 2 ? b->to : b->from) : INT64_MAX;
		int64_t at = next_a < next_b ? next_a : next_b;

		if (under != over)
			add_edge(merge, y, from, at);
		if (next_a == at) {
			under = !under;
			i++;
		}
		if (next_b == at) {
			over = !over;
			j++;
		}
		from = at;
	}
}

static void sweep(struct merge *merge)
{
	size_t next = 0;

	for (size_t i = 0; i < merge->level_count; i++) {
		int64_t y = merge->levels[i];
		size_t under = cover(merge, merge->under);

		drop_ended(merge, y);
		while (next < merge->block_count && merge->blocks[next].y0 == y)
			enter(merge, next++);
		put_difference(merge, y, under, cover(merge, merge->over));
	}
}

/* ---- loops ---- */

struct corner { /* an end of an edge: 2 * edge, and one more for the right end */
	int64_t x, y;
	size_t index;
};

static int by_column(const void *left, const void *right)
{
	const struct corner *a = left, *b = right;
	int order = compare(a->x, b->x);

	if (order == 0)
		order = compare(a->y, b->y);
	return order ? order : compare((int64_t)a->index, (int64_t)b->index);
}

/* Every corner ends one edge along x and one along y; those of a column, from top to bottom, belong
 * together by twos. */
static bool pair_corners(struct merge *merge, struct corner **ret_corners, size_t **ret_partner)
{
	size_t count = 2 * merge->edge_count;
	struct corner *corners = tn_arena_alloc_array(merge->arena, count + 1, sizeof(*corners));
	struct corner *sorted = tn_arena_alloc_array(merge->arena, count + 1, sizeof(*corners));
	size_t *partner = tn_arena_alloc_array(merge->arena, count + 1, sizeof(*partner));

	if (!corners || !sorted || !partner)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct edge *edge = &merge->edges[i / 2];

		corners[i] = (struct corner){i % 2 ? edge->x1 : edge->x0, edge->y, i};
		sorted[i] = corners[i];
	}
	qsort(sorted, count, sizeof(*sorted), by_column);
	for (size_t i = 0; i + 1 < count; i += 2) {
		partner[sorted[i].index] = sorted[i + 1].index;
		partner[sorted[i + 1].index] = sorted[i].index;
	}
	*ret_corners = corners;
	*ret_partner = partner;
	return true;
}

static bool follow(struct merge *merge, const struct tn_floor_loop **ret, size_t *ret_count)
{
	size_t count = 2 * merge->edge_count, used = 0, loops = 0, *partner;
	struct corner *corners;
	struct tn_floor_point *points =
		tn_arena_alloc_array(merge->arena, count + 1, sizeof(*points));
	struct tn_floor_loop *loop =
		tn_arena_alloc_array(merge->arena, merge->edge_count + 1, sizeof(*loop));
	bool *seen = tn_arena_alloc_array(merge->arena, count + 1, sizeof(*seen));

	if (!points || !loop || !seen || !pair_corners(merge, &corners, &partner))
		return false;
	for (size_t first = 0; first < count; first++) {
		size_t at = first, from = used;

		while (!seen[at]) {
			const size_t ends[] = {at, at ^ 1};

			for (size_t i = 0; i < 2; i++) {
				seen[ends[i]] = true;
				points[used++] =
					(struct tn_floor_point){(double)corners[ends[i]].x / GRID,
								(double)corners[ends[i]].y / GRID};
			}
			at = partner[at ^ 1];
		}
		if (used > from)
			loop[loops++] = (struct tn_floor_loop){points + from, used - from};
	}
	*ret = loop;
	*ret_count = loops;
	return true;
}

bool tn_floor_bodies(const struct tn_floor_wall_piece *pieces, size_t count, struct tn_arena *arena,
		     const struct tn_floor_loop **ret, size_t *ret_count)
{
	struct merge merge = {.arena = arena};

	if (!cut_blocks(&merge, pieces, count) || !find_levels(&merge))
		return false;
	sweep(&merge);
	return !merge.starved && follow(&merge, ret, ret_count);
}
