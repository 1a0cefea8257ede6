/* What lies behind walls, and the graph of rooms (floorplan.md 9.2). */
#include "apps/floorplan/plan/ways.h"

#include <math.h>

#define INSIDE_SLACK 0.01 /* U, as in 4.6 */

/* ---- behind walls ---- */

double tn_floor_side_line(const struct tn_floor_rect *rect, enum tn_floor_side side)
{
	switch (side) {
	case TN_FLOOR_TOP:
		return rect->y;
	case TN_FLOOR_BOTTOM:
		return rect->y + rect->height;
	case TN_FLOOR_LEFT:
		return rect->x;
	default:
		return rect->x + rect->width;
	}
}

static bool add_touch(const struct tn_floor_room *room, const struct tn_floor_shared *shared,
		      struct tn_arena *arena, struct tn_floor_ways *ways)
{
	struct tn_floor_touch *touch = tn_arena_alloc(arena, sizeof(*touch));

	if (!touch)
		return false;
	*touch = (struct tn_floor_touch){shared, ways->touch[room->index]};
	ways->touch[room->index] = touch;
	return true;
}

bool tn_floor_touches_build(const struct tn_floor_plan *plan, struct tn_arena *arena,
			    struct tn_floor_ways *ret)
{
	*ret = (struct tn_floor_ways){.plan = plan};
	ret->tolerance = fmax(plan->settings.wall_thickness, 0.05 / tn_floor_metres(plan->unit));
	ret->touch = tn_arena_alloc_array(arena, (size_t)plan->room_count + 1,
					  sizeof(struct tn_floor_touch *));
	if (!ret->touch)
		return false;
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_shared *at = floor->shared; at; at = at->next) {
			if (!add_touch(at->a, at, arena, ret) || !add_touch(at->b, at, arena, ret))
				return false;
		}
	}
	return true;
}

const struct tn_floor_room *tn_floor_outer_room(const struct tn_floor_ways *ways,
						const struct tn_floor_room *room,
						enum tn_floor_side side)
{
	const double line = tn_floor_side_line(&room->rect, side);

	while (room->parent &&
	       fabs(tn_floor_side_line(&room->parent->rect, side) - line) <= ways->tolerance)
		room = room->parent;
	return room->parent ? NULL : room;
}

/* The parent inside of which the side lies. */
static const struct tn_floor_room *inner_parent(const struct tn_floor_ways *ways,
						const struct tn_floor_room *room,
						enum tn_floor_side side)
{
	const double line = tn_floor_side_line(&room->rect, side);
	const struct tn_floor_room *at = room->parent;

	while (at && fabs(tn_floor_side_line(&at->rect, side) - line) <= ways->tolerance)
		at = at->parent;
	return at;
}

void tn_floor_wall_behind(const struct tn_floor_ways *ways, const struct tn_floor_room *room,
			  enum tn_floor_side side, double along,
			  const struct tn_floor_room **ret_room)
{
	const struct tn_floor_room *outer = tn_floor_outer_room(ways, room, side);

	*ret_room = NULL;
	if (!outer) {
		*ret_room = inner_parent(ways, room, side);
		return;
	}
	for (const struct tn_floor_touch *at = ways->touch[outer->index]; at; at = at->next) {
		const struct tn_floor_shared *shared = at->shared;
		const bool is_a = shared->a == outer;

		if ((is_a ? shared->a_side : shared->b_side) == side && along >= shared->start &&
		    along <= shared->end)
			*ret_room = is_a ? shared->b : shared->a;
	}
}

struct tn_floor_point tn_floor_opening_at(const struct tn_floor_opening *opening)
{
	if (opening->horizontal)
		return (struct tn_floor_point){opening->center, opening->line};
	return (struct tn_floor_point){opening->line, opening->center};
}

/* ---- the graph ---- */

struct builder {
	struct tn_floor_ways *ways;
	struct tn_arena *arena;
	uint32_t capacity;
};

