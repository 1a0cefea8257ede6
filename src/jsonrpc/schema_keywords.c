#include <stdlib.h>

#include "base/size.h"
#include "jsonrpc/schema_compiler.h"

/* What a keyword's function gets: all it may need, in one place. */
struct keyword {
	struct tn_schema_compiler *c;
	struct tn_schema_node *node;
	const struct tn_json *schema; /* the object the keyword stands in */
	const struct tn_json *value;
};

typedef bool keyword_fn(const struct keyword *k);

/* ---- groups of rules, made when their first keyword comes ---- */

static struct tn_schema_number *number_rules(const struct keyword *k)
{
	if (!k->node->number)
		k->node->number = tn_schema_new(k->c, 1, sizeof(*k->node->number));
	return k->node->number;
}

static struct tn_schema_text *text_rules(const struct keyword *k)
{
	if (!k->node->text) {
		k->node->text = tn_schema_new(k->c, 1, sizeof(*k->node->text));
		if (k->node->text)
			k->node->text->max = TN_SCHEMA_NO_MAX;
	}
	return k->node->text;
}

static struct tn_schema_array *array_rules(const struct keyword *k)
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

static struct tn_schema_object *object_rules(const struct keyword *k)
{
	if (!k->node->object) {
		k->node->object = tn_schema_new(k->c, 1, sizeof(*k->node->object));
		if (k->node->object)
			k->node->object->max = TN_SCHEMA_NO_MAX;
	}
	return k->node->object;
}

static struct tn_schema_logic *logic_rules(const struct keyword *k)
{
	if (!k->node->logic)
		k->node->logic = tn_schema_new(k->c, 1, sizeof(*k->node->logic));
	return k->node->logic;
}

/* ---- forms that many keywords share ---- */

static bool wrong_form(const struct keyword *k, const char *wanted)
{
	return tn_schema_refuse(k->c, TENON_INVALID, "must be %s", wanted);
}

static bool read_count(const struct keyword *k, int64_t *ret)
{
	if (k->value->type != TN_JSON_NUMBER || !tn_json_is_integer(k->value) ||
	    tn_json_number_sign(k->value->text) < 0)
		return wrong_form(k, "an integer of 0 or more");
	if (!tn_json_to_int(k->value, ret))
		*ret = TN_SCHEMA_NO_MAX; /* larger than anything that can be counted */
	return true;
}

static bool read_number(const struct keyword *k, struct tn_str *ret)
{
	if (k->value->type != TN_JSON_NUMBER)
		return wrong_form(k, "a number");
	return tn_schema_copy_text(k->c, k->value->text, ret);
}

static bool read_schema(const struct keyword *k, const struct tn_schema_node **ret)
{
	*ret = tn_schema_compile_child(k->c, k->value, k->value->key, 0);
	return *ret != NULL;
}

/* The keyword's own place, for its children. */
static const struct tn_schema_node *child(const struct keyword *k, const struct tn_json *value,
					  uint32_t index)
{
	struct tn_str key = k->value->type == TN_JSON_OBJECT ? value->key : tn_str(NULL, 0);

	return tn_schema_compile_child(k->c, value, key, index);
}

static bool read_list(const struct keyword *k, struct tn_schema_list *ret)
{
	uint32_t i = 0;

	if (k->value->type != TN_JSON_ARRAY || k->value->count == 0)
		return wrong_form(k, "an array of schemas, not empty");
	ret->nodes = tn_schema_new(k->c, k->value->count, sizeof(const struct tn_schema_node *));
	if (!ret->nodes)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next, i++) {
		ret->nodes[i] = child(k, v, i);
		if (!ret->nodes[i])
			return false;
	}
	ret->count = i;
	return true;
}

/* ---- any value ---- */

static bool add_type(const struct keyword *k, const struct tn_json *name)
{
	static const struct {
		const char *name;
		uint8_t bit;
	} types[] = {
		{"null", TN_SCHEMA_NULL},       {"boolean", TN_SCHEMA_BOOLEAN},
		{"integer", TN_SCHEMA_INTEGER}, {"number", TN_SCHEMA_NUMBER | TN_SCHEMA_INTEGER},
		{"string", TN_SCHEMA_STRING},   {"array", TN_SCHEMA_ARRAY},
		{"object", TN_SCHEMA_OBJECT},
	};

	for (size_t i = 0; name->type == TN_JSON_STRING && i < TN_COUNT(types); i++) {
		if (tn_str_is(name->text, types[i].name)) {
			k->node->types |= types[i].bit;
			return true;
		}
	}
	return wrong_form(
		k, "null, boolean, integer, number, string, array, object or a list of them");
}

