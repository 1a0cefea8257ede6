#include "apps/studio/registry/registry.h"

#include <math.h>
#include <stdio.h>

#include "jsonrpc/json_write.h"

static const char *const side_names[] = {"top", "right", "bottom", "left"};

static void put_text(struct tn_buf *out, const char *key, struct tn_str text)
{
	if (text.size > 0)
		tn_json_put_member_str(out, key, text);
}

static void put_value(struct tn_buf *out, const char *key, const struct tn_json *value)
{
	if (!value)
		return;
	tn_json_put_key(out, key);
	tn_json_put_value(out, value);
}

static void put_number(struct tn_buf *out, const char *key, double value)
{
	if (isnan(value))
		return;
	tn_json_put_key(out, key);
	tn_json_put_double(out, value);
}

static void put_true(struct tn_buf *out, const char *key, bool value)
{
	if (value)
		tn_json_put_member_bool(out, key, true);
}

/* ---- handles and connections ---- */

static void put_handles(struct tn_buf *out, const struct tn_studio_type *type)
{
	tn_json_put_key(out, "handles");
	tn_json_begin_array(out);
	for (size_t i = 0; i < type->handle_count; i++) {
		const struct tn_studio_handle *handle = &type->handles[i];

		if (handle->dead)
			continue;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "id", handle->id);
		tn_json_put_member_text(out, "type", handle->source ? "source" : "target");
		tn_json_put_member_str(out, "label",
				       handle->label.size > 0 ? handle->label : handle->id);
		tn_json_put_member_text(out, "position", side_names[handle->side]);
		if (handle->max > 0)
			tn_json_put_member_int(out, "max", handle->max);
		put_true(out, "acceptsOutputs", handle->accepts_outputs);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_pair(struct tn_buf *out, struct tn_str handle, bool outgoing, struct tn_str type,
		     struct tn_str other_handle, struct tn_str label)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "handle", handle);
	tn_json_put_member_text(out, "direction", outgoing ? "out" : "in");
	tn_json_put_member_str(out, "otherTypeId", type);
	tn_json_put_member_str(out, "otherHandle", other_handle);
	put_text(out, "label", label);
	tn_json_end_object(out);
}

/* Legal pairs of handles with other types: by rules, then by references. */
static void put_connections(struct tn_buf *out, const struct tn_studio_registry *registry,
			    const struct tn_studio_type *type)
{
	tn_json_put_key(out, "connections");
	tn_json_begin_array(out);
	for (size_t i = 0; i < registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &registry->rules[i];

		if (rule->from == type)
			put_pair(out, rule->from_handle, true, rule->to->id, rule->to_handle,
				 rule->label);
		if (rule->to == type)
			put_pair(out, rule->to_handle, false, rule->from->id, rule->from_handle,
				 rule->label);
	}
	for (size_t i = 0; i < type->property_count; i++) {
		const struct tn_studio_property *property = &type->properties[i];
		char handle[160];
		int size;

		if (property->type != TN_STUDIO_REFERENCE)
			continue;
		size = snprintf(handle, sizeof(handle), "ref-%.*s", (int)property->key.size,
				property->key.data);
		for (const struct tn_json *to = property->to ? property->to->first : NULL; to;
		     to = to->next)
			put_pair(out, tn_str(handle, (size_t)size), true, to->text, TN_STR("node"),
				 property->label);
	}
	tn_json_end_array(out);
}

/* ---- properties ---- */

static void put_property(struct tn_buf *out, const struct tn_studio_property *property, bool full);

static void put_fields(struct tn_buf *out, const struct tn_studio_property *property)
{
	if (property->type == TN_STUDIO_ARRAY) {
		tn_json_put_key(out, "items");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "type",
					tn_studio_value_type_name(property->item_type));
		if (property->item_type == TN_STUDIO_ENUM)
			put_value(out, "allowed", property->allowed);
	}
	if (property->field_count > 0) {
		tn_json_put_key(out, "fields");
		tn_json_begin_array(out);
		for (size_t i = 0; i < property->field_count; i++)
			put_property(out, &property->fields[i], true);
		tn_json_end_array(out);
	}
	if (property->type == TN_STUDIO_ARRAY)
		tn_json_end_object(out);
}

static void put_limits(struct tn_buf *out, const struct tn_studio_property *property)
{
	if (property->type != TN_STUDIO_ARRAY)
		put_value(out, "allowed", property->allowed);
	put_true(out, "open", property->open);
	put_number(out, "min", property->min);
	put_number(out, "max", property->max);
	if (property->min_length >= 0)
		tn_json_put_member_int(out, "minLength", property->min_length);
	if (property->max_length >= 0)
		tn_json_put_member_int(out, "maxLength", property->max_length);
	put_text(out, "pattern", property->pattern_text);
}

