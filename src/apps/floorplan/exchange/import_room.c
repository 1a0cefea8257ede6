/* Rooms and their walls, of either shape of JSON (floorplan.md 10.1). */
#include "apps/floorplan/exchange/import.h"

#include "apps/floorplan/limits.h"

#define SIDES "top right bottom left"
#define TYPES "solid door window open"

static void put_wall(struct tn_import *in, const struct tn_json *wall, struct tn_str side,
		     const struct tn_import_at *at)
{
	const char *at_key = tn_import_get(wall, "at") ? "at" : "position";
	struct tn_str type;
	double place;
	bool opening;

	if (!tn_import_object(in, wall, at,
			      "type direction at position percent isPercentage width height "
			      "wallHeight"))
		return;
	tn_import_need(in, wall, at, "type");
	if (!tn_import_word(in, wall, at, "type", TYPES, &type))
		return;
	tn_import_put(in, "%.*s: %.*s", (int)side.size, side.data, (int)type.size, type.data);
	opening = tn_str_is(type, "door") || tn_str_is(type, "window");
	if (opening && tn_import_number(in, wall, at, at_key, &place) &&
	    tn_import_not_below_zero(in, at, at_key, place)) {
		tn_import_put(in, " at ");
		tn_import_put_number(in, place);
		/* The older shape means percent unless it says otherwise. */
		if (tn_import_truth(in, wall, at, "percent") ||
		    (tn_import_get(wall, "position") &&
		     (!tn_import_get(wall, "isPercentage") ||
		      tn_import_truth(in, wall, at, "isPercentage"))))
			tn_import_put(in, "%%");
	}
	if (opening)
		(void)tn_import_put_size(in, wall, at, "size", false);
	tn_import_put_measure(in, wall, at, "wallHeight", "height", true);
}

static void put_wall_list(struct tn_import *in, const struct tn_json *walls,
			  const struct tn_import_at *at)
{
	size_t index = 0, count = 0;

	for (const struct tn_json *wall = walls->first; wall; wall = wall->next) {
		const struct tn_import_at inner = {at, NULL, index++};
		struct tn_str side;

		if (!tn_import_word(in, wall, &inner, "direction", SIDES, &side)) {
			tn_import_need(in, wall, &inner, "direction");
			continue;
		}
		tn_import_put(in, count++ ? ", " : " walls [");
		put_wall(in, wall, side, &inner);
	}
	if (count > 0)
		tn_import_put(in, "]");
}

static void put_walls(struct tn_import *in, const struct tn_json *room,
		      const struct tn_import_at *at)
{
	static const char *const sides[] = {"top", "right", "bottom", "left"};
	const struct tn_import_at inner = {at, "walls", 0};
	const struct tn_json *walls = tn_import_get(room, "walls");
	size_t count = 0;

	if (tn_json_is(walls, TN_JSON_ARRAY)) {
		put_wall_list(in, walls, &inner);
		return;
	}
	if (!walls || !tn_import_object(in, walls, &inner, SIDES))
		return;
	for (size_t i = 0; i < 4; i++) {
		const struct tn_import_at side = {&inner, sides[i], 0};
		const struct tn_json *wall = tn_import_get(walls, sides[i]);

		if (!wall)
			continue;
		tn_import_put(in, count++ ? ", " : " walls [");
		put_wall(in, wall, tn_str_from(sides[i]), &side);
	}
	if (count > 0)
		tn_import_put(in, "]");
}

static const struct tn_json *inner_rooms(struct tn_import *in, const struct tn_json *room,
					 const struct tn_import_at *at, const char **ret_key)
{
	*ret_key = tn_import_get(room, "rooms") ? "rooms" : "subRooms";
	return tn_import_array(in, room, at, *ret_key);
}

static void put_room(struct tn_import *in, const struct tn_json *room,
		     const struct tn_import_at *at, struct tn_str floor, unsigned depth)
{
	const char *scope = tn_import_scope(in, 'r', floor), *key;
	const struct tn_json *rooms;
	struct tn_str original, name;

	if (!tn_import_object(in, room, at,
			      "name label x y z width height roomHeight elevation style relative "
			      "walls rooms subRooms"))
		return;
	if (!tn_import_text(in, room, at, "name", &original)) {
		tn_import_need(in, room, at, "name");
		return;
	}
	name = tn_import_legal_name(in, scope, NULL, original);
	tn_import_put(in, "%s %.*s", depth ? "sub-room" : "room", (int)name.size, name.data);
	tn_import_put_place(in, room, at);
	if (!tn_import_put_size(in, room, at, "size", false))
		tn_import_missing(in, at, "width");
	tn_import_put_measure(in, room, at, "roomHeight", "height", true);
	tn_import_put_measure(in, room, at, "elevation", "elevation", false);
	put_walls(in, room, at);
	tn_import_put_relative(in, room, at, scope, NULL);
	tn_import_put_label(in, room, at, "name", name);
	rooms = inner_rooms(in, room, at, &key);
	if (rooms && rooms->count > 0) {
		const struct tn_import_at inner = {at, key, 0};

		tn_import_put(in, " composed of [\n");
		tn_import_rooms(in, rooms, &inner, floor, depth + 1);
		tn_import_put(in, "]");
	}
	tn_import_put_style(in, room, at);
	tn_import_put(in, "\n");
}

void tn_import_rooms(struct tn_import *in, const struct tn_json *list,
		     const struct tn_import_at *at, struct tn_str floor, unsigned depth)
{
	size_t index = 0;

	if (depth > TN_FLOOR_DEPTH_MAX) {
		tn_import_fault(in, at, "rooms are nested at most %d deep", TN_FLOOR_DEPTH_MAX);
		return;
	}
	for (const struct tn_json *room = list->first; room; room = room->next) {
		const struct tn_import_at inner = {at, NULL, index++};

		put_room(in, room, &inner, floor, depth);
	}
}
