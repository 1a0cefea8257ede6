/* References of templates, backwards: from an address in a file to the node that has it. */
#include "apps/studio/import/internal.h"

enum { TARGETS_MAX = 64 };

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static bool flag(const struct tn_json *object, const char *key)
{
	return tn_json_is(tn_json_get(object, key), TN_JSON_TRUE);
}

bool tn_import_denotes(struct tn_import_reading *reading, const struct tn_hcl_value *value,
		       const struct tn_import_object *object, struct tn_str attribute)
{
	const struct tn_hcl_attribute *own;

	if (tn_import_object_of(reading, value) == object)
		return tn_str_equal(tn_import_path(reading->arena, value, 2), attribute);
	own = tn_import_attribute(object->body, attribute);
	return own && tn_import_same(reading, own->value, value);
}

static bool may_target(const struct tn_json *to, const struct tn_import_node *node)
{
	return node && !node->gone && (!to || tn_studio_ids_have(to, node->type));
}

/* By value: the only resource of a terraform type that has it. */
static struct tn_import_object *object_by_value(struct tn_import_reading *reading,
						struct tn_str type, struct tn_str attribute,
						struct tn_str value)
{
	struct tn_str key =
		tn_import_format(reading->arena, "%.*s\n%.*s\n%.*s", (int)type.size, type.data,
				 (int)attribute.size, attribute.data, (int)value.size, value.data);
	void *found = tn_map_get(&reading->by_value, key);

	return found == (void *)&reading->by_value ? NULL : found;
}

static struct tn_import_object *by_value_of_type(struct tn_import_frame *frame,
						 const struct tn_studio_type *type,
						 struct tn_str attribute, struct tn_str extra,
						 struct tn_str value)
{
	struct tn_import_reading *reading = &frame->import->reading;
	const struct tn_json *terraform = tn_json_get(type->terraform, "type"), *cases;
	struct tn_import_object *found = NULL;
	struct tn_str name;

	for (const struct tn_json *one = extra.size && type->extra ? type->extra->first : NULL; one;
	     one = one->next) {
		if (tn_str_equal(text_of(one, "id"), extra))
			return object_by_value(reading, text_of(one, "type"), attribute, value);
	}
	if (extra.size || !terraform)
		return NULL;
	if (tn_json_to_str(terraform, &name))
		return object_by_value(reading, name, attribute, value);
	cases = tn_json_get(terraform, "cases");
	found = object_by_value(reading, text_of(terraform, "default"), attribute, value);
	for (const struct tn_json *one = cases ? cases->first : NULL; one && !found;
	     one = one->next) {
		if (tn_json_to_str(one, &name))
			found = object_by_value(reading, name, attribute, value);
	}
	return found;
}

static const struct tn_json *extra_with_id(const struct tn_studio_type *type, struct tn_str id)
{
	for (const struct tn_json *one = type->extra ? type->extra->first : NULL; one;
	     one = one->next) {
		if (tn_str_equal(text_of(one, "id"), id))
			return one;
	}
	return NULL;
}

static struct tn_import_node *node_of(struct tn_import_frame *frame,
				      struct tn_import_object *object, struct tn_str extra,
				      const struct tn_json *to)
{
	const struct tn_studio_type *type;
	struct tn_str id;

	if (!object)
		return NULL;
	if (extra.size == 0)
		return may_target(to, object->node) ? object->node : NULL;
	for (const struct tn_json *one = to ? to->first : NULL; one; one = one->next) {
		struct tn_import_node *owner;
		const struct tn_json *template;

		if (!tn_json_to_str(one, &id) ||
		    !(type = tn_studio_type_find(frame->import->registry, id)) ||
		    !(template = extra_with_id(type, extra)) ||
		    !tn_str_equal(text_of(template, "type"), object->type))
			continue;
		owner = tn_import_owner(frame->import, object, type, template);
		if (may_target(to, owner))
			return owner;
	}
	return NULL;
}

