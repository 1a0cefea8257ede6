/* Keywords about objects. */
#include <stdlib.h>

#include "base/size.h"
#include "jsonrpc/schema_keyword.h"

static struct tn_schema_object *object_rules(const struct tn_schema_keyword *k)
{
	if (!k->node->object) {
		k->node->object = tn_schema_new(k->c, 1, sizeof(*k->node->object));
		if (k->node->object)
			k->node->object->max = TN_SCHEMA_NO_MAX;
	}
	return k->node->object;
}

static int by_name(const void *a, const void *b)
{
	const struct tn_schema_property *x = a, *y = b;

	return tn_schema_name_compare(x->name, y->name);
}

/* Sorts, and makes one of a property that is both described and required. */
static void merge_properties(struct tn_schema_object *rules, uint32_t count)
{
	struct tn_schema_property *list = rules->properties;
	uint32_t kept = 0;

	qsort(list, count, sizeof(*list), by_name);
	for (uint32_t i = 0; i < count; i++) {
		if (kept && tn_str_equal(list[kept - 1].name, list[i].name)) {
			list[kept - 1].required |= list[i].required;
			if (list[i].node)
				list[kept - 1].node = list[i].node;
		} else {
			list[kept++] = list[i];
		}
	}
	rules->properties_count = kept;
	rules->required_count = 0;
	for (uint32_t i = 0; i < kept; i++)
		rules->required_count += list[i].required;
}

/* Room in the list for `more` names; what was there moves over. */
static struct tn_schema_property *grow_properties(const struct tn_schema_keyword *k, uint32_t more)
{
	struct tn_schema_object *rules = object_rules(k);
	struct tn_schema_property *list;

	if (!rules)
		return NULL;
	list = tn_schema_new(k->c, (size_t)rules->properties_count + more, sizeof(*list));
	if (!list)
		return NULL;
	if (rules->properties_count)
		memcpy(list, rules->properties, rules->properties_count * sizeof(*list));
	rules->properties = list;
	return list + rules->properties_count;
}

static bool kw_properties(const struct tn_schema_keyword *k)
{
	struct tn_schema_property *property;

	if (k->value->type != TN_JSON_OBJECT)
		return tn_keyword_refuse(k, "an object of schemas");
	property = grow_properties(k, k->value->count);
	if (!property)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next, property++) {
		if (!tn_schema_copy_text(k->c, v->key, &property->name))
			return false;
		property->node = tn_keyword_child(k, v, 0);
		if (!property->node)
			return false;
	}
	merge_properties(k->node->object, k->node->object->properties_count + k->value->count);
	return true;
}

static bool kw_required(const struct tn_schema_keyword *k)
{
	struct tn_schema_property *property;

	if (k->value->type != TN_JSON_ARRAY)
		return tn_keyword_refuse(k, "an array of names");
	property = grow_properties(k, k->value->count);
	if (!property)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next, property++) {
		if (v->type != TN_JSON_STRING)
			return tn_keyword_refuse(k, "an array of names");
		if (!tn_schema_copy_text(k->c, v->text, &property->name))
			return false;
		property->required = true;
	}
	merge_properties(k->node->object, k->node->object->properties_count + k->value->count);
	return true;
}

static bool kw_pattern_properties(const struct tn_schema_keyword *k)
{
	struct tn_schema_object *rules = object_rules(k);

	if (k->value->type != TN_JSON_OBJECT)
		return tn_keyword_refuse(k, "an object of schemas");
	if (!rules)
		return false;
	rules->patterns = tn_schema_new(k->c, k->value->count, sizeof(*rules->patterns));
	if (!rules->patterns)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next) {
		struct tn_schema_pattern_property *pattern =
			&rules->patterns[rules->patterns_count++];

		if (!tn_keyword_read_pattern(k, v->key, &pattern->pattern))
			return false;
		pattern->node = tn_keyword_child(k, v, 0);
		if (!pattern->node)
			return false;
	}
	return true;
}

static bool kw_additional_properties(const struct tn_schema_keyword *k)
{
	return object_rules(k) && tn_keyword_read_schema(k, &k->node->object->additional);
}

