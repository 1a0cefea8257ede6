#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/limits.h"
#include "draw/raster_cells.h"

enum {
	LINES = TN_RASTER_LINES,
	PARTS = TN_RASTER_PARTS,
	FULL = TN_RASTER_FULL,
	COUNTED_MAX = 1 << 16 /* edges and lines: so many are sorted by counting */
};

enum tenon_code tn_raster_init(struct tn_raster *raster, uint32_t width, uint32_t height,
			       tn_colour background, struct tenon_error *err)
{
	unsigned alpha = tn_colour_alpha(background), i;
	size_t count = (size_t)width * height, at;
	uint8_t pixel[4];

	memset(raster, 0, sizeof(*raster));
	if (width == 0 || height == 0 || count > TN_DRAW_PIXELS_MAX)
		return tn_fail(err, TENON_LIMIT,
			       "a picture of %u x %u pixels; at most %d in all are drawn", width,
			       height, TN_DRAW_PIXELS_MAX);
	raster->width = width;
	raster->height = height;
	raster->cover_first = UINT32_MAX;
	raster->pixels = tn_mem_alloc(count * 4 + height); /* the rows' filters: png.c */
	raster->cover = tn_mem_alloc_array((size_t)width + 2, sizeof(*raster->cover));
	if (!raster->pixels || !raster->cover) {
		tn_raster_finish(raster);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for %u x %u pixels", width, height);
	}
	for (i = 0; i < 3; i++)
		pixel[i] = (uint8_t)(((background >> (24 - 8 * i) & 255) * alpha + 127) / 255);
	pixel[3] = (uint8_t)alpha;
	for (at = 0; alpha > 0 && at < count; at++)
		memcpy(raster->pixels + 4 * at, pixel, 4);
	return TENON_OK;
}

void tn_raster_finish(struct tn_raster *raster)
{
	tn_mem_free(raster->pixels);
	tn_mem_free(raster->edges);
	tn_mem_free(raster->sorted);
	tn_mem_free(raster->lines);
	tn_mem_free(raster->active);
	tn_mem_free(raster->cover);
	memset(raster, 0, sizeof(*raster));
}

/* ---- edges ---- */

static int32_t whole(double value)
{
	if (value >= TN_RASTER_FAR)
		return TN_RASTER_FAR;
	return value <= -TN_RASTER_FAR ? -TN_RASTER_FAR : (int32_t)value;
}

static bool has_edge_room(struct tn_raster *raster)
{
	struct tn_raster_edge *more;
	size_t room = raster->edge_room ? raster->edge_room * 2 : 512;

	if (raster->edge_count < raster->edge_room)
		return true;
	more = tn_mem_resize(raster->edges, room * sizeof(*more));
	if (!more) {
		raster->failed = true;
		return false;
	}
	raster->edges = more;
	raster->edge_room = room;
	return true;
}

/* A line counts as crossed when its middle is. */
static void add_edge(struct tn_raster *raster, struct tn_point a, struct tn_point b)
{
	struct tn_raster_edge edge = {.direction = 1};
	double top, bottom;

	if (a.y > b.y) {
		struct tn_point swap = a;

		a = b;
		b = swap;
		edge.direction = -1;
	}
	top = a.y * LINES;
	bottom = b.y * LINES;
	edge.first = whole(ceil(top - 0.5));
	edge.last = whole(ceil(bottom - 0.5));
	if (edge.first < 0)
		edge.first = 0;
	if (edge.last > (int32_t)raster->height * LINES)
		edge.last = (int32_t)raster->height * LINES;
	if (edge.first >= edge.last || !has_edge_room(raster))
		return;
	edge.step = (b.x - a.x) / (bottom - top);
	edge.x = a.x + (edge.first + 0.5 - top) * edge.step;
	raster->edges[raster->edge_count++] = edge;
}

static void add_edges(struct tn_raster *raster, const struct tn_outline *outline)
{
	size_t i, k;

	for (i = 0; i < outline->contour_count; i++) {
		const struct tn_contour *contour = &outline->contours[i];
		const struct tn_point *points = outline->points + contour->first;

		for (k = 0; k < contour->count; k++)
			add_edge(raster, points[k], points[k + 1 < contour->count ? k + 1 : 0]);
	}
}

static int by_first(const void *a, const void *b)
{
	const struct tn_raster_edge *left = a, *right = b;

	if (left->first != right->first)
		return left->first < right->first ? -1 : 1;
	return (left->x > right->x) - (left->x < right->x);
}

