/* Expressions of templates, backwards: from what stands in a file to what must have been set. */
#include "apps/studio/import_private.h"
#include "apps/studio/value.h"
#include "base/limits.h"

enum { EXPRESSION_DEPTH_MAX = 24, TARGETS_MAX = 64 };

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

static const struct tn_json *constant(struct tn_import_frame *frame,
				      const struct tn_hcl_value *value)
{
	value = tn_import_resolve(&frame->import->reading, value);
	return value->kind == TN_HCL_CONSTANT ? value->value : NULL;
}

/* ---- references ---- */

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

static bool is_list(const struct tn_hcl_value *value)
{
	return value->kind == TN_HCL_LIST || tn_json_is(value->value, TN_JSON_ARRAY);
}

static bool is_of(struct tn_import_frame *frame, const struct tn_hcl_value *value,
		  const struct tn_import_node *node, struct tn_str attribute)
{
	return node->primary &&
	       tn_import_denotes(&frame->import->reading, value, node->primary, attribute);
}

static bool unify_ref(struct tn_import_frame *frame, const struct tn_json *expr,
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
		return is_list(value) && value->item_count > 0;
	}
	bound = tn_import_binding(frame->node->bindings, TN_IMPORT_TARGET, key);
	if (bound && extra.size == 0 && is_of(frame, value, bound->target, attribute))
		return true;
	target = tn_import_target(frame, value, attribute, extra, to);
	return target && bind_target(frame, key, target, false);
}

