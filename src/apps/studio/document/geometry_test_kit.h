/* geometry_test_kit.h - diagrams for tests of geometry, made by hand: nodes and edges without
 * records, whose derived members are set here. Threads: one. */
#ifndef TN_STUDIO_GEOMETRY_TEST_KIT_H
#define TN_STUDIO_GEOMETRY_TEST_KIT_H

#include "apps/studio/document/geometry.h"

enum { TN_TEST_NODES_MAX = 1200, TN_TEST_EDGES_MAX = 4000 };

struct tn_test_diagram {
	struct tn_studio_document document;
	struct tn_studio_node *nodes[TN_TEST_NODES_MAX];
	struct tn_studio_node storage[TN_TEST_NODES_MAX];
	struct tn_studio_edge *edges[TN_TEST_EDGES_MAX];
	struct tn_studio_edge edge_storage[TN_TEST_EDGES_MAX];
	struct tn_studio_type leaf, container, note;
};

void tn_test_diagram_init(struct tn_test_diagram *diagram);
/* The type is by the letter: 'l'eaf, 'c'ontainer, 'n'ote, 'u'nknown. Width 0: by the type. */
struct tn_studio_node *tn_test_node(struct tn_test_diagram *diagram, struct tn_studio_node *parent,
				    char type, int32_t x, int32_t y, int32_t width, int32_t height);

void tn_test_edge(struct tn_test_diagram *diagram, struct tn_studio_node *source,
		  struct tn_studio_node *target);
/* As a layout is taken over. */
void tn_test_put(const struct tn_studio_placed *placed, size_t count);

/* No two siblings overlap, children stay inside the padding of their parents, everything is a
 * whole place (asserts). Notes may lie on others. */
void tn_test_assert_tidy(const struct tn_studio_document *document);

#endif
