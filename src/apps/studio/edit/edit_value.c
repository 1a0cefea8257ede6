/* Values of properties as edits take them: checked, converted, and those that are secret put where
 * secrets are (ST-029). */
#include <stdio.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/registry/property_check.h"
#include "apps/studio/edit/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"

static const struct tn_str redacted = {"[redacted]", 10};

static bool is_redacted(const struct tn_json *value)
{
	struct tn_str text;

	return tn_json_to_str(value, &text) && tn_str_equal(text, redacted);
}

/* Why it was refused, without the value. */
static void refuse_secret(struct tn_studio_values *values,
			  const struct tn_studio_property *property)
{
	if (property->min_length >= 0 && property->max_length >= 0)
		tn_studio_mistake(values->mistakes, property->key,
				  "the secret is not accepted; a string of %lld to %lld "
				  "characters is expected",
				  (long long)property->min_length, (long long)property->max_length);
	else
		tn_studio_mistake(values->mistakes, property->key,
				  "the secret is not accepted; a string is expected");
}

static void updated(struct tn_studio_values *values, struct tn_str key)
{
	tn_json_maker_add(&values->updated, tn_json_make_str(values->updated.arena, key));
}

static void store(struct tn_studio_values *values, const struct tn_studio_property *property,
		  const struct tn_json *value)
{
	struct tn_studio_edit *edit = values->mistakes->edit;
	const struct tn_json *old = tn_json_get_str(values->stored, property->key);

	if (value ? old && tn_json_equal(old, value) : !old)
		return;
	values->stored = tn_json_with(edit->arena, values->stored, property->key, value);
	values->updated.failed = values->updated.failed || !values->stored;
	updated(values, property->key);
}

/* ---- elements with ids of nodes, and with secrets ---- */

static void check_target(struct tn_studio_values *values, const struct tn_studio_property *property,
			 const struct tn_studio_property *field, const struct tn_json *value)
{
	struct tn_studio_edit *edit = values->mistakes->edit;
	const struct tn_studio_node *target;
	struct tn_str id;

	if (!tn_json_to_str(value, &id) || id.size == 0)
		return;
	target = tn_studio_node_find(edit->document, id);
	if (!target) {
		tn_studio_mistake(values->mistakes, property->key, "%.*s: there is no node '%.*s'",
				  (int)field->key.size, field->key.data,
				  (int)(id.size < 80 ? id.size : 80), id.data);
		values->mistakes->code = "NOT_FOUND";
	} else if (!tn_studio_may_refer(field, target->type)) {
		tn_studio_mistake(values->mistakes, property->key,
				  "%.*s: '%.*s' is a %.*s, which it cannot name",
				  (int)field->key.size, field->key.data, (int)target->label.size,
				  target->label.data, (int)target->type_id.size,
				  target->type_id.data);
	}
}

/* {"var":"{self}_secret_{item.name}","sensitive":true} of a template: where the secrets of this
 * property's elements are kept. Recursion is bounded by the depth that files are read with. */
static const struct tn_json *find_variable(const struct tn_json *items, struct tn_str property,
					   bool inside)
{
	struct tn_str each;
	bool sensitive = false;

	if (!items || (items->type != TN_JSON_OBJECT && items->type != TN_JSON_ARRAY))
		return NULL;
	if ((tn_json_to_str(tn_json_get(items, "each"), &each) ||
	     tn_json_to_str(tn_json_get(items, "eachList"), &each)) &&
	    tn_str_equal(each, property))
		inside = true;
	if (inside && tn_json_is(tn_json_get(items, "var"), TN_JSON_STRING) &&
	    tn_json_to_bool(tn_json_get(items, "sensitive"), &sensitive) && sensitive)
		return tn_json_get(items, "var");
	for (const struct tn_json *at = items->first; at; at = at->next) {
		const struct tn_json *found = find_variable(at, property, inside);

		if (found)
			return found;
	}
	return NULL;
}

static void put_word(struct tn_buf *out, struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = tn_to_lower(text.data[i]);

		tn_buf_append_byte(out, tn_is_alpha(c) || tn_is_digit(c) ? c : '_');
	}
}

/* The template's variable name after "{self}_", with the element's fields in it. */
static void put_variable(struct tn_buf *out, struct tn_str template, const struct tn_json *element)
{
	while (template.size > 0) {
		size_t end =
			template.data[0] == '{' ? tn_str_find_byte(template, '}') : TN_STR_NONE;
		struct tn_str name, value = tn_str("", 0);

		if (end == TN_STR_NONE) {
			tn_buf_append_byte(out, template.data[0]);
			template = tn_str_from_offset(template, 1);
			continue;
		}
		name = tn_str(template.data + 1, end - 1);
		if (tn_str_starts(name, TN_STR("item."))) {
			(void)tn_json_to_str(tn_json_get_str(element, tn_str_from_offset(name, 5)),
					     &value);
			put_word(out, value);
		}
		template = tn_str_from_offset(template, end + 1);
	}
}

