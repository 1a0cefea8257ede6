/* Where rooms, stairs and lifts are (floorplan.md 4.3).
 *
 * Each has at most one reference, so the references form chains: each is followed once, which finds
 * the same places as the contract's repeated passes, in linear time. */
#include <math.h>
#include <stdio.h>

#include "apps/floorplan/plan/resolve.h"

#include "apps/floorplan/limits.h"

enum state { NEW, WALKING, DONE };

struct node {
	const struct tn_floor_at *at;
	const struct tn_floor_relative *relative;
	struct tn_floor_rect rect; /* in its own frame */
	bool sized, placed, wants_place;
	struct node *ref;                     /* one of these */
	const struct tn_floor_rect *ref_rect; /* or what has its place already */
	uint32_t name;
	struct tn_floor_room *room; /* NULL: a stair or lift */
	struct tn_floor_floor *floor;
	enum state state;
};

static struct tn_str node_name(const struct tn_resolver *r, const struct node *node)
{
	return tn_resolve_text(r, node->name);
}

/* ---- one place relative to another ---- */

static bool is_beside(enum tn_floor_direction direction)
{
	return direction == TN_FLOOR_RIGHT_OF || direction == TN_FLOOR_LEFT_OF;
}

static bool is_over_or_under(enum tn_floor_direction direction)
{
	return direction == TN_FLOOR_ABOVE || direction == TN_FLOOR_BELOW;
}

/* Along the other axis: at the start, in the middle, at the end (A and B of the table). */
static double aligned(enum tn_floor_align align, enum tn_floor_align end, double start,
		      double extent, double own)
{
	if (align == TN_FLOOR_ALIGN_CENTER)
		return start + (extent - own) / 2;
	return align == end ? start + extent - own : start;
}

static struct tn_floor_point place(const struct tn_floor_relative *relative, double gap,
				   const struct tn_floor_rect *ref, const struct tn_floor_rect *own)
{
	const double right = ref->x + ref->width + gap, left = ref->x - own->width - gap;
	const double below = ref->y + ref->height + gap, above = ref->y - own->height - gap;
	const double beside =
		aligned(relative->align, TN_FLOOR_ALIGN_BOTTOM, ref->y, ref->height, own->height);
	const double along =
		aligned(relative->align, TN_FLOOR_ALIGN_RIGHT, ref->x, ref->width, own->width);

	switch (relative->direction) {
	case TN_FLOOR_RIGHT_OF:
		return (struct tn_floor_point){right, beside};
	case TN_FLOOR_LEFT_OF:
		return (struct tn_floor_point){left, beside};
	case TN_FLOOR_ABOVE:
		return (struct tn_floor_point){along, above};
	case TN_FLOOR_BELOW:
		return (struct tn_floor_point){along, below};
	case TN_FLOOR_ABOVE_RIGHT_OF:
		return (struct tn_floor_point){right, above};
	case TN_FLOOR_ABOVE_LEFT_OF:
		return (struct tn_floor_point){left, above};
	case TN_FLOOR_BELOW_RIGHT_OF:
		return (struct tn_floor_point){right, below};
	default:
		return (struct tn_floor_point){left, below};
	}
}

static const struct tn_floor_rect *reference_of(const struct node *node)
{
	if (node->ref)
		return node->ref->placed ? &node->ref->rect : NULL;
	return node->ref_rect;
}

static bool place_by_reference(const struct tn_resolver *r, const struct node *node,
			       struct tn_floor_point *ret)
{
	const struct tn_floor_rect *ref = reference_of(node);
	double gap = 0;

	if (!ref)
		return false;
	if (node->relative->has_gap)
		gap = tn_floor_to_unit(r->plan, &node->relative->gap);
	*ret = place(node->relative, gap <= TN_FLOOR_LENGTH_MAX ? gap : 0, ref, &node->rect);
	return true;
}

static const struct tn_floor_room *siblings(const struct tn_floor_room *room)
{
	return room->parent ? room->parent->rooms : room->floor->rooms;
}

/* Right of everything that has a place in the room's container. */
static struct tn_floor_point free_spot(const struct tn_floor_room *room, const struct node *nodes)
{
	struct tn_floor_point spot = {0, 0};
	bool any = false;