/* By line, the edges of each in the order they came; false: too many, or no memory. */
static bool sort_by_line(struct tn_raster *raster)
{
	const size_t count = raster->edge_count;
	const struct tn_raster_edge *edges = raster->edges;
	int32_t top = edges[0].first, bottom = top;
	size_t i;

	for (i = 1; i < count; i++) {
		top = edges[i].first < top ? edges[i].first : top;
		bottom = edges[i].first > bottom ? edges[i].first : bottom;
	}
	if (count > COUNTED_MAX || bottom - top >= COUNTED_MAX)
		return false;
	if (!raster->sorted)
		raster->sorted = tn_mem_alloc_array(COUNTED_MAX, sizeof(*raster->sorted));
	if (!raster->lines)
		raster->lines = tn_mem_alloc_array(COUNTED_MAX + 1, sizeof(*raster->lines));
	if (!raster->sorted || !raster->lines)
		return false;
	memset(raster->lines, 0, (size_t)(bottom - top + 2) * sizeof(*raster->lines));
	for (i = 0; i < count; i++)
		raster->lines[edges[i].first - top + 1]++;
	for (i = 1; i <= (size_t)(bottom - top); i++)
		raster->lines[i] += raster->lines[i - 1];
	for (i = 0; i < count; i++)
		raster->sorted[raster->lines[edges[i].first - top]++] = edges[i];
	memcpy(raster->edges, raster->sorted, count * sizeof(*edges));
	return true;
}

/* By line, then from left to right. */
static void sort_edges(struct tn_raster *raster)
{
	const size_t count = raster->edge_count;
	struct tn_raster_edge *edges = raster->edges;
	size_t from, to;

	if (!sort_by_line(raster)) {
		qsort(edges, count, sizeof(*edges), by_first);
		return;
	}
	for (from = 0; from < count; from = to) {
		for (to = from + 1; to < count && edges[to].first == edges[from].first;)
			to++;
		if (to - from > 1)
			qsort(edges + from, to - from, sizeof(*edges), by_first);
	}
}

/* ---- rows ---- */

/* So many lines that are the same: one, unless all edges are upright. False: further down, the
 * edges stand in another order. */
static bool add_lines(struct tn_raster *raster, size_t active_count, int32_t lines)
{
	int32_t winding = 0, from = 0;
	double before = -INFINITY;
	bool sorted = true;
	size_t i;

	for (i = 0; i < active_count; i++) {
		struct tn_raster_edge *edge = &raster->edges[raster->active[i]];
		int32_t part = tn_raster_part(edge->x);

		if (winding == 0)
			from = part;
		winding += edge->direction;
		if (winding == 0)
			tn_raster_add_span(raster, from, part, lines);
		edge->x += edge->step;
		sorted = sorted && edge->x >= before;
		before = edge->x;
	}
	return sorted;
}

/* Nearly sorted from line to line. */
static void sort_active(struct tn_raster *raster, size_t count)
{
	size_t i, k;

	for (i = 1; i < count; i++) {
		uint32_t index = raster->active[i];
		double x = raster->edges[index].x;

		for (k = i; k > 0 && raster->edges[raster->active[k - 1]].x > x; k--)
			raster->active[k] = raster->active[k - 1];
		raster->active[k] = index;
	}
}

/* Edges that begin at a line come by their places: they are merged with those that go on, for there
 * may be thousands of either. The second half of `active` has room for them. */
static void merge_active(struct tn_raster *raster, size_t old, size_t count)
{
	uint32_t *active = raster->active, *added = active + raster->active_room;
	size_t left = count - old, to = count;

	memcpy(added, active + old, left * sizeof(*active));
	while (left > 0) {
		if (old > 0 && raster->edges[active[old - 1]].x > raster->edges[added[left - 1]].x)
			active[--to] = active[--old];
		else
			active[--to] = added[--left];
	}
}

static uint8_t mix(unsigned over, unsigned under, unsigned alpha)
{
	unsigned value = under * (255 - alpha) + 127;

	return (uint8_t)(over + value / 255);
}

/* A run of pixels that are covered alike. */
static void blend(uint8_t *pixel, size_t count, const struct tn_raster_paint *paint, unsigned cover)
{
	unsigned alpha = (paint->alpha * cover + FULL / 2) / FULL, over[4], i;
	uint8_t full[4] = {0, 0, 0, 255};

	for (i = 0; i < 3; i++) {
		full[i] = (uint8_t)paint->rgb[i];
		over[i] = (paint->rgb[i] * alpha + 127) / 255;
	}
	over[3] = alpha;
	for (; count > 0 && alpha == 255; count--, pixel += 4)
		memcpy(pixel, full, 4);
	for (; count > 0; count--, pixel += 4)
		for (i = 0; i < 4; i++)
			pixel[i] = mix(over[i], pixel[i], alpha);
}