static struct tn_str variable_of(struct tn_studio_values *values,
				 const struct tn_studio_property *property,
				 const struct tn_json *element)
{
	const struct tn_json *template = find_variable(values->type->body, property->key, false);
	struct tn_str text, self = TN_STR("{self}_");
	struct tn_buf out;
	char *copy;

	if (!template)
		template = find_variable(values->type->extra, property->key, false);
	if (!tn_json_to_str(template, &text) || !tn_str_starts(text, self))
		return tn_str(NULL, 0);
	tn_buf_init(&out, 512);
	put_variable(&out, tn_str_from_offset(text, self.size), element);
	copy = out.failed ? NULL : tn_arena_copy(values->secrets.arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return tn_str_from(copy);
}

/* The element without its secrets, which are kept aside. */
static const struct tn_json *strip(struct tn_studio_values *values,
				   const struct tn_studio_property *property,
				   const struct tn_json *element)
{
	const struct tn_json *left = element;

	for (size_t i = 0; i < property->field_count && left; i++) {
		const struct tn_studio_property *field = &property->fields[i];
		const struct tn_json *value = tn_json_get_str(element, field->key);

		if (value && field->type == TN_STUDIO_NODE)
			check_target(values, property, field, value);
		if (!value || !field->sensitive)
			continue;
		left = tn_json_with(values->secrets.arena, left, field->key, NULL);
		if (!is_redacted(value)) {
			struct tn_str name = variable_of(values, property, element);

			if (name.size > 0)
				tn_json_maker_put(&values->secrets, name, value);
		}
	}
	return left;
}

static const struct tn_json *strip_all(struct tn_studio_values *values,
				       const struct tn_studio_property *property,
				       const struct tn_json *value)
{
	struct tn_json_maker list;

	if (property->field_count == 0)
		return value;
	if (value->type == TN_JSON_OBJECT)
		return strip(values, property, value);
	if (value->type != TN_JSON_ARRAY)
		return value;
	tn_json_maker_begin(&list, values->secrets.arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = value->first; at; at = at->next)
		tn_json_maker_add(&list, strip(values, property, at));
	return tn_json_maker_end(&list);
}

/* ---- one property ---- */

static bool may_keep_secrets(struct tn_studio_values *values,
			     const struct tn_studio_property *property)
{
	if (values->mistakes->edit->project)
		return true;
	tn_studio_mistake(values->mistakes, property->key,
			  "secrets are kept by a project, and none is open");
	return false;
}

static void take_secret(struct tn_studio_values *values, const struct tn_studio_property *property,
			const struct tn_json *value)
{
	const struct tn_json *right = NULL;
	char why[256];

	if (is_redacted(value) || !may_keep_secrets(values, property))
		return;
	if (value->type != TN_JSON_NULL &&
	    !tn_studio_check_value(property, value, values->secrets.arena, &right, why,
				   sizeof(why))) {
		refuse_secret(values, property);
		return;
	}
	store(values, property, NULL); /* one that stood in the file */
	tn_json_maker_put(&values->secrets, property->key, right ? right : value);
	updated(values, property->key);
}

static bool has_secret_fields(const struct tn_studio_property *property)
{
	for (size_t i = 0; i < property->field_count; i++) {
		if (property->fields[i].sensitive)
			return true;
	}
	return false;
}

static void take_one(struct tn_studio_values *values, const struct tn_json *given)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(values->type, given->key);
	const struct tn_json *right = NULL;
	char why[512];

	if (!property) {
		tn_studio_mistake_unknown(values->mistakes, values->type, given->key, false);
	} else if (property->type == TN_STUDIO_REFERENCE) {
		tn_studio_mistake(values->mistakes, given->key,
				  "is a reference to another node; it goes into `references`");
	} else if (property->sensitive) {
		take_secret(values, property, given);
	} else if (given->type == TN_JSON_NULL) {
		store(values, property, NULL);
	} else if (!tn_studio_check_value(property, given, values->secrets.arena, &right, why,
					  sizeof(why))) {
		if (has_secret_fields(property))
			refuse_secret(values, property);
		else
			tn_studio_mistake(values->mistakes, given->key, "%s", why);
	} else if (!has_secret_fields(property) || may_keep_secrets(values, property)) {
		right = strip_all(values, property, right);
		values->updated.failed = values->updated.failed || !right;
		if (right)
			store(values, property, right);
	}
}

