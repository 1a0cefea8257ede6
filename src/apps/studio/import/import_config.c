/* What is no resource: tags, providers, the backend, outputs, and what must stay as text. */
#include "apps/studio/registry/property_check.h"
#include "apps/studio/document/document.h"
#include "apps/studio/import/internal.h"

enum { VOTES_MAX = 64 };

/* ---- tags ---- */

static const struct tn_hcl_value *plain_tags(struct tn_import *import,
					     const struct tn_hcl_value *value)
{
	value = tn_import_resolve(&import->reading, value);
	if (value->kind != TN_HCL_CONSTANT || value->value->type != TN_JSON_OBJECT)
		return NULL;
	for (const struct tn_json *one = value->value->first; one; one = one->next) {
		if (one->type != TN_JSON_STRING)
			return NULL;
	}
	return value;
}

/* Those that most resources have: one set is for all. */
static const struct tn_hcl_value *elect_tags(struct tn_import *import)
{
	const struct tn_hcl_value *votes[VOTES_MAX];
	size_t counts[VOTES_MAX] = {0}, count = 0, best = 0;

	for (size_t i = 0; i < import->reading.object_count; i++) {
		const struct tn_hcl_attribute *tags =
			tn_hcl_attribute_find(import->reading.objects[i]->body, "tags");
		const struct tn_hcl_value *value = tags ? plain_tags(import, tags->value) : NULL;
		size_t at = 0;

		if (!value)
			continue;
		while (at < count && !tn_json_equal(votes[at]->value, value->value))
			at++;
		if (at == VOTES_MAX)
			continue;
		votes[at] = value;
		counts[at]++;
		count += at == count;
	}
	for (size_t i = 1; i < count; i++)
		best = counts[i] > counts[best] ? i : best;
	return count > 0 ? votes[best] : NULL;
}

void tn_import_find_tags(struct tn_import *import)
{
	const struct tn_studio_document *document = import->edit->document;
	const struct tn_json *tags = tn_json_get(document->config, "tags");
	const struct tn_import_local *local;

	/* A diagram that has something in it keeps the tags it has. */
	if (document->node_count > 0) {
		import->tags =
			tags && tags->count > 0 ? tn_import_wrap(&import->reading, tags) : NULL;
		return;
	}
	local = tn_import_local_find(&import->reading, TN_STR("common_tags"));
	if (local)
		import->tags = plain_tags(import, local->attribute->value);
	if (!import->tags)
		import->tags = elect_tags(import);
	import->new_tags = true;
}

/* ---- outputs ---- */

/* The node an output is of: by its primary block, or by what stands for that. */
static struct tn_import_node *node_of_output(struct tn_import *import,
					     const struct tn_hcl_value *value)
{
	const struct tn_import_object *object = tn_import_object_of(&import->reading, value);
	struct tn_import_node *node = object ? object->node : NULL;

	if (object && object->owner && object->owner->type->no_primary &&
	    object->extra == object->owner->type->extra->first)
		node = object->owner;
	return node && !node->gone ? node : NULL;
}

/* Only what generation writes, too: the value, and whether it is secret. */
static bool is_plain_output(const struct tn_hcl_block *block)
{
	for (const struct tn_hcl_attribute *one = block->body->attributes; one; one = one->next) {
		if (!tn_str_is(one->name, "value") && !tn_str_is(one->name, "sensitive"))
			return false;
	}
	return block->label_count == 1 && !block->body->blocks;
}

static bool take_output(struct tn_import *import, const struct tn_hcl_block *block)
{
	const struct tn_hcl_attribute *value = tn_hcl_attribute_find(block->body, "value");
	struct tn_import_node *node = value ? node_of_output(import, value->value) : NULL;
	struct tn_str path, name;

	if (!node || !is_plain_output(block))
		return false;
	path = tn_import_path(import->arena, value->value, 2);
	for (size_t i = 0; i < node->type->output_count; i++) {
		const struct tn_studio_output *output = &node->type->outputs[i];

		name = tn_import_format(import->arena, "%.*s_%.*s", (int)node->own.size,
					node->own.data, (int)output->key.size, output->key.data);
		if (!tn_str_equal(output->attribute, path) || !tn_str_equal(name, block->labels[0]))
			continue;
		if (!tn_import_binding(node->bindings, TN_IMPORT_OUTPUT, output->key))
			tn_import_bind(import, &node->bindings, TN_IMPORT_OUTPUT, output->key, NULL,
				       NULL);
		return true;
	}
	return false;
}

/* ---- providers and the backend ---- */

static void lose(struct tn_import *import, const struct tn_import_other *other,
		 struct tn_hcl_range range, struct tn_str attribute, struct tn_str text,
		 const char *why)
{
	struct tn_import_note *note = tn_import_new(import, sizeof(*note));

	if (!note)
		return;
	*note = (struct tn_import_note){.file = other->file,
					.line = range.line,
					.attribute = attribute,
					.text = text,
					.why = why,
					.next = import->lost};
	import->lost = note;
}

static void set_config(struct tn_import *import, const char *group, struct tn_str key,
		       const struct tn_json *value)
{
	const struct tn_json *inside = tn_json_get(import->config, group);
	const struct tn_json *made = tn_json_with(import->arena, inside, key, value);

	if (made)
		import->config =
			tn_json_with(import->arena, import->config, tn_str_from(group), made);
	import->full = import->full || !made || !import->config;
	import->config_changed = true;
}

static bool is_used(const struct tn_import *import, struct tn_str provider)
{
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (!node->gone && tn_str_equal(node->type->provider_id, provider))
			return true;
	}
	return false;
}

