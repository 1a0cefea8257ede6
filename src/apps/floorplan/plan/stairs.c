/* Stairs: steps, shapes and their boxes, and what building codes ask for (floorplan.md 4.6). */
#include <math.h>
#include <stdio.h>

#include "apps/floorplan/plan/resolve.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

#define INCH 0.0254
#define TURN 6.28318530717958648

struct shaping {
	struct tn_resolver *r;
	struct tn_floor_circulation *stair;
	const struct tn_floor_stair_tree *tree;
	const struct tn_floor_floor *floor;
};

/* ---- measures ---- */

/* The default where none is written. False: a fault. */
static bool take_measure(const struct shaping *s, const struct tn_floor_measure *measure,
			 double standard_m, double *ret)
{
	*ret = standard_m / tn_floor_metres(s->r->plan->unit);
	return !tn_is_written(measure->tokens) ||
	       tn_resolve_length(s->r, &measure->length, 6001, ret);
}

static bool count_steps(const struct shaping *s)
{
	const double steps = ceil(s->stair->rise / s->stair->riser - 1e-9);
	struct tn_floor_range range = tn_length_range(s->r, &s->tree->rise.length);

	if (steps <= TN_FLOOR_STEPS_MAX) {
		s->stair->steps = steps < 1 ? 1 : (unsigned)steps;
		return true;
	}
	(void)tn_tell(
		s->r, 6001, NULL, s->floor, &range,
		"stair '%.*s' would have more than %d steps; lower its rise or raise its riser",
		TN_SHOW(s->stair->name), TN_FLOOR_STEPS_MAX);
	return false;
}

static bool take_measures(const struct shaping *s)
{
	double ignored;
	bool good = take_measure(s, &s->tree->rise, 1, &s->stair->rise);

	good = take_measure(s, &s->tree->riser, 7 * INCH, &s->stair->riser) && good;
	good = take_measure(s, &s->tree->tread, 11 * INCH, &s->stair->tread) && good;
	good = take_measure(s, &s->tree->width, 36 * INCH, &s->stair->width) && good;
	(void)tn_resolve_measure(s->r, &s->tree->nosing, 0, &ignored);
	(void)tn_resolve_measure(s->r, &s->tree->headroom, 0, &ignored);
	return good && count_steps(s);
}

/* ---- building rules: only what is written, in inches ---- */

struct rule {
	int code;
	const char *what;
	bool at_most;
	double limits[3]; /* residential, commercial, ada */
};

static const struct rule rules[] = {{6002, "riser", true, {7.75, 7, 7}},
				    {6003, "tread", false, {10, 11, 11}},
				    {6004, "width", false, {36, 44, 48}},
				    {6005, "headroom", false, {80, 80, 80}}};

static void check_rule(const struct shaping *s, const struct rule *rule,
		       const struct tn_floor_measure *measure)
{
	static const char *const codes[] = {"residential", "commercial", "ada"};
	const int code = s->r->plan->settings.stair_code;
	const int row = code == 0 ? 0 : code - 1;
	struct tn_floor_diagnostic *one;
	struct tn_floor_range range;
	double inches, over;

	if (!tn_is_written(measure->tokens) || code == 4)
		return;
	inches = tn_floor_to_unit(s->r->plan, &measure->length) *
		 tn_floor_metres(s->r->plan->unit) / INCH;
	over = rule->at_most ? inches - rule->limits[row] : rule->limits[row] - inches;
	/* Of measures that must be more than 0 the fault is told already; a headroom may be 0. */
	if ((!(inches > 0) && rule->code != 6005) || over <= 1e-6)
		return;
	range = tn_length_range(s->r, &measure->length);
	one = tn_floor_diagnose_as(
		s->r->list, rule->code, code == 0 ? TN_FLOOR_INFO : TN_FLOOR_WARNING, &range,
		"the %s of stair '%.*s' is %s in; %s stairs have at %s %s in", rule->what,
		TN_SHOW(s->stair->name), tn_resolve_number(s->r, inches), codes[row],
		rule->at_most ? "most" : "least", tn_resolve_number(s->r, rule->limits[row]));
	if (!one)
		return;
	one->floor = tn_arena_copy(s->r->arena, s->floor->name);
	one->hint = "config { stair_code: none } switches these checks off";
}

