/* Automatic layout (ST-130): containers from the inside out, each by layers.h. */
#include <stdlib.h>

#include "apps/studio/document/geometry.h"
#include "apps/studio/limits.h"
#include "apps/studio/picture/layers.h"
#include "apps/studio/picture/layout_links.h"

struct layout {
	const struct tn_studio_document *document;
	struct tn_arena *arena;
	enum tn_studio_algorithm algorithm;
	enum tn_studio_direction direction;
	struct tn_studio_rect *rects; /* by node order, in the parent */
	struct tn_studio_rect *olds;  /* as they were */
	uint32_t *children;           /* node orders, by parent */
	uint32_t *first_child;        /* in `children`, by parent; the last parent is the canvas */
	const struct tn_studio_lifted *links;
	size_t link_count;
	uint32_t *slot; /* by node order: where it is in the list being placed */
	bool *loose;    /* by node order: no link to a sibling */
	struct tn_arena scratch;
};

static uint32_t order_of(const struct layout *layout, const struct tn_studio_node *node)
{
	return node ? node->order : (uint32_t)layout->document->node_count;
}

/* ---- who is where ---- */

static bool list_children(struct layout *layout)
{
	size_t count = layout->document->node_count, i;
	uint32_t *filled;

	layout->children = tn_arena_alloc_array(&layout->scratch, count + 1, sizeof(uint32_t));
	layout->first_child = tn_arena_alloc_array(&layout->scratch, count + 3, sizeof(uint32_t));
	filled = tn_arena_alloc_array(&layout->scratch, count + 2, sizeof(uint32_t));
	if (!layout->children || !layout->first_child || !filled)
		return false;
	for (i = 0; i < count; i++)
		layout->first_child[order_of(layout, layout->document->nodes[i]->parent) + 1]++;
	for (i = 0; i <= count; i++)
		layout->first_child[i + 1] += layout->first_child[i];
	for (i = 0; i < count; i++) {
		uint32_t parent = order_of(layout, layout->document->nodes[i]->parent);

		layout->children[layout->first_child[parent] + filled[parent]++] = (uint32_t)i;
	}
	return true;
}

static const struct tn_studio_node *node_at(const struct layout *layout, uint32_t order)
{
	return layout->document->nodes[order];
}

static bool is_sideways(const struct layout *layout)
{
	return layout->direction == TN_STUDIO_TB || layout->direction == TN_STUDIO_BT;
}

/* ---- one container ---- */

struct block {            /* part of a container's children, placed from 0, 0 */
	uint32_t *orders; /* nodes */
	size_t count;
	struct tn_studio_box *boxes;
};

static bool begin_block(struct layout *layout, struct block *block, size_t room)
{
	block->count = 0;
	block->orders = tn_arena_alloc_array(&layout->scratch, room + 1, sizeof(*block->orders));
	block->boxes = tn_arena_alloc_array(&layout->scratch, room + 1, sizeof(*block->boxes));
	return block->orders && block->boxes;
}

/* Layers run from left to right; for the other directions the axes are exchanged. */
static void fill_boxes(const struct layout *layout, struct block *block)
{
	size_t i;

	for (i = 0; i < block->count; i++) {
		const struct tn_studio_rect *rect = &layout->rects[block->orders[i]];

		block->boxes[i].width = is_sideways(layout) ? rect->height : rect->width;
		block->boxes[i].height = is_sideways(layout) ? rect->width : rect->height;
	}
}

