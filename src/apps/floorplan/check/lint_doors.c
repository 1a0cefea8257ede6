/* Design rules about doors: wide enough for a wheelchair, leaves that do not collide
 * (floorplan.md 9.4). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/bodies.h"
#include "apps/floorplan/check/lint.h"

#define CLEAR_WIDTH 0.813 /* m */
#define LEAF_LOSS 0.05    /* m: what the open leaf and its stop take */
#define SLACK 0.01        /* U */

static bool is_door(const struct tn_floor_opening *opening)
{
	return opening->drawn &&
	       (opening->kind == TN_FLOOR_OPENING_DOOR || opening->kind == TN_FLOOR_OPENING_DOUBLE);
}

static void check_width(struct tn_lint *lint, const struct tn_floor_opening *opening)
{
	const double leaves = opening->kind == TN_FLOOR_OPENING_DOUBLE ? 2 : 1;
	const double clear = tn_lint_metres(lint, opening->width / leaves) - LEAF_LOSS;

	if (clear >= CLEAR_WIDTH - 1e-6)
		return;
	tn_lint_opening(lint, 8004, opening, NULL,
			tn_arena_format(lint->arena, "widen %s by %s",
					leaves > 1 ? "each leaf" : "the door",
					tn_lint_length(lint, CLEAR_WIDTH - clear)),
			"the door is %s wide when open, less than %s",
			tn_lint_length(lint, fmax(clear, 0)), tn_lint_length(lint, CLEAR_WIDTH));
}

/* ---- leaves ---- */

enum { ARC_POINTS = 9 };

struct swept { /* what a leaf passes over: a quarter of a disc, as a polygon */
	const struct tn_floor_opening *opening;
	struct tn_floor_point points[ARC_POINTS + 1];
	double left, right, top, bottom;
};

static void sweep_leaf(const struct tn_floor_opening *opening, const struct tn_floor_leaf *leaf,
		       struct swept *ret)
{
	const struct tn_floor_point hinge = leaf->hinge;
	const double open_x = leaf->open.x - hinge.x, open_y = leaf->open.y - hinge.y;
	const double shut_x = leaf->closed.x - hinge.x, shut_y = leaf->closed.y - hinge.y;

	*ret = (struct swept){opening, {hinge}, hinge.x, hinge.x, hinge.y, hinge.y};
	for (int i = 0; i < ARC_POINTS; i++) {
		const double angle = acos(0) * i / (ARC_POINTS - 1);
		const double x = hinge.x + cos(angle) * shut_x + sin(angle) * open_x;
		const double y = hinge.y + cos(angle) * shut_y + sin(angle) * open_y;

		ret->points[i + 1] = (struct tn_floor_point){x, y};
		ret->left = fmin(ret->left, x);
		ret->right = fmax(ret->right, x);
		ret->top = fmin(ret->top, y);
		ret->bottom = fmax(ret->bottom, y);
	}
}

/* The shadow of the polygon on an axis. */
static void project(const struct swept *swept, double x, double y, double *ret_low,
		    double *ret_high)
{
	*ret_low = INFINITY;
	*ret_high = -INFINITY;
	for (int i = 0; i <= ARC_POINTS; i++) {
		const double along = swept->points[i].x * x + swept->points[i].y * y;

		*ret_low = fmin(*ret_low, along);
		*ret_high = fmax(*ret_high, along);
	}
}

/* Two convex figures are apart if some edge of one has them on different sides. */
static bool is_apart_by(const struct swept *by, const struct swept *other)
{
	for (int i = 0; i <= ARC_POINTS; i++) {
		const struct tn_floor_point *a = &by->points[i];
		const struct tn_floor_point *b = &by->points[(i + 1) % (ARC_POINTS + 1)];
		const double length = hypot(b->x - a->x, b->y - a->y);
		double low, high, other_low, other_high;

		if (length < 1e-9)
			continue;
		project(by, (a->y - b->y) / length, (b->x - a->x) / length, &low, &high);
		project(other, (a->y - b->y) / length, (b->x - a->x) / length, &other_low,
			&other_high);
		if (fmin(high, other_high) - fmax(low, other_low) <= SLACK)
			return true;
	}
	return false;
}

