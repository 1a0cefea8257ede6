#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/plan/wall_network.h"
#include "base/size.h"

#define NEARLY 1e-6   /* U: ends that are one end */
#define OVERLAP 0.01  /* U: less is no overlap (4.4) */
#define SHARED_M 0.05 /* walls nearer than this are one (4.4: T) */

struct side { /* of a room */
	bool horizontal;
	double line, start, end;
	double bottom, top;
	const struct tn_floor_room *room;
	enum tn_floor_wall_type type;
	size_t cluster; /* of equals: the index of one of them */
	size_t rank;    /* among those of its band, by line */
};

struct end { /* of a side */
	double at;
	size_t side;
};

struct network {
	const struct tn_floor_plan *plan;
	struct tn_arena *arena;
	double tolerance, thickness;
	bool by_height;
	struct side *sides;
	size_t side_count;
	/* Of the sweep: the sides by their ends, those that it is in by rank (a bit each, and whose
	 * they are), and what they are together. */
	struct end *ends;
	uint64_t *inside;
	size_t *by_rank;
	struct tn_wall_cover *covers;
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

/* A wall's own, else the room's (4.4). */
static double height_of(const struct tn_floor_plan *plan, const struct tn_floor_room *room,
			int side)
{
	const struct tn_floor_wall *wall = room->wall_trees[side];
	double height = 0;

	if (wall && wall->height.tokens.first != TN_FLOOR_NO_TOKEN)
		height = tn_floor_to_unit(plan, &wall->height.length);
	return height > 0 ? height : room->height;
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
			side->bottom = level;
			side->top = level + height_of(net->plan, room, i);
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

static int by_end(const void *left, const void *right)
{
	const struct end *a = left, *b = right;

	if (compare(a->at, b->at) != 0)
		return compare(a->at, b->at);
	return (a->side > b->side) - (a->side < b->side);
}

static void sort_ends(struct network *net, const struct side *sides, size_t count)
{
	for (size_t i = 0; i < count; i++)
		net->ends[i] = (struct end){sides[i].end, i};
	qsort(net->ends, count, sizeof(*net->ends), by_end);
}

/* The nearest side that the sweep is in: before (-1) or behind (1) a rank. */
static const size_t *neighbour(const struct network *net, size_t rank, size_t count, int step)
{
	size_t words = count / 64 + 1, word = rank / 64;
	uint64_t bits = net->inside[word];

	bits &= step < 0 ? ((uint64_t)1 << rank % 64) - 1 : ~(uint64_t)0 << rank % 64;
	while (bits == 0) {
		if (step < 0 ? word == 0 : word + 1 == words)
			return NULL;
		word = step < 0 ? word - 1 : word + 1;
		bits = net->inside[word];
	}
	return &net->by_rank[64 * word + (size_t)(step < 0 ? 63 - __builtin_clzll(bits)
							   : __builtin_ctzll(bits))];
}

/* `sides`: those of one direction whose lines are near each other, by their starts. What the sweep
 * is in and near by line is one cluster already, so that the nearest to both hands are enough. */
static void find_clusters(struct network *net, struct side *sides, size_t count)
{
	size_t ended = 0;

	memset(net->inside, 0, (count / 64 + 1) * sizeof(*net->inside));
	sort_ends(net, sides, count);
	for (size_t i = 0; i < count; i++) {
		sides[i].cluster = i;
		for (; ended < count && net->ends[ended].at - OVERLAP <= sides[i].start; ended++) {
			size_t rank = sides[net->ends[ended].side].rank;

			net->inside[rank / 64] &= ~((uint64_t)1 << rank % 64);
		}
		if (sides[i].end - sides[i].start <= OVERLAP)
			continue;
		for (int step = -1; step <= 1; step += 2) {
			const size_t *other = neighbour(net, sides[i].rank, count, step);

			if (other &&
			    fabs(sides[*other].line - sides[i].line) <= net->tolerance + NEARLY)
				join(sides, i, *other);
		}
		net->inside[sides[i].rank / 64] |= (uint64_t)1 << sides[i].rank % 64;
		net->by_rank[sides[i].rank] = i;
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

/* Of the sides that cover an interval. */
static struct tn_floor_wall_piece piece_of(const struct network *net,
					   const struct tn_wall_cover *all, bool horizontal,
					   double from, double to)
{
	return (struct tn_floor_wall_piece){.horizontal = horizontal,
					    .line = all->sum / (double)all->count,
					    .thickness = fmax(net->thickness, all->high - all->low),
					    .start = from,
					    .end = to,
					    .from = from,
					    .to = to,
					    .bottom = all->bottom,
					    .top = all->top,
					    .type = all->type,
					    .style = all->style};
}

static struct tn_wall_cover cover_of(const struct side *side)
{
	const struct tn_floor_style *style = side->room->style;
	const bool stands = side->type != TN_FLOOR_OPEN;

	return (struct tn_wall_cover){.count = 1,
				      .first = side->room->index,
				      .sum = side->line,
				      .low = side->line,
				      .high = side->line,
				      .bottom = stands ? side->bottom : INFINITY,
				      .top = stands ? side->top : -INFINITY,
				      .type = side->type,
				      .style = style && style->wall_color.size > 0 ? style : NULL};
}

static int by_number(const void *left, const void *right)
{
	return compare(*(const double *)left, *(const double *)right);
}

/* One cluster, by its starts, cut at every end. */
static bool cut_cluster(struct network *net, const struct side *sides, size_t count)
{
	double *cuts = tn_arena_alloc_array(net->arena, 2 * count, sizeof(*cuts));
	struct tn_wall_covers covers;
	const struct tn_wall_cover *all = &net->covers[1];
	size_t begun = 0, ended = 0;
	bool joins = false;

	if (!cuts)
		return false;
	for (size_t i = 0; i < count; i++) {
		cuts[2 * i] = sides[i].start;
		cuts[2 * i + 1] = sides[i].end;
	}
	qsort(cuts, 2 * count, sizeof(*cuts), by_number);
	sort_ends(net, sides, count);
	tn_wall_covers_init(&covers, net->covers, count);
	for (size_t e = 0; e + 1 < 2 * count; e++) {
		struct tn_floor_wall_piece piece;

		if (cuts[e + 1] - cuts[e] <= NEARLY)
			continue;
		for (; begun < count && sides[begun].start <= cuts[e] + NEARLY; begun++) {
			const struct tn_wall_cover cover = cover_of(&sides[begun]);

			tn_wall_covers_set(&covers, begun, &cover);
		}
		for (; ended < count && net->ends[ended].at <= cuts[e] + NEARLY; ended++)
			tn_wall_covers_set(&covers, net->ends[ended].side, NULL);
		if (all->count == 0 || all->type == TN_FLOOR_OPEN)
			continue;
		piece = piece_of(net, all, sides->horizontal, cuts[e], cuts[e + 1]);
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
	for (size_t i = 0; i < count; i++)
		sides[i].rank = i;
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

/* How far the wall at one of its ends goes on, so that the corner is closed. */
static double reach(const struct tn_wall_near *near, const struct tn_floor_wall_piece *piece,
		    double at, double slack, bool forward)
{
	const struct tn_wall_range range = {!piece->horizontal,
					    {at - slack, at + slack},
					    piece->line - slack,
					    piece->line + slack};
	struct tn_wall_reach all = {INFINITY, -INFINITY, at, at, forward};

	tn_wall_near_reach(near, &range, &all);
	/* Where the other wall goes on to both hands, its own body closes the joint; a wall of
	 * another colour would be seen to come out on the far side. */
	return all.low < piece->line - slack && all.high > piece->line + slack ? all.line
									       : all.face;
}

static bool meets(const struct tn_floor_wall_piece *piece, const struct tn_floor_opening *opening)
{
	return opening->center + opening->width / 2 > piece->from + NEARLY &&
	       opening->center - opening->width / 2 < piece->to - NEARLY;
}

/* Counts them, or notes them when the pieces have memory for it. */
static void visit_openings(const struct tn_wall_near *near, const struct tn_floor_floor *floor,
			   double slack)
{
	for (const struct tn_floor_opening *o = floor->openings; o; o = o->next) {
		const struct tn_wall_range range = {o->horizontal,
						    {o->line - slack, o->line + slack},
						    o->center - o->width / 2,
						    o->center + o->width / 2};
		size_t i =
			tn_wall_first_at(near->pieces, near->count, o->horizontal, o->line - slack);

		if (!o->drawn)
			continue;
		while ((i = tn_wall_near_next(near, &range, NEARLY, i)) < near->count) {
			struct tn_floor_wall_piece *piece = &near->pieces[i++];

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

static bool put_openings(struct network *net, const struct tn_wall_near *near,
			 const struct tn_floor_floor *floor)
{
	const double slack = net->tolerance + NEARLY;

	visit_openings(near, floor, slack);
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
	visit_openings(near, floor, slack);
	for (size_t i = 0; i < net->piece_count; i++)
		if (net->pieces[i].opening_count > 1)
			qsort(net->pieces[i].openings, net->pieces[i].opening_count,
			      sizeof(struct tn_floor_opening *), by_center);
	return true;
}

static bool close_corners(struct network *net, const struct tn_floor_floor *floor)
{
	const double slack = net->tolerance + NEARLY;
	struct tn_wall_box *boxes = tn_arena_alloc_array(
		net->arena, tn_wall_near_nodes(net->piece_count), sizeof(*boxes));
	struct tn_wall_near near;

	if (!boxes)
		return false;
	tn_wall_near_init(&near, net->pieces, net->piece_count, boxes);
	if (!put_openings(net, &near, floor))
		return false;
	for (size_t i = 0; i < net->piece_count; i++) {
		struct tn_floor_wall_piece *piece = &net->pieces[i];

		piece->start = reach(&near, piece, piece->from, slack, false);
		piece->end = reach(&near, piece, piece->to, slack, true);
	}
	return true;
}

static bool init(struct network *net, size_t room_count)
{
	const size_t count = 4 * room_count;

	net->sides = tn_arena_alloc_array(net->arena, count, sizeof(*net->sides));
	net->ends = tn_arena_alloc_array(net->arena, count, sizeof(*net->ends));
	net->inside = tn_arena_alloc_array(net->arena, count / 64 + 1, sizeof(*net->inside));
	net->by_rank = tn_arena_alloc_array(net->arena, count, sizeof(*net->by_rank));
	net->covers =
		tn_arena_alloc_array(net->arena, tn_wall_covers_nodes(count), sizeof(*net->covers));
	return net->sides && net->ends && net->inside && net->by_rank && net->covers;
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
	if (!init(&net, room_count))
		return false;
	add_sides(&net, floor->rooms);
	if (!make_pieces(&net) || !close_corners(&net, floor))
		return false;
	*ret = net.pieces;
	*ret_count = net.piece_count;
	return true;
}

/* The nearer of two, and the first of equals; pieces are in order of their lines. */
const struct tn_floor_wall_piece *tn_floor_wall_of(const struct tn_floor_plan *plan,
						   const struct tn_floor_wall_piece *pieces,
						   size_t count,
						   const struct tn_floor_opening *opening)
{
	double slack = fmax(plan->settings.wall_thickness, SHARED_M / tn_floor_metres(plan->unit)) +
		       NEARLY;
	const struct tn_floor_wall_piece *best = NULL;
	size_t end = tn_wall_first_at(pieces, count, opening->horizontal, opening->line), i = end;

	while (i > 0 && pieces[i - 1].horizontal == opening->horizontal &&
	       pieces[i - 1].line >= opening->line - slack &&
	       (!best || pieces[i - 1].line == best->line)) {
		if (meets(&pieces[--i], opening))
			best = &pieces[i];
	}
	for (i = end; i < count && pieces[i].horizontal == opening->horizontal; i++) {
		const struct tn_floor_wall_piece *piece = &pieces[i];
		double distance = fabs(piece->line - opening->line);

		if (piece->line > opening->line + slack ||
		    (best && distance >= fabs(best->line - opening->line)))
			break;
		if (meets(piece, opening))
			best = piece;
	}
	return best;
}