	for (const struct tn_floor_room *at = siblings(room); at; at = at->next) {
		const struct node *node = &nodes[at->index];
		double right = node->rect.x + node->rect.width;

		if (!node->placed)
			continue;
		spot.x = any ? fmax(spot.x, right) : right;
		spot.y = any ? fmin(spot.y, node->rect.y) : node->rect.y;
		any = true;
	}
	return spot;
}

/* ---- chains ---- */

enum { CIRCLE_SHOWN = 12 };

static void tell_circle(struct tn_resolver *r, struct node *member)
{
	struct node *first = member, *at;
	char names[(TN_FLOOR_NAME_BYTES_MAX + 4) * (CIRCLE_SHOWN + 2)];
	size_t used = 0, count = 0;
	struct tn_floor_diagnostic *one;

	for (at = member->ref; at != member; at = at->ref) {
		if (at->name < first->name)
			first = at;
	}
	at = first;
	do {
		struct tn_str name = node_name(r, at);

		if (count++ < CIRCLE_SHOWN)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%.*s -> ",
						 TN_SHOW(name));
		at = at->ref;
	} while (at != first);
	one = tn_tell_token(r, 3004, first->room, first->floor, first->relative->name,
			    "positions go round in a circle: '%s%s%.*s'; give one of them at (X,Y)",
			    names, count > CIRCLE_SHOWN ? "... -> " : "",
			    TN_SHOW(node_name(r, first)));
	if (first->room) {
		struct tn_floor_point spot = free_spot(first->room, first - first->room->index);

		tn_tell_move(r, one, first->room, spot.x, spot.y);
	}
}

/* Everything from `node` to what is placed, or has no place. */
static void walk(struct tn_resolver *r, struct node *node, struct node **stack)
{
	size_t count = 0;

	while (node && node->state == NEW) {
		node->state = WALKING;
		stack[count++] = node;
		node = node->placed || !node->wants_place ? NULL : node->ref;
	}
	if (node && node->state == WALKING)
		tell_circle(r, node); /* its members find no placed reference below */
	while (count > 0) {
		struct node *at = stack[--count];
		struct tn_floor_point point;

		if (!at->placed && at->wants_place && at->sized &&
		    place_by_reference(r, at, &point)) {
			at->rect.x = point.x;
			at->rect.y = point.y;
			at->placed = true;
		}
		at->state = DONE;
	}
}

/* ---- what is written ---- */

static void take_at(struct tn_resolver *r, struct node *node)
{
	bool good = tn_resolve_length(r, &node->at->x, 0, &node->rect.x);

	good = tn_resolve_length(r, &node->at->y, 0, &node->rect.y) && good;
	node->placed = good && node->sized;
}

static void check_align(struct tn_resolver *r, const struct node *node)
{
	const struct tn_floor_relative *relative = node->relative;
	const enum tn_floor_align align = relative->align;
	bool fits = align == TN_FLOOR_NO_ALIGN;

	if (is_beside(relative->direction))
		fits = fits || align == TN_FLOOR_ALIGN_TOP || align == TN_FLOOR_ALIGN_BOTTOM ||
		       align == TN_FLOOR_ALIGN_CENTER;
	else if (is_over_or_under(relative->direction))
		fits = fits || align == TN_FLOOR_ALIGN_LEFT || align == TN_FLOOR_ALIGN_RIGHT ||
		       align == TN_FLOOR_ALIGN_CENTER;
	if (fits)
		return;
	tn_tell_hint(tn_tell_token(r, 3007, node->room, node->floor, relative->align_token,
				   "'align %.*s' has no effect with '%.*s'",
				   TN_SHOW(tn_resolve_text(r, relative->align_token)),
				   TN_SHOW(tn_resolve_text(r, relative->word))),
		     is_beside(relative->direction) ? "align top, bottom or center goes with it"
		     : is_over_or_under(relative->direction)
			     ? "align left, right or center goes with it"
			     : "a diagonal position has no alignment");
}