struct tn_import_node *tn_import_target(struct tn_import_frame *frame,
					const struct tn_hcl_value *value, struct tn_str attribute,
					struct tn_str extra, const struct tn_json *to)
{
	struct tn_import_reading *reading = &frame->import->reading;
	struct tn_import_object *object;
	struct tn_str canonical, id;

	value = tn_import_resolve(reading, value);
	object = tn_import_object_of(reading, value);
	if (object && tn_str_equal(tn_import_path(reading->arena, value, 2), attribute)) {
		struct tn_import_node *node = node_of(frame, object, extra, to);

		if (node)
			return node;
	}
	canonical = tn_import_canonical(reading, value);
	if (canonical.size == 0)
		return NULL;
	for (const struct tn_json *one = to ? to->first : NULL; one; one = one->next) {
		const struct tn_studio_type *type;

		if (!tn_json_to_str(one, &id) ||
		    !(type = tn_studio_type_find(frame->import->registry, id)))
			continue;
		object = by_value_of_type(frame, type, attribute, extra, canonical);
		if (object && object != frame->object) {
			struct tn_import_node *node = node_of(frame, object, extra, to);

			if (node)
				return node;
		}
	}
	return NULL;
}

static bool bind_target(struct tn_import_frame *frame, struct tn_str key,
			struct tn_import_node *target, bool many)
{
	struct tn_import_node *node = frame->node;
	const struct tn_import_binding *before =
		tn_import_binding(node->bindings, TN_IMPORT_TARGET, key);

	for (const struct tn_import_binding *one = node->bindings; one; one = one->next) {
		if (one->kind == TN_IMPORT_TARGET && tn_str_equal(one->key, key) &&
		    one->target == target)
			return true;
	}
	if (target == node || (before && !many))
		return false;
	tn_import_bind(frame->import, &node->bindings, TN_IMPORT_TARGET, key, NULL, target);
	return true;
}

/* The types a reference may lead to. What only the parent says is no property of its own. */
static bool targets_of(const struct tn_studio_type *type, struct tn_str key,
		       const struct tn_studio_property **ret, const struct tn_json **ret_to)
{
	*ret = tn_studio_property_find(type, key);
	*ret_to = *ret ? (*ret)->to : tn_json_get(type->parent_reference, "from");
	return *ret || (*ret_to && tn_str_equal(text_of(type->parent_reference, "key"), key));
}

static bool is_of(struct tn_import_frame *frame, const struct tn_hcl_value *value,
		  const struct tn_import_node *node, struct tn_str attribute)
{
	return node->primary &&
	       tn_import_denotes(&frame->import->reading, value, node->primary, attribute);
}

bool tn_import_unify_ref(struct tn_import_frame *frame, const struct tn_json *expr,
			 const struct tn_hcl_value *value)
{
	struct tn_str attribute = text_of(expr, "attr"), extra = text_of(expr, "extra");
	struct tn_str key = text_of(expr, "ref");
	const struct tn_studio_property *property;
	const struct tn_import_binding *bound;
	struct tn_import_node *target;
	const struct tn_json *to;
	bool many;

	if (!targets_of(frame->node->type, key, &property, &to))
		return false;
	if (property && !tn_import_assume(frame, property->visible_when, true))
		return false;
	if (attribute.size == 0)
		attribute = TN_STR("id");
	value = tn_import_named(&frame->import->reading, value);
	if (flag(expr, "list")) {
		many = property && property->many;
		for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
			target = tn_import_target(frame, item, attribute, extra, to);
			if (!target || !bind_target(frame, key, target, many))
				return false;
		}
		return tn_import_is_list(value) && value->item_count > 0;
	}
	bound = tn_import_binding(frame->node->bindings, TN_IMPORT_TARGET, key);
	if (bound && extra.size == 0 && is_of(frame, value, bound->target, attribute))
		return true;
	target = tn_import_target(frame, value, attribute, extra, to);
	return target && bind_target(frame, key, target, false);
}

