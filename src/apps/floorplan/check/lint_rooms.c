/* Design rules about single rooms: narrow corridors, windows, bedrooms, turning circles
 * (floorplan.md 9.4). */
#include <math.h>

#include "apps/floorplan/check/lint.h"

#define SLACK 1e-6 /* m */
#define BEDROOM_AREA 6.5
#define BEDROOM_WIDTH 2.13
#define TURNING_CIRCLE 1.525

/* Between the faces of its walls, in U. */
static struct tn_floor_rect clear_rect(const struct tn_lint *lint, const struct tn_floor_room *room)
{
	const double half = lint->plan->settings.wall_thickness / 2;
	const double top = room->walls[TN_FLOOR_TOP] == TN_FLOOR_OPEN ? 0 : half;
	const double left = room->walls[TN_FLOOR_LEFT] == TN_FLOOR_OPEN ? 0 : half;
	const double right = room->walls[TN_FLOOR_RIGHT] == TN_FLOOR_OPEN ? 0 : half;
	const double bottom = room->walls[TN_FLOOR_BOTTOM] == TN_FLOOR_OPEN ? 0 : half;

	return (struct tn_floor_rect){room->rect.x + left, room->rect.y + top,
				      fmax(room->rect.width - left - right, 0),
				      fmax(room->rect.height - top - bottom, 0)};
}

static void check_corridor(struct tn_lint *lint, const struct tn_floor_room *room)
{
	static const double limits[] = {0.914, 0.914, 1.118, 0.915, 0};
	const int code = lint->plan->settings.stair_code;
	const struct tn_floor_rect rect = code == TN_LINT_ADA ? clear_rect(lint, room) : room->rect;
	const double width = tn_lint_metres(lint, fmin(rect.width, rect.height));

	if (width >= limits[code] - SLACK)
		return;
	tn_lint_room(lint, 8003, room,
		     tn_arena_format(lint->arena, "widen it by %s",
				     tn_lint_length(lint, limits[code] - width)),
		     "corridor '%.*s' is %s wide%s, less than %s", TN_LINT_NAME(room->name),
		     tn_lint_length(lint, width), code == TN_LINT_ADA ? " between its walls" : "",
		     tn_lint_length(lint, limits[code]));
}

static void check_bedroom(struct tn_lint *lint, const struct tn_floor_room *room)
{
	const double metre = tn_floor_metres(lint->plan->unit);
	const double area = room->rect.width * room->rect.height * metre * metre;
	const double width = tn_lint_metres(lint, fmin(room->rect.width, room->rect.height));

	if (area < BEDROOM_AREA - SLACK)
		tn_lint_room(lint, 8007, room,
			     tn_arena_format(lint->arena, "make it larger by %s",
					     tn_lint_area(lint, BEDROOM_AREA - area)),
			     "bedroom '%.*s' has %s, less than %s", TN_LINT_NAME(room->name),
			     tn_lint_area(lint, area), tn_lint_area(lint, BEDROOM_AREA));
	else if (width < BEDROOM_WIDTH - SLACK)
		tn_lint_room(lint, 8007, room,
			     tn_arena_format(lint->arena, "widen it by %s",
					     tn_lint_length(lint, BEDROOM_WIDTH - width)),
			     "bedroom '%.*s' is %s wide, less than %s", TN_LINT_NAME(room->name),
			     tn_lint_length(lint, width), tn_lint_length(lint, BEDROOM_WIDTH));
}

/* ---- windows ---- */

static bool is_habitable(enum tn_floor_room_kind kind)
{
	return kind == TN_ROOM_BED || kind == TN_ROOM_KITCHEN || kind == TN_ROOM_DINING ||
	       kind == TN_ROOM_LIVING || kind == TN_ROOM_OFFICE;
}

/* A window of a sub-room is one of the room around it. */
static bool has_window(const struct tn_lint *lint, const struct tn_floor_room *room)
{
	if (lint->metrics[room->index].window_area > 0)
		return true;
	for (const struct tn_floor_room *at = room->rooms; at; at = at->next) {
		if (has_window(lint, at)) /* at most 8 deep */
			return true;
	}
	return false;
}

static void check_windows(struct tn_lint *lint, const struct tn_floor_room *room)
{
	if (is_habitable(lint->kinds[room->index]) && !has_window(lint, room))
		tn_lint_room(lint, 8005, room,
			     "make one of its outer walls a window, e.g. walls [top: window]",
			     "'%.*s' has 0 windows, and people who stay in a room want 1 at least",
			     TN_LINT_NAME(room->name));
}

