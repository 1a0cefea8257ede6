/* Stairs and lifts where they stand: moved to their places, inside a room, not over each other
 * (floorplan.md 4.6). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/resolve.h"

#include "apps/floorplan/limits.h"

static uint32_t name_of(const struct tn_floor_circulation *one)
{
	return one->lift ? one->lift_tree->name : one->stair->name;
}

static void move(struct tn_floor_circulation *one)
{
	const struct tn_floor_rect *rect = &one->rect;

	for (unsigned i = 0; i < one->flight_count; i++) {
		struct tn_floor_flight *flight = &one->flights[i];

		for (unsigned k = 0; k < 4; k++) {
			flight->corners[k].x += rect->x;
			flight->corners[k].y += rect->y;
		}
		flight->pivot.x += rect->x;
		flight->pivot.y += rect->y;
	}
	for (unsigned i = 0; i < one->path_count; i++) {
		one->path[i].x += rect->x;
		one->path[i].y += rect->y;
	}
}

/* ---- FP6006 ---- */

static bool is_inside(const struct tn_floor_rect *a, const struct tn_floor_rect *b)
{
	return a->x >= b->x - TN_FLOOR_SLACK && a->y >= b->y - TN_FLOOR_SLACK &&
	       a->x + a->width <= b->x + b->width + TN_FLOOR_SLACK &&
	       a->y + a->height <= b->y + b->height + TN_FLOOR_SLACK;
}

static void check_room(struct tn_resolver *r, const struct tn_floor_circulation *one,
		       uint32_t first_room)
{
	for (uint32_t i = first_room;
	     i < r->plan->room_count && r->plan->rooms[i]->floor == one->floor; i++) {
		if (r->plan->rooms[i]->placed && is_inside(&one->rect, &r->plan->rooms[i]->rect))
			return;
	}
	tn_tell_hint(tn_tell_token(r, 6006, NULL, one->floor, name_of(one),
				   "%s '%.*s' (%s x %s %s) is not inside any room",
				   one->lift ? "lift" : "stair", TN_SHOW(one->name),
				   tn_resolve_number(r, one->rect.width),
				   tn_resolve_number(r, one->rect.height),
				   tn_floor_unit_name(r->plan->unit)),
		     "move it, or make the room around it larger");
}

/* ---- FP6007 ---- */

static int by_left(const void *a, const void *b)
{
	const struct tn_floor_circulation *first = *(const struct tn_floor_circulation *const *)a;
	const struct tn_floor_circulation *second = *(const struct tn_floor_circulation *const *)b;

	if (first->rect.x != second->rect.x)
		return first->rect.x < second->rect.x ? -1 : 1;
	return name_of(first) < name_of(second) ? -1 : 1;
}

static void check_pair(struct tn_resolver *r, const struct tn_floor_circulation *a,
		       const struct tn_floor_circulation *b, size_t *told)
{
	const struct tn_floor_circulation *first = name_of(a) < name_of(b) ? a : b;
	const struct tn_floor_circulation *later = first == a ? b : a;
	const double wide = fmin(a->rect.x + a->rect.width, b->rect.x + b->rect.width) -
			    fmax(a->rect.x, b->rect.x);
	const double high = fmin(a->rect.y + a->rect.height, b->rect.y + b->rect.height) -
			    fmax(a->rect.y, b->rect.y);

	if (wide <= TN_FLOOR_SLACK || high <= TN_FLOOR_SLACK)
		return;
	if ((*told)++ >= TN_FLOOR_PAIRS_MAX) {
		r->list->counts[TN_FLOOR_WARNING]++;
		return;
	}
	tn_tell_related(r,
			tn_tell_token(r, 6007, NULL, later->floor, name_of(later),
				      "'%.*s' stands where '%.*s' is; move one of them",
				      TN_SHOW(later->name), TN_SHOW(first->name)),
			(struct tn_floor_tokens){name_of(first), name_of(first)}, "the other one");
}

static void check_floor(struct tn_resolver *r, const struct tn_floor_floor *floor, size_t *told)
{
	const struct tn_floor_circulation **all;
	size_t count = 0;

	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next)
		count += at->placed;
	all = tn_resolve_new(r, count, sizeof(const struct tn_floor_circulation *));
	if (!all)
		return;
	count = 0;
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		if (at->placed)
			all[count++] = at;
	}
	qsort(all, count, sizeof(const struct tn_floor_circulation *), by_left);
	for (size_t i = 0; i < count; i++) {
		const double right = all[i]->rect.x + all[i]->rect.width;

		for (size_t k = i + 1; k < count && all[k]->rect.x < right; k++)
			check_pair(r, all[i], all[k], told);
	}
}

void tn_resolve_footprints(struct tn_resolver *r)
{
	size_t told = 0;
	uint32_t first_room = 0;

	for (struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next) {
		for (struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
			if (!at->placed)
				continue;
			move(at);
			check_room(r, at, first_room);
		}
		check_floor(r, floor, &told);
		while (first_room < r->plan->room_count &&
		       r->plan->rooms[first_room]->floor == floor)
			first_room++;
	}
}
