#include "apps/floorplan/walls.h"

#include <math.h>
#include <stdlib.h>

#include "base/size.h"

#define NEARLY 1e-6   /* U: ends that are one end */
#define OVERLAP 0.01  /* U: less is no overlap (4.4) */
#define SHARED_M 0.05 /* walls nearer than this are one (4.4: T) */

struct side { /* of a room */
	bool horizontal;
	double line, start, end;
	double level;
	const struct tn_floor_room *room;
	enum tn_floor_wall_type type;
	size_t cluster; /* of equals: the index of one of them */
};

struct network {
	const struct tn_floor_plan *plan;
	struct tn_arena *arena;
	double tolerance, thickness;
	bool by_height;
	struct side *sides;
	size_t side_count;
	size_t *active; /* sides that the sweep is in */
	struct tn_floor_wall_piece *pieces;
	size_t piece_count, piece_room;
};

/* ---- sides ---- */

double tn_floor_level(const struct tn_floor_room *room)
{
	double level = 0;

	for (; room; room = room->parent)
		level += room->elevation;
	return level;
}

static size_t count_rooms(const struct tn_floor_room *room)
{
	size_t count = 0;

	for (; room; room = room->next)
		count += 1 + count_rooms(room->rooms);
	return count;
}

static void add_sides(struct network *net, const struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		const struct tn_floor_rect *r = &room->rect;
		double level = tn_floor_level(room);

		for (int i = 0; i < 4 && room->placed; i++) {
			bool horizontal = i == TN_FLOOR_TOP || i == TN_FLOOR_BOTTOM;
			struct side *side = &net->sides[net->side_count++];

			side->horizontal = horizontal;
			side->room = room;
			side->level = level;
			side->type = room->walls[i];
			side->start = horizontal ? r->x : r->y;
			side->end = horizontal ? r->x + r->width : r->y + r->height;
			side->line = horizontal ? r->y : r->x;
			if (i == TN_FLOOR_BOTTOM)
				side->line += r->height;
			if (i == TN_FLOOR_RIGHT)
				side->line += r->width;
		}
		add_sides(net, room->rooms);
	}
}

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_line(const void *left, const void *right)
{
	const struct side *a = left, *b = right;

	if (a->horizontal != b->horizontal)
		return a->horizontal ? -1 : 1;
	return compare(a->line, b->line);
}

static int by_start(const void *left, const void *right)
{
	const struct side *a = left, *b = right;

	if (compare(a->start, b->start) != 0)
		return compare(a->start, b->start);
	if (compare(a->line, b->line) != 0)
		return compare(a->line, b->line);
	return (a->room->index > b->room->index) - (a->room->index < b->room->index);
}

/* ---- clusters: parallel sides that are one wall, and what hangs on them ---- */

static size_t root_of(struct side *sides, size_t index)
{
	while (sides[index].cluster != index) {
		sides[index].cluster = sides[sides[index].cluster].cluster;
		index = sides[index].cluster;
	}
	return index;
}

static void join(struct side *sides, size_t a, size_t b)
{
	a = root_of(sides, a);
	b = root_of(sides, b);
	if (a < b)
		sides[b].cluster = a;
	else
		sides[a].cluster = b;
}

/* `sides`: those of one direction whose lines are near each other, by their starts. */
static void find_clusters(struct network *net, struct side *sides, size_t count)
{
	size_t active = 0;

	for (size_t i = 0; i < count; i++) {
		size_t kept = 0;

		sides[i].cluster = i;
		for (size_t k = 0; k < active; k++) {
			size_t other = net->active[k];

			if (sides[other].end - OVERLAP <= sides[i].start)
				continue;
			net->active[kept++] = other;
			if (fabs(sides[other].line - sides[i].line) <= net->tolerance + NEARLY &&
			    fmin(sides[other].end, sides[i].end) - sides[i].start > OVERLAP)
				join(sides, i, other);
		}
		active = kept;
		net->active[active++] = i;
	}
}

/* ---- pieces ---- */

static bool has_room(struct network *net)
{
	struct tn_floor_wall_piece *more;
	size_t room = net->piece_room ? net->piece_room * 2 : 256;

	if (net->piece_count < net->piece_room)
		return true;
	more = tn_arena_alloc_array(net->arena, room, sizeof(*more));
	if (!more)
		return false;
	if (net->piece_count > 0)
		memcpy(more, net->pieces, net->piece_count * sizeof(*more));
	net->pieces = more;
	net->piece_room = room;
	return true;
}