/* The nearest ancestor of a type: the group a resource says it is in. */
bool tn_import_unify_scope(struct tn_import_frame *frame, const struct tn_json *expr,
			   const struct tn_hcl_value *value)
{
	const struct tn_studio_provider *provider = frame->node->type->provider;
	const struct tn_json *scope =
		provider ? tn_json_get_str(provider->scopes, text_of(expr, "scope")) : NULL;
	struct tn_str ancestor = text_of(scope, "ancestor"), attribute = text_of(scope, "attr");
	const struct tn_import_binding *bound;
	struct tn_import_node *target;
	struct tn_json to = {.type = TN_JSON_ARRAY, .count = 1};
	struct tn_json one = {.type = TN_JSON_STRING};

	if (!scope)
		return false;
	bound = tn_import_binding(frame->node->bindings, TN_IMPORT_SCOPE, ancestor);
	if (bound)
		return bound->target->primary &&
		       tn_import_denotes(&frame->import->reading, value, bound->target->primary,
					 attribute);
	one.text = ancestor;
	to.first = &one;
	target = tn_import_target(frame, value, attribute, TN_STR(""), &to);
	if (!target)
		return false;
	tn_import_bind(frame->import, &frame->node->bindings, TN_IMPORT_SCOPE, ancestor, NULL,
		       target);
	return true;
}

bool tn_import_unify_self(struct tn_import_frame *frame, const struct tn_json *expr,
			  const struct tn_hcl_value *value)
{
	const struct tn_import_object *primary = frame->node->primary;

	return primary &&
	       tn_import_denotes(&frame->import->reading, value, primary, text_of(expr, "self"));
}

/* A helper block of the same node; its primary block may name it before it was looked at. */
bool tn_import_unify_extra(struct tn_import_frame *frame, const struct tn_json *expr,
			   const struct tn_hcl_value *value)
{
	struct tn_import_reading *reading = &frame->import->reading;
	struct tn_str id = text_of(expr, "extra"), attribute = text_of(expr, "attr"), canonical;
	const struct tn_json *template = extra_with_id(frame->node->type, id);
	const struct tn_import_binding *bound =
		tn_import_binding(frame->node->bindings, TN_IMPORT_EXTRA, id);
	struct tn_import_object *object;

	if (!template)
		return false;
	if (attribute.size == 0)
		attribute = TN_STR("id");
	if (bound)
		return tn_import_denotes(reading, value, bound->object, attribute);
	value = tn_import_resolve(reading, value);
	object = tn_import_object_of(reading, value);
	if (!object) {
		canonical = tn_import_canonical(reading, value);
		object = canonical.size ? object_by_value(reading, text_of(template, "type"),
							  attribute, canonical)
					: NULL;
	}
	if (!object || !tn_str_equal(object->type, text_of(template, "type")) || object->claimed ||
	    !tn_import_denotes(reading, value, object, attribute))
		return false;
	tn_import_bind(frame->import, &frame->node->bindings, TN_IMPORT_EXTRA, id, NULL, NULL);
	if (frame->import->full)
		return false;
	frame->node->bindings->object = object;
	TN_IMPORT_SET(frame->import, object->claimed, frame->node);
	return true;
}

bool tn_import_unify_item_ref(struct tn_import_frame *frame, const struct tn_json *expr,
			      const struct tn_hcl_value *value)
{
	struct tn_str field = text_of(expr, "itemRef"), attribute = text_of(expr, "attr");
	const struct tn_json *to = NULL;
	struct tn_import_node *target;

	for (size_t i = 0; frame->item_of && i < frame->item_of->field_count; i++) {
		if (tn_str_equal(frame->item_of->fields[i].key, field))
			to = frame->item_of->fields[i].to;
	}
	target = tn_import_target(frame, value, attribute.size ? attribute : TN_STR("id"),
				  TN_STR(""), to);
	if (!target || !frame->item)
		return false;
	return tn_import_bind_field(
		frame, field, tn_json_make_str(frame->import->arena, tn_str_from(target->id)));
}
