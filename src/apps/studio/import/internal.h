/* internal.h - what the files of the import share (import.h).
 *
 * The road: what was read (import_read.c, import_state.c) becomes objects; objects whose type the
 * registry makes become nodes; templates are run backwards on them (import_template.c,
 * import_expression.c), which binds properties and references; helper blocks are folded into their
 * owners (import_extra.c); parents are found (import_parent.c); records are made (import_make.c);
 * and what is generated from them is compared with what was read (import_compare.c).
 *
 * Trying is cheap: every change of what is known goes through tn_import_set, and is taken back to a
 * mark. Everything lives in one arena; a full arena shows as `full` once at the end. Threads:
 * loop. */
#ifndef TN_STUDIO_IMPORT_INTERNAL_H
#define TN_STUDIO_IMPORT_INTERNAL_H

#include "apps/studio/id.h"
#include "apps/studio/import/import.h"
#include "jsonrpc/json_make.h"

struct tn_import_node;

struct tn_import_object { /* a resource that was read */
	struct tn_str type, name, address;
	const struct tn_studio_import_file *file;
	struct tn_hcl_block *block; /* NULL: read from a state */
	struct tn_hcl_body *body;
	unsigned line;
	struct tn_import_node *node;    /* it is the primary block of */
	struct tn_import_node *owner;   /* it was folded into */
	struct tn_import_node *claimed; /* whose primary block names it */
	const struct tn_json *extra;    /* as this helper block of the owner */
	size_t index;                   /* of the element it is written for */
	const char *why;                /* it stays foreign */
	bool bound;                     /* it is what an edge or a place in a subnet writes */
	struct tn_import_object *next_of_type;
};

enum tn_import_kind {
	TN_IMPORT_VALUE,    /* of a property */
	TN_IMPORT_SECRET,   /* of a sensitive one */
	TN_IMPORT_MODE,     /* a property is a variable */
	TN_IMPORT_TARGET,   /* of a reference; several: the last one first */
	TN_IMPORT_SCOPE,    /* key: the ancestor's type */
	TN_IMPORT_EXTRA,    /* key: id of a helper block; `object` */
	TN_IMPORT_VARIABLE, /* key: name of a variable a template declares */
	TN_IMPORT_OUTPUT    /* key: of an enabled output */
};

struct tn_import_binding {
	enum tn_import_kind kind;
	struct tn_str key;
	const struct tn_json *value;
	struct tn_import_node *target;
	struct tn_import_object *object;
	struct tn_import_binding *next;
};

struct tn_import_item { /* an element of an array property; key "": the element itself */
	struct tn_import_binding *bindings;
	struct tn_import_item *next;
};

struct tn_import_list {
	const struct tn_studio_property *property;
	struct tn_import_item *first, *last;
	struct tn_import_list *next;
};

struct tn_import_note { /* of a resource that was understood in part */
	const struct tn_studio_import_file *file;
	unsigned line;
	struct tn_str attribute, text;
	const char *why;
	struct tn_import_note *next;
};

struct tn_import_node {
	const struct tn_studio_type *type;
	struct tn_import_object *primary; /* NULL: its type has only helper blocks */
	struct tn_str name, label;
	struct tn_str own; /* what is named after it; empty: not known yet */
	char id[TN_STUDIO_UUID_SIZE];
	struct tn_import_binding *bindings;
	struct tn_import_list *lists;
	struct tn_import_node *parent;
	struct tn_import_note *notes, *last_note;
	bool implied; /* the reference to the parent need not be stored */
	struct tn_str implied_key;
	bool gone;   /* it was folded into another */
	bool exists; /* the diagram has it: it stays as it is there */
	bool placed;
	bool stranded; /* it cannot stand where it would be in its group */
	struct tn_import_node *next;
};

struct tn_import_variable {
	struct tn_str name;
	struct tn_import_other *block;
	const struct tn_hcl_value *value; /* of a .tfvars file, else its default; NULL: none */
	const struct tn_studio_import_file *values_file; /* NULL: not from a file of values */
	bool sensitive, used, needed;
	struct tn_import_variable *next_needed;
};

