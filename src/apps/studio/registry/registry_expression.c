/* Expressions of templates: whether they say something, and of what is there (studio.md 5.4). */
#include "apps/studio/registry/internal.h"

#include "base/size.h"

/* Expressions are told apart by the one member that every form has of its own (5.4). */
typedef bool check_fn(struct tn_registry_loader *loader, const struct tn_json *expression,
		      const struct tn_registry_scope *scope, const struct tn_registry_at *at);

static bool check_expression(struct tn_registry_loader *loader, const struct tn_json *expression,
			     const struct tn_registry_scope *scope,
			     const struct tn_registry_at *at);

/* The member of that name; told when it is missing. */
bool tn_registry_part(struct tn_registry_loader *loader, const struct tn_json *expression,
		      const char *key, const struct tn_registry_scope *scope,
		      const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, key);
	const struct tn_json *value = tn_json_get(expression, key);

	if (!value)
		return tn_registry_fault(loader, at, "\"%s\" is missing", key);
	return check_expression(loader, value, scope, &here);
}

static bool needs_text(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const char *key, const struct tn_registry_at *at)
{
	struct tn_str text;

	return tn_json_to_str(tn_json_get(expression, key), &text) ||
	       tn_registry_fault(loader, at, "\"%s\" has to be a string", key);
}

bool tn_registry_optional_text(struct tn_registry_loader *loader, const struct tn_json *expression,
			       const char *key, const struct tn_registry_at *at)
{
	return !tn_json_get(expression, key) || needs_text(loader, expression, key, at);
}

static bool check_as(struct tn_registry_loader *loader, const struct tn_json *expression,
		     const struct tn_registry_at *at)
{
	static const char *const words[] = {"number", "string", NULL};
	unsigned word;

	return tn_registry_get_word(loader, expression, at, "as", words, &word);
}

static const struct tn_studio_property *need(struct tn_registry_loader *loader,
					     const struct tn_json *expression, const char *key,
					     const struct tn_registry_scope *scope,
					     const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, key);

	return tn_registry_need(loader, scope, tn_json_get(expression, key), &here);
}

static bool check_prop(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	const struct tn_studio_property *property = need(loader, expression, "prop", scope, at);

	if (!property || !check_as(loader, expression, at))
		return false;
	return property->type != TN_STUDIO_REFERENCE ||
	       tn_registry_fault(loader, at, "\"%.*s\" is a reference; write {\"ref\":...}",
				 (int)property->key.size, property->key.data);
}

/* "own": {"id": of one of the type's extra blocks}. */
static bool has_extra(const struct tn_json *extras, const struct tn_json *id)
{
	for (const struct tn_json *e = tn_json_is(extras, TN_JSON_ARRAY) ? extras->first : NULL; e;
	     e = e->next) {
		if (id && tn_json_equal(tn_json_get(e, "id"), id))
			return true;
	}
	return false;
}

/* An extra block of what is referred to: one of the types it may point at has to have it. */
static bool check_target_extra(struct tn_registry_loader *loader, const struct tn_json *to,
			       const struct tn_json *id, const struct tn_registry_at *at)
{
	for (const struct tn_json *e = tn_json_is(to, TN_JSON_ARRAY) ? to->first : NULL; e;
	     e = e->next) {
		const struct tn_registry_draft *draft =
			e->type == TN_JSON_STRING ? tn_map_get(&loader->declared, e->text) : NULL;

		if (draft && has_extra(draft->type->extra, id))
			return true;
	}
	return tn_registry_fault(loader, at, "no type that is referred to here has such a block");
}

static bool check_ref(struct tn_registry_loader *loader, const struct tn_json *expression,
		      const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "ref");
	struct tn_registry_at extra = tn_registry_key(at, "extra");
	const struct tn_json *to = NULL;
	bool list = false;

	if (!tn_registry_need_reference(loader, scope, tn_json_get(expression, "ref"), &here,
					&to) ||
	    !tn_registry_optional_text(loader, expression, "attr", at) ||
	    !tn_registry_get_bool(loader, expression, at, "list", &list))
		return false;
	return !tn_json_get(expression, "extra") ||
	       check_target_extra(loader, to, tn_json_get(expression, "extra"), &extra);
}

static bool check_scope(struct tn_registry_loader *loader, const struct tn_json *expression,
			const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "scope");
	struct tn_str name;

	if (!tn_json_to_str(tn_json_get(expression, "scope"), &name))
		return tn_registry_fault(loader, &here, "the name of a scope is expected");
	if (scope->provider && tn_json_get_str(scope->provider->scopes, name))
		return true;
	return tn_registry_fault(loader, &here, "the provider has no scope \"%.*s\"",
				 (int)(name.size < 64 ? name.size : 64), name.data);
}

