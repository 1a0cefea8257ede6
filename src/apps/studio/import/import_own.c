/* What all that a node makes is named after (document.h, `own`): what its helper blocks, endpoints,
 * variables and outputs were named after, wherever that can be. */
#include "apps/studio/document/document.h"
#include "apps/studio/document/node_name.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* ---- what was read ---- */

static bool is_refused(const void *data, struct tn_str own)
{
	const struct tn_str *refused = data;

	return tn_str_equal(own, *refused);
}

/* The size of "_12" at the beginning of "_12_id"; 0: there is no number. */
static size_t number_at(struct tn_str text)
{
	size_t size = text.size > 0 && text.data[0] == '_';

	while (size > 0 && size < text.size && tn_is_digit(text.data[size]))
		size++;
	return size > 1 && size < text.size && text.data[size] == '_' ? size : 0;
}

/* "subnet_main_2_id" begins with what a subnet "main" can be named after: "subnet_main_2", as it
 * could with "main". Then it is, if nothing else is. */
static void look_at_name(struct tn_import *import, struct tn_import_node *node, struct tn_str text)
{
	char longer[TN_STUDIO_NAME_SIZE];
	struct tn_str own = node->name;

	if (node->own.size > 0)
		return;
	tn_studio_derive_own(node->name, node->type->id, is_refused, &node->name, longer);
	if (tn_str_starts(text, tn_str_from(longer)))
		own = tn_str_from(tn_arena_copy(import->arena, tn_str_from(longer)));
	if (!own.data || !tn_str_starts(text, own))
		return;
	own = tn_str(text.data, own.size);
	if (!tn_str_equal(own, node->name))
		own.size += number_at(tn_str_from_offset(text, own.size));
	if (own.size < TN_STUDIO_NAME_SIZE && own.size < text.size && text.data[own.size] == '_' &&
	    !tn_import_own_is_taken(import, node, own))
		tn_import_keep_own(import, node, own);
}

static void look_at_self(struct tn_import *import, struct tn_import_node *node, struct tn_str self)
{
	look_at_name(import, node,
		     tn_import_format(import->arena, "%.*s_", (int)self.size, self.data));
}

static void look_at_helper(struct tn_import *import, const struct tn_import_object *object)
{
	struct tn_import_node *node = tn_import_service(import, object);
	struct tn_str self;

	if (node && tn_str_starts(object->name, TN_STR("pe_")))
		look_at_name(import, node, tn_str_from_offset(object->name, 3));
	for (size_t i = 0; i < import->registry->type_count; i++) {
		const struct tn_studio_type *type = import->registry->types[i];

		for (const struct tn_json *extra = type->extra ? type->extra->first : NULL; extra;
		     extra = extra->next) {
			if (type->no_primary ||
			    !tn_str_equal(text_of(extra, "type"), object->type) ||
			    !tn_studio_self_of(text_of(extra, "name"), object->name, &self))
				continue;
			node = tn_import_owner(import, object, type, extra);
			if (node && node->primary != object)
				look_at_self(import, node, self);
		}
	}
}

static void look_at_value(struct tn_import *import, struct tn_import_node *node,
			  const struct tn_hcl_value *value)
{
	if (tn_import_is_variable(value))
		look_at_name(import, node, value->steps[1]);
	for (const struct tn_hcl_value *one = value->items; one; one = one->next)
		look_at_value(import, node, one);
}

/* Files were read with a bound on depth. */
static void look_at_body(struct tn_import *import, struct tn_import_node *node,
			 const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next)
		look_at_value(import, node, one->value);
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next)
		look_at_body(import, node, one->body);
}

static void look_at_output(struct tn_import *import, const struct tn_hcl_block *block)
{
	const struct tn_hcl_attribute *value = tn_hcl_attribute_find(block->body, "value");
	const struct tn_import_object *object =
		value && block->label_count == 1
			? tn_import_object_of(&import->reading, value->value)
			: NULL;

	if (object && object->node)
		look_at_name(import, object->node, block->labels[0]);
}

void tn_import_find_owns(struct tn_import *import)
{
	for (size_t i = 0; i < import->reading.object_count; i++) {
		if (!import->reading.objects[i]->why)
			look_at_helper(import, import->reading.objects[i]);
	}
	for (struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (node->own.size == 0)
			look_at_body(import, node, node->primary->body);
	}
	for (struct tn_import_other *one = import->reading.others; one; one = one->next) {
		if (tn_str_is(one->block->type, "output"))
			look_at_output(import, one->block);
	}
}

/* ---- the others ---- */

struct wanted { /* an own name for this node */
	struct tn_import *import;
	const struct tn_import_node *node;
};

/* A helper block of the node's would be called like one that is another node's. */
static bool meets_a_block(struct tn_import *import, const struct tn_import_node *node,
			  struct tn_str own)
{
	const struct tn_json *extra = node->type->extra;

	for (extra = extra ? extra->first : NULL; extra; extra = extra->next) {
		struct tn_str type = text_of(extra, "type");
		struct tn_str name = tn_import_extra_name(import, text_of(extra, "name"), own, 0);
		const struct tn_import_object *block =
			tn_map_get(&import->reading.by_address,
				   tn_import_format(import->arena, "%.*s.%.*s", (int)type.size,
						    type.data, (int)name.size, name.data));

		if (block && block->node && !block->node->gone)
			return true;
	}
	return false;
}

static bool is_used(const void *data, struct tn_str own)
{
	const struct wanted *wanted = data;

	return tn_import_own_is_taken(wanted->import, wanted->node, own) ||
	       meets_a_block(wanted->import, wanted->node, own);
}

void tn_import_settle_own(struct tn_import *import, struct tn_import_node *node)
{
	struct wanted wanted = {import, node};
	char own[TN_STUDIO_NAME_SIZE];

	if (node->exists || node->type->no_primary ||
	    (node->own.size > 0 && !meets_a_block(import, node, node->own)))
		return;
	tn_studio_derive_own(node->name, node->type->id, is_used, &wanted, own);
	tn_import_keep_own(import, node, tn_import_format(import->arena, "%s", own));
}
