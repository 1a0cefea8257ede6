/* Stairs in space: a block for each step, from the floor up to its tread. And lifts. */
#include <math.h>

#include "apps/floorplan/picture/model_faces.h"
#include "draw/limits.h"

#define DEGREE 0.017453292519943295
#define WEDGE 20 /* degrees: wider treads of round stairs are made of parts */
#define DOOR_M 2.1
#define DOOR_SHARE 0.6 /* of a side (6.6) */

struct climb {
	struct tn_model *model;
	const struct tn_floor_circulation *stair;
	struct tn_model_colours colours;
	double level; /* of the floor it stands on, above the floor's base */
	double riser;
	unsigned done;  /* steps below */
	unsigned every; /* so many steps are one block */
};

static void put_block(const struct climb *climb, const struct tn_point *base, unsigned count,
		      unsigned steps)
{
	tn_model_put(climb->model, base, count, climb->level, climb->level + steps * climb->riser,
		     climb->colours);
}

static struct tn_point between(struct tn_floor_point a, struct tn_floor_point b, double part)
{
	return (struct tn_point){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/* ---- straight flights and landings ---- */

static void put_treads(const struct climb *climb, const struct tn_floor_flight *flight)
{
	const struct tn_floor_point *c = flight->corners;
	unsigned n = flight->steps;

	for (unsigned i = 0, next; i < n; i = next) {
		double from = (double)i / n, to;
		struct tn_point base[4];

		next = i + climb->every < n ? i + climb->every : n;
		to = (double)next / n;
		base[0] = between(c[0], c[3], from);
		base[1] = between(c[1], c[2], from);
		base[2] = between(c[1], c[2], to);
		base[3] = between(c[0], c[3], to);
		put_block(climb, base, 4, climb->done + next);
	}
}

static void put_landing(const struct climb *climb, const struct tn_floor_flight *flight)
{
	struct tn_point base[4];

	for (int i = 0; i < 4; i++)
		base[i] = between(flight->corners[i], flight->corners[i], 0);
	put_block(climb, base, 4, climb->done);
}

/* ---- winders: wedges around a pivot, cut off by the flight's edges ---- */

/* What of a polygon is to the right of the way from `from` in a direction (y downwards). */
static unsigned cut(struct tn_point *at, unsigned count, struct tn_floor_point from, double angle)
{
	struct tn_point kept[TN_SCENE_CORNERS_MAX];
	double dx = cos(angle), dy = sin(angle);
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		struct tn_point a = at[i], b = at[i + 1 < count ? i + 1 : 0];
		double before = dx * (a.y - from.y) - dy * (a.x - from.x),
		       behind = dx * (b.y - from.y) - dy * (b.x - from.x),
		       part = before / (before - behind);

		if (before >= 0 && n < TN_SCENE_CORNERS_MAX)
			kept[n++] = a;
		if ((before > 0) != (behind > 0) && before != 0 && behind != 0 &&
		    n < TN_SCENE_CORNERS_MAX)
			kept[n++] = (struct tn_point){a.x + (b.x - a.x) * part,
						      a.y + (b.y - a.y) * part};
	}
	for (unsigned i = 0; i < n; i++)
		at[i] = kept[i];
	return n;
}

/* Seen from the pivot: the end of an edge that is farther away. */
static double angle_of(struct tn_floor_point pivot, struct tn_floor_point a,
		       struct tn_floor_point b)
{
	double to_a = (a.x - pivot.x) * (a.x - pivot.x) + (a.y - pivot.y) * (a.y - pivot.y),
	       to_b = (b.x - pivot.x) * (b.x - pivot.x) + (b.y - pivot.y) * (b.y - pivot.y);

