#include "apps/studio/picture/layout_links.h"

#include <stdlib.h>
#include <string.h>

#include "apps/studio/document/geometry.h"

struct lifter {
	const struct tn_studio_document *document;
	struct tn_studio_lifted *links; /* NULL: they are only counted */
	size_t count;
};

static void add_lifted(struct lifter *lifter, const struct tn_studio_node *a,
		       const struct tn_studio_node *b)
{
	while (a->depth > b->depth)
		a = a->parent;
	while (b->depth > a->depth)
		b = b->parent;
	while (a != b && a->parent != b->parent) {
		a = a->parent;
		b = b->parent;
	}
	if (a == b || tn_studio_is_note(a) || tn_studio_is_note(b))
		return;
	if (lifter->links)
		lifter->links[lifter->count] = (struct tn_studio_lifted){
			a->parent ? a->parent->order : (uint32_t)lifter->document->node_count,
			a->order, b->order};
	lifter->count++;
}

static void add_reference(struct lifter *lifter, const struct tn_studio_node *node,
			  const struct tn_json *id)
{
	const struct tn_studio_node *target;
	struct tn_str text;

	if (!tn_json_to_str(id, &text))
		return;
	target = tn_studio_node_find(lifter->document, text);
	if (target)
		add_lifted(lifter, node, target);
}

static void add_drawn(struct lifter *lifter)
{
	const struct tn_studio_document *document = lifter->document;
	size_t i;

	for (i = 0; i < document->edge_count; i++)
		add_lifted(lifter, document->edges[i]->source, document->edges[i]->target);
}

static void add_all(struct lifter *lifter)
{
	const struct tn_studio_document *document = lifter->document;
	const struct tn_json *at, *item;
	size_t i;

	add_drawn(lifter);
	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (!tn_json_is(node->references, TN_JSON_OBJECT))
			continue;
		for (at = node->references->first; at; at = at->next) {
			if (at->type != TN_JSON_ARRAY)
				add_reference(lifter, node, at);
			for (item = at->type == TN_JSON_ARRAY ? at->first : NULL; item;
			     item = item->next)
				add_reference(lifter, node, item);
		}
	}
}

static int by_parent(const void *a, const void *b)
{
	const struct tn_studio_lifted *left = a, *right = b;

	if (left->parent != right->parent)
		return left->parent < right->parent ? -1 : 1;
	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	return (left->to > right->to) - (left->to < right->to);
}

/* An edge that sets a reference the other way round (a rule with `sets`) would be a cycle of two:
 * the edge, which was drawn, wins. */
static void drop_opposites(struct lifter *lifter, const struct tn_studio_lifted *drawn,
			   size_t drawn_count)
{
	size_t i, kept = 0;

	for (i = 0; i < lifter->count; i++) {
		const struct tn_studio_lifted *link = &lifter->links[i];
		const struct tn_studio_lifted opposite = {link->parent, link->to, link->from};

		if (bsearch(&opposite, drawn, drawn_count, sizeof(opposite), by_parent) &&
		    !bsearch(link, drawn, drawn_count, sizeof(*link), by_parent))
			continue;
		lifter->links[kept++] = *link;
	}
	lifter->count = kept;
}

bool tn_studio_lift_links(const struct tn_studio_document *document, struct tn_arena *arena,
			  const struct tn_studio_lifted **ret, size_t *ret_count)
{
	struct lifter lifter = {document, NULL, 0};
	struct tn_studio_lifted *drawn;
	size_t drawn_count;

	add_all(&lifter); /* counts */
	drawn = tn_arena_alloc_array(arena, lifter.count + 1, sizeof(*drawn));
	lifter.links = tn_arena_alloc_array(arena, lifter.count + 1, sizeof(*drawn));
	if (!drawn || !lifter.links)
		return false;
	lifter.count = 0;
	add_drawn(&lifter);
	drawn_count = lifter.count;
	memcpy(drawn, lifter.links, drawn_count * sizeof(*drawn));
	qsort(drawn, drawn_count, sizeof(*drawn), by_parent);
	lifter.count = 0;
	add_all(&lifter);
	drop_opposites(&lifter, drawn, drawn_count);
	qsort(lifter.links, lifter.count, sizeof(*drawn), by_parent);
	*ret = lifter.links;
	*ret_count = lifter.count;
	return true;
}

size_t tn_studio_first_lifted(const struct tn_studio_lifted *links, size_t count, uint32_t parent)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (links[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
