/* Doors and windows that rooms list in their walls (floorplan.md 4.4, 6.5). */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/resolve.h"

#include "apps/floorplan/limits.h"

struct stretch {
	double start, end;
};

struct walls {
	struct tn_resolver *r;
	struct tn_floor_floor *floor;
	const struct tn_floor_opening **connections[2]; /* of this floor: vertical, horizontal */
	size_t counts[2];                               /* each by line */
	struct stretch *busy;                           /* of one wall, by start */
	size_t busy_count;
	struct tn_floor_opening *doors, *windows, **door_end, **window_end;
};

/* ---- connections by line ---- */

static int by_line(const void *a, const void *b)
{
	const struct tn_floor_opening *first = *(const struct tn_floor_opening *const *)a;
	const struct tn_floor_opening *second = *(const struct tn_floor_opening *const *)b;

	return first->line < second->line ? -1 : first->line > second->line;
}

static void collect(struct walls *walls)
{
	walls->counts[0] = walls->counts[1] = 0;
	for (const struct tn_floor_opening *at = walls->floor->openings; at; at = at->next) {
		if (at->drawn)
			walls->connections[at->horizontal][walls->counts[at->horizontal]++] = at;
	}
	for (unsigned i = 0; i < 2; i++)
		qsort(walls->connections[i], walls->counts[i],
		      sizeof(const struct tn_floor_opening *), by_line);
}

static int by_start(const void *a, const void *b)
{
	const struct stretch *first = a, *second = b;

	return first->start < second->start ? -1 : first->start > second->start;
}

/* What connections take of a wall. */
static void find_busy(struct walls *walls, const struct tn_floor_span *wall)
{
	const bool horizontal = tn_is_horizontal(wall->side);
	const struct tn_floor_opening **all = walls->connections[horizontal];
	const double reach = walls->r->tolerance + 1e-9;
	size_t low = 0, high = walls->counts[horizontal];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle]->line < wall->line - reach)
			low = middle + 1;
		else
			high = middle;
	}
	walls->busy_count = 0;
	for (; low < walls->counts[horizontal] && all[low]->line <= wall->line + reach; low++) {
		const double half = all[low]->width / 2;
		struct stretch both = {fmax(all[low]->center - half, wall->start),
				       fmin(all[low]->center + half, wall->end)};

		if (both.end - both.start > TN_FLOOR_SLACK)
			walls->busy[walls->busy_count++] = both;
	}
	qsort(walls->busy, walls->busy_count, sizeof(*walls->busy), by_start);
}

static bool is_busy(const struct walls *walls, const struct stretch *one)
{
	for (size_t i = 0; i < walls->busy_count; i++) {
		if (fmin(walls->busy[i].end, one->end) - fmax(walls->busy[i].start, one->start) >
		    TN_FLOOR_SLACK)
			return true;
	}
	return false;
}

static struct stretch longest_free(const struct walls *walls, const struct tn_floor_span *wall)
{
	struct stretch best = {wall->start, wall->start};
	double from = wall->start;

	for (size_t i = 0; i <= walls->busy_count; i++) {
		double to = i < walls->busy_count ? walls->busy[i].start : wall->end;

		if (to - from > best.end - best.start)
			best = (struct stretch){from, to};
		if (i < walls->busy_count)
			from = fmax(from, walls->busy[i].end);
	}
	return best;
}

/* ---- one opening ---- */

static bool is_good(double length)
{
	return length > 0 && length <= TN_FLOOR_LENGTH_MAX;
}

/* The size that is written, where it is a good one. */
static void take_size(const struct walls *walls, const struct tn_floor_wall *tree,
		      struct tn_floor_opening *opening)
{
	double width, height;

	if (!tree->size.there)
		return;
	width = tn_floor_to_unit(walls->r->plan, &tree->size.width);
	height = tn_floor_to_unit(walls->r->plan, &tree->size.height);
	if (is_good(width))
		opening->width = width;
	if (is_good(height))
		opening->height = height;
}

static struct stretch place(const struct walls *walls, const struct tn_floor_wall *tree,
			    const struct tn_floor_span *wall, double width)
{
	const double length = wall->end - wall->start;
	double center = wall->start + length / 2;

	if (tree->has_at && tree->at_percent)
		center = wall->start + fmin(tree->at.number, 100) / 100 * length;
	else if (tree->has_at)
		center = wall->start + tn_floor_to_unit(walls->r->plan, &tree->at);
	width = fmin(width, length);
	center = fmin(fmax(center, wall->start + width / 2), wall->end - width / 2);
	return (struct stretch){center - width / 2, center + width / 2};
}

