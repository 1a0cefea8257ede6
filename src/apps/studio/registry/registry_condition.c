#include "apps/studio/registry/internal.h"

#include "base/near.h"

enum { NAME_MAX_SHOWN = 64 };

static int shown(struct tn_str text)
{
	return (int)(text.size < NAME_MAX_SHOWN ? text.size : NAME_MAX_SHOWN);
}

const struct tn_studio_property *
tn_studio_properties_find(const struct tn_studio_property *properties, size_t count,
			  struct tn_str key)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_equal(properties[i].key, key))
			return &properties[i];
	}
	return NULL;
}

/* "unknown property "x"; did you mean "y"?" */
static bool unknown(struct tn_registry_loader *loader, const struct tn_studio_property *properties,
		    size_t count, const char *what, struct tn_str name,
		    const struct tn_registry_at *at)
{
	const struct tn_studio_property *best = NULL;
	unsigned least = TN_NEAR_NONE;

	for (size_t i = 0; i < count; i++) {
		unsigned distance = tn_near_distance(name, properties[i].key);

		if (distance < least && tn_near_is(name, properties[i].key)) {
			least = distance;
			best = &properties[i];
		}
	}
	if (!best)
		return tn_registry_fault(loader, at, "unknown %s \"%.*s\"", what, shown(name),
					 name.data);
	return tn_registry_fault(loader, at, "unknown %s \"%.*s\"; did you mean \"%.*s\"?", what,
				 shown(name), name.data, (int)best->key.size, best->key.data);
}

const struct tn_studio_property *tn_registry_need(struct tn_registry_loader *loader,
						  const struct tn_registry_scope *scope,
						  const struct tn_json *name,
						  const struct tn_registry_at *at)
{
	const struct tn_studio_property *property;
	struct tn_str key;

	if (!tn_json_to_str(name, &key)) {
		(void)tn_registry_fault(loader, at, "the key of a property is expected here");
		return NULL;
	}
	property = tn_studio_properties_find(scope->properties, scope->count, key);
	if (!property)
		(void)unknown(loader, scope->properties, scope->count, "property", key, at);
	return property;
}

bool tn_registry_need_item(struct tn_registry_loader *loader, const struct tn_registry_scope *scope,
			   const struct tn_json *name, const struct tn_registry_at *at,
			   const struct tn_studio_property **ret)
{
	struct tn_str key;

	*ret = NULL;
	if (!tn_json_to_str(name, &key))
		return tn_registry_fault(loader, at, "the key of a field is expected here");
	if (!scope->each)
		return tn_registry_fault(loader, at,
					 "there is no current element outside of \"each\"");
	if (key.size == 0)
		return true;
	if (scope->each->type == TN_STUDIO_MAP)
		return tn_str_is(key, "key") || tn_str_is(key, "value") ||
		       tn_registry_fault(loader, at, "a pair has \"key\" and \"value\"");
	if (!scope->each->fields)
		return tn_registry_fault(loader, at,
					 "the elements of \"%.*s\" have no fields; \"\" is the "
					 "element itself",
					 (int)scope->each->key.size, scope->each->key.data);
	*ret = tn_studio_properties_find(scope->each->fields, scope->each->field_count, key);
	return *ret ||
	       unknown(loader, scope->each->fields, scope->each->field_count, "field", key, at);
}

/* A comparison that can never be true is a mistake that nobody sees. */
static bool may_be(const struct tn_studio_property *property, const struct tn_json *value)
{
	if (property->type == TN_STUDIO_BOOLEAN)
		return value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE;
	if (property->type != TN_STUDIO_ENUM || property->open || value->type == TN_JSON_NULL)
		return true;
	for (const struct tn_json *e = property->allowed->first; e; e = e->next) {
		if (tn_json_equal(e, value))
			return true;
	}
	return false;
}

static bool check_values(struct tn_registry_loader *loader,
			 const struct tn_studio_property *property, const struct tn_json *value,
			 const struct tn_registry_at *at)
{
	bool list = value->type == TN_JSON_ARRAY;

	for (const struct tn_json *e = list ? value->first : value; e; e = list ? e->next : NULL) {
		if (property && !may_be(property, e))
			return tn_registry_fault(loader, at, "\"%.*s\" never has this value",
						 (int)property->key.size, property->key.data);
	}
	return true;
}

