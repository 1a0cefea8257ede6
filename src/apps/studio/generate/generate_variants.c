#include "apps/studio/generate/generate_variants.h"

#include <stdio.h>

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

enum { SET_MAX = 96, MADE_MAX = 64, PASSES_MAX = 6 };

struct set { /* one property that has a value */
	struct tn_str key;
	char *json; /* in the arena of the variant */
};

struct variant {
	struct tn_studio_gen_kit *kit;
	tn_studio_variant_fn *each;
	void *data;
	size_t count;
	bool stopped;

	const struct tn_studio_type *type, *parent;
	struct tn_arena arena; /* of what follows */
	struct set sets[SET_MAX];
	size_t set_count;
	struct tn_str references[SET_MAX];
	size_t reference_count;
	struct tn_str variable; /* in variable mode; empty: none */
	char label[256];

	struct tn_buf out; /* the diagram */
	const struct tn_studio_type *made[MADE_MAX];
	size_t made_count;
};

/* ---- values that serve ---- */

static void put_sample(struct variant *variant, struct tn_buf *out,
		       const struct tn_studio_property *property);
static struct tn_str id_of(struct variant *variant, const struct tn_studio_type *type);

/* The first type a reference may lead to; NULL: any. */
static const struct tn_studio_type *first_target(const struct variant *variant,
						 const struct tn_studio_property *property)
{
	struct tn_str id;
	if (!property->to || !tn_json_to_str(property->to->first, &id))
		return NULL;
	return tn_studio_type_find(variant->kit->registry, id);
}

static void put_first_allowed(struct tn_buf *out, const struct tn_studio_property *property)
{
	if (property->allowed && property->allowed->first)
		tn_json_put_value(out, property->allowed->first);
	else
		tn_json_put_text(out, "sample");
}

static void put_scalar(struct tn_buf *out, const struct tn_studio_property *property,
		       enum tn_studio_value_type type)
{
	switch (type) {
	case TN_STUDIO_NUMBER:
		tn_json_put_int(out, property->min > 1 ? (int64_t)property->min : 1);
		break;
	case TN_STUDIO_BOOLEAN:
		tn_json_put_bool(out, true);
		break;
	case TN_STUDIO_ENUM:
	case TN_STUDIO_ENUM_LIST:
		put_first_allowed(out, property);
		break;
	case TN_STUDIO_CIDR:
		tn_json_put_text(out, "10.0.0.0/24");
		break;
	default:
		tn_json_put_text(out, "sample");
	}
}

static void put_fields(struct variant *variant, struct tn_buf *out,
		       const struct tn_studio_property *property)
{
	tn_json_begin_object(out);
	for (size_t i = 0; i < property->field_count; i++) {
		const struct tn_studio_property *field = &property->fields[i];
		if (field->sensitive)
			continue;
		tn_json_put_key_str(out, field->key);
		if (field->type == TN_STUDIO_NODE)
			tn_json_put_str(out, id_of(variant, first_target(variant, field)));
		else
			put_sample(variant, out, field);
	}
	tn_json_end_object(out);
}

static void put_sample(struct variant *variant, struct tn_buf *out,
		       const struct tn_studio_property *property)
{
	switch (property->type) {
	case TN_STUDIO_ARRAY:
	case TN_STUDIO_ENUM_LIST:
		tn_json_begin_array(out);
		if (property->field_count)
			put_fields(variant, out, property);
		else
			put_scalar(out, property, property->item_type);
		tn_json_end_array(out);
		break;
	case TN_STUDIO_MAP:
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "KEY", "value");
		tn_json_put_member_text(out, "a key", "another");
		tn_json_end_object(out);
		break;
	case TN_STUDIO_OBJECT:
		put_fields(variant, out, property);
		break;
	default:
		put_scalar(out, property, property->type);
	}
}

static void set_json(struct variant *variant, struct tn_str key, const struct tn_buf *json)
{
	char *copy = tn_arena_copy(&variant->arena, tn_buf_str(json));
	size_t at = 0;
	while (at < variant->set_count && !tn_str_equal(variant->sets[at].key, key))
		at++;
	tn_assert(copy && at < SET_MAX);
	variant->sets[at] = (struct set){key, copy};
	if (at == variant->set_count)
		variant->set_count++;
}

static void set_value(struct variant *variant, struct tn_str key, const struct tn_json *value)
{
	struct tn_buf json;
	tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_put_value(&json, value);
	set_json(variant, key, &json);
	tn_buf_finish(&json);
}

