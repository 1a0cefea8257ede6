#include "apps/studio/id.h"
#include "apps/studio/registry/property_check.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "apps/studio/limits.h"
#include "base/near.h"
#include "base/utf8.h"
#include "jsonrpc/json_make.h"

enum { SHOWN_MAX = 60, PATTERN_STEPS = 5000000 };

/* What is being checked: where made values go, and where to say what is wrong. */
struct check {
	struct tn_arena *arena;
	char *why;
	size_t why_size;
};

static bool no(struct check *check, const char *format, ...) TN_PRINTF(2, 3);

static bool no(struct check *check, const char *format, ...)
{
	va_list arguments;

	if (check->why_size == 0)
		return false;
	va_start(arguments, format);
	(void)vsnprintf(check->why, check->why_size, format, arguments);
	va_end(arguments);
	check->why[tn_utf8_cut(tn_str_from(check->why), check->why_size - 1).size] = '\0';
	return false;
}

/* "string "abc"", "number 7", "an array": what came instead. */
static const char *shown(const struct tn_json *value, char text[SHOWN_MAX + 24])
{
	struct tn_str cut;

	if (value->type != TN_JSON_STRING && value->type != TN_JSON_NUMBER)
		return tn_json_type_name(value);
	cut = tn_utf8_cut(value->text, SHOWN_MAX);
	(void)snprintf(text, SHOWN_MAX + 24,
		       value->type == TN_JSON_STRING ? "\"%.*s\"%s" : "%.*s%s", (int)cut.size,
		       cut.data, cut.size < value->text.size ? "..." : "");
	return text;
}

static bool unexpected(struct check *check, const char *expected, const struct tn_json *value)
{
	char text[SHOWN_MAX + 24];

	return no(check, "%s is expected, not %s", expected, shown(value, text));
}

/* ---- texts ---- */

static bool check_length(struct check *check, const struct tn_studio_property *property,
			 struct tn_str text)
{
	size_t characters = 0;

	if (text.size > TN_STUDIO_STRING_BYTES_MAX)
		return no(check, "at most %zu bytes are expected",
			  (size_t)TN_STUDIO_STRING_BYTES_MAX);
	if (memchr(text.data ? text.data : "", '\0', text.size))
		return no(check, "a string without NUL is expected");
	for (size_t i = 0; i < text.size; i++)
		characters += ((unsigned char)text.data[i] & 0xC0) != 0x80;
	/* "" stands for none; whether there has to be one is for validation to say. */
	if (characters > 0 && property->min_length >= 0 &&
	    characters < (uint64_t)property->min_length)
		return no(check, "at least %lld characters are expected, there are %zu",
			  (long long)property->min_length, characters);
	if (property->max_length >= 0 && characters > (uint64_t)property->max_length)
		return no(check, "at most %lld characters are expected, there are %zu",
			  (long long)property->max_length, characters);
	return true;
}

static bool check_text(struct check *check, const struct tn_studio_property *property,
		       const struct tn_json *value)
{
	uint64_t steps = PATTERN_STEPS;
	char text[SHOWN_MAX + 24];

	if (!check_length(check, property, value->text))
		return false;
	if (!property->pattern || value->text.size == 0)
		return true;
	if (tn_pattern_search(property->pattern, value->text, &steps) == TN_PATTERN_YES)
		return true;
	return no(check, "%s does not match the pattern %.*s", shown(value, text),
		  (int)property->pattern_text.size, property->pattern_text.data);
}

/* A number where text is expected keeps its digits. */
static const struct tn_json *as_text(struct check *check, const struct tn_json *value)
{
	if (value->type == TN_JSON_NUMBER)
		return tn_json_make_str(check->arena, value->text);
	return value->type == TN_JSON_STRING ? value : NULL;
}

static bool check_string(struct check *check, const struct tn_studio_property *property,
			 const struct tn_json *value, const struct tn_json **ret)
{
	*ret = as_text(check, value);
	if (!*ret)
		return unexpected(check, "a string", value);
	return check_text(check, property, *ret);
}

