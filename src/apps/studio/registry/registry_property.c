#include "apps/studio/registry/property_check.h"
#include "apps/studio/registry/internal.h"

#include <math.h>
#include <stdio.h>

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static const char *const type_words[] = {"string",    "number", "boolean", "enum",
					 "enum-list", "cidr",   "array",   "key-value-map",
					 "reference", "object", "node",    NULL};

const char *tn_studio_value_type_name(enum tn_studio_value_type type)
{
	return type_words[type];
}

static bool is_initialism(struct tn_str word)
{
	static const char *const known[] = {"id", "ip",  "sku", "vm", "dns", "tls",
					    "os", "url", "cpu", "gb", "mb",  NULL};

	for (size_t i = 0; known[i]; i++) {
		if (tn_str_is(word, known[i]))
			return true;
	}
	return false;
}

static char to_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

/* 5.3: "os_disk_size_gb" is shown as "OS disk size GB". */
static bool derive_label(struct tn_registry_loader *loader, struct tn_studio_property *property)
{
	char *label = tn_arena_copy(&loader->registry->arena, property->key);
	size_t size = property->key.size;

	if (!label)
		return tn_registry_starve(loader);
	for (size_t start = 0; start < size;) {
		size_t end = start;
		bool upper;

		while (end < size && label[end] != '_')
			end++;
		upper = is_initialism(tn_str(label + start, end - start));
		for (size_t i = start; i < end; i++) {
			if (upper || i == 0)
				label[i] = to_upper(label[i]);
		}
		if (end < size)
			label[end] = ' ';
		start = end + 1;
	}
	property->label = tn_str(label, size);
	return true;
}

static bool compile_pattern(struct tn_registry_loader *loader, struct tn_studio_property *property,
			    const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "pattern");
	const struct tn_pattern *pattern;
	struct tenon_error err;

	if (!property->pattern_text.data)
		return true;
	property->pattern = tn_map_get(&loader->patterns, property->pattern_text);
	if (property->pattern)
		return true;
	if (tn_pattern_compile(&loader->registry->arena, property->pattern_text, &pattern, &err) !=
	    TENON_OK)
		return err.code == TENON_NO_MEMORY
			       ? tn_registry_starve(loader)
			       : tn_registry_fault(loader, &here, "%s", err.message);
	property->pattern = pattern;
	if (tn_map_put(&loader->patterns, property->pattern_text, (void *)(uintptr_t)pattern,
		       &err) != TENON_OK)
		return tn_registry_starve(loader);
	return true;
}

static bool read_allowed(struct tn_registry_loader *loader, const struct tn_json *owner,
			 const struct tn_registry_at *at, struct tn_studio_property *property)
{
	struct tn_registry_at here = tn_registry_key(at, "allowed");
	size_t index = 0;

	if (!tn_registry_get_array(loader, owner, at, "allowed", &property->allowed))
		return false;
	if (!property->allowed)
		return true;
	if (property->allowed->count == 0)
		return tn_registry_fault(loader, &here, "a list of no values allows nothing");
	for (const struct tn_json *e = property->allowed->first; e; e = e->next, index++) {
		struct tn_registry_at place = tn_registry_index(&here, index);

		if (e->type != TN_JSON_STRING && e->type != TN_JSON_NUMBER)
			return tn_registry_fault(loader, &place,
						 "a value is a string or a number, not %s",
						 tn_json_type_name(e));
	}
	return true;
}

