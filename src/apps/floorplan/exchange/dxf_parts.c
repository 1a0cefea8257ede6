/* Stairs, lifts, names and dimensions of a floor, for a DXF drawing. */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/exchange/dxf_write.h"
#include "draw/display.h"

#define DEGREE 0.017453292519943295
#define ONE_PLACE 0.01 /* U: edges nearer than this are one (6.7) */
#define LINE_STEP 1.6  /* from line to line, of the letters' height */
#define NARROW 0.9     /* of a room's width, at most, are words */
#define CAPITAL 0.73   /* height of capital letters, of the size of a font */

/* ---- stairs ---- */

static struct tn_floor_point between(struct tn_floor_point a, struct tn_floor_point b, double part)
{
	return (struct tn_floor_point){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/* Where a ray from a corner of a rectangle leaves it. */
static struct tn_floor_point leave(const struct tn_floor_flight *flight, double degrees)
{
	double dx = cos(degrees * DEGREE), dy = sin(degrees * DEGREE), far = INFINITY;

	for (int i = 0; i < 4; i++) {
		double x = flight->corners[i].x - flight->pivot.x,
		       y = flight->corners[i].y - flight->pivot.y;

		if (fabs(x) > ONE_PLACE && x / dx > 0)
			far = fmin(far, x / dx);
		if (fabs(y) > ONE_PLACE && y / dy > 0)
			far = fmin(far, y / dy);
	}
	far = isfinite(far) ? far : 0;
	return (struct tn_floor_point){flight->pivot.x + far * dx, flight->pivot.y + far * dy};
}

/* The quarter, seen from the pivot, in which the middle of the flight lies. */
static double first_degrees(const struct tn_floor_flight *flight)
{
	struct tn_floor_point middle = between(flight->corners[0], flight->corners[2], 0.5);

	if (middle.x >= flight->pivot.x)
		return middle.y >= flight->pivot.y ? 0 : 270;
	return middle.y >= flight->pivot.y ? 90 : 180;
}

static void put_treads(struct tn_dxf *dxf, const struct tn_floor_flight *flight)
{
	for (unsigned i = 1; i < flight->steps; i++) {
		double part = (double)i / flight->steps;
		struct tn_floor_point a = between(flight->corners[0], flight->corners[3], part),
				      b = between(flight->corners[1], flight->corners[2], part);

		if (flight->winds) {
			a = flight->pivot;
			b = leave(flight, first_degrees(flight) + 90 * part);
		}
		tn_dxf_line(dxf, a.x, a.y, b.x, b.y);
	}
}

struct ring { /* a stair around a middle; degrees clockwise */
	double x, y, inner, outer, from, to;
	unsigned steps;
};

static void put_ring(struct tn_dxf *dxf, const struct ring *ring)
{
	bool whole = ring->to - ring->from >= 360;

	if (whole) {
		tn_dxf_circle(dxf, ring->x, ring->y, ring->outer);
		if (ring->inner > 0)
			tn_dxf_circle(dxf, ring->x, ring->y, ring->inner);
	} else {
		tn_dxf_arc(dxf, ring->x, ring->y, ring->outer, ring->from, ring->to);
		if (ring->inner > 0)
			tn_dxf_arc(dxf, ring->x, ring->y, ring->inner, ring->from, ring->to);
	}
	for (unsigned i = 0; i <= ring->steps - whole; i++) {
		double turn = ring->from + (ring->to - ring->from) * i / ring->steps;
		double dx = cos(turn * DEGREE), dy = sin(turn * DEGREE);

		tn_dxf_line(dxf, ring->x + ring->inner * dx, ring->y + ring->inner * dy,
			    ring->x + ring->outer * dx, ring->y + ring->outer * dy);
	}
}

static void put_spiral(struct tn_dxf *dxf, const struct tn_floor_circulation *stair)
{
	const struct tn_floor_rect *rect = &stair->rect;
	const struct tn_floor_measure *inner = &stair->stair->inner_radius;
	struct ring ring = {.x = rect->x + rect->width / 2,
			    .y = rect->y + rect->height / 2,
			    .outer = fmin(rect->width, rect->height) / 2,
			    .from = 90,
			    .to = 450,
			    .steps = stair->steps ? stair->steps : 1};

	if (inner->tokens.first != TN_FLOOR_NO_TOKEN)
		ring.inner = fmin(tn_floor_to_unit(dxf->plan, &inner->length), ring.outer);
	put_ring(dxf, &ring);
}

/* One enters at `side` and keeps to the right around the middle; 4.6 gives the box. */
static void put_curve(struct tn_dxf *dxf, const struct tn_floor_circulation *stair)
{
	static const double places[2][4][2] = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}},
					       {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}};
	const struct tn_floor_stair_tree *tree = stair->stair;
	const struct tn_floor_rect *rect = &stair->rect;
	double arc = tree->has_arc ? fmin(fmax(tree->arc, 1), 360) : 90;
	const double *place = arc > 180 ? (const double[]){0.5, 0.5} : places[arc > 90][tree->side];
	struct ring ring = {.x = rect->x + rect->width * place[0],
			    .y = rect->y + rect->height * place[1],
			    .from = 90.0 * (int)tree->side,
			    .steps = stair->steps ? stair->steps : 1};

	ring.outer =
		arc > 90 ? fmax(rect->width, rect->height) / 2 : fmin(rect->width, rect->height);
	ring.inner = fmax(ring.outer - stair->width, 0);
	ring.to = ring.from + arc;
	put_ring(dxf, &ring);
}

