/* Stairs and lifts: steps, the way up, doors (6.6). */
#include <math.h>

#include "apps/floorplan/picture/internal.h"
#include "base/size.h"

#define DEGREE 0.017453292519943295
#define SPIRAL_LINES_MAX 36

struct corner { /* in pixels */
	double x, y;
};

static struct corner to_pixels(const struct tn_painter *painter, struct tn_floor_point point)
{
	return (struct corner){tn_paint_x(painter, point.x), tn_paint_y(painter, point.y)};
}

static struct corner on_circle(struct tn_floor_point center, double radius, double degrees)
{
	return (struct corner){tn_paint_round(center.x + radius * cos(degrees * DEGREE)),
			       tn_paint_round(center.y + radius * sin(degrees * DEGREE))};
}

static void begin(struct tn_painter *painter, tn_colour colour, double width)
{
	const struct tn_draw_style style = tn_paint_pen(painter, colour, width);

	tn_draw_begin(painter->display, &style);
}

/* ---- straight flights ---- */

static void put_quad(struct tn_painter *painter, const struct tn_floor_flight *flight)
{
	for (int i = 0; i < 4; i++) {
		struct corner at = to_pixels(painter, flight->corners[i]);

		if (i == 0)
			tn_draw_move(painter->display, at.x, at.y);
		else
			tn_draw_line(painter->display, at.x, at.y);
	}
	tn_draw_close(painter->display);
}