/* `items` of an array: the type of its elements. */
static bool read_items(struct tn_registry_loader *loader, const struct tn_json *source,
		       const struct tn_registry_at *at, struct tn_studio_property *property)
{
	static const char *const keys[] = {"type", "allowed", "fields", NULL};
	static const char *const words[] = {"string", "number", "cidr", "enum", "object", NULL};
	static const enum tn_studio_value_type types[] = {TN_STUDIO_STRING, TN_STUDIO_NUMBER,
							  TN_STUDIO_CIDR, TN_STUDIO_ENUM,
							  TN_STUDIO_OBJECT};
	const struct tn_json *items = tn_json_get(source, "items"), *fields = NULL;
	struct tn_registry_at here = tn_registry_key(at, "items");
	struct tn_registry_at inside = tn_registry_key(&here, "fields");
	struct tn_studio_property *list = NULL;
	unsigned word = 0;

	if (property->type != TN_STUDIO_ARRAY)
		return !items || tn_registry_fault(loader, &here, "only an array has items");
	property->item_type = TN_STUDIO_STRING;
	if (!items)
		return true;
	if (!tn_registry_keys(loader, items, &here, keys) ||
	    !tn_registry_get_word(loader, items, &here, "type", words, &word) ||
	    !tn_registry_get_array(loader, items, &here, "fields", &fields))
		return false;
	property->item_type = types[word];
	if (tn_json_get(items, "allowed") && !read_allowed(loader, items, &here, property))
		return false;
	if (property->item_type == TN_STUDIO_ENUM && !property->allowed)
		return tn_registry_fault(loader, &here, "a list of enum needs \"allowed\"");
	if ((property->item_type == TN_STUDIO_OBJECT) != (fields != NULL))
		return tn_registry_fault(loader, &here,
					 "\"fields\" belong to items of type object, and to these "
					 "only");
	if (fields && !tn_registry_properties(loader, fields, &inside, true, 0, &list,
					      &property->field_count))
		return false;
	property->fields = list;
	return true;
}

static bool read_switches(struct tn_registry_loader *loader, const struct tn_json *source,
			  const struct tn_registry_at *at, struct tn_studio_property *property)
{
	return tn_registry_get_bool(loader, source, at, "required", &property->required) &&
	       tn_registry_get_bool(loader, source, at, "open", &property->open) &&
	       tn_registry_get_bool(loader, source, at, "inRegion", &property->in_region) &&
	       tn_registry_get_bool(loader, source, at, "sensitive", &property->sensitive) &&
	       tn_registry_get_bool(loader, source, at, "many", &property->many) &&
	       tn_registry_get_bool(loader, source, at, "edge", &property->edge) &&
	       tn_registry_get_bool(loader, source, at, "fromEdge", &property->from_edge);
}

static bool read_bounds(struct tn_registry_loader *loader, const struct tn_json *source,
			const struct tn_registry_at *at, struct tn_studio_property *property)
{
	struct tn_registry_at min = tn_registry_key(at, "min");
	struct tn_registry_at min_length = tn_registry_key(at, "minLength");

	property->min = property->max = (double)NAN;
	property->min_length = property->max_length = -1;
	if (!tn_registry_get_number(loader, source, at, "min", &property->min) ||
	    !tn_registry_get_number(loader, source, at, "max", &property->max) ||
	    !tn_registry_get_count(loader, source, at, "minLength", &property->min_length) ||
	    !tn_registry_get_count(loader, source, at, "maxLength", &property->max_length) ||
	    !tn_registry_get_text(loader, source, at, "pattern", &property->pattern_text))
		return false;
	if (property->min > property->max)
		return tn_registry_fault(loader, &min, "\"min\" is greater than \"max\"");
	if (property->max_length >= 0 && property->min_length > property->max_length)
		return tn_registry_fault(loader, &min_length,
					 "\"minLength\" is greater than \"maxLength\"");
	return compile_pattern(loader, property, at);
}

static bool read_texts(struct tn_registry_loader *loader, const struct tn_json *source,
		       const struct tn_registry_at *at, struct tn_studio_property *property)
{
	static const char *const emits[] = {"always", "set",   "changed", "true",
					    "false",  "never", NULL};
	struct tn_registry_at key = tn_registry_key(at, "key");
	unsigned type = TN_STUDIO_STRING, emit = TN_STUDIO_EMIT_ALWAYS;

	if (!tn_registry_get_text(loader, source, at, "key", &property->key) ||
	    !tn_registry_get_text(loader, source, at, "label", &property->label) ||
	    !tn_registry_get_text(loader, source, at, "description", &property->description) ||
	    !tn_registry_get_text(loader, source, at, "group", &property->group) ||
	    !tn_registry_get_word(loader, source, at, "type", type_words, &type) ||
	    !tn_registry_get_word(loader, source, at, "emit", emits, &emit))
		return false;
	if (!tn_registry_is_identifier(property->key))
		return tn_registry_fault(loader, &key,
					 "a property needs a \"key\" of letters, digits and _");
	if (!tn_json_get(source, "type"))
		return tn_registry_fault(loader, at, "a property needs a \"type\"");
	property->type = (enum tn_studio_value_type)type;
	property->emit = (enum tn_studio_emit)emit;
	return property->label.data || derive_label(loader, property);
}

