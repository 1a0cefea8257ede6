/* Areas and lengths of rooms and floors (floorplan.md 9.1). */
#include "apps/floorplan/plan/metrics.h"

#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/ways.h"
#include "jsonrpc/json_write.h"

/* ---- rooms ---- */

struct stretch {
	double start, end;
};

static int by_start(const void *a, const void *b)
{
	const struct stretch *one = a, *other = b;

	return (one->start > other->start) - (one->start < other->start);
}

/* Of start..end, what no shared wall of that side takes. */
static bool free_length(const struct tn_floor_ways *ways, const struct tn_floor_room *outer,
			enum tn_floor_side side, struct stretch whole, struct tn_arena *arena,
			double *ret)
{
	double reached = whole.start;
	struct stretch *taken;
	size_t count = 0, used = 0;

	for (const struct tn_floor_touch *at = ways->touch[outer->index]; at; at = at->next)
		count++;
	taken = tn_arena_alloc_array(arena, count + 1, sizeof(*taken));
	if (!taken)
		return false;
	for (const struct tn_floor_touch *at = ways->touch[outer->index]; at; at = at->next) {
		const struct tn_floor_shared *shared = at->shared;

		if ((shared->a == outer ? shared->a_side : shared->b_side) == side)
			taken[used++] = (struct stretch){fmin(shared->start, whole.end),
							 fmin(shared->end, whole.end)};
	}
	qsort(taken, used, sizeof(*taken), by_start);
	*ret = 0;
	for (size_t i = 0; i < used; i++) {
		*ret += fmax(taken[i].start - reached, 0);
		reached = fmax(reached, taken[i].end);
	}
	*ret += fmax(whole.end - reached, 0);
	return true;
}

static bool measure_sides(const struct tn_floor_ways *ways, const struct tn_floor_room *room,
			  struct tn_arena *arena, struct tn_floor_room_metrics *ret)
{
	const struct tn_floor_rect *rect = &room->rect;

	for (int i = 0; i < 4; i++) {
		const enum tn_floor_side side = (enum tn_floor_side)i;
		const struct tn_floor_room *outer = tn_floor_outer_room(ways, room, side);
		struct stretch whole = {rect->y, rect->y + rect->height};
		double length;

		if (tn_floor_is_horizontal(side))
			whole = (struct stretch){rect->x, rect->x + rect->width};
		if (room->walls[i] == TN_FLOOR_OPEN || !outer)
			continue;
		if (!free_length(ways, outer, side, whole, arena, &length))
			return false;
		ret->exterior_wall += length;
	}
	return true;
}

static void measure_rect(const struct tn_floor_plan *plan, const struct tn_floor_room *room,
			 struct tn_floor_room_metrics *ret)
{
	const double width = room->rect.width, height = room->rect.height;
	const double half = plan->settings.wall_thickness / 2;
	double net_width = width, net_height = height;

	for (int i = 0; i < 4; i++) {
		if (room->walls[i] == TN_FLOOR_OPEN)
			continue;
		if (tn_floor_is_horizontal((enum tn_floor_side)i))
			net_height -= half;
		else
			net_width -= half;
	}
	ret->area = width * height;
	ret->volume = ret->area * room->height;
	ret->perimeter = 2 * (width + height);
	ret->net_area = fmax(net_width, 0) * fmax(net_height, 0);
}

static void count_opening(const struct tn_floor_ways *ways, const struct tn_floor_opening *opening,
			  struct tn_floor_room_metrics *all)
{
	const struct tn_floor_room *from = opening->from, *to = opening->to;

	if (!opening->drawn || opening->kind == TN_FLOOR_OPENING_GAP)
		return;
	if (opening->kind == TN_FLOOR_OPENING_WINDOW) {
		if (opening->room)
			all[opening->room->index].window_area += opening->width * opening->height;
		return;
	}
	if (opening->room) {
		from = opening->room;
		tn_floor_wall_behind(ways, from, opening->side, opening->center, &to);
	}
	if (from)
		all[from->index].doors++;
	if (to)
		all[to->index].doors++;
}

const struct tn_floor_room_metrics *tn_floor_rooms_measure(const struct tn_floor_plan *plan,
							   struct tn_arena *arena)
{
	struct tn_floor_room_metrics *all =
		tn_arena_alloc_array(arena, (size_t)plan->room_count + 1, sizeof(*all));
	struct tn_floor_ways ways;

	if (!all || !tn_floor_touches_build(plan, arena, &ways))
		return NULL;
	for (uint32_t i = 0; i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];

		if (!room->placed)
			continue;
		measure_rect(plan, room, &all[i]);
		if (!measure_sides(&ways, room, arena, &all[i]))
			return NULL;
	}
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
			count_opening(&ways, at, all);
	}
	return all;
}

/* ---- floors ---- */

static unsigned count_sub_rooms(const struct tn_floor_room *room)
{
	unsigned count = 0;

	for (const struct tn_floor_room *at = room->rooms; at; at = at->next)
		count += 1 + count_sub_rooms(at); /* at most 8 deep */
	return count;
}

static void extend(struct tn_floor_rect *bounds, const struct tn_floor_rect *rect, bool first)
{
	const double right = fmax(bounds->x + bounds->width, rect->x + rect->width);
	const double bottom = fmax(bounds->y + bounds->height, rect->y + rect->height);

	if (first) {
		*bounds = *rect;
		return;
	}
	bounds->x = fmin(bounds->x, rect->x);
	bounds->y = fmin(bounds->y, rect->y);
	bounds->width = right - bounds->x;
	bounds->height = bottom - bounds->y;
}

