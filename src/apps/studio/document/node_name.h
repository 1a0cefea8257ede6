/* node_name.h - names made of labels (studio.md 4.1, 6.2). Pure functions. Threads: any. */
#ifndef TN_STUDIO_NODE_NAME_H
#define TN_STUDIO_NODE_NAME_H

#include "apps/studio/registry/registry.h"

enum { TN_STUDIO_NAME_SIZE = 65, TN_STUDIO_ADDRESS_SIZE = 512 };

/* ST-021: a terraformName of `label`, or of the type's last segment where nothing is left of it;
 * `_2`, `_3` and so on while it is taken. */
void tn_studio_derive_name(struct tn_str label, struct tn_str type_id,
			   bool (*taken)(const void *data, struct tn_str name), const void *data,
			   char out[TN_STUDIO_NAME_SIZE]);

/* What the names of all else that a node makes begin with (document.h, `own`): its terraformName,
 * or where that is taken the type's last segment and it; `_2` and so on while that is taken, too.
 */
void tn_studio_derive_own(struct tn_str terraform_name, struct tn_str type_id,
			  bool (*taken)(const void *data, struct tn_str own), const void *data,
			  char out[TN_STUDIO_NAME_SIZE]);

/* Under which a block's address is found, the name first: a type that is too long is cut. */
void tn_studio_address_key(struct tn_str terraform_type, struct tn_str name,
			   char out[TN_STUDIO_ADDRESS_SIZE]);
/* That of the primary block for each of the types that it can be of, from 0; of its typeId where
 * nothing is known of it. False: no more. `type` NULL: unknown. */
bool tn_studio_address_at(const struct tn_studio_type *type, struct tn_str type_id,
			  struct tn_str name, size_t at, char out[TN_STUDIO_ADDRESS_SIZE]);

/* "{self}_policy_{index}" with the node's own name; and back: the own name that such a name is made
 * of. False: of none. */
void tn_studio_put_extra_name(struct tn_buf *out, struct tn_str pattern, struct tn_str own,
			      size_t index);
bool tn_studio_self_of(struct tn_str pattern, struct tn_str name, struct tn_str *ret_own);

/* The first 128 characters. */
struct tn_str tn_studio_cut_label(struct tn_str label);
size_t tn_studio_characters(struct tn_str text);

/* The slug of a label: lower case, everything else one hyphen. Into `out`, cut. */
void tn_studio_derive_slug(struct tn_str label, char *out, size_t size);
/* 6.2.4: a `name` by the type's naming constraints, of its terraformName. */
void tn_studio_derive_plain_name(const struct tn_studio_type *type, struct tn_str terraform_name,
				 char *out, size_t size);

#endif