static bool goes_on(const struct network *net, const struct tn_floor_wall_piece *last,
		    const struct tn_floor_wall_piece *piece)
{
	if (net->by_height && (last->bottom != piece->bottom || last->top != piece->top))
		return false;
	return last->to >= piece->from - NEARLY && last->type == piece->type &&
	       last->style == piece->style && fabs(last->line - piece->line) < NEARLY &&
	       fabs(last->thickness - piece->thickness) < NEARLY;
}

static void rise_to(struct tn_floor_wall_piece *piece, double bottom, double top)
{
	piece->bottom = fmin(piece->bottom, bottom);
	piece->top = fmax(piece->top, top);
}

/* What goes on like the piece before it is a part of that. */
static bool add_piece(struct network *net, const struct tn_floor_wall_piece *piece, bool may_join)
{
	struct tn_floor_wall_piece *last =
		net->piece_count ? &net->pieces[net->piece_count - 1] : NULL;

	if (last && may_join && goes_on(net, last, piece)) {
		last->to = last->end = piece->to;
		rise_to(last, piece->bottom, piece->top);
		return true;
	}
	if (!has_room(net))
		return false;
	net->pieces[net->piece_count++] = *piece;
	return true;
}

static enum tn_floor_wall_type stronger(enum tn_floor_wall_type a, enum tn_floor_wall_type b)
{
	static const int strength[] = {[TN_FLOOR_OPEN] = 0,
				       [TN_FLOOR_SOLID] = 1,
				       [TN_FLOOR_WINDOW] = 2,
				       [TN_FLOOR_DOOR] = 3};

	return strength[a] >= strength[b] ? a : b;
}

/* Of the sides that cover an interval. */
static struct tn_floor_wall_piece piece_of(const struct network *net, const struct side *sides,
					   size_t active, double from, double to)
{
	struct tn_floor_wall_piece piece = {.type = TN_FLOOR_OPEN,
					    .from = from,
					    .to = to,
					    .bottom = INFINITY,
					    .top = -INFINITY};
	double low = INFINITY, high = -INFINITY, sum = 0;
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < active; i++) {
		const struct side *side = &sides[net->active[i]];
		const struct tn_floor_style *style = side->room->style;

		piece.horizontal = side->horizontal;
		piece.type = stronger(piece.type, side->type);
		sum += side->line;
		low = fmin(low, side->line);
		high = fmax(high, side->line);
		if (side->type != TN_FLOOR_OPEN)
			rise_to(&piece, side->level, side->level + side->room->height);
		if (!style || style->wall_color.size == 0 || side->room->index >= first)
			continue;
		first = side->room->index;
		piece.style = style;
	}
	piece.line = active ? sum / (double)active : 0;
	piece.thickness = fmax(net->thickness, high - low);
	piece.start = from;
	piece.end = to;
	return piece;
}

static int by_number(const void *left, const void *right)
{
	return compare(*(const double *)left, *(const double *)right);
}

/* One cluster, by its starts, cut at every end. */
static bool cut_cluster(struct network *net, const struct side *sides, size_t count)
{
	double *ends = tn_arena_alloc_array(net->arena, 2 * count, sizeof(*ends));
	size_t active = 0, next = 0;
	bool joins = false;

	if (!ends)
		return false;
	for (size_t i = 0; i < count; i++) {
		ends[2 * i] = sides[i].start;
		ends[2 * i + 1] = sides[i].end;
	}
	qsort(ends, 2 * count, sizeof(*ends), by_number);
	for (size_t e = 0; e + 1 < 2 * count; e++) {
		struct tn_floor_wall_piece piece;
		size_t kept = 0;

		if (ends[e + 1] - ends[e] <= NEARLY)
			continue;
		while (next < count && sides[next].start <= ends[e] + NEARLY)
			net->active[active++] = next++;
		for (size_t k = 0; k < active; k++)
			if (sides[net->active[k]].end > ends[e] + NEARLY)
				net->active[kept++] = net->active[k];
		active = kept;
		piece = piece_of(net, sides, active, ends[e], ends[e + 1]);
		if (active == 0 || piece.type == TN_FLOOR_OPEN)
			continue;
		if (!add_piece(net, &piece, joins))
			return false;
		joins = true;
	}
	return true;
}

