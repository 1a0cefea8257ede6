/* remove_room: the plan stays valid and everything else where it is (floorplan.md 8.3). */
#include "apps/floorplan/edit/internal.h"

static bool is_inside(const struct tn_floor_room *room, const struct tn_floor_room *outer)
{
	while (room && room != outer)
		room = room->parent;
	return room != NULL;
}

static bool is_named(const struct tn_floor_room *rooms, struct tn_str name)
{
	for (; rooms; rooms = rooms->next) {
		if (tn_str_equal(rooms->name, name) || is_named(rooms->rooms, name))
			return true; /* at most 8 deep */
	}
	return false;
}

/* References only ever find the first of a name on a floor. The few names inside come first: 10,000
 * connections may name 5,000 rooms. */
static bool finds_inside(const struct tn_edit *e, uint32_t token,
			 const struct tn_floor_room *target)
{
	struct tn_str name = tn_edit_token(e, token);

	if (!tn_str_equal(name, target->name) && !is_named(target->rooms, name))
		return false;
	return is_inside(tn_floor_room_find(e->plan, target->floor, name, NULL), target);
}

static bool remove_connections(struct tn_edit *e, const struct tn_floor_room *target)
{
	for (const struct tn_floor_connect_tree *at = e->plan->tree.connections; at;
	     at = at->next) {
		const struct tn_floor_room *rooms[2];

		if ((at->from.outside || !finds_inside(e, at->from.room, target)) &&
		    (at->to.outside || !finds_inside(e, at->to.room, target)))
			continue;
		tn_edit_ends(e, at, rooms);
		if (!is_inside(rooms[0], target) && !is_inside(rooms[1], target))
			continue;
		tn_edit_affect_connection(e, at, "removed");
		if (!tn_edit_cut_statement(e, at->tokens))
			return false;
	}
	return true;
}

static bool remove_along(struct tn_edit *e, const struct tn_floor_room *target)
{
	for (const struct tn_floor_circulation *one = target->floor->circulation; one;
	     one = one->next) {
		bool hit = false;

		for (const struct tn_floor_segment *at = one->lift ? NULL : one->stair->segments;
		     at; at = at->next) {
			if (!tn_edit_written(at->along) || !finds_inside(e, at->along_room, target))
				continue;
			hit = true;
			if (!tn_edit_cut_clause(e, at->along))
				return false;
		}
		if (hit)
			tn_edit_affect_stair(e, one, "updated");
	}
	return true;
}

static void tell_rooms_inside(struct tn_edit *e, const struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		tn_edit_affect_room(e, room, "removed");
		tell_rooms_inside(e, room->rooms); /* at most 8 deep */
	}
}

bool tn_edit_remove_room(struct tn_edit *e)
{
	static const char *const fields[] = {"onReferences", NULL};
	static const char *const ways[] = {"repair", "refuse", NULL};
	const struct tn_floor_room *room;
	unsigned way = 0;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_target(e, &room) ||
	    !tn_edit_word(e, e->params, "onReferences", "params/onReferences", ways, &way))
		return false;
	if (!tn_edit_pin_dependents(e, room, true) || !remove_connections(e, room) ||
	    !remove_along(e, room))
		return false;
	if (way == 1 && e->cut_count > 0)
		return tn_edit_fail(e, 9007, "target",
				    "'%.*s' is referred to in %zu places; use onReferences "
				    "\"repair\", or change them first",
				    TN_EDIT_SHOW(room->name), e->cut_count);
	tell_rooms_inside(e, room->rooms);
	return tn_edit_cut_statement(e, room->tree->tokens);
}
