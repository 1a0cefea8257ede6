/* What nodes are called, and what all that they make is named after (document.h, `own`): as it was
 * read, wherever that can be. */
#include "apps/studio/document/document.h"
#include "apps/studio/document/node_name.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

struct wanted { /* a name for this node */
	struct tn_import *import;
	const struct tn_import_node *node;
};

static bool own_is_taken(const void *data, struct tn_str own)
{
	const struct wanted *wanted = data;

	return tn_map_get(&wanted->import->owns, own) != NULL ||
	       tn_studio_own_holder(wanted->import->edit->document, wanted->node->type->id, own) !=
		       NULL;
}

static bool name_is_taken(const void *data, struct tn_str name)
{
	const struct wanted *wanted = data;
	const struct tn_studio_type *type = wanted->node->type;
	char key[TN_STUDIO_ADDRESS_SIZE];

	if (type->no_primary)
		return own_is_taken(data, name);
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

/* ---- own names ---- */

void tn_import_keep_own(struct tn_import *import, struct tn_import_node *node, struct tn_str own)
{
	struct tenon_error err;

	node->own = own;
	if (tn_map_put(&import->owns, own, node, &err) != TENON_OK)
		import->full = true;
}

static const struct tn_import_object *block_of(struct tn_import *import, struct tn_str type,
					       struct tn_str name)
{
	return tn_map_get(&import->reading.by_address,
			  tn_import_format(import->arena, "%.*s.%.*s", (int)type.size, type.data,
					   (int)name.size, name.data));
}

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* A helper block of the node's would be called like one that was read; `apart`: and is not it. */
static bool has_helper(struct tn_import *import, const struct tn_import_node *node,
		       struct tn_str own, bool apart)
{
	const struct tn_json *extra = node->type->extra;

	for (extra = extra ? extra->first : NULL; extra; extra = extra->next) {
		const struct tn_import_object *block =
			block_of(import, text_of(extra, "type"),
				 tn_import_extra_name(import, text_of(extra, "name"), own, 0));

		if (block && (!apart || (block->node && !block->node->gone)))
			return true;
	}
	return false;
}

/* The same of its private endpoints. */
static bool has_endpoint(struct tn_import *import, const struct tn_import_node *node,
			 struct tn_str own)
{
	const struct tn_studio_property *property =
		node->type->private_endpoint
			? tn_studio_property_find(node->type, TN_STR("pep_subresources"))
			: NULL;
	const struct tn_json *sub = property && property->allowed ? property->allowed->first : NULL;

	for (; sub; sub = sub->next) {
		if (block_of(import, TN_STR("azurerm_private_endpoint"),
			     tn_import_format(import->arena, "pe_%.*s_%.*s", (int)own.size,
					      own.data, (int)sub->text.size, sub->text.data)))
			return true;
	}
	return false;
}

static bool value_has(const struct tn_hcl_value *value, struct tn_str prefix)
{
	if (tn_import_is_variable(value) && tn_str_starts(value->steps[1], prefix))
		return true;
	for (const struct tn_hcl_value *one = value->items; one; one = one->next) {
		if (value_has(one, prefix))
			return true;
	}
	return false;
}

/* A variable of this beginning stands in it; files were read with a bound on depth. */
static bool has_variable(const struct tn_hcl_body *body, struct tn_str prefix)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (value_has(one->value, prefix))
			return true;
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (has_variable(one->body, prefix))
			return true;
	}
	return false;
}

/* Whether something that was read is named so, as only this node would name it. */
static bool is_seen(struct tn_import *import, const struct tn_import_node *node, struct tn_str own)
{
	struct tn_str prefix = tn_import_format(import->arena, "%.*s_", (int)own.size, own.data);

	return has_helper(import, node, own, false) || has_endpoint(import, node, own) ||
	       has_variable(node->primary->body, prefix);
}

/* The own name that generation gave it, if it was that: its name, or that with the type's last
 * segment. */
static void find_own(struct tn_import *import, struct tn_import_node *node, struct tn_str own)
{
	struct wanted wanted = {import, node};

	if (node->own.size == 0 && own.size > 0 && is_name(own) && !own_is_taken(&wanted, own))
		tn_import_keep_own(import, node, own);
}

static bool is_refused(const void *data, struct tn_str own)
{
	const struct tn_str *refused = data;

	return tn_str_equal(own, *refused);
}

static struct tn_str longer_name(struct tn_import *import, const struct tn_import_node *node)
{
	char own[TN_STUDIO_NAME_SIZE];

	tn_studio_derive_own(node->name, node->type->id, is_refused, &node->name, own);
	return tn_import_format(import->arena, "%s", own);
}

/* "main_id" is an output of what is named after "main". */
static void look_at_output(struct tn_import *import, const struct tn_hcl_block *block)
{
	const struct tn_hcl_attribute *value = tn_hcl_attribute_find(block->body, "value");
	const struct tn_import_object *object =
		value && block->label_count == 1
			? tn_import_object_of(&import->reading, value->value)
			: NULL;
	struct tn_import_node *node = object ? object->node : NULL;
	struct tn_str path;

	if (!node || node->own.size > 0)
		return;
	path = tn_import_path(import->arena, value->value, 2);
	for (size_t i = 0; i < node->type->output_count; i++) {
		const struct tn_studio_output *output = &node->type->outputs[i];
		struct tn_str ending = tn_import_format(import->arena, "_%.*s",
							(int)output->key.size, output->key.data);
		struct tn_str own = block->labels[0];

		if (!tn_str_equal(output->attribute, path) || !tn_str_ends(own, ending))
			continue;
		own.size -= ending.size;
		if (tn_str_equal(own, node->name) || tn_str_equal(own, longer_name(import, node)))
			find_own(import, node, own);
	}
}

void tn_import_find_owns(struct tn_import *import)
{
	for (struct tn_import_node *node = import->nodes; node; node = node->next) {
		struct tn_str longer = TN_STR("");

		if (node->own.size > 0)
			continue;
		longer = longer_name(import, node);
		if (is_seen(import, node, longer))
			find_own(import, node, longer);
		else if (is_seen(import, node, node->name))
			find_own(import, node, node->name);
	}
	for (struct tn_import_other *one = import->reading.others; one; one = one->next) {
		if (tn_str_is(one->block->type, "output"))
			look_at_output(import, one->block);
	}
}

static bool own_is_used(const void *data, struct tn_str own)
{
	const struct wanted *wanted = data;

	return own_is_taken(data, own) || has_helper(wanted->import, wanted->node, own, true);
}

void tn_import_settle_own(struct tn_import *import, struct tn_import_node *node)
{
	struct wanted wanted = {import, node};
	char own[TN_STUDIO_NAME_SIZE];

	if (node->exists || node->type->no_primary ||
	    (node->own.size > 0 && !has_helper(import, node, node->own, true)))
		return;
	tn_studio_derive_own(node->name, node->type->id, own_is_used, &wanted, own);
	tn_import_keep_own(import, node, tn_import_format(import->arena, "%s", own));
}
