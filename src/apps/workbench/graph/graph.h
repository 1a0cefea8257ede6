/* graph.h - the project graph: routes, component types and who uses whom (workbench.md section 8).
 *
 * Producers claim nodes and edges; what is seen is a pure function of all claims (G2): of two that
 * claim a node the one of the higher rank has its value, and an edge is there while both its ends
 * are. Every update that changes what is seen raises the revision by one and is one minimal patch
 * (G7, G8); the newest are kept (N7). The same structure holds the instances of a session (G11).
 *
 * Cost: an update touches what it names and the edges at nodes that come or go; nothing walks the
 * whole graph but a snapshot. Ownership: the caller's; texts that are handed out live until the
 * next update. Threads: one at a time. */
#ifndef TN_WB_GRAPH_H
#define TN_WB_GRAPH_H

#include "apps/workbench/values/diagnostic.h"
#include "jsonrpc/json.h"

struct tn_wb_graph;
struct tn_wb_node;

enum tn_wb_graph_holds { TN_WB_GRAPH_PROJECT, TN_WB_GRAPH_INSTANCES };

/* NULL: out of memory. */
struct tn_wb_graph *tn_wb_graph_create(enum tn_wb_graph_holds holds);
void tn_wb_graph_destroy(struct tn_wb_graph *graph); /* accepts NULL */

/* Ranks, lowest to highest (G3). Modules and producers from outside add their place. */
enum {
	TN_WB_RANK_COMPONENTS,
	TN_WB_RANK_ROUTES,
	TN_WB_RANK_REGISTRY,
	TN_WB_RANK_MODULE,
	TN_WB_RANK_OUTSIDE = 1 << 20
};

struct tn_wb_update {
	bool accepted;
	bool changed; /* what is seen is otherwise now */
	uint64_t revision;
	/* The patch, when it changed; empty when memory for it ended: everybody has to read anew.
	 */
	struct tn_str patch;
};
/* A GraphSnapshot: replaces all claims of the producer (G4). Its revision must be an integer of 0
 * or more. An update that is not valid is refused whole (G9), with diagnostics
 * (`graph_update_invalid`, `limit_exceeded`): *ret says so, and nothing has changed.
 * Fails: NO_MEMORY, BUSY (tn_wb_graph_bound), and nothing has changed. */
TN_MUST_USE enum tenon_code tn_wb_graph_put(struct tn_wb_graph *graph, const char *producer,
					    uint32_t rank, const struct tn_json *json,
					    struct tn_wb_update *ret,
					    struct tn_wb_diagnostics *diagnostics,
					    struct tenon_error *err);
/* A GraphPatch: edits this producer's claims alone. A revision that is not above the producer's
 * last is passed over (G6, `stale_producer_revision`). Fails: as above. */
TN_MUST_USE enum tenon_code tn_wb_graph_edit(struct tn_wb_graph *graph, const char *producer,
					     uint32_t rank, const struct tn_json *patch,
					     struct tn_wb_update *ret,
					     struct tn_wb_diagnostics *diagnostics,
					     struct tenon_error *err);
/* Takes all claims back. False: there is no such producer. */
bool tn_wb_graph_remove(struct tn_wb_graph *graph, const char *producer, struct tn_wb_update *ret);
/* How many nodes and edges it claims. */
size_t tn_wb_graph_claims_of(const struct tn_wb_graph *graph, const char *producer);
/* Calls `each` for all of them, in no order; removing is not allowed meanwhile. */
void tn_wb_graph_producers(const struct tn_wb_graph *graph,
			   void (*each)(const char *producer, uint32_t rank, void *data),
			   void *data);

/* Nobody has ever put anything. */
bool tn_wb_graph_is_new(const struct tn_wb_graph *graph);
uint64_t tn_wb_graph_revision(const struct tn_wb_graph *graph);
size_t tn_wb_graph_withheld(const struct tn_wb_graph *graph); /* edges that lack an end */
size_t tn_wb_graph_bytes(const struct tn_wb_graph *graph);    /* of the snapshot, nearly */

