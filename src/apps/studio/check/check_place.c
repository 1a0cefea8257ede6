#include <stdio.h>

#include "apps/studio/check/internal.h"
#include "apps/studio/registry/property_check.h"
#include "jsonrpc/json_write.h"

enum { REST_BYTES_MAX = 512, ADDRESSES_BYTES_MAX = 1024 * 1024 };

/* ---- where it stands (5.7) ---- */

/* The only node it could be moved into; NULL: there are none or several. */
static const struct tn_studio_node *only_parent(const struct tn_studio_checking *checking,
						const struct tn_studio_node *node,
						struct tn_str type_id)
{
	const struct tn_studio_document *document = checking->document;
	const struct tn_studio_node *found = NULL;

	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *at = document->nodes[i];

		if (at == node || !at->type || tn_studio_is_within(at, node) ||
		    (type_id.size > 0 && !tn_str_equal(at->type_id, type_id)) ||
		    at->type->is_annotation || !tn_studio_may_contain(at->type, node->type))
			continue;
		if (found)
			return NULL;
		found = at;
	}
	return found;
}

static void advise_parent(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			  const struct tn_studio_node *node, struct tn_str type_id)
{
	const struct tn_studio_node *parent = one ? only_parent(checking, node, type_id) : NULL;
	struct tn_buf rest;

	if (!parent)
		return;
	tn_buf_init(&rest, REST_BYTES_MAX);
	tn_json_put_member_str(&rest, "parentId", parent->id);
	if (!rest.failed)
		tn_studio_check_fix(checking, one, "move_resource", node, tn_buf_str(&rest));
	tn_studio_check_hint(checking, one, "Move it into '%.*s'.", TN_STUDIO_SHOWN(parent->label));
	tn_buf_finish(&rest);
}

static struct tn_str type_name(const struct tn_studio_checking *checking, struct tn_str type_id)
{
	const struct tn_studio_type *type =
		tn_studio_type_find(checking->document->registry, type_id);

	return type ? type->display_name : type_id;
}

/* True: it was told. One scope is told of once. */
static bool check_scopes(struct tn_studio_checking *checking, const struct tn_studio_node *node)
{
	const struct tn_studio_type *type = node->type;
	const struct tn_json *needs = type->needs;

	for (const struct tn_json *at = needs ? needs->first : NULL; at; at = at->next) {
		struct tn_studio_diagnostic *one;
		struct tn_str ancestor;

		if (at->type != TN_JSON_STRING || !type->provider ||
		    !tn_json_to_str(tn_json_get(tn_json_get_str(type->provider->scopes, at->text),
						"ancestor"),
				    &ancestor) ||
		    tn_studio_ancestor(node, ancestor))
			continue;
		one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "MISSING_SCOPE", node,
					 "'%.*s' needs a %.*s around it.",
					 TN_STUDIO_SHOWN(node->label),
					 TN_STUDIO_SHOWN(type_name(checking, ancestor)));
		advise_parent(checking, one, node, tn_str(NULL, 0));
		return true;
	}
	return false;
}

static void check_parent(struct tn_studio_checking *checking, const struct tn_studio_node *node)
{
	const struct tn_json *legal = node->type->can_be_child_of;
	struct tn_studio_diagnostic *one;
	struct tn_buf names;

	if (!legal || legal->count == 0 || tn_studio_real_parent(node))
		return;
	tn_buf_init(&names, REST_BYTES_MAX);
	for (const struct tn_json *at = legal->first; at; at = at->next) {
		if (at != legal->first)
			tn_buf_append_text(&names, at->next ? ", " : " or ");
		tn_buf_append_str(&names, type_name(checking, at->text));
	}
	one = tn_studio_diagnose(checking->list, TN_STUDIO_WARNING, "MISSING_PARENT", node,
				 "'%.*s' stands at the top level; it belongs into a %.*s.",
				 TN_STUDIO_SHOWN(node->label), (int)names.size,
				 names.data ? names.data : "");
	tn_buf_finish(&names);
	advise_parent(checking, one, node, tn_str(NULL, 0));
}

void tn_studio_check_place(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			   bool reference_missing)
{
	/* What is missing around it is said once, as the worst. */
	if (!check_scopes(checking, node) && !reference_missing)
		check_parent(checking, node);
}

/* ---- 8.8: containers that stand for a provider block each ---- */

static const struct tn_studio_type *container_of(const struct tn_studio_registry *registry,
						 const struct tn_studio_provider *provider)
{
	struct tn_str id;

	if (!tn_json_to_str(tn_json_get(provider->alias, "container"), &id))
		return NULL;
	return tn_studio_type_find(registry, id);
}