static void check_rules(const struct shaping *s)
{
	check_rule(s, &rules[0], &s->tree->riser);
	check_rule(s, &rules[1], &s->tree->tread);
	check_rule(s, &rules[2], &s->tree->width);
	check_rule(s, &rules[3], &s->tree->headroom);
	for (const struct tn_floor_segment *at = s->tree->segments; at; at = at->next)
		check_rule(s, &rules[2], &at->width);
}

/* ---- what can be wrong with a shape ---- */

static void tell_sum(const struct shaping *s, const char *what)
{
	(void)tn_tell_token(s->r, 6013, NULL, s->floor, s->tree->shape_token,
			    "the steps of stair '%.*s' do not add up: %s, and rise by riser makes "
			    "%u",
			    TN_SHOW(s->stair->name), what, s->stair->steps);
}

static void check_landing(const struct shaping *s, double x, double y, double widest)
{
	if (fmin(x, y) >= widest - 1e-9)
		return;
	tn_tell_hint(tn_tell_token(s->r, 6008, NULL, s->floor, s->tree->name,
				   "a landing of stair '%.*s' is narrower than its flights, which "
				   "are %s %s wide",
				   TN_SHOW(s->stair->name), tn_resolve_number(s->r, widest),
				   tn_floor_unit_name(s->r->plan->unit)),
		     "make the landing at least as wide as the wider flight beside it");
}

/* ---- runs ---- */

/* A run of more steps than any stair has is told of as a sum that is wrong. */
static double capped(double steps)
{
	return fmin(steps, TN_FLOOR_STEPS_MAX);
}

static unsigned runs_wanted(enum tn_floor_shape shape)
{
	return shape == TN_FLOOR_DOUBLE_L ? 3 : 2;
}

static void standard_runs(const struct shaping *s, double winders, double runs[3])
{
	const double steps = fmax(s->stair->steps - winders, 0);

	if (runs_wanted(s->tree->shape) == 3) {
		runs[0] = runs[2] = floor(steps / 3);
		runs[1] = steps - 2 * runs[0];
	} else {
		runs[0] = floor(steps / 2);
		runs[1] = steps - runs[0];
	}
}

static void take_runs(const struct shaping *s, double winders, double runs[3])
{
	const unsigned wanted = runs_wanted(s->tree->shape);
	double sum = winders;
	char what[80];

	standard_runs(s, winders, runs);
	if (s->tree->run_count == 0) {
		if (winders > s->stair->steps)
			tell_sum(s, "there are more winders than steps");
		return;
	}
	if (s->tree->run_count != wanted) {
		tell_sum(s, wanted == 3 ? "there are not 3 runs" : "there are not 2 runs");
		return;
	}
	for (unsigned i = 0; i < wanted; i++) {
		runs[i] = capped(s->tree->runs[i]);
		sum += runs[i];
	}
	if (fabs(sum - s->stair->steps) <= 1e-9)
		return;
	(void)snprintf(what, sizeof(what), "its runs%s have %.0f steps",
		       winders > 0 ? " and winders" : "", sum);
	tell_sum(s, what);
}

/* ---- shapes with turns ---- */

struct turned {
	double runs[3], x, y; /* the landing, as the table of 4.6 has it */
	double winders;
};

static void take_turned(const struct shaping *s, struct turned *ret)
{
	const struct tn_floor_size *landing = &s->tree->landing;
	const double width = s->stair->width;

	*ret = (struct turned){.x = s->tree->shape == TN_FLOOR_U_SHAPED ? 2 * width : width,
			       .y = width};
	if (s->tree->shape == TN_FLOOR_WINDER)
		ret->winders = capped(s->tree->winders);
	take_runs(s, ret->winders, ret->runs);
	if (landing->there && tn_resolve_size(s->r, landing, &ret->x, &ret->y))
		check_landing(s, ret->x, ret->y, width);
}

static struct tn_floor_point box_of(const struct shaping *s, const struct turned *turned)
{
	const double t = s->stair->tread, *runs = turned->runs, x = turned->x, y = turned->y;
	const bool upright = tn_is_horizontal(s->tree->side); /* one enters at top or bottom */

