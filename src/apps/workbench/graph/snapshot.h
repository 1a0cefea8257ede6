/* snapshot.h - all that one producer claims, read aside: in a worker, for the loop to take over.
 *
 * Reading is most of the work of an update and needs no graph. A snapshot that was compared with
 * the one before it costs the graph what differs, however large both are. Ownership: the caller's;
 * the one before lives until the later was taken. Threads: any, one at a time. */
#ifndef TN_WB_GRAPH_SNAPSHOT_H
#define TN_WB_GRAPH_SNAPSHOT_H

#include "apps/workbench/graph/graph.h"

struct tn_wb_snapshot;

/* Reads a GraphSnapshot. *ret is NULL where it is not valid (G9), and diagnostics say why.
 * Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_snapshot_read(enum tn_wb_graph_holds holds, const char *producer,
						const struct tn_json *json,
						struct tn_wb_snapshot **ret,
						struct tn_wb_diagnostics *diagnostics,
						struct tenon_error *err);
void tn_wb_snapshot_free(struct tn_wb_snapshot *snapshot); /* accepts NULL */
/* `before` is what the graph has of the same producer: then the difference alone is put. Without
 * memory for it everything is. */
void tn_wb_snapshot_compare(struct tn_wb_snapshot *snapshot, const struct tn_wb_snapshot *before);

/* As tn_wb_graph_put, but for the reading. */
TN_MUST_USE enum tenon_code tn_wb_graph_take(struct tn_wb_graph *graph, const char *producer,
					     uint32_t rank, const struct tn_wb_snapshot *snapshot,
					     struct tn_wb_update *ret,
					     struct tn_wb_diagnostics *diagnostics,
					     struct tenon_error *err);

#endif
