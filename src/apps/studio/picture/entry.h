/* entry.h - nodes and edges as readers get them (studio.md 12.2): with what is derived, without
 * secrets.
 *
 * Appends to a buffer; the document is indexed. Threads: loop. */
#ifndef TN_STUDIO_ENTRY_H
#define TN_STUDIO_ENTRY_H

#include "apps/studio/generate/generate.h"
#include "apps/studio/status/status.h"

/* Stored values, those of sensitive properties as "[redacted]"; fields of objects, too. `secrets`:
 * names of variables with a value, which count as set; NULL: none. */
void tn_studio_put_properties(struct tn_buf *out, const struct tn_studio_node *node,
			      const struct tn_json *secrets);
/* The same in one line of text: " key:value" for each, the values as JSON, but a text as below. */
void tn_studio_put_properties_line(struct tn_buf *out, const struct tn_studio_node *node,
				   const struct tn_json *secrets);
/* A text in such a line: bare when it reads the same without quotes (a letter, then letters, digits
 * and - _ . , not true, false or null), otherwise as JSON. */
void tn_studio_put_plain(struct tn_buf *out, struct tn_str text);
/* Effective ones: property key to instanceId, or a list of them. */
void tn_studio_put_references(struct tn_buf *out, const struct tn_studio_document *document,
			      const struct tn_studio_node *node);

/* One of list_resources (ResourceEntry). */
void tn_studio_put_entry(struct tn_buf *out, const struct tn_studio_document *document,
			 const struct tn_studio_node *node, const struct tn_studio_status *status,
			 const struct tn_json *secrets);

struct tn_studio_node_extras { /* what `include` asks for (get_diagram) */
	bool defaults, layout;
	const struct tn_studio_diagnostics
		*diagnostics;                        /* by a node's order; NULL: not asked for */
	const struct tn_studio_generated *addresses; /* likewise */
	const struct tn_json *costs;                 /* estimates by id; likewise */
};
/* Them alone, as members of an open object. */
void tn_studio_put_extras(struct tn_buf *out, const struct tn_studio_node *node,
			  const struct tn_studio_scope *scope,
			  const struct tn_studio_node_extras *extras);
/* What an entry of get_diagram consists of, in this order: each changes by itself. */
enum tn_studio_facet {
	TN_STUDIO_FACET_RECORD, /* what is stored, and what follows from it and its neighbours */
	TN_STUDIO_FACET_STATUS,
	TN_STUDIO_FACET_DEFAULTS,
	TN_STUDIO_FACET_LAYOUT,
	TN_STUDIO_FACET_DIAGNOSTICS,
	TN_STUDIO_FACET_ADDRESSES,
	TN_STUDIO_FACET_COST,
	TN_STUDIO_FACETS
};
/* One of get_diagram. `ends`: where each facet ends in `out`; NULL: nobody asks. */
void tn_studio_put_node(struct tn_buf *out, const struct tn_studio_document *document,
			const struct tn_studio_node *node, const struct tn_studio_status *status,
			const struct tn_json *secrets, const struct tn_studio_node_extras *extras,
			struct tn_arena *arena, size_t *ends);
void tn_studio_put_edge(struct tn_buf *out, const struct tn_studio_edge *edge);

#endif
