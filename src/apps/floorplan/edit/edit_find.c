/* Who is meant: targets of operations, and the references inside a plan (floorplan.md 4.2, 4.3,
 * 4.5, 8.2). */
#include <stdio.h>

#include "apps/floorplan/edit/internal.h"
#include "apps/floorplan/limits.h"
#include "base/near.h"

enum { NEAR_MAX = 2 };

/* ---- floors ---- */

bool tn_edit_floor(struct tn_edit *e, struct tn_str name, const char *field,
		   const struct tn_floor_floor **ret)
{
	unsigned best = NEAR_MAX + 1;
	struct tn_str near = tn_str("", 0);

	*ret = tn_floor_floor_find(e->plan, name);
	if (*ret)
		return true;
	for (const struct tn_floor_floor *at = e->plan->floors; at; at = at->next) {
		unsigned distance = tn_near_distance(name, at->name);

		if (distance < best && distance < name.size) {
			best = distance;
			near = at->name;
		}
	}
	return tn_edit_fail(e, 9002, field, "there is no floor '%.*s'%s%.*s%s", TN_EDIT_SHOW(name),
			    near.size ? "; did you mean '" : "", TN_EDIT_SHOW(near),
			    near.size ? "'?" : "");
}

/* ---- rooms ---- */

struct tn_str tn_edit_near_room(const struct tn_edit *e, const struct tn_floor_floor *floor,
				struct tn_str name)
{
	unsigned best = NEAR_MAX + 1;
	struct tn_str near = tn_str("", 0);

	for (uint32_t i = 0; i < e->plan->room_count; i++) {
		const struct tn_floor_room *room = e->plan->rooms[i];
		unsigned distance;

		if ((floor && room->floor != floor) || room->name.size > name.size + NEAR_MAX ||
		    name.size > room->name.size + NEAR_MAX)
			continue;
		distance = tn_near_distance(name, room->name);
		if (distance < best && distance < name.size) {
			best = distance;
			near = room->name;
		}
	}
	return near;
}

static bool fail_unknown(struct tn_edit *e, struct tn_str name, const char *field,
			 const struct tn_floor_floor *floor)
{
	struct tn_str near = tn_edit_near_room(e, floor, name);
	struct tn_str place = floor ? floor->name : tn_str("", 0);

	return tn_edit_fail(e, 9002, field, "there is no room '%.*s'%s%.*s%s%s%.*s%s",
			    TN_EDIT_SHOW(name), floor ? " on floor '" : "", TN_EDIT_SHOW(place),
			    floor ? "'" : "", near.size ? "; did you mean '" : "",
			    TN_EDIT_SHOW(near), near.size ? "'?" : "");
}

static bool fail_several(struct tn_edit *e, struct tn_str name, const char *field)
{
	char list[256];
	size_t used = 0;
	const struct tn_floor_floor *last = NULL;

	list[0] = '\0';
	for (uint32_t i = 0; i < e->plan->room_count; i++) {
		const struct tn_floor_room *room = e->plan->rooms[i];

		if (!tn_str_equal(room->name, name) || room->floor == last)
			continue;
		if (used + room->floor->name.size + 8 > sizeof(list)) {
			(void)snprintf(list + used, sizeof(list) - used, ", ...");
			break;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s",
					 last ? ", " : "", (int)room->floor->name.size,
					 room->floor->name.data);
		last = room->floor;
	}
	return tn_edit_fail(e, 9003, field,
			    "there are rooms '%.*s' on the floors %s; write Floor.%.*s",
			    TN_EDIT_SHOW(name), list, (int)tn_utf8_cut(name, 40).size, name.data);
}

bool tn_edit_room(struct tn_edit *e, struct tn_str name, const char *field,
		  const struct tn_floor_room **ret)
{
	const struct tn_floor_floor *floor = NULL;
	size_t dot = tn_str_find_byte(name, '.');

	if (dot != TN_STR_NONE) {
		if (!tn_edit_floor(e, tn_str(name.data, dot), field, &floor))
			return false;
		name = tn_str_from_offset(name, dot + 1);
	} else if (e->floor_name.size > 0 && !tn_edit_floor(e, e->floor_name, "floor", &floor)) {
		return false;
	}
	*ret = tn_floor_room_find(e->plan, floor, name, NULL);
	if (!*ret)
		return fail_unknown(e, name, field, floor);
	/* Two of a name on one floor: the first is the one that references find (4.2). */
	for (uint32_t i = (*ret)->index + 1; !floor && i < e->plan->room_count; i++) {
		if (e->plan->rooms[i]->floor != (*ret)->floor &&
		    tn_str_equal(e->plan->rooms[i]->name, name))
			return fail_several(e, name, field);
	}
	return true;
}

