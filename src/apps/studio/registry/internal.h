/* internal.h - what the files that make a registry share (registry*.c).
 *
 * A loader lives while a registry is made. What is wrong is told with its place and sets `broken`;
 * whoever loads a thing clears it before and looks at it after. Threads: loop. */
#ifndef TN_STUDIO_REGISTRY_INTERNAL_H
#define TN_STUDIO_REGISTRY_INTERNAL_H

#include "apps/studio/registry/registry.h"

enum { TN_REGISTRY_FAULTS_MAX = 1000 };

/* Where we are in a file, from the inside out: a JSON pointer when it has to be told. */
struct tn_registry_at {
	const struct tn_registry_at *up;
	struct tn_str key; /* no data: an index */
	size_t index;
};

static inline struct tn_registry_at tn_registry_key(const struct tn_registry_at *up,
						    const char *key)
{
	return (struct tn_registry_at){.up = up, .key = tn_str_from(key)};
}

static inline struct tn_registry_at tn_registry_member(const struct tn_registry_at *up,
						       const struct tn_json *member)
{
	return (struct tn_registry_at){.up = up, .key = member->key};
}

static inline struct tn_registry_at tn_registry_index(const struct tn_registry_at *up, size_t index)
{
	return (struct tn_registry_at){.up = up, .index = index};
}

struct tn_registry_file {
	struct tn_str name;
	bool from_project, built_in;
	const struct tn_json *root; /* NULL: left out */
};

/* A type while it is being made. */
struct tn_registry_draft {
	struct tn_studio_type *type;
	const struct tn_registry_file *file;
	size_t index; /* in the file's types */
	bool broken;
	struct tn_registry_draft *replaces; /* what it overrides */
	bool replaced;
};

struct tn_registry_loader {
	struct tn_studio_registry *registry;
	struct tn_registry_file *files;
	size_t file_count;
	const struct tn_registry_file *file; /* the one that faults belong to */
	struct tn_registry_draft *drafts;
	size_t draft_count, draft_room;
	struct tn_map declared; /* type ids of all files to drafts, broken ones too */
	struct tn_map patterns; /* texts to compiled patterns */
	struct tn_buf faults;   /* an open JSON array */
	size_t fault_count;
	bool broken, starved;
	char first_built_in[160]; /* of a built-in file: a mistake of ours */
};

/* As tn_studio_registry_create; `built_in` false: of the sources alone, for tests. */
TN_MUST_USE enum tenon_code tn_registry_create(const struct tn_studio_source *sources, size_t count,
					       bool built_in, struct tn_studio_registry **ret,
					       struct tenon_error *err);

/* ---- what of a project needs trust (registry_trust.c) ---- */
bool tn_registry_judge(struct tn_registry_loader *loader, const struct tn_studio_source *sources,
		       size_t count);

/* ---- telling and taking (registry_check.c) ---- */

/* False, so that a caller can return it. `at` NULL: the file as a whole. */
bool tn_registry_fault(struct tn_registry_loader *loader, const struct tn_registry_at *at,
		       const char *format, ...) TN_PRINTF(3, 4);
/* False, and the loader is starved. */
bool tn_registry_starve(struct tn_registry_loader *loader);
void *tn_registry_alloc(struct tn_registry_loader *loader, size_t count, size_t size);

/* Whether it is an object with no other members than these; NULL-terminated. */
bool tn_registry_keys(struct tn_registry_loader *loader, const struct tn_json *object,
		      const struct tn_registry_at *at, const char *const *known);
/* Members of an object: absent leaves *ret as it is and is right. */
bool tn_registry_get_text(struct tn_registry_loader *loader, const struct tn_json *object,
			  const struct tn_registry_at *at, const char *key, struct tn_str *ret);
bool tn_registry_get_bool(struct tn_registry_loader *loader, const struct tn_json *object,
			  const struct tn_registry_at *at, const char *key, bool *ret);
bool tn_registry_get_count(struct tn_registry_loader *loader, const struct tn_json *object,
			   const struct tn_registry_at *at, const char *key, int64_t *ret);
bool tn_registry_get_number(struct tn_registry_loader *loader, const struct tn_json *object,
			    const struct tn_registry_at *at, const char *key, double *ret);
bool tn_registry_get_array(struct tn_registry_loader *loader, const struct tn_json *object,
			   const struct tn_registry_at *at, const char *key,
			   const struct tn_json **ret);
bool tn_registry_get_object(struct tn_registry_loader *loader, const struct tn_json *object,
			    const struct tn_registry_at *at, const char *key,
			    const struct tn_json **ret);
/* An array of strings. */
bool tn_registry_get_texts(struct tn_registry_loader *loader, const struct tn_json *object,
			   const struct tn_registry_at *at, const char *key,
			   const struct tn_json **ret);
/* One of a NULL-terminated list; *ret is its place there. */
bool tn_registry_get_word(struct tn_registry_loader *loader, const struct tn_json *object,
			  const struct tn_registry_at *at, const char *key,
			  const char *const *words, unsigned *ret);
/* Letters, digits, _ and -, not beginning with a digit or -: what HCL takes for a name. */
bool tn_registry_is_identifier(struct tn_str text);
bool tn_registry_is_type_id(struct tn_str text);

/* ---- what files add up to (registry_merge.c) ---- */

/* A member of the file's top level; NULL: absent, or of another type. */
const struct tn_json *tn_registry_member_of(const struct tn_registry_file *file, const char *key,
					    enum tn_json_type type);
