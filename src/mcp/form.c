#include "mcp/form.h"

#include "base/size.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

static void put_member(struct tn_buf *out, const struct tn_json *member)
{
	tn_json_put_key_str(out, member->key);
	tn_json_put_value(out, member);
}

static void put_names(struct tn_buf *out, const struct tn_json *choices, const char *key,
		      const char *member)
{
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	for (const struct tn_json *c = choices->first; c; c = c->next)
		tn_json_put_value(out, tn_json_get(c, member));
	tn_json_end_array(out);
}

/* A field as 2025-06-18 has it: choices with titles were `enum` and `enumNames`. */
static void put_property(struct tn_buf *out, const struct tn_json *property)
{
	const struct tn_json *choices = tn_json_get(property, "oneOf");

	bool titled = tn_json_is(choices, TN_JSON_ARRAY);
	struct tn_str type = {"", 0};

	(void)tn_json_to_str(tn_json_get(property, "type"), &type);
	tn_json_put_key_str(out, property->key);
	tn_json_begin_object(out);
	for (const struct tn_json *m = tn_json_is(property, TN_JSON_OBJECT) ? property->first
									    : NULL;
	     m; m = m->next) {
		if (titled && tn_str_is(m->key, "oneOf"))
			continue;
		/* MCP-208: only yes or no had a default then. */
		if (tn_str_is(m->key, "default") && !tn_str_is(type, "boolean"))
			continue;
		put_member(out, m);
	}
	if (titled) {
		put_names(out, choices, "enum", "const");
		put_names(out, choices, "enumNames", "title");
	}
	tn_json_end_object(out);
}

static bool chooses_several(const struct tn_json *properties)
{
	struct tn_str type;

	for (const struct tn_json *p = properties ? properties->first : NULL; p; p = p->next) {
		if (tn_json_to_str(tn_json_get(p, "type"), &type) && tn_str_is(type, "array"))
			return true;
	}
	return false;
}

/* MCP-211: what a person types into a form goes through the client and its model; secrets are asked
 * for on a page. Letters and digits only, in lower case, so that api_key and apiKey are the same.
 */
static bool is_secret(struct tn_str name)
{
	static const char *const words[] = {"password",   "passphrase", "passwd",
					    "secret",     "apikey",     "accesstoken",
					    "privatekey", "creditcard", "cardnumber"};
	char plain[128];
	size_t size = 0;

	for (size_t i = 0; i < name.size && size < sizeof(plain); i++) {
		char c = tn_to_lower(name.data[i]);

		if (tn_is_alpha(c) || tn_is_digit(c))
			plain[size++] = c;
	}
	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (tn_str_find(tn_str(plain, size), tn_str_from(words[i])) != TN_STR_NONE)
			return true;
	}
	return false;
}

static bool asks_secret(const struct tn_json *properties)
{
	for (const struct tn_json *p = properties->first; p; p = p->next) {
		struct tn_str format;

		if (is_secret(p->key) || (tn_json_to_str(tn_json_get(p, "format"), &format) &&
					  tn_str_is(format, "password")))
			return true;
	}
	return false;
}

static void put_older(struct tn_buf *out, const struct tn_json *form)
{
	tn_json_begin_object(out);
	for (const struct tn_json *m = form->first; m; m = m->next) {
		if (!tn_str_is(m->key, "properties")) {
			put_member(out, m);
			continue;
		}
		tn_json_put_key(out, "properties");
		tn_json_begin_object(out);
		for (const struct tn_json *p = m->first; p; p = p->next)
			put_property(out, p);
		tn_json_end_object(out);
	}
	tn_json_end_object(out);
}

const char *tn_form_put(struct tn_arena *arena, enum tn_revision revision, const char *schema,
			struct tn_buf *out)
{
	const struct tn_json *properties;
	struct tn_json *form;

	if (tn_json_parse_copy(arena, tn_str_from(schema), &form, NULL) != TENON_OK)
		return "The form is no JSON.";
	properties = tn_json_get(form, "properties");
	if (!tn_json_is(properties, TN_JSON_OBJECT))
		return "The form has no properties.";
	if (asks_secret(properties))
		return "A form must not ask for secrets; send the user to a page instead.";
	if (revision >= TN_R4)
		tn_json_put_value(out, form);
	else if (chooses_several(properties))
		return "The form has a list to choose several from, which clients before "
		       "2025-11-25 do not know.";
	else
		put_older(out, form);
	return NULL;
}