static bool is_set(const struct variant *variant, struct tn_str key)
{
	for (size_t i = 0; i < variant->set_count; i++) {
		if (tn_str_equal(variant->sets[i].key, key))
			return true;
	}
	return false;
}

static void set_sample(struct variant *variant, const struct tn_studio_property *property)
{
	struct tn_buf json;
	if (property->type == TN_STUDIO_REFERENCE) {
		for (size_t i = 0; i < variant->reference_count; i++) {
			if (tn_str_equal(variant->references[i], property->key))
				return;
		}
		tn_assert(variant->reference_count < SET_MAX);
		variant->references[variant->reference_count++] = property->key;
		return;
	}
	if (is_set(variant, property->key))
		return;
	tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
	put_sample(variant, &json, property);
	set_json(variant, property->key, &json);
	tn_buf_finish(&json);
}

/* ---- making a property visible ---- */

static void show(struct variant *variant, const struct tn_studio_property *property);

static void fulfil(struct variant *variant, const struct tn_json *condition)
{
	struct tn_str key;
	const struct tn_json *list = tn_json_get(condition, "all");
	if (!list)
		list = tn_json_get(condition, "any");
	for (const struct tn_json *one = list ? list->first : NULL; one; one = one->next)
		fulfil(variant, one);
	if (!tn_json_to_str(tn_json_get(condition, "prop"), &key))
		return;
	const struct tn_studio_property *by = tn_studio_property_find(variant->type, key);
	const struct tn_json *is = tn_json_get(condition, "is");
	const struct tn_json *in = tn_json_get(condition, "in");
	const struct tn_json *not = tn_json_get(condition, "not");
	if (!by)
		return;
	show(variant, by);
	if (is || in)
		set_value(variant, key, is ? is : in->first);
	else if (tn_json_is(tn_json_get(condition, "truthy"), TN_JSON_TRUE) ||
		 tn_json_is(tn_json_get(condition, "set"), TN_JSON_TRUE))
		set_sample(variant, by);
	for (const struct tn_json *one = not &&by->allowed ? by->allowed->first : NULL; one;
	     one = one->next) {
		if (!tn_json_equal(one, not )) {
			set_value(variant, key, one);
			break;
		}
	}
}

static void show(struct variant *variant, const struct tn_studio_property *property)
{
	if (property->visible_when)
		fulfil(variant, property->visible_when);
}

/* ---- the diagram ---- */

static struct tn_str id_of(struct variant *variant, const struct tn_studio_type *type)
{
	return tn_str_from(tn_arena_format(&variant->arena, "t%u", type->order));
}

static const struct tn_studio_type *parent_of(const struct variant *variant,
					      const struct tn_studio_type *type)
{
	const struct tn_json *ids = tn_json_get(type->parent_reference, "from");
	struct tn_str id;
	if (!ids || !ids->first)
		ids = type->can_be_child_of;
	if (!ids || !tn_json_to_str(ids->first, &id))
		return NULL;
	return tn_studio_type_find(variant->kit->registry, id);
}

static void begin_node(struct variant *variant, const struct tn_studio_type *type, struct tn_str id,
		       const struct tn_studio_type *parent)
{
	tn_json_begin_object(&variant->out);
	tn_json_put_member_str(&variant->out, "id", id);
	tn_json_put_member_str(&variant->out, "typeId", type->id);
	tn_json_put_member_str(&variant->out, "label", type->display_name);
	tn_json_put_member_str(&variant->out, "terraformName", id);
	if (parent)
		tn_json_put_member_str(&variant->out, "parentId", id_of(variant, parent));
	tn_json_put_member_raw(&variant->out, "position", TN_STR("{\"x\":0,\"y\":0}"));
}

/* A node of the type with those around it, once. */
static void need(struct variant *variant, const struct tn_studio_type *type)
{
	for (size_t i = 0; i < variant->made_count; i++) {
		if (variant->made[i] == type)
			return;
	}
	tn_assert(variant->made_count < MADE_MAX);
	variant->made[variant->made_count++] = type;
	const struct tn_studio_type *parent = parent_of(variant, type);
	if (parent)
		need(variant, parent);
	begin_node(variant, type, id_of(variant, type), parent);
	if (tn_studio_property_find(type, TN_STR("name"))) {
		tn_json_put_key(&variant->out, "properties");
		tn_json_begin_object(&variant->out);
		tn_json_put_member_str(&variant->out, "name", type->display_name);
		tn_json_end_object(&variant->out);
	}
	tn_json_end_object(&variant->out);
}

