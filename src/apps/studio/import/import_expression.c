/* Expressions of templates, backwards: from what stands in a file to what must have been set. */
#include "apps/studio/import/internal.h"
#include "apps/studio/document/value.h"

enum { EXPRESSION_DEPTH_MAX = 24 };

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static bool flag(const struct tn_json *object, const char *key)
{
	return tn_json_is(tn_json_get(object, key), TN_JSON_TRUE);
}

static const struct tn_json *constant(struct tn_import_frame *frame,
				      const struct tn_hcl_value *value)
{
	value = tn_import_resolve(&frame->import->reading, value);
	return value->kind == TN_HCL_CONSTANT ? value->value : NULL;
}

/* ---- values ---- */

static bool unify_variable_mode(struct tn_import_frame *frame,
				const struct tn_studio_property *property,
				const struct tn_hcl_value *value)
{
	const struct tn_import_variable *variable =
		tn_import_variable_of(&frame->import->reading, value);
	const struct tn_json *known = variable ? constant(frame, value) : NULL;

	if (!variable || property->emit == TN_STUDIO_EMIT_NEVER)
		return false;
	if (variable->sensitive && !property->sensitive)
		known = NULL; /* a secret does not go into the diagram */
	if (known && known->type != TN_JSON_NULL && !tn_import_bind_value(frame, property, known))
		return false;
	if (!property->sensitive &&
	    !tn_import_binding(frame->node->bindings, TN_IMPORT_MODE, property->key))
		tn_import_bind(frame->import, &frame->node->bindings, TN_IMPORT_MODE, property->key,
			       NULL, NULL);
	return true;
}

static bool unify_prop(struct tn_import_frame *frame, struct tn_str key,
		       const struct tn_hcl_value *value)
{
	const struct tn_studio_property *property = tn_studio_property_find(frame->node->type, key);
	const struct tn_json *known;

	if (!property || !tn_import_assume(frame, property->visible_when, true))
		return false;
	if (tn_import_is_variable(value) && unify_variable_mode(frame, property, value))
		return true;
	if (tn_import_is_variable(value)) {
		const struct tn_import_variable *variable =
			tn_import_variable_of(&frame->import->reading, value);

		if (!variable || variable->sensitive)
			return false;
	}
	known = constant(frame, value);
	return known && tn_import_bind_value(frame, property, known);
}

/* A variable that the template declares: its value is kept under the name it has now. */
static bool unify_var(struct tn_import_frame *frame, const struct tn_json *expr,
		      const struct tn_hcl_value *value)
{
	const struct tn_import_variable *variable =
		tn_import_variable_of(&frame->import->reading, value);
	const struct tn_json *known = constant(frame, value);
	bool sensitive = flag(expr, "sensitive") || (variable && variable->sensitive);

	if (!known && !tn_import_is_variable(value))
		return false;
	if (known)
		tn_import_bind(frame->import,
			       frame->item ? &frame->item->bindings : &frame->node->bindings,
			       sensitive ? TN_IMPORT_SECRET : TN_IMPORT_VARIABLE,
			       text_of(expr, "var"), known, NULL);
	return true;
}

static bool unify_item(struct tn_import_frame *frame, const struct tn_json *expr,
		       const struct tn_hcl_value *value)
{
	const struct tn_json *known = constant(frame, value);

	return known && tn_import_bind_field(frame, text_of(expr, "item"), known);
}

static bool unify_lit(struct tn_import_frame *frame, const struct tn_json *lit,
		      const struct tn_hcl_value *value)
{
	struct tn_hcl_value *wrapped = tn_import_wrap(&frame->import->reading, lit);

	return wrapped && tn_import_same(&frame->import->reading, wrapped, value);
}

static bool is_common_tags(struct tn_import *import, const struct tn_hcl_value *value)
{
	const struct tn_hcl_value *known = tn_import_resolve(&import->reading, value);

	if (import->tags)
		return tn_import_same(&import->reading, import->tags, known);
	return tn_str_is(value->text, "local.common_tags") ||
	       (known->kind == TN_HCL_CONSTANT &&
		(known->value->type == TN_JSON_NULL || known->item_count == 0));
}

static bool is_data(const struct tn_hcl_value *value)
{
	return value->kind == TN_HCL_REFERENCE && value->step_count == 4 &&
	       tn_str_is(value->steps[0], "data");
}

