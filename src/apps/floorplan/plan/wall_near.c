/* Pieces of walls by place: a tree of boxes over their order, where whole branches are passed over
 * because nothing in them reaches as far, or none of it further than what is known. */
#include <math.h>

#include "apps/floorplan/plan/wall_network.h"
#include "base/size.h"

size_t tn_wall_near_nodes(size_t count)
{
	return 2 * tn_size_power(count);
}

static struct tn_wall_box box_of(const struct tn_floor_wall_piece *piece)
{
	const double half = piece->thickness / 2;

	return (struct tn_wall_box){{piece->from, piece->from},
				    {piece->to, piece->to},
				    {piece->line, piece->line},
				    {piece->line - half, piece->line + half}};
}

static void widen(double both[2], const double by[2])
{
	both[0] = fmin(both[0], by[0]);
	both[1] = fmax(both[1], by[1]);
}

void tn_wall_near_init(struct tn_wall_near *near, struct tn_floor_wall_piece *pieces, size_t count,
		       struct tn_wall_box *boxes)
{
	const struct tn_wall_box none = {{INFINITY, -INFINITY},
					 {INFINITY, -INFINITY},
					 {INFINITY, -INFINITY},
					 {INFINITY, -INFINITY}};

	*near = (struct tn_wall_near){pieces, count, boxes, tn_size_power(count)};
	for (size_t i = 0; i < near->places; i++)
		boxes[near->places + i] = i < count ? box_of(&pieces[i]) : none;
	for (size_t i = near->places - 1; i > 0; i--) {
		boxes[i] = boxes[2 * i];
		widen(boxes[i].from, boxes[2 * i + 1].from);
		widen(boxes[i].to, boxes[2 * i + 1].to);
		widen(boxes[i].line, boxes[2 * i + 1].line);
		widen(boxes[i].face, boxes[2 * i + 1].face);
	}
}

size_t tn_wall_first_at(const struct tn_floor_wall_piece *pieces, size_t count, bool horizontal,
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

/* ---- all that reach into a range ---- */

struct query {
	const struct tn_wall_near *near;
	const struct tn_wall_range *range;
	struct tn_wall_reach *reach;
	size_t first, end; /* of the pieces that are near by their lines */
};

static bool adds(const struct tn_wall_reach *reach, const struct tn_wall_box *box)
{
	if (box->from[0] < reach->low || box->to[1] > reach->high)
		return true;
	return reach->forward ? box->line[1] > reach->line || box->face[1] > reach->face
			      : box->line[0] < reach->line || box->face[0] < reach->face;
}

static void add(struct tn_wall_reach *reach, const struct tn_wall_box *box)
{
	reach->low = fmin(reach->low, box->from[0]);
	reach->high = fmax(reach->high, box->to[1]);
	if (reach->forward) {
		reach->line = fmax(reach->line, box->line[1]);
		reach->face = fmax(reach->face, box->face[1]);
	} else {
		reach->line = fmin(reach->line, box->line[0]);
		reach->face = fmin(reach->face, box->face[0]);
	}
}

/* `node` has the pieces from `from` on, `size` of them. Recursion: the logarithm of the pieces. */
static void visit(const struct query *query, size_t node, size_t from, size_t size)
{
	const struct tn_wall_box *box = &query->near->boxes[node];
	const struct tn_wall_range *range = query->range;

	if (from >= query->end || from + size <= query->first || box->from[0] > range->to ||
	    box->to[1] < range->from || !adds(query->reach, box))
		return;
	if (from >= query->first && from + size <= query->end && box->from[1] <= range->to &&
	    box->to[0] >= range->from) {
		add(query->reach, box);
		return;
	}
	if (size == 1)
		return;
	visit(query, 2 * node, from, size / 2);
	visit(query, 2 * node + 1, from + size / 2, size / 2);
}

void tn_wall_near_reach(const struct tn_wall_near *near, const struct tn_wall_range *range,
			struct tn_wall_reach *reach)
{
	struct query query = {.near = near, .range = range, .reach = reach};

	query.first =
		tn_wall_first_at(near->pieces, near->count, range->horizontal, range->line[0]);
	query.end = tn_wall_first_at(near->pieces, near->count, range->horizontal,
				     nextafter(range->line[1], INFINITY));
	if (query.first < query.end)
		visit(&query, 1, 0, near->places);
}

/* ---- one after the other ---- */

static bool may_lie_in(const struct tn_wall_box *box, const struct tn_wall_range *range,
		       double slack)
{
	return range->to > box->from[0] + slack && range->from < box->to[1] - slack;
}

/* The node to the right of a node and everything in it; 0: there is none. */
static size_t behind(size_t node)
{
	while (node % 2 == 1)
		node /= 2;
	return node == 0 ? 0 : node + 1;
}

size_t tn_wall_near_next(const struct tn_wall_near *near, const struct tn_wall_range *range,
			 double slack, size_t at)
{
	size_t node = at < near->count ? near->places + at : 0;
	const struct tn_floor_wall_piece *piece;

	while (node > 0 && (node < near->places || !may_lie_in(&near->boxes[node], range, slack)))
		node = may_lie_in(&near->boxes[node], range, slack) ? 2 * node : behind(node);
	if (node == 0)
		return near->count;
	piece = &near->pieces[node - near->places];
	return piece->horizontal != range->horizontal || piece->line > range->line[1]
		       ? near->count
		       : node - near->places;
}
