/* Dimensions: chains above and to the left of a floor, or lengths inside the rooms (6.7). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/picture/internal.h"

#define NEARLY 0.01  /* U: edges that are one */
#define LINE 1.22    /* of a text's size: how high it is */
#define TEXT_MIN 7.0 /* pixels; what does not fit then is left out */

struct chain {           /* one direction */
	bool horizontal; /* measures along x */
	double *edges;   /* in U */
	size_t count;
	double wall; /* pixels: the wall's outer face, from which the lines come */
};

static double along(const struct tn_painter *painter, const struct chain *chain, double value)
{
	return chain->horizontal ? tn_paint_x(painter, value) : tn_paint_y(painter, value);
}

static void put(struct tn_painter *painter, const struct chain *chain, double from, double to,
		double low, double high)
{
	if (chain->horizontal)
		tn_paint_line(painter, from, low, to, high);
	else
		tn_paint_line(painter, low, from, high, to);
}

static void put_text(struct tn_painter *painter, const struct chain *chain, double from, double to,
		     double line)
{
	double p = painter->p * painter->strip, a = along(painter, chain, from),
	       b = along(painter, chain, to), room = b - a - 4 * p, size = 10 * p, width;
	struct tn_str words = tn_paint_length(painter, to - from);
	struct tn_paint_text how = {.anchor = TN_DRAW_MIDDLE,
				    .upright = !chain->horizontal,
				    .colour = painter->theme->dimension};

	width = tn_draw_text_width(words, 1, TN_DRAW_REGULAR);
	if (width * size > room)
		size = fmax(room / width, fmin(TEXT_MIN, size));
	if (width * size > room || size < TEXT_MIN - 0.01)
		return;
	how.size = size;
	how.x = chain->horizontal ? (a + b) / 2 : line - 0.62 * size;
	how.y = chain->horizontal ? line - 0.62 * size : (a + b) / 2;
	tn_paint_words(painter, words, &how);
}

/* A line with its ticks and numbers, `away` p from the plan. */
static void put_tier(struct tn_painter *painter, const struct chain *chain, double away)
{
	double p = painter->p * painter->strip;
	const struct tn_floor_box *box = &painter->cell->box;
	double line = (chain->horizontal ? box->y : box->x) - away * p, tick = 3.5 * p * 0.7071;
	struct tn_draw_style pen = tn_paint_pen(painter, painter->theme->dimension, 0.5);

	tn_draw_begin(painter->display, &pen);
	for (size_t i = 0; i < chain->count; i++) {
		double at = along(painter, chain, chain->edges[i]);

		if (away < 20 || i == 0 || i + 1 == chain->count)
			put(painter, chain, at, at, chain->wall - 3 * p, line - 3 * p);
	}
	tn_draw_end(painter->display);
	pen.stroke_width = 0.7 * painter->p;
	tn_draw_begin(painter->display, &pen);
	put(painter, chain, along(painter, chain, chain->edges[0]),
	    along(painter, chain, chain->edges[chain->count - 1]), line, line);
	for (size_t i = 0; i < chain->count; i++) {
		double at = along(painter, chain, chain->edges[i]);

		if (away < 20 || i == 0 || i + 1 == chain->count)
			put(painter, chain, at - tick, at + tick, line + tick, line - tick);
	}
	tn_draw_end(painter->display);
	if (away > 20) {
		put_text(painter, chain, chain->edges[0], chain->edges[chain->count - 1], line);
		return;
	}
	for (size_t i = 0; i + 1 < chain->count; i++)
		put_text(painter, chain, chain->edges[i], chain->edges[i + 1], line);
}

static int by_number(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void collect(struct tn_painter *painter, struct chain *chain)
{
	const struct tn_floor_room *first = painter->cell->floor->rooms, *room;
	double wall = painter->plan->settings.wall_thickness / 2, least = INFINITY;
	size_t count = 0, kept = 0;

	for (room = first; room; room = room->next)
		count++;
	chain->edges = tn_paint_new(painter, 2 * count, sizeof(*chain->edges));
	if (!chain->edges)
		return;
	for (room = first, count = 0; room; room = room->next) {
		const struct tn_floor_rect *r = &room->rect;

		if (!room->placed)
			continue;
		chain->edges[count++] = chain->horizontal ? r->x : r->y;
		chain->edges[count++] = chain->horizontal ? r->x + r->width : r->y + r->height;
		least = fmin(least, chain->horizontal ? r->y : r->x);
	}
	if (count == 0)
		return;
	qsort(chain->edges, count, sizeof(*chain->edges), by_number);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || chain->edges[i] - chain->edges[kept - 1] > NEARLY)
			chain->edges[kept++] = chain->edges[i];
	chain->count = kept;
	chain->wall = chain->horizontal ? tn_paint_y(painter, least - wall)
					: tn_paint_x(painter, least - wall);
}

/* ---- inside the rooms ---- */