	switch (s->tree->shape) {
	case TN_FLOOR_U_SHAPED:
		if (upright)
			return (struct tn_floor_point){x, fmax(runs[0], runs[1]) * t + y};
		return (struct tn_floor_point){fmax(runs[0], runs[1]) * t + y, x};
	case TN_FLOOR_DOUBLE_L:
		if (upright)
			return (struct tn_floor_point){2 * x + runs[1] * t,
						       fmax(runs[0], runs[2]) * t + y};
		return (struct tn_floor_point){fmax(runs[0], runs[2]) * t + x, 2 * y + runs[1] * t};
	default:
		if (upright)
			return (struct tn_floor_point){x + runs[1] * t, runs[0] * t + y};
		return (struct tn_floor_point){runs[0] * t + x, y + runs[1] * t};
	}
}

static struct tn_floor_point shape_turned(const struct shaping *s)
{
	const bool is_u = s->tree->shape == TN_FLOOR_U_SHAPED;
	const bool sideways = is_u && !tn_is_horizontal(s->tree->side);
	struct tn_stair_piece pieces[5];
	struct turned turned;
	unsigned count = 0;

	take_turned(s, &turned);
	for (unsigned i = 0; i < runs_wanted(s->tree->shape); i++) {
		if (i > 0)
			pieces[count++] = (struct tn_stair_piece){
				.turn = true,
				.back = is_u,
				.steps = turned.winders,
				.hand = s->tree->hand,
				.landing_x = sideways ? turned.y : turned.x,
				.landing_y = sideways ? turned.x : turned.y};
		pieces[count++] =
			(struct tn_stair_piece){.steps = turned.runs[i], .width = s->stair->width};
	}
	(void)tn_stair_trace(s->r, s->stair, s->tree->side, pieces, count);
	return box_of(s, &turned); /* the contract's table, whatever the landing */
}

/* ---- shapes of one piece ---- */

static struct tn_floor_point shape_straight(const struct shaping *s)
{
	const struct tn_stair_piece piece = {.steps = s->stair->steps, .width = s->stair->width};

	return tn_stair_trace(s->r, s->stair, tn_opposite(s->tree->side), &piece, 1);
}

static bool take_radius(const struct shaping *s, const struct tn_floor_measure *measure,
			double *ret)
{
	return tn_resolve_measure(s->r, measure, 6001, ret);
}

static bool shape_spiral(const struct shaping *s, struct tn_floor_point *ret)
{
	double radius, inner = 0;

	/* An inner radius of 0 is a spiral round nothing, as good as one left out. */
	(void)tn_resolve_measure(s->r, &s->tree->inner_radius, 0, &inner);
	if (!take_radius(s, &s->tree->outer_radius, &radius))
		return false;
	inner = fmin(inner, radius);
	tn_stair_trace_arc(s->r, s->stair, (struct tn_floor_point){radius, radius},
			   (inner + radius) / 2, TURN / 4, s->tree->clockwise ? TURN : -TURN);
	*ret = (struct tn_floor_point){2 * radius, 2 * radius};
	return true;
}

/* Curves turn to the right: their centre is at the climber's right, seen from where one enters. The
 * box is that of a quarter, a half or a whole circle. */
static struct tn_floor_point curve_center(enum tn_floor_side from, double arc, double radius)
{
	struct tn_floor_point center = {radius, radius};

	if (arc > 180)
		return center;
	if (from == TN_FLOOR_LEFT)
		center.x = 0;
	if (from == TN_FLOOR_TOP) {
		center.x = arc <= 90 ? 0 : radius;
		center.y = 0;
	}
	if (from == TN_FLOOR_RIGHT && arc <= 90)
		center.y = 0;
	return center;
}

static bool shape_curved(const struct shaping *s, struct tn_floor_point *ret)
{
	static const double begins[] = {[TN_FLOOR_TOP] = 0,
					[TN_FLOOR_RIGHT] = TURN / 4,
					[TN_FLOOR_BOTTOM] = TURN / 2,
					[TN_FLOOR_LEFT] = TURN * 3 / 4};
	const double arc = s->tree->has_arc ? fmin(s->tree->arc, 360) : 90;
	double radius, across, along;

	if (!take_radius(s, &s->tree->radius, &radius))
		return false;
	across = arc > 90 ? 2 * radius : radius;
	along = arc > 180 ? 2 * radius : radius;
	*ret = tn_is_horizontal(s->tree->side) ? (struct tn_floor_point){across, along}
					       : (struct tn_floor_point){along, across};
	tn_stair_trace_arc(s->r, s->stair, curve_center(s->tree->side, arc, radius),
			   fmax(radius - s->stair->width / 2, radius / 2), begins[s->tree->side],
			   arc / 360 * TURN);
	return true;
}