static int by_cluster(const void *left, const void *right)
{
	const struct side *a = left, *b = right;

	if (a->cluster != b->cluster)
		return a->cluster < b->cluster ? -1 : 1;
	return by_start(left, right);
}

static bool cut_band(struct network *net, struct side *sides, size_t count)
{
	qsort(sides, count, sizeof(*sides), by_start);
	find_clusters(net, sides, count);
	for (size_t i = 0; i < count; i++)
		sides[i].cluster = root_of(sides, i);
	qsort(sides, count, sizeof(*sides), by_cluster);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first; end < count && sides[end].cluster == sides[first].cluster;)
			end++;
		if (!cut_cluster(net, sides + first, end - first))
			return false;
	}
	return true;
}

static int by_place(const void *left, const void *right)
{
	const struct tn_floor_wall_piece *a = left, *b = right;

	if (a->horizontal != b->horizontal)
		return a->horizontal ? -1 : 1;
	if (compare(a->line, b->line) != 0)
		return compare(a->line, b->line);
	return compare(a->from, b->from);
}

/* Clusters that only touch go on from one to the next, too. */
static void join_pieces(struct network *net)
{
	size_t kept = 0;

	for (size_t i = 0; i < net->piece_count; i++) {
		const struct tn_floor_wall_piece piece = net->pieces[i];
		struct tn_floor_wall_piece *last = kept > 0 ? &net->pieces[kept - 1] : NULL;

		if (last && last->horizontal == piece.horizontal && goes_on(net, last, &piece)) {
			last->to = last->end = fmax(last->to, piece.to);
			rise_to(last, piece.bottom, piece.top);
		} else {
			net->pieces[kept++] = piece;
		}
	}
	net->piece_count = kept;
}

static bool make_pieces(struct network *net)
{
	struct side *sides = net->sides;

	qsort(sides, net->side_count, sizeof(*sides), by_line);
	for (size_t first = 0, end; first < net->side_count; first = end) {
		for (end = first + 1; end < net->side_count; end++)
			if (sides[end].horizontal != sides[first].horizontal ||
			    sides[end].line - sides[end - 1].line > net->tolerance + NEARLY)
				break;
		if (!cut_band(net, sides + first, end - first))
			return false;
	}
	if (net->piece_count > 0)
		qsort(net->pieces, net->piece_count, sizeof(*net->pieces), by_place);
	join_pieces(net);
	return true;
}

/* ---- corners and openings ---- */

/* The first piece of a direction whose line is not before `line`. */
static size_t first_at(const struct tn_floor_wall_piece *pieces, size_t count, bool horizontal,
		       double line)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tn_floor_wall_piece *piece = &pieces[middle];

		if (piece->horizontal == horizontal ? piece->line < line : piece->horizontal)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How far the wall at one of its ends goes on, so that the corner is closed. */
static double reach(const struct network *net, const struct tn_floor_wall_piece *piece, double at,
		    bool forward)
{
	double best = at, slack = net->tolerance + NEARLY, low = INFINITY, high = -INFINITY;
	double beyond = at;
	size_t i = first_at(net->pieces, net->piece_count, !piece->horizontal, at - slack);

	for (; i < net->piece_count; i++) {
		const struct tn_floor_wall_piece *other = &net->pieces[i];

		if (other->horizontal == piece->horizontal || other->line > at + slack)
			break;
		if (other->from > piece->line + slack || other->to < piece->line - slack)
			continue;
		low = fmin(low, other->from);
		high = fmax(high, other->to);
		if (forward) {
			best = fmax(best, other->line);
			beyond = fmax(beyond, other->line + other->thickness / 2);
		} else {
			best = fmin(best, other->line);
			beyond = fmin(beyond, other->line - other->thickness / 2);
		}
	}
	/* Where the other wall goes on to both hands, its own body closes the joint; a wall of
	 * another colour would be seen to come out on the far side. */
	return low < piece->line - slack && high > piece->line + slack ? best : beyond;
}

