#include "apps/studio/document/value.h"

/* What a comparison looks at. */
struct operand {
	const struct tn_json *value;
	bool variable; /* its value comes later: it counts as there */
};

static struct operand of_property(const struct tn_studio_scope *scope, struct tn_str key)
{
	struct operand operand = {.value = NULL};

	for (size_t i = 0; i < scope->property_count; i++) {
		if (!tn_str_equal(scope->properties[i].key, key))
			continue;
		operand.value = tn_studio_value(scope, &scope->properties[i]);
		operand.variable =
			scope->node && tn_studio_is_variable(scope, &scope->properties[i]);
	}
	return operand;
}

const struct tn_json *tn_studio_item_value(const struct tn_studio_scope *scope, struct tn_str field)
{
	const struct tn_json *value;

	if (field.size == 0)
		return scope->item;
	value = tn_json_get_str(scope->item, field);
	if (value && value->type != TN_JSON_NULL)
		return value;
	for (size_t i = 0; i < scope->item_field_count; i++) {
		if (tn_str_equal(scope->item_fields[i].key, field))
			return scope->item_fields[i].default_value;
	}
	return NULL;
}

/* Unset equals null and nothing else. */
static bool equals(const struct tn_json *value, const struct tn_json *wanted)
{
	if (!value || value->type == TN_JSON_NULL)
		return wanted->type == TN_JSON_NULL;
	return tn_json_equal(value, wanted);
}

static bool is_among(const struct tn_json *value, const struct tn_json *list)
{
	for (const struct tn_json *e = list->type == TN_JSON_ARRAY ? list->first : NULL; e;
	     e = e->next) {
		if (equals(value, e))
			return true;
	}
	return false;
}

/* `set`: neither unset nor null, "" or []. An empty object is a value here (5.4). */
static bool is_set(const struct tn_json *value)
{
	return !tn_studio_value_is_empty(value) || tn_json_is(value, TN_JSON_OBJECT);
}

static bool compare(const struct operand *operand, const struct tn_json *member)
{
	bool wanted = member->type == TN_JSON_TRUE;

	if (tn_str_is(member->key, "is"))
		return equals(operand->value, member);
	if (tn_str_is(member->key, "not"))
		return !equals(operand->value, member);
	if (tn_str_is(member->key, "in"))
		return is_among(operand->value, member);
	if (tn_str_is(member->key, "notIn"))
		return !is_among(operand->value, member);
	if (tn_str_is(member->key, "truthy"))
		return (operand->variable || tn_studio_value_is_truthy(operand->value)) == wanted;
	if (tn_str_is(member->key, "set"))
		return (operand->variable || is_set(operand->value)) == wanted;
	if (tn_str_is(member->key, "startsWith"))
		return tn_json_is(operand->value, TN_JSON_STRING) &&
		       tn_str_starts(operand->value->text, member->text);
	return true; /* the operand itself */
}

static bool reference_is_set(const struct tn_studio_scope *scope, struct tn_str key)
{
	const struct tn_studio_property *property;

	if (!scope->node || !tn_studio_reference(scope->document, scope->node, key))
		return false;
	property = tn_studio_property_find(scope->node->type, key);
	return !property || tn_studio_is_visible(scope, property);
}

/* all, any, none */
static bool list_holds(const struct tn_studio_scope *scope, const struct tn_json *list)
{
	bool all = tn_str_is(list->key, "all"), any = false;

	for (const struct tn_json *e = list->type == TN_JSON_ARRAY ? list->first : NULL; e;
	     e = e->next) {
		bool holds = tn_studio_condition_holds(scope, e);

		if (all && !holds)
			return false;
		any = any || holds;
	}
	if (tn_str_is(list->key, "none"))
		return !any;
	return all || any;
}

bool tn_studio_condition_holds(const struct tn_studio_scope *scope, const struct tn_json *condition)
{
	struct operand operand = {.value = NULL};
	struct tn_str name;

	if (!condition)
		return true;
	if (tn_json_to_str(tn_json_get(condition, "ref"), &name))
		return reference_is_set(scope, name);
	if (tn_json_to_str(tn_json_get(condition, "prop"), &name))
		operand = of_property(scope, name);
	else if (tn_json_to_str(tn_json_get(condition, "item"), &name))
		operand.value = tn_studio_item_value(scope, name);
	else
		return !condition->first || list_holds(scope, condition->first);
	for (const struct tn_json *m = condition->first; m; m = m->next) {
		if (!compare(&operand, m))
			return false;
	}
	return true;
}