bool tn_floor_floor_measure(const struct tn_floor_plan *plan, const struct tn_floor_floor *which,
			    struct tn_arena *arena, struct tn_floor_floor_metrics *ret)
{
	struct tn_floor_rect *rects =
		tn_arena_alloc_array(arena, (size_t)plan->room_count + 1, sizeof(*rects));
	double box;
	size_t count = 0;

	*ret = (struct tn_floor_floor_metrics){0};
	if (!rects)
		return false;
	for (const struct tn_floor_room *room = which->rooms; room; room = room->next) {
		ret->room_count++;
		ret->sub_room_count += count_sub_rooms(room);
		if (!room->placed)
			continue;
		ret->net_area += room->rect.width * room->rect.height;
		extend(&ret->bounds, &room->rect, count == 0);
		rects[count++] = room->rect;
	}
	if (!tn_floor_union_area(rects, count, arena, &ret->covered_area))
		return false;
	ret->overlap_area = fmax(ret->net_area - ret->covered_area, 0);
	box = ret->bounds.width * ret->bounds.height;
	ret->efficiency = box > 0 ? floor(100 * (ret->net_area / box) + 0.5) / 100 : 0;
	return true;
}

double tn_floor_area(const struct tn_floor_plan *plan, double square_units, bool sqm)
{
	const double metres = tn_floor_metres(plan->unit);
	const double feet = tn_floor_metres(TN_FLOOR_FT);

	if (plan->unit == (sqm ? TN_FLOOR_M : TN_FLOOR_FT))
		return square_units; /* exactly */
	return sqm ? square_units * metres * metres
		   : square_units * (metres / feet) * (metres / feet);
}

/* ---- as JSON ---- */

static void put(struct tn_buf *out, const char *key, double number)
{
	tn_json_put_key(out, key);
	tn_floor_put_number(out, number);
}

void tn_floor_put_summary(struct tn_buf *out, const struct tn_floor_plan *plan, bool sqm)
{
	double area = 0;

	for (uint32_t i = 0; i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];

		if (!room->parent && room->placed)
			area += room->rect.width * room->rect.height;
	}
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "floorCount", plan->floor_count);
	tn_json_put_member_int(out, "totalRoomCount", plan->top_room_count);
	tn_json_put_member_int(out, "totalSubRoomCount", plan->sub_room_count);
	put(out, "grossFloorArea", tn_floor_area(plan, area, sqm));
	tn_json_put_member_text(out, "areaUnit", sqm ? "sqm" : "sqft");
	tn_json_end_object(out);
}

void tn_floor_put_floor_metrics(struct tn_buf *out, const struct tn_floor_plan *plan,
				const struct tn_floor_floor *floor, bool sqm)
{
	struct tn_floor_floor_metrics metrics;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	if (!tn_floor_floor_measure(plan, floor, &arena, &metrics))
		out->failed = out->starved = true;
	tn_arena_finish(&arena);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "floor", floor->name);
	tn_json_put_member_int(out, "roomCount", metrics.room_count);
	tn_json_put_member_int(out, "subRoomCount", metrics.sub_room_count);
	put(out, "netArea", tn_floor_area(plan, metrics.net_area, sqm));
	put(out, "coveredArea", tn_floor_area(plan, metrics.covered_area, sqm));
	put(out, "overlapArea", tn_floor_area(plan, metrics.overlap_area, sqm));
	tn_json_put_key(out, "boundingBox");
	tn_json_begin_object(out);
	put(out, "minX", metrics.bounds.x);
	put(out, "minY", metrics.bounds.y);
	put(out, "width", metrics.bounds.width);
	put(out, "height", metrics.bounds.height);
	put(out, "area", tn_floor_area(plan, metrics.bounds.width * metrics.bounds.height, sqm));
	tn_json_end_object(out);
	put(out, "efficiency", metrics.efficiency);
	tn_json_end_object(out);
}

void tn_floor_put_room_metrics(struct tn_buf *out, const struct tn_floor_plan *plan,
			       const struct tn_floor_room_metrics *metrics, bool sqm)
{
	tn_json_begin_object(out);
	put(out, "area", tn_floor_area(plan, metrics->area, sqm));
	put(out, "netArea", tn_floor_area(plan, metrics->net_area, sqm));
	put(out, "volume", metrics->volume); /* U^3: only areas are converted */
	put(out, "perimeter", metrics->perimeter);
	put(out, "windowArea", tn_floor_area(plan, metrics->window_area, sqm));
	put(out, "exteriorWallLength", metrics->exterior_wall);
	tn_json_put_member_int(out, "doors", metrics->doors);
	tn_json_end_object(out);
}

/* ---- adjacency (9.2) ---- */

static void put_shared(struct tn_buf *out, const struct tn_floor_shared *shared)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "a", shared->a->name);
	tn_json_put_member_text(out, "aWall", tn_floor_side_name(shared->a_side));
	tn_json_put_member_str(out, "b", shared->b->name);
	tn_json_put_member_text(out, "bWall", tn_floor_side_name(shared->b_side));
	put(out, "start", shared->start);
	put(out, "end", shared->end);
	put(out, "length", shared->end - shared->start);
	tn_json_end_object(out);
}

void tn_floor_put_adjacency(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	tn_json_begin_array(out);
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "floor", floor->name);
		tn_json_put_key(out, "pairs");
		tn_json_begin_array(out);
		for (const struct tn_floor_shared *at = floor->shared; at; at = at->next)
			put_shared(out, at);
		tn_json_end_array(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}
