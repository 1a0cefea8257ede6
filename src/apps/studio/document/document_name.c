/* Names within a document (studio.md 4.1): no two nodes have a block of one address, and nothing
 * that is named after one of them is called as something of another. */
#include "apps/studio/document/internal.h"
#include "apps/studio/document/node_name.h"

#include <stdio.h>

/* ---- keeping ---- */

/* The node's own name, which annotations have no use for, then its addresses; NULL: no more. */
static struct tn_map *key_at(struct tn_studio_document *document, const struct tn_studio_node *node,
			     size_t at, char key[TN_STUDIO_ADDRESS_SIZE])
{
	if (node->type && node->type->is_annotation)
		at++;
	if (at > 0)
		return tn_studio_address_at(node->type, node->type_id, node->name, at - 1, key)
			       ? &document->nodes_by_address
			       : NULL;
	memcpy(key, node->own.data, node->own.size); /* a name is short */
	key[node->own.size] = '\0';
	return &document->nodes_by_own;
}

/* NULL: nobody has them but `old`, which goes. */
static const struct tn_studio_node *find_other(struct tn_studio_document *document,
					       const struct tn_studio_node *node,
					       const struct tn_studio_node *old)
{
	char key[TN_STUDIO_ADDRESS_SIZE];
	const struct tn_map *map;

	for (size_t at = 0; (map = key_at(document, node, at, key)); at++) {
		const struct tn_studio_node *other = tn_map_get(map, tn_str_from(key));

		if (other && other != old)
			return other;
	}
	return NULL;
}

void tn_studio_names_drop(struct tn_studio_document *document, const struct tn_studio_node *node)
{
	char key[TN_STUDIO_ADDRESS_SIZE];
	struct tn_map *map;

	for (size_t at = 0; (map = key_at(document, node, at, key)); at++) {
		if (tn_map_get(map, tn_str_from(key)) == node)
			(void)tn_map_remove(map, tn_str_from(key));
	}
}

enum tenon_code tn_studio_names_put(struct tn_studio_document *document,
				    struct tn_studio_node *node, struct tenon_error *err)
{
	char key[TN_STUDIO_ADDRESS_SIZE];
	enum tenon_code code = TENON_OK;
	struct tn_map *map;

	for (size_t at = 0; code == TENON_OK && (map = key_at(document, node, at, key)); at++) {
		if (!tn_map_get(map, tn_str_from(key)))
			code = tn_map_put(map, tn_str_from(key), node, err);
	}
	if (code != TENON_OK)
		tn_studio_names_drop(document, node);
	return code;
}

enum tenon_code tn_studio_names_take(struct tn_studio_document *document,
				     struct tn_studio_node *node, const struct tn_studio_node *old,
				     struct tenon_error *err)
{
	const struct tn_studio_node *other = find_other(document, node, old);
	char key[TN_STUDIO_ADDRESS_SIZE];
	enum tenon_code code;
	struct tn_map *map;

	if (other)
		return tn_fail(err, TENON_INVALID, "the terraformName '%.*s' is taken by '%.*s'",
			       (int)node->name.size, node->name.data, (int)other->label.size,
			       other->label.data);
	/* What needs memory first: then nothing fails any more. */
	code = tn_studio_names_put(document, node, err);
	if (code != TENON_OK || !old)
		return code;
	for (size_t at = 0; (map = key_at(document, node, at, key)); at++)
		(void)tn_map_replace(map, tn_str_from(key), node);
	tn_studio_names_drop(document, old);
	return TENON_OK;
}

/* ---- finding ---- */

struct tn_studio_node *tn_studio_node_by_own(const struct tn_studio_document *document,
					     struct tn_str own)
{
	return tn_map_get(&document->nodes_by_own, own);
}

struct tn_studio_node *tn_studio_node_by_name(const struct tn_studio_document *document,
					      struct tn_str type_id, struct tn_str terraform_name)
{
	const struct tn_studio_type *type = tn_studio_type_find(document->registry, type_id);
	struct tn_studio_node *found = NULL;
	char key[TN_STUDIO_ADDRESS_SIZE];