/* Members that go together. */
static bool check_kind(struct tn_registry_loader *loader, const struct tn_registry_at *at,
		       bool field, const struct tn_studio_property *property)
{
	bool reference = property->type == TN_STUDIO_REFERENCE;
	bool node = property->type == TN_STUDIO_NODE;

	if (node && !field)
		return tn_registry_fault(loader, at,
					 "only a field of an object item has type \"node\"; a "
					 "property has type \"reference\"");
	if (reference && field)
		return tn_registry_fault(loader, at,
					 "a field of an object item has type \"node\", not "
					 "\"reference\"");
	if (property->to && !reference && !node)
		return tn_registry_fault(loader, at, "only a reference has \"to\"");
	if ((property->many || property->edge || property->from_edge) && !reference)
		return tn_registry_fault(
			loader, at, "\"many\", \"edge\" and \"fromEdge\" belong to references");
	if ((property->type == TN_STUDIO_ENUM || property->type == TN_STUDIO_ENUM_LIST) &&
	    !property->allowed)
		return tn_registry_fault(loader, at, "an enum needs \"allowed\"");
	return true;
}

static bool read_property(struct tn_registry_loader *loader, const struct tn_json *source,
			  const struct tn_registry_at *at, bool field,
			  struct tn_studio_property *property)
{
	static const char *const keys[] = {
		"key",       "type",     "items", "required",  "requiredWhen", "default",
		"defaultBy", "allowed",  "open",  "min",       "max",          "minLength",
		"maxLength", "pattern",  "group", "sensitive", "visibleWhen",  "label",
		"emit",      "to",       "many",  "edge",      "description",  "fromEdge",
		"env",       "inRegion", NULL};

	property->source = source;
	if (!tn_registry_keys(loader, source, at, keys) ||
	    !read_texts(loader, source, at, property) ||
	    !read_switches(loader, source, at, property) ||
	    !read_bounds(loader, source, at, property) ||
	    !read_allowed(loader, source, at, property) ||
	    !tn_registry_get_texts(loader, source, at, "to", &property->to) ||
	    !tn_registry_get_object(loader, source, at, "requiredWhen", &property->required_when) ||
	    !tn_registry_get_object(loader, source, at, "visibleWhen", &property->visible_when) ||
	    !tn_registry_get_object(loader, source, at, "defaultBy", &property->default_by))
		return false;
	property->item_type =
		property->type == TN_STUDIO_ENUM_LIST ? TN_STUDIO_ENUM : TN_STUDIO_STRING;
	property->default_value = tn_json_get(source, "default");
	if (tn_json_is(property->default_value, TN_JSON_NULL))
		property->default_value = NULL;
	return read_items(loader, source, at, property) && check_kind(loader, at, field, property);
}

static bool check_default(struct tn_registry_loader *loader, const struct tn_json *value,
			  const struct tn_registry_at *at,
			  const struct tn_studio_property *property)
{
	const struct tn_json *converted;
	char why[256];

	if (!value)
		return true;
	if (!tn_studio_check_value(property, value, &loader->registry->arena, &converted, why,
				   sizeof(why)))
		return tn_registry_fault(loader, at, "the default does not fit: %s", why);
	return true;
}

bool tn_registry_properties(struct tn_registry_loader *loader, const struct tn_json *array,
			    const struct tn_registry_at *at, bool fields, size_t room,
			    struct tn_studio_property **ret, size_t *ret_count)
{
	struct tn_studio_property *list;
	size_t count = 0;
	bool right = true;

