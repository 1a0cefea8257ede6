/* raster_cells.h - the inside of filling outlines, for the files raster*.c. */
#ifndef TN_DRAW_RASTER_CELLS_H
#define TN_DRAW_RASTER_CELLS_H

#include "draw/raster.h"

enum {
	TN_RASTER_LINES = 16,  /* in a pixel */
	TN_RASTER_PARTS = 256, /* of a pixel's width */
	TN_RASTER_FULL = TN_RASTER_LINES * TN_RASTER_PARTS,
	TN_RASTER_FAR = 1 << 30 /* beyond every line and part of a picture */
};

struct tn_raster_edge {
	int32_t first, last; /* lines it crosses: first <= line < last */
	int32_t direction;   /* 1: downwards, -1 */
	double x, step;      /* where it crosses the first line, in pixels; a line further */
};

struct tn_raster_paint {
	unsigned rgb[3], alpha;
};

/* The part at a place in pixels: floor(x * PARTS + 0.5) without the call, millions of times. */
static inline int32_t tn_raster_part(double x)
{
	const double at = x * TN_RASTER_PARTS + 0.5;
	int32_t part;

	if (at >= TN_RASTER_FAR)
		return TN_RASTER_FAR;
	if (at <= -TN_RASTER_FAR)
		return -TN_RASTER_FAR;
	part = (int32_t)at;
	return part - (part > at);
}

/* From part `from` to part `to` of so many lines of a row. */
static inline void tn_raster_add_span(struct tn_raster *raster, int32_t from, int32_t to,
				      int32_t lines)
{
	int32_t end = (int32_t)raster->width * TN_RASTER_PARTS, left, right;

	from = from < 0 ? 0 : from;
	to = to > end ? end : to;
	if (from >= to)
		return;
	left = from / TN_RASTER_PARTS;
	right = to / TN_RASTER_PARTS;
	if ((uint32_t)left < raster->cover_first)
		raster->cover_first = (uint32_t)left;
	if ((uint32_t)right + 2 > raster->cover_end)
		raster->cover_end = (uint32_t)right + 2;
	if (left == right) {
		raster->cover[left] += (to - from) * lines;
		raster->cover[left + 1] -= (to - from) * lines;
		return;
	}
	raster->cover[left] += (TN_RASTER_PARTS - from % TN_RASTER_PARTS) * lines;
	raster->cover[left + 1] += from % TN_RASTER_PARTS * lines;
	raster->cover[right] += (to % TN_RASTER_PARTS - TN_RASTER_PARTS) * lines;
	raster->cover[right + 1] -= to % TN_RASTER_PARTS * lines;
}

/* Paints the row's cover into `rows` rows from y on, and forgets it. */
void tn_raster_flush(struct tn_raster *raster, uint32_t y, uint32_t rows,
		     const struct tn_raster_paint *paint);

/* The edges, sorted by first, are all upright: fills what is between them (raster_upright.c). What
 * is between is looked for only where an edge begins or ends, and by a tree, so that thousands of
 * walls over each other take no longer than the few that are seen. */
void tn_raster_scan_upright(struct tn_raster *raster, const struct tn_raster_paint *paint);

#endif
