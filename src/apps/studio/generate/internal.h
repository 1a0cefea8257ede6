/* internal.h - what the files of the generator share (generate.h).
 *
 * The road: generate_block.c makes blocks from templates (_template, _expression, _text), noting
 * what each refers to; _order sorts them; generate.c has them and all other files printed (_print).
 * Everything lives in the caller's arena; a full arena shows as `full` once at the end. Threads:
 * loop. */
#ifndef TN_STUDIO_GENERATE_INTERNAL_H
#define TN_STUDIO_GENERATE_INTERNAL_H

#include "apps/studio/generate/generate.h"
#include "apps/studio/hcl/hcl_tree.h"

struct tn_studio_dependency {
	struct tn_str address;
	struct tn_studio_dependency *next;
};

struct tn_studio_block { /* of main.tf */
	bool data;       /* otherwise a resource */
	struct tn_str type, name, address;
	const struct tn_studio_node *node;
	bool primary, duplicate;
	struct tn_studio_hcl_body body;
	struct tn_studio_dependency *dependencies;
	uint32_t index; /* in node order */
	struct tn_studio_block *next;
};

struct tn_studio_gen_variable {
	struct tn_studio_variable shown;
	const struct tn_studio_property *of; /* NULL: declared by a template */
	const struct tn_json *value;         /* what is written to terraform.tfvars; NULL: none */
	bool required;
	struct tn_studio_gen_variable *next;
};

struct tn_studio_alias { /* a container that stands for a provider of its own (8.8) */
	const struct tn_studio_node *node;
	const struct tn_studio_provider *provider;
	struct tn_str alias; /* empty: the only one, no alias */
};

struct tn_studio_gen_node {
	struct tn_str name; /* of the primary block: its terraformName, or what can be one of it */
	struct tn_str own;  /* what all other names begin with (document.h) */
	struct tn_str type; /* of the primary block; empty: virtual or unknown */
	const struct tn_studio_alias *alias;      /* NULL: the default provider */
	const struct tn_studio_alias *stands_for; /* of a container (8.8); NULL: for none */
};

struct tn_studio_gen_provider {
	const struct tn_studio_provider *provider;
	bool used, used_default; /* by a block; by one without alias */
	size_t alias_count;
};

struct tn_studio_gen {
	const struct tn_studio_document *document;
	const struct tn_studio_generate_options *options;
	struct tn_arena *arena;
	struct tn_studio_diagnostics *list;
	struct tn_studio_generated *ret;
	bool full; /* no memory, or a name table could not grow */

	struct tn_studio_gen_node *nodes; /* by order */
	struct tn_studio_gen_provider *providers;
	struct tn_studio_alias *aliases;
	size_t alias_count;

	struct tn_studio_block *blocks, *last_block; /* in node order */
	size_t block_count;
	struct tn_map by_address; /* to the first block of the address */

	struct tn_studio_gen_variable *variables, *last_variable;
	size_t variable_count;
	struct tn_map variables_by_name;
	struct tn_map told;    /* code, node and property of each diagnostic */
	struct tn_map emitted; /* references that were written: node, key and target */
};

/* ---- names and addresses (generate_name.c) ---- */

const struct tn_studio_gen_node *tn_studio_gen_node(const struct tn_studio_gen *gen,
						    const struct tn_studio_node *node);
struct tn_str tn_studio_gen_format(struct tn_studio_gen *gen, const char *format, ...)
	TN_PRINTF(2, 3);
/* "a{self}b" with the node's own name and an index. */
struct tn_str tn_studio_gen_name(struct tn_studio_gen *gen, const struct tn_studio_node *node,
				 struct tn_str pattern, size_t index);
/* Empty: it makes no block of that kind. `extra` empty: the primary, or what stands for it. */
struct tn_str tn_studio_gen_address(struct tn_studio_gen *gen, const struct tn_studio_node *node,
				    struct tn_str extra);
/* A member's text; empty: it has none. The first of an array; NULL: it is none. */
struct tn_str tn_studio_gen_member(const struct tn_json *item, const char *key);
const struct tn_json *tn_studio_gen_elements(const struct tn_json *list);

/* ---- what is wrong (generate_tell.c) ---- */

/* Notes that it is told; false: it was before. */
bool tn_studio_gen_note_told(struct tn_studio_gen *gen, const char *code, struct tn_str node_id,
			     struct tn_str property);
/* A diagnostic that was not told before of this node and property. */
void tn_studio_gen_tell(struct tn_studio_gen *gen, enum tn_studio_severity severity,
			const char *code, const struct tn_studio_node *node, struct tn_str property,
			const char *format, ...) TN_PRINTF(6, 7);

/* ---- expressions (generate_expression.c, generate_text.c) ---- */

struct tn_studio_eval { /* where an expression is looked at */
	struct tn_studio_gen *gen;
	struct tn_studio_scope scope;
	const struct tn_studio_node *node; /* NULL: a provider's block */
	struct tn_studio_block *block;     /* notes what it refers to; NULL: nowhere */
	struct tn_str touched;             /* the first property that had a part in it */
	/* Of a binding (5.9). */
	const struct tn_studio_node *source, *target;
	const struct tn_studio_output *output;
};
struct tn_studio_eval tn_studio_eval_of(struct tn_studio_gen *gen,
					const struct tn_studio_node *node,
					struct tn_studio_block *block);
/* NULL: left out. */
struct tn_studio_hcl_value *tn_studio_eval(struct tn_studio_eval *eval, const struct tn_json *expr);
/* `address.attribute`, noted as a dependency; NULL: no such block. */
struct tn_studio_hcl_value *tn_studio_eval_address(struct tn_studio_eval *eval,
						   const struct tn_studio_node *node,
						   struct tn_str extra, struct tn_str attribute);
