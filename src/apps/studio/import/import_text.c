/* Texts with placeholders, functions and objects of templates, backwards. */
#include "apps/studio/import/internal.h"
#include "apps/studio/document/value.h"

/* ---- {"text":"{name}-nic"} ---- */

static struct tn_str filtered(struct tn_import_frame *frame, struct tn_str text,
			      struct tn_str filter)
{
	char *copy;

	if (!tn_str_is(filter, "dns"))
		return text;
	copy = tn_arena_copy(frame->import->arena, text);
	for (size_t i = 0; copy && i < text.size; i++) {
		char c = tn_to_lower(copy[i]);

		copy[i] = (c >= 'a' && c <= 'z') || tn_is_digit(c) ? c : '-';
	}
	return copy ? tn_str(copy, text.size) : TN_STR("");
}

static bool scalar_text(const struct tn_json *value, struct tn_str *ret)
{
	if (!value || (value->type != TN_JSON_STRING && value->type != TN_JSON_NUMBER))
		return false;
	*ret = value->text;
	return true;
}

/* What a placeholder is worth as far as it is known. */
static bool known_text(struct tn_import_frame *frame, struct tn_str name, struct tn_str *ret)
{
	const struct tn_import_binding *bound;
	const struct tn_studio_property *property;

	if (tn_str_is(name, "self")) {
		*ret = frame->node->own.size ? frame->node->own : frame->node->name;
		return true;
	}
	if (tn_str_is(name, "item") || tn_str_starts(name, TN_STR("item."))) {
		name = tn_str_from_offset(name, tn_str_is(name, "item") ? 4 : 5);
		bound = frame->item
				? tn_import_binding(frame->item->bindings, TN_IMPORT_VALUE, name)
				: NULL;
		return bound && scalar_text(bound->value, ret);
	}
	bound = tn_import_binding(frame->node->bindings, TN_IMPORT_VALUE, name);
	if (bound)
		return scalar_text(bound->value, ret);
	property = tn_studio_property_find(frame->node->type, name);
	return property && property->default_value && property->emit != TN_STUDIO_EMIT_NEVER &&
	       scalar_text(property->default_value, ret);
}

static bool bind_text(struct tn_import_frame *frame, struct tn_str name, struct tn_str text)
{
	const struct tn_studio_property *property;
	struct tn_json *value = tn_json_make_str(frame->import->arena, text);

	if (!value)
		return false;
	if (tn_str_is(name, "item"))
		return tn_import_bind_field(frame, TN_STR(""), value);
	if (tn_str_starts(name, TN_STR("item.")))
		return tn_import_bind_field(frame, tn_str_from_offset(name, 5), value);
	property = tn_studio_property_find(frame->node->type, name);
	return property && tn_import_assume(frame, property->visible_when, true) &&
	       tn_import_bind_value(frame, property, value);
}

/* The pieces of a pattern: plain text up to `{`, then a name with a filter. */
struct placeholder {
	struct tn_str before, name, filter;
};

static bool next_placeholder(struct tn_str *pattern, struct placeholder *ret)
{
	size_t open = tn_str_find_byte(*pattern, '{'), close, colon;

	if (open == TN_STR_NONE)
		return false;
	close = tn_str_find_byte(tn_str_from_offset(*pattern, open), '}');
	if (close == TN_STR_NONE)
		return false;
	ret->before = tn_str(pattern->data, open);
	ret->name = tn_str(pattern->data + open + 1, close - 1);
	*pattern = tn_str_from_offset(*pattern, open + close + 1);
	colon = tn_str_find_byte(ret->name, ':');
	ret->filter = TN_STR("");
	if (colon != TN_STR_NONE) {
		ret->filter = tn_str_from_offset(ret->name, colon + 1);
		ret->name.size = colon;
	}
	return true;
}

bool tn_import_unify_text(struct tn_import_frame *frame, struct tn_str pattern, struct tn_str text)
{
	struct placeholder one;

	while (next_placeholder(&pattern, &one)) {
		struct tn_str known, stop = pattern;
		size_t end;

		if (!tn_str_starts(text, one.before))
			return false;
		text = tn_str_from_offset(text, one.before.size);
		if (known_text(frame, one.name, &known)) {
			known = filtered(frame, known, one.filter);
			if (!tn_str_starts(text, known))
				return false;
			text = tn_str_from_offset(text, known.size);
			continue;
		}
		/* Unknown: up to the plain text that follows, as little as possible. */
		if (one.filter.size > 0)
			return false;
		end = tn_str_find_byte(stop, '{');
		if (end != TN_STR_NONE)
			stop.size = end;
		if (end == 0)
			return false; /* two in a row could be cut anywhere */
		end = stop.size == 0 ? text.size : tn_str_find(text, stop);
		if (end == TN_STR_NONE ||
		    (end > 0 && !bind_text(frame, one.name, tn_str(text.data, end))))
			return false;
		text = tn_str_from_offset(text, end);
	}
	return tn_str_equal(pattern, text);
}

/* ---- objects ---- */

