/* rename_room: the name and every reference that means this room (floorplan.md 8.3). */
#include "apps/floorplan/edit/internal.h"

struct rename {
	struct tn_edit *e;
	const struct tn_floor_room *room;
	struct tn_str name;
};

static bool means_room(const struct rename *r, uint32_t token)
{
	return tn_str_equal(tn_edit_token(r->e, token), r->room->name);
}

static bool rename_relative(const struct rename *r)
{
	struct tn_edit *e = r->e;
	const struct tn_floor_room *room = r->room;

	for (const struct tn_floor_room *at = tn_edit_siblings(room); at; at = at->next) {
		const struct tn_floor_relative *relative = &at->tree->relative;

		if (!tn_edit_relative_means(e, relative, at->floor, at->parent, room))
			continue;
		if (!tn_edit_replace(e, relative->name, r->name))
			return false;
		tn_edit_affect_room(e, at, "updated");
	}
	return true;
}

/* The first of the name on the floor: the one that `along` and connections find. */
static bool is_found(const struct rename *r)
{
	return tn_floor_room_find(r->e->plan, r->room->floor, r->room->name, NULL) == r->room;
}

static bool rename_in_stair(const struct rename *r, const struct tn_floor_circulation *one)
{
	const struct tn_floor_relative *relative =
		one->lift ? &one->lift_tree->relative : &one->stair->relative;
	bool hit = tn_edit_relative_means(r->e, relative, one->floor, NULL, r->room);

	if (hit && !tn_edit_replace(r->e, relative->name, r->name))
		return false;
	for (const struct tn_floor_segment *at = one->lift ? NULL : one->stair->segments; at;
	     at = at->next) {
		if (!tn_edit_written(at->along) || !means_room(r, at->along_room) || !is_found(r))
			continue;
		hit = true;
		if (!tn_edit_replace(r->e, at->along_room, r->name))
			return false;
	}
	if (hit)
		tn_edit_affect_stair(r->e, one, "updated");
	return true;
}

static bool rename_in_connection(const struct rename *r,
				 const struct tn_floor_connect_tree *connect)
{
	const struct tn_floor_end *ends[] = {&connect->from, &connect->to};
	const struct tn_floor_room *rooms[2];
	bool hit = false;

	if ((connect->from.outside || !means_room(r, connect->from.room)) &&
	    (connect->to.outside || !means_room(r, connect->to.room)))
		return true;
	tn_edit_ends(r->e, connect, rooms);
	for (int i = 0; i < 2; i++) {
		if (rooms[i] != r->room)
			continue;
		hit = true;
		if (!tn_edit_replace(r->e, ends[i]->room, r->name))
			return false;
	}
	if (!hit)
		return true;
	tn_edit_affect_connection(r->e, connect, "updated");
	/* Both ends of one name, on two floors (FP4005): the first one is meant. */
	if (!tn_edit_written(connect->opens) || !means_room(r, connect->opens_into) ||
	    (rooms[0] != r->room && rooms[0] && tn_str_equal(rooms[0]->name, r->room->name)))
		return true;
	return tn_edit_replace(r->e, connect->opens_into, r->name);
}

/* A lift beside a stair that the room's new name equals would then stand beside the room. */
static bool would_capture(const struct rename *r, const struct tn_floor_circulation **ret)
{
	const struct tn_floor_circulation *named = r->room->floor->circulation;

	while (named && !tn_str_equal(named->name, r->name))
		named = named->next;
	if (r->room->parent || !named)
		return false;
	for (*ret = r->room->floor->circulation; *ret; *ret = (*ret)->next) {
		const struct tn_floor_relative *relative =
			(*ret)->lift ? &(*ret)->lift_tree->relative : &(*ret)->stair->relative;

		if (tn_edit_written(relative->tokens) &&
		    tn_str_equal(tn_edit_token(r->e, relative->name), r->name))
			return true;
	}
	return false;
}

static bool rename_all(const struct rename *r)
{
	if (!tn_edit_replace(r->e, r->room->tree->name, r->name) || !rename_relative(r))
		return false;
	for (const struct tn_floor_circulation *at = r->room->floor->circulation; at;
	     at = at->next) {
		if (!rename_in_stair(r, at))
			return false;
	}
	for (const struct tn_floor_connect_tree *at = r->e->plan->tree.connections; at;
	     at = at->next) {
		if (!rename_in_connection(r, at))
			return false;
	}
	return true;
}

bool tn_edit_rename_room(struct tn_edit *e)
{
	static const char *const fields[] = {"newName", NULL};
	struct rename r = {.e = e, .name = {NULL, 0}};
	const struct tn_floor_circulation *beside;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_target(e, &r.room) ||
	    !tn_edit_text(e, "newName", &r.name))
		return false;
	if (!r.name.data)
		return tn_edit_missing(e, "params/newName");
	if (tn_str_equal(r.name, r.room->name))
		return true;
	if (!tn_edit_new_name(e, r.room->floor, r.name, "params/newName"))
		return false;
	if (would_capture(&r, &beside))
		return tn_edit_fail(e, 9006, "params/newName",
				    "'%.*s' is placed relative to a stair or lift '%.*s', and "
				    "would then be placed relative to this room",
				    TN_EDIT_SHOW(beside->name), TN_EDIT_SHOW(r.name));
	return rename_all(&r);
}