/* The nearest ancestor of a type: the group a resource says it is in. */
static bool unify_scope(struct tn_import_frame *frame, const struct tn_json *expr,
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

static bool unify_self(struct tn_import_frame *frame, const struct tn_json *expr,
		       const struct tn_hcl_value *value)
{
	const struct tn_import_object *primary = frame->node->primary;

	return primary &&
	       tn_import_denotes(&frame->import->reading, value, primary, text_of(expr, "self"));
}

/* A helper block of the same node; its primary block may name it before it was looked at. */
static bool unify_extra(struct tn_import_frame *frame, const struct tn_json *expr,
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

static bool unify_item_ref(struct tn_import_frame *frame, const struct tn_json *expr,
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

/* ---- values ---- */

static bool unify_variable_mode(struct tn_import_frame *frame,
				const struct tn_studio_property *property,
				const struct tn_hcl_value *value)
{
	const struct tn_import_variable *variable =
		tn_import_variable_of(&frame->import->reading, value);
	const struct tn_json *known = variable ? constant(frame, value) : NULL;

	if (!variable || property->emit == TN_STUDIO_EMIT_NEVER)
		return false;
	if (variable->sensitive && !property->sensitive)
		known = NULL; /* a secret does not go into the diagram */
	if (known && known->type != TN_JSON_NULL && !tn_import_bind_value(frame, property, known))
		return false;
	if (!property->sensitive &&
	    !tn_import_binding(frame->node->bindings, TN_IMPORT_MODE, property->key))
		tn_import_bind(frame->import, &frame->node->bindings, TN_IMPORT_MODE, property->key,
			       NULL, NULL);
	return true;
}

static bool unify_prop(struct tn_import_frame *frame, struct tn_str key,
		       const struct tn_hcl_value *value)
{
	const struct tn_studio_property *property = tn_studio_property_find(frame->node->type, key);
	const struct tn_json *known;

	if (!property || !tn_import_assume(frame, property->visible_when, true))
		return false;
	if (tn_import_is_variable(value) && unify_variable_mode(frame, property, value))
		return true;
	if (tn_import_is_variable(value)) {
		const struct tn_import_variable *variable =
			tn_import_variable_of(&frame->import->reading, value);

		if (!variable || variable->sensitive)
			return false;
	}
	known = constant(frame, value);
	return known && tn_import_bind_value(frame, property, known);
}

/* A variable that the template declares: its value is kept under the name it has now. */
static bool unify_var(struct tn_import_frame *frame, const struct tn_json *expr,
		      const struct tn_hcl_value *value)
{
	const struct tn_import_variable *variable =
		tn_import_variable_of(&frame->import->reading, value);
	const struct tn_json *known = constant(frame, value);
	bool sensitive = flag(expr, "sensitive") || (variable && variable->sensitive);

	if (!known && !tn_import_is_variable(value))
		return false;
	if (known)
		tn_import_bind(frame->import,
			       frame->item ? &frame->item->bindings : &frame->node->bindings,
			       sensitive ? TN_IMPORT_SECRET : TN_IMPORT_VARIABLE,
			       text_of(expr, "var"), known, NULL);
	return true;
}

static bool unify_item(struct tn_import_frame *frame, const struct tn_json *expr,
		       const struct tn_hcl_value *value)
{
	const struct tn_json *known = constant(frame, value);

	return known && tn_import_bind_field(frame, text_of(expr, "item"), known);
}

static bool unify_lit(struct tn_import_frame *frame, const struct tn_json *lit,
		      const struct tn_hcl_value *value)
{
	struct tn_hcl_value *wrapped = tn_import_wrap(&frame->import->reading, lit);

	return wrapped && tn_import_same(&frame->import->reading, wrapped, value);
}

static bool is_common_tags(struct tn_import *import, const struct tn_hcl_value *value)
{
	const struct tn_hcl_value *known = tn_import_resolve(&import->reading, value);

	if (import->tags)
		return tn_import_same(&import->reading, import->tags, known);
	return tn_str_is(value->text, "local.common_tags") ||
	       (known->kind == TN_HCL_CONSTANT &&
		(known->value->type == TN_JSON_NULL || known->item_count == 0));
}

static bool is_data(const struct tn_hcl_value *value)
{
	return value->kind == TN_HCL_REFERENCE && value->step_count == 4 &&
	       tn_str_is(value->steps[0], "data");
}

/* HCL that stands in the registry: the common tags, or what a data block says. */
static bool unify_raw(struct tn_import_frame *frame, struct tn_str raw,
		      const struct tn_hcl_value *value)
{
	struct tn_import *import = frame->import;
	const struct tn_hcl_value *own;
	struct tn_hcl_file *file;
	struct tn_str text;

	if (tn_str_is(raw, "local.common_tags"))
		return is_common_tags(import, value);
	if (import->state)
		return true; /* it cannot be known where the value came from */
	text = tn_import_format(import->arena, "a = %.*s\n", (int)raw.size, raw.data);
	if (tn_hcl_parse(import->arena, text, &file, NULL) != TENON_OK || !file->body->attributes)
		return false;
	own = file->body->attributes->value;
	/* The same of a data block that is called otherwise is the same. */
	if (is_data(own) && is_data(value))
		return tn_str_equal(own->steps[1], value->steps[1]) &&
		       tn_str_equal(own->steps[3], value->steps[3]);
	return tn_import_same(&import->reading, own, value);
}

/* ---- choices ---- */

static struct tn_json *as_text(struct tn_import_frame *frame, struct tn_str text)
{
	return tn_json_make_str(frame->import->arena, text);
}

/* A case's name as the value the property has. */
static const struct tn_json *case_value(struct tn_import_frame *frame,
					const struct tn_studio_property *property,
					struct tn_str name)
{
	if (property && property->type == TN_STUDIO_BOOLEAN)
		return tn_json_make_bool(frame->import->arena, tn_str_is(name, "true"));
	return as_text(frame, name);
}

static bool unify_lookup(struct tn_import_frame *frame, const struct tn_json *expr,
			 const struct tn_hcl_value *value)
{
	const struct tn_json *lookup = tn_json_get(expr, "lookup"), *cases;
	struct tn_str item, prop = text_of(lookup, "prop");
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, prop);
	bool by_item = tn_json_to_str(tn_json_get(lookup, "item"), &item);
	size_t mark = frame->import->change_count;

	cases = tn_json_get(expr, "cases");
	for (const struct tn_json *one = cases ? cases->first : NULL; one; one = one->next) {
		const struct tn_json *key = case_value(frame, property, one->key);

		if (key && tn_import_unify(frame, one, value) &&
		    (by_item ? tn_import_bind_field(frame, item, key)
			     : property && tn_import_bind_value(frame, property, key)))
			return true;
		tn_import_back_to(frame->import, mark);
	}
	/* The rest: which of them is for other attributes to say. A switch has one other side. */
	if (!tn_import_unify(frame, tn_json_get(expr, "default"), value))
		return false;
	if (!by_item && property && property->type == TN_STUDIO_BOOLEAN && cases &&
	    cases->count == 1)
		return tn_import_bind_value(
			frame, property,
			tn_json_make_bool(frame->import->arena,
					  !tn_str_is(cases->first->key, "true")));
	return true;
}

static bool unify_choose(struct tn_import_frame *frame, const struct tn_json *choices,
			 const struct tn_hcl_value *value)
{
	size_t mark = frame->import->change_count;

	for (const struct tn_json *one = choices->first; one; one = one->next) {
		if (tn_import_unify(frame, tn_json_get(one, "value"), value) &&
		    tn_import_assume(frame, tn_json_get(one, "if"), true))
			return true;
		tn_import_back_to(frame->import, mark);
	}
	return false;
}

static struct tn_str piece(struct tn_str text, struct tn_str separator, int64_t at)
{
	for (; at > 0; at--) {
		size_t end = tn_str_find(text, separator);

		if (end == TN_STR_NONE)
			return TN_STR("");
		text = tn_str_from_offset(text, end + separator.size);
	}
	if (tn_str_find(text, separator) != TN_STR_NONE)
		text.size = tn_str_find(text, separator);
	return text;
}

/* A piece of a value: the only allowed value that has it there. `if` of the attribute narrows the
 * choice, so what it names is tried first. */
static bool unify_part(struct tn_import_frame *frame, const struct tn_json *expr,
		       const struct tn_hcl_value *value)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, text_of(expr, "part"));
	const struct tn_import_binding *bound;
	const struct tn_json *known = constant(frame, value), *found = NULL;
	struct tn_str separator = text_of(expr, "sep"), one_text;
	int64_t at = 0;

	(void)tn_json_to_int(tn_json_get(expr, "at"), &at);
	if (!property || !tn_json_is(known, TN_JSON_STRING))
		return false;
	bound = tn_import_binding(frame->node->bindings, TN_IMPORT_VALUE, property->key);
	if (bound)
		return tn_json_is(bound->value, TN_JSON_STRING) &&
		       tn_str_equal(piece(bound->value->text, separator, at), known->text);
	for (const struct tn_json *one = property->allowed ? property->allowed->first : NULL; one;
	     one = one->next) {
		if (!tn_json_to_str(one, &one_text) ||
		    !tn_str_equal(piece(one_text, separator, at), known->text))
			continue;
		if (found)
			return false;
		found = one;
	}
	return found && tn_import_assume(frame, property->visible_when, true) &&
	       tn_import_bind_value(frame, property, found);
}