static const struct tn_hcl_value *children(struct tn_import_frame *frame,
					   const struct tn_hcl_value **value)
{
	*value = tn_import_named(&frame->import->reading, *value);
	if ((*value)->kind == TN_HCL_MAP || tn_json_is((*value)->value, TN_JSON_OBJECT))
		return *value;
	return NULL;
}

/* Of several entries with one key that is preferred which says nothing new. */
static bool unify_entry(struct tn_import_frame *frame, const struct tn_json *entries,
			const struct tn_hcl_value *item, const struct tn_json **ret)
{
	size_t mark = frame->import->change_count;
	struct tn_str key;

	for (int pass = 0; pass < 2; pass++) {
		for (const struct tn_json *one = entries->first; one; one = one->next) {
			if (!tn_json_to_str(tn_json_get(one, "key"), &key) ||
			    !tn_str_equal(key, item->key))
				continue;
			if (tn_import_unify(frame, tn_json_get(one, "value"), item) &&
			    tn_import_assume(frame, tn_json_get(one, "if"), true) &&
			    (pass == 1 || frame->import->change_count == mark)) {
				*ret = one;
				return true;
			}
			tn_import_back_to(frame->import, mark);
		}
	}
	return false;
}

static bool has_key(const struct tn_hcl_value *value, struct tn_str key)
{
	const struct tn_hcl_value *item = value->items;

	while (item && !tn_str_equal(item->key, key))
		item = item->next;
	return item != NULL;
}

bool tn_import_unify_object(struct tn_import_frame *frame, const struct tn_json *entries,
			    const struct tn_hcl_value *value)
{
	const struct tn_json *taken;
	struct tn_str key;

	if (!children(frame, &value))
		return false;
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		if (!unify_entry(frame, entries, item, &taken))
			return false;
	}
	for (const struct tn_json *one = entries->first; one; one = one->next) {
		if (tn_json_to_str(tn_json_get(one, "key"), &key) && !has_key(value, key) &&
		    tn_json_get(one, "if") &&
		    !tn_import_assume(frame, tn_json_get(one, "if"), false))
			return false;
	}
	return true;
}

/* ---- functions ---- */

/* merge(what is fixed, {what the node says}) against one map. */
static bool unify_merged(struct tn_import_frame *frame, const struct tn_json *args,
			 const struct tn_hcl_value *value)
{
	struct tn_hcl_value *rest = tn_import_new(frame->import, sizeof(*rest)), **tail;
	const struct tn_json *taken, *fixed = NULL, *said = NULL;
	struct tn_json_maker maker;

	for (const struct tn_json *one = args->first; one; one = one->next) {
		if (tn_json_get(one, "object"))
			said = tn_json_get(one, "object");
		else
			fixed = one;
	}
	if (!rest || !said || !fixed || args->count != 2 || !children(frame, &value))
		return false;
	*rest = (struct tn_hcl_value){.kind = TN_HCL_MAP};
	tail = &rest->items;
	tn_json_maker_begin(&maker, frame->import->arena, TN_JSON_OBJECT);
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		if (unify_entry(frame, said, item, &taken))
			continue;
		*tail = tn_import_new(frame->import, sizeof(**tail));
		if (!*tail)
			return false;
		**tail = *item;
		(*tail)->next = NULL;
		tail = &(*tail)->next;
		rest->item_count++;
		if (item->kind == TN_HCL_CONSTANT)
			tn_json_maker_put(&maker, item->key, item->value);
		else
			maker.failed = true;
	}
	if (!maker.failed) {
		rest->kind = TN_HCL_CONSTANT;
		rest->value = tn_json_maker_end(&maker);
	}
	return tn_import_unify(frame, fixed, rest);
}

/* JSON in a text is what jsonencode makes of a value. */
static const struct tn_hcl_value *decoded(struct tn_import_frame *frame,
					  const struct tn_hcl_value *value)
{
	struct tn_json *json;

	value = tn_import_resolve(&frame->import->reading, value);
	if (!tn_json_is(value->value, TN_JSON_STRING) ||
	    tn_json_parse_copy(frame->import->arena, value->value->text, &json, NULL) != TENON_OK)
		return NULL;
	return tn_import_wrap(&frame->import->reading, json);
}

bool tn_import_unify_fn(struct tn_import_frame *frame, const struct tn_json *expr,
			const struct tn_hcl_value *value)
{
	const struct tn_json *args = tn_json_get(expr, "args"), *arg;
	struct tn_str name = TN_STR("");
	const struct tn_hcl_value *item;
	bool merge, good = true;

	(void)tn_json_to_str(tn_json_get(expr, "fn"), &name);
	if (!args)
		return false;
	merge = tn_str_is(name, "merge");
	if (value->kind != TN_HCL_CALL || !tn_str_equal(value->steps[0], name) ||
	    value->item_count != args->count) {
		if (merge)
			return unify_merged(frame, args, value);
		item = tn_str_is(name, "jsonencode") ? decoded(frame, value) : NULL;
		return item && args->count == 1 && tn_import_unify(frame, args->first, item);
	}
	item = value->items;
	for (arg = args->first; arg && good; arg = arg->next, item = item->next)
		good = tn_import_unify(frame, arg, item);
	return good;
}