static void compare_both(struct tn_resolver *r, const struct node *node)
{
	struct tn_floor_point point;
	struct tn_floor_diagnostic *one;

	if (!tn_is_written(node->at->tokens) || !tn_is_written(node->relative->tokens) ||
	    !node->placed || !place_by_reference(r, node, &point))
		return;
	if (fabs(point.x - node->rect.x) <= TN_FLOOR_SLACK &&
	    fabs(point.y - node->rect.y) <= TN_FLOOR_SLACK)
		return;
	one = tn_tell_token(r, 3006, node->room, node->floor, node->relative->word,
			    "'%.*s' is at (%s,%s), but '%.*s %.*s' would be (%s,%s); at counts",
			    TN_SHOW(node_name(r, node)), tn_resolve_number(r, node->rect.x),
			    tn_resolve_number(r, node->rect.y),
			    TN_SHOW(tn_resolve_text(r, node->relative->word)),
			    TN_SHOW(tn_resolve_text(r, node->relative->name)),
			    tn_resolve_number(r, point.x), tn_resolve_number(r, point.y));
	tn_tell_hint(one, "keep one of the two");
	if (node->room)
		tn_tell_move(r, one, node->room, point.x, point.y);
}

static void begin(struct tn_resolver *r, struct node *node)
{
	double gap;

	if (tn_is_written(node->at->tokens))
		take_at(r, node);
	else
		node->wants_place = tn_is_written(node->relative->tokens);
	if (!tn_is_written(node->relative->tokens))
		return;
	if (node->relative->has_gap)
		(void)tn_resolve_length(r, &node->relative->gap, 0, &gap);
	check_align(r, node);
}

static void resolve_nodes(struct tn_resolver *r, struct node *nodes, size_t count)
{
	struct node **stack = tn_resolve_new(r, count, sizeof(struct node *));

	if (!stack)
		return;
	for (size_t i = 0; i < count; i++)
		walk(r, &nodes[i], stack);
	for (size_t i = 0; i < count; i++)
		compare_both(r, &nodes[i]);
}

/* ---- rooms ---- */

static void find_room_reference(struct tn_resolver *r, struct node *node, struct node *nodes)
{
	struct tn_floor_room *room = node->room, *found;
	struct tn_str word;
	struct tn_near near;

	if (!tn_is_written(node->relative->tokens))
		return;
	word = tn_resolve_text(r, node->relative->name);
	found = tn_names_get(r, room->floor, word);
	if (found && found->parent == room->parent) {
		room->reference = found;
		node->ref = &nodes[found->index];
		return;
	}
	if (found) {
		tn_tell_related(
			r,
			tn_tell_token(
				r, 2004, room, room->floor, node->relative->name,
				"room '%.*s' refers to '%.*s', which is not beside it in "
				"'%.*s'; refer to a room of the same container",
				TN_SHOW(room->name), TN_SHOW(word),
				TN_SHOW(room->parent ? room->parent->name : room->floor->name)),
			(struct tn_floor_tokens){found->tree->word, found->tree->name},
			"it is here");
		return;
	}
	tn_near_init(&near, word);
	tn_near_try_rooms(r, &near, siblings(room), false);
	(void)tn_tell_token(r, 2004, room, room->floor, node->relative->name,
			    "room '%.*s' refers to unknown room '%.*s'%s", TN_SHOW(room->name),
			    TN_SHOW(word), tn_near_text(r, &near));
}

static void tell_homeless(struct tn_resolver *r, const struct tn_floor_room *room,
			  const struct node *nodes)
{
	struct tn_floor_diagnostic *one =
		tn_tell_token(r, 3003, room, room->floor, room->tree->name,
			      "room '%.*s' has no position; add at (X,Y) or e.g. right-of a room",
			      TN_SHOW(room->name));
	struct tn_floor_point spot = free_spot(room, nodes);

	tn_tell_move(r, one, room, spot.x, spot.y);
}

static void place_rooms(const struct node *nodes, struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		const struct node *node = &nodes[room->index];

		room->at = (struct tn_floor_point){node->rect.x, node->rect.y};
		room->rect.x = room->at.x;
		room->rect.y = room->at.y;
		room->placed = node->placed && (!room->parent || room->parent->placed);
		if (room->parent && room->placed) {
			room->rect.x += room->parent->rect.x;
			room->rect.y += room->parent->rect.y;
		}
		place_rooms(nodes, room->rooms); /* at most 8 deep */
	}
}