/* ---- numbers ---- */

/* "12" is 12; "012", "1e", " 1" and "0x10" are texts. */
static const struct tn_json *as_number(struct check *check, const struct tn_json *value)
{
	struct tn_json *made;
	struct tenon_error err;

	if (value->type == TN_JSON_NUMBER)
		return value;
	if (value->type != TN_JSON_STRING || value->text.size == 0 || value->text.size > 64 ||
	    (value->text.data[0] != '-' && !tn_is_digit(value->text.data[0])) ||
	    !tn_is_digit(value->text.data[value->text.size - 1]))
		return NULL;
	if (tn_json_parse_copy(check->arena, value->text, &made, &err) != TENON_OK ||
	    made->type != TN_JSON_NUMBER)
		return NULL;
	return made;
}

/* "a number from 1 to 10" */
static const char *range(const struct tn_studio_property *property, char text[96])
{
	if (!isnan(property->min) && !isnan(property->max))
		(void)snprintf(text, 96, "a number from %.15g to %.15g", property->min,
			       property->max);
	else if (!isnan(property->min))
		(void)snprintf(text, 96, "a number of at least %.15g", property->min);
	else if (!isnan(property->max))
		(void)snprintf(text, 96, "a number of at most %.15g", property->max);
	else
		(void)snprintf(text, 96, "a number");
	return text;
}

static bool check_number(struct check *check, const struct tn_studio_property *property,
			 const struct tn_json *value, const struct tn_json **ret)
{
	char text[96];
	double number;

	*ret = as_number(check, value);
	if (!*ret || !tn_json_to_double(*ret, &number) || number < property->min ||
	    number > property->max)
		return unexpected(check, range(property, text), value);
	return true;
}

static bool check_boolean(struct check *check, const struct tn_studio_property *property,
			  const struct tn_json *value, const struct tn_json **ret)
{
	(void)property;
	*ret = value;
	return value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE ||
	       unexpected(check, "true or false", value);
}

/* ---- choices ---- */

static bool refuse_choice(struct check *check, const struct tn_studio_property *property,
			  const struct tn_json *value)
{
	char list[300] = "", text[SHOWN_MAX + 24];
	const struct tn_json *near = NULL;
	unsigned least = TN_NEAR_NONE;
	size_t used = 0;

	for (const struct tn_json *e = property->allowed->first; e; e = e->next) {
		unsigned distance = tn_near_distance(value->text, e->text);

		if (distance < least && tn_near_is(value->text, e->text)) {
			least = distance;
			near = e;
		}
		if (used + e->text.size + 8 < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s",
						 used > 0 ? ", " : "", (int)e->text.size,
						 e->text.data);
		else if (used + 6 < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, ", ...");
	}
	return no(check, "one of %s is expected, not %s%s%.*s%s", list, shown(value, text),
		  near ? "; did you mean \"" : "", near ? (int)near->text.size : 0,
		  near ? near->text.data : "", near ? "\"?" : "");
}

static bool check_enum(struct check *check, const struct tn_studio_property *property,
		       const struct tn_json *value, const struct tn_json **ret)
{
	if (value->type != TN_JSON_STRING && value->type != TN_JSON_NUMBER)
		return unexpected(check, "one of the allowed values", value);
	for (const struct tn_json *e = property->allowed->first; e; e = e->next) {
		/* 1 and "1" are the same choice; it is stored as the registry writes it. */
		if (tn_str_equal(e->text, value->text) || tn_json_equal(e, value)) {
			*ret = e->type == value->type
				       ? value
				       : (e->type == TN_JSON_STRING ? as_text(check, value)
								    : as_number(check, value));
			return *ret || no(check, "out of memory");
		}
	}
	if (!property->open || value->text.size == 0)
		return refuse_choice(check, property, value);
	return check_string(check, property, value, ret);
}

/* ---- address ranges ---- */

