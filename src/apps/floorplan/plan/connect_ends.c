/* Which rooms a connection joins (floorplan.md 4.5). */
#include "apps/floorplan/plan/connect.h"

#include "apps/floorplan/limits.h"

_Static_assert(TN_FLOOR_FLOORS_MAX <= 64, "a bit for every floor");

/* ---- where a name exists ---- */

static uint64_t floors_with(const struct tn_resolver *r, struct tn_str name, bool and_second)
{
	uint64_t floors = 0;

	for (const struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next) {
		/* Of floors with one name the first is the one that references find (4.2). */
		if ((and_second || tn_names_get(r, r->plan, floor->name) == floor) &&
		    tn_names_get(r, floor, name))
			floors |= (uint64_t)1 << floor->index;
	}
	return floors;
}

static bool find_floor(struct tn_resolver *r, const struct tn_floor_end *end, uint64_t *ret_floors)
{
	struct tn_str name = tn_resolve_text(r, end->floor), room = tn_resolve_text(r, end->room);
	const struct tn_floor_floor *floor = tn_names_get(r, r->plan, name);
	struct tn_near near;

	if (!floor) {
		tn_near_init(&near, name);
		for (floor = r->plan->floors; floor; floor = floor->next)
			tn_near_try(r, &near, floor->name);
		(void)tn_tell_token(r, 2005, NULL, NULL, end->floor,
				    "the connection names unknown floor '%.*s'%s", TN_SHOW(name),
				    tn_near_text(r, &near));
		return false;
	}
	*ret_floors = (uint64_t)1 << floor->index;
	if (tn_names_get(r, floor, room))
		return true;
	tn_near_init(&near, room);
	tn_near_try_rooms(r, &near, floor->rooms, true);
	(void)tn_tell_token(r, 2005, NULL, floor, end->room, "floor '%.*s' has no room '%.*s'%s",
			    TN_SHOW(name), TN_SHOW(room), tn_near_text(r, &near));
	return false;
}

/* The floors on which the end may be, as bits. False: nowhere, and told. */
static bool find_end(struct tn_resolver *r, const struct tn_floor_end *end, uint64_t *ret_floors)
{
	struct tn_str name;
	struct tn_near near;

	*ret_floors = UINT64_MAX;
	if (end->outside)
		return true;
	if (end->floor != TN_FLOOR_NO_TOKEN)
		return find_floor(r, end, ret_floors);
	name = tn_resolve_text(r, end->room);
	*ret_floors = floors_with(r, name, false);
	if (*ret_floors == 0)
		*ret_floors = floors_with(r, name, true);
	if (*ret_floors != 0)
		return true;
	tn_near_init(&near, name);
	for (const struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next)
		tn_near_try_rooms(r, &near, floor->rooms, true);
	(void)tn_tell_token(r, 2005, NULL, NULL, end->room,
			    "the connection names unknown room '%.*s'%s", TN_SHOW(name),
			    tn_near_text(r, &near));
	return false;
}

/* ---- the floor of both ---- */

static bool is_single(uint64_t floors)
{
	return floors != 0 && (floors & (floors - 1)) == 0;
}

static void tell_ambiguous(struct tn_resolver *r, const struct tn_floor_end *end)
{
	struct tn_str name = tn_resolve_text(r, end->room);

	(void)tn_tell_token(r, 2006, NULL, NULL, end->room,
			    "room '%.*s' is on several floors; write Floor.%.*s", TN_SHOW(name),
			    TN_SHOW(name));
}

static bool choose_floor(struct tn_resolver *r, const struct tn_floor_connect_tree *tree,
			 uint64_t from, uint64_t to, uint64_t *ret_floor)
{
	struct tn_floor_range range = tn_resolve_range(r, tree->tokens);

	*ret_floor = from & to;
	if (is_single(*ret_floor))
		return true;
	if (*ret_floor == 0 && is_single(from) && is_single(to))
		tn_tell_hint(tn_tell(r, 4005, NULL, NULL, &range,
				     "'%.*s' and '%.*s' are on different floors; the connection is "
				     "not drawn",
				     TN_SHOW(tn_resolve_text(r, tree->from.room)),
				     TN_SHOW(tn_resolve_text(r, tree->to.room))),
			     "floors are connected by stairs and lifts: vertical A.Stair to "
			     "B.Stair");
	else
		tell_ambiguous(r,
			       !tree->from.outside && !is_single(from) ? &tree->from : &tree->to);
	return false;
}

static const struct tn_floor_room *room_of(const struct tn_resolver *r, const struct tn_way *way,
					   const struct tn_floor_end *end)
{
	return end->outside ? NULL : tn_names_get(r, way->floor, tn_resolve_text(r, end->room));
}

bool tn_connect_ends(struct tn_resolver *r, struct tn_way *way)
{
	const struct tn_floor_connect_tree *tree = way->tree;
	struct tn_floor_range range;
	uint64_t from, to, floor;
	bool good;

	if (tree->from.outside && tree->to.outside) {
		range = tn_resolve_range(r, tree->tokens);
		(void)tn_tell(r, 4001, NULL, NULL, &range,
			      "both ends of the connection are 'outside'; name a room");
		return false;
	}
	good = find_end(r, &tree->from, &from);
	if (!find_end(r, &tree->to, &to) || !good || !choose_floor(r, tree, from, to, &floor))
		return false;
	way->floor = r->plan->floors;
	while (!(floor & ((uint64_t)1 << way->floor->index)))
		way->floor = way->floor->next;
	way->from = room_of(r, way, &tree->from);
	way->to = room_of(r, way, &tree->to);
	if (way->from != way->to)
		return true;
	range = tn_resolve_range(r, tree->to.tokens);
	(void)tn_tell(r, 4002, way->to, way->floor, &range,
		      "room '%.*s' is connected to itself; name another room or 'outside'",
		      TN_SHOW(way->to->name));
	return false;
}