/* As a GraphSnapshot in canonical order (G1). */
TN_MUST_USE enum tenon_code tn_wb_graph_put_snapshot(const struct tn_wb_graph *graph,
						     struct tn_buf *out, struct tenon_error *err);
/* The nodes alone, without their sources: what is left of a graph that is too large (M4). Stops
 * at `bytes_max`; *ret_left is how many nodes follow. */
TN_MUST_USE enum tenon_code tn_wb_graph_put_index(const struct tn_wb_graph *graph, size_t bytes_max,
						  struct tn_buf *out, size_t *ret_left,
						  struct tenon_error *err);

/* A graph that is too large, in parts: nodes and edges in no order, as {revision,nodes,edges}, from
 * *place on (0: the beginning) and about so many bytes. *place is where the next part begins, 0
 * after the last; it means something until the turn is another. */
TN_MUST_USE enum tenon_code tn_wb_graph_put_part(const struct tn_wb_graph *graph, size_t bytes_max,
						 struct tn_buf *out, size_t *place,
						 struct tenon_error *err);
uint64_t tn_wb_graph_turn(const struct tn_wb_graph *graph); /* another after each update */

/* `kind`: "route" or "componentType". NULL: it is not seen. */
const struct tn_wb_node *tn_wb_graph_find(const struct tn_wb_graph *graph, const char *kind,
					  struct tn_str id);
struct tn_str tn_wb_node_json(const struct tn_wb_node *node);
struct tn_str tn_wb_node_source(const struct tn_wb_node *node); /* as JSON; empty: it has none */
struct tn_str tn_wb_node_id(const struct tn_wb_node *node);     /* its last identity field */
bool tn_wb_node_is(const struct tn_wb_node *node, const char *kind);
/* Calls `each` with the other end of every edge at the node that is seen: `outward`, whether the
 * edge begins here. In no order. */
void tn_wb_node_edges(const struct tn_wb_node *node,
		      void (*each)(const struct tn_wb_node *other, bool outward, void *data),
		      void *data);
/* `usedByRoutes`, `usedBy` and `uses` of a component type, as members, in byte order; empty lists
 * for NULL. Those that are too many are counted: `moreUsedBy`, ... */
void tn_wb_node_put_relations(struct tn_buf *out, const struct tn_wb_node *node);
/* All nodes of a kind that are seen, in no order, until `each` returns false. */
void tn_wb_graph_each(const struct tn_wb_graph *graph, const char *kind,
		      bool (*each)(const struct tn_wb_node *node, void *data), void *data);

/* ---- long updates ----
 *
 * The loop's own graph is bounded. What is too long for it is done to a copy, in a worker, which
 * then takes the graph's place; meanwhile everybody may read the graph, and nobody change it. */

/* An update that takes more than so many steps (claims it names or replaces, and edges there) fails
 * with BUSY, and nothing has changed. */
void tn_wb_graph_bound(struct tn_wb_graph *graph, size_t steps);
/* Removing all claims of it would be such an update; tn_wb_graph_remove is not bounded. */
bool tn_wb_graph_removes_long(const struct tn_wb_graph *graph, const char *producer);
/* The same claims, and the same is seen; without patches and bound. NULL: out of memory. */
struct tn_wb_graph *tn_wb_graph_copy(const struct tn_wb_graph *graph);
/* `next` is a copy of `before`, and has been changed: it has its bound and its patches from now on.
 * What is left of `before` is to be destroyed, which takes as long as copying. */
void tn_wb_graph_succeed(struct tn_wb_graph *next, struct tn_wb_graph *before);

/* ---- the stream of patches (N5 to N7) ---- */

/* Appends the patches after `since`, in order, as elements of an array that is begun. False: they
 * are not held any more, or `since` is not a revision of this graph. */
bool tn_wb_graph_put_patches(const struct tn_wb_graph *graph, uint64_t since, struct tn_buf *out);
/* The oldest revision that put_patches can start from. */
uint64_t tn_wb_graph_oldest(const struct tn_wb_graph *graph);
/* The oldest revision whose patches up to now have at most so many bytes. */
uint64_t tn_wb_graph_newest_within(const struct tn_wb_graph *graph, size_t bytes);

#endif