static size_t count_of(const struct tn_studio_document *document, const struct tn_studio_type *type)
{
	size_t count = 0;

	for (size_t i = 0; i < document->node_count; i++)
		count += document->nodes[i]->type == type;
	return count;
}

static void check_orphan(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			 const struct tn_studio_type *container, size_t count)
{
	struct tn_studio_diagnostic *one;

	if (node->type->is_virtual || tn_studio_ancestor(node, container->id))
		return;
	one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "MULTI_SUBSCRIPTION_ORPHAN", node,
				 "'%.*s' is in none of the %zu %.*s containers of the diagram: "
				 "where it is to be created is open.",
				 TN_STUDIO_SHOWN(node->label), count,
				 TN_STUDIO_SHOWN(container->display_name));
	tn_studio_check_hint(checking, one, "Move it, or what it is in, into one of them.");
}

void tn_studio_check_orphans(struct tn_studio_checking *checking, const struct tn_studio_node *only)
{
	const struct tn_studio_document *document = checking->document;
	const struct tn_studio_registry *registry = document->registry;

	for (size_t i = 0; i < registry->provider_count; i++) {
		const struct tn_studio_provider *provider = &registry->providers[i];
		const struct tn_studio_type *container = container_of(registry, provider);
		size_t count = container ? count_of(document, container) : 0;

		if (count < 2)
			continue;
		if (only && only->type && only->type->provider == provider)
			check_orphan(checking, only, container, count);
		for (size_t k = 0; k < document->node_count && !only; k++) {
			const struct tn_studio_node *node = document->nodes[k];

			if (node->type && node->type->provider == provider)
				check_orphan(checking, node, container, count);
		}
	}
}

/* ---- what providers are told ---- */

static bool is_used(const struct tn_studio_document *document,
		    const struct tn_studio_provider *provider)
{
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_type *type = document->nodes[i]->type;

		if (type && type->provider == provider && !type->is_virtual)
			return true;
	}
	return false;
}

/* Whether a container of the diagram says it: alias.set names the key. */
static bool container_sets(const struct tn_studio_document *document,
			   const struct tn_studio_provider *provider, struct tn_str key)
{
	const struct tn_studio_type *container = container_of(document->registry, provider);

	return container && tn_json_get_str(tn_json_get(provider->alias, "set"), key) &&
	       count_of(document, container) > 0;
}

static void check_setting(struct tn_studio_checking *checking,
			  const struct tn_studio_provider *provider,
			  const struct tn_studio_property *property)
{
	const struct tn_json *config = checking->document->config;
	const struct tn_json *set = tn_json_get_str(
		tn_json_get_str(tn_json_get(config, "providers"), provider->id), property->key);
	const struct tn_json *region;
	struct tn_studio_diagnostic *one;
	struct tn_str env = {NULL, 0};
	char *path;

	(void)tn_json_to_str(tn_json_get(property->source, "env"), &env);
	if (!tn_studio_value_is_empty(set) || (env.size == 0 && !property->required))
		return;
	/* 4.3: the region of the project is that of a provider that has one. */
	region = tn_json_get(config, "region");
	if (tn_str_is(property->key, "region") && !tn_studio_value_is_empty(region) &&
	    tn_studio_check_value(property, region, checking->arena, &region, NULL, 0))
		return;
	if (container_sets(checking->document, provider, property->key))
		return;
	one = tn_studio_diagnose(checking->list, TN_STUDIO_WARNING, "PROVIDER_CONFIG", NULL,
				 "The provider %.*s has no %.*s.",
				 TN_STUDIO_SHOWN(provider->display_name),
				 TN_STUDIO_SHOWN(property->key));
	if (!one)
		return;
	path = tn_arena_format(checking->arena, "providers.%.*s.%.*s",
			       TN_STUDIO_SHOWN(provider->id), TN_STUDIO_SHOWN(property->key));
	one->property = tn_str_from(path);
	if (env.size > 0)
		tn_studio_check_hint(checking, one,
				     "Set %s with set_project_config; else the engine needs %.*s "
				     "in its environment.",
				     path ? path : "it", TN_STUDIO_SHOWN(env));
	else
		tn_studio_check_hint(checking, one, "Set %s with set_project_config.",
				     path ? path : "it");
}