static struct corner between(struct corner a, struct corner b, double part)
{
	return (struct corner){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

struct sides { /* of a flight: its two edges along the way up */
	struct corner a0, a1, b0, b1;
};

/* Flights lie along an axis: their corners are those of a rectangle. */
static struct sides sides_of(const struct tn_painter *painter, const struct tn_floor_flight *flight)
{
	struct corner low = to_pixels(painter, flight->corners[0]), high = low;
	struct sides sides;

	for (int i = 1; i < 4; i++) {
		struct corner at = to_pixels(painter, flight->corners[i]);

		low = (struct corner){fmin(low.x, at.x), fmin(low.y, at.y)};
		high = (struct corner){fmax(high.x, at.x), fmax(high.y, at.y)};
	}
	if (flight->toward == TN_FLOOR_TOP || flight->toward == TN_FLOOR_BOTTOM)
		sides = (struct sides){low, {low.x, high.y}, {high.x, low.y}, high};
	else
		sides = (struct sides){low, {high.x, low.y}, {low.x, high.y}, high};
	return sides;
}

/* How far one can go from a place before leaving the box. */
static double way_out(struct corner from, struct corner low, struct corner high, double dx,
		      double dy)
{
	double x = INFINITY, y = INFINITY;

	if (fabs(dx) > 1e-6)
		x = ((dx > 0 ? high.x : low.x) - from.x) / dx;
	if (fabs(dy) > 1e-6)
		y = ((dy > 0 ? high.y : low.y) - from.y) / dy;
	x = fmin(x, y);
	return isfinite(x) && x > 0 ? x : 0;
}

/* The edges of winders run to their pivot: a corner for a quarter turn, the middle of an edge for a
 * half. */
static void put_winders(struct tn_painter *painter, const struct tn_floor_flight *flight)
{
	struct sides sides = sides_of(painter, flight);
	struct corner low = sides.a0, high = sides.b1, pivot = to_pixels(painter, flight->pivot);
	double x = fabs(pivot.x - low.x) < 0.5    ? 1
		   : fabs(pivot.x - high.x) < 0.5 ? -1
						  : 0,
	       y = fabs(pivot.y - low.y) < 0.5    ? 1
		   : fabs(pivot.y - high.y) < 0.5 ? -1
						  : 0;

	for (unsigned i = 1; i < flight->steps; i++) {
		double part = (double)i / flight->steps, turn = 90 * DEGREE * part, dx, dy, length;

		if (x == 0 || y == 0)
			turn *= 2;
		dx = (x == 0 ? 1 : x) * (x == 0 || y != 0 ? cos(turn) : sin(turn));
		dy = (y == 0 ? 1 : y) * (x == 0 || y != 0 ? sin(turn) : cos(turn));
		length = way_out(pivot, low, high, dx, dy);
		tn_paint_line(painter, pivot.x, pivot.y, pivot.x + dx * length,
			      pivot.y + dy * length);
	}
}

static void put_treads(struct tn_painter *painter, const struct tn_floor_flight *flight)
{
	struct sides sides = sides_of(painter, flight);

	for (unsigned i = 1; i < flight->steps; i++) {
		double part = (double)i / flight->steps;
		struct corner a = between(sides.a0, sides.a1, part),
			      b = between(sides.b0, sides.b1, part);

		tn_paint_line(painter, a.x, a.y, b.x, b.y);
	}
}

/* ---- the way up ---- */

static void put_head(struct tn_painter *painter, struct corner from, struct corner to)
{
	double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy),
	       size = 6 * painter->p;

	if (length <= 0)
		return;
	dx *= size / length;
	dy *= size / length;
	tn_draw_move(painter->display, tn_paint_round(to.x - dx - dy / 2),
		     tn_paint_round(to.y - dy + dx / 2));
	tn_draw_line(painter->display, to.x, to.y);
	tn_draw_line(painter->display, tn_paint_round(to.x - dx + dy / 2),
		     tn_paint_round(to.y - dy - dx / 2));
}

static void put_dot(struct tn_painter *painter, struct corner at)
{
	const struct tn_draw_style dot = {.fill = painter->theme->leaf};

	tn_draw_ellipse(painter->display, at.x, at.y, 2 * painter->p, 2 * painter->p, &dot);
}

/* Beside the dot, where the first flight has room for it. */
static void put_up(struct tn_painter *painter, struct corner at, struct corner next, double half)
{
	double p = painter->p, dx = next.x - at.x, dy = next.y - at.y,
	       length = sqrt(dx * dx + dy * dy);
	struct tn_paint_text how = {.size = fmax(7.5 * p, 7),
				    .anchor = TN_DRAW_MIDDLE,
				    .colour = painter->theme->secondary,
				    .halo = painter->theme->stair};

	if (length < 20 * p || half < 13 * p)
		return;
	if (fabs(dx) > fabs(dy)) {
		how.x = at.x + (dx > 0 ? 9 : -9) * p;
		how.y = at.y - half / 2;
	} else {
		how.x = at.x + half / 2 + p;
		how.y = at.y + (dy > 0 ? 5 : -5) * p;
	}
	tn_paint_words(painter, TN_STR("UP"), &how);
}

static void put_path(struct tn_painter *painter, const struct tn_floor_circulation *stair)
{
	struct corner from, last, before;
	unsigned count = stair->path_count;

	if (count < 2)
		return;
	from = to_pixels(painter, stair->path[0]);
	last = to_pixels(painter, stair->path[count - 1]);
	before = to_pixels(painter, stair->path[count - 2]);
	begin(painter, painter->theme->leaf, 0.8);
	tn_draw_move(painter->display, from.x, from.y);
	for (unsigned i = 1; i < count; i++) {
		struct corner at = to_pixels(painter, stair->path[i]);

		tn_draw_line(painter->display, at.x, at.y);
	}
	put_head(painter, before, last);
	tn_draw_end(painter->display);
	put_dot(painter, from);
	put_up(painter, from, to_pixels(painter, stair->path[1]),
	       stair->width * painter->at->scale / 2);
}

static void put_flights(struct tn_painter *painter, const struct tn_floor_circulation *stair)
{
	struct tn_draw_style style = tn_paint_pen(painter, painter->theme->leaf, 1.0);

	style.fill = painter->theme->stair;
	for (unsigned i = 0; i < stair->flight_count; i++) {
		tn_draw_begin(painter->display, &style);
		put_quad(painter, &stair->flights[i]);
		tn_draw_end(painter->display);
	}
	begin(painter, painter->theme->line, 0.6);
	for (unsigned i = 0; i < stair->flight_count; i++)
		(stair->flights[i].winds ? put_winders : put_treads)(painter, &stair->flights[i]);
	tn_draw_end(painter->display);
	put_path(painter, stair);
}

/* ---- round stairs ---- */

static void put_ring(struct tn_painter *painter, const struct tn_floor_round *round)
{
	struct tn_draw_style style = tn_paint_pen(painter, painter->theme->leaf, 1.0);
	bool whole = round->to - round->from >= 360;
	struct corner at;

	style.fill = painter->theme->stair;
	if (whole) {
		tn_draw_ellipse(painter->display, round->center.x, round->center.y, round->outer,
				round->outer, &style);
		tn_draw_ellipse(painter->display, round->center.x, round->center.y, round->inner,
				round->inner, &style);
		return;
	}
	tn_draw_begin(painter->display, &style);
	tn_draw_arc(painter->display, round->center.x, round->center.y, round->outer, round->from,
		    round->to);
	at = on_circle(round->center, round->inner, round->to);
	tn_draw_line(painter->display, at.x, at.y);
	/* Back along the inside: from point to point, for arcs only go clockwise. */
	for (int i = 1; i <= 32; i++) {
		at = on_circle(round->center, round->inner,
			       round->to + (round->from - round->to) * i / 32);
		tn_draw_line(painter->display, at.x, at.y);
	}
	tn_draw_close(painter->display);
	tn_draw_end(painter->display);
}

static void put_rays(struct tn_painter *painter, const struct tn_floor_round *round, unsigned steps)
{
	bool whole = round->to - round->from >= 360;
	unsigned lines = steps > SPIRAL_LINES_MAX ? SPIRAL_LINES_MAX : steps;

	begin(painter, painter->theme->line, 0.6);
	for (unsigned i = whole ? 0 : 1; i < lines; i++) {
		double degrees = round->from + (round->to - round->from) * i / lines;
		struct corner a = on_circle(round->center, round->inner, degrees),
			      b = on_circle(round->center, round->outer, degrees);

		tn_paint_line(painter, a.x, a.y, b.x, b.y);
	}
	tn_draw_end(painter->display);
}

static void put_turn(struct tn_painter *painter, const struct tn_floor_round *round)
{
	double radius = (round->inner + round->outer) / 2, sweep = round->to - round->from;
	double from = round->clockwise ? round->from : round->to,
	       step = (round->clockwise ? sweep : -sweep) / 48;
	unsigned count = sweep >= 360 ? 42 : 48;
	struct corner at = on_circle(round->center, radius, from), before = at;

	begin(painter, painter->theme->leaf, 0.8);
	tn_draw_move(painter->display, at.x, at.y);
	for (unsigned i = 1; i <= count; i++) {
		before = at;
		at = on_circle(round->center, radius, from + step * i);
		tn_draw_line(painter->display, at.x, at.y);
	}
	put_head(painter, before, at);
	tn_draw_end(painter->display);
	put_dot(painter, on_circle(round->center, radius, from));
}

static void put_round(struct tn_painter *painter, const struct tn_floor_circulation *stair)
{
	struct tn_floor_box box = tn_paint_box(painter, &stair->rect);
	struct tn_floor_round round =
		tn_floor_round(painter->plan, stair, &box, painter->at->scale);

	put_ring(painter, &round);
	put_rays(painter, &round, stair->steps);
	put_turn(painter, &round);
}

/* ---- lifts ---- */

static void put_lift(struct tn_painter *painter, const struct tn_floor_circulation *lift)
{
	struct tn_floor_box b = tn_paint_box(painter, &lift->rect);
	struct tn_draw_style style = tn_paint_pen(painter, painter->theme->leaf, 1.0);
	unsigned doors = lift->lift_tree ? lift->lift_tree->doors : 0;

	style.fill = painter->theme->stair;
	tn_draw_rect(painter->display, b.x, b.y, b.width, b.height, 0, &style);
	begin(painter, painter->theme->line, 0.6);
	tn_paint_line(painter, b.x, b.y, b.x + b.width, b.y + b.height);
	tn_paint_line(painter, b.x + b.width, b.y, b.x, b.y + b.height);
	tn_draw_end(painter->display);
	begin(painter, painter->theme->leaf, 2.4);
	for (int side = 0; side < 4; side++) {
		double x = side == TN_FLOOR_RIGHT ? b.x + b.width : b.x,
		       y = side == TN_FLOOR_BOTTOM ? b.y + b.height : b.y;

		if (!(doors >> side & 1))
			continue;
		if (side == TN_FLOOR_TOP || side == TN_FLOOR_BOTTOM)
			tn_paint_line(painter, b.x + 0.2 * b.width, y, b.x + 0.8 * b.width, y);
		else
			tn_paint_line(painter, x, b.y + 0.2 * b.height, x, b.y + 0.8 * b.height);
	}
	tn_draw_end(painter->display);
}

/* ---- names ---- */

static void put_name(struct tn_painter *painter, const struct tn_floor_circulation *one)
{
	struct tn_floor_box box = tn_paint_box(painter, &one->rect);
	struct tn_str words = one->label.size > 0 ? one->label : one->name;
	double size = fmax(9 * painter->p, 8), least = fmax(8 * painter->p, 8),
	       width = tn_draw_measure(painter->display, words, 1, TN_DRAW_REGULAR);
	double wide = box.width * 0.92, high = box.height * 0.92;
	struct tn_paint_text how = {.anchor = TN_DRAW_MIDDLE,
				    .colour = painter->theme->text,
				    .halo = painter->theme->stair};

	how.upright = width * least > wide && width * least <= high;
	size = fmin(size, (how.upright ? high : wide) / width);
	if (size < least || 1.6 * size > (how.upright ? box.width : box.height))
		return;
	how.size = size;
	how.x = box.x + box.width / 2 + (how.upright ? size : 0);
	how.y = box.y + box.height / 2 + (how.upright ? 0 : size);
	tn_paint_words(painter, words, &how);
}

void tn_paint_circulation(struct tn_painter *painter)
{
	const struct tn_floor_circulation *one = painter->cell->floor->circulation;

	for (; one; one = one->next) {
		if (!one->placed)
			continue;
		tn_paint_group(painter, one->lift ? "lift" : "stair", one->name,
			       one->lift ? &one->lift_tree->tokens : &one->stair->tokens);
		if (one->lift)
			put_lift(painter, one);
		else if (tn_floor_is_round(one))
			put_round(painter, one);
		else
			put_flights(painter, one);
		if (painter->labels)
			put_name(painter, one);
		tn_draw_group_end(painter->display);
	}
}
