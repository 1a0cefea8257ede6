/* convert_to_relative and convert_to_absolute: the same places, said in the other way (floorplan.md
 * 8.3, 8.4). */
#include <math.h>
#include <stdio.h>

#include "apps/floorplan/edit/internal.h"

#define EXACT 1e-6 /* 8.4 */
#define SLACK 0.01 /* U: less is no overlap (4.3) */

struct candidate {
	bool is_there, moves, is_diagonal, is_shifted; /* shifted: not the default alignment */
	double gap;
	uint32_t distance; /* in order of declaration */
	unsigned direction, align;
	struct node *beside;
	double x, y; /* where the room then is */
};

enum state { WAITING, PLACED, HANGING /* on another room already */, OUT };

struct node {
	const struct tn_floor_room *room;
	enum state state;
	uint32_t index;
	double x, y, width, height;
	struct candidate best;
};

struct conversion {
	struct tn_edit *e;
	struct node *nodes;
	struct node **queue; /* of place() */
	size_t count;
	double tolerance; /* U; 0: no room may move */
};

/* ---- one relation ---- */

static bool is_better(const struct candidate *a, const struct candidate *b)
{
	if (!b->is_there)
		return true;
	if (a->moves != b->moves)
		return b->moves;
	if (a->is_diagonal != b->is_diagonal)
		return b->is_diagonal;
	if (fabs(a->gap - b->gap) > EXACT)
		return a->gap < b->gap;
	if (a->is_shifted != b->is_shifted)
		return b->is_shifted;
	return a->distance < b->distance;
}

static void offer(const struct conversion *c, struct node *room, struct candidate *candidate)
{
	double error = fmax(fabs(candidate->x - room->x), fabs(candidate->y - room->y));

	candidate->is_there = true;
	candidate->moves = error > EXACT;
	if ((!candidate->moves || error <= c->tolerance) && is_better(candidate, &room->best))
		room->best = *candidate;
}

/* As it is written, in 6 decimals; below zero: there is none. */
static double written_gap(double gap)
{
	return gap > -EXACT ? fabs(round(gap * 1e6) / 1e6) : -1;
}

static double at_start(double start, double extent, double own, unsigned which)
{
	if (which == 0)
		return start;
	return which == 1 ? start + extent - own : start + (extent - own) / 2;
}

static void try_beside(const struct conversion *c, struct node *room, struct candidate one,
		       double gap, unsigned direction)
{
	static const unsigned aligns[2][3] = {
		{TN_FLOOR_NO_ALIGN, TN_FLOOR_ALIGN_BOTTOM, TN_FLOOR_ALIGN_CENTER},
		{TN_FLOOR_NO_ALIGN, TN_FLOOR_ALIGN_RIGHT, TN_FLOOR_ALIGN_CENTER}};
	const struct node *ref = one.beside;
	bool stacks = direction == TN_FLOOR_ABOVE || direction == TN_FLOOR_BELOW;

	one.gap = written_gap(gap);
	one.direction = direction;
	if (one.gap < 0)
		return;
	for (unsigned which = 0; which < 3; which++) {
		one.align = aligns[stacks][which];
		one.is_shifted = which > 0;
		one.x = at_start(ref->x, ref->width, room->width, which);
		one.y = at_start(ref->y, ref->height, room->height, which);
		if (direction == TN_FLOOR_RIGHT_OF)
			one.x = ref->x + ref->width + one.gap;
		else if (direction == TN_FLOOR_LEFT_OF)
			one.x = ref->x - room->width - one.gap;
		else if (direction == TN_FLOOR_BELOW)
			one.y = ref->y + ref->height + one.gap;
		else
			one.y = ref->y - room->height - one.gap;
		offer(c, room, &one);
	}
}

static void try_diagonal(const struct conversion *c, struct node *room, struct candidate one,
			 double gap_x, double gap_y, unsigned direction)
{
	const struct node *ref = one.beside;
	bool right = direction == TN_FLOOR_ABOVE_RIGHT_OF || direction == TN_FLOOR_BELOW_RIGHT_OF;
	bool below = direction == TN_FLOOR_BELOW_LEFT_OF || direction == TN_FLOOR_BELOW_RIGHT_OF;

	one.gap = written_gap(gap_x);
	if (one.gap < 0 || gap_y < -EXACT)
		return;
	one.direction = direction;
	one.is_diagonal = true;
	one.x = right ? ref->x + ref->width + one.gap : ref->x - room->width - one.gap;
	one.y = below ? ref->y + ref->height + one.gap : ref->y - room->height - one.gap;
	offer(c, room, &one);
}