static void resolve_rooms(struct tn_resolver *r)
{
	const uint32_t count = r->plan->room_count;
	struct node *nodes = tn_resolve_new(r, count, sizeof(*nodes));

	if (!nodes)
		return;
	for (uint32_t i = 0; i < count; i++) {
		struct tn_floor_room *room = r->plan->rooms[i];

		nodes[i] = (struct node){.at = &room->tree->at,
					 .relative = &room->tree->relative,
					 .rect = room->rect,
					 .sized = room->placed,
					 .name = room->tree->name,
					 .room = room,
					 .floor = room->floor};
		begin(r, &nodes[i]);
		find_room_reference(r, &nodes[i], nodes);
	}
	resolve_nodes(r, nodes, count);
	for (uint32_t i = 0; i < count; i++) {
		if (!tn_is_written(nodes[i].at->tokens) &&
		    !tn_is_written(nodes[i].relative->tokens))
			tell_homeless(r, nodes[i].room, nodes);
	}
	for (struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next)
		place_rooms(nodes, floor->rooms);
}

/* ---- stairs and lifts ---- */

static const struct tn_floor_relative *relative_of(const struct tn_floor_circulation *one)
{
	return one->lift ? &one->lift_tree->relative : &one->stair->relative;
}

/* Top-level rooms first, then stairs and lifts of the floor. */
static void find_circulation_reference(struct tn_resolver *r, struct node *node, struct node *nodes,
				       size_t count)
{
	struct tn_str word, name = node_name(r, node);
	const struct tn_floor_room *room;
	const struct tn_floor_circulation *other;
	struct tn_near near;

	if (!tn_is_written(node->relative->tokens))
		return;
	word = tn_resolve_text(r, node->relative->name);
	room = tn_names_get(r, node->floor, word);
	if (room && !room->parent) {
		node->ref_rect = room->placed ? &room->rect : NULL;
		return;
	}
	other = tn_names_get(r, &node->floor->circulation, word);
	for (size_t i = 0; other && i < count; i++) {
		if (nodes[i].relative == relative_of(other))
			node->ref = &nodes[i];
	}
	if (other)
		return;
	tn_near_init(&near, word);
	tn_near_try_rooms(r, &near, node->floor->rooms, false);
	for (other = node->floor->circulation; other; other = other->next)
		tn_near_try(r, &near, other->name);
	(void)tn_tell_token(r, 2004, NULL, node->floor, node->relative->name,
			    "'%.*s' refers to unknown room, stair or lift '%.*s'%s", TN_SHOW(name),
			    TN_SHOW(word), tn_near_text(r, &near));
}

static void tell_unplaced(struct tn_resolver *r, struct node *node)
{
	struct tn_floor_diagnostic *one;

	if (tn_is_written(node->at->tokens) || tn_is_written(node->relative->tokens))
		return;
	one = tn_tell_token(r, 6014, NULL, node->floor, node->name,
			    "'%.*s' has no position and is put at (0,0); add at (X,Y)",
			    TN_SHOW(node_name(r, node)));
	tn_tell_hint(one, "at is the top-left corner of its bounding box");
	node->placed = node->sized;
}

static void resolve_circulation(struct tn_resolver *r, struct tn_floor_floor *floor)
{
	struct node *nodes;
	size_t count = 0, i = 0;

	for (struct tn_floor_circulation *at = floor->circulation; at; at = at->next)
		count++;
	nodes = tn_resolve_new(r, count, sizeof(*nodes));
	if (!nodes)
		return;
	for (struct tn_floor_circulation *at = floor->circulation; at; at = at->next, i++) {
		nodes[i] = (struct node){.at = at->lift ? &at->lift_tree->at : &at->stair->at,
					 .relative = relative_of(at),
					 .rect = at->rect,
					 .sized = at->placed,
					 .name = at->lift ? at->lift_tree->name : at->stair->name,
					 .floor = floor};
		begin(r, &nodes[i]);
		tell_unplaced(r, &nodes[i]);
	}
	for (i = 0; i < count; i++)
		find_circulation_reference(r, &nodes[i], nodes, count);
	resolve_nodes(r, nodes, count);
	i = 0;
	for (struct tn_floor_circulation *at = floor->circulation; at; at = at->next, i++) {
		at->rect = nodes[i].rect;
		at->placed = nodes[i].placed;
	}
}

void tn_resolve_positions(struct tn_resolver *r)
{
	resolve_rooms(r);
	for (struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next)
		resolve_circulation(r, floor);
}
