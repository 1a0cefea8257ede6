/* internal.h - the inside of the document, for the files document*.c. Threads: loop. */
#ifndef TN_STUDIO_DOCUMENT_INTERNAL_H
#define TN_STUDIO_DOCUMENT_INTERNAL_H

#include <stdatomic.h>

#include "apps/studio/document/document.h"

enum { TN_STUDIO_FORMAT = 1 }; /* of the files */

/* What the document has beside nodes and edges, each in an arena of its own. */
enum tn_studio_document_part {
	TN_STUDIO_PART_CONFIG,
	TN_STUDIO_PART_MODULES,
	TN_STUDIO_PART_INSTANCES,
	TN_STUDIO_PART_TEMPLATE,
	TN_STUDIO_PART_USAGE,
	TN_STUDIO_PART_REST,
	TN_STUDIO_PART_COST_REST,
	TN_STUDIO_PART_COUNT
};
extern const char *const tn_studio_part_names[TN_STUDIO_PART_COUNT]; /* in a saved document */

/* What a record or a part stands in: one block, given back with the last that has it. */
struct tn_studio_memory {
	atomic_uint refs;
	struct tn_arena arena;
};

struct tn_studio_document_private {
	struct tn_studio_memory *parts[TN_STUDIO_PART_COUNT];
	const struct tn_json *cost_rest; /* other members of cost.json */
};

/* ---- document_copy.c ---- */

/* A copy of `value` in memory of its own. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_memory_make(const struct tn_json *value,
						  struct tn_studio_memory **ret,
						  const struct tn_json **ret_copy,
						  struct tenon_error *err);
struct tn_studio_memory *tn_studio_memory_ref(struct tn_studio_memory *memory);
void tn_studio_memory_unref(struct tn_studio_memory *memory); /* accepts NULL */

/* ---- document.c ---- */

const struct tn_json *tn_studio_part_get(const struct tn_studio_document *document,
					 enum tn_studio_document_part part);
/* Copies `value`; NULL and null: none. Fails: NO_MEMORY, LIMIT. */
TN_MUST_USE enum tenon_code tn_studio_part_set(struct tn_studio_document *document,
					       enum tn_studio_document_part part,
					       const struct tn_json *value,
					       struct tenon_error *err);

/* Both take the record on success. Fails: INVALID (the name is taken, an end is missing), LIMIT,
 * NO_MEMORY; nothing has changed then. */
TN_MUST_USE enum tenon_code tn_studio_node_insert(struct tn_studio_document *document,
						  struct tn_studio_node *node, size_t at,
						  struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_studio_edge_insert(struct tn_studio_document *document,
						  struct tn_studio_edge *edge, size_t at,
						  struct tenon_error *err);
/* In the place of the one with this id, which is destroyed. Fails: INVALID, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_node_replace(struct tn_studio_document *document, size_t at,
						   struct tn_studio_node *node,
						   struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_studio_edge_replace(struct tn_studio_document *document, size_t at,
						   struct tn_studio_edge *edge,
						   struct tenon_error *err);
void tn_studio_node_remove(struct tn_studio_document *document, size_t at);
void tn_studio_edge_remove(struct tn_studio_document *document, size_t at);
/* Where it stands. */
size_t tn_studio_node_at(const struct tn_studio_document *document,
			 const struct tn_studio_node *node);
size_t tn_studio_edge_at(const struct tn_studio_document *document,
			 const struct tn_studio_edge *edge);
void tn_studio_document_changed(struct tn_studio_document *document);

/* ---- document_name.c ---- */

/* In the maps of names, in the place of `old` (NULL: of none). Fails: INVALID (a name is taken),
 * NO_MEMORY; nothing has changed then. */
TN_MUST_USE enum tenon_code tn_studio_names_take(struct tn_studio_document *document,
						 struct tn_studio_node *node,
						 const struct tn_studio_node *old,
						 struct tenon_error *err);
/* The same of names that are known to be nobody's. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_names_put(struct tn_studio_document *document,
						struct tn_studio_node *node,
						struct tenon_error *err);
void tn_studio_names_drop(struct tn_studio_document *document, const struct tn_studio_node *node);

/* ---- document_record.c ---- */

bool tn_studio_id_is_valid(struct tn_str id);               /* 4.1 */
bool tn_studio_terraform_name_is_valid(struct tn_str name); /* 4.1 */
/* Strings without NUL, sizes and depth within section 21. Fails: INVALID, LIMIT. */
TN_MUST_USE enum tenon_code tn_studio_record_check(const struct tn_json *value,
						   struct tenon_error *err);
/* A record of its own, checked for form and caps. Fails: INVALID, LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_node_make(const struct tn_studio_registry *registry,
						const struct tn_json *record,
						struct tn_studio_node **ret,
						struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_studio_edge_make(const struct tn_json *record,
						struct tn_studio_edge **ret,
						struct tenon_error *err);
void tn_studio_node_destroy(struct tn_studio_node *node); /* accepts NULL */
void tn_studio_edge_destroy(struct tn_studio_edge *edge);

/* ---- document_apply.c, document_place.c ---- */

TN_MUST_USE enum tenon_code tn_studio_document_apply(void *document,
						     const struct tn_json *operation,
						     struct tn_buf *inverse,
						     struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_studio_apply_place(struct tn_studio_document *document,
						  const struct tn_json *operation,
						  struct tn_buf *inverse, struct tenon_error *err);

/* ---- document_revision.c ---- */

#define TN_STUDIO_REVISIONS "revs" /* a member of a saved document */
/* This one is about to be changed, made or removed. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_revise(struct tn_studio_document *document,
					     enum tn_studio_kind kind, struct tn_str id,
					     struct tenon_error *err);
/* A new record in the place of an old one. */
void tn_studio_revise_from(struct tn_studio_node *node, const struct tn_studio_node *old);
/* All of it is about to be replaced by `fresh`. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_revise_all(struct tn_studio_document *document,
						 const struct tn_studio_document *fresh,
						 struct tenon_error *err);
/* What the change that is being made of one document has touched is part of the other's. */
TN_MUST_USE enum tenon_code tn_studio_revisions_pass(struct tn_studio_document *from,
						     struct tn_studio_document *to,
						     struct tenon_error *err);
void tn_studio_document_settled(void *document, uint64_t revision, bool committed); /* oplog.h */
void tn_studio_revisions_put(const struct tn_studio_document *document, struct tn_buf *out);
/* Of a document that has been loaded, out of what it was loaded from. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_revisions_read(struct tn_studio_document *document,
						     const struct tn_json *saved,
						     struct tenon_error *err);
void tn_studio_revisions_free(struct tn_studio_revisions *revisions); /* accepts NULL */

/* ---- document_save.c ---- */

/* What there is, without revisions: members of an open object, and the same back into an empty
 * document. */
void tn_studio_document_put(const struct tn_studio_document *document, struct tn_buf *out);
TN_MUST_USE enum tenon_code tn_studio_document_fill(struct tn_studio_document *document,
						    const struct tn_json *saved,
						    struct tenon_error *err);

void tn_studio_document_save(const void *document, struct tn_buf *out);
TN_MUST_USE enum tenon_code tn_studio_document_load(void *document, const struct tn_json *saved,
						    struct tenon_error *err);
/* Everything there is becomes what `saved` says, or nothing has changed. */
TN_MUST_USE enum tenon_code tn_studio_document_replace(struct tn_studio_document *document,
						       const struct tn_json *saved,
						       struct tenon_error *err);

#endif
