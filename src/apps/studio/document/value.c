#include "apps/studio/document/value.h"

#include "jsonrpc/json_make.h"

struct tn_studio_scope tn_studio_scope_of(const struct tn_studio_document *document,
					  const struct tn_studio_node *node, struct tn_arena *arena)
{
	struct tn_studio_scope scope = {.document = document, .node = node, .arena = arena};

	scope.values = node->properties;
	if (node->type) {
		scope.properties = node->type->properties;
		scope.property_count = node->type->property_count;
	}
	return scope;
}

static const struct tn_studio_property *find(const struct tn_studio_scope *scope, struct tn_str key)
{
	for (size_t i = 0; i < scope->property_count; i++) {
		if (tn_str_equal(scope->properties[i].key, key))
			return &scope->properties[i];
	}
	return NULL;
}

/* What a value is called as a case: true is "true", 2 is "2". */
static struct tn_str case_name(const struct tn_json *value)
{
	if (!value)
		return tn_str(NULL, 0);
	switch (value->type) {
	case TN_JSON_STRING:
	case TN_JSON_NUMBER:
		return value->text;
	case TN_JSON_TRUE:
		return TN_STR("true");
	case TN_JSON_FALSE:
		return TN_STR("false");
	default:
		return tn_str(NULL, 0);
	}
}

const struct tn_json *tn_studio_case(const struct tn_json *cases, const struct tn_json *value)
{
	return value ? tn_json_get_str(cases, case_name(value)) : NULL;
}

static const struct tn_json *default_of(const struct tn_studio_scope *scope,
					const struct tn_studio_property *property)
{
	const struct tn_json *found = NULL;
	struct tn_str other;

	/* Circles were refused when the registry was made. */
	if (tn_json_to_str(tn_json_get(property->default_by, "prop"), &other))
		found = tn_studio_case(tn_json_get(property->default_by, "cases"),
				       tn_studio_value_by_key(scope, other));
	return found && found->type != TN_JSON_NULL ? found : property->default_value;
}

const struct tn_json *tn_studio_value(const struct tn_studio_scope *scope,
				      const struct tn_studio_property *property)
{
	const struct tn_json *stored;
	struct tn_str name;

	if (scope->node && tn_str_is(property->key, "name") &&
	    tn_studio_computed_name(scope, &name))
		return tn_json_make_str(scope->arena, name);
	stored = tn_json_get_str(scope->values, property->key);
	if (stored && stored->type != TN_JSON_NULL)
		return stored;
	return default_of(scope, property);
}

const struct tn_json *tn_studio_value_by_key(const struct tn_studio_scope *scope, struct tn_str key)
{
	const struct tn_studio_property *property = find(scope, key);

	return property ? tn_studio_value(scope, property) : NULL;
}

bool tn_studio_value_is_empty(const struct tn_json *value)
{
	if (!value || value->type == TN_JSON_NULL)
		return true;
	if (value->type == TN_JSON_STRING)
		return value->text.size == 0;
	return (value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT) && value->count == 0;
}

bool tn_studio_value_is_truthy(const struct tn_json *value)
{
	double number;

	if (tn_studio_value_is_empty(value) || value->type == TN_JSON_FALSE)
		return false;
	return !tn_json_to_double(value, &number) || number < 0 || number > 0;
}

/* ---- visible, required, variable ---- */

/* Every property that a condition names is visible itself (5.5). */
static bool named_are_visible(const struct tn_studio_scope *scope, const struct tn_json *condition)
{
	const struct tn_studio_property *property;
	const struct tn_json *name = tn_json_get(condition, "prop");
	struct tn_str key;

	if (!name)
		name = tn_json_get(condition, "ref");
	if (tn_json_to_str(name, &key)) {
		property = find(scope, key);
		return !property || tn_studio_is_visible(scope, property);
	}
	for (const struct tn_json *list = tn_json_is(condition, TN_JSON_OBJECT) ? condition->first
										: NULL;
	     list; list = list->next) {
		for (const struct tn_json *e = list->type == TN_JSON_ARRAY ? list->first : NULL; e;
		     e = e->next) {
			if (!named_are_visible(scope, e))
				return false;
		}
	}
	return true;
}