static bool meets(const struct tn_floor_wall_piece *piece, const struct tn_floor_opening *opening)
{
	return opening->center + opening->width / 2 > piece->from + NEARLY &&
	       opening->center - opening->width / 2 < piece->to - NEARLY;
}

/* Counts them, or notes them when the pieces have memory for it. */
static void visit_openings(const struct network *net, const struct tn_floor_floor *floor)
{
	double slack = net->tolerance + NEARLY;

	for (const struct tn_floor_opening *o = floor->openings; o; o = o->next) {
		size_t i = first_at(net->pieces, net->piece_count, o->horizontal, o->line - slack);

		for (; o->drawn && i < net->piece_count; i++) {
			struct tn_floor_wall_piece *piece = &net->pieces[i];

			if (piece->horizontal != o->horizontal || piece->line > o->line + slack)
				break;
			if (!meets(piece, o))
				continue;
			if (piece->openings)
				piece->openings[piece->opening_count] = o;
			piece->opening_count++;
		}
	}
}

static int by_center(const void *left, const void *right)
{
	const struct tn_floor_opening *const *a = left, *const *b = right;

	return compare((*a)->center - (*a)->width / 2, (*b)->center - (*b)->width / 2);
}

static bool put_openings(struct network *net, const struct tn_floor_floor *floor)
{
	visit_openings(net, floor);
	for (size_t i = 0; i < net->piece_count; i++) {
		struct tn_floor_wall_piece *piece = &net->pieces[i];

		if (piece->opening_count == 0)
			continue;
		piece->openings = tn_arena_alloc_array(net->arena, piece->opening_count,
						       sizeof(struct tn_floor_opening *));
		if (!piece->openings)
			return false;
		piece->opening_count = 0;
	}
	visit_openings(net, floor);
	for (size_t i = 0; i < net->piece_count; i++)
		if (net->pieces[i].opening_count > 1)
			qsort(net->pieces[i].openings, net->pieces[i].opening_count,
			      sizeof(struct tn_floor_opening *), by_center);
	return true;
}

bool tn_floor_walls(const struct tn_floor_floor *floor, const struct tn_floor_plan *plan,
		    bool by_height, struct tn_arena *arena, const struct tn_floor_wall_piece **ret,
		    size_t *ret_count)
{
	struct network net = {.plan = plan, .arena = arena, .by_height = by_height};
	size_t room_count = count_rooms(floor->rooms);

	net.thickness = plan->settings.wall_thickness;
	net.tolerance = fmax(net.thickness, SHARED_M / tn_floor_metres(plan->unit));
	*ret = NULL;
	*ret_count = 0;
	if (room_count == 0)
		return true;
	net.sides = tn_arena_alloc_array(arena, 4 * room_count, sizeof(*net.sides));
	net.active = tn_arena_alloc_array(arena, 4 * room_count, sizeof(*net.active));
	if (!net.sides || !net.active)
		return false;
	add_sides(&net, floor->rooms);
	if (!make_pieces(&net) || !put_openings(&net, floor))
		return false;
	for (size_t i = 0; i < net.piece_count; i++) {
		net.pieces[i].start = reach(&net, &net.pieces[i], net.pieces[i].from, false);
		net.pieces[i].end = reach(&net, &net.pieces[i], net.pieces[i].to, true);
	}
	*ret = net.pieces;
	*ret_count = net.piece_count;
	return true;
}

const struct tn_floor_wall_piece *tn_floor_wall_of(const struct tn_floor_plan *plan,
						   const struct tn_floor_wall_piece *pieces,
						   size_t count,
						   const struct tn_floor_opening *opening)
{
	double slack = fmax(plan->settings.wall_thickness, SHARED_M / tn_floor_metres(plan->unit)) +
		       NEARLY;
	const struct tn_floor_wall_piece *best = NULL;
	size_t i = first_at(pieces, count, opening->horizontal, opening->line - slack);

	for (; i < count; i++) {
		const struct tn_floor_wall_piece *piece = &pieces[i];

		if (piece->horizontal != opening->horizontal || piece->line > opening->line + slack)
			break;
		if (!meets(piece, opening))
			continue;
		if (!best || fabs(piece->line - opening->line) < fabs(best->line - opening->line))
			best = piece;
	}
	return best;
}