static bool kw_type(const struct keyword *k)
{
	if (k->value->type != TN_JSON_ARRAY)
		return add_type(k, k->value);
	if (k->value->count == 0)
		return wrong_form(k, "a list of types, not empty");
	for (const struct tn_json *name = k->value->first; name; name = name->next) {
		if (!add_type(k, name))
			return false;
	}
	return true;
}

static bool kw_enum(const struct keyword *k)
{
	if (k->value->type != TN_JSON_ARRAY)
		return wrong_form(k, "an array of values");
	k->node->values = tn_schema_copy_value(k->c, k->value);
	return k->node->values != NULL;
}

static bool kw_const(const struct keyword *k)
{
	k->node->constant = tn_schema_copy_value(k->c, k->value);
	return k->node->constant != NULL;
}

/* ---- numbers ---- */

static bool kw_minimum(const struct keyword *k)
{
	return number_rules(k) && read_number(k, &k->node->number->minimum);
}

static bool kw_maximum(const struct keyword *k)
{
	return number_rules(k) && read_number(k, &k->node->number->maximum);
}

static bool kw_exclusive_minimum(const struct keyword *k)
{
	return number_rules(k) && read_number(k, &k->node->number->above);
}

static bool kw_exclusive_maximum(const struct keyword *k)
{
	return number_rules(k) && read_number(k, &k->node->number->below);
}

static bool kw_multiple_of(const struct keyword *k)
{
	struct tn_schema_number *rules = number_rules(k);

	if (!rules || !read_number(k, &rules->multiple_text))
		return false;
	return tn_json_divisor_init(&rules->multiple, rules->multiple_text) ||
	       wrong_form(k, "a number above 0 with at most 18 digits");
}

/* ---- strings ---- */

static bool kw_min_length(const struct keyword *k)
{
	return text_rules(k) && read_count(k, &k->node->text->min);
}

static bool kw_max_length(const struct keyword *k)
{
	return text_rules(k) && read_count(k, &k->node->text->max);
}

static bool read_pattern(const struct keyword *k, struct tn_str source,
			 const struct tn_pattern **ret)
{
	struct tenon_error err;
	enum tenon_code code = tn_pattern_compile(k->c->arena, source, ret, &err);

	return code == TENON_OK || tn_schema_refuse(k->c, code, "%s", err.message);
}

static bool kw_pattern(const struct keyword *k)
{
	struct tn_schema_text *rules = text_rules(k);

	if (k->value->type != TN_JSON_STRING)
		return wrong_form(k, "a string");
	return rules && tn_schema_copy_text(k->c, k->value->text, &rules->pattern_source) &&
	       read_pattern(k, k->value->text, &rules->pattern);
}

static bool kw_format(const struct keyword *k)
{
	static const struct {
		const char *name;
		enum tn_schema_format format;
	} formats[] = {
		{"email", TN_SCHEMA_FORMAT_EMAIL},
		{"uri", TN_SCHEMA_FORMAT_URI},
		{"date", TN_SCHEMA_FORMAT_DATE},
		{"date-time", TN_SCHEMA_FORMAT_DATE_TIME},
	};

	if (k->value->type != TN_JSON_STRING)
		return wrong_form(k, "a string");
	if (!(k->c->schema->flags & TN_SCHEMA_ASSERT_FORMAT))
		return true; /* an annotation */
	for (size_t i = 0; i < TN_COUNT(formats); i++) {
		if (!tn_str_is(k->value->text, formats[i].name))
			continue;
		if (!text_rules(k))
			return false;
		k->node->text->format = formats[i].format;
	}
	return true;
}

/* ---- arrays ---- */

static bool kw_items(const struct keyword *k)
{
	const struct tn_json *rest = tn_json_get(k->schema, "additionalItems");
	struct tn_schema_array *rules = array_rules(k);

	if (!rules)
		return false;
	if (k->value->type != TN_JSON_ARRAY)
		return read_schema(k, &rules->items);
	/* The form of draft-07. Generators still write it without saying $schema; to read it as
	 * prefixItems is what they mean. */
	if (tn_json_get(k->schema, "prefixItems"))
		return wrong_form(k, "a schema when prefixItems is there");
	if (k->value->count && !read_list(k, &rules->prefix))
		return false;
	if (!rest)
		return true;
	rules->items = tn_schema_compile_child(k->c, rest, rest->key, 0);
	return rules->items != NULL;
}

