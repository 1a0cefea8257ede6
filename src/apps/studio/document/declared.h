/* declared.h - the variables that a diagram declares, by its properties and templates
 * (studio.md 8.4).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_DECLARED_H
#define TN_STUDIO_DECLARED_H

#include "apps/studio/document/document.h"

/* The node that declares this variable as sensitive, itself or by its template; NULL: none.
 * `ret_rest` (or NULL) is what follows the node's name in it: a property, or what the template
 * says. */
const struct tn_studio_node *tn_studio_secret_owner(const struct tn_studio_document *document,
						    struct tn_str variable,
						    struct tn_str *ret_rest);

/* Under which key a project keeps that secret: the node's id, so that it is nobody else's, whatever
 * the node is called, and comes back with it. NULL: no memory. */
const char *tn_studio_secret_key(struct tn_arena *arena, struct tn_str node_id, struct tn_str rest);
/* In an object with such keys; NULL: it is not there. */
const struct tn_json *tn_studio_secret_find(const struct tn_json *secrets, struct tn_str node_id,
					    struct tn_str rest);

#endif