/* ---- lists ---- */

static bool unify_list(struct tn_import_frame *frame, const struct tn_json *elements,
		       const struct tn_hcl_value *value)
{
	const struct tn_hcl_value *item;

	value = tn_import_named(&frame->import->reading, value);
	if (!is_list(value))
		return false;
	item = value->items;
	for (const struct tn_json *one = elements->first; one; one = one->next) {
		const struct tn_json *inner = tn_json_get(one, "value"), *condition;
		size_t mark = frame->import->change_count;

		condition = inner ? tn_json_get(one, "if") : NULL;
		if (item && tn_import_unify(frame, inner ? inner : one, item) &&
		    tn_import_assume(frame, condition, true)) {
			item = item->next;
			continue;
		}
		tn_import_back_to(frame->import, mark);
		if (!condition || !tn_import_assume(frame, condition, false))
			return false;
	}
	return item == NULL;
}

static bool unify_each_list(struct tn_import_frame *frame, const struct tn_json *expr,
			    const struct tn_hcl_value *value)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, text_of(expr, "eachList"));
	const struct tn_json *inner = tn_json_get(expr, "value");

	value = tn_import_named(&frame->import->reading, value);
	if (!property || !is_list(value))
		return false;
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		struct tn_import_frame inside = *frame;

		inside.item = tn_import_add_item(frame->import, frame->node, property);
		inside.item_of = property;
		if (!inside.item || !tn_import_unify(&inside, inner, item))
			return false;
	}
	return true;
}

static bool unify(struct tn_import_frame *frame, const struct tn_json *expr,
		  const struct tn_hcl_value *value)
{
	static const struct {
		const char *form;
		bool (*run)(struct tn_import_frame *frame, const struct tn_json *expr,
			    const struct tn_hcl_value *value);
	} forms[] = {
		{"ref", unify_ref},         {"scope", unify_scope},        {"self", unify_self},
		{"extra", unify_extra},     {"itemRef", unify_item_ref},   {"var", unify_var},
		{"item", unify_item},       {"lookup", unify_lookup},      {"part", unify_part},
		{"fn", tn_import_unify_fn}, {"eachList", unify_each_list},
	};
	const struct tn_json *inner;
	struct tn_str text;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (tn_json_get(expr, forms[i].form))
			return forms[i].run(frame, expr, value);
	}
	if (tn_json_to_str(tn_json_get(expr, "prop"), &text))
		return unify_prop(frame, text, value);
	if (tn_json_to_str(tn_json_get(expr, "raw"), &text))
		return unify_raw(frame, text, value);
	if (tn_json_to_str(tn_json_get(expr, "text"), &text)) {
		inner = constant(frame, value);
		return tn_json_is(inner, TN_JSON_STRING) &&
		       tn_import_unify_text(frame, text, inner->text);
	}
	if ((inner = tn_json_get(expr, "lit")))
		return unify_lit(frame, inner, value);
	if ((inner = tn_json_get(expr, "choose")))
		return unify_choose(frame, inner, value);
	if ((inner = tn_json_get(expr, "list")))
		return unify_list(frame, inner, value);
	inner = tn_json_get(expr, "object");
	return inner && tn_import_unify_object(frame, inner, value);
}

bool tn_import_unify(struct tn_import_frame *frame, const struct tn_json *expr,
		     const struct tn_hcl_value *value)
{
	struct tn_import_frame inside = *frame;

	if (!expr || frame->depth >= EXPRESSION_DEPTH_MAX || frame->import->full)
		return false;
	inside.depth++;
	return unify(&inside, expr, value);
}
