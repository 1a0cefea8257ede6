/* Helper blocks, folded into the nodes that would write them; types that have only such; outputs
 * that were bound; private endpoints. */
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

struct tn_str tn_import_extra_name(struct tn_import *import, struct tn_str pattern,
				   struct tn_str self, size_t index)
{
	struct tn_buf out;
	struct tn_str ret = TN_STR("");
	char *copy;

	tn_buf_init(&out, TN_STUDIO_STRING_BYTES_MAX);
	tn_studio_put_extra_name(&out, pattern, self, index);
	copy = out.failed ? NULL : tn_arena_copy(import->arena, tn_buf_str(&out));
	if (copy)
		ret = tn_str(copy, out.size);
	tn_buf_finish(&out);
	return ret;
}

/* The attribute of a helper block that names its owner, and which attribute of the owner it has. */
static const struct tn_json *item_with(const struct tn_json *items, const char *form)
{
	for (const struct tn_json *item = items ? items->first : NULL; item; item = item->next) {
		if (item->type == TN_JSON_OBJECT && tn_json_get(tn_json_get(item, "value"), form) &&
		    tn_json_get(item, "attr"))
			return item;
	}
	return NULL;
}

struct tn_import_node *tn_import_owner(struct tn_import *import,
				       const struct tn_import_object *object,
				       const struct tn_studio_type *type,
				       const struct tn_json *extra)
{
	const struct tn_json *items = tn_json_get(extra, "items");
	const struct tn_json *item = item_with(items, "self");
	struct tn_json to = {.type = TN_JSON_ARRAY, .count = 1};
	struct tn_json one = {.type = TN_JSON_STRING, .text = type->id};
	struct tn_import_frame frame = {.import = import};
	const struct tn_hcl_attribute *attribute;

	if (object->claimed)
		return object->claimed->type == type && !object->claimed->gone ? object->claimed
									       : NULL;
	if (!item && (item = item_with(items, "extra"))) {
		const struct tn_import_object *sibling;

		attribute = tn_import_attribute(object->body, text_of(item, "attr"));
		sibling =
			attribute ? tn_import_object_of(&import->reading, attribute->value) : NULL;
		return sibling && sibling->claimed && sibling->claimed->type == type &&
				       !sibling->claimed->gone
			       ? sibling->claimed
			       : NULL;
	}
	if (!item)
		return NULL;
	attribute = tn_import_attribute(object->body, text_of(item, "attr"));
	to.first = &one;
	return attribute ? tn_import_target(&frame, attribute->value,
					    text_of(tn_json_get(item, "value"), "self"), TN_STR(""),
					    &to)
			 : NULL;
}

static size_t count_of(const struct tn_import *import, const struct tn_import_node *node,
		       const struct tn_json *extra)
{
	size_t count = 0;

	for (const struct tn_import_object *one =
		     tn_map_get(&import->reading.by_type, text_of(extra, "type"));
	     one; one = one->next_of_type)
		count += one->owner == node && one->extra == extra;
	return count;
}

/* What another template took is to be looked at anew. */
static void unmark(struct tn_import *import, struct tn_hcl_body *body)
{
	for (struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (one->mark)
			TN_IMPORT_SET(import, one->mark, NULL);
	}
	for (struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (one->mark)
			TN_IMPORT_SET(import, one->mark, NULL);
		unmark(import, one->body);
	}
}

/* Whether the object can be this helper block of the node; then it is. */
static bool fold(struct tn_import *import, struct tn_import_node *node, const struct tn_json *extra,
		 struct tn_import_object *object, bool strict)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(node->type, text_of(extra, "each"));
	struct tn_import_frame frame = {.import = import, .node = node, .object = object};
	size_t mark = import->change_count, index = count_of(import, node, extra);
	bool good = true;

	if (!property && index > 0)
		return false;
	if (strict &&
	    (node->own.size == 0 ||
	     !tn_str_equal(object->name,
			   tn_import_extra_name(import, text_of(extra, "name"), node->own, index))))
		return false;
	if (property) {
		frame.item = tn_import_add_item(import, node, property);
		frame.item_of = property;
		good = frame.item != NULL;
	}
	unmark(import, object->body);
	if (good)
		tn_import_match(&frame, tn_json_get(extra, "items"), object->body);
	good = good && (!strict || tn_import_leftovers(object->body) == 0) &&
	       !tn_import_is_lost(tn_json_get(extra, "items"), object->body) &&
	       tn_import_assume(&frame, tn_json_get(extra, "if"), true) &&
	       tn_import_assume(&frame, tn_json_get(extra, "eachIf"), true);
	if (!good) {
		tn_import_back_to(import, mark);
		return false;
	}
	frame.force = true;
	if (!tn_import_holds(&frame, tn_json_get(extra, "if")))
		(void)tn_import_assume(&frame, tn_json_get(extra, "if"), true);
	TN_IMPORT_SET(import, object->owner, node);
	TN_IMPORT_SET(import, object->extra, extra);
	object->index = index;
	return true;
}

