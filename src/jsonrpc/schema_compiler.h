/* schema_compiler.h - between schema_compile.c (the walk, resources, references) and
 * schema_keyword*.c (what each keyword becomes). Private to these. */
#ifndef TN_JSONRPC_SCHEMA_COMPILER_H
#define TN_JSONRPC_SCHEMA_COMPILER_H

#include "base/map.h"
#include "jsonrpc/schema_node.h"

enum tn_schema_dialect { TN_SCHEMA_2020_12, TN_SCHEMA_DRAFT_07 };

struct tn_schema_base {    /* what an $id sets for everything below it */
	struct tn_str uri; /* absolute where it can be, without fragment */
	enum tn_schema_dialect dialect;
	struct tn_schema_resource *resource;
};

struct tn_schema_place { /* in the schema's text, for messages */
	const struct tn_schema_place *up;
	struct tn_str key;
	uint32_t index; /* when key.data is NULL */
};

struct tn_schema_compiler {
	struct tn_schema *schema;
	struct tn_arena *arena; /* the schema's own */
	struct tn_arena scratch;
	struct tn_map nodes;     /* address of a tree node: its compiled node */
	struct tn_map resources; /* URI: struct resource of schema_compile.c */
	struct tn_map anchors;   /* "URI#name": compiled node */
	struct tn_schema_pending *pending, **pending_tail;
	const struct tn_schema_base *base;
	const struct tn_schema_place *place;
	uint32_t depth, nodes_count;
	struct tenon_error *err;
	enum tenon_code code; /* of the first failure */
};

/* Remembers the first failure with the pointer of the place; returns false. */
bool tn_schema_refuse(struct tn_schema_compiler *c, enum tenon_code code, const char *format, ...)
	TN_PRINTF(3, 4);

/* Zeroed memory of the schema's arena; NULL: refused already. */
void *tn_schema_new(struct tn_schema_compiler *c, size_t count, size_t size);
bool tn_schema_copy_text(struct tn_schema_compiler *c, struct tn_str text, struct tn_str *ret);
const struct tn_json *tn_schema_copy_value(struct tn_schema_compiler *c,
					   const struct tn_json *value);

/* The schema at `key` of the current place (key.data NULL: at `index`). NULL: refused. */
const struct tn_schema_node *tn_schema_compile_child(struct tn_schema_compiler *c,
						     const struct tn_json *value, struct tn_str key,
						     uint32_t index);

/* A reference, to be resolved once everything has been read. *slot is filled then. */
bool tn_schema_add_reference(struct tn_schema_compiler *c, struct tn_schema_node *node,
			     struct tn_str reference, bool dynamic);
bool tn_schema_add_anchor(struct tn_schema_compiler *c, struct tn_schema_node *node,
			  struct tn_str name, bool dynamic);

/* Compiles one member of a schema object: a keyword, or something to be passed over. */
bool tn_schema_compile_keyword(struct tn_schema_compiler *c, struct tn_schema_node *node,
			       const struct tn_json *schema, const struct tn_json *member);

#endif
