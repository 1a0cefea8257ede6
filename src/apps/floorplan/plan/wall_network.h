/* wall_network.h - the inside of the wall network, for the files wall*.c: what many sides over each
 * other are together, and the pieces near a place, both by trees, so that thousands of rooms at one
 * place take no longer than side by side. Threads: one at a time. */
#ifndef TN_FLOORPLAN_PLAN_WALL_NETWORK_H
#define TN_FLOORPLAN_PLAN_WALL_NETWORK_H

#include "apps/floorplan/plan/walls.h"

/* ---- sides that cover an interval (wall_cover.c) ---- */

struct tn_wall_cover { /* of some sides: what a piece of wall is made of */
	uint32_t count;
	uint32_t first; /* the least index of a room whose style counts */
	double sum, low, high;
	double bottom, top; /* of those that are not open */
	enum tn_floor_wall_type type;
	const struct tn_floor_style *style;
};
struct tn_wall_covers { /* a tree; the root is 1: all that are in it */
	struct tn_wall_cover *nodes;
	size_t places;
};

size_t tn_wall_covers_nodes(size_t count); /* that `count` sides need */
void tn_wall_covers_init(struct tn_wall_covers *covers, struct tn_wall_cover *nodes, size_t count);
/* NULL: the side is taken out. */
void tn_wall_covers_set(struct tn_wall_covers *covers, size_t place,
			const struct tn_wall_cover *cover);

/* ---- pieces by place (wall_near.c) ---- */

struct tn_wall_box { /* of pieces: the least and the most of each */
	double from[2], to[2], line[2];
	double face[2]; /* of both faces */
};
struct tn_wall_near {
	struct tn_floor_wall_piece *pieces; /* in order of direction, line, place */
	size_t count;
	struct tn_wall_box *boxes; /* a tree over them; the root is 1 */
	size_t places;
};
struct tn_wall_range { /* pieces of one direction: where they may be */
	bool horizontal;
	double line[2]; /* from, to */
	double from, to;
};
/* What reaches into a range, taken together. */
struct tn_wall_reach {
	double low, high;  /* the least `from` and the most `to` */
	double line, face; /* furthest, forward or back */
	bool forward;
};

size_t tn_wall_near_nodes(size_t count);
void tn_wall_near_init(struct tn_wall_near *near, struct tn_floor_wall_piece *pieces, size_t count,
		       struct tn_wall_box *boxes);
/* The first piece of a direction whose line is not before `line`. */
size_t tn_wall_first_at(const struct tn_floor_wall_piece *pieces, size_t count, bool horizontal,
			double line);
/* Adds to `reach` what touches the range. */
void tn_wall_near_reach(const struct tn_wall_near *near, const struct tn_wall_range *range,
			struct tn_wall_reach *reach);
/* The next piece from `at` on, in order, that lies in the range by more than `slack`; `count`:
 * none. */
size_t tn_wall_near_next(const struct tn_wall_near *near, const struct tn_wall_range *range,
			 double slack, size_t at);

#endif
