/* outline.h - the diagram in lines, for those who read text and no data (hosts.md HO-001): a tree
 * in which each id stands once and nodes name each other by their own names.
 *
 * What people typed is one word or a JSON text, so that none can look like a line of its own.
 * Appends to a buffer; the document is indexed. Threads: loop. */
#ifndef TN_STUDIO_OUTLINE_H
#define TN_STUDIO_OUTLINE_H

#include "apps/studio/picture/entry.h"

struct tn_studio_outline {
	const struct tn_studio_document *document;
	uint64_t revision; /* what has been changed last at another one says so: @N */
	const struct tn_studio_status *status;
	const struct tn_json *secrets;
	const struct tn_studio_node_extras *extras;
	struct tn_arena *arena;
};

/* All nodes, each below what it stands in, then the edges that are not references:
 *   ownName:label typeId instanceId @rev key:value key->ownName | member:value
 * The own name (document.h, `own`) is the terraformName, unless that is among the members.
 * A line is a node, with a blank before it for each that it stands in; texts as tn_studio_put_plain
 * has them. */
void tn_studio_outline(struct tn_buf *out, const struct tn_studio_outline *outline,
		       const struct tn_studio_edge *edges, size_t edge_count);

/* " terraformName:name" of a node with another own name. */
void tn_studio_outline_name(struct tn_buf *out, const struct tn_studio_node *node);
/* " key->ownName ..." of one node, for what its place does not imply. */
void tn_studio_outline_references(struct tn_buf *out, const struct tn_studio_document *document,
				  const struct tn_studio_node *node);

#endif
