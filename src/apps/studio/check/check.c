#include <math.h>

#include "apps/studio/registry/property_check.h"
#include "apps/studio/check/internal.h"
#include "apps/studio/cost/cost.h"
#include "apps/studio/document/config.h"

enum { TEXT_BYTES_MAX = 512 };

/* ---- properties ---- */

static bool is_range(const struct tn_studio_property *property)
{
	return property->type == TN_STUDIO_CIDR ||
	       (property->type == TN_STUDIO_ARRAY && property->item_type == TN_STUDIO_CIDR);
}

/* A name that would do: 6.2 step 4 makes the same. */
static void fix_missing(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			const struct tn_studio_node *node,
			const struct tn_studio_property *property)
{
	const struct tn_json *region = tn_json_get(checking->document->config, "region");
	struct tn_str name, text;
	char *copy;

	if (tn_str_is(property->key, "location") && tn_json_to_str(region, &text) &&
	    text.size > 0) {
		tn_studio_check_fix_property(checking, one, node, property->key, text.data);
		return;
	}
	if (!tn_str_is(property->key, "name"))
		return;
	copy = tn_arena_copy(checking->arena, node->name);
	for (char *at = copy; at && *at; at++)
		*at = *at == '_' ? '-' : *at;
	if (!copy)
		return;
	name = tn_studio_constrained_name(node->type, tn_str_from(copy), checking->arena);
	copy = tn_arena_copy(checking->arena, name);
	if (copy)
		tn_studio_check_fix_property(checking, one, node, property->key, copy);
}

static void tell_missing(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			 const struct tn_studio_property *property)
{
	struct tn_studio_diagnostic *one =
		tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "MISSING_PROPERTY", node,
				   "'%.*s' needs a value for %.*s.", TN_STUDIO_SHOWN(node->label),
				   TN_STUDIO_SHOWN(property->label));

	if (!one)
		return;
	one->property = property->key;
	if (property->description.size > 0)
		one->hint = property->description;
	else
		tn_studio_check_hint(checking, one, "Set %.*s (%s) with update_resource.",
				     TN_STUDIO_SHOWN(property->key),
				     tn_studio_value_type_name(property->type));
	fix_missing(checking, one, node, property);
}

/* Sensitive ones: what was sent is nobody's business, and it does not belong here (ST-029). */
static void check_sensitive(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			    const struct tn_studio_property *property, const struct tn_json *stored)
{
	struct tn_studio_diagnostic *one;

	if (tn_studio_value_is_empty(stored))
		return;
	one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "INVALID_VALUE", node,
				 "'%.*s' has a secret in the diagram itself: %.*s.",
				 TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(property->label));
	if (!one)
		return;
	one->property = property->key;
	tn_studio_check_hint(checking, one,
			     "Set it once more with update_resource, which keeps it in the secret "
			     "store, and change it where it is used: it may be in git.");
	tn_studio_check_fix_property(checking, one, node, property->key, NULL);
}

static bool is_listed(const struct tn_json *allowed, const struct tn_json *value)
{
	for (const struct tn_json *at = allowed ? allowed->first : NULL; at; at = at->next) {
		if (tn_json_equal(at, value))
			return true;
	}
	return false;
}

/* 5.3: of an open list other values are fine, and worth a second look. */
static void check_open(struct tn_studio_checking *checking, const struct tn_studio_node *node,
		       const struct tn_studio_property *property, const struct tn_json *stored)
{
	struct tn_studio_diagnostic *one;

	if (!property->open || !property->allowed)
		return;
	if (stored->type == TN_JSON_ARRAY) {
		for (const struct tn_json *at = stored->first; at; at = at->next)
			check_open(checking, node, property, at);
		return;
	}
	if (stored->type != TN_JSON_STRING || is_listed(property->allowed, stored))
		return;
	one = tn_studio_diagnose(checking->list, TN_STUDIO_INFO, "UNLISTED_VALUE", node,
				 "'%.*s': '%.*s' is not among the known values of %.*s.",
				 TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(stored->text),
				 TN_STUDIO_SHOWN(property->label));
	if (one)
		one->property = property->key;
}

