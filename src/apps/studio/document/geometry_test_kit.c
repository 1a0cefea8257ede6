#include "apps/studio/document/geometry_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void tn_test_diagram_init(struct tn_test_diagram *diagram)
{
	memset(diagram, 0, sizeof(*diagram));
	diagram->document.nodes = diagram->nodes;
	diagram->document.edges = diagram->edges;
	diagram->document.indexed = true;
	diagram->leaf.id = TN_STR("test/core/leaf");
	diagram->container.id = TN_STR("test/core/box");
	diagram->container.container = true;
	diagram->note.id = TN_STR("_annotation/general/sticky_note");
	diagram->note.is_annotation = true;
}

static const struct tn_studio_type *type_of(const struct tn_test_diagram *diagram, char letter)
{
	switch (letter) {
	case 'c':
		return &diagram->container;
	case 'n':
		return &diagram->note;
	case 'u':
		return NULL;
	default:
		return &diagram->leaf;
	}
}

struct tn_studio_node *tn_test_node(struct tn_test_diagram *diagram, struct tn_studio_node *parent,
				    char type, int32_t x, int32_t y, int32_t width, int32_t height)
{
	size_t index = diagram->document.node_count++;
	struct tn_studio_node *node = &diagram->storage[index];
	struct tn_studio_node **at;

	assert_true(index < TN_TEST_NODES_MAX);
	diagram->nodes[index] = node;
	node->type = type_of(diagram, type);
	node->x = x;
	node->y = y;
	node->width = width;
	node->height = height;
	node->order = (uint32_t)index;
	node->parent = parent;
	node->depth = parent ? parent->depth + 1 : 0;
	if (parent) {
		for (at = &parent->first_child; *at; at = &(*at)->next_sibling)
			;
		*at = node;
	}
	return node;
}

void tn_test_edge(struct tn_test_diagram *diagram, struct tn_studio_node *source,
		  struct tn_studio_node *target)
{
	size_t index = diagram->document.edge_count++;
	struct tn_studio_edge *edge = &diagram->edge_storage[index];

	assert_true(index < TN_TEST_EDGES_MAX);
	diagram->edges[index] = edge;
	edge->source = source;
	edge->target = target;
}

void tn_test_put(const struct tn_studio_placed *placed, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		/* The document's nodes are ours. */
		struct tn_studio_node *node = (struct tn_studio_node *)(uintptr_t)placed[i].node;

		node->x = placed[i].rect.x;
		node->y = placed[i].rect.y;
		node->width = placed[i].rect.width;
		node->height = placed[i].rect.height;
	}
}

void tn_test_assert_tidy(const struct tn_studio_document *document)
{
	size_t i, k;

	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		struct tn_studio_rect rect = tn_studio_rect_of(node), other;

		if (tn_studio_is_note(node))
			continue;
		for (k = i + 1; k < document->node_count; k++) {
			if (document->nodes[k]->parent != node->parent ||
			    tn_studio_is_note(document->nodes[k]))
				continue;
			other = tn_studio_rect_of(document->nodes[k]);
			assert_false(tn_studio_rects_meet(&rect, &other, 0));
		}
		if (!node->parent)
			continue;
		other = tn_studio_rect_of(node->parent);
		assert_true(rect.x >= TN_STUDIO_PADDING);
		assert_true(rect.y >= TN_STUDIO_HEADER + TN_STUDIO_PADDING);
		assert_true(rect.x + rect.width <= other.width - TN_STUDIO_PADDING);
		assert_true(rect.y + rect.height <= other.height - TN_STUDIO_PADDING);
	}
}
