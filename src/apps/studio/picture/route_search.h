/* route_search.h - one edge with right angles from box to box around what is in the way (ST-131).
 *
 * Pure. Places are absolute; sides as in registry.h. Threads: any. */
#ifndef TN_STUDIO_ROUTE_SEARCH_H
#define TN_STUDIO_ROUTE_SEARCH_H

#include "apps/studio/document/geometry.h"

enum { TN_STUDIO_ANY_SIDE = 15 }; /* bits: 1 << enum tn_studio_side */

struct tn_studio_route_end {
	struct tn_studio_rect rect;
	unsigned sides; /* that may be used: bits */
	int likes;      /* a side that is preferred; -1: none */
	int32_t shift;  /* along the side, from its middle */
	bool slides;    /* alone on its side: it may move along it, to make the edge straight */
	unsigned on;    /* set: the side that was used */
};

struct tn_studio_obstacles {
	struct tn_studio_rect *rects;  /* must not be passed through */
	struct tn_studio_rect *turned; /* the same with x and y exchanged */
	size_t count;
	size_t frames; /* behind those: boxes that hold an end; crossed, but not run along */
};

/* The shortest route with few bends that passes through nothing, looked for among those with at
 * most three bends; without one, the one that passes through least. */
void tn_studio_route_search(const struct tn_studio_obstacles *obstacles,
			    struct tn_studio_route_end *from, struct tn_studio_route_end *to,
			    struct tn_studio_route *ret);

#endif
