/* Blocks that nobody placed on the canvas: private endpoints (8.6) and bound outputs (5.9). */
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static const struct tn_hcl_body *nested(const struct tn_hcl_body *body, const char *name)
{
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (tn_str_is(one->type, name))
			return one->body;
	}
	return NULL;
}

static const struct tn_hcl_value *value_in(const struct tn_hcl_body *body, const char *name)
{
	const struct tn_hcl_attribute *one = body ? tn_hcl_attribute_find(body, name) : NULL;

	return one ? one->value : NULL;
}

static struct tn_import_node *node_with_id(struct tn_import *import,
					   const struct tn_hcl_value *value)
{
	struct tn_import_object *object =
		value ? tn_import_object_of(&import->reading, value) : NULL;

	if (!object || !object->node || object->node->gone || value->step_count != 3 ||
	    !tn_str_is(value->steps[2], "id"))
		return NULL;
	return object->node;
}

static struct tn_str only_text(const struct tn_hcl_value *value)
{
	if (!value || !tn_json_is(value->value, TN_JSON_ARRAY) || value->value->count != 1 ||
	    value->value->first->type != TN_JSON_STRING)
		return TN_STR("");
	return value->value->first->text;
}

static bool is_text(const struct tn_hcl_value *value, struct tn_str text)
{
	return value && tn_json_is(value->value, TN_JSON_STRING) &&
	       tn_str_equal(value->value->text, text);
}

/* The zone is the service's reference; false: it says something else. */
static bool take_zone(struct tn_import *import, struct tn_import_node *service,
		      const struct tn_hcl_body *group)
{
	const struct tn_hcl_value *ids = value_in(group, "private_dns_zone_ids");
	struct tn_import_node *zone =
		ids && ids->item_count == 1 ? node_with_id(import, ids->items) : NULL;
	const struct tn_studio_property *property =
		tn_studio_property_find(service->type, TN_STR("pep_dns_zone_id"));

	if (!zone || !property || !tn_studio_ids_have(property->to, zone->type))
		return false;
	if (!tn_import_binding(service->bindings, TN_IMPORT_TARGET, property->key))
		tn_import_bind(import, &service->bindings, TN_IMPORT_TARGET, property->key, NULL,
			       zone);
	return true;
}

struct tn_import_node *tn_import_service(struct tn_import *import,
					 const struct tn_import_object *object)
{
	const struct tn_hcl_body *connection = nested(object->body, "private_service_connection");

	if (!tn_str_is(object->type, "azurerm_private_endpoint"))
		return NULL;
	return node_with_id(import, value_in(connection, "private_connection_resource_id"));
}

/* Exactly what a service in a subnet would write; anything else stays a node of its own. */
static bool take_endpoint(struct tn_import *import, struct tn_import_object *object)
{
	const struct tn_hcl_body *connection = nested(object->body, "private_service_connection");
	const struct tn_hcl_body *group = nested(object->body, "private_dns_zone_group");
	struct tn_import_node *service = tn_import_service(import, object);
	struct tn_import_node *subnet = node_with_id(import, value_in(object->body, "subnet_id"));
	struct tn_str sub = only_text(value_in(connection, "subresource_names"));
	const struct tn_studio_property *property;
	struct tn_import_item *item;

	if (!service || !subnet || sub.size == 0 || !service->type->private_endpoint ||
	    !tn_studio_ids_have(service->type->visual_parents, subnet->type) ||
	    (service->parent && service->parent != subnet))
		return false;
	if (!tn_str_equal(object->name,
			  tn_import_format(import->arena, "pe_%.*s_%.*s", (int)service->own.size,
					   service->own.data, (int)sub.size, sub.data)) ||
	    !is_text(value_in(object->body, "name"),
		     tn_import_format(import->arena, "pe-%.*s-%.*s", (int)service->own.size,
				      service->own.data, (int)sub.size, sub.data)))
		return false;
	property = tn_studio_property_find(service->type, TN_STR("pep_subresources"));
	if (!property || (group && !take_zone(import, service, group)))
		return false;
	item = tn_import_add_item(import, service, property);
	if (!item)
		return false;
	tn_import_bind(import, &item->bindings, TN_IMPORT_VALUE, TN_STR(""),
		       tn_json_make_str(import->arena, sub), NULL);
	service->parent = subnet;
	return true;
}

/* ---- bindings ---- */

static const struct tn_studio_output *output_with(const struct tn_studio_type *type,
						  struct tn_str attribute)
{
	for (size_t i = 0; i < type->output_count; i++) {
		if (tn_str_equal(type->outputs[i].attribute, attribute))
			return &type->outputs[i];
	}
	return NULL;
}

static const struct tn_hcl_value *value_of_form(const struct tn_json *items,
						const struct tn_hcl_body *body, const char *form)
{
	for (const struct tn_json *item = items ? items->first : NULL; item; item = item->next) {
		const struct tn_hcl_attribute *one;

		if (!tn_json_get(tn_json_get(item, "value"), form))
			continue;
		one = tn_import_attribute(body, text_of(item, "attr"));
		return one ? one->value : NULL;
	}
	return NULL;
}

