#include "apps/studio/document/internal.h"

#include "apps/studio/limits.h"

/* ---- finding ---- */

struct tn_studio_node *tn_studio_node_find(const struct tn_studio_document *document,
					   struct tn_str id)
{
	return tn_map_get(&document->nodes_by_id, id);
}

struct tn_studio_edge *tn_studio_edge_find(const struct tn_studio_document *document,
					   struct tn_str id)
{
	return tn_map_get(&document->edges_by_id, id);
}

struct tn_studio_node *tn_studio_real_parent(const struct tn_studio_node *node)
{
	struct tn_studio_node *at = node->parent;

	while (at && at->type && at->type->is_annotation)
		at = at->parent;
	return at;
}

struct tn_studio_node *tn_studio_ancestor(const struct tn_studio_node *node, struct tn_str type_id)
{
	struct tn_studio_node *at = node->parent;

	while (at && !tn_str_equal(at->type_id, type_id))
		at = at->parent;
	return at;
}

bool tn_studio_is_within(const struct tn_studio_node *node, const struct tn_studio_node *ancestor)
{
	const struct tn_studio_node *at = node->parent;

	while (at && at != ancestor)
		at = at->parent;
	return at != NULL;
}

/* ---- what is derived ---- */

static const uint32_t unknown = UINT32_MAX, on_the_way = UINT32_MAX - 1;

/* Up to where the depth is known, then down again by the same way: each node is met twice at most.
 * A parent that is met on its own way would close a circle; there it is cut, and so is what would
 * be deeper than may be: only a log that others have written has either. */
static void find_depth(struct tn_studio_node *node)
{
	struct tn_studio_node *at = node, *parent;
	uint32_t steps = 0, depth;

	for (; at->depth == unknown; at = at->parent) {
		at->depth = on_the_way;
		steps++;
		if (at->parent && at->parent->depth == on_the_way)
			at->parent = NULL;
		if (!at->parent)
			break;
	}
	depth = at->depth == on_the_way ? steps - 1 : at->depth + steps;
	for (at = node; at && at->depth == on_the_way; at = parent) {
		parent = at->parent;
		at->depth = depth-- % TN_STUDIO_DEPTH_MAX;
		if (at->depth == 0)
			at->parent = NULL;
	}
}

static void add_to_parent(struct tn_studio_node *node)
{
	if (!node->parent)
		return;
	node->next_sibling = node->parent->first_child;
	node->parent->first_child = node;
}

static enum tenon_code find_ends(struct tn_studio_document *document, struct tenon_error *err)
{
	for (size_t i = 0; i < document->edge_count; i++) {
		struct tn_studio_edge *edge = document->edges[i];

		edge->source = tn_studio_node_find(document, edge->source_id);
		edge->target = tn_studio_node_find(document, edge->target_id);
		if (!edge->source || !edge->target)
			return tn_fail(err, TENON_INTERNAL, "an edge without end");
	}
	return TENON_OK;
}

enum tenon_code tn_studio_document_index(struct tn_studio_document *document,
					 struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (document->indexed)
		return TENON_OK;
	for (size_t i = 0; i < document->node_count; i++) {
		struct tn_studio_node *node = document->nodes[i];

		node->order = (uint32_t)i;
		node->depth = unknown;
		node->first_child = node->next_sibling = NULL;
		if (!document->links_known)
			node->parent = NULL;
		if (!node->parent && node->parent_id.size)
			node->parent = tn_studio_node_find(document, node->parent_id);
	}
	for (size_t i = 0; i < document->node_count; i++)
		find_depth(document->nodes[i]);
	for (size_t i = document->node_count; i-- > 0;)
		add_to_parent(document->nodes[i]);
	if (!document->links_known)
		code = find_ends(document, err);
	document->indexed = document->links_known = code == TENON_OK;
	return code;
}