static bool add(struct builder *b, struct tn_floor_way way)
{
	struct tn_floor_ways *ways = b->ways;

	if (ways->way_count == b->capacity) {
		uint32_t more = b->capacity ? 2 * b->capacity : 64;
		struct tn_floor_way *grown = tn_arena_alloc_array(b->arena, more, sizeof(*grown));

		if (!grown)
			return false;
		if (ways->way_count > 0)
			memcpy(grown, ways->ways, ways->way_count * sizeof(*grown));
		ways->ways = grown;
		b->capacity = more;
	}
	ways->ways[ways->way_count++] = way;
	return true;
}

static bool add_opening(struct builder *b, const struct tn_floor_opening *opening)
{
	static const enum tn_floor_way_kind kinds[] = {
		[TN_FLOOR_OPENING_DOOR] = TN_FLOOR_WAY_DOOR,
		[TN_FLOOR_OPENING_DOUBLE] = TN_FLOOR_WAY_DOUBLE,
		[TN_FLOOR_OPENING_GAP] = TN_FLOOR_WAY_OPENING};
	const struct tn_floor_room *from = opening->from, *to = opening->to;

	if (!opening->drawn || opening->kind == TN_FLOOR_OPENING_WINDOW)
		return true;
	if (opening->room) { /* a wall's own door is a way only if it leads outside */
		from = opening->room;
		tn_floor_wall_behind(b->ways, from, opening->side, opening->center, &to);
		if (to)
			return true;
	}
	return add(b, (struct tn_floor_way){kinds[opening->kind], tn_floor_room_node(from),
					    tn_floor_room_node(to), tn_floor_opening_at(opening), 0,
					    opening});
}

/* A sub-room's open side that lies inside its parent. */
static bool add_open_sides(struct builder *b, const struct tn_floor_room *room)
{
	const struct tn_floor_room *parent = room->parent;

	if (!parent || !room->placed || !parent->placed)
		return true;
	for (int i = 0; i < 4; i++) {
		const enum tn_floor_side side = (enum tn_floor_side)i;
		const double line = tn_floor_side_line(&room->rect, side);
		struct tn_floor_point at = {room->rect.x + room->rect.width / 2,
					    room->rect.y + room->rect.height / 2};

		if (room->walls[i] != TN_FLOOR_OPEN ||
		    fabs(tn_floor_side_line(&parent->rect, side) - line) <= b->ways->tolerance)
			continue;
		if (tn_floor_is_horizontal(side))
			at.y = line;
		else
			at.x = line;
		return add(b,
			   (struct tn_floor_way){TN_FLOOR_WAY_OPEN_SIDE, tn_floor_room_node(room),
						 tn_floor_room_node(parent), at, 0, NULL});
	}
	return true;
}

static bool contains(const struct tn_floor_rect *outer, const struct tn_floor_rect *inner)
{
	return inner->x >= outer->x - INSIDE_SLACK && inner->y >= outer->y - INSIDE_SLACK &&
	       inner->x + inner->width <= outer->x + outer->width + INSIDE_SLACK &&
	       inner->y + inner->height <= outer->y + outer->height + INSIDE_SLACK;
}

static bool add_footprint(struct builder *b, uint32_t index)
{
	const struct tn_floor_circulation *one = b->ways->circulation[index];
	const struct tn_floor_plan *plan = b->ways->plan;
	const struct tn_floor_point centre = {one->rect.x + one->rect.width / 2,
					      one->rect.y + one->rect.height / 2};

	for (uint32_t i = 0; one->placed && i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];

		if (room->floor != one->floor || !room->placed ||
		    !contains(&room->rect, &one->rect))
			continue;
		if (!add(b, (struct tn_floor_way){TN_FLOOR_WAY_STAIR, tn_floor_room_node(room),
						  plan->room_count + 1 + index, centre, 0, NULL}))
			return false;
	}
	return true;
}