static void put_stair(struct tn_dxf *dxf, const struct tn_floor_circulation *stair)
{
	dxf->layer = TN_DXF_STAIRS;
	if (stair->stair->shape == TN_FLOOR_SPIRAL)
		put_spiral(dxf, stair);
	else if (stair->stair->shape == TN_FLOOR_CURVED)
		put_curve(dxf, stair);
	for (unsigned i = 0; i < stair->flight_count; i++) {
		tn_dxf_loop(dxf, stair->flights[i].corners, 4);
		put_treads(dxf, &stair->flights[i]);
	}
	for (unsigned i = 1; i < stair->path_count; i++)
		tn_dxf_line(dxf, stair->path[i - 1].x, stair->path[i - 1].y, stair->path[i].x,
			    stair->path[i].y);
}

/* A box with its diagonals, and a door over the middle of each side that has one. */
static void put_lift(struct tn_dxf *dxf, const struct tn_floor_circulation *lift)
{
	const struct tn_floor_rect *r = &lift->rect;
	double right = r->x + r->width, bottom = r->y + r->height, inset = 0.05 * r->width;

	dxf->layer = TN_DXF_LIFTS;
	tn_dxf_rect(dxf, r);
	tn_dxf_line(dxf, r->x, r->y, right, bottom);
	tn_dxf_line(dxf, r->x, bottom, right, r->y);
	for (int side = 0; side < 4; side++) {
		double y = side == TN_FLOOR_BOTTOM ? bottom - inset : r->y + inset,
		       x = side == TN_FLOOR_RIGHT ? right - inset : r->x + inset;

		if (!lift->lift_tree || !(lift->lift_tree->doors >> side & 1))
			continue;
		if (side == TN_FLOOR_TOP || side == TN_FLOOR_BOTTOM)
			tn_dxf_line(dxf, r->x + 0.2 * r->width, y, r->x + 0.8 * r->width, y);
		else
			tn_dxf_line(dxf, x, r->y + 0.2 * r->height, x, r->y + 0.8 * r->height);
	}
}

void tn_dxf_put_circulation(struct tn_dxf *dxf)
{
	for (const struct tn_floor_circulation *one = dxf->floor->circulation; one;
	     one = one->next) {
		if (!one->placed)
			continue;
		if (one->lift)
			put_lift(dxf, one);
		else if (one->stair)
			put_stair(dxf, one);
	}
}

/* ---- names ---- */

static double width_of(struct tn_str words)
{
	return tn_draw_text_width(words, 1 / CAPITAL, TN_DRAW_REGULAR);
}

static struct tn_str take_line(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\n');
	struct tn_str line = end == TN_STR_NONE ? *rest : tn_str(rest->data, end);

	*rest = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(*rest, end + 1);
	return tn_str_trim(line);
}

/* The name, and under it the label, line by line, around the middle. */
static void put_name(struct tn_dxf *dxf, struct tn_str name, struct tn_str label,
		     const struct tn_floor_rect *rect)
{
	struct tn_str rest = tn_str_equal(name, label) ? tn_str("", 0) : label, count = rest;
	double widest = width_of(name), lines = 1;
	struct tn_dxf_text how = {.x = rect->x + rect->width / 2,
				  .height = dxf->plan->settings.font_size * CAPITAL};

	while (count.size > 0) {
		widest = fmax(widest, width_of(take_line(&count)));
		lines++;
	}
	how.height = fmin(how.height, NARROW * rect->width / fmax(widest, 1));
	how.height = fmin(how.height, NARROW * rect->height / (lines * LINE_STEP));
	how.y = rect->y + rect->height / 2 - (lines - 1) / 2 * how.height * LINE_STEP;
	dxf->layer = TN_DXF_LABELS;
	tn_dxf_text(dxf, name, &how);
	while (rest.size > 0) {
		how.y += how.height * LINE_STEP;
		tn_dxf_text(dxf, take_line(&rest), &how);
	}
}

