/* generate_expression.c - expressions of HCL templates (studio.md 5.4) as values to be printed. */
#include "apps/studio/generate/internal.h"

#include "jsonrpc/json_write.h"

enum { REFERENCES_MAX = 1000 };

typedef struct tn_studio_hcl_value *eval_fn(struct tn_studio_eval *eval,
					    const struct tn_json *expr);

struct tn_studio_eval tn_studio_eval_of(struct tn_studio_gen *gen,
					const struct tn_studio_node *node,
					struct tn_studio_block *block)
{
	struct tn_studio_eval eval = {.gen = gen, .node = node, .block = block};
	eval.scope = tn_studio_scope_of(gen->document, node, gen->arena);
	return eval;
}

static struct tn_str member(const struct tn_json *expr, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(expr, key), &text); /* absent is empty */
	return text;
}

static bool flag(const struct tn_json *expr, const char *key)
{
	return tn_json_is(tn_json_get(expr, key), TN_JSON_TRUE);
}

/* The elements of a member that is a list. */
static const struct tn_json *members(const struct tn_json *expr, const char *key)
{
	const struct tn_json *list = tn_json_get(expr, key);
	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

static void touch(struct tn_studio_eval *eval, struct tn_str key)
{
	if (eval->touched.size == 0)
		eval->touched = key;
}

static struct tn_studio_hcl_value *atom(struct tn_studio_eval *eval, struct tn_str text)
{
	return text.size ? tn_studio_hcl_atom(eval->gen->arena, text) : NULL;
}

static void depend(struct tn_studio_eval *eval, struct tn_str address)
{
	if (!eval->block)
		return;
	for (const struct tn_studio_dependency *one = eval->block->dependencies; one;
	     one = one->next) {
		if (tn_str_equal(one->address, address))
			return;
	}
	struct tn_studio_dependency *made = tn_arena_alloc(eval->gen->arena, sizeof(*made));
	if (!made) {
		eval->gen->full = true;
		return;
	}
	made->address = address;
	made->next = eval->block->dependencies;
	eval->block->dependencies = made;
}

struct tn_studio_hcl_value *tn_studio_eval_address(struct tn_studio_eval *eval,
						   const struct tn_studio_node *node,
						   struct tn_str extra, struct tn_str attribute)
{
	struct tn_str address = tn_studio_gen_address(eval->gen, node, extra);
	if (address.size == 0)
		return NULL;
	if (attribute.size == 0)
		attribute = TN_STR("id");
	if (!tn_studio_hcl_is_path(attribute))
		return NULL;
	depend(eval, address);
	return atom(eval, tn_studio_gen_format(eval->gen, "%.*s.%.*s", (int)address.size,
					       address.data, (int)attribute.size, attribute.data));
}

const struct tn_studio_property *tn_studio_eval_find(const struct tn_studio_eval *eval,
						     struct tn_str key)
{
	for (size_t i = 0; i < eval->scope.property_count; i++) {
		if (tn_str_equal(eval->scope.properties[i].key, key))
			return &eval->scope.properties[i];
	}
	return NULL;
}

/* Whether the text is one of JSON's numbers, which are HCL's, too. */
static bool is_number(struct tn_arena *arena, struct tn_str text, const struct tn_json **ret)
{
	struct tn_json *json = NULL;
	if (text.size == 0 || text.size > 64 ||
	    tn_json_parse_copy(arena, text, &json, NULL) != TENON_OK)
		return false;
	*ret = json;
	return json->type == TN_JSON_NUMBER;
}

struct tn_studio_hcl_value *tn_studio_eval_literal(struct tn_studio_gen *gen,
						   const struct tn_json *value, struct tn_str as)
{
	const struct tn_json *number;
	if (tn_str_is(as, "number") && value->type == TN_JSON_STRING &&
	    is_number(gen->arena, value->text, &number))
		value = number;
	if (!tn_str_is(as, "string"))
		return tn_studio_hcl_literal(gen->arena, value);
	switch (value->type) {
	case TN_JSON_TRUE:
		return tn_studio_hcl_string(gen->arena, TN_STR("true"));
	case TN_JSON_FALSE:
		return tn_studio_hcl_string(gen->arena, TN_STR("false"));
	case TN_JSON_NUMBER: {
		struct tn_studio_hcl_value *printed = tn_studio_hcl_literal(gen->arena, value);
		return printed ? tn_studio_hcl_string(gen->arena, printed->text) : NULL;
	}
	default:
		return tn_studio_hcl_literal(gen->arena, value);
	}
}

static bool has_secret_fields(const struct tn_studio_property *property)
{
	for (size_t i = 0; i < property->field_count; i++) {
		if (property->fields[i].sensitive)
			return true;
	}
	return false;
}

struct tn_studio_hcl_value *tn_studio_eval_property(struct tn_studio_eval *eval,
						    const struct tn_studio_property *property,
						    struct tn_str as)
{
	touch(eval, property->key);
	if (!tn_studio_is_visible(&eval->scope, property) || (!eval->node && property->sensitive))
		return NULL;
	if (eval->node && tn_studio_is_variable(&eval->scope, property) &&
	    property->emit != TN_STUDIO_EMIT_NEVER) {
		struct tn_str name = tn_studio_gen_property_variable(eval, property, as);
		return atom(eval,
			    tn_studio_gen_format(eval->gen, "var.%.*s", (int)name.size, name.data));
	}
	const struct tn_json *value = tn_studio_value(&eval->scope, property);
	if (tn_studio_value_is_empty(value) || has_secret_fields(property))
		return NULL;
	return tn_studio_eval_literal(eval->gen, value, as);
}

static struct tn_studio_hcl_value *eval_prop(struct tn_studio_eval *eval,
					     const struct tn_json *expr)
{
	const struct tn_studio_property *property = tn_studio_eval_find(eval, member(expr, "prop"));
	return property ? tn_studio_eval_property(eval, property, member(expr, "as")) : NULL;
}

/* ---- references ---- */

static struct tn_studio_hcl_value *eval_ref(struct tn_studio_eval *eval, const struct tn_json *expr)
{
	const struct tn_studio_node *targets[REFERENCES_MAX];
	struct tn_str key = member(expr, "ref");
	const struct tn_studio_property *property = tn_studio_eval_find(eval, key);
	size_t count;
	touch(eval, key);
	if (!eval->node || (property && !tn_studio_is_visible(&eval->scope, property)))
		return NULL;
	if (property) {
		count = tn_studio_references(eval->gen->document, eval->node, property, targets,
					     REFERENCES_MAX, NULL);
	} else { /* implied by the parent alone */
		targets[0] = tn_studio_reference(eval->gen->document, eval->node, key);
		count = targets[0] != NULL;
	}
	bool list = flag(expr, "list");
	struct tn_studio_hcl_value *all =
		list ? tn_studio_hcl_make(eval->gen->arena, TN_STUDIO_HCL_LIST, tn_str("", 0))
		     : NULL;
	for (size_t i = 0; i < count; i++) {
		struct tn_studio_hcl_value *one = tn_studio_eval_address(
			eval, targets[i], member(expr, "extra"), member(expr, "attr"));
		if (one)
			tn_studio_gen_emitted(eval->gen, eval->node, key, targets[i]);
		if (one && !list)
			return one;
		if (all)
			tn_studio_hcl_add(all, one);
	}
	return all && all->first ? all : NULL;
}

static struct tn_studio_hcl_value *eval_scope(struct tn_studio_eval *eval,
					      const struct tn_json *expr)
{
	struct tn_str name = member(expr, "scope");
	const struct tn_studio_type *type = eval->node ? eval->node->type : NULL;
	const struct tn_json *scope =
		type && type->provider ? tn_json_get_str(type->provider->scopes, name) : NULL;
	if (!scope)
		return NULL;
	struct tn_str wanted = member(scope, "ancestor");
	const struct tn_studio_node *ancestor = tn_studio_ancestor(eval->node, wanted);
	struct tn_studio_hcl_value *value =
		ancestor ? tn_studio_eval_address(eval, ancestor, tn_str("", 0),
						  member(scope, "attr"))
			 : NULL;
	if (!value) {
		const struct tn_studio_type *type_of =
			tn_studio_type_find(eval->gen->document->registry, wanted);
		struct tn_str shown = type_of ? type_of->display_name : wanted;
		tn_studio_gen_tell(eval->gen, TN_STUDIO_ERROR, "MISSING_SCOPE", eval->node,
				   tn_str("", 0), "'%.*s' needs a %.*s around it.",
				   (int)eval->node->label.size, eval->node->label.data,
				   (int)shown.size, shown.data);
	}
	return value;
}

static struct tn_studio_hcl_value *eval_self(struct tn_studio_eval *eval,
					     const struct tn_json *expr)
{
	return tn_studio_eval_address(eval, eval->node, tn_str("", 0), member(expr, "self"));
}

static struct tn_studio_hcl_value *eval_extra(struct tn_studio_eval *eval,
					      const struct tn_json *expr)
{
	return tn_studio_eval_address(eval, eval->node, member(expr, "extra"),
				      member(expr, "attr"));
}

const struct tn_json *tn_studio_eval_item_field(const struct tn_studio_eval *eval,
						struct tn_str field)
{
	const struct tn_json *value = eval->scope.item;
	/* Secrets are in the store, whatever a file says (ST-029): neither the field nor all of it.
	 */
	for (size_t i = 0; i < eval->scope.item_field_count; i++) {
		const struct tn_studio_property *one = &eval->scope.item_fields[i];
		if (one->sensitive && (field.size == 0 || tn_str_equal(one->key, field)))
			return NULL;
	}
	if (field.size)
		value = tn_json_get_str(value, field);
	return tn_json_is(value, TN_JSON_NULL) ? NULL : value;
}

static struct tn_studio_hcl_value *eval_item_ref(struct tn_studio_eval *eval,
						 const struct tn_json *expr)
{
	struct tn_str id;
	if (!tn_json_to_str(tn_studio_eval_item_field(eval, member(expr, "itemRef")), &id))
		return NULL;
	const struct tn_studio_node *node = tn_studio_node_find(eval->gen->document, id);
	return node ? tn_studio_eval_address(eval, node, tn_str("", 0), member(expr, "attr"))
		    : NULL;
}

static struct tn_studio_hcl_value *eval_source(struct tn_studio_eval *eval,
					       const struct tn_json *expr)
{
	if (!eval->source || !tn_str_is(member(expr, "source"), "output"))
		return NULL;
	return tn_studio_eval_address(eval, eval->source, tn_str("", 0), eval->output->attribute);
}

static struct tn_studio_hcl_value *eval_target(struct tn_studio_eval *eval,
					       const struct tn_json *expr)
{
	if (!eval->target)
		return NULL;
	return tn_studio_eval_address(eval, eval->target, tn_str("", 0), member(expr, "target"));
}

/* ---- values ---- */

static struct tn_studio_hcl_value *eval_item(struct tn_studio_eval *eval,
					     const struct tn_json *expr)
{
	const struct tn_json *value = tn_studio_eval_item_field(eval, member(expr, "item"));
	bool empty = !value || (value->type == TN_JSON_STRING && value->text.size == 0) ||
		     (value->type == TN_JSON_ARRAY && !value->first);
	if (empty)
		value = tn_json_get(expr, "default");
	return value ? tn_studio_eval_literal(eval->gen, value, member(expr, "as")) : NULL;
}

static struct tn_studio_hcl_value *eval_lit(struct tn_studio_eval *eval, const struct tn_json *expr)
{
	return tn_studio_hcl_literal(eval->gen->arena, tn_json_get(expr, "lit"));
}

static bool in_address(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || c == '.';
}

/* What registry text refers to: the first two steps of a path, three of data. */
static struct tn_str first_steps(struct tn_str path)
{
	unsigned dots = tn_str_starts(path, TN_STR("data.")) ? 3 : 2;
	for (size_t i = 0; i < path.size; i++) {
		if (path.data[i] == '.' && --dots == 0)
			return tn_str(path.data, i);
	}
	return path;
}

static struct tn_studio_hcl_value *eval_raw(struct tn_studio_eval *eval, const struct tn_json *expr)
{
	struct tn_str text = member(expr, "raw");
	for (size_t i = 0; i < text.size;) {
		size_t start = i;
		while (i < text.size && in_address(text.data[i]))
			i++;
		struct tn_str path = tn_str(text.data + start, i - start);
		if (tn_str_find_byte(path, '.') != TN_STR_NONE)
			depend(eval, first_steps(path));
		i += i == start;
	}
	return atom(eval, text);
}

static struct tn_studio_hcl_value *eval_var(struct tn_studio_eval *eval, const struct tn_json *expr)
{
	struct tn_str name = tn_studio_eval_name(eval, member(expr, "var"));
	if (name.size == 0)
		return NULL;
	struct tn_str declared = tn_studio_gen_template_variable(eval, name, member(expr, "type"),
								 flag(expr, "sensitive"));
	return atom(eval,
		    tn_studio_gen_format(eval->gen, "var.%.*s", (int)declared.size, declared.data));
}

/* A scalar as the text by which cases are told apart. */
static struct tn_str case_text(const struct tn_json *value)
{
	switch (value ? value->type : TN_JSON_NULL) {
	case TN_JSON_TRUE:
		return TN_STR("true");
	case TN_JSON_FALSE:
		return TN_STR("false");
	case TN_JSON_STRING:
	case TN_JSON_NUMBER:
		return value->text;
	default:
		return tn_str("", 0);
	}
}

static struct tn_studio_hcl_value *eval_lookup(struct tn_studio_eval *eval,
					       const struct tn_json *expr)
{
	const struct tn_json *by = tn_json_get(expr, "lookup");
	struct tn_str key = member(by, "prop");
	const struct tn_json *value = tn_json_get(by, "item")
					      ? tn_studio_eval_item_field(eval, member(by, "item"))
					      : tn_studio_value_by_key(&eval->scope, key);
	touch(eval, key);
	const struct tn_json *found = tn_json_get_str(tn_json_get(expr, "cases"), case_text(value));
	if (!found)
		found = tn_json_get(expr, "default");
	return found ? tn_studio_eval(eval, found) : NULL;
}

static struct tn_studio_hcl_value *eval_choose(struct tn_studio_eval *eval,
					       const struct tn_json *expr)
{
	for (const struct tn_json *one = members(expr, "choose"); one; one = one->next) {
		if (tn_studio_condition_holds(&eval->scope, tn_json_get(one, "if")))
			return tn_studio_eval(eval, tn_json_get(one, "value"));
	}
	return atom(eval, TN_STR("null"));
}

static struct tn_studio_hcl_value *eval_part(struct tn_studio_eval *eval,
					     const struct tn_json *expr)
{
	const struct tn_studio_property *property = tn_studio_eval_find(eval, member(expr, "part"));
	struct tn_str separator = member(expr, "sep"), text;
	int64_t at = 0;
	(void)tn_json_to_int(tn_json_get(expr, "at"), &at); /* absent: the first */
	if (!property || separator.size == 0 || at < 0)
		return NULL;
	struct tn_studio_hcl_value *whole = tn_studio_eval_property(eval, property, tn_str("", 0));
	if (whole && !whole->is_string) {
		struct tn_studio_hcl_value *quoted =
			tn_studio_hcl_string(eval->gen->arena, separator);
		return quoted ? atom(eval, tn_studio_gen_format(eval->gen, "split(%s, %s)[%lld]",
								quoted->text.data, whole->text.data,
								(long long)at))
			      : NULL;
	}
	if (!whole || !tn_json_to_str(tn_studio_value(&eval->scope, property), &text))
		return NULL;
	for (; at > 0; at--) {
		size_t found = tn_str_find(text, separator);
		if (found == TN_STR_NONE)
			return NULL;
		text = tn_str_from_offset(text, found + separator.size);
	}
	size_t end = tn_str_find(text, separator);
	if (end != TN_STR_NONE)
		text.size = end;
	return tn_studio_hcl_string(eval->gen->arena, text);
}

/* ---- composed ---- */

static struct tn_studio_hcl_value *eval_fn_call(struct tn_studio_eval *eval,
						const struct tn_json *expr)
{
	struct tn_str name = member(expr, "fn");
	if (!tn_studio_hcl_is_identifier(name))
		return NULL;
	struct tn_studio_hcl_value *call =
		tn_studio_hcl_make(eval->gen->arena, TN_STUDIO_HCL_CALL, name);
	for (const struct tn_json *one = members(expr, "args"); call && one; one = one->next)
		tn_studio_hcl_add(call, tn_studio_eval(eval, one));
	return call;
}

static struct tn_studio_hcl_value *eval_object(struct tn_studio_eval *eval,
					       const struct tn_json *expr)
{
	struct tn_studio_hcl_value *object =
		tn_studio_hcl_make(eval->gen->arena, TN_STUDIO_HCL_OBJECT, tn_str("", 0));
	for (const struct tn_json *one = members(expr, "object"); object && one; one = one->next) {
		struct tn_str key = member(one, "key");
		/* Of two with one key the first whose condition holds counts. */
		if (!tn_studio_hcl_has(object, key) &&
		    tn_studio_condition_holds(&eval->scope, tn_json_get(one, "if")))
			tn_studio_hcl_entry(eval->gen->arena, object, key,
					    tn_studio_eval(eval, tn_json_get(one, "value")));
	}
	return object;
}

static struct tn_studio_hcl_value *eval_list(struct tn_studio_eval *eval,
					     const struct tn_json *expr)
{
	struct tn_studio_hcl_value *list =
		tn_studio_hcl_make(eval->gen->arena, TN_STUDIO_HCL_LIST, tn_str("", 0));
	for (const struct tn_json *one = members(expr, "list"); list && one; one = one->next) {
		const struct tn_json *value = tn_json_get(one, "value");
		if (tn_studio_condition_holds(&eval->scope, tn_json_get(one, "if")))
			tn_studio_hcl_add(list, tn_studio_eval(eval, value ? value : one));
	}
	return list;
}

static struct tn_studio_hcl_value *eval_each_list(struct tn_studio_eval *eval,
						  const struct tn_json *expr)
{
	const struct tn_studio_property *property;
	const struct tn_json *elements =
		tn_studio_eval_elements(eval, member(expr, "eachList"), &property);
	struct tn_studio_hcl_value *list =
		tn_studio_hcl_make(eval->gen->arena, TN_STUDIO_HCL_LIST, tn_str("", 0));
	if (!list)
		return NULL;
	list->spread = true;
	for (const struct tn_json *one = elements ? elements->first : NULL; one; one = one->next) {
		struct tn_studio_eval inner = *eval;
		tn_studio_eval_set_item(&inner, property, one);
		struct tn_studio_hcl_value *value =
			tn_studio_eval(&inner, tn_json_get(expr, "value"));
		if (value && value->kind == TN_STUDIO_HCL_OBJECT)
			value->in_line = true;
		tn_studio_hcl_add(list, value);
	}
	return list;
}

/* In the order in which they are looked for: "extra" is also a member of a reference. */
static const struct {
	const char *key;
	eval_fn *eval;
} forms[] = {
	{"prop", eval_prop},
	{"ref", eval_ref},
	{"scope", eval_scope},
	{"raw", eval_raw},
	{"lit", eval_lit},
	{"item", eval_item},
	{"text", tn_studio_eval_text},
	{"self", eval_self},
	{"object", eval_object},
	{"fn", eval_fn_call},
	{"list", eval_list},
	{"choose", eval_choose},
	{"itemRef", eval_item_ref},
	{"lookup", eval_lookup},
	{"part", eval_part},
	{"extra", eval_extra},
	{"var", eval_var},
	{"source", eval_source},
	{"target", eval_target},
	{"eachList", eval_each_list},
};

struct tn_studio_hcl_value *tn_studio_eval(struct tn_studio_eval *eval, const struct tn_json *expr)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (tn_json_get(expr, forms[i].key))
			return forms[i].eval(eval, expr);
	}
	return NULL;
}