static bool place_layers(struct layout *layout, struct block *block, uint32_t parent)
{
	static const struct tn_studio_spacing spacing = {TN_STUDIO_NODE_GAP, TN_STUDIO_RANK_GAP,
							 TN_STUDIO_GRID};
	size_t first = tn_studio_first_lifted(layout->links, layout->link_count, parent),
	       last = first, count = 0, i;
	struct tn_studio_link *links;

	while (last < layout->link_count && layout->links[last].parent == parent)
		last++;
	links = tn_arena_alloc_array(&layout->scratch, last - first + 1, sizeof(*links));
	if (!links)
		return false;
	for (i = 0; i < block->count; i++)
		layout->slot[block->orders[i]] = (uint32_t)i + 1;
	for (i = first; i < last; i++) {
		uint32_t from = layout->slot[layout->links[i].from];
		uint32_t to = layout->slot[layout->links[i].to];

		if (from > 0 && to > 0)
			links[count++] = (struct tn_studio_link){from - 1, to - 1};
	}
	for (i = 0; i < block->count; i++)
		layout->slot[block->orders[i]] = 0;
	fill_boxes(layout, block);
	return tn_studio_layers_place(block->boxes, block->count, links, count, &spacing,
				      &layout->scratch);
}

static void place_grid(struct layout *layout, struct block *block)
{
	size_t columns = 1, i;

	while (columns * columns < block->count)
		columns++;
	for (i = 0; i < block->count; i++) {
		block->boxes[i].width = layout->rects[block->orders[i]].width;
		block->boxes[i].height = layout->rects[block->orders[i]].height;
	}
	tn_studio_grid_place(block->boxes, block->count, columns, TN_STUDIO_NODE_GAP);
	for (i = 0; i < block->count && is_sideways(layout); i++) {
		struct tn_studio_box box = block->boxes[i];

		block->boxes[i] = (struct tn_studio_box){box.height, box.width, box.y, box.x};
	}
}

/* Puts a block below those before it (in layers' axes); *bottom grows. */
static void append_block(struct layout *layout, const struct block *block, int32_t *bottom)
{
	int32_t top = *bottom > 0 ? *bottom + TN_STUDIO_RANK_GAP : 0;
	size_t i;

	for (i = 0; i < block->count; i++) {
		const struct tn_studio_box *box = &block->boxes[i];
		struct tn_studio_rect *rect = &layout->rects[block->orders[i]];

		rect->x = is_sideways(layout) ? box->y + top : box->x;
		rect->y = is_sideways(layout) ? box->x : box->y + top;
		if (box->y + top + box->height > *bottom)
			*bottom = box->y + top + box->height;
	}
}

/* What was placed from left to right and from the top, as the direction and the place ask for. */
static void turn(struct layout *layout, const struct block *all, struct tn_studio_point origin)
{
	int32_t width = 0, height = 0;
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct tn_studio_rect *rect = &layout->rects[all->orders[i]];

		width = rect->x + rect->width > width ? rect->x + rect->width : width;
		height = rect->y + rect->height > height ? rect->y + rect->height : height;
	}
	for (i = 0; i < all->count; i++) {
		struct tn_studio_rect *rect = &layout->rects[all->orders[i]];

		if (layout->direction == TN_STUDIO_RL)
			rect->x = width - rect->x - rect->width;
		if (layout->direction == TN_STUDIO_BT)
			rect->y = height - rect->y - rect->height;
		rect->x += origin.x;
		rect->y += origin.y;
	}
}

struct named { /* for the order of hybrid grids */
	uint32_t order;
	uint32_t category;
	struct tn_str label;
};

static int by_category(const void *a, const void *b)
{
	const struct named *left = a, *right = b;
	int labels;

	if (left->category != right->category)
		return left->category < right->category ? -1 : 1;
	labels = tn_str_compare(left->label, right->label);
	if (labels != 0)
		return labels;
	return (left->order > right->order) - (left->order < right->order);
}

/* In palette order; what is unknown comes last. */
static uint32_t category_of(const struct layout *layout, const struct tn_studio_node *node)
{
	const struct tn_studio_registry *registry = layout->document->registry;
	size_t count = registry ? registry->category_count : 0, i;

	for (i = 0; i < count && node->type; i++)
		if (tn_str_equal(registry->categories[i].id, node->type->category))
			return (uint32_t)i;
	return UINT32_MAX;
}