/* The property as `var.…` where it is one, else as a literal; NULL: no value. `as` may be empty. */
struct tn_studio_hcl_value *tn_studio_eval_property(struct tn_studio_eval *eval,
						    const struct tn_studio_property *property,
						    struct tn_str as);
const struct tn_studio_property *tn_studio_eval_find(const struct tn_studio_eval *eval,
						     struct tn_str key);
/* A literal by `as`: "number", "string" or empty. */
struct tn_studio_hcl_value *tn_studio_eval_literal(struct tn_studio_gen *gen,
						   const struct tn_json *value, struct tn_str as);
struct tn_studio_hcl_value *tn_studio_eval_text(struct tn_studio_eval *eval,
						const struct tn_json *expr); /* {"text":...} */
/* The name of a variable: "{self}_secret_{item.name}". Empty: it cannot be one. */
struct tn_str tn_studio_eval_name(struct tn_studio_eval *eval, struct tn_str pattern);
/* The current element or one of its fields; NULL: unset, or a secret. */
const struct tn_json *tn_studio_eval_item_field(const struct tn_studio_eval *eval,
						struct tn_str field);

/* ---- templates (generate_template.c) ---- */

/* The items of a body; true: something that is not constant was written (5.5). */
bool tn_studio_template(struct tn_studio_eval *eval, const struct tn_json *items,
			struct tn_studio_hcl_body *body);
/* The element with its fields, for `each`. */
void tn_studio_eval_set_item(struct tn_studio_eval *eval, const struct tn_studio_property *of,
			     const struct tn_json *item);
/* How many elements a property has, and each in turn: a map gives {"key","value"}. */
const struct tn_json *tn_studio_eval_elements(struct tn_studio_eval *eval, struct tn_str key,
					      const struct tn_studio_property **ret);

/* ---- relations (generate_relation.c) ---- */

/* This reference of the node is written. */
void tn_studio_gen_emitted(struct tn_studio_gen *gen, const struct tn_studio_node *node,
			   struct tn_str key, const struct tn_studio_node *target);
/* RELATION_NOT_EMITTED for each reference and edge that no block has (5.3). */
void tn_studio_gen_check_relations(struct tn_studio_gen *gen);

/* ---- blocks (generate_block.c) ---- */

/* A new block at the end; NULL: memory, or a name that cannot be one. */
struct tn_studio_block *tn_studio_gen_block(struct tn_studio_gen *gen,
					    const struct tn_studio_node *node, struct tn_str type,
					    struct tn_str name, bool data);
void tn_studio_gen_node_blocks(struct tn_studio_gen *gen, const struct tn_studio_node *node);
void tn_studio_gen_endpoints(struct tn_studio_gen *gen, const struct tn_studio_node *node);
void tn_studio_gen_bindings(struct tn_studio_gen *gen);
/* Blocks in the order in which they are printed, as an array in the arena. */
struct tn_studio_block **tn_studio_gen_order(struct tn_studio_gen *gen);

/* ---- variables (generate_variables.c) ---- */

/* Declares it with its first use; the name it has. */
struct tn_str tn_studio_gen_property_variable(struct tn_studio_eval *eval,
					      const struct tn_studio_property *property,
					      struct tn_str as);
struct tn_str tn_studio_gen_template_variable(struct tn_studio_eval *eval, struct tn_str name,
					      struct tn_str type, bool sensitive);
void tn_studio_gen_variable_values(struct tn_studio_gen *gen); /* and what is said of them */

/* ---- providers (generate_provider.c) ---- */

bool tn_studio_gen_find_aliases(struct tn_studio_gen *gen);
/* Settings that are not written: "NAME=value" (5.6). */
void tn_studio_gen_environment(struct tn_studio_gen *gen);
/* Notes the use, and writes `provider = ...` where there are several. */
void tn_studio_gen_use_provider(struct tn_studio_gen *gen, struct tn_studio_block *block,
				const struct tn_studio_node *node);

/* ---- files (generate_print.c) ---- */

struct tn_studio_gen_place {
	struct tn_studio_place place;
	size_t start, end; /* in all files together */
};

struct tn_studio_gen_print { /* all files, one after the other */
	struct tn_studio_gen *gen;
	struct tn_buf out;
	struct tn_studio_hcl_writer writer;
	struct tn_studio_file *files;
	size_t file_count;
	size_t starts[16]; /* of each file in `out` */
	struct tn_studio_gen_place *places;
	size_t place_count, place_room;
	/* What is being printed, for the source map. */
	const struct tn_studio_node *node;
	struct tn_str address;
};
void tn_studio_print_open(struct tn_studio_gen_print *print); /* `out` is to be finished */
void tn_studio_print_begin(struct tn_studio_gen_print *print, const char *name);
void tn_studio_print_block(struct tn_studio_gen_print *print, struct tn_str head,
			   struct tn_studio_hcl_body *body, const struct tn_studio_node *node,
			   struct tn_str property, struct tn_str address);
/* Text as it is, after an empty line. */
void tn_studio_print_text(struct tn_studio_gen_print *print, struct tn_str text,
			  const struct tn_studio_node *node);
void tn_studio_print_foreigners(struct tn_studio_gen_print *print); /* generate_foreign.c */
void tn_studio_print_terraform(struct tn_studio_gen_print *print);  /* terraform.tf */
void tn_studio_print_providers(struct tn_studio_gen_print *print);
void tn_studio_print_variables(struct tn_studio_gen_print *print);
void tn_studio_print_values(struct tn_studio_gen_print *print);  /* terraform.tfvars */
void tn_studio_print_example(struct tn_studio_gen_print *print); /* terraform.tfvars.example */

#endif
