#include "apps/studio/picture/entry.h"

#include <stdio.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/document/geometry.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

enum { REFERENCES_MAX = TN_STUDIO_LIST_MAX };

static const struct tn_str hidden = {"[redacted]", sizeof("[redacted]") - 1};

static void put_member_if(struct tn_buf *out, const char *key, struct tn_str value)
{
	if (value.size > 0)
		tn_json_put_member_str(out, key, value);
}

static void put_point(struct tn_buf *out, const char *key, int32_t x, int32_t y)
{
	tn_json_put_key(out, key);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "x", x);
	tn_json_put_member_int(out, "y", y);
	tn_json_end_object(out);
}

static void put_size(struct tn_buf *out, int32_t width, int32_t height)
{
	tn_json_put_key(out, "size");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "width", width);
	tn_json_put_member_int(out, "height", height);
	tn_json_end_object(out);
}

/* ---- properties ---- */

static bool has_sensitive_field(const struct tn_studio_property *property)
{
	for (size_t i = 0; i < property->field_count; i++) {
		if (property->fields[i].sensitive)
			return true;
	}
	return false;
}

static bool is_sensitive_field(const struct tn_studio_property *property, struct tn_str key)
{
	for (size_t i = 0; i < property->field_count; i++) {
		if (tn_str_equal(property->fields[i].key, key))
			return property->fields[i].sensitive;
	}
	return false;
}

static void put_item(struct tn_buf *out, const struct tn_studio_property *property,
		     const struct tn_json *item)
{
	if (!tn_json_is(item, TN_JSON_OBJECT)) {
		tn_json_put_value(out, item);
		return;
	}
	tn_json_begin_object(out);
	for (const struct tn_json *at = item->first; at; at = at->next) {
		tn_json_put_key_str(out, at->key);
		if (is_sensitive_field(property, at->key))
			tn_json_put_str(out, hidden);
		else
			tn_json_put_value(out, at);
	}
	tn_json_end_object(out);
}

static void put_value(struct tn_buf *out, const struct tn_studio_property *property,
		      const struct tn_json *value)
{
	if (property && property->sensitive) {
		tn_json_put_str(out, hidden);
	} else if (property && has_sensitive_field(property) && tn_json_is(value, TN_JSON_ARRAY)) {
		tn_json_begin_array(out);
		for (const struct tn_json *at = value->first; at; at = at->next)
			put_item(out, property, at);
		tn_json_end_array(out);
	} else if (property && has_sensitive_field(property)) {
		put_item(out, property, value);
	} else {
		tn_json_put_value(out, value);
	}
}

/* Whether a reader takes it for this text without quotes, too: a letter, then what names consist
 * of, and no other value is written so. */
static bool is_plain(struct tn_str text)
{
	if (text.size == 0 || !tn_is_alpha(text.data[0]) || tn_str_is(text, "true") ||
	    tn_str_is(text, "false") || tn_str_is(text, "null"))
		return false;
	for (size_t i = 1; i < text.size; i++) {
		if (!tn_is_alpha(text.data[i]) && !tn_is_digit(text.data[i]) &&
		    !strchr("-_.", text.data[i]))
			return false;
	}
	return true;
}

void tn_studio_put_plain(struct tn_buf *out, struct tn_str text)
{
	if (is_plain(text))
		tn_buf_append_str(out, text);
	else
		tn_json_put_str(out, text);
}

/* A key of one of the two forms, behind which a value goes. */
static void put_property_key(struct tn_buf *out, struct tn_str key, bool in_line)
{
	if (!in_line) {
		tn_json_put_key_str(out, key);
		return;
	}
	tn_buf_append_byte(out, ' ');
	tn_buf_append_str(out, key);
	tn_buf_append_byte(out, ':'); /* no comma is due there (json_write.h) */
}

/* What stands in the secret store and not in the document. */
static void put_secret_properties(struct tn_buf *out, const struct tn_studio_node *node,
				  const struct tn_json *secrets, bool in_line)
{
	for (size_t i = 0; secrets && i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];

		if (!property->sensitive || tn_json_get_str(node->properties, property->key))
			continue;
		if (tn_studio_secret_find(secrets, node->id, property->key)) {
			put_property_key(out, property->key, in_line);
			tn_json_put_str(out, hidden);
		}
	}
}

static void put_all_properties(struct tn_buf *out, const struct tn_studio_node *node,
			       const struct tn_json *secrets, bool in_line)
{
	for (const struct tn_json *at = node->properties ? node->properties->first : NULL; at;
	     at = at->next) {
		const struct tn_studio_property *property =
			node->type ? tn_studio_property_find(node->type, at->key) : NULL;

		put_property_key(out, at->key, in_line);
		if (in_line && tn_json_is(at, TN_JSON_STRING) && !(property && property->sensitive))
			tn_studio_put_plain(out, at->text);
		else
			put_value(out, property, at);
	}
	if (node->type)
		put_secret_properties(out, node, secrets, in_line);
}