static bool sort_by_category(struct layout *layout, struct block *block)
{
	struct named *names =
		tn_arena_alloc_array(&layout->scratch, block->count + 1, sizeof(*names));
	size_t i;

	if (!names)
		return false;
	for (i = 0; i < block->count; i++) {
		const struct tn_studio_node *node = node_at(layout, block->orders[i]);

		names[i] = (struct named){block->orders[i], category_of(layout, node), node->label};
	}
	qsort(names, block->count, sizeof(*names), by_category);
	for (i = 0; i < block->count; i++)
		block->orders[i] = names[i].order;
	return true;
}

/* Of those to be placed: linked ones, loose ones, and (hybrid) leaves. */
enum { LINKED, LOOSE, LEAVES, BLOCKS };

static unsigned block_of(const struct layout *layout, uint32_t order)
{
	if (layout->algorithm == TN_STUDIO_HYBRID && !tn_studio_holds_nodes(node_at(layout, order)))
		return LEAVES;
	return layout->loose[order] ? LOOSE : LINKED;
}

/* Only links between those that are placed by them count. */
static void find_loose(struct layout *layout, const struct block *all, uint32_t parent)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		layout->loose[all->orders[i]] = true;
		layout->slot[all->orders[i]] =
			layout->algorithm == TN_STUDIO_LAYERED ||
			tn_studio_holds_nodes(node_at(layout, all->orders[i]));
	}
	for (i = tn_studio_first_lifted(layout->links, layout->link_count, parent);
	     i < layout->link_count && layout->links[i].parent == parent; i++) {
		const struct tn_studio_lifted *link = &layout->links[i];

		if (layout->slot[link->from] && layout->slot[link->to])
			layout->loose[link->from] = layout->loose[link->to] = false;
	}
	for (i = 0; i < all->count; i++)
		layout->slot[all->orders[i]] = 0;
}

/* Places these children of one container, with the top-left corner at `origin`. */
static bool place_all(struct layout *layout, const struct block *all, uint32_t parent,
		      struct tn_studio_point origin)
{
	struct block blocks[BLOCKS];
	int32_t bottom = 0;
	size_t i;

	find_loose(layout, all, parent);
	for (i = 0; i < BLOCKS; i++)
		if (!begin_block(layout, &blocks[i], all->count))
			return false;
	for (i = 0; i < all->count; i++) {
		struct block *block = &blocks[block_of(layout, all->orders[i])];

		block->orders[block->count++] = all->orders[i];
	}
	if (!place_layers(layout, &blocks[LINKED], parent) ||
	    !sort_by_category(layout, &blocks[LEAVES]))
		return false;
	place_grid(layout, &blocks[LOOSE]);
	place_grid(layout, &blocks[LEAVES]);
	for (i = 0; i < BLOCKS; i++)
		append_block(layout, &blocks[i], &bottom);
	turn(layout, all, origin);
	return true;
}

/* ---- sticky notes ---- */

static int64_t distance(const struct tn_studio_rect *a, const struct tn_studio_rect *b)
{
	int64_t dx = (int64_t)2 * a->x + a->width - (int64_t)2 * b->x - b->width;
	int64_t dy = (int64_t)2 * a->y + a->height - (int64_t)2 * b->y - b->height;

	return dx * dx + dy * dy;
}

/* A note goes with the node that it was nearest to. */
static void move_note(struct layout *layout, uint32_t note, uint32_t parent)
{
	const struct tn_studio_rect *old = &layout->olds[note];
	struct tn_studio_rect *rect = &layout->rects[note];
	uint32_t at, nearest = note;
	int64_t best = INT64_MAX;

	for (at = layout->first_child[parent]; at < layout->first_child[parent + 1]; at++) {
		uint32_t other = layout->children[at];
		int64_t far;

		if (tn_studio_is_note(node_at(layout, other)))
			continue;
		far = distance(old, &layout->olds[other]);
		if (far < best) {
			best = far;
			nearest = other;
		}
	}
	rect->x = old->x + layout->rects[nearest].x - layout->olds[nearest].x;
	rect->y = old->y + layout->rects[nearest].y - layout->olds[nearest].y;
	if (parent == layout->document->node_count)
		return;
	rect->x = rect->x < TN_STUDIO_PADDING ? TN_STUDIO_PADDING : rect->x;
	if (rect->y < TN_STUDIO_HEADER + TN_STUDIO_PADDING)
		rect->y = TN_STUDIO_HEADER + TN_STUDIO_PADDING;
}