static void put_room_names(struct tn_dxf *dxf, const struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		if (room->placed)
			put_name(dxf, room->name, room->label, &room->rect);
		put_room_names(dxf, room->rooms);
	}
}

void tn_dxf_put_labels(struct tn_dxf *dxf)
{
	put_room_names(dxf, dxf->floor->rooms);
	for (const struct tn_floor_circulation *one = dxf->floor->circulation; one; one = one->next)
		if (one->placed)
			put_name(dxf, one->name, one->label, &one->rect);
}

/* ---- dimensions ---- */

struct chain { /* along x above the floor, or along y to its left */
	bool horizontal;
	double line, size; /* of the letters */
};

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void put_along(struct tn_dxf *dxf, const struct chain *chain, double from, double to,
		      double shift_from, double shift_to)
{
	double a = chain->line + shift_from, b = chain->line + shift_to;

	if (chain->horizontal)
		tn_dxf_line(dxf, from, a, to, b);
	else
		tn_dxf_line(dxf, a, from, b, to);
}

static void put_length(struct tn_dxf *dxf, const struct chain *chain, double from, double to)
{
	double above = chain->line - chain->size, middle = (from + to) / 2;
	struct tn_dxf_text how = {middle, above, chain->size * CAPITAL, 0};
	char room[64];
	struct tn_buf words = {.data = room, .capacity = sizeof(room), .limit = sizeof(room)};

	if (!chain->horizontal)
		how = (struct tn_dxf_text){above, middle, chain->size * CAPITAL, 90};
	tn_floor_put_number(&words, floor((to - from) * 100 + 0.5) / 100);
	tn_buf_format(&words, " %s", tn_floor_unit_name(dxf->plan->unit));
	how.height = fmin(how.height, NARROW * (to - from) / width_of(tn_buf_str(&words)));
	tn_dxf_text(dxf, tn_buf_str(&words), &how);
}

static void put_chain(struct tn_dxf *dxf, const struct chain *chain, const double *edges,
		      size_t count)
{
	double tick = chain->size / 2;

	put_along(dxf, chain, edges[0], edges[count - 1], 0, 0);
	for (size_t i = 0; i < count; i++) {
		put_along(dxf, chain, edges[i] - tick, edges[i] + tick, tick, -tick);
		if (i > 0)
			put_length(dxf, chain, edges[i - 1], edges[i]);
	}
}

/* Every place where a top-level room begins or ends, once. */
static size_t find_edges(const struct tn_floor_floor *floor, bool horizontal, double *edges)
{
	size_t count = 0, kept = 0;

	for (const struct tn_floor_room *room = floor->rooms; room; room = room->next) {
		const struct tn_floor_rect *rect = &room->rect;

		if (!room->placed)
			continue;
		edges[count++] = horizontal ? rect->x : rect->y;
		edges[count++] = horizontal ? rect->x + rect->width : rect->y + rect->height;
	}
	qsort(edges, count, sizeof(*edges), by_value);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || edges[i] - edges[kept - 1] > ONE_PLACE)
			edges[kept++] = edges[i];
	return kept;
}

bool tn_dxf_put_dimensions(struct tn_dxf *dxf, struct tn_arena *arena)
{
	double *edges =
		tn_arena_alloc_array(arena, 2 * (size_t)dxf->plan->room_count + 1, sizeof(*edges));
	double size = dxf->plan->settings.font_size;

	if (!edges)
		return false;
	dxf->layer = TN_DXF_DIMENSIONS;
	for (int horizontal = 0; horizontal < 2; horizontal++) {
		struct chain chain = {horizontal, 0, size};
		size_t count = find_edges(dxf->floor, !horizontal, edges);

		if (count < 2)
			continue;
		chain.line = edges[0] - 2 * size; /* clear of the walls across */
		count = find_edges(dxf->floor, horizontal, edges);
		put_chain(dxf, &chain, edges, count);
		if (count > 2) {
			const double ends[] = {edges[0], edges[count - 1]};

			chain.line -= 2.5 * size;
			put_chain(dxf, &chain, ends, 2);
		}
	}
	return true;
}
