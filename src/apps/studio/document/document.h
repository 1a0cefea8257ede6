/* document.h - the diagram and what is edited with it: nodes, edges, configuration, cost
 * assumptions (studio.md section 4). The document of the operation log.
 *
 * It changes only by operations (document_apply.c), each a JSON object with an inverse of the same
 * kind:
 *   {"op":"putNode","node":{...},"at":N}   new, or instead of the one with this id
 *   {"op":"removeNode","id":"..."}
 *   {"op":"putEdge","edge":{...},"at":N}   {"op":"removeEdge","id":"..."}
 *   {"op":"setConfig","config":{...}}      {"op":"setUsage","id":"...","usage":{...}|null}
 *   {"op":"setBudget","budget":N|null}
 *   {"op":"setPart","key":"modules"|"instances"|"template","value":...}
 *   {"op":"place","nodes":[{"id","x","y","width"?,"height"?}]}  layouts, dragging
 *   {"op":"replace","document":{...}}      all of it: files that changed on disk
 * Rules (containment, connection, values) are edit.h's; applying checks form and caps only.
 * Ownership: the caller's. Records never change: a changed node is a new record, and pointers live
 * until the next operation. So a copy of the document shares all records with it, and what reads
 * only (all that takes a const document) may work on a copy in any thread. Threads: one at a
 * time. */
#ifndef TN_STUDIO_DOCUMENT_H
#define TN_STUDIO_DOCUMENT_H

#include "apps/studio/id.h"
#include "apps/studio/registry/registry.h"
#include "store/oplog.h"

struct tn_studio_node {                         /* 4.4 */
	struct tn_str id, type_id, label, name; /* name: the terraformName */
	/* What its variables, outputs, secrets and other blocks are named after, as nobody else's
	 * are: its name, unless that was another's when it was made or renamed. */
	struct tn_str own;
	struct tn_str parent_id, module_id, slug, notes; /* empty: none */
	const struct tn_studio_type *type;               /* NULL: unknown, kept as it is (ST-026) */
	int32_t x, y;          /* relative to the parent's top-left corner */
	int32_t width, height; /* 0: by its type (geometry.h) */
	/* Objects and an array as stored; NULL: empty. */
	const struct tn_json *properties, *references, *variable_modes, *enabled_outputs;
	const struct tn_json *record; /* all of it, unknown fields too */
	/* Derived, by tn_studio_document_index. */
	struct tn_studio_node *parent, *first_child, *next_sibling;
	uint32_t order;      /* in creation order, from 0 */
	uint32_t depth;      /* 0: top level */
	uint32_t edge_count; /* private: stored edges on it */
	/* The revision of its last change, and of that of its references (SC-012); 0: it is being
	 * made. */
	uint64_t rev, linked;
	struct tn_studio_memory *memory; /* private: what the record stands in */
};

enum tn_studio_edge_category {
	TN_STUDIO_STRUCTURAL,
	TN_STUDIO_BINDING,
	TN_STUDIO_REFERENCE_EDGE,
	TN_STUDIO_ANNOTATION
};
const char *tn_studio_edge_category_name(enum tn_studio_edge_category category);

struct tn_studio_edge { /* 4.5 */
	struct tn_str id, source_id, source_handle, target_id, target_handle, label;
	enum tn_studio_edge_category category;
	bool derived;                           /* pictures a reference; not stored */
	struct tn_studio_node *source, *target; /* never NULL after indexing */
	const struct tn_json *record;
	uint64_t rev;                    /* as a node's; of a derived one its source's `linked` */
	struct tn_studio_memory *memory; /* private */
};

struct tn_studio_document {
	struct tn_studio_registry *registry; /* a reference */
	struct tn_studio_node **nodes;       /* creation order */
	size_t node_count, node_room;
	struct tn_studio_edge **edges; /* stored ones */
	size_t edge_count, edge_room;
	struct tn_map nodes_by_id, nodes_by_own, nodes_by_address, edges_by_id;
	const struct tn_json *config, *modules, *instances, *template_info; /* NULL: none */
	const struct tn_json *usage;                                        /* by node id */
	double budget;                                                      /* NaN: none */
	const struct tn_json *rest; /* other members of diagram.json, written back */
	uint64_t generation;        /* one more with each operation: for what is cached */
	bool indexed;
	bool links_known; /* parents, and ends of edges: another node changes none that it has */
	struct tn_studio_document_private *own;
	struct tn_studio_revisions *revisions; /* private: document_revision.c */
};

void tn_studio_document_init(struct tn_studio_document *document,
			     struct tn_studio_registry *registry);
void tn_studio_document_finish(struct tn_studio_document *document);
/* The same as it is now, indexed, with all records shared: whatever happens to `from`, the copy
 * stays as it is. Takes a millisecond for some thousand records. *ret is the caller's to finish, in
 * any thread. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_document_copy(struct tn_studio_document *from,
						    struct tn_studio_document *ret,
						    struct tenon_error *err);
/* A copy that was changed takes the place of the document, which has not changed since it was made;
 * what it changed becomes part of the change that is being made of the document. `copy` is then
 * what there was. Fails: NO_MEMORY, INVALID (of other types); then nothing has happened. */