/* The form alone: what lies in it, and whether it overlaps, is for validation (6.4). */
static bool is_range(struct tn_str text)
{
	size_t slash = tn_str_find_byte(text, '/');
	char address[INET6_ADDRSTRLEN];
	unsigned char bytes[16];
	uint64_t prefix;
	struct tn_str length;

	if (slash == TN_STR_NONE || slash >= sizeof(address))
		return false;
	memcpy(address, text.data, slash);
	address[slash] = '\0';
	length = tn_str_from_offset(text, slash + 1);
	if (strlen(address) != slash || length.size == 0 || length.size > 3 ||
	    !tn_str_to_uint(length, &prefix) || (length.size > 1 && length.data[0] == '0'))
		return false;
	if (inet_pton(AF_INET, address, bytes) == 1)
		return prefix <= 32;
	return inet_pton(AF_INET6, address, bytes) == 1 && prefix <= 128;
}

static bool check_cidr(struct check *check, const struct tn_studio_property *property,
		       const struct tn_json *value, const struct tn_json **ret)
{
	(void)property;
	*ret = value;
	if (value->type != TN_JSON_STRING || (value->text.size > 0 && !is_range(value->text)))
		return unexpected(check, "an address range like 10.0.0.0/16", value);
	return true;
}

/* ---- lists, maps, objects ---- */

static bool check_one(struct check *check, const struct tn_studio_property *property,
		      enum tn_studio_value_type type, const struct tn_json *value,
		      const struct tn_json **ret);

/* "element 3: ..." before what was said of it. */
static bool within(struct check *check, const char *what, struct tn_str name)
{
	char inner[256];

	(void)snprintf(inner, sizeof(inner), "%s", check->why_size > 0 ? check->why : "");
	return no(check, "%s %.*s: %s", what, (int)(name.size < 64 ? name.size : 64), name.data,
		  inner);
}

static bool check_list(struct check *check, const struct tn_studio_property *property,
		       const struct tn_json *value, const struct tn_json **ret)
{
	struct tn_json_maker maker;
	unsigned index = 0;

	if (value->type != TN_JSON_ARRAY)
		return unexpected(check, "a list", value);
	if (value->count > TN_STUDIO_LIST_MAX)
		return no(check, "at most %d elements are expected", TN_STUDIO_LIST_MAX);
	tn_json_maker_begin(&maker, check->arena, TN_JSON_ARRAY);
	for (const struct tn_json *e = value->first; e; e = e->next) {
		const struct tn_json *made = NULL;
		char number[16];

		(void)snprintf(number, sizeof(number), "%u", ++index);
		if (!check_one(check, property, property->item_type, e, &made))
			return within(check, "element", tn_str_from(number));
		tn_json_maker_add(&maker, made);
	}
	*ret = tn_json_maker_end(&maker);
	return *ret || no(check, "out of memory");
}

static bool check_map(struct check *check, const struct tn_studio_property *property,
		      const struct tn_json *value, const struct tn_json **ret)
{
	struct tn_json_maker maker;

	if (value->type != TN_JSON_OBJECT)
		return unexpected(check, "an object of texts", value);
	if (value->count > TN_STUDIO_LIST_MAX)
		return no(check, "at most %d entries are expected", TN_STUDIO_LIST_MAX);
	tn_json_maker_begin(&maker, check->arena, TN_JSON_OBJECT);
	for (const struct tn_json *m = value->first; m; m = m->next) {
		const struct tn_json *made = NULL;

		if (m->key.size > TN_STUDIO_STRING_BYTES_MAX ||
		    memchr(m->key.data, '\0', m->key.size))
			return no(check, "a name of at most %zu bytes without NUL is expected",
				  (size_t)TN_STUDIO_STRING_BYTES_MAX);
		if (m->type == TN_JSON_TRUE || m->type == TN_JSON_FALSE)
			made = tn_json_make_str(check->arena, m->type == TN_JSON_TRUE
								      ? TN_STR("true")
								      : TN_STR("false"));
		else if (!check_string(check, property, m, &made))
			return within(check, "entry", m->key);
		tn_json_maker_put(&maker, m->key, made);
	}
	*ret = tn_json_maker_end(&maker);
	return *ret || no(check, "out of memory");
}