static bool check_self(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	(void)scope;
	return needs_text(loader, expression, "self", at);
}

static bool check_extra(struct tn_registry_loader *loader, const struct tn_json *expression,
			const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "extra");

	if (!needs_text(loader, expression, "attr", at))
		return false;
	return (scope->type && has_extra(scope->type->extra, tn_json_get(expression, "extra"))) ||
	       tn_registry_fault(loader, &here, "the type has no extra block of this id");
}

static bool check_literal(struct tn_registry_loader *loader, const struct tn_json *expression,
			  const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	(void)loader;
	(void)expression;
	(void)scope;
	(void)at;
	return true;
}

/* ---- texts with placeholders ---- */

bool tn_registry_next_piece(struct tn_str *rest, struct tn_registry_piece *ret)
{
	size_t open = tn_str_find_byte(*rest, '{'), close, colon;

	*ret = (struct tn_registry_piece){.literal = *rest};
	if (rest->size == 0)
		return false;
	if (open == TN_STR_NONE) {
		*rest = tn_str_from_offset(*rest, rest->size);
		return true;
	}
	ret->literal = tn_str(rest->data, open);
	*rest = tn_str_from_offset(*rest, open + 1);
	close = tn_str_find_byte(*rest, '}');
	if (close == TN_STR_NONE) {
		ret->open = true;
		*rest = tn_str_from_offset(*rest, rest->size);
		return true;
	}
	ret->name = tn_str(rest->data, close);
	*rest = tn_str_from_offset(*rest, close + 1);
	colon = tn_str_find_byte(ret->name, ':');
	if (colon != TN_STR_NONE) {
		ret->filter = tn_str_from_offset(ret->name, colon + 1);
		ret->name.size = colon;
	}
	return true;
}

static bool check_placeholder(struct tn_registry_loader *loader,
			      const struct tn_registry_piece *piece, bool index,
			      const struct tn_registry_scope *scope,
			      const struct tn_registry_at *at)
{
	struct tn_json name = {.type = TN_JSON_STRING, .text = piece->name};
	const struct tn_studio_property *property;

	if (piece->open)
		return tn_registry_fault(loader, at, "a { without its }");
	if (piece->filter.data && !tn_str_is(piece->filter, "dns"))
		return tn_registry_fault(loader, at, "the filter \"%.*s\" is not known; \"dns\" is",
					 (int)(piece->filter.size < 64 ? piece->filter.size : 64),
					 piece->filter.data);
	if (tn_str_is(piece->name, "self") || (index && tn_str_is(piece->name, "index")))
		return true;
	if (tn_str_is(piece->name, "item") || tn_str_starts(piece->name, TN_STR("item."))) {
		name.text = tn_str_from_offset(piece->name, sizeof("item.") - 1);
		return tn_registry_need_item(loader, scope, &name, at, &property);
	}
	return tn_registry_need(loader, scope, &name, at) != NULL;
}

bool tn_registry_placeholders(struct tn_registry_loader *loader, const struct tn_json *text,
			      bool index, const struct tn_registry_scope *scope,
			      const struct tn_registry_at *at)
{
	struct tn_registry_piece piece;
	struct tn_str rest;
	bool right = true;

	if (!tn_json_to_str(text, &rest))
		return tn_registry_fault(loader, at, "a string is expected, not %s",
					 tn_json_type_name(text));
	while (right && tn_registry_next_piece(&rest, &piece)) {
		if (piece.name.data || piece.open)
			right = check_placeholder(loader, &piece, index, scope, at);
	}
	return right;
}

static bool check_text(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "text");

	return tn_registry_placeholders(loader, tn_json_get(expression, "text"), false, scope,
					&here);
}

static bool check_var(struct tn_registry_loader *loader, const struct tn_json *expression,
		      const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "var");
	bool sensitive = false;
	struct tn_str name;

	if (!tn_registry_get_bool(loader, expression, at, "sensitive", &sensitive))
		return false;
	/* Whose the secret is can be seen by its name. */
	if (sensitive && tn_json_to_str(tn_json_get(expression, "var"), &name) &&
	    !tn_str_starts(name, TN_STR("{self}_")))
		return tn_registry_fault(loader, &here,
					 "a sensitive variable's name begins with \"{self}_\"");
	if (sensitive && scope->type)
		scope->type->has_secrets = true;
	return tn_registry_optional_text(loader, expression, "type", at) &&
	       tn_registry_placeholders(loader, tn_json_get(expression, "var"), false, scope,
					&here);
}

