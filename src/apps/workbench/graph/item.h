/* item.h - one node, edge or reference of a graph update, read and judged (workbench.md 8.1, 8.2).
 *
 * An item's key is its place in the canonical order (G1): a byte for its kind, then the identity
 * fields with NUL between them. Ids have no control characters, so comparing keys byte by byte
 * compares fields in order. Threads: any. */
#ifndef TN_WB_GRAPH_ITEM_H
#define TN_WB_GRAPH_ITEM_H

#include "apps/workbench/graph/graph.h"

enum tn_wb_kind {
	TN_WB_ROUTE,
	TN_WB_COMPONENT_TYPE,
	TN_WB_INSTANCE,
	TN_WB_ROUTE_USES,
	TN_WB_TYPE_USES,
	TN_WB_CHILD_OF,
	TN_WB_KINDS
};
#define TN_WB_FIRST_EDGE TN_WB_ROUTE_USES

struct tn_wb_item {
	enum tn_wb_kind kind;
	struct tn_str key;      /* in the arena */
	struct tn_str text;     /* as JSON; of references: as {"kind",...} */
	struct tn_str from, to; /* of edges: the keys of their ends */
	size_t place;           /* in the list that it was read from */
};

struct tn_wb_item_fault {
	const char *pointer; /* below the item: "/id" */
	const char *message;
};

const char *tn_wb_kind_name(enum tn_wb_kind kind);
bool tn_wb_kind_find(struct tn_str name, enum tn_wb_kind *ret);
/* The last identity field of a key. */
struct tn_str tn_wb_key_id(struct tn_str key);
/* The key of a node with one identity field. Empty: out of memory. */
struct tn_str tn_wb_key_make(struct tn_arena *arena, enum tn_wb_kind kind, struct tn_str id);
/* What of a graph that holds this is an edge or a node of it. */
bool tn_wb_kind_belongs(enum tn_wb_kind kind, enum tn_wb_graph_holds holds);

enum tn_wb_item_form { TN_WB_ITEM_NODE, TN_WB_ITEM_EDGE, TN_WB_ITEM_REFERENCE };
/* Fails: INVALID (*fault says where and why), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_item_read(struct tn_arena *arena, const struct tn_json *json,
					    enum tn_wb_item_form form, struct tn_wb_item *ret,
					    struct tn_wb_item_fault *fault);

#endif