static bool kw_prefix_items(const struct keyword *k)
{
	return array_rules(k) && read_list(k, &k->node->array->prefix);
}

static bool kw_contains(const struct keyword *k)
{
	return array_rules(k) && read_schema(k, &k->node->array->contains);
}

static bool kw_min_contains(const struct keyword *k)
{
	return array_rules(k) && read_count(k, &k->node->array->contains_min);
}

static bool kw_max_contains(const struct keyword *k)
{
	return array_rules(k) && read_count(k, &k->node->array->contains_max);
}

static bool kw_min_items(const struct keyword *k)
{
	return array_rules(k) && read_count(k, &k->node->array->min);
}

static bool kw_max_items(const struct keyword *k)
{
	return array_rules(k) && read_count(k, &k->node->array->max);
}

static bool kw_unique_items(const struct keyword *k)
{
	return array_rules(k) && (tn_json_to_bool(k->value, &k->node->array->unique) ||
				  wrong_form(k, "true or false"));
}

static bool kw_unevaluated_items(const struct keyword *k)
{
	return array_rules(k) && read_schema(k, &k->node->array->unevaluated);
}

/* ---- objects ---- */

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
static struct tn_schema_property *grow_properties(const struct keyword *k, uint32_t more)
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

static bool kw_properties(const struct keyword *k)
{
	struct tn_schema_property *property;

	if (k->value->type != TN_JSON_OBJECT)
		return wrong_form(k, "an object of schemas");
	property = grow_properties(k, k->value->count);
	if (!property)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next, property++) {
		if (!tn_schema_copy_text(k->c, v->key, &property->name))
			return false;
		property->node = child(k, v, 0);
		if (!property->node)
			return false;
	}
	merge_properties(k->node->object, k->node->object->properties_count + k->value->count);
	return true;
}

static bool kw_required(const struct keyword *k)
{
	struct tn_schema_property *property;

	if (k->value->type != TN_JSON_ARRAY)
		return wrong_form(k, "an array of names");
	property = grow_properties(k, k->value->count);
	if (!property)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next, property++) {
		if (v->type != TN_JSON_STRING)
			return wrong_form(k, "an array of names");
		if (!tn_schema_copy_text(k->c, v->text, &property->name))
			return false;
		property->required = true;
	}
	merge_properties(k->node->object, k->node->object->properties_count + k->value->count);
	return true;
}

static bool kw_pattern_properties(const struct keyword *k)
{
	struct tn_schema_object *rules = object_rules(k);

	if (k->value->type != TN_JSON_OBJECT)
		return wrong_form(k, "an object of schemas");
	if (!rules)
		return false;
	rules->patterns = tn_schema_new(k->c, k->value->count, sizeof(*rules->patterns));
	if (!rules->patterns)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next) {
		struct tn_schema_pattern_property *pattern =
			&rules->patterns[rules->patterns_count++];

		if (!read_pattern(k, v->key, &pattern->pattern))
			return false;
		pattern->node = child(k, v, 0);
		if (!pattern->node)
			return false;
	}
	return true;
}

static bool kw_additional_properties(const struct keyword *k)
{
	return object_rules(k) && read_schema(k, &k->node->object->additional);
}

static bool kw_property_names(const struct keyword *k)
{
	return object_rules(k) && read_schema(k, &k->node->object->names);
}

static bool kw_unevaluated_properties(const struct keyword *k)
{
	return object_rules(k) && read_schema(k, &k->node->object->unevaluated);
}

static bool kw_min_properties(const struct keyword *k)
{
	return object_rules(k) && read_count(k, &k->node->object->min);
}

static bool kw_max_properties(const struct keyword *k)
{
	return object_rules(k) && read_count(k, &k->node->object->max);
}

static bool read_names(const struct keyword *k, const struct tn_json *value,
		       struct tn_schema_dependent *dependent)
{
	dependent->required = tn_schema_new(k->c, value->count, sizeof(*dependent->required));
	if (!dependent->required)
		return false;
	for (const struct tn_json *v = value->first; v; v = v->next) {
		if (v->type != TN_JSON_STRING)
			return wrong_form(k, "lists of names");
		if (!tn_schema_copy_text(k->c, v->text,
					 &dependent->required[dependent->required_count++]))
			return false;
	}
	return true;
}

