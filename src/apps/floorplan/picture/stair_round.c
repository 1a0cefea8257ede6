/* Where round stairs lie in their boxes (4.6): for pictures and for solids. */
#include <math.h>

#include "apps/floorplan/picture/internal.h"

static struct tn_floor_round spiral(const struct tn_floor_plan *plan,
				    const struct tn_floor_circulation *stair,
				    const struct tn_floor_box *box, double scale)
{
	const struct tn_floor_stair_tree *tree = stair->stair;
	struct tn_floor_round round = {
		.center = {box->x + box->width / 2, box->y + box->height / 2},
		.outer = fmin(box->width, box->height) / 2,
		.from = 90,
		.to = 450,
		.clockwise = tree->clockwise};

	if (tree->inner_radius.tokens.first != TN_FLOOR_NO_TOKEN)
		round.inner = tn_floor_to_unit(plan, &tree->inner_radius.length) * scale;
	round.inner = fmin(fmax(round.inner, round.outer * 0.08), round.outer * 0.9);
	return round;
}

/* One enters at `side` and keeps to the right around the middle; 4.6 gives the box. */
static struct tn_floor_round curve(const struct tn_floor_circulation *stair,
				   const struct tn_floor_box *box, double scale)
{
	/* Where the middle is, of the box: up to 90 degrees, up to 180, and beyond in the middle.
	 */
	static const double places[2][4][2] = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}},
					       {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}};
	static const double starts[] = {0, 90, 180, 270}, middle[] = {0.5, 0.5};
	const struct tn_floor_stair_tree *tree = stair->stair;
	double arc = tree->has_arc ? fmin(fmax(tree->arc, 1), 360) : 90;
	const double *place = arc > 180 ? middle : places[arc > 90][tree->side];
	struct tn_floor_round round = {
		.center = {box->x + box->width * place[0], box->y + box->height * place[1]},
		.outer = arc > 90 ? fmax(box->width, box->height) / 2
				  : fmin(box->width, box->height),
		.from = starts[tree->side],
		.clockwise = true};

	round.inner = fmax(round.outer - stair->width * scale, round.outer * 0.05);
	round.to = round.from + arc;
	return round;
}

bool tn_floor_is_round(const struct tn_floor_circulation *one)
{
	return one->stair &&
	       (one->stair->shape == TN_FLOOR_SPIRAL || one->stair->shape == TN_FLOOR_CURVED);
}

struct tn_floor_round tn_floor_round(const struct tn_floor_plan *plan,
				     const struct tn_floor_circulation *stair,
				     const struct tn_floor_box *box, double scale)
{
	return stair->stair->shape == TN_FLOOR_SPIRAL ? spiral(plan, stair, box, scale)
						      : curve(stair, box, scale);
}
