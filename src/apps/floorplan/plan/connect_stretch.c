/* Which stretch of wall a connection stands in (floorplan.md 4.5). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/connect.h"

/* ---- two rooms: the wall they share ---- */

static bool find_shared(const struct tn_resolver *r, struct tn_way *way)
{
	const enum tn_floor_side from_side = way->tree->from.side, to_side = way->tree->to.side;
	double longest = 0;

	for (unsigned i = 0; i < 4; i++) {
		const enum tn_floor_side side = (enum tn_floor_side)i;
		struct tn_floor_span a = tn_room_side(way->from, side);
		struct tn_floor_span b = tn_room_side(way->to, tn_opposite(side)), common;

		if ((from_side != TN_FLOOR_NO_SIDE && from_side != side) ||
		    (to_side != TN_FLOOR_NO_SIDE && to_side != tn_opposite(side)))
			continue;
		if (tn_sides_meet(r, &a, &b, &common) && common.end - common.start > longest) {
			longest = common.end - common.start;
			way->stretch = common;
		}
	}
	return longest > 0;
}

static void tell_no_wall(struct tn_resolver *r, const struct tn_way *way)
{
	struct tn_floor_range range = tn_resolve_range(r, way->tree->tokens);
	bool sides =
		way->tree->from.side != TN_FLOOR_NO_SIDE || way->tree->to.side != TN_FLOOR_NO_SIDE;

	tn_tell_hint(tn_tell(r, 4003, NULL, way->floor, &range,
			     "'%.*s' and '%.*s' share no wall%s; the connection is not drawn",
			     TN_SHOW(way->from->name), TN_SHOW(way->to->name),
			     sides ? " on the sides named" : ""),
		     sides ? "leave the sides out, or move the rooms together"
			   : "move the rooms together");
}

/* ---- no side known: the longest stretch that no other room of the container takes ---- */

static int by_start(const void *a, const void *b)
{
	const struct tn_floor_span *first = a, *second = b;

	return first->start < second->start ? -1 : first->start > second->start;
}

struct container { /* the rooms beside each other, for one side of theirs */
	struct tn_resolver *r;
	struct tn_edge *edges; /* the opposite sides, by line */
	size_t count;
	struct tn_floor_span *taken;
};

static struct tn_floor_span longest_free(struct container *container,
					 const struct tn_floor_room *room, enum tn_floor_side side)
{
	const double reach = container->r->tolerance + 1e-9;
	struct tn_floor_span own = tn_room_side(room, side), best = own;
	struct tn_floor_span *taken = container->taken;
	double from = own.start;
	size_t count = 0;

	for (size_t i = tn_edges_from(container->edges, container->count, own.line - reach);
	     i < container->count && container->edges[i].span.line <= own.line + reach; i++) {
		if (container->edges[i].room != room &&
		    tn_sides_meet(container->r, &own, &container->edges[i].span, &taken[count]))
			count++;
	}
	qsort(taken, count, sizeof(*taken), by_start);
	best.end = best.start;
	for (size_t i = 0; i <= count; i++) {
		double to = i < count ? taken[i].start : own.end;

		if (to - from > best.end - best.start) {
			best.start = from;
			best.end = to;
		}
		if (i < count)
			from = fmax(from, taken[i].end);
	}
	return best;
}

static void find_free(struct tn_resolver *r, const struct tn_floor_room *first)
{
	static const enum tn_floor_side order[] = {TN_FLOOR_BOTTOM, TN_FLOOR_TOP, TN_FLOOR_LEFT,
						   TN_FLOOR_RIGHT};
	struct container container = {.r = r};
	size_t count = 0;

	for (const struct tn_floor_room *room = first; room; room = room->next)
		count++;
	container.edges = tn_resolve_new(r, count, sizeof(*container.edges));
	container.taken = tn_resolve_new(r, count, sizeof(*container.taken));
	if (!container.edges || !container.taken)
		return;
	for (unsigned i = 0; i < 4; i++) {
		container.count = tn_edges_fill(first, tn_opposite(order[i]), container.edges);
		for (const struct tn_floor_room *room = first; room; room = room->next) {
			struct tn_floor_free *best = &r->free_spans[room->index];
			struct tn_floor_span span;

			if (!room->placed)
				continue;
			span = longest_free(&container, room, order[i]);
			if (!best->known ||
			    span.end - span.start > best->span.end - best->span.start + 1e-9)
				*best = (struct tn_floor_free){true, span};
		}
	}
}

/* Looked for once a container: a plan may have 10,000 connections. */
static const struct tn_floor_span *free_span(struct tn_resolver *r,
					     const struct tn_floor_room *room)
{
	struct tn_floor_free *own = &r->free_spans[room->index];

	if (!own->known)
		find_free(r, room->parent ? room->parent->rooms : room->floor->rooms);
	if (!own->known)
		return NULL;
	/* All sides are taken: its bottom, whatever is behind it. */
	if (own->span.end - own->span.start <= TN_FLOOR_SLACK)
		own->span = tn_room_side(room, TN_FLOOR_BOTTOM);
	return &own->span;
}

static bool choose_side(struct tn_resolver *r, struct tn_way *way, const struct tn_floor_room *room)
{
	const struct tn_floor_span *span = free_span(r, room);
	struct tn_floor_range range = tn_resolve_range(r, way->tree->tokens);

	if (!span)
		return false;
	way->stretch = *span;
	tn_tell_hint(tn_tell(r, 4004, room, way->floor, &range,
			     "no side is named; the connection is put into the '%s' side of '%.*s'",
			     tn_floor_side_name(span->side), TN_SHOW(room->name)),
		     "write the side behind the room: Room.top, .right, .bottom or .left");
	return true;
}

bool tn_connect_stretch(struct tn_resolver *r, struct tn_way *way)
{
	const struct tn_floor_room *from = way->from, *to = way->to, *room;
	const struct tn_floor_end *end;

	if ((from && !from->placed) || (to && !to->placed))
		return false; /* why is told elsewhere */
	if (from && to && from->parent != to && to->parent != from) {
		if (find_shared(r, way))
			return true;
		tell_no_wall(r, way);
		return false;
	}
	room = !to || (from && from->parent == to) ? from : to; /* the sub-room of the two */
	end = room == from ? &way->tree->from : &way->tree->to;
	if (end->side == TN_FLOOR_NO_SIDE)
		return choose_side(r, way, room);
	way->stretch = tn_room_side(room, end->side);
	return true;
}