	if (array->count > TN_STUDIO_PROPERTIES_MAX)
		return tn_registry_fault(loader, at, "more than %d properties",
					 TN_STUDIO_PROPERTIES_MAX);
	list = tn_registry_alloc(loader, array->count + room, sizeof(*list));
	if (!list)
		return false;
	for (const struct tn_json *e = array->first; e; e = e->next, count++) {
		struct tn_registry_at here = tn_registry_index(at, count);
		struct tn_registry_at value = tn_registry_key(&here, "default");

		if (!read_property(loader, e, &here, fields, &list[count]) ||
		    !check_default(loader, list[count].default_value, &value, &list[count]))
			right = false;
		else if (tn_studio_properties_find(list, count, list[count].key))
			right = tn_registry_fault(loader, &here, "\"%.*s\" is there twice",
						  (int)list[count].key.size, list[count].key.data);
	}
	*ret = list;
	*ret_count = count;
	return right;
}

/* ---- links between properties ---- */

/* The properties that a condition names, each once a step. */
static bool depends_on(const struct tn_json *value, struct tn_str key)
{
	struct tn_str name;

	if (!tn_json_is(value, TN_JSON_OBJECT) && !tn_json_is(value, TN_JSON_ARRAY))
		return false;
	if (value->type == TN_JSON_OBJECT &&
	    ((tn_json_to_str(tn_json_get(value, "prop"), &name) && tn_str_equal(name, key)) ||
	     (tn_json_to_str(tn_json_get(value, "ref"), &name) && tn_str_equal(name, key))))
		return true;
	for (const struct tn_json *e = value->first; e; e = e->next) {
		if (depends_on(e, key))
			return true;
	}
	return false;
}

enum mark { UNSEEN, ON_THE_WAY, DONE };

struct walk {
	const struct tn_studio_property *properties;
	size_t count;
	bool defaults; /* along defaultBy; otherwise along visibleWhen */
	unsigned char marks[TN_STUDIO_PROPERTIES_MAX + 8];
};

/* Whether a way leads back to where it came from. Depth: at most a type's properties. */
static bool has_cycle(struct walk *walk, size_t at)
{
	const struct tn_studio_property *property = &walk->properties[at];
	const struct tn_json *link = walk->defaults ? property->default_by : property->visible_when;

	walk->marks[at] = ON_THE_WAY;
	for (size_t i = 0; link && i < walk->count; i++) {
		if (walk->marks[i] == DONE || !depends_on(link, walk->properties[i].key))
			continue;
		if (walk->marks[i] == ON_THE_WAY || has_cycle(walk, i))
			return true;
	}
	walk->marks[at] = DONE;
	return false;
}

static bool check_cycles(struct tn_registry_loader *loader,
			 const struct tn_studio_property *properties, size_t count,
			 const struct tn_registry_at *at, bool defaults)
{
	struct walk walk = {.properties = properties, .count = count, .defaults = defaults};

	for (size_t i = 0; i < count; i++) {
		struct tn_registry_at item = tn_registry_index(at, i);
		struct tn_registry_at here =
			tn_registry_key(&item, defaults ? "defaultBy" : "visibleWhen");

		if (walk.marks[i] == UNSEEN && has_cycle(&walk, i))
			return tn_registry_fault(
				loader, &here, "\"%.*s\" depends on itself in a circle",
				(int)properties[i].key.size, properties[i].key.data);
	}
	return true;
}

static bool check_default_by(struct tn_registry_loader *loader,
			     const struct tn_studio_property *property,
			     const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"prop", "cases", NULL};
	struct tn_registry_at here = tn_registry_key(at, "defaultBy");
	struct tn_registry_at prop = tn_registry_key(&here, "prop");
	struct tn_registry_at place = tn_registry_key(&here, "cases");
	const struct tn_json *cases = NULL;
	bool right = true;

	if (!property->default_by)
		return true;
	if (!tn_registry_keys(loader, property->default_by, &here, keys) ||
	    !tn_registry_get_object(loader, property->default_by, &here, "cases", &cases) ||
	    !tn_registry_need(loader, scope, tn_json_get(property->default_by, "prop"), &prop))
		return false;
	if (!cases)
		return tn_registry_fault(loader, &here, "\"defaultBy\" needs \"cases\"");
	for (const struct tn_json *c = cases->first; c; c = c->next) {
		struct tn_registry_at one = tn_registry_member(&place, c);

		right = check_default(loader, c, &one, property) && right;
	}
	return right;
}

