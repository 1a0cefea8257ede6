/* Keywords about any value, numbers and strings. */
#include "base/size.h"
#include "jsonrpc/schema_keyword.h"

static bool add_type(const struct tn_schema_keyword *k, const struct tn_json *name)
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
	return tn_keyword_refuse(
		k, "null, boolean, integer, number, string, array, object or a list of them");
}

static bool kw_type(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_ARRAY)
		return add_type(k, k->value);
	if (k->value->count == 0)
		return tn_keyword_refuse(k, "a list of types, not empty");
	for (const struct tn_json *name = k->value->first; name; name = name->next) {
		if (!add_type(k, name))
			return false;
	}
	return true;
}

static bool kw_enum(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_ARRAY)
		return tn_keyword_refuse(k, "an array of values");
	k->node->values = tn_schema_copy_value(k->c, k->value);
	return k->node->values != NULL;
}

static bool kw_const(const struct tn_schema_keyword *k)
{
	k->node->constant = tn_schema_copy_value(k->c, k->value);
	return k->node->constant != NULL;
}

static struct tn_schema_number *number_rules(const struct tn_schema_keyword *k)
{
	if (!k->node->number)
		k->node->number = tn_schema_new(k->c, 1, sizeof(*k->node->number));
	return k->node->number;
}

/* ---- numbers ---- */

static bool kw_minimum(const struct tn_schema_keyword *k)
{
	return number_rules(k) && tn_keyword_read_number(k, &k->node->number->minimum);
}

static bool kw_maximum(const struct tn_schema_keyword *k)
{
	return number_rules(k) && tn_keyword_read_number(k, &k->node->number->maximum);
}

static bool kw_exclusive_minimum(const struct tn_schema_keyword *k)
{
	return number_rules(k) && tn_keyword_read_number(k, &k->node->number->above);
}

static bool kw_exclusive_maximum(const struct tn_schema_keyword *k)
{
	return number_rules(k) && tn_keyword_read_number(k, &k->node->number->below);
}

static bool kw_multiple_of(const struct tn_schema_keyword *k)
{
	struct tn_schema_number *rules = number_rules(k);

	if (!rules || !tn_keyword_read_number(k, &rules->multiple_text))
		return false;
	return tn_json_divisor_init(&rules->multiple, rules->multiple_text) ||
	       tn_keyword_refuse(k, "a number above 0 with at most 18 digits");
}

static struct tn_schema_text *text_rules(const struct tn_schema_keyword *k)
{
	if (!k->node->text) {
		k->node->text = tn_schema_new(k->c, 1, sizeof(*k->node->text));
		if (k->node->text)
			k->node->text->max = TN_SCHEMA_NO_MAX;
	}
	return k->node->text;
}

/* ---- strings ---- */

static bool kw_min_length(const struct tn_schema_keyword *k)
{
	return text_rules(k) && tn_keyword_read_count(k, &k->node->text->min);
}

static bool kw_max_length(const struct tn_schema_keyword *k)
{
	return text_rules(k) && tn_keyword_read_count(k, &k->node->text->max);
}

static bool kw_pattern(const struct tn_schema_keyword *k)
{
	struct tn_schema_text *rules = text_rules(k);

	if (k->value->type != TN_JSON_STRING)
		return tn_keyword_refuse(k, "a string");
	return rules && tn_schema_copy_text(k->c, k->value->text, &rules->pattern_source) &&
	       tn_keyword_read_pattern(k, k->value->text, &rules->pattern);
}

static bool kw_format(const struct tn_schema_keyword *k)
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
		return tn_keyword_refuse(k, "a string");
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

static const struct tn_schema_keyword_entry entries[] = {
	/* sorted by bytes */
	{"const", kw_const, TN_IN_BOTH, TN_INSIDE},
	{"enum", kw_enum, TN_IN_BOTH, TN_INSIDE},
	{"exclusiveMaximum", kw_exclusive_maximum, TN_IN_BOTH, TN_INSIDE},
	{"exclusiveMinimum", kw_exclusive_minimum, TN_IN_BOTH, TN_INSIDE},
	{"format", kw_format, TN_IN_BOTH, TN_INSIDE},
	{"maxLength", kw_max_length, TN_IN_BOTH, TN_INSIDE},
	{"maximum", kw_maximum, TN_IN_BOTH, TN_INSIDE},
	{"minLength", kw_min_length, TN_IN_BOTH, TN_INSIDE},
	{"minimum", kw_minimum, TN_IN_BOTH, TN_INSIDE},
	{"multipleOf", kw_multiple_of, TN_IN_BOTH, TN_INSIDE},
	{"pattern", kw_pattern, TN_IN_BOTH, TN_INSIDE},
	{"type", kw_type, TN_IN_BOTH, TN_INSIDE},
};

const struct tn_schema_keyword_table tn_schema_value_keywords = {entries, TN_COUNT(entries)};
