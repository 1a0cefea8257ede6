/* What nodes are called: as the blocks that they were read of, wherever that can be. */
#include "apps/studio/document/document.h"
#include "apps/studio/document/node_name.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

bool tn_import_own_is_taken(const struct tn_import *import, const struct tn_import_node *node,
			    struct tn_str own)
{
	return tn_map_get(&import->owns, own) != NULL ||
	       tn_studio_own_holder(import->edit->document, node->type->id, own) != NULL;
}

void tn_import_keep_own(struct tn_import *import, struct tn_import_node *node, struct tn_str own)
{
	struct tenon_error err;

	node->own = own;
	if (tn_map_put(&import->owns, own, node, &err) != TENON_OK)
		import->full = true;
}

struct wanted { /* a name for this node */
	const struct tn_import *import;
	const struct tn_import_node *node;
};

static bool name_is_taken(const void *data, struct tn_str name)
{
	const struct wanted *wanted = data;
	const struct tn_studio_type *type = wanted->node->type;
	char key[TN_STUDIO_ADDRESS_SIZE];

	if (type->no_primary)
		return tn_import_own_is_taken(wanted->import, wanted->node, name);
	for (size_t at = 0; tn_studio_address_at(type, type->id, name, at, key); at++) {
		if (tn_map_get(&wanted->import->names, tn_str_from(key)))
			return true;
	}
	return tn_studio_name_holder(wanted->import->edit->document, type->id, name) != NULL;
}

static bool is_name(struct tn_str name)
{
	if (name.size == 0 || name.size >= TN_STUDIO_NAME_SIZE ||
	    !(tn_is_alpha(name.data[0]) || name.data[0] == '_'))
		return false;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '-')
			return false;
	}
	return true;
}

/* The name of the block, because that is its address. */
void tn_import_name(struct tn_import *import, struct tn_import_node *node, struct tn_str wanted)
{
	struct wanted looked = {import, node};
	char derived[TN_STUDIO_NAME_SIZE];

	if (!node->exists)
		node->name = wanted;
	if (!node->exists && (!is_name(wanted) || name_is_taken(&looked, wanted))) {
		tn_studio_derive_name(wanted, node->type->id, name_is_taken, &looked, derived);
		node->name = tn_import_format(import->arena, "%s", derived);
	}
}

void tn_import_keep_name(struct tn_import *import, struct tn_import_node *node)
{
	const struct tn_studio_type *type = node->type;
	char key[TN_STUDIO_ADDRESS_SIZE];
	struct tenon_error err;

	for (size_t at = 0; tn_studio_address_at(type, type->id, node->name, at, key); at++) {
		if (tn_map_put(&import->names, tn_str_from(key), node, &err) != TENON_OK)
			import->full = true;
	}
	if (node->exists || type->no_primary)
		tn_import_keep_own(import, node, node->exists ? node->own : node->name);
}