/* ---- all ---- */

static void fit_container(struct layout *layout, uint32_t parent)
{
	struct tn_studio_rect *rect = &layout->rects[parent];
	uint32_t at;

	tn_studio_least_size(node_at(layout, parent), &rect->width, &rect->height);
	for (at = layout->first_child[parent]; at < layout->first_child[parent + 1]; at++) {
		const struct tn_studio_rect *child = &layout->rects[layout->children[at]];
		int32_t right = child->x + child->width + TN_STUDIO_PADDING;
		int32_t bottom = child->y + child->height + TN_STUDIO_PADDING;

		rect->width = right > rect->width ? right : rect->width;
		rect->height = bottom > rect->height ? bottom : rect->height;
	}
}

static const struct tn_studio_point content = {TN_STUDIO_PADDING,
					       TN_STUDIO_HEADER + TN_STUDIO_PADDING};

static bool place_children(struct layout *layout, uint32_t parent)
{
	uint32_t first = layout->first_child[parent], last = layout->first_child[parent + 1], at;
	struct block all;

	if (!begin_block(layout, &all, last - first))
		return false;
	for (at = first; at < last; at++)
		if (!tn_studio_is_note(node_at(layout, layout->children[at])))
			all.orders[all.count++] = layout->children[at];
	if (!place_all(layout, &all, parent, content))
		return false;
	for (at = first; at < last; at++)
		if (tn_studio_is_note(node_at(layout, layout->children[at])))
			move_note(layout, layout->children[at], parent);
	return true;
}

static bool begin(struct layout *layout)
{
	size_t count = layout->document->node_count, i;

	tn_arena_init(&layout->scratch, TN_STUDIO_NODE_ARENA_MAX);
	layout->rects = tn_arena_alloc_array(&layout->scratch, count + 1, sizeof(*layout->rects));
	layout->olds = tn_arena_alloc_array(&layout->scratch, count + 1, sizeof(*layout->olds));
	layout->slot = tn_arena_alloc_array(&layout->scratch, count + 1, sizeof(*layout->slot));
	layout->loose = tn_arena_alloc_array(&layout->scratch, count + 1, sizeof(*layout->loose));
	if (!layout->rects || !layout->olds || !layout->slot || !layout->loose ||
	    !list_children(layout) ||
	    !tn_studio_lift_links(layout->document, &layout->scratch, &layout->links,
				  &layout->link_count))
		return false;
	for (i = 0; i < count; i++)
		layout->rects[i] = layout->olds[i] = tn_studio_rect_of(layout->document->nodes[i]);
	return true;
}

struct deep {
	uint32_t order, depth;
};