static bool refuse_field(struct check *check, const struct tn_studio_property *property,
			 struct tn_str key)
{
	const struct tn_studio_property *near = NULL;
	unsigned least = TN_NEAR_NONE;

	for (size_t i = 0; i < property->field_count; i++) {
		unsigned distance = tn_near_distance(key, property->fields[i].key);

		if (distance < least && tn_near_is(key, property->fields[i].key)) {
			least = distance;
			near = &property->fields[i];
		}
	}
	return no(check, "there is no field \"%.*s\"%s%.*s%s", (int)(key.size < 64 ? key.size : 64),
		  key.data, near ? "; did you mean \"" : "", near ? (int)near->key.size : 0,
		  near ? near->key.data : "", near ? "\"?" : "");
}

static bool check_object(struct check *check, const struct tn_studio_property *property,
			 const struct tn_json *value, const struct tn_json **ret)
{
	struct tn_json_maker maker;

	if (value->type != TN_JSON_OBJECT)
		return unexpected(check, "an object", value);
	tn_json_maker_begin(&maker, check->arena, TN_JSON_OBJECT);
	for (const struct tn_json *m = value->first; m; m = m->next) {
		const struct tn_studio_property *field = NULL;
		const struct tn_json *made = NULL;

		for (size_t i = 0; i < property->field_count && !field; i++) {
			if (tn_str_equal(property->fields[i].key, m->key))
				field = &property->fields[i];
		}
		if (!field)
			return refuse_field(check, property, m->key);
		if (m->type == TN_JSON_NULL)
			continue; /* the same as not there */
		if (!check_one(check, field, field->type, m, &made))
			return within(check, "field", m->key);
		tn_json_maker_put(&maker, m->key, made);
	}
	*ret = tn_json_maker_end(&maker);
	return *ret || no(check, "out of memory");
}

static bool check_node(struct check *check, const struct tn_studio_property *property,
		       const struct tn_json *value, const struct tn_json **ret)
{
	(void)property;
	*ret = value;
	if (value->type != TN_JSON_STRING || value->text.size >= TN_STUDIO_ID_SIZE)
		return unexpected(check, "the instanceId of a node", value);
	return true;
}

static bool check_reference(struct check *check, const struct tn_studio_property *property,
			    const struct tn_json *value, const struct tn_json **ret)
{
	(void)value;
	*ret = NULL;
	return no(check, "\"%.*s\" is a reference: it is set with `references`",
		  (int)property->key.size, property->key.data);
}

static bool check_one(struct check *check, const struct tn_studio_property *property,
		      enum tn_studio_value_type type, const struct tn_json *value,
		      const struct tn_json **ret)
{
	static bool (*const checks[])(struct check *, const struct tn_studio_property *,
				      const struct tn_json *, const struct tn_json **) = {
		[TN_STUDIO_STRING] = check_string,       [TN_STUDIO_NUMBER] = check_number,
		[TN_STUDIO_BOOLEAN] = check_boolean,     [TN_STUDIO_ENUM] = check_enum,
		[TN_STUDIO_ENUM_LIST] = check_list,      [TN_STUDIO_CIDR] = check_cidr,
		[TN_STUDIO_ARRAY] = check_list,          [TN_STUDIO_MAP] = check_map,
		[TN_STUDIO_REFERENCE] = check_reference, [TN_STUDIO_OBJECT] = check_object,
		[TN_STUDIO_NODE] = check_node,
	};

	return checks[type](check, property, value, ret);
}

bool tn_studio_check_value(const struct tn_studio_property *property, const struct tn_json *value,
			   struct tn_arena *arena, const struct tn_json **ret, char *why,
			   size_t why_size)
{
	struct check check = {.arena = arena, .why = why, .why_size = why_size};

	if (value->type == TN_JSON_NULL)
		return no(&check, "null takes a value away; it is none");
	return check_one(&check, property, property->type, value, ret) &&
	       (*ret || no(&check, "out of memory"));
}