static const struct tn_studio_type *target_of(const struct variant *variant, struct tn_str key)
{
	const struct tn_studio_property *property = tn_studio_property_find(variant->type, key);
	return property ? first_target(variant, property) : NULL;
}

/* What the elements of lists lead to. */
static void need_of_fields(struct variant *variant)
{
	for (size_t i = 0; i < variant->set_count; i++) {
		const struct tn_studio_property *property =
			tn_studio_property_find(variant->type, variant->sets[i].key);
		for (size_t j = 0; property && j < property->field_count; j++) {
			if (property->fields[j].type == TN_STUDIO_NODE)
				need(variant, first_target(variant, &property->fields[j]));
		}
	}
}

static void put_members(struct variant *variant)
{
	struct tn_buf *out = &variant->out;
	tn_json_put_key(out, "properties");
	tn_json_begin_object(out);
	for (size_t i = 0; i < variant->set_count; i++) {
		tn_json_put_key_str(out, variant->sets[i].key);
		tn_json_put_raw(out, tn_str_from(variant->sets[i].json));
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "references");
	tn_json_begin_object(out);
	for (size_t i = 0; i < variant->reference_count; i++) {
		struct tn_str key = variant->references[i];
		const struct tn_studio_type *target = target_of(variant, key);
		if (!target)
			continue;
		tn_json_put_key_str(out, key);
		bool many = tn_studio_property_find(variant->type, key)->many;
		if (many)
			tn_json_begin_array(out);
		tn_json_put_str(out, id_of(variant, target));
		if (many)
			tn_json_end_array(out);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "variableModes");
	tn_json_begin_object(out);
	if (variant->variable.size) {
		tn_json_put_key_str(out, variant->variable);
		tn_json_put_text(out, "variable");
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "enabledOutputs");
	tn_json_begin_array(out);
	for (size_t i = 0; i < variant->type->output_count; i++)
		tn_json_put_str(out, variant->type->outputs[i].key);
	tn_json_end_array(out);
}

static bool load(struct variant *variant)
{
	struct tn_buf *out = &variant->out;
	tn_buf_clear(out);
	variant->made_count = 0;
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "formatVersion", 1);
	tn_json_put_member_int(out, "revision", 1);
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	if (variant->parent)
		need(variant, variant->parent);
	for (size_t i = 0; i < variant->reference_count; i++) {
		const struct tn_studio_type *target = target_of(variant, variant->references[i]);
		if (target)
			need(variant, target);
	}
	need_of_fields(variant);
	begin_node(variant, variant->type, TN_STR(TN_STUDIO_VARIED), variant->parent);
	put_members(variant);
	tn_json_end_object(out);
	tn_json_end_array(out);
	tn_json_put_member_raw(out, "edges", TN_STR("[]"));
	tn_json_put_member_raw(out, "modules", TN_STR("[]"));
	tn_json_put_member_raw(out, "instances", TN_STR("[]"));
	tn_json_end_object(out);
	return !out->failed &&
	       tn_studio_gen_kit_load(variant->kit, tn_buf_str(out), TN_STR("{}"), false);
}

/* What the type needs and does not have gets a value; true: something was missing. */
static bool complete(struct variant *variant)
{
	const struct tn_studio_document *document = &variant->kit->document;
	const struct tn_studio_node *node = tn_studio_node_find(document, TN_STR(TN_STUDIO_VARIED));
	struct tn_studio_scope scope = tn_studio_scope_of(document, node, &variant->kit->arena);
	size_t before = variant->set_count + variant->reference_count;
	for (size_t i = 0; i < variant->type->property_count; i++) {
		const struct tn_studio_property *one = &variant->type->properties[i];
		const struct tn_studio_node *target;
		if (!tn_studio_is_visible(&scope, one) || !tn_studio_is_required(&scope, one))
			continue;
		bool has = one->type == TN_STUDIO_REFERENCE
				   ? tn_studio_references(document, node, one, &target, 1, NULL) > 0
				   : !tn_studio_value_is_empty(tn_studio_value(&scope, one));
		if (!has && !one->sensitive)
			set_sample(variant, one);
	}
	return variant->set_count + variant->reference_count > before;
}

static void begin(struct variant *variant, const char *what, struct tn_str value)
{
	tn_arena_reset(&variant->arena);
	variant->set_count = 0;
	variant->reference_count = 0;
	variant->variable = tn_str("", 0);
	(void)snprintf(variant->label, sizeof(variant->label), "%.*s %s %.*s",
		       (int)variant->type->id.size, variant->type->id.data, what, (int)value.size,
		       value.size ? value.data : ""); /* a label may be cut */
}

