/* Connections: doors and openings between rooms, and to the outside (floorplan.md 4.5). */
#include "apps/floorplan/plan/connect.h"

#include <math.h>

#include "apps/floorplan/limits.h"

struct taken { /* an opening in a wall: later ones must not overlap it */
	const struct tn_floor_floor *floor;
	bool horizontal;
	double line, start, end;
	const struct tn_floor_connect_tree *tree;
};

struct all {
	struct tn_resolver *r;
	struct taken *taken;
	size_t count;
	struct tn_floor_opening **ends[TN_FLOOR_FLOORS_MAX]; /* of the floors' lists */
};

/* ---- what is written ---- */

static bool is_end(const struct tn_resolver *r, const struct tn_way *way, uint32_t token,
		   const struct tn_floor_room **ret)
{
	struct tn_str name = tn_resolve_text(r, token);

	*ret = NULL;
	if (tn_str_is(name, "outside"))
		return !way->from || !way->to;
	if (way->from && tn_str_equal(way->from->name, name))
		*ret = way->from;
	else if (way->to && tn_str_equal(way->to->name, name))
		*ret = way->to;
	return *ret != NULL;
}

/* FP4016 and FP4017. False: an error. */
static bool check_leaf(struct tn_resolver *r, const struct tn_way *way,
		       const struct tn_floor_room **ret_into)
{
	const struct tn_floor_connect_tree *tree = way->tree;
	bool has_into = tree->opens_into != TN_FLOOR_NO_TOKEN;
	struct tn_str name;

	*ret_into = way->from ? way->from : way->to;
	if (tree->type == TN_FLOOR_OPENING && (has_into || tree->has_swing)) {
		tn_tell_hint(tn_tell_token(r, 4017, NULL, way->floor,
					   tree->has_swing ? tree->swing_token : tree->opens_into,
					   "an 'opening' has no leaf that could swing"),
			     "leave it out, or write door");
		return true;
	}
	if (!has_into || is_end(r, way, tree->opens_into, ret_into))
		return true;
	name = tn_resolve_text(r, tree->opens_into);
	(void)tn_tell_token(r, 4016, NULL, way->floor, tree->opens_into,
			    "the door cannot open into '%.*s', which it does not connect; name one "
			    "of its ends",
			    TN_SHOW(name));
	return false;
}

static void check_end_wall(struct tn_resolver *r, const struct tn_way *way,
			   const struct tn_floor_end *end, const struct tn_floor_room *room)
{
	struct tn_floor_range range = tn_resolve_range(r, end->tokens);
	enum tn_floor_wall_type type;

	if (!room || end->side == TN_FLOOR_NO_SIDE || way->tree->type == TN_FLOOR_OPENING)
		return;
	type = room->walls[end->side];
	if (type != TN_FLOOR_OPEN && type != TN_FLOOR_DOOR)
		return;
	tn_tell_hint(tn_tell(r, 4014, room, way->floor, &range,
			     "the '%s' side of '%.*s' is '%s' already",
			     tn_floor_side_name(end->side), TN_SHOW(room->name),
			     tn_floor_wall_name(type)),
		     type == TN_FLOOR_OPEN ? "an open side needs no door; write opening"
					   : "write solid in walls; the connection makes the door");
}

static bool check_percent(struct tn_resolver *r, const struct tn_way *way)
{
	if (!way->tree->has_at || way->tree->at <= 100)
		return true;
	(void)tn_tell_token(r, 4006, NULL, way->floor, way->tree->at_token,
			    "the position '%.*s' is above 100 %%; write 0 to 100",
			    TN_SHOW(tn_resolve_text(r, way->tree->at_token)));
	return false;
}

/* ---- the opening ---- */

static double lower_height(const struct tn_way *way)
{
	if (!way->from || !way->to)
		return way->from ? way->from->height : way->to->height;
	return fmin(way->from->height, way->to->height);
}

/* Width and height; false: an error in the size. */
static bool measure(struct tn_resolver *r, const struct tn_way *way,
		    struct tn_floor_opening *opening)
{
	const struct tn_floor_size *size = &way->tree->size;
	const double ceiling = lower_height(way);
	struct tn_floor_range range;

	opening->width =
		r->plan->settings.door_width * (way->tree->type == TN_FLOOR_DOUBLE_DOOR ? 2 : 1);
	opening->height = r->plan->settings.door_height;
	opening->full = size->there && size->full;
	if (opening->full)
		opening->height = ceiling;
	if (!size->there)
		return true;
	if (!tn_resolve_size(r, size, &opening->width, &opening->height))
		return false;
	range = tn_resolve_range(r, size->tokens);
	if (!size->full && opening->height > ceiling + 1e-9)
		(void)tn_tell(r, 4015, NULL, way->floor, &range,
			      "the opening is %s %s high, the room only %s; write 'full' to reach "
			      "the ceiling",
			      tn_resolve_number(r, opening->height),
			      tn_floor_unit_name(r->plan->unit), tn_resolve_number(r, ceiling));
	return true;
}

static void put_into_stretch(struct tn_resolver *r, const struct tn_way *way,
			     struct tn_floor_opening *opening)
{
	const struct tn_floor_span *stretch = &way->stretch;
	const double length = stretch->end - stretch->start;
	struct tn_floor_range range;