static void add(struct walls *walls, const struct tn_floor_opening *made,
		const struct stretch *where)
{
	struct tn_floor_opening *opening = tn_resolve_new(walls->r, 1, sizeof(*opening));
	struct tn_floor_opening ***end =
		made->kind == TN_FLOOR_OPENING_DOOR ? &walls->door_end : &walls->window_end;

	if (!opening)
		return;
	*opening = *made;
	opening->center = (where->start + where->end) / 2;
	opening->width = where->end - where->start;
	**end = opening;
	*end = &opening->next;
}

/* A connection replaces a door that it overlaps (6.5). */
static void add_door(struct walls *walls, const struct tn_floor_wall *tree,
		     const struct tn_floor_span *wall, struct tn_floor_opening *opening)
{
	struct stretch where;

	opening->kind = TN_FLOOR_OPENING_DOOR;
	opening->width = walls->r->plan->settings.door_width;
	opening->height = walls->r->plan->settings.door_height;
	opening->opens_into = opening->room;
	opening->swing = TN_FLOOR_HAND_RIGHT;
	take_size(walls, tree, opening);
	where = place(walls, tree, wall, opening->width);
	opening->drawn = !is_busy(walls, &where);
	add(walls, opening, &where);
}

static void tell_no_place(struct walls *walls, const struct tn_floor_wall *tree,
			  const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *room = opening->room;

	tn_tell_hint(tn_tell_token(walls->r, 4009, room, room->floor, tree->type_token,
				   "the window in the '%s' side of '%.*s' meets a connection",
				   tn_floor_side_name(opening->side), TN_SHOW(room->name)),
		     tree->has_at ? "move the window, or leave its position out"
				  : "make the connection narrower, or the side solid");
}

/* What is beside the connections, where that is wide enough. */
static void add_pieces(struct walls *walls, const struct tn_floor_opening *opening,
		       const struct stretch *where, double least)
{
	double from = where->start;

	for (size_t i = 0; i <= walls->busy_count; i++) {
		double to =
			i < walls->busy_count ? fmin(walls->busy[i].start, where->end) : where->end;

		if (to - from >= least)
			add(walls, opening, &(struct stretch){from, to});
		if (i < walls->busy_count)
			from = fmax(from, walls->busy[i].end);
	}
}

static void add_window(struct walls *walls, const struct tn_floor_wall *tree,
		       const struct tn_floor_span *wall, struct tn_floor_opening *opening)
{
	const struct tn_floor_settings *settings = &walls->r->plan->settings;
	const double least = 0.3 / tn_floor_metres(walls->r->plan->unit);
	struct stretch free = longest_free(walls, wall), where;
	struct tn_floor_span room = *wall;

	if (!tree->has_at) { /* centred in what is free */
		room.start = free.start;
		room.end = free.end;
	}
	opening->kind = TN_FLOOR_OPENING_WINDOW;
	opening->drawn = true;
	opening->sill = settings->window_sill;
	opening->height = settings->window_height;
	opening->width = settings->window_width;
	if (!settings->has_window_size && !settings->has_window_width)
		opening->width = fmin(opening->width, 0.8 * (room.end - room.start));
	take_size(walls, tree, opening);
	where = place(walls, tree, &room, opening->width);
	if (tree->has_at ? is_busy(walls, &where)
			 : walls->busy_count > 0 && free.end - free.start < least) {
		tell_no_place(walls, tree, opening);
		if (tree->has_at)
			add_pieces(walls, opening, &where, least);
		return;
	}
	add(walls, opening, &where);
}

static void take_room(struct walls *walls, const struct tn_floor_room *room)
{
	for (unsigned i = 0; i < 4; i++) {
		const struct tn_floor_wall *tree = room->wall_trees[i];
		struct tn_floor_span wall = tn_room_side(room, (enum tn_floor_side)i);
		struct tn_floor_opening opening = {.horizontal = tn_is_horizontal(wall.side),
						   .line = wall.line,
						   .room = room,
						   .side = wall.side,
						   .floor = walls->floor};

		if (!tree || tree->type == TN_FLOOR_SOLID || tree->type == TN_FLOOR_OPEN)
			continue;
		find_busy(walls, &wall);
		if (tree->type == TN_FLOOR_DOOR)
			add_door(walls, tree, &wall, &opening);
		else
			add_window(walls, tree, &wall, &opening);
	}
}