bool tn_edit_target(struct tn_edit *e, const struct tn_floor_room **ret)
{
	const struct tn_json *value = tn_edit_param(e->operation, "target");
	struct tn_str name;

	if (!value)
		return tn_edit_missing(e, "target");
	if (!tn_json_to_str(value, &name))
		return tn_edit_fail(e, 9001, "target", "'target' must be a text, not %s",
				    tn_json_type_name(value));
	return tn_edit_room(e, name, "target", ret);
}

bool tn_edit_new_name(struct tn_edit *e, const struct tn_floor_floor *floor, struct tn_str name,
		      const char *field)
{
	const struct tn_floor_room *taken;

	if (tn_floor_is_reserved(name))
		return tn_edit_fail(e, 9005, field,
				    "'%.*s' is a word of the language and cannot be a name",
				    TN_EDIT_SHOW(name));
	if (!tn_floor_is_name(name))
		return tn_edit_fail(e, 9005, field,
				    "'%.*s' cannot be a name; use letters A to Z, digits and _, at "
				    "most %d, and begin with a letter",
				    TN_EDIT_SHOW(name), TN_FLOOR_NAME_BYTES_MAX);
	taken = tn_floor_room_find(e->plan, floor, name, NULL);
	if (taken)
		return tn_edit_fail(e, 9006, field,
				    "there is a room '%.*s' on floor '%.*s' (line %u)",
				    TN_EDIT_SHOW(name), TN_EDIT_SHOW(floor->name),
				    e->lexed->tokens[taken->tree->name].range.line);
	return true;
}

/* ---- references ---- */

const struct tn_floor_room *tn_edit_siblings(const struct tn_floor_room *room)
{
	return room->parent ? room->parent->rooms : room->floor->rooms;
}

bool tn_edit_relative_means(const struct tn_edit *e, const struct tn_floor_relative *relative,
			    const struct tn_floor_floor *floor, const struct tn_floor_room *parent,
			    const struct tn_floor_room *room)
{
	const struct tn_floor_room *first;

	if (!tn_edit_written(relative->tokens) || floor != room->floor || parent != room->parent ||
	    !tn_str_equal(tn_edit_token(e, relative->name), room->name))
		return false;
	first = tn_edit_siblings(room);
	while (first != room && !tn_str_equal(first->name, room->name))
		first = first->next;
	return first == room;
}

static bool is_on(const struct tn_edit *e, const struct tn_floor_end *end,
		  const struct tn_floor_floor *floor, const struct tn_floor_room **ret)
{
	*ret = NULL;
	if (end->outside)
		return true;
	if (end->floor != TN_FLOOR_NO_TOKEN &&
	    !tn_str_equal(tn_edit_token(e, end->floor), floor->name))
		return false;
	*ret = tn_floor_room_find(e->plan, floor, tn_edit_token(e, end->room), NULL);
	return *ret != NULL;
}

/* An end on its own: its floor is named, or its name is on one floor only. */
static const struct tn_floor_room *alone(const struct tn_edit *e, const struct tn_floor_end *end)
{
	const struct tn_floor_room *found = NULL, *room;

	for (const struct tn_floor_floor *at = e->plan->floors; at && !end->outside;
	     at = at->next) {
		if (!is_on(e, end, at, &room))
			continue;
		if (found)
			return NULL;
		found = room;
	}
	return found;
}

void tn_edit_ends(const struct tn_edit *e, const struct tn_floor_connect_tree *connect,
		  const struct tn_floor_room *ret[2])
{
	const struct tn_floor_room *from, *to;
	unsigned floors = 0;

	ret[0] = ret[1] = NULL;
	for (const struct tn_floor_floor *at = e->plan->floors; at; at = at->next) {
		if (!is_on(e, &connect->from, at, &from) || !is_on(e, &connect->to, at, &to))
			continue;
		if (floors++ == 0) {
			ret[0] = from;
			ret[1] = to;
		}
	}
	if (floors == 1)
		return;
	ret[0] = floors == 0 || connect->from.floor != TN_FLOOR_NO_TOKEN ? alone(e, &connect->from)
									 : NULL;
	ret[1] = floors == 0 || connect->to.floor != TN_FLOOR_NO_TOKEN ? alone(e, &connect->to)
								       : NULL;
}