static int by_depth(const void *a, const void *b)
{
	const struct deep *left = a, *right = b;

	if (left->depth != right->depth)
		return left->depth > right->depth ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

/* Containers inside `container` and itself, the deepest first. */
static bool place_containers(struct layout *layout, const struct tn_studio_node *container)
{
	size_t count = layout->document->node_count, kept = 0, i;
	struct deep *deep = tn_arena_alloc_array(&layout->scratch, count + 1, sizeof(*deep));

	if (!deep)
		return false;
	for (i = 0; i < count; i++) {
		const struct tn_studio_node *node = node_at(layout, (uint32_t)i);

		if (tn_studio_holds_nodes(node) &&
		    (!container || node == container || tn_studio_is_within(node, container)))
			deep[kept++] = (struct deep){(uint32_t)i, node->depth};
	}
	qsort(deep, kept, sizeof(*deep), by_depth);
	for (i = 0; i < kept; i++) {
		if (!place_children(layout, deep[i].order))
			return false;
		fit_container(layout, deep[i].order);
	}
	return container || place_children(layout, (uint32_t)count);
}

static void grow_ancestors(struct layout *layout, const struct tn_studio_node *container)
{
	const struct tn_studio_node *above;

	for (above = container ? container->parent : NULL; above; above = above->parent) {
		struct tn_studio_rect old = layout->olds[above->order];
		struct tn_studio_rect *rect = &layout->rects[above->order];

		fit_container(layout, above->order);
		rect->width = rect->width > old.width ? rect->width : old.width;
		rect->height = rect->height > old.height ? rect->height : old.height;
	}
}

static bool is_part(const struct tn_studio_node *node, const struct tn_studio_node *container)
{
	return !container || node == container || tn_studio_is_within(node, container) ||
	       tn_studio_is_within(container, node);
}

static bool hand_out(struct layout *layout, const struct tn_studio_node *container,
		     const struct tn_studio_placed **ret, size_t *ret_count)
{
	size_t count = layout->document->node_count, kept = 0, i;
	struct tn_studio_placed *placed =
		tn_arena_alloc_array(layout->arena, count + 1, sizeof(*placed));

	if (!placed)
		return false;
	for (i = 0; i < count; i++) {
		const struct tn_studio_node *node = node_at(layout, (uint32_t)i);

		if (is_part(node, container))
			placed[kept++] = (struct tn_studio_placed){node, layout->rects[i]};
	}
	*ret = placed;
	*ret_count = kept;
	return true;
}

bool tn_studio_layout(const struct tn_studio_document *document,
		      const struct tn_studio_node *container, enum tn_studio_algorithm algorithm,
		      enum tn_studio_direction direction, struct tn_arena *arena,
		      const struct tn_studio_placed **ret, size_t *ret_count)
{
	struct layout layout = {.document = document,
				.arena = arena,
				.algorithm = algorithm,
				.direction = direction};
	bool ok = begin(&layout) && place_containers(&layout, container);

	if (ok) {
		grow_ancestors(&layout, container);
		ok = hand_out(&layout, container, ret, ret_count);
	}
	tn_arena_finish(&layout.scratch);
	return ok;
}

bool tn_studio_layout_siblings(const struct tn_studio_document *document,
			       const struct tn_studio_node *const *nodes, size_t count,
			       enum tn_studio_algorithm algorithm,
			       enum tn_studio_direction direction, struct tn_arena *arena,
			       const struct tn_studio_placed **ret, size_t *ret_count)
{
	struct layout layout = {.document = document,
				.arena = arena,
				.algorithm = algorithm,
				.direction = direction};
	struct tn_studio_point origin = {INT32_MAX, INT32_MAX};
	struct tn_studio_placed *placed = tn_arena_alloc_array(arena, count + 1, sizeof(*placed));
	struct block all = {NULL, 0, NULL};
	bool ok = placed && count > 0 && begin(&layout) && begin_block(&layout, &all, count);
	size_t i;

	for (i = 0; ok && i < count; i++) {
		const struct tn_studio_rect *rect = &layout.olds[nodes[i]->order];

		all.orders[all.count++] = nodes[i]->order;
		origin.x = rect->x < origin.x ? rect->x : origin.x;
		origin.y = rect->y < origin.y ? rect->y : origin.y;
	}
	ok = ok && place_all(&layout, &all, order_of(&layout, nodes[0]->parent), origin);
	for (i = 0; ok && i < count; i++)
		placed[i] = (struct tn_studio_placed){nodes[i], layout.rects[nodes[i]->order]};
	tn_arena_finish(&layout.scratch);
	*ret = placed;
	*ret_count = count;
	return ok;
}
