/* layout_links.h - edges and references of a diagram, lifted to the siblings that hold their ends
 * (ST-130). Pure functions of the document (indexed). Threads: loop. */
#ifndef TN_STUDIO_LAYOUT_LINKS_H
#define TN_STUDIO_LAYOUT_LINKS_H

#include "apps/studio/document/document.h"

struct tn_studio_lifted {          /* by node order */
	uint32_t parent, from, to; /* parent: node_count for the top level */
};

/* Sorted by parent, in the arena. Edges that end inside each other, and those of sticky notes, are
 * left out. False: no memory. */
bool tn_studio_lift_links(const struct tn_studio_document *document, struct tn_arena *arena,
			  const struct tn_studio_lifted **ret, size_t *ret_count);

/* Where the links of a parent begin. */
size_t tn_studio_first_lifted(const struct tn_studio_lifted *links, size_t count, uint32_t parent);

#endif
