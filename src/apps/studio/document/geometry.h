/* geometry.h - where things are on the canvas: sizes, automatic places, layout, routes
 * (studio.md 6.2 "Position", section 16). Canvas, pictures and tools agree because all ask here.
 *
 * Units: pixels of the canvas at scale 1; integers; y grows downwards. Pure functions of the
 * document (indexed). Threads: loop. */
#ifndef TN_STUDIO_GEOMETRY_H
#define TN_STUDIO_GEOMETRY_H

#include "apps/studio/document/document.h"

enum {
	TN_STUDIO_LEAF_WIDTH = 240,
	TN_STUDIO_LEAF_HEIGHT = 80,
	TN_STUDIO_HEADER = 40,
	TN_STUDIO_PADDING = 20,
	TN_STUDIO_CONTAINER_WIDTH = 360,
	TN_STUDIO_CONTAINER_HEIGHT = 220,
	TN_STUDIO_GRID = 20,
	TN_STUDIO_NODE_GAP = 40,
	TN_STUDIO_RANK_GAP = 60,
	TN_STUDIO_ROW_WIDTH = 1600,
	TN_STUDIO_COLUMNS_MAX = 100,
	TN_STUDIO_PLACE_MAX = 1000000 /* what is beyond counts as this */
};

struct tn_studio_rect {
	int32_t x, y, width, height;
};
struct tn_studio_point {
	int32_t x, y;
};

struct tn_studio_rect tn_studio_rect_of(const struct tn_studio_node *node); /* in its parent */
struct tn_studio_rect tn_studio_absolute_rect(const struct tn_studio_node *node);
/* {"x","y","width","height"} */
void tn_studio_put_rect(struct tn_buf *out, const struct tn_studio_rect *rect);

/* Whether the rectangles overlap, or are less than `gap` apart. */
bool tn_studio_rects_meet(const struct tn_studio_rect *a, const struct tn_studio_rect *b,
			  int32_t gap);
bool tn_studio_holds_nodes(const struct tn_studio_node *node); /* drawn with a title bar */
bool tn_studio_is_note(const struct tn_studio_node *node);     /* a sticky note */

/* ST-063: a free place for a new child of `parent` (NULL: top level) of this size. */
struct tn_studio_point tn_studio_free_place(const struct tn_studio_document *document,
					    const struct tn_studio_node *parent, int32_t width,
					    int32_t height);
/* By the type alone: the usual size, or more where the type says so. */
void tn_studio_least_size(const struct tn_studio_node *node, int32_t *ret_width,
			  int32_t *ret_height);
/* The size a container needs around its children, at least its own minimum. */
void tn_studio_needed_size(const struct tn_studio_node *container, int32_t *ret_width,
			   int32_t *ret_height);

enum tn_studio_algorithm { TN_STUDIO_LAYERED, TN_STUDIO_HYBRID };
enum tn_studio_direction { TN_STUDIO_LR, TN_STUDIO_RL, TN_STUDIO_TB, TN_STUDIO_BT };

struct tn_studio_placed {
	const struct tn_studio_node *node;
	struct tn_studio_rect rect; /* in its parent */
};
/* ST-130: new rectangles of everything inside `container` (NULL: the whole diagram), of itself and,
 * where they must grow, of what it is in; in node order, in the arena. Deterministic; again on its
 * own result it changes nothing. False: no memory. */
bool tn_studio_layout(const struct tn_studio_document *document,
		      const struct tn_studio_node *container, enum tn_studio_algorithm algorithm,
		      enum tn_studio_direction direction, struct tn_arena *arena,
		      const struct tn_studio_placed **ret, size_t *ret_count);
/* The same for some nodes of one parent, in node order, among themselves: they keep their top-left
 * corner, and what is inside them its place. `count` is not 0. */
bool tn_studio_layout_siblings(const struct tn_studio_document *document,
			       const struct tn_studio_node *const *nodes, size_t count,
			       enum tn_studio_algorithm algorithm,
			       enum tn_studio_direction direction, struct tn_arena *arena,
			       const struct tn_studio_placed **ret, size_t *ret_count);

enum { TN_STUDIO_ROUTE_POINTS_MAX = 8 };
struct tn_studio_route {
	const struct tn_studio_edge *edge;
	struct tn_studio_point points[TN_STUDIO_ROUTE_POINTS_MAX]; /* absolute, right angles */
	unsigned point_count;
};
/* ST-131: of these edges. The side of an edge's handle is preferred, not promised: pictures show no
 * handles, and a straight line says more than where a handle is. False: no memory. */
bool tn_studio_routes(const struct tn_studio_document *document, const struct tn_studio_edge *edges,
		      size_t edge_count, struct tn_arena *arena,
		      const struct tn_studio_route **ret);

#endif
