/* connection.h - which ends may be joined, and what that means (studio.md 5.8, ST-046).
 *
 * Pure functions of types. Threads: loop. */
#ifndef TN_STUDIO_CONNECTION_H
#define TN_STUDIO_CONNECTION_H

#include "apps/studio/document/document.h"

struct tn_studio_connection {
	enum tn_studio_edge_category category;
	const struct tn_studio_rule *rule;         /* structural */
	const struct tn_studio_property *property; /* a reference: of the source */
	const struct tn_studio_output *output;     /* a binding: of the source */
};

/* Whether an edge from this handle to that one may be. */
bool tn_studio_connection_find(const struct tn_studio_registry *registry,
			       const struct tn_studio_type *source, struct tn_str source_handle,
			       const struct tn_studio_type *target, struct tn_str target_handle,
			       struct tn_studio_connection *ret);

/* The rule whose edge sets this reference of `type` to a node of `other`; NULL: none does. */
const struct tn_studio_rule *tn_studio_rule_of(const struct tn_studio_registry *registry,
					       const struct tn_studio_type *type, struct tn_str key,
					       const struct tn_studio_type *other);

/* Whether a node of `other` (NULL: of an unknown type) may be the target of this reference. */
bool tn_studio_may_refer(const struct tn_studio_property *property,
			 const struct tn_studio_type *other);

struct tn_studio_handle_pair {
	bool reversed; /* the second type is the source */
	struct tn_str source_handle, target_handle;
};
enum { TN_STUDIO_HANDLE_MAX = 96 };
/* Legal pairs between nodes of two types, both directions, the most telling first: rules, then
 * references, bindings and annotations. Returns how many were written; names that are made stand
 * in the arena. */
size_t tn_studio_connection_pairs(const struct tn_studio_registry *registry,
				  const struct tn_studio_type *source,
				  const struct tn_studio_type *target, struct tn_arena *arena,
				  struct tn_studio_handle_pair *ret, size_t max);

#endif