void tn_studio_values_take(struct tn_studio_values *values, const struct tn_json *given)
{
	struct tn_studio_edit *edit = values->mistakes->edit;
	struct tenon_error err = {0};

	tn_json_maker_begin(&values->secrets, edit->arena, TN_JSON_OBJECT);
	if (!given)
		return;
	if (tn_studio_record_check(given, &err) != TENON_OK) {
		tn_studio_mistake(values->mistakes, TN_STR("properties"), "%s", err.message);
		values->mistakes->code = err.code == TENON_LIMIT ? "LIMIT_EXCEEDED" : NULL;
		return;
	}
	for (const struct tn_json *at = given->first; at; at = at->next)
		take_one(values, at);
	if (values->stored && values->stored->count > TN_STUDIO_PROPERTIES_MAX) {
		tn_studio_mistake(values->mistakes, TN_STR("properties"),
				  "a node has at most %d of them", TN_STUDIO_PROPERTIES_MAX);
		values->mistakes->code = "LIMIT_EXCEEDED";
	}
}

/* ---- secrets ---- */

bool tn_studio_edit_keep_secret(struct tn_studio_edit *edit, struct tn_str node_id,
				struct tn_str rest, const struct tn_str *value)
{
	const char *key = tn_studio_secret_key(edit->arena, node_id, rest);

	return key ? tn_studio_secret_set(edit->project, tn_str_from(key), value, edit->fault)
		   : tn_studio_edit_no_memory(edit);
}

bool tn_studio_values_keep_secrets(struct tn_studio_values *values, struct tn_str node_id,
				   struct tn_studio_edit *edit)
{
	const struct tn_json *secrets = tn_json_maker_end(&values->secrets);

	if (!secrets)
		return tn_studio_edit_no_memory(edit);
	for (const struct tn_json *at = secrets->first; at; at = at->next) {
		struct tn_str text = tn_str(NULL, 0);

		if (!tn_studio_edit_keep_secret(edit, node_id, at->key,
						tn_json_to_str(at, &text) ? &text : NULL))
			return false;
	}
	return true;
}

/* ---- names of variables ---- */

/* Whether this variable is one of the node's: no other node's own name explains more of it. */
static bool is_of(const struct tn_studio_document *document, struct tn_str variable,
		  struct tn_str own, struct tn_str *ret_rest)
{
	struct tn_str longer;

	if (variable.size < own.size + 2 || !tn_str_starts(variable, own) ||
	    variable.data[own.size] != '_')
		return false;
	*ret_rest = tn_str_from_offset(variable, own.size);
	for (size_t size = variable.size - 1; size > own.size; size--) {
		longer = tn_str(variable.data, size);
		if (variable.data[size] == '_' && tn_studio_node_by_own(document, longer))
			return false;
	}
	return true;
}

static struct tn_str renamed(struct tn_studio_edit *edit, struct tn_str to, struct tn_str rest)
{
	return tn_str_from(tn_arena_format(edit->arena, "%.*s%.*s", (int)to.size, to.data,
					   (int)rest.size, rest.data));
}

bool tn_studio_edit_rename_variables(struct tn_studio_edit *edit, struct tn_str from,
				     struct tn_str to)
{
	const struct tn_json *config = edit->document->config;
	const struct tn_json *values = tn_json_get(config, "variableValues");
	struct tn_json_maker made, operation;
	struct tn_json *changed;
	struct tn_str rest;
	bool any = false;

	if (tn_str_equal(from, to) || !tn_json_is(values, TN_JSON_OBJECT))
		return true;
	tn_json_maker_begin(&made, edit->arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = values->first; at; at = at->next) {
		bool mine = is_of(edit->document, at->key, from, &rest);

		tn_json_maker_put(&made, mine ? renamed(edit, to, rest) : at->key, at);
		any = any || mine;
	}
	if (!any)
		return true;
	changed = tn_json_maker_end(&made);
	changed = changed ? tn_json_with(edit->arena, config, TN_STR("variableValues"), changed)
			  : NULL;
	tn_json_maker_begin(&operation, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&operation, TN_STR("op"),
			  tn_json_make_str(edit->arena, TN_STR("setConfig")));
	tn_json_maker_put(&operation, TN_STR("config"), changed);
	return tn_studio_edit_step(edit, tn_json_maker_end(&operation));
}