struct tn_import_local {
	struct tn_str name;
	const struct tn_hcl_attribute *attribute;
	const struct tn_studio_import_file *file;
	bool needed; /* by what stays as text */
	struct tn_import_local *next_needed;
};

struct tn_import_other { /* a block of the top level that is no resource */
	struct tn_hcl_block *block;
	const struct tn_studio_import_file *file;
	bool taken;      /* something else says the same now */
	const char *why; /* it stays foreign */
	struct tn_import_other *next;
};

struct tn_import_fault {
	const struct tn_studio_import_file *file;
	struct tn_hcl_range range;
	const char *message;
	struct tn_import_fault *next;
};

struct tn_import_change { /* something to take back */
	const void **slot;
	const void *was;
};

struct tn_import_edge { /* an output drawn into a binding (5.9) */
	struct tn_import_node *source, *target;
	struct tn_str source_handle, target_handle;
	struct tn_import_edge *next;
};

/* What was read: of the files to import, and again of what is generated in the end. */
struct tn_import_reading {
	struct tn_arena *arena;
	struct tn_import_object **objects;
	size_t object_count, object_room;
	struct tn_map by_address, by_type, variables, locals, by_value;
	struct tn_import_variable *last_variable;
	struct tn_import_other *others, *last_other;
	struct tn_import_fault *faults, *last_fault;
	size_t budget; /* of values made by resolving: references may multiply */
	bool full;
};

struct tn_import {
	struct tn_arena *arena;
	struct tn_studio_edit *edit;
	const struct tn_studio_import_options *options;
	const struct tn_studio_registry *registry;
	struct tn_import_reading reading;
	struct tn_map types; /* by terraform type, to registry types */
	struct tn_map names; /* of nodes that are made, by the keys of their addresses */
	struct tn_map owns;  /* of nodes, by what is named after them */
	struct tn_map there; /* by the address they were taken in under, to ids of nodes */
	struct tn_import_node *nodes, *last_node;
	struct tn_import_edge *edges;
	uint64_t id_count;
	struct tn_import_change *changes; /* the trail */
	size_t change_count, change_room;
	const struct tn_hcl_value *tags; /* what local.common_tags will be; NULL: {} */
	bool new_tags;
	const struct tn_json *config; /* as it will be */
	bool config_changed;
	struct tn_import_note *lost; /* of blocks that are no resources; the last one first */
	struct tn_import_foreign *foreign, *last_foreign;
	struct tn_import_rename *renames, *last_rename;
	struct tn_str into; /* id of the container of what stands at the top level; empty: none */
	size_t old_count;   /* of nodes that were there before */
	bool state, dry_run, was_empty, full;
};

struct tn_import_foreign {              /* kept as text */
	struct tn_str kind, type, name; /* "resource", "azurerm_thing", "a" */
	struct tn_str text;             /* for foreign.tf */
	struct tn_str values;           /* for foreign.auto.tfvars; empty: none */
	const struct tn_studio_import_file *file;
	unsigned line;
	const char *why;
	char id[TN_STUDIO_UUID_SIZE];
	struct tn_import_foreign *next;
};

/* The member of a node whose block was called otherwise where it came from. */
#define TN_IMPORT_ADDRESS "importedAddress"

struct tn_import_rename {
	struct tn_str from, to;
	struct tn_import_rename *next;
};

void *tn_import_new(struct tn_import *import, size_t size); /* NULL: full */
struct tn_str tn_import_format(struct tn_arena *arena, const char *format, ...) TN_PRINTF(2, 3);

/* ---- taking back (import_bind.c) ---- */

void tn_import_set(struct tn_import *import, const void **slot, const void *value);
#define TN_IMPORT_SET(import, place, value) \
	tn_import_set(import, (const void **)(void *)&(place), value)
void tn_import_back_to(struct tn_import *import, size_t mark);

/* Where a template is being run backwards. */
struct tn_import_frame {
	struct tn_import *import;
	struct tn_import_node *node;
	struct tn_import_object *object; /* whose body it is */
	struct tn_import_item *item;     /* NULL: outside `each` */
	const struct tn_studio_property *item_of;
	unsigned depth;
	bool force; /* conditions that leave a choice are made true by the first one */
};