static void finish(struct variant *variant)
{
	if (variant->stopped)
		return;
	bool good = load(variant);
	for (unsigned pass = 0; good && pass < PASSES_MAX && complete(variant); pass++)
		good = load(variant);
	good = good && tn_studio_gen_kit_run(variant->kit, NULL) &&
	       variant->each(variant->kit, variant->label, variant->data);
	variant->stopped = !good;
	variant->count++;
}

/* ---- which ---- */

static void vary_values(struct variant *variant, const struct tn_studio_property *property)
{
	for (const struct tn_json *one = property->allowed ? property->allowed->first : NULL; one;
	     one = one->next) {
		begin(variant, property->key.data,
		      one->type == TN_JSON_STRING ? one->text : TN_STR("number"));
		show(variant, property);
		bool list = property->type == TN_STUDIO_ENUM_LIST;
		struct tn_buf json;
		tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
		if (list)
			tn_json_begin_array(&json);
		tn_json_put_value(&json, one);
		if (list)
			tn_json_end_array(&json);
		set_json(variant, property->key, &json);
		tn_buf_finish(&json);
		finish(variant);
	}
}

static void vary_switch(struct variant *variant, const struct tn_studio_property *property)
{
	for (int on = 0; on < 2; on++) {
		const struct tn_json value = {.type = on ? TN_JSON_TRUE : TN_JSON_FALSE};
		begin(variant, property->key.data, on ? TN_STR("true") : TN_STR("false"));
		show(variant, property);
		set_value(variant, property->key, &value);
		finish(variant);
	}
}

/* Each value of each field of the elements of a list. */
static void vary_fields(struct variant *variant, const struct tn_studio_property *property)
{
	for (size_t i = 0; i < property->field_count; i++) {
		const struct tn_studio_property *field = &property->fields[i];
		for (const struct tn_json *one = field->allowed ? field->allowed->first : NULL; one;
		     one = one->next) {
			struct tn_buf json;
			begin(variant, property->key.data, one->text);
			show(variant, property);
			tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
			tn_json_begin_array(&json);
			put_fields(variant, &json, property);
			json.size--; /* its brace: later members win */
			tn_json_put_key_str(&json, field->key);
			if (field->type == TN_STUDIO_ENUM_LIST)
				tn_json_begin_array(&json);
			tn_json_put_value(&json, one);
			if (field->type == TN_STUDIO_ENUM_LIST)
				tn_json_end_array(&json);
			tn_json_end_object(&json);
			tn_json_end_array(&json);
			set_json(variant, property->key, &json);
			tn_buf_finish(&json);
			finish(variant);
		}
	}
}

static void vary_property(struct variant *variant, const struct tn_studio_property *property)
{
	vary_values(variant, property);
	vary_fields(variant, property);
	if (property->type == TN_STUDIO_BOOLEAN)
		vary_switch(variant, property);
	begin(variant, property->key.data, TN_STR("set"));
	show(variant, property);
	if (!property->sensitive)
		set_sample(variant, property);
	finish(variant);
	if (property->emit == TN_STUDIO_EMIT_NEVER || property->type == TN_STUDIO_REFERENCE)
		return;
	begin(variant, property->key.data, TN_STR("variable"));
	show(variant, property);
	variant->variable = property->key;
	finish(variant);
}

static void vary_type(struct variant *variant)
{
	const struct tn_studio_type *type = variant->type;
	variant->parent = parent_of(variant, type);
	begin(variant, "defaults", tn_str("", 0));
	finish(variant);
	for (size_t i = 0; i < type->property_count; i++)
		vary_property(variant, &type->properties[i]);
	for (const struct tn_json *one = type->can_be_child_of ? type->can_be_child_of->first
							       : NULL;
	     one; one = one->next) {
		variant->parent = tn_studio_type_find(variant->kit->registry, one->text);
		begin(variant, "in", one->text);
		finish(variant);
	}
}

size_t tn_studio_each_variant(struct tn_studio_gen_kit *kit, tn_studio_variant_fn *each, void *data)
{
	struct variant variant = {.kit = kit, .each = each, .data = data};
	tn_arena_init(&variant.arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&variant.out, TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t i = 0; i < kit->registry->type_count && !variant.stopped; i++) {
		variant.type = kit->registry->types[i];
		if (!variant.type->is_virtual)
			vary_type(&variant);
	}
	tn_arena_finish(&variant.arena);
	tn_buf_finish(&variant.out);
	return variant.stopped ? 0 : variant.count;
}