static void try_all(const struct conversion *c, struct node *room, struct node *ref)
{
	const struct candidate one = {.beside = ref,
				      .distance = room->index > ref->index
							  ? room->index - ref->index
							  : ref->index - room->index};
	const double right = room->x - (ref->x + ref->width);
	const double left = ref->x - (room->x + room->width);
	const double below = room->y - (ref->y + ref->height);
	const double above = ref->y - (room->y + room->height);

	try_beside(c, room, one, right, TN_FLOOR_RIGHT_OF);
	try_beside(c, room, one, left, TN_FLOOR_LEFT_OF);
	try_beside(c, room, one, above, TN_FLOOR_ABOVE);
	try_beside(c, room, one, below, TN_FLOOR_BELOW);
	if (room->best.is_there && !room->best.is_diagonal && !room->best.moves)
		return;
	try_diagonal(c, room, one, right, above, TN_FLOOR_ABOVE_RIGHT_OF);
	try_diagonal(c, room, one, left, above, TN_FLOOR_ABOVE_LEFT_OF);
	try_diagonal(c, room, one, right, below, TN_FLOOR_BELOW_RIGHT_OF);
	try_diagonal(c, room, one, left, below, TN_FLOOR_BELOW_LEFT_OF);
}

/* ---- the text ---- */

static bool write_relative(struct tn_edit *e, const struct node *node)
{
	const struct tn_floor_room_tree *tree = node->room->tree;
	const struct tn_edit_relative relative = {.direction = node->best.direction,
						  .align = node->best.align,
						  .reference = node->best.beside->room->name,
						  .has_gap = node->best.gap > 0,
						  .gap = {.number = node->best.gap}};
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	tn_edit_put_relative(&out, &relative);
	text = tn_edit_keep(e, &out);
	if (!text.data || !tn_edit_cut_clause(e, tree->at.tokens) ||
	    (tn_edit_written(tree->relative.tokens) &&
	     !tn_edit_cut_clause(e, tree->relative.tokens)))
		return false;
	tn_edit_affect_room(e, node->room, node->best.moves ? "moved" : "updated");
	return tn_edit_put_behind(e,
				  tn_edit_written(tree->walls.tokens) ? tree->walls.tokens.last
								      : tree->size_clause.last,
				  text);
}

/* ---- all of a container ---- */

/* What hangs on a room that is placed now is placed, too, and has moved with it. */
static void place(struct conversion *c, struct node *node, double x, double y)
{
	size_t used = 0;

	node->state = PLACED;
	node->x = x;
	node->y = y;
	c->queue[used++] = node;
	while (used > 0) {
		struct node *on = c->queue[--used];

		for (size_t i = 0; i < c->count; i++) {
			struct node *other = &c->nodes[i];

			if (other->state == WAITING)
				try_all(c, other, on);
			if (other->state != HANGING || other->room->reference != on->room)
				continue;
			other->state = PLACED;
			other->x += on->x - on->room->at.x;
			other->y += on->y - on->room->at.y;
			c->queue[used++] = other;
		}
	}
}

static bool convert(struct conversion *c, struct node *anchor)
{
	place(c, anchor, anchor->x, anchor->y);
	for (;;) {
		struct node *best = NULL;

		for (size_t i = 0; i < c->count; i++) {
			struct node *node = &c->nodes[i];

			if (node->state == WAITING && node->best.is_there &&
			    (!best || is_better(&node->best, &best->best)))
				best = node;
		}
		if (!best)
			return true;
		if (!write_relative(c->e, best))
			return false;
		place(c, best, best->best.x, best->best.y);
	}
}

static bool overlap(const struct node *a, const struct node *b)
{
	return a->x + a->width - b->x > SLACK && b->x + b->width - a->x > SLACK &&
	       a->y + a->height - b->y > SLACK && b->y + b->height - a->y > SLACK;
}

static bool check_places(struct conversion *c)
{
	char list[300] = "";
	size_t used = 0;

	for (size_t i = 0; i < c->count; i++) {
		bool bad = !c->nodes[i].room->placed;

		for (size_t k = 0; k < c->count && !bad; k++)
			bad = k != i && overlap(&c->nodes[i], &c->nodes[k]);
		if (!bad)
			continue;
		if (used + c->nodes[i].room->name.size + 8 > sizeof(list)) {
			(void)snprintf(list + used, sizeof(list) - used, ", ...");
			break;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s",
					 used ? ", " : "", (int)c->nodes[i].room->name.size,
					 c->nodes[i].room->name.data);
	}
	return used == 0 || tn_edit_fail(c->e, 9004, "params/anchorRoom",
					 "rooms without a place, or that overlap: %s", list);
}