static void put_word(struct tn_buf *out, struct tn_str word, const struct tn_import_node *source,
		     struct tn_str key)
{
	const struct tn_import_binding *name =
		tn_import_binding(source->bindings, TN_IMPORT_VALUE, TN_STR("name"));

	if (tn_str_is(word, "{source}"))
		tn_buf_append_str(out, source->own);
	else if (tn_str_is(word, "{source.name}") && name && name->value->type == TN_JSON_STRING)
		tn_buf_append_str(out, name->value->text);
	else if (tn_str_starts(word, TN_STR("{output")))
		tn_buf_append_str(out, key);
}

static struct tn_str dashed(struct tn_import *import, struct tn_str key)
{
	char *copy = tn_arena_copy(import->arena, key);

	for (size_t i = 0; copy && i < key.size; i++)
		copy[i] = copy[i] == '_' ? '-' : copy[i];
	return copy ? tn_str(copy, key.size) : TN_STR("");
}

/* "{source.name}-{output:dash}" */
static struct tn_str bound_text(struct tn_import *import, struct tn_str pattern,
				const struct tn_import_node *source, struct tn_str key)
{
	struct tn_str ret = TN_STR("");
	struct tn_buf out;
	char *copy;

	tn_buf_init(&out, TN_STUDIO_STRING_BYTES_MAX);
	while (pattern.size > 0) {
		size_t close = tn_str_find_byte(pattern, '}'), size = 1;

		if (pattern.data[0] == '{' && close != TN_STR_NONE) {
			size = close + 1;
			put_word(&out, tn_str(pattern.data, size), source, key);
		} else {
			tn_buf_append_byte(&out, pattern.data[0]);
		}
		pattern = tn_str_from_offset(pattern, size);
	}
	copy = out.failed ? NULL : tn_arena_copy(import->arena, tn_buf_str(&out));
	if (copy)
		ret = tn_str(copy, out.size);
	tn_buf_finish(&out);
	return ret;
}

static bool take_binding(struct tn_import *import, const struct tn_studio_binding *binding,
			 struct tn_import_object *object)
{
	const struct tn_json *items = tn_json_get(binding->emits, "items");
	const struct tn_hcl_value *value = value_of_form(items, object->body, "source");
	struct tn_import_node *target =
		node_with_id(import, value_of_form(items, object->body, "target"));
	struct tn_import_object *from = value ? tn_import_object_of(&import->reading, value) : NULL;
	const struct tn_studio_output *output;
	struct tn_import_edge *edge;

	if (!target || target->type != binding->to || !from || !from->node || from->node->gone)
		return false;
	output = output_with(from->node->type, tn_import_path(import->arena, value, 2));
	if (!output ||
	    !tn_str_equal(object->name, bound_text(import, text_of(binding->emits, "name"),
						   from->node, output->key)))
		return false;
	for (const struct tn_json *item = items->first; item; item = item->next) {
		struct tn_str pattern = text_of(tn_json_get(item, "value"), "text");
		const struct tn_hcl_attribute *one =
			tn_import_attribute(object->body, text_of(item, "attr"));

		if (pattern.size > 0 &&
		    (!one || !is_text(one->value, bound_text(import, pattern, from->node,
							     dashed(import, output->key)))))
			return false;
	}
	edge = tn_import_new(import, sizeof(*edge));
	if (!edge)
		return false;
	*edge = (struct tn_import_edge){.source = from->node,
					.target = target,
					.source_handle = tn_import_format(import->arena, "out-%.*s",
									  (int)output->key.size,
									  output->key.data),
					.target_handle = binding->handle,
					.next = import->edges};
	import->edges = edge;
	if (!tn_import_binding(from->node->bindings, TN_IMPORT_OUTPUT, output->key))
		tn_import_bind(import, &from->node->bindings, TN_IMPORT_OUTPUT, output->key, NULL,
			       NULL);
	return true;
}

void tn_import_endpoints(struct tn_import *import)
{
	for (size_t i = 0; i < import->reading.object_count && !import->state; i++) {
		struct tn_import_object *object = import->reading.objects[i];
		bool taken;

		if (object->owner || object->why || object->bound)
			continue;
		taken = tn_str_is(object->type, "azurerm_private_endpoint") &&
			take_endpoint(import, object);
		for (size_t j = 0; !taken && j < import->registry->binding_count; j++) {
			const struct tn_studio_binding *binding = &import->registry->bindings[j];

			taken = tn_str_equal(object->type, text_of(binding->emits, "type")) &&
				take_binding(import, binding, object);
		}
		if (!taken)
			continue;
		if (object->node)
			object->node->gone = true;
		object->bound = true;
		object->node = NULL;
	}
}