/* What a comparison compares with. */
static bool check_operand(struct tn_registry_loader *loader,
			  const struct tn_studio_property *property, const struct tn_json *operand,
			  const struct tn_registry_at *at)
{
	if (tn_str_is(operand->key, "truthy") || tn_str_is(operand->key, "set"))
		return operand->type == TN_JSON_TRUE || operand->type == TN_JSON_FALSE ||
		       tn_registry_fault(loader, at, "true or false is expected");
	if (tn_str_is(operand->key, "startsWith"))
		return (operand->type == TN_JSON_STRING && operand->text.size > 0) ||
		       tn_registry_fault(loader, at, "the first letters are expected");
	if ((tn_str_is(operand->key, "in") || tn_str_is(operand->key, "notIn")) &&
	    operand->type != TN_JSON_ARRAY)
		return tn_registry_fault(loader, at, "a list of values is expected");
	return check_values(loader, property, operand, at);
}

/* {"prop"|"item": K, ONE OF is in not notIn startsWith truthy set} */
static bool check_comparison(struct tn_registry_loader *loader, const struct tn_json *condition,
			     const struct tn_studio_property *property,
			     const struct tn_registry_at *at)
{
	const struct tn_json *found = NULL;
	struct tn_registry_at here;

	for (const struct tn_json *m = condition->first; m; m = m->next) {
		if (tn_str_is(m->key, "prop") || tn_str_is(m->key, "item"))
			continue;
		if (found)
			return tn_registry_fault(loader, at,
						 "one comparison at a time; use \"all\"");
		found = m;
	}
	if (!found)
		return tn_registry_fault(loader, at,
					 "a comparison is missing: is, not, in, notIn, startsWith, "
					 "truthy or set");
	here = tn_registry_member(at, found);
	return check_operand(loader, property, found, &here);
}

static bool check_list(struct tn_registry_loader *loader, const struct tn_json *list,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	size_t index = 0;
	bool right = true;

	if (list->type != TN_JSON_ARRAY)
		return tn_registry_fault(loader, at, "a list of conditions is expected");
	for (const struct tn_json *e = list->first; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(at, index);

		right = tn_registry_condition(loader, e, scope, &here) && right;
	}
	return right;
}

bool tn_registry_need_reference(struct tn_registry_loader *loader,
				const struct tn_registry_scope *scope, const struct tn_json *name,
				const struct tn_registry_at *at, const struct tn_json **ret_to)
{
	const struct tn_json *rule = scope->type ? scope->type->parent_reference : NULL;
	const struct tn_json *key = tn_json_get(rule, "key");
	const struct tn_studio_property *property;

	/* What only a parent implies is no property of its own. */
	if (tn_json_is(name, TN_JSON_STRING) && key && tn_json_equal(key, name) &&
	    !tn_studio_properties_find(scope->properties, scope->count, name->text)) {
		*ret_to = tn_json_get(rule, "from");
		return true;
	}
	property = tn_registry_need(loader, scope, name, at);
	if (!property)
		return false;
	*ret_to = property->to;
	return property->type == TN_STUDIO_REFERENCE ||
	       tn_registry_fault(loader, at, "\"%.*s\" is no reference", (int)property->key.size,
				 property->key.data);
}

bool tn_registry_condition(struct tn_registry_loader *loader, const struct tn_json *condition,
			   const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const compare[] = {"prop", "is",     "in",  "not",        "notIn",
					      "item", "truthy", "set", "startsWith", NULL};
	static const char *const lists[] = {"all", "any", "none", NULL};
	static const char *const reference[] = {"ref", NULL};
	const struct tn_studio_property *property = NULL;
	const struct tn_json *name, *to;
	struct tn_registry_at here;

	if (!condition)
		return true;
	if (tn_json_get(condition, "ref")) {
		here = tn_registry_key(at, "ref");
		return tn_registry_keys(loader, condition, at, reference) &&
		       tn_registry_need_reference(loader, scope, tn_json_get(condition, "ref"),
						  &here, &to);
	}
	name = tn_json_get(condition, "prop");
	if (name || tn_json_get(condition, "item")) {
		here = tn_registry_key(at, name ? "prop" : "item");
		if (!tn_registry_keys(loader, condition, at, compare))
			return false;
		if (name)
			property = tn_registry_need(loader, scope, name, &here);
		if (name ? !property
			 : !tn_registry_need_item(loader, scope, tn_json_get(condition, "item"),
						  &here, &property))
			return false;
		return check_comparison(loader, condition, property, at);
	}
	if (!tn_registry_keys(loader, condition, at, lists))
		return false;
	if (condition->count != 1)
		return tn_registry_fault(loader, at,
					 "a condition has one of prop, item, ref, all, any, none");
	here = tn_registry_member(at, condition->first);
	return check_list(loader, condition->first, scope, &here);
}