bool tn_studio_is_visible(const struct tn_studio_scope *scope,
			  const struct tn_studio_property *property)
{
	/* Of a private endpoint: only where one arises (8.6). */
	if (property->implicit)
		return scope->node && scope->node->type && scope->node->parent &&
		       tn_studio_ids_have(scope->node->type->visual_parents,
					  scope->node->parent->type);
	return !property->visible_when ||
	       (named_are_visible(scope, property->visible_when) &&
		tn_studio_condition_holds(scope, property->visible_when));
}

bool tn_studio_is_required(const struct tn_studio_scope *scope,
			   const struct tn_studio_property *property)
{
	return property->required || (property->required_when &&
				      tn_studio_condition_holds(scope, property->required_when));
}

bool tn_studio_is_variable(const struct tn_studio_scope *scope,
			   const struct tn_studio_property *property)
{
	struct tn_str mode;

	if (property->emit == TN_STUDIO_EMIT_NEVER || property->type == TN_STUDIO_REFERENCE)
		return false;
	if (property->sensitive)
		return true;
	return scope->node &&
	       tn_json_to_str(tn_json_get_str(scope->node->variable_modes, property->key), &mode) &&
	       tn_str_is(mode, "variable");
}

/* ---- references ---- */

static const struct tn_studio_node *implied(const struct tn_studio_node *node, struct tn_str key)
{
	const struct tn_json *rule = node->type ? node->type->parent_reference : NULL;
	const struct tn_studio_node *parent = tn_studio_real_parent(node);
	struct tn_str own;

	if (!parent || !tn_json_to_str(tn_json_get(rule, "key"), &own) || !tn_str_equal(own, key))
		return NULL;
	return tn_studio_ids_have(tn_json_get(rule, "from"), parent->type) ? parent : NULL;
}

static size_t targets_of(const struct tn_studio_document *document,
			 const struct tn_studio_node *node, struct tn_str key,
			 const struct tn_studio_node **ret, size_t max, bool *ret_implied)
{
	const struct tn_json *stored = tn_json_get_str(node->references, key);
	bool list = tn_json_is(stored, TN_JSON_ARRAY);
	size_t count = 0;

	*ret_implied = !stored || stored->type == TN_JSON_NULL;
	if (*ret_implied) {
		const struct tn_studio_node *parent = implied(node, key);

		*ret_implied = parent != NULL;
		if (parent && max > 0)
			ret[0] = parent;
		return parent != NULL;
	}
	for (const struct tn_json *e = list ? stored->first : stored; e;
	     e = list ? e->next : NULL) {
		const struct tn_studio_node *target =
			e->type == TN_JSON_STRING ? tn_studio_node_find(document, e->text) : NULL;

		if (target && count++ < max)
			ret[count - 1] = target;
	}
	return count < max ? count : max; /* a file may say anything */
}

size_t tn_studio_references(const struct tn_studio_document *document,
			    const struct tn_studio_node *node,
			    const struct tn_studio_property *property,
			    const struct tn_studio_node **ret, size_t max, bool *ret_implied)
{
	bool implied_too;

	return targets_of(document, node, property->key, ret, max,
			  ret_implied ? ret_implied : &implied_too);
}

const struct tn_studio_node *tn_studio_reference(const struct tn_studio_document *document,
						 const struct tn_studio_node *node,
						 struct tn_str key)
{
	const struct tn_studio_node *target = NULL;
	bool implied_too;

	return targets_of(document, node, key, &target, 1, &implied_too) > 0 ? target : NULL;
}

struct tn_str tn_studio_terraform_type(const struct tn_studio_scope *scope)
{
	const struct tn_studio_type *type = scope->node ? scope->node->type : NULL;
	const struct tn_json *name = type ? tn_json_get(type->terraform, "type") : NULL;
	const struct tn_json *found;
	struct tn_str text = {NULL, 0}, by;

	if (tn_json_to_str(name, &text))
		return text;
	if (!tn_json_to_str(tn_json_get(name, "by"), &by))
		return text;
	found = tn_studio_case(tn_json_get(name, "cases"), tn_studio_value_by_key(scope, by));
	(void)tn_json_to_str(found ? found : tn_json_get(name, "default"), &text);
	return text;
}
