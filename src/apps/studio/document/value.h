/* value.h - what a property is worth (studio.md 5.4 conditions, 5.5 effective values, 5.7 implied
 * references, 5.10 naming).
 *
 * Pure functions of the document (indexed). What has to be made (computed names) goes to the arena;
 * everything else is the document's or the registry's. Threads: loop. */
#ifndef TN_STUDIO_VALUE_H
#define TN_STUDIO_VALUE_H

#include "apps/studio/document/document.h"

struct tn_studio_scope { /* where a condition or an expression is looked at */
	const struct tn_studio_document *document;
	const struct tn_studio_node *node; /* NULL: a provider's block */
	const struct tn_studio_property
		*properties; /* of the node's type, or the provider's config */
	size_t property_count;
	const struct tn_json *values; /* stored properties; NULL: none */
	const struct tn_json *item;   /* the current element; NULL: outside `each` */
	const struct tn_studio_property *item_fields; /* of its fields; NULL: none */
	size_t item_field_count;
	struct tn_arena *arena;
};
/* The scope of a node; type NULL gives one without properties. */
struct tn_studio_scope tn_studio_scope_of(const struct tn_studio_document *document,
					  const struct tn_studio_node *node,
					  struct tn_arena *arena);

/* Unset is NULL; JSON null counts as unset. A computed `name` is among them. */
const struct tn_json *tn_studio_value(const struct tn_studio_scope *scope,
				      const struct tn_studio_property *property);
const struct tn_json *tn_studio_value_by_key(const struct tn_studio_scope *scope,
					     struct tn_str key);
bool tn_studio_value_is_empty(const struct tn_json *value); /* unset, "", [], {} */
bool tn_studio_value_is_truthy(const struct tn_json *value);
bool tn_studio_is_visible(const struct tn_studio_scope *scope,
			  const struct tn_studio_property *property);
bool tn_studio_is_required(const struct tn_studio_scope *scope,
			   const struct tn_studio_property *property);
/* In variable mode, or sensitive. */
bool tn_studio_is_variable(const struct tn_studio_scope *scope,
			   const struct tn_studio_property *property);
/* A field of the current element, or its default; "" is the element itself. NULL: unset. */
const struct tn_json *tn_studio_item_value(const struct tn_studio_scope *scope,
					   struct tn_str field);
/* The member of `cases` that a value selects: true is "true", 2 is "2". NULL: none. */
const struct tn_json *tn_studio_case(const struct tn_json *cases, const struct tn_json *value);
/* NULL holds. */
bool tn_studio_condition_holds(const struct tn_studio_scope *scope,
			       const struct tn_json *condition);

/* The targets of a reference: explicit (rule edges set it, too), else implied by the parent
 * (ST-044). Targets that are gone are left out. Returns how many; at most `max` are written. */
size_t tn_studio_references(const struct tn_studio_document *document,
			    const struct tn_studio_node *node,
			    const struct tn_studio_property *property,
			    const struct tn_studio_node **ret, size_t max, bool *ret_implied);
/* The first of them. Also for a key that is no property, but the type's parentReference alone (a
 * subnet's virtual_network_name). NULL: none. */
const struct tn_studio_node *tn_studio_reference(const struct tn_studio_document *document,
						 const struct tn_studio_node *node,
						 struct tn_str key);

/* The terraform type of its primary block, by its properties; empty: virtual or unknown. */
struct tn_str tn_studio_terraform_type(const struct tn_studio_scope *scope);

/* ST-048, ST-049: the computed name; false: the convention does not apply. */
bool tn_studio_computed_name(const struct tn_studio_scope *scope, struct tn_str *ret);
/* A name as the type's constraints allow it: small letters, no hyphens, cut (6.2). */
struct tn_str tn_studio_constrained_name(const struct tn_studio_type *type, struct tn_str name,
					 struct tn_arena *arena);

#endif
