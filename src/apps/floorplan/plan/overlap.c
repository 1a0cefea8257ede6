/* Rooms that lie over each other, and sub-rooms that stand out of their parents
 * (floorplan.md 4.3). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/resolve.h"

#include "apps/floorplan/limits.h"

static int by_left(const void *a, const void *b)
{
	const struct tn_floor_room *first = *(const struct tn_floor_room *const *)a;
	const struct tn_floor_room *second = *(const struct tn_floor_room *const *)b;

	if (first->rect.x != second->rect.x)
		return first->rect.x < second->rect.x ? -1 : 1;
	return first->index < second->index ? -1 : first->index > second->index;
}

static double common(double a, double a_size, double b, double b_size)
{
	const double a_end = a + a_size, b_end = b + b_size;

	return (a_end < b_end ? a_end : b_end) - (a > b ? a : b);
}

/* Beyond TN_FLOOR_PAIRS_MAX they are only counted: nobody reads them, and there may be millions. */
static void tell_overlap(struct tn_resolver *r, const struct tn_floor_room *a,
			 const struct tn_floor_room *b, size_t *told)
{
	const struct tn_floor_room *first = a->index < b->index ? a : b,
				   *later = first == a ? b : a;
	struct tn_floor_diagnostic *one;

	if (common(a->rect.x, a->rect.width, b->rect.x, b->rect.width) <= TN_FLOOR_SLACK)
		return;
	if ((*told)++ >= TN_FLOOR_PAIRS_MAX) {
		r->list->counts[TN_FLOOR_WARNING]++;
		return;
	}
	one = tn_tell_token(
		r, 3010, later, later->floor, later->tree->name,
		"room '%.*s' overlaps '%.*s' by %s x %s %s; move or shrink one of them",
		TN_SHOW(later->name), TN_SHOW(first->name),
		tn_resolve_number(r, common(a->rect.x, a->rect.width, b->rect.x, b->rect.width)),
		tn_resolve_number(r, common(a->rect.y, a->rect.height, b->rect.y, b->rect.height)),
		tn_floor_unit_name(r->plan->unit));
	tn_tell_related(r, one, (struct tn_floor_tokens){first->tree->word, first->tree->name},
			"the other room");
}

struct box { /* side by side in memory: a heap of rooms is looked through millions of times */
	double right, top, bottom;
	const struct tn_floor_room *room;
};

/* A sweep over x: `open` holds the rooms that the line stands in. */
static void sweep(struct tn_resolver *r, const struct tn_floor_room **rooms, size_t count,
		  struct box *open, size_t *told)
{
	size_t open_count = 0;

	qsort(rooms, count, sizeof(*rooms), by_left);
	for (size_t i = 0; i < count; i++) {
		const struct tn_floor_rect *rect = &rooms[i]->rect;
		const struct box own = {rect->x + rect->width, rect->y, rect->y + rect->height,
					rooms[i]};
		size_t kept = 0;

		for (size_t k = 0; k < open_count; k++) {
			const struct box *other = &open[k];
			const double low = own.top > other->top ? own.top : other->top;
			const double high = own.bottom < other->bottom ? own.bottom : other->bottom;

			if (other->right - rect->x <= TN_FLOOR_SLACK)
				continue;
			open[kept++] = *other;
			if (high - low > TN_FLOOR_SLACK)
				tell_overlap(r, open[kept - 1].room, rooms[i], told);
		}
		open_count = kept;
		open[open_count++] = own;
	}
}

static void check_inside(struct tn_resolver *r, const struct tn_floor_room *room)
{
	const struct tn_floor_rect *parent = &room->parent->rect;
	const double over_x = room->at.x + room->rect.width - parent->width;
	const double over_y = room->at.y + room->rect.height - parent->height;
	struct tn_floor_diagnostic *one;

	if (room->at.x >= -TN_FLOOR_SLACK && room->at.y >= -TN_FLOOR_SLACK &&
	    over_x <= TN_FLOOR_SLACK && over_y <= TN_FLOOR_SLACK)
		return;
	one = tn_tell_token(r, 3011, room, room->floor, room->tree->name,
			    "sub-room '%.*s' stands out of '%.*s'; its place counts from the "
			    "parent's top-left corner",
			    TN_SHOW(room->name), TN_SHOW(room->parent->name));
	if (room->rect.width <= parent->width && room->rect.height <= parent->height)
		tn_tell_move(r, one, room,
			     fmin(fmax(room->at.x, 0), parent->width - room->rect.width),
			     fmin(fmax(room->at.y, 0), parent->height - room->rect.height));
}

struct memory {
	const struct tn_floor_room **rooms; /* enough for all rooms of the plan */
	struct box *open;
	size_t told;
};

static void check_container(struct tn_resolver *r, const struct tn_floor_room *first,
			    struct memory *memory)
{
	size_t count = 0;

	for (const struct tn_floor_room *room = first; room; room = room->next) {
		if (!room->placed)
			continue;
		memory->rooms[count++] = room;
		if (room->parent)
			check_inside(r, room);
	}
	sweep(r, memory->rooms, count, memory->open, &memory->told);
	for (const struct tn_floor_room *room = first; room; room = room->next) {
		if (room->rooms)
			check_container(r, room->rooms, memory); /* at most 8 deep */
	}
}

void tn_resolve_containers(struct tn_resolver *r)
{
	const size_t count = r->plan->room_count;
	struct memory memory = {tn_resolve_new(r, count, sizeof(struct tn_floor_room *)),
				tn_resolve_new(r, count, sizeof(struct box)), 0};

	if (!memory.rooms || !memory.open)
		return;
	for (const struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next)
		check_container(r, floor->rooms, &memory);
}
