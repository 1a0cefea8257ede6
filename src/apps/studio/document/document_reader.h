/* document_reader.h - reading the files of a project, for document_read.c, document_reader.c and
 * document_repair.c.
 * Threads: loop. */
#ifndef TN_STUDIO_DOCUMENT_READER_H
#define TN_STUDIO_DOCUMENT_READER_H

#include <stdarg.h>

#include "apps/studio/document/internal.h"
#include "apps/studio/id.h"

struct tn_studio_entry { /* a node or an edge on its way */
	const struct tn_json *record;
	struct tn_str id, type_id, label, name, own;
	const struct tn_studio_type *type;
	struct tn_studio_entry *parent;
	uint32_t seen;
	uint32_t level; /* of nesting, from 1; 0: not known yet */
	bool dropped;
};

struct tn_studio_reader {
	struct tn_studio_registry *registry;
	struct tn_arena *arena;
	struct tn_buf *repairs;
	struct tn_studio_fault *fault;
	struct tn_studio_entry *nodes, *edges;
	size_t node_count, edge_count, edge_room;
	struct tn_map by_id, by_own, by_address, edges_by_id; /* of struct tn_studio_entry */
	uint64_t ids;
	bool failed; /* no memory */
};

void tn_studio_repaired(struct tn_studio_reader *reader, const char *code, struct tn_str node_id,
			const char *format, ...) TN_PRINTF(4, 5);
/* A member of the record; NULL takes it out. */
void tn_studio_entry_set(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
			 const char *key, const struct tn_json *value);
struct tn_str tn_studio_reader_id(struct tn_studio_reader *reader); /* a free one */

/* References and edges: each end exists, each reference has a target that may be one, and rules
 * with `sets` have both or none. False: `fault` says why. */
bool tn_studio_repair_edges(struct tn_studio_reader *reader, const struct tn_json *edges);

#endif
