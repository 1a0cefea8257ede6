#include "apps/studio/picture/route_search.h"

#include <stdlib.h>

enum {
	STUB = 16,     /* how far an edge runs straight out of a box */
	EDGE = 10,     /* how far from a corner an edge begins that has slid along its side */
	CLEAR = 10,    /* the distance to keep from what is in the way */
	BEND = 60,     /* what a bend costs, in pixels of length */
	DISLIKE = 150, /* another side than the handle's */
	HUG = 90,      /* running along a frame, or through its title */
	NEAR = 7,
	HIT = 100000, /* passing through something */
	POINTS = 6,   /* four bends, at most */
	CHANNELS_MAX = 200,
	REACH = 400 /* how far around the two boxes channels are looked for */
};

struct way { /* in the axes of the search */
	struct tn_studio_point points[POINTS];
	unsigned count;
};

struct search {
	const struct tn_studio_rect *rects;       /* in the axes of the search */
	const struct tn_studio_rect *other_rects; /* with x and y exchanged */
	size_t rect_count, frame_count;
	bool turned; /* x and y are exchanged */
	struct tn_studio_point a, b;
	int32_t a_out, b_out; /* 1: the side looks to greater numbers; -1 */
	bool a_slides, b_slides;
	int64_t dislike;
	unsigned a_side, b_side;
	struct tn_studio_rect from, to; /* the boxes, in the axes of the search */

	struct way best;
	int64_t best_cost;
	bool best_turned;
	unsigned best_a, best_b;
};

/* ---- what a way costs ---- */

