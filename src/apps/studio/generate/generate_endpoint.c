/* generate_endpoint.c - blocks that nobody placed on the canvas: private endpoints (studio.md 8.6)
 * and bindings (5.9). */
#include "apps/studio/generate/internal.h"

static struct tn_str member(const struct tn_json *item, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(item, key), &text); /* absent is empty */
	return text;
}

static const struct tn_json *elements_of(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

/* ---- private endpoints ---- */

/* One text attribute; its text comes from a pattern of ours. */
static void add_text(struct tn_studio_gen *gen, struct tn_studio_hcl_body *body, const char *name,
		     struct tn_str text)
{
	(void)tn_studio_hcl_attribute(gen->arena, body, tn_str_from(name),
				      tn_studio_hcl_string(gen->arena, text));
}

static struct tn_studio_hcl_value *list_of(struct tn_studio_gen *gen,
					   struct tn_studio_hcl_value *one)
{
	struct tn_studio_hcl_value *list =
		tn_studio_hcl_make(gen->arena, TN_STUDIO_HCL_LIST, tn_str("", 0));
	if (list)
		tn_studio_hcl_add(list, one);
	return list;
}

static struct tn_studio_hcl_body *nested(struct tn_studio_gen *gen, struct tn_studio_block *block,
					 const char *name)
{
	struct tn_studio_hcl_item *item =
		tn_studio_hcl_nested(gen->arena, &block->body, tn_str_from(name));
	return item ? &item->body : NULL;
}

static void add_connection(struct tn_studio_eval *eval, struct tn_str name, struct tn_str sub)
{
	struct tn_studio_gen *gen = eval->gen;
	struct tn_studio_hcl_body *body = nested(gen, eval->block, "private_service_connection");
	if (!body)
		return;
	add_text(gen, body, "name",
		 tn_studio_gen_format(gen, "%.*s-psc", (int)name.size, name.data));
	(void)tn_studio_hcl_attribute(
		gen->arena, body, TN_STR("private_connection_resource_id"),
		tn_studio_eval_address(eval, eval->node, tn_str("", 0), TN_STR("id")));
	(void)tn_studio_hcl_attribute(gen->arena, body, TN_STR("subresource_names"),
				      list_of(gen, tn_studio_hcl_string(gen->arena, sub)));
	(void)tn_studio_hcl_attribute(gen->arena, body, TN_STR("is_manual_connection"),
				      tn_studio_hcl_atom(gen->arena, TN_STR("false")));
}

static void add_zone(struct tn_studio_eval *eval, struct tn_str name)
{
	struct tn_studio_gen *gen = eval->gen;
	const struct tn_studio_property *property =
		tn_studio_eval_find(eval, TN_STR("pep_dns_zone_id"));
	const struct tn_studio_node *zone = NULL;
	if (!property ||
	    tn_studio_references(gen->document, eval->node, property, &zone, 1, NULL) == 0)
		return;
	struct tn_studio_hcl_value *id =
		tn_studio_eval_address(eval, zone, tn_str("", 0), TN_STR("id"));
	struct tn_studio_hcl_body *body =
		id ? nested(gen, eval->block, "private_dns_zone_group") : NULL;
	if (!body)
		return;
	add_text(gen, body, "name",
		 tn_studio_gen_format(gen, "%.*s-dns", (int)name.size, name.data));
	tn_studio_gen_emitted(gen, eval->node, property->key, zone);
	(void)tn_studio_hcl_attribute(gen->arena, body, TN_STR("private_dns_zone_ids"),
				      list_of(gen, id));
}

/* An attribute from the provider's scopes, as templates ask for it. */
static void add_scope(struct tn_studio_eval *eval, const char *attribute, const char *scope)
{
	struct tn_json text = {.type = TN_JSON_STRING, .key = TN_STR("scope")};
	struct tn_json expr = {.type = TN_JSON_OBJECT, .count = 1, .first = &text};
	text.text = tn_str_from(scope);
	(void)tn_studio_hcl_attribute(eval->gen->arena, &eval->block->body, tn_str_from(attribute),
				      tn_studio_eval(eval, &expr));
}

static void add_endpoint(struct tn_studio_gen *gen, const struct tn_studio_node *node,
			 const struct tn_studio_node *subnet, struct tn_str sub)
{
	struct tn_str self = tn_studio_gen_node(gen, node)->own;
	struct tn_str address = tn_studio_gen_format(gen, "pe_%.*s_%.*s", (int)self.size, self.data,
						     (int)sub.size, sub.data);
	struct tn_str name = tn_studio_gen_format(gen, "pe-%.*s-%.*s", (int)self.size, self.data,
						  (int)sub.size, sub.data);
	struct tn_studio_block *block =
		tn_studio_gen_block(gen, node, TN_STR("azurerm_private_endpoint"), address, false);
	if (!block)
		return;
	struct tn_studio_eval eval = tn_studio_eval_of(gen, node, block);
	tn_studio_gen_use_provider(gen, block, node);
	add_text(gen, &block->body, "name", name);
	add_scope(&eval, "resource_group_name", "resource_group");
	add_scope(&eval, "location", "location");
	(void)tn_studio_hcl_attribute(
		gen->arena, &block->body, TN_STR("subnet_id"),
		tn_studio_eval_address(&eval, subnet, tn_str("", 0), TN_STR("id")));
	add_connection(&eval, name, sub);
	add_zone(&eval, name);
	(void)tn_studio_hcl_attribute(gen->arena, &block->body, TN_STR("tags"),
				      tn_studio_hcl_atom(gen->arena, TN_STR("local.common_tags")));
}

void tn_studio_gen_endpoints(struct tn_studio_gen *gen, const struct tn_studio_node *node)
{
	const struct tn_studio_node *parent = tn_studio_real_parent(node);
	if (!node->type->private_endpoint || !parent || !parent->type ||
	    !tn_studio_ids_have(node->type->visual_parents, parent->type))
		return;
	struct tn_studio_scope scope = tn_studio_scope_of(gen->document, node, gen->arena);
	const struct tn_json *subs = tn_studio_value_by_key(&scope, TN_STR("pep_subresources"));
	if (!subs)
		subs = tn_json_get(node->type->private_endpoint, "default");
	if (tn_json_is(subs, TN_JSON_STRING))
		add_endpoint(gen, node, parent, subs->text);
	for (const struct tn_json *one = elements_of(subs); one; one = one->next) {
		if (one->type == TN_JSON_STRING)
			add_endpoint(gen, node, parent, one->text);
	}
}

/* ---- bindings ---- */

static const struct tn_studio_binding *find_binding(const struct tn_studio_registry *registry,
						    const struct tn_studio_edge *edge)
{
	for (size_t i = 0; i < registry->binding_count; i++) {
		const struct tn_studio_binding *one = &registry->bindings[i];
		if (one->to == edge->target->type && tn_str_equal(one->handle, edge->target_handle))
			return one;
	}
	return NULL;
}

/* "{source}_{output}" as the name of a block. */
static struct tn_str binding_name(struct tn_studio_eval *eval, struct tn_str pattern)
{
	struct tn_json text = {.type = TN_JSON_STRING, .key = TN_STR("text")};
	struct tn_json expr = {.type = TN_JSON_OBJECT, .count = 1, .first = &text};
	text.text = pattern;
	struct tn_studio_hcl_value *value = tn_studio_eval_text(eval, &expr);
	if (!value || !value->is_string || value->text.size < 2)
		return tn_str("", 0);
	return tn_studio_hcl_identifier(eval->gen->arena,
					tn_str(value->text.data + 1, value->text.size - 2));
}

/* The new block belongs to the target: it is there that something is made. */
static void add_binding(struct tn_studio_gen *gen, const struct tn_studio_edge *edge)
{
	const struct tn_studio_binding *binding = find_binding(gen->document->registry, edge);
	struct tn_str key = tn_str_from_offset(edge->source_handle, strlen("out-"));
	const struct tn_studio_output *output =
		edge->source->type ? tn_studio_output_find(edge->source->type, key) : NULL;
	if (!binding || !output)
		return;
	struct tn_studio_eval eval = tn_studio_eval_of(gen, edge->target, NULL);
	eval.source = edge->source;
	eval.target = edge->target;
	eval.output = output;
	struct tn_studio_block *block =
		tn_studio_gen_block(gen, edge->target, member(binding->emits, "type"),
				    binding_name(&eval, member(binding->emits, "name")), false);
	if (!block)
		return;
	eval.block = block;
	tn_studio_gen_use_provider(gen, block, edge->target);
	(void)tn_studio_template(&eval, tn_json_get(binding->emits, "items"), &block->body);
}

void tn_studio_gen_bindings(struct tn_studio_gen *gen)
{
	for (size_t i = 0; i < gen->document->edge_count; i++) {
		const struct tn_studio_edge *edge = gen->document->edges[i];
		if (edge->category == TN_STUDIO_BINDING && edge->source && edge->target)
			add_binding(gen, edge);
	}
}