TN_MUST_USE enum tenon_code tn_studio_document_exchange(struct tn_studio_document *document,
							struct tn_studio_document *copy,
							struct tenon_error *err);
extern const struct tn_document_ops tn_studio_document_ops;

/* Fills what is derived. Cheap when nothing has changed. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_document_index(struct tn_studio_document *document,
						     struct tenon_error *err);

/* NULL: none. */
struct tn_studio_node *tn_studio_node_find(const struct tn_studio_document *document,
					   struct tn_str id);
struct tn_studio_edge *tn_studio_edge_find(const struct tn_studio_document *document,
					   struct tn_str id);
/* The nearest ancestor that is no annotation; NULL: top level. */
struct tn_studio_node *tn_studio_real_parent(const struct tn_studio_node *node);
/* The nearest ancestor (not the node itself) of this type; NULL: none. */
struct tn_studio_node *tn_studio_ancestor(const struct tn_studio_node *node, struct tn_str type_id);
bool tn_studio_is_within(const struct tn_studio_node *node, const struct tn_studio_node *ancestor);

/* ---- names (4.1; document_name.c) ---- */

/* The node with a block of one of the Terraform types that such nodes have, of this name; of types
 * without a block of their own, and of unknown ones, the node of that typeId. NULL: none. */
struct tn_studio_node *tn_studio_node_by_name(const struct tn_studio_document *document,
					      struct tn_str type_id, struct tn_str terraform_name);
struct tn_studio_node *tn_studio_node_by_own(const struct tn_studio_document *document,
					     struct tn_str own);
/* By which node a new one of this type cannot have this name, or own name: helper blocks of
 * templates count, too. NULL: it can. */
struct tn_studio_node *tn_studio_name_holder(const struct tn_studio_document *document,
					     struct tn_str type_id, struct tn_str terraform_name);
struct tn_studio_node *tn_studio_own_holder(const struct tn_studio_document *document,
					    struct tn_str type_id, struct tn_str own);

/* Members of a node beyond 4.4: its own name, where it is not its terraformName; keys of references
 * that were drawn through their `ref-` handle, and so are shown as edges although their property
 * says nothing of it. */
#define TN_STUDIO_OWN "ownName"
#define TN_STUDIO_DRAWN "drawnReferences"
bool tn_studio_reference_is_drawn(const struct tn_studio_node *node,
				  const struct tn_studio_property *property);

/* Stored edges, then one for each reference property shown as an edge (id
 * "ref:{source}:{property}:{target}"), as an array in the arena. */
TN_MUST_USE enum tenon_code tn_studio_edges_all(const struct tn_studio_document *document,
						struct tn_arena *arena,
						const struct tn_studio_edge **ret,
						size_t *ret_count, struct tenon_error *err);
/* The node that such a reference begins at, by the edge's id; its `linked` is the edge's rev. NULL:
 * there is no such edge. */
const struct tn_studio_node *tn_studio_derived_from(const struct tn_studio_document *document,
						    struct tn_str id);

/* ---- what is gone (SC-012) ---- */

enum tn_studio_kind { TN_STUDIO_NODES, TN_STUDIO_EDGES };
/* The revision at which it went; 0: it has not been there, or nobody knows. */
uint64_t tn_studio_gone_at(const struct tn_studio_document *document, enum tn_studio_kind kind,
			   struct tn_str id);
/* What went later than at this revision is known. */
uint64_t tn_studio_gone_since(const struct tn_studio_document *document);

/* ---- on disk (4.7) ---- */

/* diagram.json, cost.json: members in the order of the contract, two spaces, arrays of scalars on
 * one line, final newline: writing what was read gives the same bytes (ST-020). Without usage and
 * budget there is no cost.json: nothing is appended. */
void tn_studio_document_write_diagram(const struct tn_studio_document *document, uint64_t revision,
				      struct tn_buf *out);
void tn_studio_document_write_cost(const struct tn_studio_document *document, struct tn_buf *out);
/* A JSON value in that layout; also used for studio.json. */
void tn_studio_write_pretty(struct tn_buf *out, const struct tn_json *value, unsigned indent);

/* diagram.json, and cost.json (NULL: none), as a {"op":"replace"} operation in the arena: repaired
 * where the invariants of ST-033 and ST-034 do not hold, each with a diagnostic in `repairs` (a
 * JSON array of {"code","message","instanceId"?}). Fails: PROJECT_INVALID, FORMAT_TOO_NEW,
 * LIMIT_EXCEEDED. */
bool tn_studio_document_read(struct tn_studio_registry *registry, const struct tn_json *diagram,
			     const struct tn_json *cost, const struct tn_json *config,
			     struct tn_arena *arena, struct tn_json **ret_operation,
			     struct tn_buf *repairs, struct tn_studio_fault *fault);

#endif
