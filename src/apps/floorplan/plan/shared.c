/* Walls that two rooms share (floorplan.md 4.4). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/resolve.h"

#include "apps/floorplan/limits.h"

struct tn_floor_span tn_room_side(const struct tn_floor_room *room, enum tn_floor_side side)
{
	const struct tn_floor_rect *rect = &room->rect;

	switch (side) {
	case TN_FLOOR_TOP:
		return (struct tn_floor_span){side, rect->y, rect->x, rect->x + rect->width};
	case TN_FLOOR_BOTTOM:
		return (struct tn_floor_span){side, rect->y + rect->height, rect->x,
					      rect->x + rect->width};
	case TN_FLOOR_LEFT:
		return (struct tn_floor_span){side, rect->x, rect->y, rect->y + rect->height};
	default:
		return (struct tn_floor_span){side, rect->x + rect->width, rect->y,
					      rect->y + rect->height};
	}
}

bool tn_sides_meet(const struct tn_resolver *r, const struct tn_floor_span *a,
		   const struct tn_floor_span *b, struct tn_floor_span *ret)
{
	/* No fmin: it is a call, and rooms in a heap ask millions of times. */
	*ret = (struct tn_floor_span){a->side, (a->line + b->line) / 2,
				      a->start > b->start ? a->start : b->start,
				      a->end < b->end ? a->end : b->end};
	/* 1e-9: what adding up sizes has lost must not part two rooms. */
	return fabs(a->line - b->line) <= r->tolerance + 1e-9 &&
	       ret->end - ret->start > TN_FLOOR_SLACK;
}

/* ---- all shared walls of a floor ---- */

struct search {
	struct tn_resolver *r;
	struct tn_floor_shared *found;
	size_t found_count;
};

static int by_line(const void *a, const void *b)
{
	const struct tn_edge *first = a, *second = b;

	if (first->span.line != second->span.line)
		return first->span.line < second->span.line ? -1 : 1;
	return first->room->index < second->room->index ? -1
							: first->room->index > second->room->index;
}

size_t tn_edges_fill(const struct tn_floor_room *first, enum tn_floor_side side,
		     struct tn_edge *edges)
{
	size_t count = 0;

	for (const struct tn_floor_room *room = first; room; room = room->next) {
		if (room->placed)
			edges[count++] = (struct tn_edge){tn_room_side(room, side), room};
	}
	qsort(edges, count, sizeof(*edges), by_line);
	return count;
}

size_t tn_edges_from(const struct tn_edge *edges, size_t count, double line)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (edges[middle].span.line < line)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

const struct tn_edges *tn_floor_edges(struct tn_resolver *r, const struct tn_floor_floor *floor,
				      enum tn_floor_side side)
{
	struct tn_edges *edges = &r->edges[floor->index * 4 + side];
	size_t count = 0;

	if (edges->list)
		return edges;
	for (const struct tn_floor_room *room = floor->rooms; room; room = room->next)
		count++;
	edges->list = tn_resolve_new(r, count, sizeof(*edges->list));
	if (!edges->list)
		return NULL;
	edges->count = tn_edges_fill(floor->rooms, side, edges->list);
	return edges;
}

static void add_shared(struct search *search, const struct tn_floor_room *room,
		       const struct tn_edge *edge, const struct tn_floor_span *common)
{
	bool in_order = room->index < edge->room->index;

	search->found[search->found_count++] = (struct tn_floor_shared){
		.a = in_order ? room : edge->room,
		.b = in_order ? edge->room : room,
		.a_side = in_order ? common->side : tn_opposite(common->side),
		.b_side = in_order ? tn_opposite(common->side) : common->side,
		.line = common->line,
		.start = common->start,
		.end = common->end};
}

/* Every right (bottom) side against the left (top) sides that are near its line. */
static void search_sides(struct search *search, const struct tn_floor_floor *floor,
			 enum tn_floor_side side)
{
	const double reach = search->r->tolerance + 1e-9;
	const struct tn_edges *edges = tn_floor_edges(search->r, floor, tn_opposite(side));

	if (!edges)
		return;
	for (const struct tn_floor_room *room = floor->rooms; room; room = room->next) {
		struct tn_floor_span own = tn_room_side(room, side), common;

		if (!room->placed)
			continue;
		for (size_t i = tn_edges_from(edges->list, edges->count, own.line - reach);
		     i < edges->count && edges->list[i].span.line <= own.line + reach &&
		     search->found_count < TN_FLOOR_PAIRS_MAX;
		     i++) {
			const struct tn_edge *edge = &edges->list[i];

			if (edge->room != room &&
			    tn_sides_meet(search->r, &own, &edge->span, &common))
				add_shared(search, room, edge, &common);
		}
	}
}

/* By the rooms, the longest wall of a pair first. */
static int by_rooms(const void *a, const void *b)
{
	const struct tn_floor_shared *first = a, *second = b;
	const double longer = (second->end - second->start) - (first->end - first->start);

	if (first->a != second->a)
		return first->a->index < second->a->index ? -1 : 1;
	if (first->b != second->b)
		return first->b->index < second->b->index ? -1 : 1;
	if (longer != 0)
		return longer > 0 ? 1 : -1;
	return (int)first->a_side - (int)second->a_side;
}