struct inside { /* of one room: pixels */
	struct tn_floor_box box;
	double size, edge; /* of the text; from the box to its middle */
};

static struct inside inside_of(const struct tn_painter *painter, const struct tn_floor_room *room)
{
	const double wall = painter->plan->settings.wall_thickness * painter->at->scale / 2;
	struct inside inside = {.box = tn_paint_box(painter, &room->rect)};

	inside.size = fmax(8.5 * painter->p, TEXT_MIN);
	inside.edge = wall + 0.8 * inside.size;
	return inside;
}

static int by_start(const void *left, const void *right)
{
	const struct tn_floor_box *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

/* The middle of a text of that width which is nearest to the middle of the strip and free. */
static bool find_place(struct tn_floor_obstacles *obstacles, double from, double to, double width,
		       double pad, double *ret)
{
	const double middle = (from + to) / 2;
	double free = from, least = INFINITY;

	qsort(obstacles->boxes, obstacles->count, sizeof(*obstacles->boxes), by_start);
	for (size_t i = 0; i <= obstacles->count; i++) {
		const struct tn_floor_box *o = &obstacles->boxes[i];
		double end = i < obstacles->count ? fmin(o->x - pad, to) : to, at;

		at = fmin(fmax(middle, free + width / 2), end - width / 2);
		if (end - free >= width && fabs(at - middle) < least) {
			least = fabs(at - middle);
			*ret = at;
		}
		if (i < obstacles->count)
			free = fmax(free, o->x + o->width + pad);
	}
	return least < INFINITY;
}

/* Along the top wall, or the left one. */
static bool find_strip(struct tn_painter *painter, const struct tn_floor_room *room, bool across,
		       double *ret)
{
	const struct inside in = inside_of(painter, room);
	const double most = across ? in.box.width : in.box.height,
		     deep = across ? in.box.height : in.box.width, line = LINE * in.size;
	struct tn_str words =
		tn_paint_length(painter, across ? room->rect.width : room->rect.height);
	const double width = tn_draw_text_width(words, in.size, TN_DRAW_REGULAR);
	struct tn_floor_box strip = {in.box.x + 2 * in.edge, in.box.y + in.edge - line / 2,
				     most - 4 * in.edge, line};
	const double pad = 2 * painter->p;
	struct tn_floor_obstacles obstacles;

	if (!(width < strip.width && deep > 4 * in.edge))
		return false;
	if (!across)
		strip = (struct tn_floor_box){in.box.x + in.edge - line / 2, in.box.y + 2 * in.edge,
					      line, most - 4 * in.edge};
	if (!tn_paint_obstacles(painter, room, &strip, &obstacles) || obstacles.dense)
		return false;
	for (size_t i = 0; i < obstacles.count && !across; i++) {
		struct tn_floor_box *o = &obstacles.boxes[i];

		*o = (struct tn_floor_box){o->y, o->x, o->height, o->width};
	}
	return across ? find_place(&obstacles, strip.x, strip.x + strip.width, width, pad, ret)
		      : find_place(&obstacles, strip.y, strip.y + strip.height, width, pad, ret);
}

void tn_paint_find_inside(struct tn_painter *painter, const struct tn_floor_room *room)
{
	struct tn_floor_inside *inside = &painter->insides[room->index];

	inside->across = find_strip(painter, room, true, &inside->x);
	inside->down = find_strip(painter, room, false, &inside->y);
	inside->x -= painter->at->x0;
	inside->y -= painter->at->y0;
}

static void put_inside(struct tn_painter *painter, const struct tn_floor_room *room)
{
	const struct tn_floor_inside *inside = &painter->insides[room->index];
	const struct inside in = inside_of(painter, room);
	tn_colour fill = tn_paint_room_colour(painter, room);
	struct tn_paint_text how = {.x = painter->at->x0 + inside->x,
				    .y = in.box.y + in.edge,
				    .size = in.size,
				    .anchor = TN_DRAW_MIDDLE,
				    .colour = tn_paint_readable(painter->theme->dimension, fill)};

	if (inside->across)
		tn_paint_words(painter, tn_paint_length(painter, room->rect.width), &how);
	how.x = in.box.x + in.edge;
	how.y = painter->at->y0 + inside->y;
	how.upright = true;
	if (inside->down)
		tn_paint_words(painter, tn_paint_length(painter, room->rect.height), &how);
}

void tn_paint_dimensions(struct tn_painter *painter)
{
	const struct tn_floor_room *room = NULL;

	if (painter->options->dimensions_in_rooms) {
		while ((room = tn_paint_next_room(painter->cell->floor, room)))
			put_inside(painter, room);
		return;
	}
	for (int i = 0; i < 2; i++) {
		struct chain chain = {.horizontal = i == 0};

		collect(painter, &chain);
		if (chain.count < 2)
			continue;
		put_tier(painter, &chain, 14);
		put_tier(painter, &chain, 32);
	}
}
