/* What words in a room must not lie on: its sub-rooms, stairs and lifts, and walls of other rooms
 * that cross it (6.8). */
#include "apps/floorplan/picture/internal.h"

#define LEAST (1.0 / 16) /* pixels: what is nearer is at the edge, but for rounding */

enum {
	PIECES_MAX = 512,
	EXACT_MAX = 24 /* obstacles, walls among them: of more, where walls are is looked up */
};

static bool touch(const struct tn_floor_rect *a, const struct tn_floor_rect *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
	       b->y < a->y + a->height;
}

struct tn_floor_box tn_paint_grown(const struct tn_painter *painter,
				   const struct tn_floor_rect *rect, double by)
{
	struct tn_floor_box box = tn_paint_box(painter, rect);

	return (struct tn_floor_box){box.x - by, box.y - by,
				     box.width + 2 * by > 0 ? box.width + 2 * by : 0,
				     box.height + 2 * by > 0 ? box.height + 2 * by : 0};
}

static bool overlap(const struct tn_floor_box *a, const struct tn_floor_box *b, double least)
{
	return a->x + least < b->x + b->width && b->x + least < a->x + a->width &&
	       a->y + least < b->y + b->height && b->y + least < a->y + a->height;
}

static bool is_in(const struct tn_floor_box *inner, const struct tn_floor_box *outer)
{
	return inner->x + LEAST >= outer->x && inner->y + LEAST >= outer->y &&
	       inner->x + inner->width <= outer->x + outer->width + LEAST &&
	       inner->y + inner->height <= outer->y + outer->height + LEAST;
}

/* One place for the obstacles of all rooms, one after the other. */
static bool make_place(struct tn_painter *painter)
{
	size_t count = painter->plan->room_count + PIECES_MAX;

	if (painter->obstacles)
		return true;
	for (const struct tn_floor_floor *floor = painter->plan->floors; floor; floor = floor->next)
		for (const struct tn_floor_circulation *c = floor->circulation; c; c = c->next)
			count++;
	painter->obstacles = tn_paint_new(painter, count, sizeof(*painter->obstacles));
	return painter->obstacles;
}

static void add(const struct tn_painter *painter, const struct tn_floor_rect *rect, double by,
		const struct tn_floor_box *box, struct tn_floor_obstacles *obstacles)
{
	const struct tn_floor_box o = tn_paint_grown(painter, rect, by);

	if (overlap(&o, box, 0))
		obstacles->boxes[obstacles->count++] = o;
}

static void add_walls(struct tn_painter *painter, const struct tn_floor_box *box,
		      struct tn_floor_obstacles *obstacles)
{
	const struct tn_floor_transform *at = painter->at;
	const struct tn_floor_rect rect = {(box->x - at->x0) / at->scale - painter->p / at->scale,
					   (box->y - at->y0) / at->scale - painter->p / at->scale,
					   (box->width + 2 * painter->p) / at->scale,
					   (box->height + 2 * painter->p) / at->scale};
	const struct tn_floor_wall_piece *pieces[PIECES_MAX];
	const size_t rooms = obstacles->count;
	size_t count = tn_floor_walls_inside(painter->cell->walls, &rect, pieces, PIECES_MAX);

	obstacles->dense = count > PIECES_MAX;
	for (size_t i = 0; i < count && !obstacles->dense; i++) {
		const struct tn_floor_rect body = tn_floor_wall_body(pieces[i]);
		const struct tn_floor_box o =
			tn_paint_grown(painter, &body, TN_FLOOR_WALL_PEN / 2 * painter->p);
		bool is_covered = !overlap(&o, box, LEAST);

		for (size_t k = 0; k < rooms && !is_covered; k++)
			is_covered = is_in(&o, &obstacles->boxes[k]);
		if (!is_covered)
			obstacles->boxes[obstacles->count++] = o;
	}
	if (obstacles->count > rooms && obstacles->count > EXACT_MAX)
		obstacles->dense = true;
	if (obstacles->dense)
		obstacles->count = rooms;
}

bool tn_paint_obstacles(struct tn_painter *painter, const struct tn_floor_room *room,
			const struct tn_floor_box *box, struct tn_floor_obstacles *ret)
{
	const double wall = painter->plan->settings.wall_thickness * painter->at->scale / 2 +
			    TN_FLOOR_WALL_PEN / 2 * painter->p;

	*ret = (struct tn_floor_obstacles){.boxes = painter->obstacles};
	if (!painter->cell->walls || !make_place(painter))
		return false;
	ret->boxes = painter->obstacles;
	for (const struct tn_floor_room *sub = room->rooms; sub; sub = sub->next)
		if (sub->placed)
			add(painter, &sub->rect, wall, box, ret);
	for (const struct tn_floor_circulation *c = room->floor->circulation; c; c = c->next)
		if (c->placed && touch(&c->rect, &room->rect))
			add(painter, &c->rect, painter->p, box, ret);
	add_walls(painter, box, ret);
	return true;
}