static bool kw_property_names(const struct tn_schema_keyword *k)
{
	return object_rules(k) && tn_keyword_read_schema(k, &k->node->object->names);
}

static bool kw_unevaluated_properties(const struct tn_schema_keyword *k)
{
	return object_rules(k) && tn_keyword_read_schema(k, &k->node->object->unevaluated);
}

static bool kw_min_properties(const struct tn_schema_keyword *k)
{
	return object_rules(k) && tn_keyword_read_count(k, &k->node->object->min);
}

static bool kw_max_properties(const struct tn_schema_keyword *k)
{
	return object_rules(k) && tn_keyword_read_count(k, &k->node->object->max);
}

static bool read_names(const struct tn_schema_keyword *k, const struct tn_json *value,
		       struct tn_schema_dependent *dependent)
{
	dependent->required = tn_schema_new(k->c, value->count, sizeof(*dependent->required));
	if (!dependent->required)
		return false;
	for (const struct tn_json *v = value->first; v; v = v->next) {
		if (v->type != TN_JSON_STRING)
			return tn_keyword_refuse(k, "lists of names");
		if (!tn_schema_copy_text(k->c, v->text,
					 &dependent->required[dependent->required_count++]))
			return false;
	}
	return true;
}

/* dependentRequired, dependentSchemas, and dependencies, which was both. */
static bool add_dependents(const struct tn_schema_keyword *k, bool names, bool schemas)
{
	struct tn_schema_object *rules = object_rules(k);
	struct tn_schema_dependent *list;

	if (k->value->type != TN_JSON_OBJECT)
		return tn_keyword_refuse(k, "an object");
	list = rules ? tn_schema_new(k->c, (size_t)rules->dependents_count + k->value->count,
				     sizeof(*list))
		     : NULL;
	if (!list)
		return false;
	if (rules->dependents_count)
		memcpy(list, rules->dependents, rules->dependents_count * sizeof(*list));
	rules->dependents = list;
	for (const struct tn_json *v = k->value->first; v; v = v->next) {
		struct tn_schema_dependent *dependent = &list[rules->dependents_count++];

		if (!tn_schema_copy_text(k->c, v->key, &dependent->trigger))
			return false;
		if (v->type == TN_JSON_ARRAY && names) {
			if (!read_names(k, v, dependent))
				return false;
		} else if (schemas) {
			dependent->node = tn_keyword_child(k, v, 0);
			if (!dependent->node)
				return false;
		} else {
			return tn_keyword_refuse(k, "lists of names");
		}
	}
	return true;
}

static bool kw_dependencies(const struct tn_schema_keyword *k)
{
	return add_dependents(k, true, true);
}

static bool kw_dependent_required(const struct tn_schema_keyword *k)
{
	return add_dependents(k, true, false);
}

static bool kw_dependent_schemas(const struct tn_schema_keyword *k)
{
	return add_dependents(k, false, true);
}

static const struct tn_schema_keyword_entry entries[] = {
	/* sorted by bytes */
	{"additionalProperties", kw_additional_properties, TN_IN_BOTH, TN_OUTSIDE},
	{"dependencies", kw_dependencies, TN_IN_BOTH, TN_INSIDE},
	{"dependentRequired", kw_dependent_required, TN_IN_2020, TN_INSIDE},
	{"dependentSchemas", kw_dependent_schemas, TN_IN_2020, TN_INSIDE},
	{"maxProperties", kw_max_properties, TN_IN_BOTH, TN_INSIDE},
	{"minProperties", kw_min_properties, TN_IN_BOTH, TN_INSIDE},
	{"patternProperties", kw_pattern_properties, TN_IN_BOTH, TN_INSIDE},
	{"properties", kw_properties, TN_IN_BOTH, TN_INSIDE},
	{"propertyNames", kw_property_names, TN_IN_BOTH, TN_OUTSIDE},
	{"required", kw_required, TN_IN_BOTH, TN_INSIDE},
	{"unevaluatedProperties", kw_unevaluated_properties, TN_IN_2020, TN_OUTSIDE},
};

const struct tn_schema_keyword_table tn_schema_object_keywords = {entries, TN_COUNT(entries)};