static bool collide(const struct swept *a, const struct swept *b)
{
	return a->opening != b->opening && a->opening->opens_into == b->opening->opens_into &&
	       fmin(a->bottom, b->bottom) - fmax(a->top, b->top) > SLACK && !is_apart_by(a, b) &&
	       !is_apart_by(b, a);
}

static int by_left(const void *a, const void *b)
{
	const struct swept *one = *(const struct swept *const *)a;
	const struct swept *other = *(const struct swept *const *)b;

	return (one->left > other->left) - (one->left < other->left);
}

static void tell_collision(struct tn_lint *lint, const struct swept *a, const struct swept *b)
{
	const struct tn_floor_range one = tn_lint_opening_range(lint, a->opening);
	const struct tn_floor_range other = tn_lint_opening_range(lint, b->opening);
	const struct swept *later = one.start > other.start ? a : b;
	const struct swept *earlier = later == a ? b : a;

	tn_lint_opening(
		lint, 8012, later->opening, earlier->opening,
		"let one swing the other way (opens into, swing), or move it along its wall",
		"the leaf of this door collides with that of the door in line %u: they "
		"share floor, and 0 is the limit",
		one.start > other.start ? other.line : one.line);
}

/* Doors that all lie in one place are an error already (FP4008), but walls may have many. */
enum { COLLISIONS_MAX = 200, PAIRS_MAX = 1000000 };

static void check_leaves(struct tn_lint *lint, const struct swept **swept, size_t count)
{
	size_t open = 0, told = 0, pairs = 0;

	qsort(swept, count, sizeof(*swept), by_left);
	for (size_t i = 0; i < count && told < COLLISIONS_MAX && pairs < PAIRS_MAX; i++) {
		const struct swept *one = swept[i];
		size_t kept = 0;

		for (size_t k = 0; k < open; k++) { /* swept[0..open): may reach as far */
			const struct swept *other = swept[k];

			pairs++;
			if (other->right - one->left <= SLACK)
				continue;
			swept[kept++] = other;
			if (collide(one, other) && told < COLLISIONS_MAX) {
				tell_collision(lint, other, one);
				told++;
			}
		}
		swept[kept++] = one;
		open = kept;
	}
}

static void check_floor(struct tn_lint *lint, const struct tn_floor_floor *floor)
{
	const struct swept **sorted;
	struct swept *swept;
	size_t doors = 0, count = 0;

	for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
		doors += is_door(at) ? 1 : 0;
	swept = tn_arena_alloc_array(lint->arena, 2 * doors + 1, sizeof(*swept));
	sorted = tn_arena_alloc_array(lint->arena, 2 * doors + 1, sizeof(*sorted));
	if (!swept || !sorted) {
		lint->starved = true;
		return;
	}
	for (const struct tn_floor_opening *at = floor->openings; at; at = at->next) {
		struct tn_floor_leaf leaves[2];
		unsigned leaf_count = 0;

		if (!is_door(at))
			continue;
		if (lint->plan->settings.stair_code == TN_LINT_ADA)
			check_width(lint, at);
		leaf_count = tn_floor_leaves(lint->plan, at, NULL, leaves);
		for (unsigned i = 0; i < leaf_count; i++) {
			sweep_leaf(at, &leaves[i], &swept[count]);
			sorted[count] = &swept[count];
			count++;
		}
	}
	check_leaves(lint, sorted, count);
}

void tn_lint_doors(struct tn_lint *lint)
{
	for (const struct tn_floor_floor *floor = lint->plan->floors; floor; floor = floor->next)
		check_floor(lint, floor);
}
