#include "apps/studio/document/geometry.h"

#include "jsonrpc/json_write.h"

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

bool tn_studio_holds_nodes(const struct tn_studio_node *node)
{
	return node->first_child || (node->type && node->type->container);
}

bool tn_studio_is_note(const struct tn_studio_node *node)
{
	return node->type && node->type->is_annotation && !node->type->container &&
	       tn_str_ends(node->type->id, TN_STR("/sticky_note"));
}

void tn_studio_least_size(const struct tn_studio_node *node, int32_t *ret_width,
			  int32_t *ret_height)
{
	bool container = tn_studio_holds_nodes(node);

	*ret_width = container ? TN_STUDIO_CONTAINER_WIDTH : TN_STUDIO_LEAF_WIDTH;
	*ret_height = container ? TN_STUDIO_CONTAINER_HEIGHT : TN_STUDIO_LEAF_HEIGHT;
	if (node->type) {
		*ret_width = larger(*ret_width, node->type->min_width);
		*ret_height = larger(*ret_height, node->type->min_height);
	}
}

/* Files may say anything: what is beyond counts as the edge, so that sums of depth many places
 * cannot overflow. */
static int32_t place(int32_t value)
{
	if (value > TN_STUDIO_PLACE_MAX)
		return TN_STUDIO_PLACE_MAX;
	return value < -TN_STUDIO_PLACE_MAX ? -TN_STUDIO_PLACE_MAX : value;
}

struct tn_studio_rect tn_studio_rect_of(const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = {place(node->x), place(node->y), place(node->width),
				      place(node->height)};
	int32_t width, height;

	if (rect.width > 0 && rect.height > 0)
		return rect;
	if (tn_studio_holds_nodes(node))
		tn_studio_needed_size(node, &width, &height);
	else
		tn_studio_least_size(node, &width, &height);
	if (rect.width <= 0)
		rect.width = width;
	if (rect.height <= 0)
		rect.height = height;
	return rect;
}

struct tn_studio_rect tn_studio_absolute_rect(const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = tn_studio_rect_of(node);
	const struct tn_studio_node *above;

	for (above = node->parent; above; above = above->parent) {
		rect.x += place(above->x);
		rect.y += place(above->y);
	}
	return rect;
}

void tn_studio_put_rect(struct tn_buf *out, const struct tn_studio_rect *rect)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "x", rect->x);
	tn_json_put_member_int(out, "y", rect->y);
	tn_json_put_member_int(out, "width", rect->width);
	tn_json_put_member_int(out, "height", rect->height);
	tn_json_end_object(out);
}

void tn_studio_needed_size(const struct tn_studio_node *container, int32_t *ret_width,
			   int32_t *ret_height)
{
	const struct tn_studio_node *child;

	tn_studio_least_size(container, ret_width, ret_height);
	for (child = container->first_child; child; child = child->next_sibling) {
		struct tn_studio_rect rect = tn_studio_rect_of(child);

		*ret_width = larger(*ret_width, rect.x + rect.width + TN_STUDIO_PADDING);
		*ret_height = larger(*ret_height, rect.y + rect.height + TN_STUDIO_PADDING);
	}
}

bool tn_studio_rects_meet(const struct tn_studio_rect *a, const struct tn_studio_rect *b,
			  int32_t gap)
{
	return a->x < b->x + b->width + gap && b->x < a->x + a->width + gap &&
	       a->y < b->y + b->height + gap && b->y < a->y + a->height + gap;
}

/* ---- automatic places ---- */

struct siblings { /* of the node to come */
	const struct tn_studio_document *document;
	const struct tn_studio_node *parent;
};

/* Top level has no list of its own: all nodes are walked. */
static const struct tn_studio_node *sibling_from(const struct siblings *all, size_t *at)
{
	while (*at < all->document->node_count) {
		const struct tn_studio_node *node = all->document->nodes[(*at)++];

		if (!node->parent)
			return node;
	}
	return NULL;
}

static const struct tn_studio_node *first_sibling(const struct siblings *all, size_t *at)
{
	*at = 0;
	return all->parent ? all->parent->first_child : sibling_from(all, at);
}

static const struct tn_studio_node *next_sibling(const struct siblings *all,
						 const struct tn_studio_node *node, size_t *at)
{
	return all->parent ? node->next_sibling : sibling_from(all, at);
}

/* What stands where the rectangle would; false: nothing. *ret_right: the furthest right edge of
 * those, *ret_bottom: the nearest lower edge. */