const struct tn_import_binding *tn_import_binding(const struct tn_import_binding *first,
						  enum tn_import_kind kind, struct tn_str key);
void tn_import_bind(struct tn_import *import, struct tn_import_binding **first,
		    enum tn_import_kind kind, struct tn_str key, const struct tn_json *value,
		    struct tn_import_node *target);
/* The same value as before, or a new one that the property can have. */
bool tn_import_bind_value(struct tn_import_frame *frame, const struct tn_studio_property *property,
			  const struct tn_json *value);
bool tn_import_bind_field(struct tn_import_frame *frame, struct tn_str field,
			  const struct tn_json *value);
struct tn_import_item *tn_import_add_item(struct tn_import *import, struct tn_import_node *node,
					  const struct tn_studio_property *property);
const struct tn_import_list *tn_import_list_of(const struct tn_import_node *node,
					       const struct tn_studio_property *property);

/* ---- reading ---- */

void tn_import_reading_init(struct tn_import_reading *reading, struct tn_arena *arena);
void tn_import_reading_finish(struct tn_import_reading *reading);
bool tn_import_read_config(struct tn_import_reading *reading,
			   const struct tn_studio_import_file *files, size_t count,
			   struct tn_studio_fault *fault);
bool tn_import_read_state(struct tn_import_reading *reading,
			  const struct tn_studio_import_file *file, bool plan,
			  struct tn_studio_fault *fault);
struct tn_import_object *tn_import_add_object(struct tn_import_reading *reading, struct tn_str type,
					      struct tn_str name, struct tn_hcl_body *body);
void tn_import_index_values(struct tn_import_reading *reading);

/* ---- values (import_value.c) ---- */

/* Variables and locals in place of their names, texts put together: the value itself where nothing
 * of it is known. */
const struct tn_hcl_value *tn_import_resolve(struct tn_import_reading *reading,
					     const struct tn_hcl_value *value);
/* The same of the value itself, not of what is in it: names in it stay to be looked at. */
const struct tn_hcl_value *tn_import_named(struct tn_import_reading *reading,
					   const struct tn_hcl_value *value);
bool tn_import_same(struct tn_import_reading *reading, const struct tn_hcl_value *a,
		    const struct tn_hcl_value *b);
struct tn_hcl_value *tn_import_wrap(struct tn_import_reading *reading, const struct tn_json *json);
/* "r:type.name.attribute", "s:text": equal for equal values; empty: not to be looked up. */
struct tn_str tn_import_canonical(struct tn_import_reading *reading,
				  const struct tn_hcl_value *value);
/* The steps after the address: "identity[0].principal_id". */
struct tn_str tn_import_path(struct tn_arena *arena, const struct tn_hcl_value *value, size_t from);
/* The object a reference names; NULL: none, or one of several instances. */
struct tn_import_object *tn_import_object_of(const struct tn_import_reading *reading,
					     const struct tn_hcl_value *value);
bool tn_import_is_list(const struct tn_hcl_value *value);
bool tn_import_is_variable(const struct tn_hcl_value *value); /* var.x */
struct tn_import_variable *tn_import_variable_of(const struct tn_import_reading *reading,
						 const struct tn_hcl_value *value);
const struct tn_import_local *tn_import_local_find(const struct tn_import_reading *reading,
						   struct tn_str name);
const struct tn_hcl_attribute *tn_import_attribute(const struct tn_hcl_body *body,
						   struct tn_str name);

/* ---- conditions (import_condition.c) ---- */

const struct tn_json *tn_import_effective(struct tn_import_frame *frame,
					  const struct tn_studio_property *property);
bool tn_import_holds(struct tn_import_frame *frame, const struct tn_json *condition);
/* Makes it so, as far as what is known allows. False: what is known says the opposite. */
bool tn_import_assume(struct tn_import_frame *frame, const struct tn_json *condition, bool want);

/* ---- expressions and templates, backwards ---- */

bool tn_import_unify(struct tn_import_frame *frame, const struct tn_json *expr,
		     const struct tn_hcl_value *value);