	if (opening->width > length) {
		range = way->tree->size.there ? tn_resolve_range(r, way->tree->size.tokens)
					      : (struct tn_floor_range){.line = 0};
		if (way->tree->size.there && opening->width > length + 1e-9)
			(void)tn_tell(r, 4007, NULL, way->floor, &range,
				      "the opening is %s %s wide, its stretch of wall only %s",
				      tn_resolve_number(r, opening->width),
				      tn_floor_unit_name(r->plan->unit),
				      tn_resolve_number(r, length));
		opening->width = length;
	}
	opening->horizontal = tn_is_horizontal(stretch->side);
	opening->side = stretch->side;
	opening->line = stretch->line;
	opening->center = stretch->start + (way->tree->has_at ? way->tree->at : 50) / 100 * length;
	opening->center = fmax(opening->center, stretch->start + opening->width / 2);
	opening->center = fmin(opening->center, stretch->end - opening->width / 2);
}

/* FP4018: what is just outside of the opening is another room. */
static void check_outside(struct tn_resolver *r, const struct tn_way *way,
			  const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *room = way->from ? way->from : way->to;
	struct tn_floor_span own = {opening->side, opening->line,
				    opening->center - opening->width / 2,
				    opening->center + opening->width / 2};
	const double reach = r->tolerance + 1e-9;
	const struct tn_edges *edges;
	struct tn_floor_range range;

	if (way->from && way->to)
		return;
	edges = tn_floor_edges(r, way->floor, tn_opposite(opening->side));
	for (size_t i = edges ? tn_edges_from(edges->list, edges->count, own.line - reach) : 0;
	     edges && i < edges->count && edges->list[i].span.line <= own.line + reach; i++) {
		const struct tn_floor_room *other = edges->list[i].room;
		struct tn_floor_span common;

		if (other == room || !tn_sides_meet(r, &own, &edges->list[i].span, &common))
			continue;
		range = tn_resolve_range(r, way->tree->tokens);
		tn_tell_hint(tn_tell(r, 4018, room, way->floor, &range,
				     "the way from '%.*s' to the outside leads into room '%.*s'",
				     TN_SHOW(room->name), TN_SHOW(other->name)),
			     "connect the two rooms, or take another side");
		return;
	}
}

/* FP4008. The walls are parallel and near, and so are the openings in them. */
static bool is_free(struct all *all, const struct tn_way *way,
		    const struct tn_floor_opening *opening)
{
	const double start = opening->center - opening->width / 2;
	const double end = opening->center + opening->width / 2;
	struct tn_floor_range range, earlier;
	struct tn_floor_diagnostic *one;

	for (size_t i = 0; i < all->count; i++) {
		const struct taken *at = &all->taken[i];

		if (fabs(at->line - opening->line) > all->r->tolerance + 1e-9 ||
		    at->horizontal != opening->horizontal || at->floor != way->floor ||
		    fmin(at->end, end) - fmax(at->start, start) <= TN_FLOOR_SLACK)
			continue;
		range = tn_resolve_range(all->r, way->tree->tokens);
		earlier = tn_resolve_range(all->r, at->tree->tokens);
		one = tn_tell(all->r, 4008, NULL, way->floor, &range,
			      "the connection overlaps the one of line %u; move it with at N%%",
			      earlier.line);
		tn_tell_related(all->r, one, at->tree->tokens, "the earlier connection");
		return false;
	}
	all->taken[all->count++] = (struct taken){
		way->floor, opening->horizontal, opening->line, start, end, way->tree};
	return true;
}

/* ---- one connection ---- */

static void add(struct all *all, const struct tn_way *way, const struct tn_floor_opening *made)
{
	struct tn_floor_opening *opening = tn_resolve_new(all->r, 1, sizeof(*opening));

	if (!opening)
		return;
	*opening = *made;
	*all->ends[way->floor->index] = opening;
	all->ends[way->floor->index] = &opening->next;
}

static void resolve_one(struct all *all, const struct tn_floor_connect_tree *tree)
{
	static const enum tn_floor_opening_kind kinds[] = {
		TN_FLOOR_OPENING_DOOR, TN_FLOOR_OPENING_DOUBLE, TN_FLOOR_OPENING_GAP};
	struct tn_resolver *r = all->r;
	struct tn_way way = {.tree = tree};
	struct tn_floor_opening opening = {.kind = kinds[tree->type], .connect = tree};
	bool good, placed;

	if (!tn_connect_ends(r, &way))
		return;
	placed = (!way.from || way.from->placed) && (!way.to || way.to->placed);
	if (!tn_connect_stretch(r, &way) && placed)
		return; /* without a wall there is nothing more to check */
	good = check_percent(r, &way);
	good = check_leaf(r, &way, &opening.opens_into) && good;
	good = measure(r, &way, &opening) && good;
	check_end_wall(r, &way, &tree->from, way.from);
	check_end_wall(r, &way, &tree->to, way.to);
	if (!good || !placed)
		return;
	opening.from = way.from;
	opening.to = way.to;
	opening.floor = way.floor;
	opening.swing = tree->has_swing ? tree->swing : TN_FLOOR_HAND_RIGHT;
	put_into_stretch(r, &way, &opening);
	check_outside(r, &way, &opening);
	opening.drawn = is_free(all, &way, &opening);
	add(all, &way, &opening);
}

void tn_resolve_connections(struct tn_resolver *r)
{
	struct all all = {.r = r};
	size_t count = 0;

	for (const struct tn_floor_connect_tree *at = r->plan->tree.connections; at; at = at->next)
		count++;
	all.taken = tn_resolve_new(r, count, sizeof(*all.taken));
	if (!all.taken)
		return;
	for (struct tn_floor_floor *floor = r->plan->floors; floor; floor = floor->next)
		all.ends[floor->index] = &floor->openings;
	for (const struct tn_floor_connect_tree *at = r->plan->tree.connections;
	     at && !r->list->starved; at = at->next)
		resolve_one(&all, at);
}
