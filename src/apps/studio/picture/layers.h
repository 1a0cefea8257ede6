/* layers.h - boxes with links between them, put into layers from left to right (ST-130).
 *
 * Knows nothing of diagrams. Deterministic: what decides ties is the place in the array.
 * Time: (boxes + links) log boxes. Threads: any. */
#ifndef TN_STUDIO_LAYERS_H
#define TN_STUDIO_LAYERS_H

#include "base/arena.h"

struct tn_studio_box {
	int32_t width, height;
	int32_t x, y; /* set; from 0 */
};

struct tn_studio_link {
	uint32_t from, to; /* places in the array; not the same */
};

struct tn_studio_spacing {
	int32_t node_gap, rank_gap,
		grid; /* places are multiples of the grid away from the others */
};

/* Cycles are broken by turning the links that lead back, found in array order; ranks are longest
 * paths; four sweeps of barycentres order them; then boxes move towards the middle of those they
 * are linked to as far as their neighbours let them. False: no memory. */
bool tn_studio_layers_place(struct tn_studio_box *boxes, size_t box_count,
			    const struct tn_studio_link *links, size_t link_count,
			    const struct tn_studio_spacing *spacing, struct tn_arena *arena);

/* In rows of `columns`, as wide and high as their largest. */
void tn_studio_grid_place(struct tn_studio_box *boxes, size_t box_count, size_t columns,
			  int32_t gap);

#endif