bool tn_import_unify_text(struct tn_import_frame *frame, struct tn_str pattern, struct tn_str text);
bool tn_import_unify_fn(struct tn_import_frame *frame, const struct tn_json *expr,
			const struct tn_hcl_value *value);
bool tn_import_unify_object(struct tn_import_frame *frame, const struct tn_json *entries,
			    const struct tn_hcl_value *value);
/* Forms that refer to something (import_reference.c). */
bool tn_import_unify_ref(struct tn_import_frame *frame, const struct tn_json *expr,
			 const struct tn_hcl_value *value);
bool tn_import_unify_scope(struct tn_import_frame *frame, const struct tn_json *expr,
			   const struct tn_hcl_value *value);
bool tn_import_unify_self(struct tn_import_frame *frame, const struct tn_json *expr,
			  const struct tn_hcl_value *value);
bool tn_import_unify_extra(struct tn_import_frame *frame, const struct tn_json *expr,
			   const struct tn_hcl_value *value);
bool tn_import_unify_item_ref(struct tn_import_frame *frame, const struct tn_json *expr,
			      const struct tn_hcl_value *value);
/* The node whose attribute this value is; of one of the types in `to`. */
struct tn_import_node *tn_import_target(struct tn_import_frame *frame,
					const struct tn_hcl_value *value, struct tn_str attribute,
					struct tn_str extra, const struct tn_json *to);
/* Whether the value is this attribute of this object. */
bool tn_import_denotes(struct tn_import_reading *reading, const struct tn_hcl_value *value,
		       const struct tn_import_object *object, struct tn_str attribute);

void tn_import_match(struct tn_import_frame *frame, const struct tn_json *items,
		     struct tn_hcl_body *body);
/* How many attributes and blocks no item took. */
size_t tn_import_leftovers(const struct tn_hcl_body *body);
/* Whether one of them is something without which the block cannot be written again. */
bool tn_import_is_lost(const struct tn_json *items, const struct tn_hcl_body *body);
void tn_import_note_leftovers(struct tn_import *import, struct tn_import_node *node,
			      const struct tn_import_object *object);

/* ---- helper blocks, endpoints, bindings (import_extra.c) ---- */

void tn_import_fold(struct tn_import *import);
/* "{self}_nsg" */
struct tn_str tn_import_extra_name(struct tn_import *import, struct tn_str pattern,
				   struct tn_str self, size_t index);
/* The node an object belongs to by what it says of its owner. */
struct tn_import_node *tn_import_owner(struct tn_import *import,
				       const struct tn_import_object *object,
				       const struct tn_studio_type *type,
				       const struct tn_json *extra);
void tn_import_endpoints(struct tn_import *import);
/* What a private endpoint leads to; NULL: it is none, or leads to no node. */
struct tn_import_node *tn_import_service(struct tn_import *import,
					 const struct tn_import_object *object);

/* ---- names (import_name.c) ---- */

void tn_import_name(struct tn_import *import, struct tn_import_node *node, struct tn_str wanted);
void tn_import_keep_name(struct tn_import *import, struct tn_import_node *node);
bool tn_import_own_is_taken(const struct tn_import *import, const struct tn_import_node *node,
			    struct tn_str own);
void tn_import_keep_own(struct tn_import *import, struct tn_import_node *node, struct tn_str own);
/* ---- what is named after them (import_own.c) ---- */

/* By what was read: helper blocks, endpoints, variables and outputs that are named after a node. */
void tn_import_find_owns(struct tn_import *import);
/* Once it is known which blocks are helpers: of what has none yet, or one that does not do. */
void tn_import_settle_own(struct tn_import *import, struct tn_import_node *node);

/* ---- the rest of the road ---- */

void tn_import_nodes(struct tn_import *import);     /* import_node.c */
void tn_import_parents(struct tn_import *import);   /* import_parent.c */
void tn_import_find_tags(struct tn_import *import); /* import_config.c */
void tn_import_others(struct tn_import *import);
void tn_import_foreigners(struct tn_import *import); /* import_foreign.c */
bool tn_import_make(struct tn_import *import);       /* import_make.c */
bool tn_import_place(struct tn_import *import);      /* import_place.c */
bool tn_import_compare(struct tn_import *import, struct tn_buf *result);

#endif