static void keep(struct search *search, struct tn_floor_floor *floor)
{
	struct tn_floor_shared *kept;
	size_t count = 0;

	qsort(search->found, search->found_count, sizeof(*search->found), by_rooms);
	kept = tn_resolve_new(search->r, search->found_count, sizeof(*kept));
	if (!kept)
		return;
	for (size_t i = 0; i < search->found_count; i++) {
		if (count > 0 && kept[count - 1].a == search->found[i].a &&
		    kept[count - 1].b == search->found[i].b)
			continue;
		kept[count] = search->found[i];
		if (count > 0)
			kept[count - 1].next = &kept[count];
		count++;
	}
	floor->shared = count > 0 ? kept : NULL;
	search->r->shared[floor->index] = kept;
	search->r->shared_counts[floor->index] = count;
}

void tn_resolve_shared(struct tn_resolver *r)
{
	struct search search = {.r = r};
	/* Each side meets a handful of others unless rooms overlap. */
	size_t most = (size_t)r->plan->top_room_count * r->plan->top_room_count;

	r->shared = tn_resolve_new(r, r->plan->floor_count, sizeof(struct tn_floor_shared *));
	r->shared_counts = tn_resolve_new(r, r->plan->floor_count, sizeof(size_t));
	r->edges = tn_resolve_new(r, (size_t)r->plan->floor_count * 4, sizeof(*r->edges));
	search.found = tn_resolve_new(r, most < TN_FLOOR_PAIRS_MAX ? most : TN_FLOOR_PAIRS_MAX,
				      sizeof(*search.found));
	if (!r->shared || !r->shared_counts || !r->edges || !search.found)
		return;
	for (struct tn_floor_floor *floor = r->plan->floors; floor && !r->list->starved;
	     floor = floor->next) {
		search.found_count = 0;
		search_sides(&search, floor, TN_FLOOR_RIGHT);
		search_sides(&search, floor, TN_FLOOR_BOTTOM);
		keep(&search, floor);
	}
}

/* ---- what their rooms say of them ---- */

static struct tn_floor_shared *find_shared(struct tn_resolver *r,
					   const struct tn_floor_floor *floor,
					   const struct tn_floor_room *a,
					   const struct tn_floor_room *b)
{
	struct tn_floor_shared *all = r->shared[floor->index];
	size_t low = 0, high = r->shared_counts[floor->index];

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tn_floor_shared *at = &all[middle];

		if (at->a == a && at->b == b)
			return &all[middle];
		if (at->a->index < a->index || (at->a == a && at->b->index < b->index))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void mark_joined(struct tn_resolver *r, const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *from = opening->from, *to = opening->to;
	struct tn_floor_shared *shared;

	if (opening->kind != TN_FLOOR_OPENING_GAP || !opening->drawn || !from || !to)
		return;
	shared = from->index < to->index ? find_shared(r, opening->floor, from, to)
					 : find_shared(r, opening->floor, to, from);
	if (shared && opening->side == (shared->a == from ? shared->a_side : shared->b_side))
		shared->joined = true;
}

/* What is drawn where two rooms disagree (6.4): the higher one. */
static unsigned strength(enum tn_floor_wall_type type)
{
	static const unsigned strengths[] = {1, 3, 2, 0};

	return strengths[type];
}

static void tell_types(struct tn_resolver *r, const struct tn_floor_shared *shared,
		       const struct tn_floor_floor *floor)
{
	const struct tn_floor_room *a = shared->a, *b = shared->b;
	const enum tn_floor_wall_type a_type = a->walls[shared->a_side];
	const enum tn_floor_wall_type b_type = b->walls[shared->b_side];
	const bool a_gives_way = strength(a_type) < strength(b_type);
	struct tn_floor_diagnostic *one;

	one = tn_tell_token(r, 4010, b, floor, b->tree->name,
			    "the wall between '%.*s' and '%.*s' is '%s' for the one and '%s' for "
			    "the other; it is drawn as '%s'",
			    TN_SHOW(a->name), TN_SHOW(b->name), tn_floor_wall_name(a_type),
			    tn_floor_wall_name(b_type),
			    tn_floor_wall_name(a_gives_way ? b_type : a_type));
	tn_tell_related(r, one, (struct tn_floor_tokens){a->tree->word, a->tree->name},
			"the other room");
	tn_tell_fix(r, one,
		    "{\"action\":\"update_walls\",\"target\":\"%.*s.%.*s\",\"params\":{\"%s\":"
		    "\"%s\"}}",
		    TN_SHOW(floor->name), TN_SHOW(a_gives_way ? a->name : b->name),
		    tn_floor_side_name(a_gives_way ? shared->a_side : shared->b_side),
		    tn_floor_wall_name(a_gives_way ? b_type : a_type));
}

void tn_resolve_shared_types(struct tn_resolver *r)
{
	for (const struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
			mark_joined(r, at);
		for (const struct tn_floor_shared *at = floor->shared; at; at = at->next) {
			if (at->a->walls[at->a_side] != at->b->walls[at->b_side] && !at->joined)
				tell_types(r, at, floor);
			if (fabs(at->a->height - at->b->height) > 1e-9)
				(void)tn_tell_token(
					r, 4011, at->b, floor, at->b->tree->name,
					"'%.*s' is %s %s high and '%.*s', which shares a wall with "
					"it, %s",
					TN_SHOW(at->a->name), tn_resolve_number(r, at->a->height),
					tn_floor_unit_name(r->plan->unit), TN_SHOW(at->b->name),
					tn_resolve_number(r, at->b->height));
		}
	}
}
