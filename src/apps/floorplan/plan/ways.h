/* ways.h - what lies behind a wall, and how one gets from room to room (floorplan.md 9.2).
 *
 * For metrics, egress and design rules. Everything lives in the arena. Threads: one at a time. */
#ifndef TN_FLOOR_WAYS_H
#define TN_FLOOR_WAYS_H

#include "apps/floorplan/plan/plan.h"

struct tn_floor_touch { /* a shared wall, as one of its rooms has it */
	const struct tn_floor_shared *shared;
	struct tn_floor_touch *next;
};

enum tn_floor_way_kind {
	TN_FLOOR_WAY_DOOR,
	TN_FLOOR_WAY_DOUBLE,
	TN_FLOOR_WAY_OPENING,
	TN_FLOOR_WAY_OPEN_SIDE, /* of a sub-room, to its parent */
	TN_FLOOR_WAY_STAIR,     /* or lift, to a room that contains its footprint */
	TN_FLOOR_WAY_VERTICAL
};
struct tn_floor_way {
	enum tn_floor_way_kind kind;
	uint32_t a, b;                          /* nodes */
	struct tn_floor_point at;               /* where one passes */
	double length;                          /* of a vertical link: what it takes */
	const struct tn_floor_opening *opening; /* NULL: none */
};

/* Nodes: 0 is the outside, then the rooms by index, then stairs and lifts floor by floor. */
struct tn_floor_ways {
	const struct tn_floor_plan *plan;
	double tolerance;              /* T of 4.4 */
	struct tn_floor_touch **touch; /* by room index */
	const struct tn_floor_circulation **circulation;
	uint32_t node_count, circulation_count;
	struct tn_floor_way *ways;
	uint32_t way_count;
	uint32_t *first, *of; /* ways of node n: of[first[n]] to of[first[n + 1]] */
};

/* The touches alone; tn_floor_wall_behind needs no more. False: no memory. */
bool tn_floor_touches_build(const struct tn_floor_plan *plan, struct tn_arena *arena,
			    struct tn_floor_ways *ret);
bool tn_floor_ways_build(const struct tn_floor_plan *plan, struct tn_arena *arena,
			 struct tn_floor_ways *ret); /* false: no memory */

/* What is behind a side of a room at a place along it. *ret_room: the neighbour, or the parent of a
 * sub-room whose side is inside it; NULL: outside. */
void tn_floor_wall_behind(const struct tn_floor_ways *ways, const struct tn_floor_room *room,
			  enum tn_floor_side side, double along,
			  const struct tn_floor_room **ret_room);
/* The outermost room whose side it is as well: a sub-room's side may lie on its parent's. NULL: the
 * side is inside the parent. */
const struct tn_floor_room *tn_floor_outer_room(const struct tn_floor_ways *ways,
						const struct tn_floor_room *room,
						enum tn_floor_side side);
double tn_floor_side_line(const struct tn_floor_rect *rect, enum tn_floor_side side);

static inline bool tn_floor_is_horizontal(enum tn_floor_side side)
{
	return side == TN_FLOOR_TOP || side == TN_FLOOR_BOTTOM;
}
static inline uint32_t tn_floor_room_node(const struct tn_floor_room *room)
{
	return room ? room->index + 1 : 0; /* NULL: outside */
}
static inline uint32_t tn_floor_way_other(const struct tn_floor_way *way, uint32_t node)
{
	return way->a == node ? way->b : way->a;
}
static inline bool tn_floor_way_is_door(const struct tn_floor_way *way)
{
	return way->kind == TN_FLOOR_WAY_DOOR || way->kind == TN_FLOOR_WAY_DOUBLE;
}
struct tn_floor_point tn_floor_opening_at(const struct tn_floor_opening *opening);

#endif