/* dependentRequired, dependentSchemas, and dependencies, which was both. */
static bool add_dependents(const struct keyword *k, bool names, bool schemas)
{
	struct tn_schema_object *rules = object_rules(k);
	struct tn_schema_dependent *list;

	if (k->value->type != TN_JSON_OBJECT)
		return wrong_form(k, "an object");
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
			dependent->node = child(k, v, 0);
			if (!dependent->node)
				return false;
		} else {
			return wrong_form(k, "lists of names");
		}
	}
	return true;
}

static bool kw_dependencies(const struct keyword *k)
{
	return add_dependents(k, true, true);
}

static bool kw_dependent_required(const struct keyword *k)
{
	return add_dependents(k, true, false);
}

static bool kw_dependent_schemas(const struct keyword *k)
{
	return add_dependents(k, false, true);
}

/* ---- combining ---- */

static bool kw_all_of(const struct keyword *k)
{
	return logic_rules(k) && read_list(k, &k->node->logic->all);
}

static bool kw_any_of(const struct keyword *k)
{
	return logic_rules(k) && read_list(k, &k->node->logic->any);
}

static bool kw_one_of(const struct keyword *k)
{
	return logic_rules(k) && read_list(k, &k->node->logic->one);
}

static bool kw_not(const struct keyword *k)
{
	return logic_rules(k) && read_schema(k, &k->node->logic->not_node);
}

static bool kw_if(const struct keyword *k)
{
	return logic_rules(k) && read_schema(k, &k->node->logic->if_node);
}

static bool kw_then(const struct keyword *k)
{
	return logic_rules(k) && read_schema(k, &k->node->logic->then_node);
}

static bool kw_else(const struct keyword *k)
{
	return logic_rules(k) && read_schema(k, &k->node->logic->else_node);
}

/* ---- names and references ---- */

static bool kw_ref(const struct keyword *k)
{
	if (k->value->type != TN_JSON_STRING)
		return wrong_form(k, "a string");
	return logic_rules(k) && tn_schema_add_reference(k->c, k->node, k->value->text, false);
}

static bool kw_dynamic_ref(const struct keyword *k)
{
	if (k->value->type != TN_JSON_STRING)
		return wrong_form(k, "a string");
	return logic_rules(k) && tn_schema_add_reference(k->c, k->node, k->value->text, true);
}

static bool kw_anchor(const struct keyword *k)
{
	if (k->value->type != TN_JSON_STRING || k->value->text.size == 0)
		return wrong_form(k, "a name");
	return tn_schema_add_anchor(k->c, k->node, k->value->text, false);
}

static bool kw_dynamic_anchor(const struct keyword *k)
{
	if (k->value->type != TN_JSON_STRING || k->value->text.size == 0)
		return wrong_form(k, "a name");
	return tn_schema_add_anchor(k->c, k->node, k->value->text, true);
}

/* The walk has opened the resource already; what is left is draft-07's "$id": "#name". */
static bool kw_id(const struct keyword *k)
{
	struct tn_str id = k->value->text; /* enter_base has seen that it is a string */

	if (k->c->base->dialect == TN_SCHEMA_DRAFT_07 && id.size > 1 && id.data[0] == '#')
		return tn_schema_add_anchor(k->c, k->node, tn_str_from_offset(id, 1), false);
	return true;
}

static bool kw_definitions(const struct keyword *k)
{
	if (k->value->type != TN_JSON_OBJECT)
		return wrong_form(k, "an object of schemas");
	for (const struct tn_json *v = k->value->first; v; v = v->next) {
		if (!child(k, v, 0))
			return false;
	}
	return true;
}

static bool kw_recursive(const struct keyword *k)
{
	return tn_schema_refuse(
		k->c, TENON_INVALID,
		"belongs to draft 2019-09, which is not supported; use $dynamicRef");
}

/* ---- the table ---- */

enum { IN_BOTH = 0, IN_2020 = 1 }; /* draft-07 does not know the latter and passes over them */
enum { INSIDE = 0, OUTSIDE = 1 };  /* does the function compile the value itself as a schema? */