/* HCL that stands in the registry: the common tags, or what a data block says. */
static bool unify_raw(struct tn_import_frame *frame, struct tn_str raw,
		      const struct tn_hcl_value *value)
{
	struct tn_import *import = frame->import;
	const struct tn_hcl_value *own;
	struct tn_hcl_file *file;
	struct tn_str text;

	if (tn_str_is(raw, "local.common_tags"))
		return is_common_tags(import, value);
	if (import->state)
		return true; /* it cannot be known where the value came from */
	text = tn_import_format(import->arena, "a = %.*s\n", (int)raw.size, raw.data);
	if (tn_hcl_parse(import->arena, text, &file, NULL) != TENON_OK || !file->body->attributes)
		return false;
	own = file->body->attributes->value;
	/* The same of a data block that is called otherwise is the same. */
	if (is_data(own) && is_data(value))
		return tn_str_equal(own->steps[1], value->steps[1]) &&
		       tn_str_equal(own->steps[3], value->steps[3]);
	return tn_import_same(&import->reading, own, value);
}

/* ---- choices ---- */

static struct tn_json *as_text(struct tn_import_frame *frame, struct tn_str text)
{
	return tn_json_make_str(frame->import->arena, text);
}

/* A case's name as the value the property has. */
static const struct tn_json *case_value(struct tn_import_frame *frame,
					const struct tn_studio_property *property,
					struct tn_str name)
{
	if (property && property->type == TN_STUDIO_BOOLEAN)
		return tn_json_make_bool(frame->import->arena, tn_str_is(name, "true"));
	return as_text(frame, name);
}

static bool unify_lookup(struct tn_import_frame *frame, const struct tn_json *expr,
			 const struct tn_hcl_value *value)
{
	const struct tn_json *lookup = tn_json_get(expr, "lookup"), *cases;
	struct tn_str item, prop = text_of(lookup, "prop");
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, prop);
	bool by_item = tn_json_to_str(tn_json_get(lookup, "item"), &item);
	size_t mark = frame->import->change_count;

	cases = tn_json_get(expr, "cases");
	for (const struct tn_json *one = cases ? cases->first : NULL; one; one = one->next) {
		const struct tn_json *key = case_value(frame, property, one->key);

		if (key && tn_import_unify(frame, one, value) &&
		    (by_item ? tn_import_bind_field(frame, item, key)
			     : property && tn_import_bind_value(frame, property, key)))
			return true;
		tn_import_back_to(frame->import, mark);
	}
	/* The rest: which of them is for other attributes to say. A switch has one other side. */
	if (!tn_import_unify(frame, tn_json_get(expr, "default"), value))
		return false;
	if (!by_item && property && property->type == TN_STUDIO_BOOLEAN && cases &&
	    cases->count == 1)
		return tn_import_bind_value(
			frame, property,
			tn_json_make_bool(frame->import->arena,
					  !tn_str_is(cases->first->key, "true")));
	return true;
}

static bool unify_choose(struct tn_import_frame *frame, const struct tn_json *choices,
			 const struct tn_hcl_value *value)
{
	size_t mark = frame->import->change_count;

	for (const struct tn_json *one = choices->first; one; one = one->next) {
		if (tn_import_unify(frame, tn_json_get(one, "value"), value) &&
		    tn_import_assume(frame, tn_json_get(one, "if"), true))
			return true;
		tn_import_back_to(frame->import, mark);
	}
	return false;
}

static struct tn_str piece(struct tn_str text, struct tn_str separator, int64_t at)
{
	for (; at > 0; at--) {
		size_t end = tn_str_find(text, separator);

		if (end == TN_STR_NONE)
			return TN_STR("");
		text = tn_str_from_offset(text, end + separator.size);
	}
	if (tn_str_find(text, separator) != TN_STR_NONE)
		text.size = tn_str_find(text, separator);
	return text;
}

/* A piece of a value: the only allowed value that has it there. `if` of the attribute narrows the
 * choice, so what it names is tried first. */