static const struct tn_studio_property *setting(const struct tn_studio_provider *provider,
						struct tn_str key)
{
	for (size_t i = 0; i < provider->config_count; i++) {
		if (tn_str_equal(provider->config[i].key, key))
			return &provider->config[i];
	}
	return NULL;
}

static bool take_provider(struct tn_import *import, const struct tn_import_other *other)
{
	const struct tn_hcl_block *block = other->block;
	const struct tn_studio_provider *provider =
		block->label_count == 1
			? tn_studio_provider_find(import->registry, block->labels[0])
			: NULL;
	const struct tn_json *values;

	if (!provider || !is_used(import, provider->id) ||
	    tn_hcl_attribute_find(block->body, "alias"))
		return false;
	values = tn_json_get_str(tn_json_get(import->config, "providers"), provider->id);
	for (const struct tn_hcl_attribute *one = block->body->attributes; one; one = one->next) {
		const struct tn_studio_property *property = setting(provider, one->name);
		const struct tn_hcl_value *known = tn_import_resolve(&import->reading, one->value);
		const struct tn_json *stored;
		char why[256];

		if (!property || known->kind != TN_HCL_CONSTANT ||
		    !tn_studio_check_value(property, known->value, import->arena, &stored, why,
					   sizeof(why))) {
			lose(import, other, one->range, one->name, one->value->text,
			     "the provider's settings have no place for this value");
			continue;
		}
		values = tn_json_with(import->arena, values, one->name, stored);
		set_config(import, "providers", provider->id, values);
	}
	for (const struct tn_hcl_block *one = block->body->blocks; one; one = one->next) {
		if (one->body->attributes || one->body->blocks)
			lose(import, other, one->range, one->type, one->text,
			     "the provider's settings have no such block");
	}
	return true;
}

static void take_backend(struct tn_import *import, const struct tn_import_other *other,
			 const struct tn_hcl_block *backend)
{
	struct tn_json_maker maker;
	const struct tn_json *type = tn_json_make_str(
		import->arena, backend->label_count ? backend->labels[0] : TN_STR("local"));
	struct tn_json *backend_config;

	tn_json_maker_begin(&maker, import->arena, TN_JSON_OBJECT);
	for (const struct tn_hcl_attribute *one = backend->body->attributes; one; one = one->next) {
		if (one->value->kind == TN_HCL_CONSTANT)
			tn_json_maker_put(&maker, one->name, one->value->value);
		else
			lose(import, other, one->range, one->name, one->value->text,
			     "a backend holds plain values");
	}
	backend_config = tn_json_maker_end(&maker);
	set_config(import, "backend", TN_STR("type"), type);
	set_config(import, "backend", TN_STR("config"), backend_config);
}

static void take_required(struct tn_import *import, const struct tn_import_other *other,
			  const struct tn_hcl_block *required)
{
	for (const struct tn_hcl_attribute *one = required->body->attributes; one;
	     one = one->next) {
		if (!is_used(import, one->name))
			lose(import, other, one->range, one->name, one->value->text,
			     "no resource of the diagram uses this provider; without an entry the "
			     "engine takes hashicorp's");
	}
}

static bool take_terraform(struct tn_import *import, const struct tn_import_other *other)
{
	const struct tn_hcl_body *body = other->block->body;

	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (!tn_str_is(one->name, "required_version"))
			lose(import, other, one->range, one->name, one->value->text,
			     "the diagram has no place for this setting");
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (tn_str_is(one->type, "backend") && import->edit->document->node_count == 0)
			take_backend(import, other, one);
		else if (tn_str_is(one->type, "required_providers"))
			take_required(import, other, one);
		else
			lose(import, other, one->range, one->type, one->text,
			     "the diagram has no place for this block");
	}
	return true;
}

/* ---- data blocks ---- */

/* What a type of the diagram asks for is written again. */
static bool take_data(struct tn_import *import, const struct tn_hcl_block *block)
{
	if (block->label_count != 2 || block->body->attributes || block->body->blocks)
		return false;
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		for (const struct tn_json *one =
			     !node->gone && node->type->data ? node->type->data->first : NULL;
		     one; one = one->next) {
			struct tn_str type = TN_STR(""), name = TN_STR("");

			(void)tn_json_to_str(tn_json_get(one, "type"), &type);
			(void)tn_json_to_str(tn_json_get(one, "name"), &name);
			if (tn_str_equal(type, block->labels[0]) &&
			    tn_str_equal(name, block->labels[1]))
				return true;
		}
	}
	return false;
}

void tn_import_others(struct tn_import *import)
{
	import->config = import->edit->document->config;
	if (import->new_tags && import->tags && import->tags->item_count > 0) {
		import->config = tn_json_with(import->arena, import->config, TN_STR("tags"),
					      import->tags->value);
		import->config_changed = true;
	}
	for (struct tn_import_other *other = import->reading.others; other; other = other->next) {
		struct tn_str type = other->block->type;

		if (tn_str_is(type, "output"))
			other->taken = take_output(import, other->block);
		else if (tn_str_is(type, "provider"))
			other->taken = take_provider(import, other);
		else if (tn_str_is(type, "terraform"))
			other->taken = take_terraform(import, other);
		else if (tn_str_is(type, "data"))
			other->taken = take_data(import, other->block);
		else if (tn_str_is(type, "variable") || tn_str_is(type, "locals"))
			other->taken = true; /* unless what stays needs it: import_foreign.c */
	}
}