	for (size_t at = 0; !found && tn_studio_address_at(type, type_id, terraform_name, at, key);
	     at++)
		found = tn_map_get(&document->nodes_by_address, tn_str_from(key));
	if (type && type->no_primary)
		found = tn_studio_node_by_own(document, terraform_name);
	return found;
}

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* The node beside whose primary block there is this one, or could be. */
static struct tn_studio_node *with_extra(const struct tn_studio_document *document,
					 struct tn_str terraform_type, struct tn_str name)
{
	for (size_t i = 0; i < document->registry->type_count; i++) {
		const struct tn_studio_type *type = document->registry->types[i];

		for (const struct tn_json *extra = type->extra ? type->extra->first : NULL; extra;
		     extra = extra->next) {
			struct tn_studio_node *node = NULL;
			struct tn_str own;

			if (tn_str_equal(text_of(extra, "type"), terraform_type) &&
			    tn_studio_self_of(text_of(extra, "name"), name, &own))
				node = tn_studio_node_by_own(document, own);
			if (node && node->type == type)
				return node;
		}
	}
	return NULL;
}

struct tn_studio_node *tn_studio_name_holder(const struct tn_studio_document *document,
					     struct tn_str type_id, struct tn_str terraform_name)
{
	const struct tn_studio_type *type = tn_studio_type_find(document->registry, type_id);
	struct tn_studio_node *found = tn_studio_node_by_name(document, type_id, terraform_name);
	struct tn_str terraform;

	for (size_t at = 0; type && !found && (terraform = tn_studio_type_makes(type, at)).size > 0;
	     at++)
		found = with_extra(document, terraform, terraform_name);
	return found;
}

/* The node of which a secret would have the same name as one of such a node. */
static struct tn_studio_node *with_secret(const struct tn_studio_document *document,
					  const struct tn_studio_type *type, struct tn_str own)
{
	char text[TN_STUDIO_NAME_SIZE + 128]; /* a longer key is nobody's */

	for (size_t i = 0; i < type->property_count; i++) {
		struct tn_str key = type->properties[i].key;
		int size = snprintf(text, sizeof(text), "%.*s_%.*s", (int)own.size, own.data,
				    (int)key.size, key.data);

		if (!type->properties[i].sensitive || size >= (int)sizeof(text))
			continue;
		for (int at = 1; at + 1 < size; at++) {
			const struct tn_studio_property *other = NULL;
			struct tn_studio_node *node =
				text[at] == '_'
					? tn_studio_node_by_own(document, tn_str(text, (size_t)at))
					: NULL;

			if (node && node->type)
				other = tn_studio_property_find(node->type,
								tn_str_from(text + at + 1));
			if (other && other->sensitive)
				return node;
		}
	}
	return NULL;
}

/* The node of which the primary block is called as one of these, with whatever number. */
static struct tn_studio_node *with_numbered(const struct tn_studio_document *document,
					    struct tn_str terraform_type, struct tn_str pattern,
					    struct tn_str own)
{
	for (size_t i = 0; i < document->node_count; i++) {
		struct tn_studio_node *node = document->nodes[i];
		struct tn_str made, self;

		for (size_t at = 0;
		     node->type && (made = tn_studio_type_makes(node->type, at)).size > 0; at++) {
			if (tn_str_equal(made, terraform_type) &&
			    tn_studio_self_of(pattern, node->name, &self) &&
			    tn_str_equal(self, own))
				return node;
		}
	}
	return NULL;
}

/* The node of which the primary block is called as a helper block of such a node would be. */
static struct tn_studio_node *with_primary(const struct tn_studio_document *document,
					   const struct tn_json *extra, struct tn_str own)
{
	struct tn_str type = text_of(extra, "type"), pattern = text_of(extra, "name");
	struct tn_studio_node *found;
	char key[TN_STUDIO_ADDRESS_SIZE];
	struct tn_buf name;

	if (tn_str_find(pattern, TN_STR("{index}")) != TN_STR_NONE)
		return with_numbered(document, type, pattern, own);
	tn_buf_init(&name, TN_STUDIO_ADDRESS_SIZE);
	tn_studio_put_extra_name(&name, pattern, own, 0);
	tn_studio_address_key(type, tn_buf_str(&name), key);
	found = tn_map_get(&document->nodes_by_address, tn_str_from(key));
	tn_buf_finish(&name);
	return found;
}

struct tn_studio_node *tn_studio_own_holder(const struct tn_studio_document *document,
					    struct tn_str type_id, struct tn_str own)
{
	const struct tn_studio_type *type = tn_studio_type_find(document->registry, type_id);
	struct tn_studio_node *found = NULL;

	if (type && type->is_annotation)
		return NULL;
	found = tn_studio_node_by_own(document, own);
	for (const struct tn_json *extra = type && type->extra ? type->extra->first : NULL;
	     extra && !found; extra = extra->next)
		found = with_primary(document, extra, own);
	return type && !found ? with_secret(document, type, own) : found;
}