bool tn_registry_property_links(struct tn_registry_loader *loader,
				const struct tn_studio_property *properties, size_t count,
				const struct tn_registry_at *at)
{
	const struct tn_registry_scope scope = {.properties = properties, .count = count};
	bool right = true;

	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_property *property = &properties[i];
		struct tn_registry_at here = tn_registry_index(at, i);
		struct tn_registry_at required = tn_registry_key(&here, "requiredWhen");
		struct tn_registry_at visible = tn_registry_key(&here, "visibleWhen");
		struct tn_registry_at fields = tn_registry_key(&here, "items");

		fields = tn_registry_key(&here, "items");
		right = tn_registry_condition(loader, property->required_when, &scope, &required) &&
			right;
		right = tn_registry_condition(loader, property->visible_when, &scope, &visible) &&
			right;
		right = check_default_by(loader, property, &scope, &here) && right;
		if (property->fields) {
			struct tn_registry_at inner = tn_registry_key(&fields, "fields");

			right = tn_registry_property_links(loader, property->fields,
							   property->field_count, &inner) &&
				right;
		}
	}
	return right && check_cycles(loader, properties, count, at, true) &&
	       check_cycles(loader, properties, count, at, false);
}

/* ---- implicit properties (8.6) ---- */

static bool implicit_lists(struct tn_registry_loader *loader, const struct tn_json *endpoint,
			   struct tn_json **ret)
{
	struct tn_buf text;
	struct tenon_error err;
	enum tenon_code code;

	tn_buf_init(&text, 64 * TN_KIB);
	tn_json_begin_object(&text);
	tn_json_put_key(&text, "allowed");
	tn_json_put_value(&text, tn_json_get(endpoint, "subresources"));
	tn_json_put_key(&text, "default");
	tn_json_begin_array(&text);
	tn_json_put_value(&text, tn_json_get(endpoint, "default"));
	tn_json_end_array(&text);
	tn_json_put_key(&text, "to");
	tn_json_begin_array(&text);
	tn_json_put_text(&text, "azurerm/networking/private_dns_zone");
	tn_json_end_array(&text);
	tn_json_end_object(&text);
	code = text.failed
		       ? TENON_NO_MEMORY
		       : tn_json_parse_copy(&loader->registry->arena, tn_buf_str(&text), ret, &err);
	tn_buf_finish(&text);
	return code == TENON_OK || tn_registry_starve(loader);
}

bool tn_registry_add_implicit(struct tn_registry_loader *loader, struct tn_studio_type *type)
{
	struct tn_studio_property *list = (struct tn_studio_property *)(uintptr_t)type->properties;
	const struct tn_studio_property empty = {.group = TN_STR("Private endpoint"),
						 .implicit = true,
						 .min = (double)NAN,
						 .max = (double)NAN,
						 .min_length = -1,
						 .max_length = -1};
	struct tn_studio_property *parts = &list[type->property_count];
	struct tn_studio_property *zone = &list[type->property_count + 1];
	struct tn_json *made;

	/* Where no parent is only for the picture, an endpoint never arises. */
	if (!type->private_endpoint || !type->visual_parents || type->visual_parents->count == 0)
		return true;
	if (!implicit_lists(loader, type->private_endpoint, &made))
		return false;
	*parts = empty;
	parts->key = TN_STR("pep_subresources");
	parts->label = TN_STR("Private endpoint parts");
	parts->description = TN_STR("what of the service gets a private endpoint in this subnet");
	parts->type = TN_STUDIO_ENUM_LIST;
	parts->item_type = TN_STUDIO_ENUM;
	parts->emit = TN_STUDIO_EMIT_NEVER;
	parts->allowed = tn_json_get(made, "allowed");
	parts->default_value = tn_json_get(made, "default");
	*zone = empty;
	zone->key = TN_STR("pep_dns_zone_id");
	zone->label = TN_STR("Private endpoint DNS zone");
	zone->description = TN_STR("the private DNS zone in which the endpoint is entered");
	zone->type = TN_STUDIO_REFERENCE;
	zone->emit = TN_STUDIO_EMIT_NEVER;
	zone->to = tn_json_get(made, "to");
	type->property_count += 2;
	return true;
}
