/* generate.h - from the diagram to Terraform configuration (studio.md section 8).
 *
 * A pure function of document, configuration and registry: the same input gives the same bytes, as
 * `terraform fmt` leaves them. Nothing a user typed becomes syntax. Everything lives in the arena.
 * Threads: loop. */
#ifndef TN_STUDIO_GENERATE_H
#define TN_STUDIO_GENERATE_H

#include "apps/studio/document/diagnostic.h"

struct tn_studio_file {
	struct tn_str name; /* "main.tf"; with / for folders */
	struct tn_str text;
};

struct tn_studio_variable {
	struct tn_str name, type, description;
	bool sensitive, has_value; /* of a sensitive one: in `secrets` */
	const struct tn_studio_node *node;
	struct tn_str property; /* empty: declared by a template */
	struct tn_str secret;   /* of a sensitive one: its key (declared.h) */
};

struct tn_studio_address { /* one block: "azurerm_subnet.snet_1" */
	struct tn_str address;
	const struct tn_studio_node *node;
	bool primary; /* not an extra, endpoint or binding */
};

struct tn_studio_place { /* the source map (ST-073): one attribute or block */
	struct tn_str file;
	unsigned first_line, last_line; /* from 1 */
	const struct tn_studio_node *node;
	struct tn_str property; /* empty: the block */
	struct tn_str address;  /* empty: no block of the engine's */
	struct tn_str text;     /* what stands there */
	const struct tn_studio_place *next_of_node;
};

struct tn_studio_generated {
	const struct tn_studio_file *files; /* in the order of 8.1 */
	size_t file_count;
	const struct tn_studio_variable *variables; /* in order of first use */
	size_t variable_count;
	const struct tn_studio_address *addresses; /* sorted by address */
	size_t address_count;
	const struct tn_studio_place *places; /* by file, then line */
	size_t place_count;
	const struct tn_studio_place **first_of; /* of each node, by its order */
	size_t node_count;
	struct tn_str digest;         /* SHA-256 of all names and texts, in hex */
	struct tn_str init_signature; /* what makes `init` necessary when it changes (9.2) */
	/* Environment of the engine: "NAME=value" of provider settings that are not written (5.6).
	 */
	const struct tn_str *env;
	size_t env_count;
	struct tn_str backend_config; /* sensitive backend keys, for -backend-config; empty: none */
};

struct tn_studio_generate_options {
	struct tn_str project_name;    /* in the first line of each file (ST-072) */
	const struct tn_json *secrets; /* those that have a value, by key; NULL: none */
};
/* What can be generated is there even with errors, which go to `list`. False: no memory. */
bool tn_studio_generate(const struct tn_studio_document *document,
			const struct tn_studio_generate_options *options, struct tn_arena *arena,
			struct tn_studio_diagnostics *list, struct tn_studio_generated *ret);

/* NULL: no block of ours. Instance keys ([0], ["x"]) do not count (ST-089). */
const struct tn_studio_address *tn_studio_address_find(const struct tn_studio_generated *generated,
						       struct tn_str address);
const struct tn_studio_place *tn_studio_place_find(const struct tn_studio_generated *generated,
						   struct tn_str file, unsigned line);
/* Digest of what a node alone generates: whether it differs from what was applied (ST-101). */
void tn_studio_node_digest(const struct tn_studio_generated *generated,
			   const struct tn_studio_node *node, char ret_hex[65]);

#endif