void tn_studio_check_providers(struct tn_studio_checking *checking)
{
	const struct tn_studio_registry *registry = checking->document->registry;

	for (size_t i = 0; i < registry->provider_count; i++) {
		const struct tn_studio_provider *provider = &registry->providers[i];

		if (provider->config_count == 0 || !is_used(checking->document, provider))
			continue;
		for (size_t k = 0; k < provider->config_count; k++)
			check_setting(checking, provider, &provider->config[k]);
	}
}

/* ---- what is deployed ---- */

/* "azurerm_subnet.a[0]" is of type azurerm_subnet and called a. Modules in front do not count. */
static bool split_address(struct tn_str address, struct tn_str *ret_type, struct tn_str *ret_name)
{
	size_t dot;

	while (tn_str_starts(address, TN_STR("module."))) {
		address = tn_str_from_offset(address, 7);
		dot = tn_str_find_byte(address, '.');
		if (dot == TN_STR_NONE)
			return false;
		address = tn_str_from_offset(address, dot + 1);
	}
	dot = tn_str_find_byte(address, '.');
	if (dot == TN_STR_NONE)
		return false;
	*ret_type = tn_str(address.data, dot);
	*ret_name = tn_str_from_offset(address, dot + 1);
	dot = tn_str_find_byte(*ret_name, '[');
	if (dot != TN_STR_NONE)
		ret_name->size = dot;
	return true;
}

/* What of its addresses was the primary block: whether it is still called so. */
struct standing {
	bool same;
	struct tn_str type, name; /* of the one that is another now; empty: none */
};

/* Whether the type could be the primary block's: one of the cases of a type by property. */
static bool can_be(const struct tn_studio_type *type, struct tn_str terraform)
{
	struct tn_str one;

	for (size_t at = 0; (one = tn_studio_type_makes(type, at)).size > 0; at++) {
		if (tn_str_equal(one, terraform))
			return true;
	}
	return false;
}

static struct standing compare(const struct tn_json *addresses, const struct tn_studio_node *node,
			       struct tn_str type)
{
	struct tn_str name = node->name;
	struct standing standing = {.same = false};

	for (const struct tn_json *at = addresses->first; at && !standing.same; at = at->next) {
		struct tn_str its_type, its_name;

		if (at->type != TN_JSON_STRING || !split_address(at->text, &its_type, &its_name))
			continue;
		standing.same = tn_str_equal(its_type, type) && tn_str_equal(its_name, name);
		if (tn_str_equal(its_type, type) ||
		    (tn_str_equal(its_name, name) && can_be(node->type, its_type))) {
			standing.type = its_type;
			standing.name = its_name;
		}
	}
	return standing;
}

static void tell_deployed(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			  const struct standing *standing, struct tn_str type)
{
	struct tn_studio_diagnostic *one;

	if (tn_str_equal(standing->type, type)) {
		one = tn_studio_diagnose(
			checking->list, TN_STUDIO_WARNING, "ADDRESS_CHANGED", node,
			"'%.*s' is deployed as %.*s.%.*s: with its new name the next apply "
			"destroys it and creates it anew.",
			TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(standing->type),
			TN_STUDIO_SHOWN(standing->name));
		if (one)
			one->property = TN_STR("terraformName");
	} else {
		one = tn_studio_diagnose(
			checking->list, TN_STUDIO_WARNING, "WILL_REPLACE", node,
			"'%.*s' is deployed as %.*s and is %.*s now: the next apply destroys it "
			"and creates it anew.",
			TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(standing->type),
			TN_STUDIO_SHOWN(type));
	}
	tn_studio_check_hint(checking, one, "Plan before you apply.");
}

void tn_studio_check_deployed(struct tn_studio_checking *checking,
			      const struct tn_studio_node *node,
			      const struct tn_studio_scope *scope)
{
	const struct tn_studio_check_options *options = checking->options;
	struct tn_str type = tn_studio_terraform_type(scope);
	struct tn_json *addresses = NULL;
	struct tn_buf text;
	struct standing standing;

	if (!options->deployed || type.size == 0 || node->type->no_primary)
		return;
	tn_buf_init(&text, ADDRESSES_BYTES_MAX);
	tn_buf_append_byte(&text, '[');
	if (options->deployed(options->status, node->id, &text)) {
		tn_buf_append_byte(&text, ']');
		if (!text.failed && tn_json_parse_copy(checking->arena, tn_buf_str(&text),
						       &addresses, NULL) == TENON_OK) {
			standing = compare(addresses, node, type);
			if (!standing.same && standing.type.size > 0)
				tell_deployed(checking, node, &standing, type);
		}
	}
	tn_buf_finish(&text);
}