/* ---- current elements, choices ---- */

static bool check_item(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "item");
	const struct tn_studio_property *field;

	return tn_registry_need_item(loader, scope, tn_json_get(expression, "item"), &here,
				     &field) &&
	       check_as(loader, expression, at);
}

static bool check_item_ref(struct tn_registry_loader *loader, const struct tn_json *expression,
			   const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "itemRef");
	const struct tn_studio_property *field;

	if (!tn_registry_need_item(loader, scope, tn_json_get(expression, "itemRef"), &here,
				   &field) ||
	    !needs_text(loader, expression, "attr", at))
		return false;
	return (field && field->type == TN_STUDIO_NODE) ||
	       tn_registry_fault(loader, &here, "the field has to be of type \"node\"");
}

static bool check_lookup(struct tn_registry_loader *loader, const struct tn_json *expression,
			 const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"prop", "item", NULL};
	struct tn_registry_at by = tn_registry_key(at, "lookup");
	struct tn_registry_at place = tn_registry_key(at, "cases");
	struct tn_registry_at fallback = tn_registry_key(at, "default");
	const struct tn_json *lookup = tn_json_get(expression, "lookup"), *cases = NULL;
	bool right;

	if (!tn_registry_keys(loader, lookup, &by, keys) ||
	    !tn_registry_get_object(loader, expression, at, "cases", &cases))
		return false;
	right = tn_json_get(lookup, "item") ? check_item(loader, lookup, scope, &by)
					    : check_prop(loader, lookup, scope, &by);
	for (const struct tn_json *c = cases ? cases->first : NULL; c; c = c->next) {
		struct tn_registry_at here = tn_registry_member(&place, c);

		right = check_expression(loader, c, scope, &here) && right;
	}
	if (!cases)
		right = tn_registry_fault(loader, at, "a lookup needs \"cases\"");
	return right &&
	       (!tn_json_get(expression, "default") ||
		check_expression(loader, tn_json_get(expression, "default"), scope, &fallback));
}

/* A list of {"value":EXPR,"if"?:COND}; with `bare`, also of bare expressions. */
static bool check_values(struct tn_registry_loader *loader, const struct tn_json *expression,
			 const char *key, bool bare, const struct tn_registry_scope *scope,
			 const struct tn_registry_at *at)
{
	static const char *const keys[] = {"if", "value", NULL};
	struct tn_registry_at place = tn_registry_key(at, key);
	const struct tn_json *list = tn_json_get(expression, key);
	size_t index = 0;
	bool right = true;

	if (!tn_json_is(list, TN_JSON_ARRAY))
		return tn_registry_fault(loader, &place, "a list is expected");
	for (const struct tn_json *e = list->first; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(&place, index);
		struct tn_registry_at when = tn_registry_key(&here, "if");

		if (bare && !tn_json_get(e, "value")) {
			right = check_expression(loader, e, scope, &here) && right;
			continue;
		}
		right = tn_registry_keys(loader, e, &here, keys) &&
			tn_registry_part(loader, e, "value", scope, &here) &&
			tn_registry_condition(loader, tn_json_get(e, "if"), scope, &when) && right;
	}
	return right;
}

static bool check_choose(struct tn_registry_loader *loader, const struct tn_json *expression,
			 const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	return check_values(loader, expression, "choose", false, scope, at);
}

static bool check_list(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	return check_values(loader, expression, "list", true, scope, at);
}

static bool check_split(struct tn_registry_loader *loader, const struct tn_json *expression,
			const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at sep = tn_registry_key(at, "sep");
	struct tn_str separator;
	int64_t place = 0;

	if (!need(loader, expression, "part", scope, at) ||
	    !tn_registry_get_count(loader, expression, at, "at", &place))
		return false;
	return (tn_json_to_str(tn_json_get(expression, "sep"), &separator) && separator.size > 0) ||
	       tn_registry_fault(loader, &sep, "a separator is expected");
}

/* ---- composed values ---- */

/* Functions by which a plan would read files of whoever runs it (ST-143). */
static bool reads_files(struct tn_str function)
{
	return tn_str_starts(function, TN_STR("file")) ||
	       tn_str_starts(function, TN_STR("template")) || tn_str_is(function, "pathexpand") ||
	       tn_str_is(function, "abspath");
}