/* How many members or elements this has in all files together. */
size_t tn_registry_count(const struct tn_registry_loader *loader, const char *key);
/* False: starved. Of one file: */
bool tn_registry_add_prices(struct tn_registry_loader *loader, const struct tn_registry_file *file);
bool tn_registry_add_maps(struct tn_registry_loader *loader, const struct tn_registry_file *file);
/* Of all: */
bool tn_registry_add_palette(struct tn_registry_loader *loader);
bool tn_registry_add_providers(struct tn_registry_loader *loader);

/* ---- properties (registry_property.c) ---- */

/* An array of properties; `fields`: of an object item, where `node` is known, too. `room` is left
 * free behind them. */
bool tn_registry_properties(struct tn_registry_loader *loader, const struct tn_json *array,
			    const struct tn_registry_at *at, bool fields, size_t room,
			    struct tn_studio_property **ret, size_t *ret_count);
/* Conditions, defaults by others, cycles: when all properties of the owner are known. */
bool tn_registry_property_links(struct tn_registry_loader *loader,
				const struct tn_studio_property *properties, size_t count,
				const struct tn_registry_at *at);
/* pep_subresources and pep_dns_zone_id (8.6), into the free room of the type. */
bool tn_registry_add_implicit(struct tn_registry_loader *loader, struct tn_studio_type *type);

/* ---- conditions and templates (registry_condition.c, registry_expression.c,
 * registry_template.c) ---- */

/* Whose properties a condition or a template may name. */
struct tn_registry_scope {
	const struct tn_studio_property *properties;
	size_t count;
	struct tn_studio_type *type;               /* NULL: a provider's block, a binding */
	const struct tn_studio_property *each;     /* what is repeated; NULL: nothing */
	const struct tn_studio_provider *provider; /* NULL: none */
};

const struct tn_studio_property *
tn_studio_properties_find(const struct tn_studio_property *properties, size_t count,
			  struct tn_str key);
/* Told when the name is unknown, with the nearest one. */
const struct tn_studio_property *tn_registry_need(struct tn_registry_loader *loader,
						  const struct tn_registry_scope *scope,
						  const struct tn_json *name,
						  const struct tn_registry_at *at);
/* A field of what is repeated; "" is the element itself. *ret NULL then, or for maps and lists. */
bool tn_registry_need_item(struct tn_registry_loader *loader, const struct tn_registry_scope *scope,
			   const struct tn_json *name, const struct tn_registry_at *at,
			   const struct tn_studio_property **ret);
/* A reference property, or what the parent implies; *ret_to: the types it may point at. */
bool tn_registry_need_reference(struct tn_registry_loader *loader,
				const struct tn_registry_scope *scope, const struct tn_json *name,
				const struct tn_registry_at *at, const struct tn_json **ret_to);
/* NULL is right. */
bool tn_registry_condition(struct tn_registry_loader *loader, const struct tn_json *condition,
			   const struct tn_registry_scope *scope, const struct tn_registry_at *at);
/* An expression that is a member of this name; told when it is missing. */
bool tn_registry_part(struct tn_registry_loader *loader, const struct tn_json *expression,
		      const char *key, const struct tn_registry_scope *scope,
		      const struct tn_registry_at *at);
/* The list that a member names; NULL, and told: none. */
const struct tn_studio_property *tn_registry_need_list(struct tn_registry_loader *loader,
						       const struct tn_json *owner, const char *key,
						       const struct tn_registry_scope *scope,
						       const struct tn_registry_at *at);
bool tn_registry_optional_text(struct tn_registry_loader *loader, const struct tn_json *expression,
			       const char *key, const struct tn_registry_at *at);
/* A text with {placeholders}. */
bool tn_registry_placeholders(struct tn_registry_loader *loader, const struct tn_json *text,
			      bool index, const struct tn_registry_scope *scope,
			      const struct tn_registry_at *at);
bool tn_registry_items(struct tn_registry_loader *loader, const struct tn_json *items,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at);
/* The `hcl` of a type. */
bool tn_registry_template(struct tn_registry_loader *loader, struct tn_studio_type *type,
			  const struct tn_registry_at *at);
/* The pieces of a text with {placeholders}: false at the end. A brace without end is told as a
 * placeholder with NULL name. */
struct tn_registry_piece {
	struct tn_str literal, name, filter; /* name without data: no placeholder follows */
	bool open;                           /* a brace that is not closed */
};
bool tn_registry_next_piece(struct tn_str *rest, struct tn_registry_piece *ret);

/* ---- costs (registry_cost.c) ---- */

bool tn_registry_cost(struct tn_registry_loader *loader, const struct tn_studio_type *type,
		      const struct tn_registry_at *at);
bool tn_registry_prices(struct tn_registry_loader *loader, const struct tn_json *prices,
			const struct tn_registry_at *at);

/* ---- types and what joins them (registry_type.c, registry_link.c) ---- */

/* What can be said of a type by itself. */
bool tn_registry_type(struct tn_registry_loader *loader, const struct tn_json *source,
		      const struct tn_registry_at *at, struct tn_studio_type *type);
/* Names of other types, conditions, template, cost: when all types are declared. */
bool tn_registry_type_links(struct tn_registry_loader *loader, struct tn_studio_type *type,
			    const struct tn_registry_at *at);
bool tn_registry_provider_links(struct tn_registry_loader *loader,
				const struct tn_studio_provider *provider,
				const struct tn_registry_at *at);
/* Type ids that some file declares. `array` NULL is right. */
bool tn_registry_known_ids(struct tn_registry_loader *loader, const struct tn_json *array,
			   const struct tn_registry_at *at);
bool tn_registry_known_id(struct tn_registry_loader *loader, const struct tn_json *id,
			  const struct tn_registry_at *at);
/* Rules and bindings of all files, then which handles are dead (ST-047). */
bool tn_registry_connect(struct tn_registry_loader *loader);

#endif