/* A zone of another region than the one that its provider works in. */
static void check_zone(struct tn_studio_checking *checking, const struct tn_studio_node *node,
		       const struct tn_studio_scope *scope,
		       const struct tn_studio_property *property, const struct tn_json *stored)
{
	struct tn_studio_diagnostic *one;
	struct tn_str zone, region;

	if (!property->in_region || !node->type->provider ||
	    tn_studio_is_variable(scope, property) || !tn_json_to_str(stored, &zone) ||
	    zone.size == 0 ||
	    !tn_json_to_str(tn_studio_config_region(checking->document, node->type->provider,
						    checking->arena),
			    &region) ||
	    tn_str_starts(zone, region))
		return;
	one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "ZONE_OUTSIDE_REGION", node,
				 "'%.*s' is to stand in %.*s, which is no zone of %.*s.",
				 TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(zone),
				 TN_STUDIO_SHOWN(region));
	if (!one)
		return;
	one->property = property->key;
	tn_studio_check_hint(checking, one,
			     "Name a zone of %.*s, or none, and the cloud chooses one; another "
			     "region is set with set_project_config.",
			     TN_STUDIO_SHOWN(region));
	tn_studio_check_fix_property(checking, one, node, property->key, NULL);
}

static void check_stored(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			 const struct tn_studio_property *property, const struct tn_json *stored)
{
	const struct tn_json *converted;
	struct tn_studio_diagnostic *one;
	char why[TEXT_BYTES_MAX];

	if (property->sensitive) {
		check_sensitive(checking, node, property, stored);
		return;
	}
	if (is_range(property))
		return; /* check_network.c */
	if (tn_studio_check_value(property, stored, checking->arena, &converted, why,
				  sizeof(why))) {
		check_open(checking, node, property, stored);
		return;
	}
	one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "INVALID_VALUE", node,
				 "'%.*s', %.*s: %s.", TN_STUDIO_SHOWN(node->label),
				 TN_STUDIO_SHOWN(property->label), why);
	if (!one)
		return;
	one->property = property->key;
	if (!property->required || property->default_value)
		tn_studio_check_fix_property(checking, one, node, property->key, NULL);
}

/* Fields that name other nodes. */
static void check_items(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			const struct tn_studio_property *property, const struct tn_json *stored)
{
	for (size_t i = 0; i < property->field_count; i++) {
		const struct tn_studio_property *field = &property->fields[i];

		if (field->type != TN_STUDIO_NODE)
			continue;
		for (const struct tn_json *item = stored->first; item; item = item->next) {
			struct tn_studio_diagnostic *one;
			struct tn_str id;

			if (!tn_json_to_str(tn_json_get_str(item, field->key), &id) ||
			    id.size == 0 || tn_studio_node_find(checking->document, id))
				continue;
			one = tn_studio_diagnose(
				checking->list, TN_STUDIO_ERROR, "INVALID_REFERENCE", node,
				"'%.*s', %.*s: there is no resource '%.*s'.",
				TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(field->label),
				TN_STUDIO_SHOWN(id));
			if (one)
				one->property = property->key;
		}
	}
}

static void check_property(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			   const struct tn_studio_scope *scope,
			   const struct tn_studio_property *property)
{
	const struct tn_json *stored = tn_json_get_str(node->properties, property->key);

	if (!tn_studio_is_visible(scope, property))
		return;
	if (property->type == TN_STUDIO_REFERENCE) {
		tn_studio_check_reference(checking, node, scope, property);
		return;
	}
	if (stored && stored->type != TN_JSON_NULL) {
		check_stored(checking, node, property, stored);
		check_zone(checking, node, scope, property, stored);
		if (stored->type == TN_JSON_ARRAY)
			check_items(checking, node, property, stored);
	}
	/* A variable without a value is UNSET_VARIABLE, which generation knows. */
	if ((property->required || property->required_when) &&
	    tn_studio_is_required(scope, property) && !tn_studio_is_variable(scope, property) &&
	    tn_studio_value_is_empty(tn_studio_value(scope, property)))
		tell_missing(checking, node, property);
}