void tn_studio_put_properties(struct tn_buf *out, const struct tn_studio_node *node,
			      const struct tn_json *secrets)
{
	tn_json_begin_object(out);
	put_all_properties(out, node, secrets, false);
	tn_json_end_object(out);
}

void tn_studio_put_properties_line(struct tn_buf *out, const struct tn_studio_node *node,
				   const struct tn_json *secrets)
{
	put_all_properties(out, node, secrets, true);
}

/* ---- references ---- */

static void put_reference(struct tn_buf *out, const struct tn_studio_document *document,
			  const struct tn_studio_node *node,
			  const struct tn_studio_property *property)
{
	const struct tn_studio_node *targets[REFERENCES_MAX];
	bool implied = false;
	size_t count =
		tn_studio_references(document, node, property, targets, REFERENCES_MAX, &implied);

	if (count == 0)
		return;
	tn_json_put_key_str(out, property->key);
	if (!property->many) {
		tn_json_put_str(out, targets[0]->id);
		return;
	}
	tn_json_begin_array(out);
	for (size_t i = 0; i < count && i < REFERENCES_MAX; i++)
		tn_json_put_str(out, targets[i]->id);
	tn_json_end_array(out);
}

/* ST-032: what the parent implies, under a key that is no property of its own. */
static void put_implied(struct tn_buf *out, const struct tn_studio_document *document,
			const struct tn_studio_node *node)
{
	struct tn_str key = {NULL, 0};
	const struct tn_studio_node *target;

	if (!tn_json_to_str(tn_json_get(node->type->parent_reference, "key"), &key) ||
	    tn_studio_property_find(node->type, key))
		return;
	target = tn_studio_reference(document, node, key);
	if (!target)
		return;
	tn_json_put_key_str(out, key);
	tn_json_put_str(out, target->id);
}

void tn_studio_put_references(struct tn_buf *out, const struct tn_studio_document *document,
			      const struct tn_studio_node *node)
{
	if (!node->type) {
		if (node->references)
			tn_json_put_value(out, node->references);
		else
			tn_json_put_raw(out, TN_STR("{}"));
		return;
	}
	tn_json_begin_object(out);
	for (size_t i = 0; i < node->type->property_count; i++) {
		if (node->type->properties[i].type == TN_STUDIO_REFERENCE)
			put_reference(out, document, node, &node->type->properties[i]);
	}
	put_implied(out, document, node);
	tn_json_end_object(out);
}

/* ---- list_resources ---- */

static void put_optional(struct tn_buf *out, const char *key, const struct tn_json *value)
{
	if (value && value->count > 0) {
		tn_json_put_key(out, key);
		tn_json_put_value(out, value);
	}
}

void tn_studio_put_entry(struct tn_buf *out, const struct tn_studio_document *document,
			 const struct tn_studio_node *node, const struct tn_studio_status *status,
			 const struct tn_json *secrets)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "instanceId", node->id);
	tn_json_put_member_str(out, "typeId", node->type_id);
	tn_json_put_member_str(out, "label", node->label);
	tn_json_put_member_str(out, "terraformName", node->name);
	if (!tn_str_equal(node->own, node->name))
		tn_json_put_member_str(out, TN_STUDIO_OWN, node->own);
	tn_json_put_key(out, "properties");
	tn_studio_put_properties(out, node, secrets);
	tn_json_put_key(out, "references");
	tn_studio_put_references(out, document, node);
	put_member_if(out, "parentId", node->parent_id);
	tn_json_put_member_text(out, "deploymentStatus", tn_studio_status_of(status, node->id));
	put_point(out, "position", node->x, node->y);
	if (node->width > 0)
		put_size(out, node->width, node->height);
	put_member_if(out, "moduleId", node->module_id);
	put_optional(out, "enabledOutputs", node->enabled_outputs);
	put_optional(out, "variableModes", node->variable_modes);
	tn_json_put_member_int(out, "rev", (int64_t)node->rev);
	tn_json_end_object(out);
}

/* ---- get_diagram ---- */

static void put_defaults(struct tn_buf *out, const struct tn_studio_scope *scope)
{
	tn_json_put_key(out, "defaults");
	tn_json_begin_object(out);
	for (size_t i = 0; i < scope->property_count; i++) {
		const struct tn_studio_property *property = &scope->properties[i];
		const struct tn_json *value;

		if (property->sensitive || property->type == TN_STUDIO_REFERENCE ||
		    (scope->values && tn_json_get_str(scope->values, property->key)))
			continue;
		value = tn_studio_value(scope, property);
		if (value) {
			tn_json_put_key_str(out, property->key);
			tn_json_put_value(out, value);
		}
	}
	tn_json_end_object(out);
}