static const struct entry {
	const char *name;
	keyword_fn *compile;
	uint8_t since;
	uint8_t whole; /* the value is one schema: its place is made by read_schema */
} entries[] = {
	/* sorted by bytes */
	{"$anchor", kw_anchor, IN_2020, INSIDE},
	{"$defs", kw_definitions, IN_BOTH, INSIDE},
	{"$dynamicAnchor", kw_dynamic_anchor, IN_2020, INSIDE},
	{"$dynamicRef", kw_dynamic_ref, IN_2020, INSIDE},
	{"$id", kw_id, IN_BOTH, INSIDE},
	{"$recursiveAnchor", kw_recursive, IN_2020, INSIDE},
	{"$recursiveRef", kw_recursive, IN_2020, INSIDE},
	{"$ref", kw_ref, IN_BOTH, INSIDE},
	{"additionalProperties", kw_additional_properties, IN_BOTH, OUTSIDE},
	{"allOf", kw_all_of, IN_BOTH, INSIDE},
	{"anyOf", kw_any_of, IN_BOTH, INSIDE},
	{"const", kw_const, IN_BOTH, INSIDE},
	{"contains", kw_contains, IN_BOTH, OUTSIDE},
	{"definitions", kw_definitions, IN_BOTH, INSIDE},
	{"dependencies", kw_dependencies, IN_BOTH, INSIDE},
	{"dependentRequired", kw_dependent_required, IN_2020, INSIDE},
	{"dependentSchemas", kw_dependent_schemas, IN_2020, INSIDE},
	{"else", kw_else, IN_BOTH, OUTSIDE},
	{"enum", kw_enum, IN_BOTH, INSIDE},
	{"exclusiveMaximum", kw_exclusive_maximum, IN_BOTH, INSIDE},
	{"exclusiveMinimum", kw_exclusive_minimum, IN_BOTH, INSIDE},
	{"format", kw_format, IN_BOTH, INSIDE},
	{"if", kw_if, IN_BOTH, OUTSIDE},
	{"items", kw_items, IN_BOTH, OUTSIDE},
	{"maxContains", kw_max_contains, IN_2020, INSIDE},
	{"maxItems", kw_max_items, IN_BOTH, INSIDE},
	{"maxLength", kw_max_length, IN_BOTH, INSIDE},
	{"maxProperties", kw_max_properties, IN_BOTH, INSIDE},
	{"maximum", kw_maximum, IN_BOTH, INSIDE},
	{"minContains", kw_min_contains, IN_2020, INSIDE},
	{"minItems", kw_min_items, IN_BOTH, INSIDE},
	{"minLength", kw_min_length, IN_BOTH, INSIDE},
	{"minProperties", kw_min_properties, IN_BOTH, INSIDE},
	{"minimum", kw_minimum, IN_BOTH, INSIDE},
	{"multipleOf", kw_multiple_of, IN_BOTH, INSIDE},
	{"not", kw_not, IN_BOTH, OUTSIDE},
	{"oneOf", kw_one_of, IN_BOTH, INSIDE},
	{"pattern", kw_pattern, IN_BOTH, INSIDE},
	{"patternProperties", kw_pattern_properties, IN_BOTH, INSIDE},
	{"prefixItems", kw_prefix_items, IN_2020, INSIDE},
	{"properties", kw_properties, IN_BOTH, INSIDE},
	{"propertyNames", kw_property_names, IN_BOTH, OUTSIDE},
	{"required", kw_required, IN_BOTH, INSIDE},
	{"then", kw_then, IN_BOTH, OUTSIDE},
	{"type", kw_type, IN_BOTH, INSIDE},
	{"unevaluatedItems", kw_unevaluated_items, IN_2020, OUTSIDE},
	{"unevaluatedProperties", kw_unevaluated_properties, IN_2020, OUTSIDE},
	{"uniqueItems", kw_unique_items, IN_BOTH, INSIDE},
};

static int by_keyword(const void *key, const void *entry)
{
	const struct tn_str *name = key;

	return tn_str_compare(*name, tn_str_from(((const struct entry *)entry)->name));
}

bool tn_schema_compile_keyword(struct tn_schema_compiler *c, struct tn_schema_node *node,
			       const struct tn_json *schema, const struct tn_json *member)
{
	const struct tn_schema_place place = {c->place, member->key, 0}, *outer = c->place;
	const struct keyword k = {c, node, schema, member};
	const struct entry *entry =
		bsearch(&member->key, entries, TN_COUNT(entries), sizeof(entries[0]), by_keyword);
	bool good;

	if (!entry || (entry->since == IN_2020 && c->base->dialect == TN_SCHEMA_DRAFT_07))
		return true; /* title, description, default, x-...: notes */
	if (entry->whole && member->type != TN_JSON_ARRAY)
		return entry->compile(&k);
	c->place = &place;
	good = entry->compile(&k);
	c->place = outer;
	return good;
}