/* ---- one node ---- */

static void tell_unknown(struct tn_studio_checking *checking, const struct tn_studio_node *node)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_diagnostic *one = tn_studio_diagnose(
		checking->list, TN_STUDIO_WARNING, "UNKNOWN_RESOURCE_TYPE", node,
		"'%.*s' has the type '%.*s', which is not in the registry: it is kept and "
		"generates nothing.",
		TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(node->type_id));

	(void)tn_studio_fail_unknown_type(&fault, checking->document->registry, node->type_id);
	if (fault.suggestion_count > 0)
		tn_studio_check_hint(checking, one, "The nearest known type is %.*s.",
				     TN_STUDIO_SHOWN(fault.suggestions[0]));
}

/* What an import kept as text has no type, and is written back (generate_foreign.c). */
static bool is_kept_text(const struct tn_studio_node *node)
{
	return tn_json_is(tn_json_get(node->record, "foreignText"), TN_JSON_ARRAY) ||
	       tn_json_is(tn_json_get(node->record, "foreignValues"), TN_JSON_ARRAY);
}

static void check_one(struct tn_studio_checking *checking, const struct tn_studio_node *node)
{
	struct tn_studio_scope scope;
	unsigned missing;

	if (!node->type) {
		if (!is_kept_text(node))
			tell_unknown(checking, node);
		return;
	}
	scope = tn_studio_scope_of(checking->document, node, checking->arena);
	for (size_t i = 0; i < node->type->property_count; i++)
		check_property(checking, node, &scope, &node->type->properties[i]);
	missing = tn_studio_check_template_references(checking, node, &scope);
	tn_studio_check_place(checking, node, missing > 0);
	tn_studio_check_deployed(checking, node, &scope);
}

/* ---- all ---- */

/* 11.3 */
static void check_budget(struct tn_studio_checking *checking)
{
	const struct tn_studio_document *document = checking->document;
	int64_t cents = 0;
	bool complete;

	if (!checking->options->prices || isnan(document->budget))
		return;
	complete =
		tn_studio_cost_total(document, checking->options->prices, checking->arena, &cents);
	if ((double)cents <= document->budget * 100)
		return;
	tn_studio_check_hint(
		checking,
		tn_studio_diagnose(checking->list, TN_STUDIO_WARNING, "BUDGET_EXCEEDED", NULL,
				   "%s%.2f USD a month are estimated; the budget is %.2f.",
				   complete ? "" : "At least ", (double)cents / 100,
				   document->budget),
		"estimate_costs shows what costs most.");
}

static const struct tn_studio_check_options no_options = {.for_run = false};

void tn_studio_check(const struct tn_studio_document *document,
		     const struct tn_studio_check_options *options,
		     struct tn_studio_diagnostics *list)
{
	struct tn_studio_checking checking = {.document = document,
					      .options = options ? options : &no_options,
					      .list = list,
					      .arena = list->arena};

	for (size_t i = 0; i < document->node_count; i++)
		check_one(&checking, document->nodes[i]);
	tn_studio_check_orphans(&checking, NULL);
	tn_studio_check_names(&checking, NULL);
	tn_studio_check_networks(&checking, NULL);
	tn_studio_check_providers(&checking);
	check_budget(&checking);
}

void tn_studio_check_node(const struct tn_studio_document *document,
			  const struct tn_studio_node *node,
			  const struct tn_studio_check_options *options,
			  struct tn_studio_diagnostics *list)
{
	struct tn_studio_checking checking = {.document = document,
					      .options = options ? options : &no_options,
					      .list = list,
					      .arena = list->arena};

	if (!node)
		return;
	check_one(&checking, node);
	tn_studio_check_orphans(&checking, node);
	tn_studio_check_names(&checking, node);
	tn_studio_check_networks(&checking, node);
}