static void put_addresses(struct tn_buf *out, const struct tn_studio_generated *generated,
			  const struct tn_studio_node *node)
{
	tn_json_put_key(out, "addresses");
	tn_json_begin_array(out);
	for (size_t i = 0; i < generated->address_count; i++) {
		if (generated->addresses[i].node == node)
			tn_json_put_str(out, generated->addresses[i].address);
	}
	tn_json_end_array(out);
}

static void put_layout(struct tn_buf *out, const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = tn_studio_absolute_rect(node);

	tn_json_put_key(out, "layout");
	tn_studio_put_rect(out, &rect);
}

static void put_cost(struct tn_buf *out, const struct tn_json *costs,
		     const struct tn_studio_node *node)
{
	const struct tn_json *cost = tn_json_get_str(costs, node->id);

	if (!cost)
		return;
	tn_json_put_key(out, "cost");
	tn_json_put_value(out, cost);
}

static void put_extras(struct tn_buf *out, const struct tn_studio_node *node,
		       const struct tn_studio_scope *scope,
		       const struct tn_studio_node_extras *extras, size_t *ends)
{
	if (extras->defaults)
		put_defaults(out, scope);
	ends[TN_STUDIO_FACET_DEFAULTS] = out->size;
	if (extras->layout)
		put_layout(out, node);
	ends[TN_STUDIO_FACET_LAYOUT] = out->size;
	if (extras->diagnostics) {
		tn_json_put_key(out, "diagnostics");
		tn_studio_diagnostics_put(out, &extras->diagnostics[node->order]);
	}
	ends[TN_STUDIO_FACET_DIAGNOSTICS] = out->size;
	if (extras->addresses)
		put_addresses(out, extras->addresses, node);
	ends[TN_STUDIO_FACET_ADDRESSES] = out->size;
	if (extras->costs)
		put_cost(out, extras->costs, node);
	ends[TN_STUDIO_FACET_COST] = out->size;
}

void tn_studio_put_extras(struct tn_buf *out, const struct tn_studio_node *node,
			  const struct tn_studio_scope *scope,
			  const struct tn_studio_node_extras *extras)
{
	size_t ends[TN_STUDIO_FACETS];

	put_extras(out, node, scope, extras, ends);
}

/* As stored (4.4), unknown members too. */
static void put_record(struct tn_buf *out, const struct tn_studio_node *node,
		       const struct tn_json *secrets)
{
	for (const struct tn_json *at = node->record ? node->record->first : NULL; at;
	     at = at->next) {
		if (tn_str_is(at->key, "properties") || tn_str_is(at->key, "rev"))
			continue;
		tn_json_put_key_str(out, at->key);
		tn_json_put_value(out, at);
	}
	tn_json_put_key(out, "properties");
	tn_studio_put_properties(out, node, secrets);
	tn_json_put_member_int(out, "rev", (int64_t)node->rev);
}

void tn_studio_put_node(struct tn_buf *out, const struct tn_studio_document *document,
			const struct tn_studio_node *node, const struct tn_studio_status *status,
			const struct tn_json *secrets, const struct tn_studio_node_extras *extras,
			struct tn_arena *arena, size_t *ends)
{
	struct tn_studio_scope scope = tn_studio_scope_of(document, node, arena);
	size_t unasked[TN_STUDIO_FACETS];
	const struct tn_json *name = tn_studio_value_by_key(&scope, TN_STR("name"));
	struct tn_str type = tn_studio_terraform_type(&scope);

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "instanceId", node->id);
	put_record(out, node, secrets);
	if (node->type)
		tn_json_put_member_str(out, "typeName", node->type->display_name);
	if (tn_json_is(name, TN_JSON_STRING))
		tn_json_put_member_str(out, "effectiveName", name->text);
	tn_json_put_key(out, "effectiveReferences");
	tn_studio_put_references(out, document, node);
	put_member_if(out, "terraformType", type);
	ends = ends ? ends : unasked;
	ends[TN_STUDIO_FACET_RECORD] = out->size;
	tn_json_put_member_text(out, "deploymentStatus", tn_studio_status_of(status, node->id));
	ends[TN_STUDIO_FACET_STATUS] = out->size;
	put_extras(out, node, &scope, extras, ends);
	tn_json_end_object(out);
}

void tn_studio_put_edge(struct tn_buf *out, const struct tn_studio_edge *edge)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "id", edge->id);
	tn_json_put_member_str(out, "source", edge->source_id);
	tn_json_put_member_str(out, "sourceHandle", edge->source_handle);
	tn_json_put_member_str(out, "target", edge->target_id);
	tn_json_put_member_str(out, "targetHandle", edge->target_handle);
	tn_json_put_member_text(out, "category", tn_studio_edge_category_name(edge->category));
	put_member_if(out, "label", edge->label);
	if (edge->derived)
		tn_json_put_member_bool(out, "derived", true);
	tn_json_put_member_int(out, "rev", (int64_t)edge->rev);
	tn_json_end_object(out);
}