/* ---- turning circles ---- */

enum { OBSTACLES_MAX = 32 };
struct obstacles {
	struct tn_floor_rect rects[OBSTACLES_MAX];
	unsigned count;
	bool too_many;
};

static void add_obstacle(struct obstacles *o, const struct tn_floor_rect *clear,
			 const struct tn_floor_rect *rect)
{
	if (rect->x >= clear->x + clear->width || rect->x + rect->width <= clear->x ||
	    rect->y >= clear->y + clear->height || rect->y + rect->height <= clear->y)
		return;
	if (o->count == OBSTACLES_MAX)
		o->too_many = true;
	else
		o->rects[o->count++] = *rect;
}

static double distance(const struct tn_floor_rect *rect, double x, double y)
{
	const double dx = fmax(fmax(rect->x - x, x - rect->x - rect->width), 0);
	const double dy = fmax(fmax(rect->y - y, y - rect->y - rect->height), 0);

	return hypot(dx, dy);
}

static bool is_free(const struct obstacles *o, const struct tn_floor_rect *clear, double radius,
		    double x, double y)
{
	if (x < clear->x + radius - SLACK || x > clear->x + clear->width - radius + SLACK ||
	    y < clear->y + radius - SLACK || y > clear->y + clear->height - radius + SLACK)
		return false;
	for (unsigned i = 0; i < o->count; i++) {
		if (distance(&o->rects[i], x, y) < radius - SLACK)
			return false;
	}
	return true;
}

/* Where the circle touches what limits it at the left, and what limits it at the top. */
static bool circle_fits(const struct obstacles *o, const struct tn_floor_rect *clear, double radius)
{
	for (unsigned i = 0; i < 2 * o->count + 2; i++) {
		const struct tn_floor_rect *by = i < 2 ? clear : &o->rects[(i - 2) / 2];
		const double x_sign = i < 2 ? 1 : -1;
		const double x =
			i % 2 == 0 ? by->x + x_sign * radius : by->x + by->width - x_sign * radius;

		for (unsigned k = 0; k < 2 * o->count + 2; k++) {
			const struct tn_floor_rect *at = k < 2 ? clear : &o->rects[(k - 2) / 2];
			const double y_sign = k < 2 ? 1 : -1;
			const double y = k % 2 == 0 ? at->y + y_sign * radius
						    : at->y + at->height - y_sign * radius;

			if (is_free(o, clear, radius, x, y))
				return true;
		}
	}
	return false;
}

static void check_turning(struct tn_lint *lint, const struct tn_floor_room *room)
{
	const struct tn_floor_rect clear = clear_rect(lint, room);
	const double radius = TURNING_CIRCLE / 2 / tn_floor_metres(lint->plan->unit);
	struct obstacles obstacles = {.count = 0};

	if (lint->metrics[room->index].doors == 0)
		return;
	for (const struct tn_floor_room *at = room->rooms; at; at = at->next) {
		if (at->placed)
			add_obstacle(&obstacles, &clear, &at->rect);
	}
	for (const struct tn_floor_circulation *at = room->floor->circulation; at; at = at->next) {
		if (at->placed)
			add_obstacle(&obstacles, &clear, &at->rect);
	}
	if (obstacles.too_many || circle_fits(&obstacles, &clear, radius))
		return;
	tn_lint_room(
		lint, 8010, room, "make the room larger, or move what stands in it to one side",
		"'%.*s' is %s by %s between its walls and has no free circle of %s for a "
		"wheelchair to turn",
		TN_LINT_NAME(room->name), tn_lint_length(lint, tn_lint_metres(lint, clear.width)),
		tn_lint_length(lint, tn_lint_metres(lint, clear.height)),
		tn_lint_length(lint, TURNING_CIRCLE));
}

void tn_lint_rooms(struct tn_lint *lint)
{
	for (uint32_t i = 0; i < lint->plan->room_count; i++) {
		const struct tn_floor_room *room = lint->plan->rooms[i];

		if (!room->placed)
			continue;
		if (lint->kinds[i] == TN_ROOM_HALL)
			check_corridor(lint, room);
		if (lint->kinds[i] == TN_ROOM_BED)
			check_bedroom(lint, room);
		check_windows(lint, room);
		if (lint->plan->settings.stair_code == TN_LINT_ADA)
			check_turning(lint, room);
	}
}