static bool is_taken(const struct siblings *all, const struct tn_studio_rect *rect, int32_t gap,
		     int32_t *ret_right, int32_t *ret_bottom)
{
	const struct tn_studio_node *node;
	bool taken = false;
	size_t at;

	for (node = first_sibling(all, &at); node; node = next_sibling(all, node, &at)) {
		struct tn_studio_rect other = tn_studio_rect_of(node);

		if (!tn_studio_rects_meet(rect, &other, gap))
			continue;
		if (!taken || other.x + other.width > *ret_right)
			*ret_right = other.x + other.width;
		if (!taken || other.y + other.height < *ret_bottom)
			*ret_bottom = other.y + other.height;
		taken = true;
	}
	return taken;
}

/* The first of from, from + grid, ... that is not less than `least`. */
static int32_t grid_step(int32_t from, int32_t least)
{
	int32_t steps = (least - from + TN_STUDIO_GRID - 1) / TN_STUDIO_GRID;

	return from + larger(steps, 1) * TN_STUDIO_GRID;
}

/* Right, then down, in grid steps; what is moved keeps a step's distance. Steps that would hit the
 * same node again are passed over. */
static void move_until_free(const struct siblings *all, int32_t row_width,
			    struct tn_studio_rect *rect)
{
	/* From the middle of a row, the next one may have room at its beginning at once. */
	int32_t next_row = rect->x > TN_STUDIO_PADDING ? rect->y + TN_STUDIO_GRID : INT32_MAX;
	int32_t right = 0, bottom = 0, gap = 0;

	while (is_taken(all, rect, gap, &right, &bottom)) {
		gap = TN_STUDIO_GRID;
		if (grid_step(rect->y, bottom + gap) < next_row)
			next_row = grid_step(rect->y, bottom + gap);
		rect->x = grid_step(rect->x, right + gap);
		if (rect->x + rect->width <= row_width)
			continue;
		rect->x = TN_STUDIO_PADDING;
		rect->y = next_row;
		next_row = INT32_MAX;
	}
}

/* Of many children about as many stand in a row as there are rows: the container grows to both
 * sides, and is no tower. */
static int32_t row_width_for(const struct siblings *all, int32_t width)
{
	int32_t row = tn_studio_rect_of(all->parent).width - TN_STUDIO_PADDING;
	int32_t count = 1, columns = 1;

	for (const struct tn_studio_node *node = all->parent->first_child; node;
	     node = node->next_sibling)
		count++;
	while (columns < TN_STUDIO_COLUMNS_MAX && (columns + 1) * (columns + 1) <= count)
		columns++;
	return larger(row, TN_STUDIO_PADDING + columns * (width + TN_STUDIO_NODE_GAP) -
				   TN_STUDIO_NODE_GAP);
}

struct tn_studio_point tn_studio_free_place(const struct tn_studio_document *document,
					    const struct tn_studio_node *parent, int32_t width,
					    int32_t height)
{
	struct siblings all = {document, parent};
	struct tn_studio_rect rect = {TN_STUDIO_PADDING, TN_STUDIO_HEADER + TN_STUDIO_PADDING,
				      place(width), place(height)};
	int32_t row_width = TN_STUDIO_ROW_WIDTH, lowest = 0;
	const struct tn_studio_node *node, *last = NULL;
	size_t at;

	if (parent)
		row_width = row_width_for(&all, rect.width);
	for (node = first_sibling(&all, &at); node; node = next_sibling(&all, node, &at)) {
		struct tn_studio_rect other = tn_studio_rect_of(node);

		if (!last || other.y + other.height > lowest)
			lowest = other.y + other.height;
		last = !last || node->order > last->order ? node : last;
	}
	if (last) {
		struct tn_studio_rect other = tn_studio_rect_of(last);

		rect.x = other.x + other.width + TN_STUDIO_NODE_GAP;
		rect.y = other.y;
		if (rect.x < TN_STUDIO_PADDING || rect.x + rect.width > row_width ||
		    (parent && rect.y < TN_STUDIO_HEADER + TN_STUDIO_PADDING)) {
			rect.x = TN_STUDIO_PADDING;
			rect.y = larger(lowest + TN_STUDIO_NODE_GAP,
					TN_STUDIO_HEADER + TN_STUDIO_PADDING);
		}
	}
	move_until_free(&all, row_width, &rect);
	return (struct tn_studio_point){rect.x, rect.y};
}
