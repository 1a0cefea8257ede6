/* The way out of every room (floorplan.md 9.3): shortest walks from opening to opening, in straight
 * lines, found from the outside inwards. A vertical link takes the length of its stair. */
#include <math.h>

#include "apps/floorplan/plan/metrics.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/ways.h"
#include "jsonrpc/json_write.h"

struct walk { /* from a way to the outside */
	double distance;
	unsigned doors; /* this one included */
	bool done;
};

struct search {
	const struct tn_floor_ways *ways;
	struct walk *walks; /* by way */
	uint32_t *heap;     /* ways by distance; each is in it at most once */
	uint32_t *place;    /* in the heap, from 1; 0: not in it */
	uint32_t count;
};

/* ---- a heap of ways ---- */

static bool is_nearer(const struct search *s, uint32_t a, uint32_t b)
{
	const struct walk *one = &s->walks[a], *other = &s->walks[b];

	if (one->distance != other->distance)
		return one->distance < other->distance;
	return one->doors != other->doors ? one->doors < other->doors : a < b;
}

static void put_at(struct search *s, uint32_t index, uint32_t way)
{
	s->heap[index] = way;
	s->place[way] = index + 1;
}

static void rise(struct search *s, uint32_t index)
{
	const uint32_t way = s->heap[index];

	while (index > 0 && is_nearer(s, way, s->heap[(index - 1) / 2])) {
		put_at(s, index, s->heap[(index - 1) / 2]);
		index = (index - 1) / 2;
	}
	put_at(s, index, way);
}

static uint32_t take_nearest(struct search *s)
{
	const uint32_t nearest = s->heap[0], way = s->heap[--s->count];
	uint32_t index = 0, child;

	while ((child = 2 * index + 1) < s->count) {
		if (child + 1 < s->count && is_nearer(s, s->heap[child + 1], s->heap[child]))
			child++;
		if (!is_nearer(s, s->heap[child], way))
			break;
		put_at(s, index, s->heap[child]);
		index = child;
	}
	if (s->count > 0)
		put_at(s, index, way);
	s->place[nearest] = 0;
	return nearest;
}

/* ---- the search ---- */

static void reach(struct search *s, uint32_t index, double distance, unsigned doors)
{
	struct walk *walk = &s->walks[index];

	doors += tn_floor_way_is_door(&s->ways->ways[index]) ? 1 : 0;
	if (walk->done || distance > walk->distance ||
	    (distance == walk->distance && doors >= walk->doors))
		return;
	walk->distance = distance;
	walk->doors = doors;
	if (s->place[index] == 0)
		put_at(s, s->count++, index);
	rise(s, s->place[index] - 1);
}

static double between(const struct tn_floor_way *a, const struct tn_floor_way *b)
{
	/* A vertical link is entered where its stair is entered. */
	if (a->kind == TN_FLOOR_WAY_VERTICAL || b->kind == TN_FLOOR_WAY_VERTICAL)
		return b->length;
	return hypot(a->at.x - b->at.x, a->at.y - b->at.y) + b->length;
}

static void reach_through(struct search *s, uint32_t from, uint32_t node)
{
	const struct tn_floor_ways *ways = s->ways;
	const struct walk *walk = &s->walks[from];

	if (node == 0)
		return;
	for (uint32_t i = ways->first[node]; i < ways->first[node + 1]; i++) {
		const uint32_t next = ways->of[i];

		reach(s, next, walk->distance + between(&ways->ways[from], &ways->ways[next]),
		      walk->doors);
	}
}

