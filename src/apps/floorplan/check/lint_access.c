/* Design rules about ways: in from outside, to every room, out of long corridors; bathrooms
 * (floorplan.md 9.4). */
#include <math.h>

#include "apps/floorplan/check/lint.h"

#define DEAD_END 6.1 /* m */

void tn_lint_reach(struct tn_lint *lint, uint32_t without, bool *reached)
{
	const struct tn_floor_ways *ways = &lint->ways;
	uint32_t *queue = lint->queue;
	uint32_t count = 1;

	memset(reached, 0, ways->node_count * sizeof(*reached));
	reached[0] = true;
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = ways->first[queue[i]]; k < ways->first[queue[i] + 1]; k++) {
			const uint32_t next =
				tn_floor_way_other(&ways->ways[ways->of[k]], queue[i]);

			if (reached[next] || next == without)
				continue;
			reached[next] = true;
			queue[count++] = next;
		}
	}
}

static bool has_way_in(const struct tn_lint *lint)
{
	return lint->ways.first[1] > lint->ways.first[0];
}

static void check_reachable(struct tn_lint *lint)
{
	for (uint32_t i = 0; i < lint->plan->room_count; i++) {
		const struct tn_floor_room *room = lint->plan->rooms[i];

		if (room->placed && !lint->reached[tn_floor_room_node(room)])
			tn_lint_room(
				lint, 8002, room,
				"connect it with a room that can be reached, e.g. connect A "
				"to B door; upper floors need a vertical link",
				"room '%.*s' cannot be reached from outside: there are 0 ways, "
				"and 1 is needed",
				TN_LINT_NAME(room->name));
	}
}

/* ---- bathrooms ---- */

static bool is_for_food(enum tn_floor_room_kind kind)
{
	return kind == TN_ROOM_KITCHEN || kind == TN_ROOM_PANTRY || kind == TN_ROOM_DINING;
}

static void check_bathroom(struct tn_lint *lint, const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *rooms[2], *bath, *other;

	if (!opening->drawn || opening->kind == TN_FLOOR_OPENING_WINDOW)
		return;
	tn_lint_rooms_of(lint, opening, rooms);
	if (!rooms[0] || !rooms[1])
		return;
	bath = lint->kinds[rooms[0]->index] == TN_ROOM_BATH ? rooms[0] : rooms[1];
	other = bath == rooms[0] ? rooms[1] : rooms[0];
	if (lint->kinds[bath->index] == TN_ROOM_BATH && is_for_food(lint->kinds[other->index]))
		tn_lint_opening(lint, 8006, opening, NULL,
				"let the bathroom open into a hall instead, or put a lobby between",
				"'%.*s' opens into '%.*s': 1 door lies between them, and 2 are "
				"wanted between a bathroom and where food is",
				TN_LINT_NAME(bath->name), TN_LINT_NAME(other->name));
}

/* ---- dead ends ---- */

struct exits {
	double first, last; /* along the corridor */
	unsigned count;
};

static void add_exit(struct exits *exits, double along)
{
	exits->first = exits->count ? fmin(exits->first, along) : along;
	exits->last = exits->count ? fmax(exits->last, along) : along;
	exits->count++;
}

static void find_exits(struct tn_lint *lint, const struct tn_floor_room *room, struct exits *ret)
{
	const struct tn_floor_ways *ways = &lint->ways;
	const uint32_t node = tn_floor_room_node(room);
	const bool lies = room->rect.width >= room->rect.height;

	tn_lint_reach(lint, node, lint->reached_without);
	for (uint32_t i = ways->first[node]; i < ways->first[node + 1]; i++) {
		const struct tn_floor_way *way = &ways->ways[ways->of[i]];

		if (lint->reached_without[tn_floor_way_other(way, node)])
			add_exit(ret, lies ? way->at.x : way->at.y);
	}
}

static void check_dead_end(struct tn_lint *lint, const struct tn_floor_room *room)
{
	const bool lies = room->rect.width >= room->rect.height;
	const double start = lies ? room->rect.x : room->rect.y;
	const double end = start + (lies ? room->rect.width : room->rect.height);
	struct exits exits = {0, 0, 0};
	double length;

	if (tn_lint_metres(lint, end - start) <= DEAD_END)
		return;
	find_exits(lint, room, &exits);
	if (exits.count == 0)
		return; /* FP8001 or FP8002 says more */
	length = tn_lint_metres(lint, fmax(exits.first - start, end - exits.last));
	if (length > DEAD_END + 1e-6)
		tn_lint_room(lint, 8011, room,
			     "add a second way out towards that end, or shorten the corridor",
			     "corridor '%.*s' has a dead end of %s, more than %s",
			     TN_LINT_NAME(room->name), tn_lint_length(lint, length),
			     tn_lint_length(lint, DEAD_END));
}

/* Each long corridor is one search of the graph; a plan of nothing but long corridors is told of no
 * more than of these. */
enum { CORRIDORS_MAX = 500 };

static void check_dead_ends(struct tn_lint *lint)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < lint->plan->room_count && count < CORRIDORS_MAX; i++) {
		const struct tn_floor_room *room = lint->plan->rooms[i];

		if (!room->placed || lint->kinds[i] != TN_ROOM_HALL)
			continue;
		check_dead_end(lint, room);
		count++;
	}
}

void tn_lint_access(struct tn_lint *lint)
{
	const struct tn_floor_plan *plan = lint->plan;

	if (plan->room_count == 0)
		return;
	if (has_way_in(lint))
		check_reachable(lint);
	else
		tn_lint_floor(lint, 8001, plan->floors,
			      "add a door to the outside, e.g. connect Hall.bottom to outside door",
			      "there are 0 ways into this plan from outside, and 1 is needed");
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
			check_bathroom(lint, at);
	}
	check_dead_ends(lint);
}