/* ---- reading ---- */

static const struct tn_json *targets_of(struct tn_edit *e, bool *ret_good)
{
	const struct tn_json *targets = tn_edit_param(e->params, "targetRooms");

	*ret_good = !targets || tn_json_is(targets, TN_JSON_ARRAY) ||
		    tn_edit_fail(e, 9001, "params/targetRooms",
				 "'targetRooms' must be an array of names");
	return targets;
}

/* The room that element `index` of targetRooms means. */
static bool read_target(struct tn_edit *e, const struct tn_json *element, unsigned index,
			const struct tn_floor_room **ret)
{
	char path[40];
	struct tn_str name;

	(void)snprintf(path, sizeof(path), "params/targetRooms/%u", index);
	return (tn_json_to_str(element, &name) ||
		tn_edit_fail(e, 9001, path, "a target must be the name of a room")) &&
	       tn_edit_room(e, name, path, ret);
}

static struct node *node_of(const struct conversion *c, const struct tn_floor_room *room)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->nodes[i].room == room)
			return &c->nodes[i];
	}
	return NULL;
}

static bool take_targets(struct conversion *c, const struct tn_json *targets)
{
	unsigned index = 0;

	for (const struct tn_json *at = targets->first; at; at = at->next, index++) {
		const struct tn_floor_room *room;
		struct node *node;

		if (!read_target(c->e, at, index, &room))
			return false;
		node = node_of(c, room);
		if (!node)
			return tn_edit_fail(c->e, 9004, "params/targetRooms",
					    "'%.*s' does not lie beside the anchor: it is in "
					    "another room or on another floor",
					    TN_EDIT_SHOW(room->name));
		node->state = WAITING;
	}
	return true;
}

static bool collect(struct conversion *c, const struct tn_floor_room *anchor, bool all)
{
	const struct tn_floor_room *at;

	for (at = tn_edit_siblings(anchor); at; at = at->next)
		c->count++;
	c->nodes = tn_arena_alloc_array(c->e->arena, c->count, sizeof(*c->nodes));
	c->queue = tn_arena_alloc_array(c->e->arena, c->count, sizeof(struct node *));
	if (!c->nodes || !c->queue)
		return tn_edit_starve(c->e);
	c->count = 0;
	for (at = tn_edit_siblings(anchor); at; at = at->next) {
		c->nodes[c->count] = (struct node){.room = at,
						   .state = all ? WAITING : OUT,
						   .index = (uint32_t)c->count,
						   .x = at->at.x,
						   .y = at->at.y,
						   .width = at->rect.width,
						   .height = at->rect.height};
		c->count++;
	}
	return true;
}

static bool read_tolerance(struct conversion *c)
{
	const struct tn_json *value = tn_edit_param(c->e->params, "alignmentTolerance");
	struct tn_edit_length length;

	if (!value)
		return true; /* its default of 1 never moves a room: 8.4 wants it told */
	if (!tn_edit_length(c->e, value, "params/alignmentTolerance", false, &length))
		return false;
	c->tolerance = length.in_plan;
	return length.in_plan >= 0 || tn_edit_fail(c->e, 9004, "params/alignmentTolerance",
						   "'alignmentTolerance' must not be below 0");
}

/* Clauses that say so already stay as they are. */
static void set_hanging(struct conversion *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct tn_floor_room_tree *tree = c->nodes[i].room->tree;

		if (tn_edit_written(tree->relative.tokens) && !tn_edit_written(tree->at.tokens))
			c->nodes[i].state = HANGING;
	}
}

/* The anchor hangs on nothing, or what is put beside it might hang on itself. */
static bool pin_anchor(struct tn_edit *e, const struct tn_floor_room *anchor)
{
	const struct tn_floor_room_tree *tree = anchor->tree;

	if (tn_edit_written(tree->at.tokens))
		return true;
	tn_edit_affect_room(e, anchor, "pinned");
	return tn_edit_pin(e, tree->name, &tree->at, &tree->relative, anchor->at.x, anchor->at.y);
}