/* `exact`: only as the one that has the name it would be given. */
static void fold_object(struct tn_import *import, struct tn_import_object *object, bool exact)
{
	for (size_t i = 0; i < import->registry->type_count; i++) {
		const struct tn_studio_type *type = import->registry->types[i];

		if (type->no_primary)
			continue;
		for (const struct tn_json *extra = type->extra ? type->extra->first : NULL; extra;
		     extra = extra->next) {
			struct tn_import_node *owner;

			if (!tn_str_equal(text_of(extra, "type"), object->type))
				continue;
			owner = tn_import_owner(import, object, type, extra);
			if (!owner || owner->primary == object ||
			    !fold(import, owner, extra, object, exact))
				continue;
			if (object->node)
				object->node->gone = true;
			object->node = NULL;
			return;
		}
	}
}

/* ---- types without a primary block ---- */

static bool fold_partner(struct tn_import *import, struct tn_import_node *node,
			 const struct tn_json *extra)
{
	struct tn_str name = tn_import_extra_name(import, text_of(extra, "name"), node->own, 0);
	struct tn_import_object *exact = tn_map_get(
		&import->reading.by_address,
		tn_import_format(import->arena, "%.*s.%.*s", (int)text_of(extra, "type").size,
				 text_of(extra, "type").data, (int)name.size, name.data));
	unsigned tries = 0;

	if (exact && !exact->owner && fold(import, node, extra, exact, true))
		return true;
	for (struct tn_import_object *one =
		     tn_map_get(&import->reading.by_type, text_of(extra, "type"));
	     one && tries < 200; one = one->next_of_type, tries++) {
		size_t mark = import->change_count;

		if (!one->owner && fold(import, node, extra, one, false) &&
		    tn_import_leftovers(one->body) == 0)
			return true;
		tn_import_back_to(import, mark);
	}
	return false;
}

static void make_of_helpers(struct tn_import *import, const struct tn_studio_type *type,
			    struct tn_import_object *object)
{
	const struct tn_json *first = type->extra->first;
	struct tn_import_node *node = tn_import_new(import, sizeof(*node));
	struct tn_str name;
	size_t mark = import->change_count;

	if (!node)
		return;
	node->type = type;
	if (!tn_studio_self_of(text_of(first, "name"), object->name, &name))
		name = object->name;
	tn_import_name(import, node, name);
	node->own = node->name;
	if (!fold(import, node, first, object, false) || tn_import_leftovers(object->body) > 0) {
		tn_import_back_to(import, mark);
		return;
	}
	for (const struct tn_json *extra = first->next; extra; extra = extra->next) {
		if (!tn_json_get(extra, "if") && !fold_partner(import, node, extra)) {
			tn_import_back_to(import, mark);
			return;
		}
	}
	tn_import_keep_name(import, node);
	do {
		tn_studio_make_id(import->id_count++, node->id);
	} while (tn_studio_node_find(import->edit->document, tn_str_from(node->id)));
	if (import->last_node)
		import->last_node->next = node;
	else
		import->nodes = node;
	import->last_node = node;
}

static void fold_helper_types(struct tn_import *import)
{
	for (size_t i = 0; i < import->registry->type_count; i++) {
		const struct tn_studio_type *type = import->registry->types[i];

		if (!type->no_primary || !type->extra || !type->extra->first)
			continue;
		for (size_t j = 0; j < import->reading.object_count; j++) {
			struct tn_import_object *object = import->reading.objects[j];

			if (!object->owner && !object->why &&
			    tn_str_equal(object->type, text_of(type->extra->first, "type")))
				make_of_helpers(import, type, object);
		}
	}
}

/* A helper block that is not there is one its node does not ask for, where it can say so. */
static void deny_absent(struct tn_import *import, struct tn_import_node *node)
{
	struct tn_import_frame frame = {.import = import, .node = node};

	for (const struct tn_json *extra = node->type->extra ? node->type->extra->first : NULL;
	     extra; extra = extra->next) {
		const struct tn_json *condition = tn_json_get(extra, "if");
		size_t mark = import->change_count;

		if (condition && !tn_json_get(extra, "each") &&
		    count_of(import, node, extra) == 0 && tn_import_holds(&frame, condition) &&
		    !tn_import_assume(&frame, condition, false))
			tn_import_back_to(import, mark);
	}
}

void tn_import_fold(struct tn_import *import)
{
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < import->reading.object_count; i++) {
			struct tn_import_object *object = import->reading.objects[i];

			/* What can be a node of its own is folded only when it says exactly the
			 * same. */
			if (!object->owner && !object->why && (pass == 0 || !object->node))
				fold_object(import, object, pass == 0);
		}
	}
	fold_helper_types(import);
	for (struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (!node->gone)
			deny_absent(import, node);
	}
}
