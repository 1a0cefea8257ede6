/* Floors, rooms, stairs and lifts: their names, sizes, heights, walls and styles; not yet where
 * they are (floorplan.md 4.2, 4.4). */
#include "apps/floorplan/plan/resolve.h"

/* ---- defines ---- */

void tn_resolve_defines(struct tn_resolver *r)
{
	const struct tn_floor_tree *tree = &r->plan->tree;

	for (struct tn_floor_define_tree *at = tree->defines; at; at = at->next) {
		struct tn_str name = tn_resolve_text(r, at->name);
		const struct tn_floor_define_tree *same = tn_names_add(r, &tree->defines, name, at);
		double width, height;

		(void)tn_resolve_size(r, &at->size, &width, &height);
		if (same)
			tn_tell_related(r,
					tn_tell_token(r, 2010, NULL, NULL, at->name,
						      "size '%.*s' is defined twice; rename one",
						      TN_SHOW(name)),
					same->tokens, "defined here before");
	}
}

/* ---- walls of a room ---- */

static void check_wall(struct tn_resolver *r, const struct tn_floor_room *room,
		       const struct tn_floor_wall *wall)
{
	const char *side = tn_floor_side_name(wall->side), *type = tn_floor_wall_name(wall->type);
	double width, height;

	if ((wall->type == TN_FLOOR_SOLID || wall->type == TN_FLOOR_OPEN) &&
	    (wall->has_at || wall->size.there)) {
		tn_tell_hint(tn_tell_token(r, 4013, room, room->floor, wall->type_token,
					   "the %s side of '%.*s' is '%s' and takes no position or "
					   "size",
					   side, TN_SHOW(room->name), type),
			     "write door or window, or leave the position and the size out");
		return;
	}
	if (wall->has_at && wall->at_percent && wall->at.number > 100)
		(void)tn_tell_token(r, 4006, room, room->floor, wall->at.digits,
				    "the %s of the %s side of '%.*s' is above 100 %%; write 0 to "
				    "100",
				    type, side, TN_SHOW(room->name));
	else if (wall->has_at && !wall->at_percent)
		(void)tn_resolve_length(r, &wall->at, 0, &width);
	if (wall->size.there)
		(void)tn_resolve_size(r, &wall->size, &width, &height);
}

static void take_walls(struct tn_resolver *r, struct tn_floor_room *room)
{
	for (const struct tn_floor_wall *wall = room->tree->walls.first; wall; wall = wall->next) {
		const struct tn_floor_wall *before = room->wall_trees[wall->side];
		double height;

		(void)tn_resolve_measure(r, &wall->height, 3002, &height);
		if (before) {
			tn_tell_related(r,
					tn_tell_token(r, 4012, room, room->floor, wall->side_token,
						      "the '%s' side of '%.*s' is listed twice; "
						      "the first one counts",
						      tn_floor_side_name(wall->side),
						      TN_SHOW(room->name)),
					before->tokens, "listed here before");
			continue;
		}
		room->wall_trees[wall->side] = wall;
		room->walls[wall->side] = wall->type;
		check_wall(r, room, wall);
	}
}

/* ---- rooms ---- */

static struct tn_str label_text(const struct tn_resolver *r, const struct tn_floor_text *label)
{
	struct tn_str text;

	if (!tn_is_written(label->tokens))
		return tn_str(NULL, 0);
	text = tn_resolve_text(r, label->string);
	return tn_str(text.data + 1, text.size > 1 ? text.size - 2 : 0);
}

static void take_height(struct tn_resolver *r, struct tn_floor_room *room)
{
	const struct tn_floor_measure *height = &room->tree->height;
	const struct tn_floor_floor *floor = room->floor;
	struct tn_floor_range range;

	room->height = floor->height;
	room->has_height = tn_resolve_measure(r, height, 3002, &room->height);
	if (!room->has_height || room->height <= floor->height)
		return;
	range = tn_length_range(r, &height->length);
	(void)tn_tell(r, 3012, room, floor, &range,
		      "'%.*s' is %s %s high, more than the %s of its floor '%.*s'",
		      TN_SHOW(room->name), tn_resolve_number(r, room->height),
		      tn_floor_unit_name(r->plan->unit), tn_resolve_number(r, floor->height),
		      TN_SHOW(floor->name));
}

static void add_room_name(struct tn_resolver *r, struct tn_floor_room *room)
{
	const struct tn_floor_room *same = tn_names_add(r, room->floor, room->name, room);

	if (!same)
		return;
	tn_tell_related(r,
			tn_tell_token(r, 2001, room, room->floor, room->tree->name,
				      "room '%.*s' is defined twice on floor '%.*s'; rename one",
				      TN_SHOW(room->name), TN_SHOW(room->floor->name)),
			same->tree->tokens, "defined here before");
}

static bool build_rooms(struct tn_resolver *r, const struct tn_floor_room_tree *tree,
			struct tn_floor_floor *floor, struct tn_floor_room *parent,
			struct tn_floor_room **end)
{
	for (; tree; tree = tree->next) {
		struct tn_floor_room *room = tn_resolve_new(r, 1, sizeof(*room));

		if (!room)
			return false;
		*room = (struct tn_floor_room){.name = tn_resolve_text(r, tree->name),
					       .label = label_text(r, &tree->label),
					       .floor = floor,
					       .parent = parent,
					       .tree = tree,
					       .index = r->plan->room_count};
		r->plan->rooms[r->plan->room_count++] = room;
		*(parent ? &r->plan->sub_room_count : &r->plan->top_room_count) += 1;
		add_room_name(r, room);
		/* Without a good size it has no place, and what hangs on it has none. */
		room->placed =
			tn_resolve_size(r, &tree->size, &room->rect.width, &room->rect.height);
		take_height(r, room);
		(void)tn_resolve_measure(r, &tree->elevation, 0, &room->elevation);
		take_walls(r, room);
		room->style = tn_resolve_style(r, &tree->style, room, floor);
		*end = room;
		end = &room->next;
		if (!build_rooms(r, tree->rooms, floor, room, &room->rooms)) /* at most 8 deep */
			return false;
	}
	return true;
}