	return to_a > to_b ? atan2(a.y - pivot.y, a.x - pivot.x)
			   : atan2(b.y - pivot.y, b.x - pivot.x);
}

/* From stepping on to leaving, around the pivot, through the middle. */
static double sweep_of(const struct tn_floor_flight *flight, double from)
{
	const struct tn_floor_point *c = flight->corners, pivot = flight->pivot;
	double middle = atan2((c[0].y + c[1].y + c[2].y + c[3].y) / 4 - pivot.y,
			      (c[0].x + c[1].x + c[2].x + c[3].x) / 4 - pivot.x);
	double sweep = angle_of(pivot, c[2], c[3]) - from, half = middle - from;

	while (half > 180 * DEGREE)
		half -= 360 * DEGREE;
	while (half < -180 * DEGREE)
		half += 360 * DEGREE;
	while (half > 0 && sweep < 0)
		sweep += 360 * DEGREE;
	while (half < 0 && sweep > 0)
		sweep -= 360 * DEGREE;
	return sweep;
}

static void put_winders(const struct climb *climb, const struct tn_floor_flight *flight)
{
	const struct tn_floor_point *c = flight->corners;
	double start = angle_of(flight->pivot, c[0], c[1]), sweep = sweep_of(flight, start);
	unsigned n = flight->steps;

	for (unsigned i = 0, next; i < n; i = next) {
		double from = start + sweep * i / n, to;
		struct tn_point base[TN_SCENE_CORNERS_MAX];
		unsigned count = 4;

		next = i + climb->every < n ? i + climb->every : n;
		to = start + sweep * next / n;
		for (int k = 0; k < 4; k++)
			base[k] = between(c[k], c[k], 0);
		count = cut(base, count, flight->pivot, sweep > 0 ? from : to);
		count = cut(base, count, flight->pivot, (sweep > 0 ? to : from) + 180 * DEGREE);
		put_block(climb, base, count, climb->done + next);
	}
}

/* ---- round stairs ---- */

static struct tn_point on_circle(struct tn_floor_point center, double radius, double degrees)
{
	return (struct tn_point){center.x + radius * cos(degrees * DEGREE),
				 center.y + radius * sin(degrees * DEGREE)};
}

static void put_wedges(const struct climb *climb, const struct tn_floor_round *round, double from,
		       double to, unsigned steps)
{
	unsigned parts = (unsigned)ceil(fabs(to - from) / WEDGE);

	for (unsigned i = 0; i < parts; i++) {
		double a = from + (to - from) * i / parts, b = from + (to - from) * (i + 1) / parts;
		const struct tn_point base[4] = {on_circle(round->center, round->inner, a),
						 on_circle(round->center, round->outer, a),
						 on_circle(round->center, round->outer, b),
						 on_circle(round->center, round->inner, b)};

		put_block(climb, base, 4, steps);
	}
}

static void put_round(const struct climb *climb)
{
	const struct tn_floor_rect *rect = &climb->stair->rect;
	const struct tn_floor_box box = {rect->x, rect->y, rect->width, rect->height};
	struct tn_floor_round round =
		tn_floor_round(climb->model->painter.plan, climb->stair, &box, 1);
	double start = round.clockwise ? round.from : round.to,
	       sweep = round.clockwise ? round.to - round.from : round.from - round.to;
	unsigned n = climb->stair->steps;

	for (unsigned i = 0, next; i < n; i = next) {
		next = i + climb->every < n ? i + climb->every : n;
		put_wedges(climb, &round, start + sweep * i / n, start + sweep * next / n, next);
	}
}

/* ---- a stair, a lift ---- */

/* Of the innermost room around the middle of a footprint. */
static double level_at(const struct tn_floor_room *room, const struct tn_floor_rect *rect)
{
	double x = rect->x + rect->width / 2, y = rect->y + rect->height / 2;

	for (; room; room = room->next) {
		const struct tn_floor_rect *r = &room->rect;

		if (room->placed && x >= r->x && x <= r->x + r->width && y >= r->y &&
		    y <= r->y + r->height)
			return room->elevation + level_at(room->rooms, rect);
	}
	return 0;
}

/* Flights that do not add up (FP6013) get to the top all the same. */
static unsigned steps_of(const struct tn_floor_circulation *stair)
{
	unsigned steps = 0;

	for (unsigned i = 0; i < stair->flight_count; i++)
		steps += stair->flights[i].steps;
	return steps > 0 ? steps : stair->steps;
}

static void put_stair(struct tn_model *model, const struct tn_floor_circulation *stair,
		      double level)
{
	tn_colour colour = model->painter.theme->stair;
	struct climb climb = {.model = model,
			      .stair = stair,
			      .colours = {colour, colour},
			      .level = level,
			      .riser = stair->rise / fmax(steps_of(stair), 1),
			      .every = (unsigned)(stair->steps / model->steps + 1)};

	if (tn_floor_is_round(stair)) {
		put_round(&climb);
		return;
	}
	for (unsigned i = 0; i < stair->flight_count; i++) {
		const struct tn_floor_flight *flight = &stair->flights[i];

		if (flight->steps == 0)
			put_landing(&climb, flight);
		else
			(flight->winds ? put_winders : put_treads)(&climb, flight);
		climb.done += flight->steps;
	}
}

static void put_lift(struct tn_model *model, const struct tn_floor_circulation *lift, double level)
{
	const struct tn_floor_theme *theme = model->painter.theme;
	double unit = tn_floor_metres(model->painter.plan->unit), height = lift->floor->height,
	       door = fmin(DOOR_M / unit, 0.9 * height), thin = 0.01 / unit,
	       gap = (1 - DOOR_SHARE) / 2;
	const struct tn_floor_rect *r = &lift->rect;
	unsigned doors = lift->lift_tree ? lift->lift_tree->doors : 0;

	tn_model_put_box(model, r, level, level + height,
			 (struct tn_model_colours){theme->stair, theme->stair});
	for (int side = 0; side < 4; side++) {
		struct tn_floor_rect leaf = {r->x + gap * r->width, r->y + gap * r->height,
					     DOOR_SHARE * r->width, DOOR_SHARE * r->height};

		if (!(doors >> side & 1))
			continue;
		if (side == TN_FLOOR_TOP || side == TN_FLOOR_BOTTOM) {
			leaf.y = side == TN_FLOOR_TOP ? r->y - thin : r->y + r->height;
			leaf.height = thin;
		} else {
			leaf.x = side == TN_FLOOR_LEFT ? r->x - thin : r->x + r->width;
			leaf.width = thin;
		}
		tn_model_put_box(model, &leaf, level, level + door,
				 (struct tn_model_colours){theme->line, theme->line});
	}
}

void tn_model_put_circulation(struct tn_model *model, const struct tn_floor_floor *floor)
{
	for (const struct tn_floor_circulation *one = floor->circulation; one; one = one->next) {
		double level = one->placed ? level_at(floor->rooms, &one->rect) : 0;

		if (one->placed && one->lift)
			put_lift(model, one, level);
		else if (one->placed && one->stair)
			put_stair(model, one, level);
	}
}