static bool convert_all(struct conversion *c, const struct tn_floor_room *anchor)
{
	set_hanging(c);
	node_of(c, anchor)->state = OUT;
	if (!check_places(c) || !convert(c, node_of(c, anchor)))
		return false;
	if (c->e->cut_count > 0 && !pin_anchor(c->e, anchor))
		return false;
	for (size_t i = 0; i < c->count; i++) {
		if (c->nodes[i].state == WAITING)
			tn_edit_affect_room(c->e, c->nodes[i].room, "kept");
	}
	return true;
}

bool tn_edit_to_relative(struct tn_edit *e)
{
	static const char *const fields[] = {"anchorRoom", "alignmentTolerance", "targetRooms",
					     NULL};
	struct conversion c = {.e = e};
	const struct tn_floor_room *anchor;
	const struct tn_json *targets;
	struct tn_str name = tn_str(NULL, 0);
	bool good;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_text(e, "anchorRoom", &name))
		return false;
	if (!name.data)
		return tn_edit_missing(e, "params/anchorRoom");
	targets = targets_of(e, &good);
	if (!good || !tn_edit_room(e, name, "params/anchorRoom", &anchor) || !read_tolerance(&c) ||
	    !collect(&c, anchor, !targets) || (targets && !take_targets(&c, targets)))
		return false;
	return convert_all(&c, anchor);
}

/* ---- to absolute ---- */

static bool free_room(struct tn_edit *e, const struct tn_floor_room *room, bool is_wanted)
{
	const struct tn_floor_room_tree *tree = room->tree;

	if (!tn_edit_written(tree->relative.tokens))
		return true;
	if (!room->placed && !tn_edit_written(tree->at.tokens)) {
		if (is_wanted)
			return tn_edit_fail(e, 9007, "params/targetRooms",
					    "'%.*s' has no place that could be written",
					    TN_EDIT_SHOW(room->name));
		tn_edit_affect_room(e, room, "kept");
		return true;
	}
	tn_edit_affect_room(e, room, "pinned");
	return tn_edit_pin(e, tree->name, &tree->at, &tree->relative, room->at.x, room->at.y);
}

static bool free_stair(struct tn_edit *e, const struct tn_floor_circulation *one)
{
	const struct tn_floor_at *at = one->lift ? &one->lift_tree->at : &one->stair->at;
	const struct tn_floor_relative *relative =
		one->lift ? &one->lift_tree->relative : &one->stair->relative;

	if (!tn_edit_written(relative->tokens))
		return true;
	if (!one->placed && !tn_edit_written(at->tokens)) {
		tn_edit_affect_stair(e, one, "kept");
		return true;
	}
	tn_edit_affect_stair(e, one, "pinned");
	return tn_edit_pin(e, one->lift ? one->lift_tree->name : one->stair->name, at, relative,
			   one->rect.x, one->rect.y);
}

static bool free_floor(struct tn_edit *e, const struct tn_floor_floor *floor)
{
	for (uint32_t i = 0; i < e->plan->room_count; i++) {
		const struct tn_floor_room *room = e->plan->rooms[i];

		if (room->floor == floor && !free_room(e, room, false))
			return false;
	}
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		if (!free_stair(e, at))
			return false;
	}
	return true;
}

static bool free_targets(struct tn_edit *e, const struct tn_json *targets)
{
	bool *seen = tn_arena_alloc(e->arena, e->plan->room_count + 1);
	unsigned index = 0;

	if (!seen)
		return tn_edit_starve(e);
	for (const struct tn_json *at = targets->first; at; at = at->next, index++) {
		const struct tn_floor_room *room;

		if (!read_target(e, at, index, &room))
			return false;
		if (!seen[room->index] && !free_room(e, room, true))
			return false;
		seen[room->index] = true;
	}
	return true;
}

bool tn_edit_to_absolute(struct tn_edit *e)
{
	static const char *const fields[] = {"targetRooms", NULL};
	const struct tn_floor_floor *floor = NULL;
	const struct tn_json *targets;
	bool good;

	if (!tn_edit_only(e, e->params, "params", fields))
		return false;
	targets = targets_of(e, &good);
	if (!good)
		return false;
	if (targets)
		return free_targets(e, targets);
	if (e->floor_name.size > 0 && !tn_edit_floor(e, e->floor_name, "floor", &floor))
		return false;
	for (const struct tn_floor_floor *at = e->plan->floors; at; at = at->next) {
		if ((!floor || at == floor) && !free_floor(e, at))
			return false;
	}
	return true;
}