static bool unify_part(struct tn_import_frame *frame, const struct tn_json *expr,
		       const struct tn_hcl_value *value)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, text_of(expr, "part"));
	const struct tn_import_binding *bound;
	const struct tn_json *known = constant(frame, value), *found = NULL;
	struct tn_str separator = text_of(expr, "sep"), one_text;
	int64_t at = 0;

	(void)tn_json_to_int(tn_json_get(expr, "at"), &at);
	if (!property || !tn_json_is(known, TN_JSON_STRING))
		return false;
	bound = tn_import_binding(frame->node->bindings, TN_IMPORT_VALUE, property->key);
	if (bound)
		return tn_json_is(bound->value, TN_JSON_STRING) &&
		       tn_str_equal(piece(bound->value->text, separator, at), known->text);
	for (const struct tn_json *one = property->allowed ? property->allowed->first : NULL; one;
	     one = one->next) {
		if (!tn_json_to_str(one, &one_text) ||
		    !tn_str_equal(piece(one_text, separator, at), known->text))
			continue;
		if (found)
			return false;
		found = one;
	}
	return found && tn_import_assume(frame, property->visible_when, true) &&
	       tn_import_bind_value(frame, property, found);
}

/* ---- lists ---- */

static bool unify_list(struct tn_import_frame *frame, const struct tn_json *elements,
		       const struct tn_hcl_value *value)
{
	const struct tn_hcl_value *item;

	value = tn_import_named(&frame->import->reading, value);
	if (!tn_import_is_list(value))
		return false;
	item = value->items;
	for (const struct tn_json *one = elements->first; one; one = one->next) {
		const struct tn_json *inner = tn_json_get(one, "value"), *condition;
		size_t mark = frame->import->change_count;

		condition = inner ? tn_json_get(one, "if") : NULL;
		if (item && tn_import_unify(frame, inner ? inner : one, item) &&
		    tn_import_assume(frame, condition, true)) {
			item = item->next;
			continue;
		}
		tn_import_back_to(frame->import, mark);
		if (!condition || !tn_import_assume(frame, condition, false))
			return false;
	}
	return item == NULL;
}

static bool unify_each_list(struct tn_import_frame *frame, const struct tn_json *expr,
			    const struct tn_hcl_value *value)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, text_of(expr, "eachList"));
	const struct tn_json *inner = tn_json_get(expr, "value");

	value = tn_import_named(&frame->import->reading, value);
	if (!property || !tn_import_is_list(value))
		return false;
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		struct tn_import_frame inside = *frame;

		inside.item = tn_import_add_item(frame->import, frame->node, property);
		inside.item_of = property;
		if (!inside.item || !tn_import_unify(&inside, inner, item))
			return false;
	}
	return true;
}

static bool unify(struct tn_import_frame *frame, const struct tn_json *expr,
		  const struct tn_hcl_value *value)
{
	static const struct {
		const char *form;
		bool (*run)(struct tn_import_frame *frame, const struct tn_json *expr,
			    const struct tn_hcl_value *value);
	} forms[] = {
		{"ref", tn_import_unify_ref},
		{"scope", tn_import_unify_scope},
		{"self", tn_import_unify_self},
		{"extra", tn_import_unify_extra},
		{"itemRef", tn_import_unify_item_ref},
		{"var", unify_var},
		{"item", unify_item},
		{"lookup", unify_lookup},
		{"part", unify_part},
		{"fn", tn_import_unify_fn},
		{"eachList", unify_each_list},
	};
	const struct tn_json *inner;
	struct tn_str text;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (tn_json_get(expr, forms[i].form))
			return forms[i].run(frame, expr, value);
	}
	if (tn_json_to_str(tn_json_get(expr, "prop"), &text))
		return unify_prop(frame, text, value);
	if (tn_json_to_str(tn_json_get(expr, "raw"), &text))
		return unify_raw(frame, text, value);
	if (tn_json_to_str(tn_json_get(expr, "text"), &text)) {
		inner = constant(frame, value);
		return tn_json_is(inner, TN_JSON_STRING) &&
		       tn_import_unify_text(frame, text, inner->text);
	}
	if ((inner = tn_json_get(expr, "lit")))
		return unify_lit(frame, inner, value);
	if ((inner = tn_json_get(expr, "choose")))
		return unify_choose(frame, inner, value);
	if ((inner = tn_json_get(expr, "list")))
		return unify_list(frame, inner, value);
	inner = tn_json_get(expr, "object");
	return inner && tn_import_unify_object(frame, inner, value);
}

bool tn_import_unify(struct tn_import_frame *frame, const struct tn_json *expr,
		     const struct tn_hcl_value *value)
{
	struct tn_import_frame inside = *frame;

	if (!expr || frame->depth >= EXPRESSION_DEPTH_MAX || frame->import->full)
		return false;
	inside.depth++;
	return unify(&inside, expr, value);
}
