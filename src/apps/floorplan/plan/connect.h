/* connect.h - a connection on its way from words to an opening in a wall, for the files
 * connect*.c. Threads: one at a time. */
#ifndef TN_FLOOR_CONNECT_H
#define TN_FLOOR_CONNECT_H

#include "apps/floorplan/plan/resolve.h"

struct tn_way {
	const struct tn_floor_connect_tree *tree;
	struct tn_floor_floor *floor;
	const struct tn_floor_room *from, *to; /* NULL: outside */
	struct tn_floor_span stretch;          /* on which the position is measured */
};

/* Fills floor, from and to. False: faulty, and told (FP2005, FP2006, FP4001, FP4002, FP4005). */
bool tn_connect_ends(struct tn_resolver *r, struct tn_way *way);
/* Fills stretch (FP4003, FP4004). False: there is none. */
bool tn_connect_stretch(struct tn_resolver *r, struct tn_way *way);

#endif
