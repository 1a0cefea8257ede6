/* Fills of rooms, stairs and lifts, and the hatch where rooms overlap (6.3). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/picture/internal.h"

#define HATCH 8.48528 /* p along x + y: 6 p between the lines, across them */
#define OVERLAPS 3010 /* the diagnostic */

/* ---- hatch: on each diagonal of the page, what lies in two rooms of one container ---- */

struct edge {
	double at; /* x */
	int step;  /* 1: a room begins, -1: it ends */
};

static int by_place(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->at < b->at || a->at > b->at)
		return a->at < b->at ? -1 : 1;
	return a->step - b->step;
}

/* Along x + y = sum. */
static size_t cross(const struct tn_painter *painter, const struct tn_floor_room *room, double sum,
		    struct edge *edges)
{
	size_t count = 0;

	for (; room; room = room->next) {
		struct tn_floor_box box = tn_paint_box(painter, &room->rect);
		double from = fmax(box.x, sum - box.y - box.height),
		       to = fmin(box.x + box.width, sum - box.y);

		if (!room->placed || to <= from)
			continue;
		edges[count++] = (struct edge){from, 1};
		edges[count++] = (struct edge){to, -1};
	}
	return count;
}

static void hatch_line(struct tn_painter *painter, struct edge *edges, size_t count, double sum)
{
	double from = 0;
	int depth = 0;

	if (count < 4)
		return;
	qsort(edges, count, sizeof(*edges), by_place);
	for (size_t i = 0; i < count; i++) {
		if (edges[i].step > 0 && ++depth == 2)
			from = edges[i].at;
		if (edges[i].step < 0 && depth-- == 2 && edges[i].at - from > 0.5)
			tn_paint_line(painter, from, sum - from, edges[i].at, sum - edges[i].at);
	}
}

static void hatch_container(struct tn_painter *painter, const struct tn_floor_room *first)
{
	const struct tn_floor_box *box = &painter->cell->box;
	double step = HATCH * painter->p, sum = floor((box->x + box->y) / step) * step,
	       end = box->x + box->y + box->width + box->height;
	struct edge *edges;
	size_t count = 0;

	for (const struct tn_floor_room *room = first; room; room = room->next)
		count++;
	if (count < 2)
		return;
	edges = tn_paint_new(painter, 2 * count, sizeof(*edges));
	for (; edges && sum < end; sum += step)
		hatch_line(painter, edges, cross(painter, first, sum, edges), sum);
}

static bool has_overlaps(const struct tn_floor_plan *plan)
{
	const struct tn_floor_diagnostic *one = plan->diagnostics.first;

	while (one && one->code != OVERLAPS)
		one = one->next;
	return one != NULL;
}

static void paint_hatch(struct tn_painter *painter)
{
	const struct tn_floor_floor *floor = painter->cell->floor;
	const struct tn_draw_style pen = tn_paint_pen(painter, painter->theme->accent, 0.5);
	const struct tn_floor_room *room = NULL;

	if (!has_overlaps(painter->plan))
		return;
	tn_draw_begin(painter->display, &pen);
	hatch_container(painter, floor->rooms);
	while ((room = tn_paint_next_room(floor, room)))
		hatch_container(painter, room->rooms);
	tn_draw_end(painter->display);
}

/* To whole pixels: between two fills that share an edge, nothing of the page is seen. */
static struct tn_floor_box snapped(struct tn_floor_box box)
{
	double right = floor(box.x + box.width + 0.5), bottom = floor(box.y + box.height + 0.5);

	box.x = floor(box.x + 0.5);
	box.y = floor(box.y + 0.5);
	box.width = fmax(right - box.x, 0);
	box.height = fmax(bottom - box.y, 0);
	return box;
}

static void put_room(struct tn_painter *painter, const struct tn_floor_room *room,
		     const struct tn_floor_box *box, tn_colour colour)
{
	const struct tn_draw_style fill = {.fill = colour};

	tn_paint_group(painter, "room", room->name, &room->tree->tokens);
	tn_draw_rect(painter->display, box->x, box->y, box->width, box->height, 0, &fill);
	tn_draw_group_end(painter->display);
}

void tn_paint_fills(struct tn_painter *painter)
{
	const struct tn_floor_floor *floor = painter->cell->floor;
	const struct tn_floor_room *room = NULL;
	size_t most = painter->plan->room_count, count = 0;
	struct tn_floor_box *boxes = tn_paint_new(painter, most, sizeof(*boxes));
	tn_colour *colours = tn_paint_new(painter, most, sizeof(*colours));

	if (painter->starved)
		return;
	while ((room = tn_paint_next_room(floor, room))) {
		boxes[count] = snapped(tn_paint_box(painter, &room->rect));
		colours[count++] = tn_paint_room_colour(painter, room);
	}
	if (tn_paint_is_deep(painter, boxes, count)) {
		tn_paint_deep(painter, boxes, colours, count);
	} else {
		count = 0;
		while ((room = tn_paint_next_room(floor, room))) {
			put_room(painter, room, &boxes[count], colours[count]);
			count++;
		}
	}
	paint_hatch(painter);
}