/* ---- custom ---- */

static void check_along(const struct shaping *s, const struct tn_floor_segment *segment)
{
	struct tn_str name;
	struct tn_near near;

	if (segment->along_room == TN_FLOOR_NO_TOKEN)
		return;
	name = tn_resolve_text(s->r, segment->along_room);
	if (tn_names_get(s->r, s->floor, name))
		return;
	tn_near_init(&near, name);
	tn_near_try_rooms(s->r, &near, s->floor->rooms, true);
	(void)tn_tell_token(s->r, 2012, NULL, s->floor, segment->along_room,
			    "stair '%.*s' runs along unknown room '%.*s'%s",
			    TN_SHOW(s->stair->name), TN_SHOW(name), tn_near_text(s->r, &near));
}

static bool take_segment(const struct shaping *s, const struct tn_floor_segment *segment,
			 struct tn_stair_piece *ret)
{
	const double width = s->stair->width;

	*ret = (struct tn_stair_piece){.turn = segment->turn,
				       .back = segment->degrees >= 135,
				       .steps = capped(segment->steps),
				       .width = width,
				       .hand = segment->hand,
				       .landing_x = width,
				       .landing_y = width};
	check_along(s, segment);
	if (tn_is_written(segment->width.tokens))
		return tn_resolve_length(s->r, &segment->width.length, 6001, &ret->width);
	return !segment->landing.there ||
	       tn_resolve_size(s->r, &segment->landing, &ret->landing_x, &ret->landing_y);
}

static void check_pieces(const struct shaping *s, const struct tn_stair_piece *pieces,
			 unsigned count)
{
	double sum = 0;
	char what[80];

	for (unsigned i = 0; i < count; i++) {
		double widest = 0;

		sum += pieces[i].steps;
		if (!pieces[i].turn || pieces[i].steps > 0)
			continue;
		if (i > 0 && !pieces[i - 1].turn)
			widest = pieces[i - 1].width;
		if (i + 1 < count && !pieces[i + 1].turn)
			widest = fmax(widest, pieces[i + 1].width);
		check_landing(s, pieces[i].landing_x, pieces[i].landing_y, widest);
	}
	if (fabs(sum - s->stair->steps) <= 1e-9)
		return;
	(void)snprintf(what, sizeof(what), "its flights and winders have %.0f steps", sum);
	tell_sum(s, what);
}

static bool shape_custom(const struct shaping *s, struct tn_floor_point *ret)
{
	struct tn_stair_piece *pieces;
	unsigned count = 0;
	bool good = true;

	for (const struct tn_floor_segment *at = s->tree->segments; at; at = at->next)
		count++;
	pieces = tn_resolve_new(s->r, count, sizeof(*pieces));
	if (!pieces)
		return false;
	count = 0;
	for (const struct tn_floor_segment *at = s->tree->segments; at; at = at->next)
		good = take_segment(s, at, &pieces[count++]) && good;
	if (!good)
		return false;
	check_pieces(s, pieces, count);
	*ret = tn_stair_trace(s->r, s->stair, s->tree->side, pieces, count);
	return ret->x > 0 && ret->y > 0;
}

/* ---- a stair ---- */

static bool shape(const struct shaping *s, struct tn_floor_point *ret)
{
	switch (s->tree->shape) {
	case TN_FLOOR_STRAIGHT:
		*ret = shape_straight(s);
		return true;
	case TN_FLOOR_SPIRAL:
		return shape_spiral(s, ret);
	case TN_FLOOR_CURVED:
		return shape_curved(s, ret);
	case TN_FLOOR_CUSTOM:
		return shape_custom(s, ret);
	default:
		*ret = shape_turned(s);
		return true;
	}
}

void tn_resolve_stairs(struct tn_resolver *r)
{
	for (struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next) {
		for (struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
			const struct shaping s = {r, at, at->stair, floor};
			struct tn_floor_point box = {0, 0};

			if (at->lift)
				continue;
			at->placed = take_measures(&s) && shape(&s, &box);
			check_rules(&s);
			if (!at->placed)
				continue;
			at->rect.width = box.x;
			at->rect.height = box.y;
		}
	}
}