void tn_raster_flush(struct tn_raster *raster, uint32_t y, uint32_t rows,
		     const struct tn_raster_paint *paint)
{
	size_t stride = (size_t)raster->width * 4;
	uint8_t *row = raster->pixels + y * stride;
	uint32_t x = raster->cover_first, end = raster->cover_end, next, i;
	int32_t cover = 0;

	for (; x < end; x = next) {
		cover += raster->cover[x];
		raster->cover[x] = 0;
		for (next = x + 1; next < end && raster->cover[next] == 0;)
			next++;
		if (cover <= 0 || x >= raster->width)
			continue;
		for (i = 0; i < rows; i++)
			blend(row + i * stride + 4 * (size_t)x,
			      (next < raster->width ? next : raster->width) - x, paint,
			      (unsigned)cover);
	}
	raster->cover_first = UINT32_MAX;
	raster->cover_end = 0;
}

static bool has_active_room(struct tn_raster *raster)
{
	uint32_t *more;

	if (raster->active_room >= raster->edge_count)
		return true;
	more = tn_mem_resize(raster->active, 2 * raster->edge_room * sizeof(*more));
	if (!more) {
		raster->failed = true;
		return false;
	}
	raster->active = more;
	raster->active_room = raster->edge_room;
	return true;
}

/* Takes out what ends at the line; returns where the next one ends. *sloped: those that are not
 * upright. */
static int32_t drop_ended(struct tn_raster *raster, int32_t line, size_t *count, size_t *sloped)
{
	size_t kept = 0, i;
	int32_t end = TN_RASTER_FAR;

	*sloped = 0;
	for (i = 0; i < *count; i++) {
		const struct tn_raster_edge *edge = &raster->edges[raster->active[i]];

		if (edge->last <= line)
			continue;
		*sloped += edge->step != 0;
		raster->active[kept++] = raster->active[i];
		end = edge->last < end ? edge->last : end;
	}
	*count = kept;
	return end;
}

/* How many lines from this one on are the same. */
static int32_t same_lines(const struct tn_raster *raster, size_t next, int32_t line, int32_t end)
{
	int32_t until = end;

	if (next < raster->edge_count && raster->edges[next].first < until)
		until = raster->edges[next].first;
	return until - line;
}

/* Lines that are the same, to the end of a row or whole rows at once, which is what most of a long
 * line consists of. Returns the line behind them. */
static int32_t add_same(struct tn_raster *raster, size_t count, int32_t line, int32_t same,
			const struct tn_raster_paint *paint)
{
	int32_t in_row = LINES - line % LINES;

	if (in_row == LINES && same >= LINES) {
		(void)add_lines(raster, count, LINES);
		tn_raster_flush(raster, (uint32_t)(line / LINES), (uint32_t)(same / LINES), paint);
		return line + same / LINES * LINES;
	}
	same = same < in_row ? same : in_row;
	(void)add_lines(raster, count, same);
	return line + same;
}

static void scan(struct tn_raster *raster, const struct tn_raster_paint *paint)
{
	size_t next = 0, count = 0, sloped = 0, old;
	int32_t line = 0, end = TN_RASTER_FAR;
	bool sorted = true;

	while (next < raster->edge_count || count > 0) {
		if (count == 0)
			line = raster->edges[next].first;
		if (!sorted)
			sort_active(raster, count);
		for (old = count; next < raster->edge_count && raster->edges[next].first <= line;
		     next++) {
			int32_t last = raster->edges[next].last;

			end = last < end ? last : end;
			sloped += raster->edges[next].step != 0;
			raster->active[count++] = (uint32_t)next;
		}
		if (count > old)
			merge_active(raster, old, count);
		if (sloped == 0) {
			line = add_same(raster, count, line, same_lines(raster, next, line, end),
					paint);
			sorted = true;
		} else {
			sorted = add_lines(raster, count, 1);
			line++;
		}
		if (line >= end)
			end = drop_ended(raster, line, &count, &sloped);
		if (line % LINES == 0 ||
		    (count == 0 && (next == raster->edge_count ||
				    raster->edges[next].first / LINES != (line - 1) / LINES)))
			tn_raster_flush(raster, (uint32_t)((line - 1) / LINES), 1, paint);
	}
}

static bool is_upright(const struct tn_raster *raster)
{
	size_t i = 0;

	while (i < raster->edge_count && raster->edges[i].step == 0)
		i++;
	return i == raster->edge_count;
}

void tn_raster_fill(struct tn_raster *raster, const struct tn_outline *outline, tn_colour colour)
{
	struct tn_raster_paint paint;
	unsigned i;

	if (outline->failed)
		raster->failed = true;
	if (raster->failed || tn_colour_alpha(colour) == 0)
		return;
	for (i = 0; i < 3; i++)
		paint.rgb[i] = colour >> (24 - 8 * i) & 255;
	paint.alpha = tn_colour_alpha(colour);
	raster->edge_count = 0;
	add_edges(raster, outline);
	if (raster->failed || raster->edge_count == 0)
		return;
	sort_edges(raster);
	if (is_upright(raster))
		tn_raster_scan_upright(raster, &paint);
	else if (has_active_room(raster))
		scan(raster, &paint);
}
