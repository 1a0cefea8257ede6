/* How a door's leaf lies in its opening (6.5). */
#include "apps/floorplan/plan/bodies.h"

static bool is_inside(const struct tn_floor_room *room, const struct tn_floor_room *of)
{
	while (room && room != of)
		room = room->parent;
	return room != NULL;
}

/* The room in whose wall it is: of a room and its sub-room, the sub-room (4.5). */
static const struct tn_floor_room *owner_of(const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *from = opening->from, *to = opening->to;

	if (opening->room)
		return opening->room;
	if (!from || !to)
		return from ? from : to;
	return is_inside(to, from) ? to : from;
}

/* 1: the leaf lies at larger coordinates than the wall; -1. */
static double side_of(const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *owner = owner_of(opening);
	double middle, side;

	if (!owner)
		return 1;
	middle = opening->horizontal ? owner->rect.y + owner->rect.height / 2
				     : owner->rect.x + owner->rect.width / 2;
	side = middle >= opening->line ? 1 : -1;
	return opening->opens_into == owner ? side : -side;
}

static struct tn_floor_point place(bool horizontal, double along, double across)
{
	return horizontal ? (struct tn_floor_point){along, across}
			  : (struct tn_floor_point){across, along};
}

static struct tn_floor_leaf leaf(bool horizontal, double hinge, double closed, double face,
				 double side)
{
	double width = closed > hinge ? closed - hinge : hinge - closed;

	return (struct tn_floor_leaf){place(horizontal, hinge, face),
				      place(horizontal, hinge, face + width * side),
				      place(horizontal, closed, face), width};
}

/* Whoever stands in the room that the leaf swings into and faces the wall has larger x at the right
 * hand below a wall and at the left hand above it; larger y at the left hand to the right of a wall
 * and at the right hand to the left of it. */
unsigned tn_floor_leaves(const struct tn_floor_plan *plan, const struct tn_floor_opening *opening,
			 const struct tn_floor_wall_piece *piece, struct tn_floor_leaf ret[2])
{
	bool horizontal = opening->horizontal, right = opening->swing == TN_FLOOR_HAND_RIGHT, far;
	double side = side_of(opening), middle = opening->center,
	       from = middle - opening->width / 2, to = middle + opening->width / 2, face;

	if (opening->kind != TN_FLOOR_OPENING_DOOR && opening->kind != TN_FLOOR_OPENING_DOUBLE)
		return 0;
	face = (piece ? piece->line : opening->line) +
	       side * (piece ? piece->thickness : plan->settings.wall_thickness) / 2;
	if (opening->kind == TN_FLOOR_OPENING_DOUBLE) {
		ret[0] = leaf(horizontal, from, middle, face, side);
		ret[1] = leaf(horizontal, to, middle, face, side);
		return 2;
	}
	far = horizontal ? right == (side > 0) : right != (side > 0);
	ret[0] = far ? leaf(horizontal, to, from, face, side)
		     : leaf(horizontal, from, to, face, side);
	return 1;
}
