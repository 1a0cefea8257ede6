/* bodies.h - the walls of a floor as closed outlines: the union of all bodies with the openings cut
 * out, and how a door's leaf lies in its opening (floorplan.md 6.4, 6.5). In U.
 *
 * For formats that want shapes, not pictures. Everything lives in the arena. Threads: any. */
#ifndef TN_FLOOR_BODIES_H
#define TN_FLOOR_BODIES_H

#include "apps/floorplan/plan/walls.h"

struct tn_floor_loop { /* closed; corners only; holes are loops of their own */
	const struct tn_floor_point *points;
	size_t count;
};

/* In a fixed order. Places are rounded to a millionth. False: no memory. */
bool tn_floor_bodies(const struct tn_floor_wall_piece *pieces, size_t count, struct tn_arena *arena,
		     const struct tn_floor_loop **ret, size_t *ret_count);

struct tn_floor_leaf {
	struct tn_floor_point hinge, open,
		closed; /* its free end, open at a right angle, and shut */
	double width;
};
/* Of a door or double door, in the wall `piece` (NULL: none is there). How many leaves: 1 or 2;
 * 0: it is no door. */
unsigned tn_floor_leaves(const struct tn_floor_plan *plan, const struct tn_floor_opening *opening,
			 const struct tn_floor_wall_piece *piece, struct tn_floor_leaf ret[2]);

#endif
