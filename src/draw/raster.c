#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "draw/raster_work.h"

enum {
	LINES = TN_RASTER_LINES,
	PARTS = TN_RASTER_PARTS,
	FULL = TN_RASTER_FULL
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

/* ---- rows ---- */

void tn_raster_add_span(struct tn_raster *raster, int32_t from, int32_t to, int32_t lines)
{
	int32_t end = (int32_t)raster->width * PARTS, left, right;

	from = from < 0 ? 0 : from;
	to = to > end ? end : to;
	if (from >= to)
		return;
	left = from / PARTS;
	right = to / PARTS;
	if ((uint32_t)left < raster->cover_first)
		raster->cover_first = (uint32_t)left;
	if ((uint32_t)right + 2 > raster->cover_end)
		raster->cover_end = (uint32_t)right + 2;
	if (left == right) {
		raster->cover[left] += (to - from) * lines;
		raster->cover[left + 1] -= (to - from) * lines;
		return;
	}
	raster->cover[left] += (PARTS - from % PARTS) * lines;
	raster->cover[left + 1] += from % PARTS * lines;
	raster->cover[right] += (to % PARTS - PARTS) * lines;
	raster->cover[right + 1] -= to % PARTS * lines;
}

static void add_line(struct tn_raster *raster, size_t active_count)
{
	int32_t winding = 0, from = 0;
	size_t i;

	for (i = 0; i < active_count; i++) {
		struct tn_raster_edge *edge = &raster->edges[raster->active[i]];
		int32_t part = tn_raster_part(edge->x);

		if (winding == 0)
			from = part;
		winding += edge->direction;
		if (winding == 0)
			tn_raster_add_span(raster, from, part, 1);
		edge->x += edge->step;
	}
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

static void scan(struct tn_raster *raster, const struct tn_raster_paint *paint)
{
	size_t next = 0, count = 0, old, kept, i;
	int32_t line = 0;

	while (next < raster->edge_count || count > 0) {
		if (count == 0)
			line = raster->edges[next].first;
		sort_active(raster, count);
		old = count;
		while (next < raster->edge_count && raster->edges[next].first <= line)
			raster->active[count++] = (uint32_t)next++;
		if (count > old)
			merge_active(raster, old, count);
		add_line(raster, count);
		line++;
		for (i = 0, kept = 0; i < count; i++)
			if (raster->edges[raster->active[i]].last > line)
				raster->active[kept++] = raster->active[i];
		count = kept;
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
	qsort(raster->edges, raster->edge_count, sizeof(*raster->edges), by_first);
	if (is_upright(raster))
		tn_raster_scan_upright(raster, &paint);
	else if (has_active_room(raster))
		scan(raster, &paint);
}