static void put_property(struct tn_buf *out, const struct tn_studio_property *property, bool full)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "key", property->key);
	tn_json_put_member_str(out, "label", property->label);
	tn_json_put_member_text(out, "type", tn_studio_value_type_name(property->type));
	tn_json_put_member_bool(out, "required", property->required);
	put_text(out, "description", property->description);
	put_value(out, "defaultValue", property->default_value);
	if (full) {
		put_value(out, "defaultBy", property->default_by);
		put_limits(out, property);
		put_fields(out, property);
		put_value(out, "to", property->to);
		put_true(out, "many", property->many);
		put_true(out, "edge", property->edge);
		put_true(out, "fromEdge", property->from_edge);
		put_true(out, "sensitive", property->sensitive);
		put_true(out, "inRegion", property->in_region);
		put_text(out, "group", property->group);
		put_value(out, "visibleWhen", property->visible_when);
		put_value(out, "requiredWhen", property->required_when);
		put_true(out, "implicit", property->implicit);
		put_true(out, "canBeVariable",
			 property->emit != TN_STUDIO_EMIT_NEVER &&
				 property->type != TN_STUDIO_REFERENCE);
	}
	tn_json_end_object(out);
}

static void put_outputs(struct tn_buf *out, const struct tn_studio_type *type)
{
	tn_json_put_key(out, "outputs");
	tn_json_begin_array(out);
	for (size_t i = 0; i < type->output_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "key", type->outputs[i].key);
		tn_json_put_member_str(out, "attribute", type->outputs[i].attribute);
		put_true(out, "sensitive", type->outputs[i].sensitive);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_full(struct tn_buf *out, const struct tn_studio_registry *registry,
		     const struct tn_studio_type *type)
{
	put_outputs(out, type);
	put_value(out, "terraform", type->terraform);
	put_value(out, "parentReference", type->parent_reference);
	put_value(out, "visualParents", type->visual_parents);
	put_value(out, "needs", type->needs);
	put_value(out, "naming", type->naming);
	put_value(out, "namingTokens", type->naming_tokens);
	put_value(out, "privateEndpoint", type->private_endpoint);
	put_value(out, "cost", type->cost);
	put_text(out, "docsUrl", type->docs_url);
	put_text(out, "icon", type->icon);
	put_true(out, "hidden", type->hidden);
	put_true(out, "isAnnotation", type->is_annotation);
	put_true(out, "fromProject", type->from_project);
	put_connections(out, registry, type);
}

void tn_studio_type_put(struct tn_buf *out, const struct tn_studio_registry *registry,
			const struct tn_studio_type *type, enum tn_studio_detail detail)
{
	tn_json_put_member_str(out, "typeId", type->id);
	tn_json_put_member_str(out, "displayName", type->display_name);
	tn_json_put_member_str(out, "category", type->category);
	tn_json_put_member_str(out, "provider", type->provider_id);
	if (detail != TN_STUDIO_NAMES) {
		tn_json_put_member_str(out, "description", type->description);
		tn_json_put_member_bool(out, "isContainer", type->container);
		/* Always a list (FR-27). Anywhere is no empty one: that would be nowhere. */
		tn_json_put_key(out, "canBeChildOf");
		if (type->can_be_child_of)
			tn_json_put_value(out, type->can_be_child_of);
		else
			tn_buf_append_text(out, "[\"*\"]");
		put_handles(out, type);
		tn_json_put_key(out, "properties");
		tn_json_begin_array(out);
		for (size_t i = 0; i < type->property_count; i++)
			put_property(out, &type->properties[i], detail == TN_STUDIO_FULL);
		tn_json_end_array(out);
	}
	if (detail == TN_STUDIO_FULL)
		put_full(out, registry, type);
}

void tn_studio_provider_put(struct tn_buf *out, const struct tn_studio_provider *provider)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "id", provider->id);
	tn_json_put_member_str(out, "displayName", provider->display_name);
	put_text(out, "source", provider->source);
	put_text(out, "version", provider->version);
	tn_json_put_key(out, "config");
	tn_json_begin_array(out);
	for (size_t i = 0; i < provider->config_count; i++)
		put_property(out, &provider->config[i], true);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

void tn_studio_bindings_put(struct tn_buf *out, const struct tn_studio_registry *registry)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < registry->binding_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "typeId", registry->bindings[i].to->id);
		tn_json_put_member_str(out, "handle", registry->bindings[i].handle);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}
