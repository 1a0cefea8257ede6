/* Which pieces of walls lie in a rectangle: found by place, so that thousands of rooms can ask. */
#include <math.h>

#include "apps/floorplan/plan/wall_network.h"

enum { VISITED_MAX = 2048 /* pieces that are near; with more, there are too many to tell */ };

struct tn_floor_wall_index {
	struct tn_wall_near near;
	double thickness; /* of the thickest */
};

const struct tn_floor_wall_index *tn_floor_walls_index(const struct tn_floor_wall_piece *pieces,
						       size_t count, struct tn_arena *arena)
{
	struct tn_floor_wall_index *index = tn_arena_alloc(arena, sizeof(*index));
	struct tn_wall_box *boxes =
		tn_arena_alloc_array(arena, tn_wall_near_nodes(count), sizeof(*boxes));

	if (!index || !boxes)
		return NULL;
	/* They are only read. */
	tn_wall_near_init(&index->near, (struct tn_floor_wall_piece *)(uintptr_t)pieces, count,
			  boxes);
	index->thickness = 0;
	for (size_t i = 0; i < count; i++)
		index->thickness = fmax(index->thickness, pieces[i].thickness);
	return index;
}

struct tn_floor_rect tn_floor_wall_body(const struct tn_floor_wall_piece *piece)
{
	const double low = piece->line - piece->thickness / 2, along = piece->end - piece->start;

	return piece->horizontal
		       ? (struct tn_floor_rect){piece->start, low, along, piece->thickness}
		       : (struct tn_floor_rect){low, piece->start, piece->thickness, along};
}

static bool meet(const struct tn_floor_rect *a, const struct tn_floor_rect *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
	       b->y < a->y + a->height;
}

size_t tn_floor_walls_inside(const struct tn_floor_wall_index *index,
			     const struct tn_floor_rect *rect,
			     const struct tn_floor_wall_piece **ret, size_t max)
{
	const double half = index->thickness / 2, more = index->thickness;
	size_t found = 0, visited = 0;

	for (int i = 0; i < 2; i++) {
		const bool horizontal = i == 0;
		const double line = horizontal ? rect->y : rect->x,
			     from = horizontal ? rect->x : rect->y,
			     deep = horizontal ? rect->height : rect->width,
			     wide = horizontal ? rect->width : rect->height;
		const struct tn_wall_range range = {.horizontal = horizontal,
						    .line = {line - half, line + deep + half},
						    .from = from - more,
						    .to = from + wide + more};
		size_t at = tn_wall_first_at(index->near.pieces, index->near.count, horizontal,
					     range.line[0]);

		while ((at = tn_wall_near_next(&index->near, &range, 0, at)) < index->near.count) {
			const struct tn_floor_wall_piece *piece = &index->near.pieces[at++];
			const struct tn_floor_rect body = tn_floor_wall_body(piece);

			if (++visited > VISITED_MAX || found > max)
				return max + 1;
			if (meet(&body, rect) && found++ < max)
				ret[found - 1] = piece;
		}
	}
	return found;
}