static int32_t smaller(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static bool passes(const struct tn_studio_rect *rect, struct tn_studio_point p,
		   struct tn_studio_point q, int32_t clear)
{
	return smaller(p.x, q.x) < rect->x + rect->width + clear &&
	       larger(p.x, q.x) > rect->x - clear &&
	       smaller(p.y, q.y) < rect->y + rect->height + clear &&
	       larger(p.y, q.y) > rect->y - clear;
}

static bool is_near(int32_t a, int32_t b)
{
	return a - b < NEAR && b - a < NEAR;
}

/* Beside a wall of a box that the edge leaves or enters, or in its title. */
static bool hugs(const struct search *search, const struct tn_studio_rect *frame,
		 struct tn_studio_point p, struct tn_studio_point q)
{
	int32_t title_x = search->turned ? TN_STUDIO_HEADER : 0;
	int32_t title_y = search->turned ? 0 : TN_STUDIO_HEADER;

	if (!passes(frame, p, q, NEAR))
		return false;
	if (p.x == q.x)
		return is_near(p.x, frame->x) || is_near(p.x, frame->x + frame->width) ||
		       (p.x > frame->x && p.x < frame->x + title_x);
	return is_near(p.y, frame->y) || is_near(p.y, frame->y + frame->height) ||
	       (p.y > frame->y && p.y < frame->y + title_y);
}

/* A segment costs more for what it comes close to, and far more for what it passes through. */
static int64_t toll(const struct search *search, struct tn_studio_point p, struct tn_studio_point q,
		    bool is_stub)
{
	int64_t cost = 0;
	size_t i;

	for (i = 0; i < search->rect_count; i++) {
		if (!passes(&search->rects[i], p, q, CLEAR))
			continue;
		cost += passes(&search->rects[i], p, q, 0) ? HIT : is_stub ? 0 : BEND;
	}
	for (; i < search->rect_count + search->frame_count; i++)
		if (hugs(search, &search->rects[i], p, q))
			cost += HUG;
	/* Its own boxes: only what runs along inside them is wrong. */
	if (passes(&search->from, p, q, 0))
		cost += HIT;
	if (passes(&search->to, p, q, 0))
		cost += HIT;
	return cost;
}

static int64_t plain_cost(const struct search *search, const struct way *way)
{
	int64_t cost = search->dislike + (int64_t)(way->count - 2) * BEND;
	unsigned i;

	for (i = 0; i + 1 < way->count; i++)
		cost += labs((long)way->points[i].x - way->points[i + 1].x) +
			labs((long)way->points[i].y - way->points[i + 1].y);
	return cost;
}

static void try_way(struct search *search, const struct way *way)
{
	int64_t cost = plain_cost(search, way);
	unsigned i;

	for (i = 0; i + 1 < way->count && cost < search->best_cost; i++)
		cost += toll(search, way->points[i], way->points[i + 1],
			     i == 0 || i + 2 == way->count);
	if (cost >= search->best_cost)
		return;
	search->best = *way;
	search->best_cost = cost;
	search->best_turned = search->turned;
	search->best_a = search->a_side;
	search->best_b = search->b_side;
}

/* ---- the shapes, with a leaving along x ---- */

static void try_straight_at(struct search *search, int32_t y)
{
	const struct way way = {{{search->a.x, y}, {search->b.x, y}}, 2};
	const struct tn_studio_rect *from = &search->from, *to = &search->to;

	if ((!search->a_slides && y != search->a.y) || (!search->b_slides && y != search->b.y))
		return;
	if (y < from->y + EDGE || y > from->y + from->height - EDGE || y < to->y + EDGE ||
	    y > to->y + to->height - EDGE)
		return;
	try_way(search, &way);
}

static void try_straight(struct search *search)
{
	if (search->a_out == search->b_out || (search->b.x - search->a.x) * search->a_out <= 0)
		return;
	try_straight_at(search, search->a.y);
	try_straight_at(search, search->b.y);
	try_straight_at(search, search->a.y + (search->b.y - search->a.y) / 2);
}

/* Two bends: over the channel x = c. */
static void try_channel(struct search *search, int32_t c)
{
	const struct way way = {{search->a, {c, search->a.y}, {c, search->b.y}, search->b}, 4};

	if ((c - search->a.x) * search->a_out >= CLEAR / 2 &&
	    (c - search->b.x) * search->b_out >= CLEAR / 2)
		try_way(search, &way);
}

/* Four bends: over y = d, when the sides look away from each other. */
static void try_around(struct search *search, int32_t d)
{
	int32_t c = search->a.x + search->a_out * STUB, e = search->b.x + search->b_out * STUB;
	const struct way way = {
		{search->a, {c, search->a.y}, {c, d}, {e, d}, {e, search->b.y}, search->b}, 6};

	try_way(search, &way);
}

/* One bend, b being entered along y. */
static void try_corner(struct search *search)
{
	const struct way way = {{search->a, {search->b.x, search->a.y}, search->b}, 3};

	if ((search->b.x - search->a.x) * search->a_out > 0 &&
	    (search->a.y - search->b.y) * search->b_out > 0)
		try_way(search, &way);
}

/* Three bends: over the channels x = c and y = d. */
static void try_stairs(struct search *search, int32_t c, int32_t d)
{
	const struct way way = {{search->a, {c, search->a.y}, {c, d}, {search->b.x, d}, search->b},
				5};

	if ((c - search->a.x) * search->a_out >= CLEAR / 2 &&
	    (d - search->b.y) * search->b_out >= CLEAR / 2)
		try_way(search, &way);
}

/* ---- channels ---- */

struct channels {
	int32_t at[CHANNELS_MAX];
	unsigned count;
};

static void add_channel(struct channels *channels, int32_t at)
{
	unsigned i;

	for (i = 0; i < channels->count; i++)
		if (channels->at[i] == at)
			return;
	if (channels->count < CHANNELS_MAX)
		channels->at[channels->count++] = at;
}

/* Beside everything that is near, in one axis. */
static void find_channels(const struct search *search, bool vertical, struct channels *channels)
{
	int32_t left = smaller(search->a.x, search->b.x) - REACH;
	int32_t right = larger(search->a.x, search->b.x) + REACH;
	int32_t top = smaller(search->a.y, search->b.y) - REACH;
	int32_t bottom = larger(search->a.y, search->b.y) + REACH;
	size_t i;

	for (i = 0; i < search->rect_count; i++) {
		const struct tn_studio_rect *rect = &search->rects[i];

		if (rect->x > right || rect->x + rect->width < left || rect->y > bottom ||
		    rect->y + rect->height < top)
			continue;
		if (vertical) {
			add_channel(channels, rect->x - STUB);
			add_channel(channels, rect->x + rect->width + STUB);
		} else {
			add_channel(channels, rect->y - STUB);
			add_channel(channels, rect->y + rect->height + STUB);
		}
	}
}

static void usual_channels(const struct search *search, bool vertical, struct channels *channels)
{
	const struct tn_studio_rect *from = &search->from, *to = &search->to;

	if (vertical) {
		add_channel(channels, search->a.x + (search->b.x - search->a.x) / 2);
		add_channel(channels, search->a.x + search->a_out * STUB);
		add_channel(channels, smaller(from->x, to->x) - STUB);
		add_channel(channels, larger(from->x + from->width, to->x + to->width) + STUB);
		add_channel(channels, search->b.x + STUB);
		add_channel(channels, search->b.x - STUB);
	} else {
		add_channel(channels, search->a.y + (search->b.y - search->a.y) / 2);
		add_channel(channels, search->b.y + search->b_out * STUB);
		add_channel(channels, smaller(from->y, to->y) - STUB);
		add_channel(channels, larger(from->y + from->height, to->y + to->height) + STUB);
		if (from->y + from->height < to->y)
			add_channel(channels, (from->y + from->height + to->y) / 2);
		if (to->y + to->height < from->y)
			add_channel(channels, (to->y + to->height + from->y) / 2);
	}
}

/* How far one gets from a point along x (or y) before passing through something: the two numbers
 * that a free line may reach. */
struct reach {
	int32_t low, high;
};

static struct reach reach_along_x(const struct tn_studio_rect *rects, size_t count,
				  struct tn_studio_point from)
{
	struct reach reach = {INT32_MIN, INT32_MAX};
	size_t i;

	for (i = 0; i < count; i++) {
		int32_t near = rects[i].x, far = near + rects[i].width;

		if (from.y <= rects[i].y || from.y >= rects[i].y + rects[i].height)
			continue;
		if (near >= from.x)
			reach.high = smaller(reach.high, near);
		else if (far <= from.x)
			reach.low = larger(reach.low, far);
		else
			return (struct reach){from.x, from.x};
	}
	return reach;
}

static struct reach reach_of(const struct search *search, struct tn_studio_point from, bool along_x)
{
	if (along_x)
		return reach_along_x(search->rects, search->rect_count, from);
	return reach_along_x(search->other_rects, search->rect_count,
			     (struct tn_studio_point){from.y, from.x});
}

static bool is_in(struct reach reach, int32_t at)
{
	return at >= reach.low && at <= reach.high;
}

static void try_parallel(struct search *search, bool thorough)
{
	struct channels across = {{0}, 0}, along = {{0}, 0};
	struct reach from = {INT32_MIN, INT32_MAX}, to = from;
	unsigned i;

	try_straight(search);
	usual_channels(search, true, &across);
	if (thorough) {
		find_channels(search, true, &across);
		from = reach_of(search, search->a, true);
		to = reach_of(search, search->b, true);
	}
	for (i = 0; i < across.count; i++)
		if (is_in(from, across.at[i]) && is_in(to, across.at[i]))
			try_channel(search, across.at[i]);
	usual_channels(search, false, &along);
	for (i = 0; i < along.count; i++)
		try_around(search, along.at[i]);
}

/* All stairs over one channel that b can be reached from. */
static void try_stairs_at(struct search *search, int32_t c, const struct channels *along,
			  struct reach to, bool thorough)
{
	const struct tn_studio_point turn = {c, search->a.y};
	struct reach up = {INT32_MIN, INT32_MAX};
	unsigned i;

	if (thorough)
		up = reach_of(search, turn, false);
	for (i = 0; i < along->count; i++)
		if (is_in(up, along->at[i]) && is_in(to, along->at[i]))
			try_stairs(search, c, along->at[i]);
}

static void try_corners(struct search *search, bool thorough)
{
	struct channels across = {{0}, 0}, along = {{0}, 0};
	struct reach from = {INT32_MIN, INT32_MAX}, to = from;
	unsigned i;

	try_corner(search);
	usual_channels(search, true, &across);
	usual_channels(search, false, &along);
	if (thorough) {
		find_channels(search, true, &across);
		find_channels(search, false, &along);
		from = reach_of(search, search->a, true);
		to = reach_of(search, search->b, false);
	}
	for (i = 0; i < across.count; i++)
		if (is_in(from, across.at[i]))
			try_stairs_at(search, across.at[i], &along, to, thorough);
}

/* ---- sides ---- */

static struct tn_studio_rect turned(struct tn_studio_rect rect)
{
	return (struct tn_studio_rect){rect.y, rect.x, rect.height, rect.width};
}

static bool is_along_x(unsigned side)
{
	return side == TN_STUDIO_LEFT || side == TN_STUDIO_RIGHT;
}

static int32_t outwards(unsigned side)
{
	return side == TN_STUDIO_RIGHT || side == TN_STUDIO_BOTTOM ? 1 : -1;
}

static struct tn_studio_point port(const struct tn_studio_route_end *end, unsigned side)
{
	const struct tn_studio_rect *rect = &end->rect;
	struct tn_studio_point at = {rect->x, rect->y};

	if (is_along_x(side)) {
		at.x += side == TN_STUDIO_RIGHT ? rect->width : 0;
		at.y += rect->height / 2 + end->shift;
	} else {
		at.x += rect->width / 2 + end->shift;
		at.y += side == TN_STUDIO_BOTTOM ? rect->height : 0;
	}
	return at;
}

static struct tn_studio_point turned_point(struct tn_studio_point point)
{
	return (struct tn_studio_point){point.y, point.x};
}

static void try_sides(struct search *search, const struct tn_studio_obstacles *obstacles,
		      const struct tn_studio_route_end *from, const struct tn_studio_route_end *to,
		      bool thorough)
{
	bool parallel = is_along_x(search->a_side) == is_along_x(search->b_side);

	search->turned = !is_along_x(search->a_side);
	search->rects = search->turned ? obstacles->turned : obstacles->rects;
	search->other_rects = search->turned ? obstacles->rects : obstacles->turned;
	search->rect_count = obstacles->count;
	search->frame_count = obstacles->frames;
	search->a = port(from, search->a_side);
	search->b = port(to, search->b_side);
	search->from = from->rect;
	search->to = to->rect;
	if (search->turned) {
		search->a = turned_point(search->a);
		search->b = turned_point(search->b);
		search->from = turned(from->rect);
		search->to = turned(to->rect);
	}
	search->a_slides = from->slides;
	search->b_slides = to->slides;
	search->a_out = outwards(search->a_side);
	search->b_out = outwards(search->b_side);
	search->dislike =
		(from->likes >= 0 && (unsigned)from->likes != search->a_side ? DISLIKE : 0) +
		(to->likes >= 0 && (unsigned)to->likes != search->b_side ? DISLIKE : 0);
	if (parallel)
		try_parallel(search, thorough);
	else
		try_corners(search, thorough);
}

static void try_all(struct search *search, const struct tn_studio_obstacles *obstacles,
		    const struct tn_studio_route_end *from, const struct tn_studio_route_end *to,
		    bool thorough)
{
	for (search->a_side = 0; search->a_side < 4; search->a_side++)
		for (search->b_side = 0; search->b_side < 4; search->b_side++)
			if (from->sides >> search->a_side & 1 && to->sides >> search->b_side & 1)
				try_sides(search, obstacles, from, to, thorough);
}

/* Points in a row on one line are one segment. */
static void hand_out(const struct search *search, struct tn_studio_route *ret)
{
	unsigned i;

	ret->point_count = 0;
	for (i = 0; i < search->best.count; i++) {
		struct tn_studio_point point = search->best.points[i], *before;

		if (search->best_turned)
			point = turned_point(point);
		before = ret->points + ret->point_count;
		if (ret->point_count > 0 && before[-1].x == point.x && before[-1].y == point.y)
			continue;
		if (ret->point_count > 1 && ((before[-2].x == point.x && before[-1].x == point.x) ||
					     (before[-2].y == point.y && before[-1].y == point.y)))
			ret->point_count--;
		ret->points[ret->point_count++] = point;
	}
}

void tn_studio_route_search(const struct tn_studio_obstacles *obstacles,
			    struct tn_studio_route_end *from, struct tn_studio_route_end *to,
			    struct tn_studio_route *ret)
{
	struct search search = {.best_cost = INT64_MAX};

	try_all(&search, obstacles, from, to, false);
	if (search.best_cost >= HIT || search.best.count > 5)
		try_all(&search, obstacles, from, to, true);
	hand_out(&search, ret);
	from->on = search.best_a;
	to->on = search.best_b;
}
