/* Design rules about floors above each other (floorplan.md 9.4). */
#include <math.h>

#include "apps/floorplan/check/lint.h"

#define SLACK 1e-6

static void check_stair(struct tn_lint *lint, const struct tn_floor_floor *floor)
{
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		if (!at->lift)
			return;
	}
	tn_lint_floor(
		lint, 8008, floor, "draw the stair on this floor, too, and join both with vertical",
		"upper floor '%.*s' has 0 stairs, and 1 is needed", TN_LINT_NAME(floor->name));
}

/* What of `room` is above the lower rooms, each made larger by half the tolerance of walls. */
static size_t clip(const struct tn_lint *lint, const struct tn_floor_rect *room,
		   const struct tn_floor_floor *below, struct tn_floor_rect *ret)
{
	const double more = lint->ways.tolerance / 2;
	size_t count = 0;

	for (const struct tn_floor_room *at = below->rooms; at; at = at->next) {
		const double left = fmax(at->rect.x - more, room->x);
		const double top = fmax(at->rect.y - more, room->y);
		const double right =
			fmin(at->rect.x + at->rect.width + more, room->x + room->width);
		const double bottom =
			fmin(at->rect.y + at->rect.height + more, room->y + room->height);

		if (at->placed && right > left && bottom > top)
			ret[count++] =
				(struct tn_floor_rect){left, top, right - left, bottom - top};
	}
	return count;
}

/* Rooms of two floors may all lie above each other: the work is bounded, and what is left is not
 * looked at. */
enum { CLIPPED_MAX = 500000 };

static void check_beyond(struct tn_lint *lint, const struct tn_floor_floor *floor,
			 const struct tn_floor_floor *below, size_t *work)
{
	struct tn_floor_rect *clipped = tn_arena_alloc_array(
		lint->arena, (size_t)lint->plan->room_count + 1, sizeof(*clipped));
	const double metre = tn_floor_metres(lint->plan->unit);
	struct tn_arena arena;

	lint->starved = lint->starved || !clipped;
	for (const struct tn_floor_room *room = floor->rooms;
	     clipped && room && *work < CLIPPED_MAX; room = room->next) {
		const double area = room->rect.width * room->rect.height;
		double covered = 0;
		size_t count;

		if (!room->placed)
			continue;
		count = clip(lint, &room->rect, below, clipped);
		*work += count;
		tn_arena_init(&arena, lint->arena->limit);
		if (!tn_floor_union_area(clipped, count, &arena, &covered))
			lint->starved = true;
		tn_arena_finish(&arena);
		if (area - covered > SLACK * area)
			tn_lint_room(lint, 8009, room, "move or shorten it, or put a room below it",
				     "'%.*s' stands out over floor '%.*s' below it by %s; 0 is "
				     "what walls carry",
				     TN_LINT_NAME(room->name), TN_LINT_NAME(below->name),
				     tn_lint_area(lint, (area - covered) * metre * metre));
	}
}

void tn_lint_floors(struct tn_lint *lint)
{
	const struct tn_floor_floor *below = lint->plan->floors;
	size_t work = 0;

	for (const struct tn_floor_floor *floor = below ? below->next : NULL; floor;
	     below = floor, floor = floor->next) {
		if (!floor->rooms)
			continue;
		check_stair(lint, floor);
		check_beyond(lint, floor, below, &work);
	}
}