/* ---- stairs and lifts ---- */

static uint32_t name_token(const struct tn_floor_circulation *one)
{
	return one->lift ? one->lift_tree->name : one->stair->name;
}

static void add_circulation_name(struct tn_resolver *r, struct tn_floor_circulation *one)
{
	struct tn_floor_floor *floor = one->floor;
	const struct tn_floor_circulation *same =
		tn_names_add(r, &floor->circulation, one->name, one);
	const struct tn_floor_circulation *later = one;

	if (!same)
		return;
	if (name_token(same) > name_token(one)) { /* stairs are met before lifts */
		later = same;
		same = one;
	}
	tn_tell_related(r,
			tn_tell_token(r, 2003, NULL, floor, name_token(later),
				      "stair or lift '%.*s' is defined twice on floor '%.*s'; "
				      "rename one",
				      TN_SHOW(one->name), TN_SHOW(floor->name)),
			same->lift ? same->lift_tree->tokens : same->stair->tokens,
			"defined here before");
}

static struct tn_floor_circulation *add_circulation(struct tn_resolver *r,
						    struct tn_floor_floor *floor, uint32_t name,
						    struct tn_floor_circulation ***end)
{
	struct tn_floor_circulation *one = tn_resolve_new(r, 1, sizeof(*one));

	if (!one)
		return NULL;
	one->floor = floor;
	one->name = tn_resolve_text(r, name);
	**end = one;
	*end = &one->next;
	return one;
}

static bool build_circulation(struct tn_resolver *r, struct tn_floor_floor *floor)
{
	struct tn_floor_circulation **end = &floor->circulation, *one;

	for (const struct tn_floor_stair_tree *at = floor->tree->stairs; at; at = at->next) {
		one = add_circulation(r, floor, at->name, &end);
		if (!one)
			return false;
		one->stair = at;
		one->label = label_text(r, &at->label);
		one->style = tn_resolve_style(r, &at->style, NULL, floor);
		add_circulation_name(r, one);
	}
	for (const struct tn_floor_lift_tree *at = floor->tree->lifts; at; at = at->next) {
		one = add_circulation(r, floor, at->name, &end);
		if (!one)
			return false;
		one->lift = true;
		one->lift_tree = at;
		one->label = label_text(r, &at->label);
		one->style = tn_resolve_style(r, &at->style, NULL, floor);
		one->placed = tn_resolve_size(r, &at->size, &one->rect.width, &one->rect.height);
		add_circulation_name(r, one);
	}
	return true;
}

/* ---- floors ---- */

static size_t count_rooms(const struct tn_floor_room_tree *room)
{
	size_t count = 0;

	for (; room; room = room->next)
		count += 1 + count_rooms(room->rooms); /* at most 8 deep */
	return count;
}

static bool build_floor(struct tn_resolver *r, const struct tn_floor_floor_tree *tree,
			struct tn_floor_floor *floor)
{
	struct tn_floor_floor *same;

	*floor = (struct tn_floor_floor){.name = tn_resolve_text(r, tree->name),
					 .height = r->plan->settings.default_height,
					 .tree = tree,
					 .index = r->plan->floor_count++};
	same = tn_names_add(r, r->plan, floor->name, floor);
	if (same)
		tn_tell_related(r,
				tn_tell_token(r, 2002, NULL, floor, tree->name,
					      "floor '%.*s' is defined twice; rename one",
					      TN_SHOW(floor->name)),
				(struct tn_floor_tokens){same->tree->word, same->tree->name},
				"defined here before");
	(void)tn_resolve_measure(r, &tree->height, 3002, &floor->height);
	return build_rooms(r, tree->rooms, floor, NULL, &floor->rooms) &&
	       build_circulation(r, floor);
}

bool tn_resolve_build(struct tn_resolver *r)
{
	struct tn_floor_plan *plan = r->plan;
	struct tn_floor_floor **end = &plan->floors;
	size_t count = 0;

	for (const struct tn_floor_floor_tree *at = plan->tree.floors; at; at = at->next)
		count += count_rooms(at->rooms);
	plan->rooms = tn_resolve_new(r, count, sizeof(struct tn_floor_room *));
	r->free_spans = tn_resolve_new(r, count, sizeof(*r->free_spans));
	if (!plan->rooms || !r->free_spans)
		return false;
	for (const struct tn_floor_floor_tree *at = plan->tree.floors; at; at = at->next) {
		struct tn_floor_floor *floor = tn_resolve_new(r, 1, sizeof(*floor));

		if (!floor || !build_floor(r, at, floor))
			return false;
		*end = floor;
		end = &floor->next;
	}
	if (plan->room_count == 0)
		(void)tn_tell(r, 3021, NULL, NULL, &r->lexed->tokens[r->lexed->count - 1].range,
			      "the plan has no rooms; add room NAME at (X,Y) size (W x H) to a "
			      "floor");
	return true;
}