/* ---- a door that both sides of a wall have is drawn once, by the first room (6.5) ---- */

static int by_center(const void *a, const void *b)
{
	const struct tn_floor_opening *first = *(const struct tn_floor_opening *const *)a;
	const struct tn_floor_opening *second = *(const struct tn_floor_opening *const *)b;

	if (first->horizontal != second->horizontal)
		return (int)first->horizontal - (int)second->horizontal;
	if (first->center != second->center)
		return first->center < second->center ? -1 : 1;
	return first->room->index < second->room->index ? -1 : 1;
}

/* The doors of top and left sides, or of bottom and right ones, by where they are. */
static size_t pick_doors(const struct walls *walls, bool near, struct tn_floor_opening **ret)
{
	size_t count = 0;

	for (struct tn_floor_opening *at = walls->doors; at; at = at->next) {
		if ((at->side == TN_FLOOR_TOP || at->side == TN_FLOOR_LEFT) == near)
			ret[count++] = at;
	}
	qsort(ret, count, sizeof(struct tn_floor_opening *), by_center);
	return count;
}

static void compare(struct walls *walls, struct tn_floor_opening *a, struct tn_floor_opening *b)
{
	struct tn_floor_opening *first = a->room->index < b->room->index ? a : b;
	struct tn_floor_opening *later = first == a ? b : a;

	if (fabs(a->line - b->line) <= walls->r->tolerance + 1e-9 && first->drawn)
		later->drawn = false;
}

static void draw_once(struct walls *walls)
{
	struct tn_floor_opening **near, **far;
	size_t count = 0, far_count, from = 0;

	for (struct tn_floor_opening *at = walls->doors; at; at = at->next)
		count++;
	near = tn_resolve_new(walls->r, count, sizeof(struct tn_floor_opening *));
	far = tn_resolve_new(walls->r, count, sizeof(struct tn_floor_opening *));
	if (!near || !far)
		return;
	count = pick_doors(walls, true, near);
	far_count = pick_doors(walls, false, far);
	for (size_t i = 0; i < count; i++) {
		const struct tn_floor_opening *door = near[i];

		while (from < far_count && (far[from]->horizontal < door->horizontal ||
					    (far[from]->horizontal == door->horizontal &&
					     door->center - far[from]->center > TN_FLOOR_SLACK)))
			from++;
		for (size_t k = from; k < far_count && far[k]->horizontal == door->horizontal &&
				      far[k]->center - door->center <= TN_FLOOR_SLACK;
		     k++)
			compare(walls, near[i], far[k]);
	}
}

/* ---- all of them ---- */

static void append(struct walls *walls)
{
	struct tn_floor_opening **end = &walls->floor->openings;

	while (*end)
		end = &(*end)->next;
	*end = walls->doors;
	while (*end)
		end = &(*end)->next;
	*end = walls->windows;
}

void tn_resolve_wall_openings(struct tn_resolver *r)
{
	struct walls walls = {.r = r};
	size_t count = 0;
	uint32_t at = 0;

	for (const struct tn_floor_connect_tree *tree = r->plan->tree.connections; tree;
	     tree = tree->next)
		count++;
	walls.busy = tn_resolve_new(r, count, sizeof(*walls.busy));
	for (unsigned i = 0; i < 2; i++)
		walls.connections[i] =
			tn_resolve_new(r, count, sizeof(const struct tn_floor_opening *));
	if (!walls.busy || !walls.connections[0] || !walls.connections[1])
		return;
	for (walls.floor = r->plan->floors; walls.floor; walls.floor = walls.floor->next) {
		walls.doors = walls.windows = NULL;
		walls.door_end = &walls.doors;
		walls.window_end = &walls.windows;
		collect(&walls);
		/* Rooms are numbered floor by floor. */
		for (; at < r->plan->room_count && r->plan->rooms[at]->floor == walls.floor; at++) {
			if (r->plan->rooms[at]->placed)
				take_room(&walls, r->plan->rooms[at]);
		}
		draw_once(&walls);
		append(&walls);
	}
}