static bool check_call(struct tn_registry_loader *loader, const struct tn_json *expression,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "fn");
	struct tn_registry_at place = tn_registry_key(at, "args");
	const struct tn_json *arguments = NULL;
	struct tn_str name;
	size_t index = 0;
	bool right = true;

	if (!tn_json_to_str(tn_json_get(expression, "fn"), &name) ||
	    !tn_registry_is_identifier(name))
		return tn_registry_fault(loader, &here, "the name of a function is expected");
	if (scope->type && reads_files(name))
		scope->type->needs_trust = scope->type->from_project;
	if (!tn_registry_get_array(loader, expression, at, "args", &arguments))
		return false;
	for (const struct tn_json *a = arguments ? arguments->first : NULL; a;
	     a = a->next, index++) {
		struct tn_registry_at one = tn_registry_index(&place, index);

		right = check_expression(loader, a, scope, &one) && right;
	}
	return right;
}

static bool check_object(struct tn_registry_loader *loader, const struct tn_json *expression,
			 const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"key", "value", "if", NULL};
	struct tn_registry_at place = tn_registry_key(at, "object");
	const struct tn_json *list = tn_json_get(expression, "object");
	size_t index = 0;
	bool right = true;

	if (!tn_json_is(list, TN_JSON_ARRAY))
		return tn_registry_fault(loader, &place, "a list of {key, value} is expected");
	for (const struct tn_json *e = list->first; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(&place, index);
		struct tn_registry_at when = tn_registry_key(&here, "if");

		right = tn_registry_keys(loader, e, &here, keys) &&
			needs_text(loader, e, "key", &here) &&
			tn_registry_part(loader, e, "value", scope, &here) &&
			tn_registry_condition(loader, tn_json_get(e, "if"), scope, &when) && right;
	}
	return right;
}

/* What `each` names: a list, or a map as pairs. */
const struct tn_studio_property *tn_registry_need_list(struct tn_registry_loader *loader,
						       const struct tn_json *owner, const char *key,
						       const struct tn_registry_scope *scope,
						       const struct tn_registry_at *at)
{
	const struct tn_studio_property *property = need(loader, owner, key, scope, at);

	if (!property || property->type == TN_STUDIO_ARRAY || property->type == TN_STUDIO_MAP ||
	    property->type == TN_STUDIO_ENUM_LIST)
		return property;
	(void)tn_registry_fault(loader, at, "\"%.*s\" is neither a list nor a map",
				(int)property->key.size, property->key.data);
	return NULL;
}

static bool check_each_list(struct tn_registry_loader *loader, const struct tn_json *expression,
			    const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_scope inner = *scope;

	inner.each = tn_registry_need_list(loader, expression, "eachList", scope, at);
	return inner.each && tn_registry_part(loader, expression, "value", &inner, at);
}

static bool check_raw(struct tn_registry_loader *loader, const struct tn_json *expression,
		      const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	if (scope->type)
		scope->type->needs_trust = scope->type->from_project;
	return needs_text(loader, expression, "raw", at);
}

static bool check_expression(struct tn_registry_loader *loader, const struct tn_json *expression,
			     const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const struct {
		const char *name;
		check_fn *check;
		const char *keys[6];
	} forms[] = {
		{"prop", check_prop, {"prop", "as"}},
		{"ref", check_ref, {"ref", "attr", "list", "extra"}},
		{"scope", check_scope, {"scope"}},
		{"self", check_self, {"self"}},
		{"extra", check_extra, {"extra", "attr"}},
		{"lit", check_literal, {"lit"}},
		{"raw", check_raw, {"raw"}},
		{"text", check_text, {"text"}},
		{"var", check_var, {"var", "type", "sensitive"}},
		{"item", check_item, {"item", "default", "as"}},
		{"itemRef", check_item_ref, {"itemRef", "attr"}},
		{"lookup", check_lookup, {"lookup", "cases", "default"}},
		{"choose", check_choose, {"choose"}},
		{"part", check_split, {"part", "sep", "at"}},
		{"fn", check_call, {"fn", "args"}},
		{"object", check_object, {"object"}},
		{"list", check_list, {"list"}},
		{"eachList", check_each_list, {"eachList", "value"}},
	};

	for (size_t i = 0; i < TN_COUNT(forms); i++) {
		if (tn_json_get(expression, forms[i].name))
			return tn_registry_keys(loader, expression, at, forms[i].keys) &&
			       forms[i].check(loader, expression, scope, at);
	}
	return tn_registry_fault(loader, at, "this is no expression (see docs/registry.md)");
}
