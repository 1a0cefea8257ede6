/* walls.h - the wall network of a floor: what is built where (floorplan.md 6.4).
 *
 * Sides of all rooms, clustered into lines and cut where they change; for drawing, DXF and net
 * areas alike. Lives in the arena. Threads: any. */
#ifndef TN_FLOOR_WALLS_H
#define TN_FLOOR_WALLS_H

#include "apps/floorplan/plan/plan.h"

struct tn_floor_wall_piece { /* one elementary interval */
	bool horizontal;
	double line, thickness;             /* centre line */
	double start, end;                  /* along it, lengthened at corners and T joints */
	double from, to;                    /* the same without the lengthening */
	double bottom, top;                 /* above the floor: of the rooms whose walls they are */
	enum tn_floor_wall_type type;       /* never OPEN */
	const struct tn_floor_style *style; /* whose wall_color counts; NULL: the theme's */
	/* Where openings are cut out, along the line, in order. */
	const struct tn_floor_opening **openings;
	unsigned opening_count;
};

/* In a fixed order. `by_height`: cut where the height changes, too. False: no memory. */
bool tn_floor_walls(const struct tn_floor_floor *floor, const struct tn_floor_plan *plan,
		    bool by_height, struct tn_arena *arena, const struct tn_floor_wall_piece **ret,
		    size_t *ret_count);

/* How high a room's floor is above its floor's: its elevation and its parents'. */
double tn_floor_level(const struct tn_floor_room *room);

/* The piece that an opening is cut out of; NULL: there is no wall. */
const struct tn_floor_wall_piece *tn_floor_wall_of(const struct tn_floor_plan *plan,
						   const struct tn_floor_wall_piece *pieces,
						   size_t count,
						   const struct tn_floor_opening *opening);

/* What of the floor is wall: the rectangle that a piece fills, its openings not left out. */
struct tn_floor_rect tn_floor_wall_body(const struct tn_floor_wall_piece *piece);

/* Pieces by place, for many questions (wall_inside.c). NULL: no memory. */
struct tn_floor_wall_index;
const struct tn_floor_wall_index *tn_floor_walls_index(const struct tn_floor_wall_piece *pieces,
						       size_t count, struct tn_arena *arena);
/* The pieces whose bodies lie in a rectangle, at most `max`; more than that: there are more. */
size_t tn_floor_walls_inside(const struct tn_floor_wall_index *index,
			     const struct tn_floor_rect *rect,
			     const struct tn_floor_wall_piece **ret, size_t max);

#endif