static uint32_t circulation_node(const struct tn_floor_ways *ways,
				 const struct tn_floor_circulation *one)
{
	uint32_t i = 0;

	while (i < ways->circulation_count && ways->circulation[i] != one)
		i++;
	return ways->plan->room_count + 1 + i;
}

/* What a link takes: the climbing line of a stair, or else the height of the floor. */
static double climb(const struct tn_floor_circulation *one)
{
	double length = 0;

	for (unsigned i = 1; i < one->path_count; i++)
		length += hypot(one->path[i].x - one->path[i - 1].x,
				one->path[i].y - one->path[i - 1].y);
	return hypot(length, one->lift ? one->floor->height : one->rise);
}

static bool add_vertical(struct builder *b, const struct tn_floor_vertical *vertical)
{
	for (unsigned i = 0; i + 1 < vertical->count; i++) {
		const struct tn_floor_circulation *low = vertical->elements[i];
		struct tn_floor_way way = {.kind = TN_FLOOR_WAY_VERTICAL, .length = climb(low)};

		way.a = circulation_node(b->ways, low);
		way.b = circulation_node(b->ways, vertical->elements[i + 1]);
		if (!add(b, way))
			return false;
	}
	return true;
}

static bool add_all(struct builder *b)
{
	const struct tn_floor_plan *plan = b->ways->plan;

	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next) {
			if (!add_opening(b, at))
				return false;
		}
	}
	for (uint32_t i = 0; i < plan->room_count; i++) {
		if (!add_open_sides(b, plan->rooms[i]))
			return false;
	}
	for (uint32_t i = 0; i < b->ways->circulation_count; i++) {
		if (!add_footprint(b, i))
			return false;
	}
	for (const struct tn_floor_vertical *at = plan->verticals; at; at = at->next) {
		if (!add_vertical(b, at))
			return false;
	}
	return true;
}

static bool list_circulation(struct tn_floor_ways *ways, struct tn_arena *arena)
{
	uint32_t count = 0;

	for (const struct tn_floor_floor *floor = ways->plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next)
			count++;
	}
	ways->circulation = tn_arena_alloc_array(arena, (size_t)count + 1,
						 sizeof(const struct tn_floor_circulation *));
	if (!ways->circulation)
		return false;
	for (const struct tn_floor_floor *floor = ways->plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next)
			ways->circulation[ways->circulation_count++] = at;
	}
	ways->node_count = 1 + ways->plan->room_count + count;
	return true;
}

static bool list_by_node(struct tn_floor_ways *ways, struct tn_arena *arena)
{
	uint32_t *next = tn_arena_alloc_array(arena, (size_t)ways->node_count + 2, sizeof(*next));

	ways->first = tn_arena_alloc_array(arena, (size_t)ways->node_count + 2, sizeof(*next));
	ways->of = tn_arena_alloc_array(arena, 2 * (size_t)ways->way_count + 1, sizeof(*next));
	if (!next || !ways->first || !ways->of)
		return false;
	for (uint32_t i = 0; i < ways->way_count; i++) {
		ways->first[ways->ways[i].a + 1]++;
		ways->first[ways->ways[i].b + 1]++;
	}
	for (uint32_t i = 0; i <= ways->node_count; i++)
		ways->first[i + 1] += ways->first[i];
	memcpy(next, ways->first, ((size_t)ways->node_count + 1) * sizeof(*next));
	for (uint32_t i = 0; i < ways->way_count; i++) {
		ways->of[next[ways->ways[i].a]++] = i;
		ways->of[next[ways->ways[i].b]++] = i;
	}
	return true;
}

bool tn_floor_ways_build(const struct tn_floor_plan *plan, struct tn_arena *arena,
			 struct tn_floor_ways *ret)
{
	struct builder builder = {ret, arena, 0};

	return tn_floor_touches_build(plan, arena, ret) && list_circulation(ret, arena) &&
	       add_all(&builder) && list_by_node(ret, arena);
}
