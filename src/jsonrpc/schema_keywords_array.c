/* Keywords about arrays. */
#include "base/size.h"
#include "jsonrpc/schema_keyword.h"

static struct tn_schema_array *array_rules(const struct tn_schema_keyword *k)
{
	if (!k->node->array) {
		k->node->array = tn_schema_new(k->c, 1, sizeof(*k->node->array));
		if (k->node->array) {
			k->node->array->max = k->node->array->contains_max = TN_SCHEMA_NO_MAX;
			k->node->array->contains_min = 1;
		}
	}
	return k->node->array;
}

static bool kw_items(const struct tn_schema_keyword *k)
{
	const struct tn_json *rest = tn_json_get(k->schema, "additionalItems");
	struct tn_schema_array *rules = array_rules(k);

	if (!rules)
		return false;
	if (k->value->type != TN_JSON_ARRAY)
		return tn_keyword_read_schema(k, &rules->items);
	/* The form of draft-07. Generators still write it without saying $schema; to read it as
	 * prefixItems is what they mean. */
	if (tn_json_get(k->schema, "prefixItems"))
		return tn_keyword_refuse(k, "a schema when prefixItems is there");
	if (k->value->count && !tn_keyword_read_list(k, &rules->prefix))
		return false;
	if (!rest)
		return true;
	rules->items = tn_schema_compile_child(k->c, rest, rest->key, 0);
	return rules->items != NULL;
}

static bool kw_prefix_items(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_list(k, &k->node->array->prefix);
}

static bool kw_contains(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_schema(k, &k->node->array->contains);
}

static bool kw_min_contains(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_count(k, &k->node->array->contains_min);
}

static bool kw_max_contains(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_count(k, &k->node->array->contains_max);
}

static bool kw_min_items(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_count(k, &k->node->array->min);
}

static bool kw_max_items(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_count(k, &k->node->array->max);
}

static bool kw_unique_items(const struct tn_schema_keyword *k)
{
	return array_rules(k) && (tn_json_to_bool(k->value, &k->node->array->unique) ||
				  tn_keyword_refuse(k, "true or false"));
}

static bool kw_unevaluated_items(const struct tn_schema_keyword *k)
{
	return array_rules(k) && tn_keyword_read_schema(k, &k->node->array->unevaluated);
}

static const struct tn_schema_keyword_entry entries[] = {
	/* sorted by bytes */
	{"contains", kw_contains, TN_IN_BOTH, TN_OUTSIDE},
	{"items", kw_items, TN_IN_BOTH, TN_OUTSIDE},
	{"maxContains", kw_max_contains, TN_IN_2020, TN_INSIDE},
	{"maxItems", kw_max_items, TN_IN_BOTH, TN_INSIDE},
	{"minContains", kw_min_contains, TN_IN_2020, TN_INSIDE},
	{"minItems", kw_min_items, TN_IN_BOTH, TN_INSIDE},
	{"prefixItems", kw_prefix_items, TN_IN_2020, TN_INSIDE},
	{"unevaluatedItems", kw_unevaluated_items, TN_IN_2020, TN_OUTSIDE},
	{"uniqueItems", kw_unique_items, TN_IN_BOTH, TN_INSIDE},
};

const struct tn_schema_keyword_table tn_schema_array_keywords = {entries, TN_COUNT(entries)};
