/* Filling between upright edges: from one line at which an edge begins or ends to the next, every
 * line is the same. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/raster_cells.h"
#include "draw/winding.h"

struct key { /* an edge by a number */
	int32_t at;
	uint32_t edge;
};

struct upright {
	struct tn_raster *raster;
	const struct tn_raster_paint *paint;
	struct key *places; /* edges from left to right, by part */
	struct key *ends;   /* by their last line */
	uint32_t *place_of; /* by edge */
	struct tn_winding winding;
};

static int by_number(const void *a, const void *b)
{
	const struct key *left = a, *right = b;

	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	return left->edge < right->edge ? -1 : left->edge > right->edge;
}

static bool init(struct upright *u)
{
	const struct tn_raster *raster = u->raster;
	const size_t count = raster->edge_count, nodes = tn_winding_nodes(count);
	struct tn_winding_node *memory = tn_mem_alloc_array(nodes, sizeof(*memory));
	size_t i;

	tn_winding_init(&u->winding, memory, count);
	u->places = tn_mem_alloc_array(count, sizeof(*u->places));
	u->ends = tn_mem_alloc_array(count, sizeof(*u->ends));
	u->place_of = tn_mem_alloc_array(count, sizeof(*u->place_of));
	if (!memory || !u->places || !u->ends || !u->place_of)
		return false;
	for (i = 0; i < count; i++) {
		u->places[i] = (struct key){tn_raster_part(raster->edges[i].x), (uint32_t)i};
		u->ends[i] = (struct key){raster->edges[i].last, (uint32_t)i};
	}
	qsort(u->places, count, sizeof(*u->places), by_number);
	qsort(u->ends, count, sizeof(*u->ends), by_number);
	for (i = 0; i < count; i++)
		u->place_of[u->places[i].edge] = (uint32_t)i;
	return true;
}

static void add_spans(struct upright *u, int32_t lines)
{
	size_t at = 0, first, end;

	while (tn_winding_next(&u->winding, &at, &first, &end))
		tn_raster_add_span(u->raster, u->places[first].at, u->places[end].at, lines);
}

/* Lines that are all alike: the rest of a row, whole rows, the beginning of one. */
static void put_lines(struct upright *u, int32_t from, int32_t to)
{
	while (from < to) {
		int32_t row = from / TN_RASTER_LINES, next = (row + 1) * TN_RASTER_LINES, rows = 1;

		if (from % TN_RASTER_LINES == 0 && to >= next) {
			rows = (to - from) / TN_RASTER_LINES;
			next = from + rows * TN_RASTER_LINES;
			add_spans(u, TN_RASTER_LINES);
		} else {
			next = next < to ? next : to;
			add_spans(u, next - from);
		}
		if (next % TN_RASTER_LINES == 0)
			tn_raster_flush(u->raster, (uint32_t)row, (uint32_t)rows, u->paint);
		from = next;
	}
}

static void sweep(struct upright *u)
{
	const struct tn_raster_edge *edges = u->raster->edges;
	const size_t count = u->raster->edge_count;
	size_t begun = 0, ended = 0;
	int32_t line = edges[0].first;

	while (ended < count) {
		int32_t next = u->ends[ended].at;

		if (begun < count && edges[begun].first < next)
			next = edges[begun].first;
		put_lines(u, line, next);
		for (line = next; ended < count && u->ends[ended].at == line; ended++)
			tn_winding_set(&u->winding, u->place_of[u->ends[ended].edge], 0);
		for (; begun < count && edges[begun].first == line; begun++)
			tn_winding_set(&u->winding, u->place_of[begun], edges[begun].direction);
	}
	if (line % TN_RASTER_LINES != 0)
		tn_raster_flush(u->raster, (uint32_t)(line / TN_RASTER_LINES), 1, u->paint);
}

void tn_raster_scan_upright(struct tn_raster *raster, const struct tn_raster_paint *paint)
{
	struct upright u = {.raster = raster, .paint = paint};

	if (init(&u))
		sweep(&u);
	else
		raster->failed = true;
	tn_mem_free(u.winding.nodes);
	tn_mem_free(u.places);
	tn_mem_free(u.ends);
	tn_mem_free(u.place_of);
}
