/* node_name.h - names made of labels (studio.md 4.1, 6.2). Pure functions. Threads: any. */
#ifndef TN_STUDIO_NODE_NAME_H
#define TN_STUDIO_NODE_NAME_H

#include "apps/studio/registry/registry.h"

enum { TN_STUDIO_NAME_SIZE = 65 };

/* ST-021: a terraformName of `label`, or of the type's last segment where nothing is left of it;
 * `_2`, `_3` and so on while it is taken. */
void tn_studio_derive_name(struct tn_str label, struct tn_str type_id,
			   bool (*taken)(const void *data, struct tn_str name), const void *data,
			   char out[TN_STUDIO_NAME_SIZE]);

/* The first 128 characters. */
struct tn_str tn_studio_cut_label(struct tn_str label);
size_t tn_studio_characters(struct tn_str text);

/* The slug of a label: lower case, everything else one hyphen. Into `out`, cut. */
void tn_studio_derive_slug(struct tn_str label, char *out, size_t size);
/* 6.2.4: a `name` by the type's naming constraints, of its terraformName. */
void tn_studio_derive_plain_name(const struct tn_studio_type *type, struct tn_str terraform_name,
				 char *out, size_t size);

#endif