static bool search(struct search *s, const struct tn_floor_ways *ways, struct tn_arena *arena)
{
	const size_t count = (size_t)ways->way_count + 1;

	*s = (struct search){.ways = ways,
			     .walks = tn_arena_alloc_array(arena, count, sizeof(struct walk)),
			     .heap = tn_arena_alloc_array(arena, count, sizeof(uint32_t)),
			     .place = tn_arena_alloc_array(arena, count, sizeof(uint32_t))};
	if (!s->walks || !s->heap || !s->place)
		return false;
	for (uint32_t i = 0; i < ways->way_count; i++)
		s->walks[i].distance = INFINITY;
	for (uint32_t i = ways->first[0]; i < ways->first[1]; i++)
		reach(s, ways->of[i], 0, 0);
	while (s->count > 0) {
		const uint32_t nearest = take_nearest(s);

		s->walks[nearest].done = true;
		reach_through(s, nearest, ways->ways[nearest].a);
		reach_through(s, nearest, ways->ways[nearest].b);
	}
	return true;
}

/* From the corner whose best way out is the longest. False: there is none. */
static bool walk_of_room(const struct search *s, const struct tn_floor_room *room, struct walk *ret)
{
	const uint32_t node = tn_floor_room_node(room);
	const struct tn_floor_ways *ways = s->ways;
	const struct tn_floor_rect *rect = &room->rect;

	*ret = (struct walk){.distance = -1};
	for (unsigned corner = 0; corner < 4; corner++) {
		const double x = rect->x + (corner & 1 ? rect->width : 0);
		const double y = rect->y + (corner & 2 ? rect->height : 0);
		struct walk best = {.distance = INFINITY};

		for (uint32_t i = ways->first[node]; i < ways->first[node + 1]; i++) {
			const struct tn_floor_way *way = &ways->ways[ways->of[i]];
			const struct walk *walk = &s->walks[ways->of[i]];
			const double distance =
				walk->distance + hypot(way->at.x - x, way->at.y - y);

			if (walk->done && distance < best.distance)
				best = (struct walk){distance, walk->doors, true};
		}
		if (!best.done)
			return false;
		if (best.distance > ret->distance)
			*ret = best;
	}
	return true;
}

/* ---- as JSON ---- */

static void put_room(struct tn_buf *out, const struct tn_floor_room *room, bool reachable,
		     const struct walk *walk)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "floor", room->floor->name);
	tn_json_put_member_str(out, "room", room->name);
	tn_json_put_member_bool(out, "reachable", reachable);
	if (reachable) {
		tn_json_put_member_int(out, "doors", walk->doors);
		tn_json_put_key(out, "distance");
		tn_floor_put_number(out, walk->distance);
	}
	tn_json_end_object(out);
}

struct longest {
	const struct tn_floor_room *room; /* NULL: no room of the floor has a way out */
	double distance;
};

static void put_longest(struct tn_buf *out, const struct tn_floor_plan *plan,
			const struct longest *longest)
{
	tn_json_put_key(out, "longest");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->floor_count; i++) {
		if (!longest[i].room)
			continue;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "floor", longest[i].room->floor->name);
		tn_json_put_member_str(out, "room", longest[i].room->name);
		tn_json_put_key(out, "distance");
		tn_floor_put_number(out, longest[i].distance);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static bool put_egress(struct tn_buf *out, const struct tn_floor_plan *plan, struct tn_arena *arena)
{
	struct longest *longest =
		tn_arena_alloc_array(arena, (size_t)plan->floor_count + 1, sizeof(*longest));
	struct tn_floor_ways ways;
	struct search s;

	if (!longest || !tn_floor_ways_build(plan, arena, &ways) || !search(&s, &ways, arena))
		return false;
	tn_json_begin_object(out);
	tn_json_put_key(out, "rooms");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];
		struct longest *of_floor = &longest[room->floor->index];
		struct walk walk;
		const bool reachable = room->placed && walk_of_room(&s, room, &walk);

		put_room(out, room, reachable, &walk);
		if (reachable && (!of_floor->room || walk.distance > of_floor->distance))
			*of_floor = (struct longest){room, walk.distance};
	}
	tn_json_end_array(out);
	put_longest(out, plan, longest);
	tn_json_end_object(out);
	return true;
}

void tn_floor_put_egress(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	struct tn_arena arena;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	if (!put_egress(out, plan, &arena))
		out->failed = out->starved = true;
	tn_arena_finish(&arena);
}
