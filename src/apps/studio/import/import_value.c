/* Values that were read: what is known of them, and when two of them are the same. */
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

enum {
	RESOLVE_DEPTH_MAX = 32,
	VALUES_MAX = 200000, /* made by resolving; references to lists of references multiply */
	LOOKUP_BYTES_MAX = 1024
};

void tn_import_reading_init(struct tn_import_reading *reading, struct tn_arena *arena)
{
	*reading = (struct tn_import_reading){.arena = arena, .budget = VALUES_MAX};
	tn_map_init(&reading->by_address);
	tn_map_init(&reading->by_type);
	tn_map_init(&reading->variables);
	tn_map_init(&reading->locals);
	tn_map_init(&reading->by_value);
}

void tn_import_reading_finish(struct tn_import_reading *reading)
{
	tn_map_finish(&reading->by_address);
	tn_map_finish(&reading->by_type);
	tn_map_finish(&reading->variables);
	tn_map_finish(&reading->locals);
	tn_map_finish(&reading->by_value);
}

static void *make(struct tn_import_reading *reading, size_t size)
{
	void *memory;

	if (reading->budget == 0)
		return NULL;
	reading->budget--;
	memory = tn_arena_alloc(reading->arena, size);
	reading->full = reading->full || !memory;
	return memory;
}

/* ---- what names stand for ---- */

bool tn_import_is_list(const struct tn_hcl_value *value)
{
	return value->kind == TN_HCL_LIST || tn_json_is(value->value, TN_JSON_ARRAY);
}

bool tn_import_is_variable(const struct tn_hcl_value *value)
{
	return value->kind == TN_HCL_REFERENCE && value->step_count == 2 &&
	       tn_str_is(value->steps[0], "var");
}

struct tn_import_variable *tn_import_variable_of(const struct tn_import_reading *reading,
						 const struct tn_hcl_value *value)
{
	return tn_import_is_variable(value) ? tn_map_get(&reading->variables, value->steps[1])
					    : NULL;
}

const struct tn_import_local *tn_import_local_find(const struct tn_import_reading *reading,
						   struct tn_str name)
{
	return tn_map_get(&reading->locals, name);
}

const struct tn_hcl_attribute *tn_import_attribute(const struct tn_hcl_body *body,
						   struct tn_str name)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (tn_str_equal(one->name, name))
			return one;
	}
	return NULL;
}

struct tn_import_object *tn_import_object_of(const struct tn_import_reading *reading,
					     const struct tn_hcl_value *value)
{
	const struct tn_str *steps = value->steps;
	char address[512];
	size_t size;

	if (value->kind != TN_HCL_REFERENCE || value->step_count < 2)
		return NULL;
	if (value->step_count > 2 && steps[2].data[0] == '[')
		return NULL;
	size = steps[0].size + 1 + steps[1].size;
	if (size > sizeof(address))
		return NULL;
	memcpy(address, steps[0].data, steps[0].size);
	address[steps[0].size] = '.';
	memcpy(address + steps[0].size + 1, steps[1].data, steps[1].size);
	return tn_map_get(&reading->by_address, tn_str(address, size));
}

struct tn_str tn_import_path(struct tn_arena *arena, const struct tn_hcl_value *value, size_t from)
{
	size_t size = 0;
	char *text;

	for (size_t i = from; i < value->step_count; i++)
		size += value->steps[i].size + 1;
	text = tn_arena_alloc(arena, size + 1);
	if (!text)
		return TN_STR("");
	size = 0;
	for (size_t i = from; i < value->step_count; i++) {
		struct tn_str step = value->steps[i];

		if (i > from && step.data[0] != '[')
			text[size++] = '.';
		memcpy(text + size, step.data, step.size);
		size += step.size;
	}
	return tn_str(text, size);
}

/* ---- resolving ---- */

static const struct tn_hcl_value *resolve(struct tn_import_reading *reading,
					  const struct tn_hcl_value *value, unsigned depth);

struct tn_hcl_value *tn_import_wrap(struct tn_import_reading *reading, const struct tn_json *json)
{
	struct tn_hcl_value *value = make(reading, sizeof(*value)), **tail;

	if (!value)
		return NULL;
	*value = (struct tn_hcl_value){.kind = TN_HCL_CONSTANT, .value = json};
	if (json->type != TN_JSON_ARRAY && json->type != TN_JSON_OBJECT)
		return value;
	tail = &value->items;
	for (const struct tn_json *child = json->first; child; child = child->next) {
		*tail = tn_import_wrap(reading, child);
		if (!*tail)
			return NULL;
		(*tail)->key = child->key;
		tail = &(*tail)->next;
		value->item_count++;
	}
	return value;
}

/* A constant of constants; NULL: one of them is none. */
static const struct tn_hcl_value *fold(struct tn_import_reading *reading,
				       const struct tn_hcl_value *first, enum tn_json_type type)
{
	struct tn_json_maker maker;
	const struct tn_json *json;

	tn_json_maker_begin(&maker, reading->arena, type);
	for (; first; first = first->next) {
		if (first->kind != TN_HCL_CONSTANT)
			return NULL;
		tn_json_maker_put(&maker, first->key, first->value);
	}
	json = tn_json_maker_end(&maker);
	return json ? tn_import_wrap(reading, json) : NULL;
}

static const struct tn_hcl_value *resolve_items(struct tn_import_reading *reading,
						const struct tn_hcl_value *value, unsigned depth)
{
	const struct tn_hcl_value *folded;
	struct tn_hcl_value *copy = make(reading, sizeof(*copy)), **tail;
	bool changed = false;

	if (!copy)
		return value;
	*copy = *value;
	tail = &copy->items;
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		const struct tn_hcl_value *known = resolve(reading, item, depth);

		*tail = make(reading, sizeof(**tail));
		if (!*tail)
			return value;
		**tail = *known;
		(*tail)->key = item->key;
		(*tail)->next = NULL;
		tail = &(*tail)->next;
		changed = changed || known != item;
	}
	if (!changed)
		return value;
	folded = fold(reading, copy->items,
		      value->kind == TN_HCL_LIST ? TN_JSON_ARRAY : TN_JSON_OBJECT);
	return folded ? folded : copy;
}

static bool append_scalar(struct tn_buf *out, const struct tn_hcl_value *value)
{
	const struct tn_json *json = value->kind == TN_HCL_CONSTANT ? value->value : NULL;

	if (!json)
		return false;
	switch (json->type) {
	case TN_JSON_STRING:
	case TN_JSON_NUMBER:
		tn_buf_append_str(out, json->text);
		return true;
	case TN_JSON_TRUE:
		tn_buf_append_text(out, "true");
		return true;
	case TN_JSON_FALSE:
		tn_buf_append_text(out, "false");
		return true;
	default:
		return false;
	}
}

static const struct tn_hcl_value *resolve_text(struct tn_import_reading *reading,
					       const struct tn_hcl_value *value, unsigned depth)
{
	struct tn_hcl_value *made = NULL;
	struct tn_json *json;
	struct tn_buf text;
	bool known = true;

	tn_buf_init(&text, TN_STUDIO_STRING_BYTES_MAX);
	for (const struct tn_hcl_value *item = value->items; item && known; item = item->next)
		known = append_scalar(&text, resolve(reading, item, depth));
	if (known && !text.failed) {
		char *copy = tn_arena_copy(reading->arena, tn_buf_str(&text));

		json = copy ? tn_json_make_str(reading->arena, tn_str(copy, text.size)) : NULL;
		made = json ? tn_import_wrap(reading, json) : NULL;
	}
	tn_buf_finish(&text);
	return made ? made : value;
}

/* merge(a, b): a constant when all are. */
static const struct tn_hcl_value *resolve_merge(struct tn_import_reading *reading,
						const struct tn_hcl_value *value, unsigned depth)
{
	struct tn_json *merged = tn_json_make(reading->arena, TN_JSON_OBJECT);
	struct tn_hcl_value *made;

	for (const struct tn_hcl_value *item = value->items; item && merged; item = item->next) {
		const struct tn_hcl_value *known = resolve(reading, item, depth);

		if (known->kind != TN_HCL_CONSTANT || known->value->type != TN_JSON_OBJECT ||
		    known->value->count > TN_STUDIO_PROPERTIES_MAX)
			return value;
		for (const struct tn_json *one = known->value->first; one && merged;
		     one = one->next)
			merged = tn_json_with(reading->arena, merged, one->key, one);
	}
	made = merged ? tn_import_wrap(reading, merged) : NULL;
	return made ? made : value;
}

static const struct tn_hcl_value *resolve_name(struct tn_import_reading *reading,
					       const struct tn_hcl_value *value, unsigned depth)
{
	const struct tn_hcl_value *known = NULL;
	const struct tn_import_variable *variable;
	const struct tn_import_local *local;

	if (value->step_count < 2)
		return value;
	if (tn_str_is(value->steps[0], "var")) {
		variable = tn_map_get(&reading->variables, value->steps[1]);
		known = variable ? variable->value : NULL;
	} else if (tn_str_is(value->steps[0], "local")) {
		local = tn_map_get(&reading->locals, value->steps[1]);
		known = local ? local->attribute->value : NULL;
	}
	if (known)
		known = resolve(reading, known, depth);
	for (size_t i = 2; known && i < value->step_count; i++) {
		const struct tn_hcl_value *item = known->items;

		while (item && !tn_str_equal(item->key, value->steps[i]))
			item = item->next;
		known = item ? resolve(reading, item, depth) : NULL;
	}
	return known ? known : value;
}

static const struct tn_hcl_value *resolve(struct tn_import_reading *reading,
					  const struct tn_hcl_value *value, unsigned depth)
{
	if (depth >= RESOLVE_DEPTH_MAX || reading->budget == 0)
		return value;
	switch (value->kind) {
	case TN_HCL_REFERENCE:
		return resolve_name(reading, value, depth + 1);
	case TN_HCL_TEMPLATE:
		return resolve_text(reading, value, depth + 1);
	case TN_HCL_LIST:
	case TN_HCL_MAP:
		return resolve_items(reading, value, depth + 1);
	case TN_HCL_CALL:
		if (tn_str_is(value->steps[0], "merge"))
			return resolve_merge(reading, value, depth + 1);
		return value;
	default:
		return value;
	}
}

const struct tn_hcl_value *tn_import_resolve(struct tn_import_reading *reading,
					     const struct tn_hcl_value *value)
{
	return resolve(reading, value, 0);
}

const struct tn_hcl_value *tn_import_named(struct tn_import_reading *reading,
					   const struct tn_hcl_value *value)
{
	for (unsigned depth = 0;
	     depth < RESOLVE_DEPTH_MAX && value->kind == TN_HCL_REFERENCE && value->step_count == 2;
	     depth++) {
		const struct tn_hcl_value *known = NULL;
		const struct tn_import_variable *variable;
		const struct tn_import_local *local;

		if (tn_str_is(value->steps[0], "var")) {
			variable = tn_map_get(&reading->variables, value->steps[1]);
			known = variable ? variable->value : NULL;
		} else if (tn_str_is(value->steps[0], "local")) {
			local = tn_map_get(&reading->locals, value->steps[1]);
			known = local ? local->attribute->value : NULL;
		}
		if (!known)
			return value;
		value = known;
	}
	return value;
}

/* ---- the same ---- */

static bool same_scalar(const struct tn_json *a, const struct tn_json *b)
{
	struct tn_str one = a->text, other = b->text;

	if (tn_json_equal(a, b))
		return true;
	if (a->type == TN_JSON_TRUE || a->type == TN_JSON_FALSE)
		one = a->type == TN_JSON_TRUE ? TN_STR("true") : TN_STR("false");
	else if (a->type != TN_JSON_STRING && a->type != TN_JSON_NUMBER)
		return false;
	if (b->type == TN_JSON_TRUE || b->type == TN_JSON_FALSE)
		other = b->type == TN_JSON_TRUE ? TN_STR("true") : TN_STR("false");
	else if (b->type != TN_JSON_STRING && b->type != TN_JSON_NUMBER)
		return false;
	/* The engine converts "30" and 30, "true" and true into each other. */
	return tn_str_equal(one, other);
}

static bool same_items(struct tn_import_reading *reading, const struct tn_hcl_value *a,
		       const struct tn_hcl_value *b, bool keyed)
{
	const struct tn_hcl_value *one = a->items, *other = b->items;

	if (a->item_count != b->item_count)
		return false;
	for (; one; one = one->next) {
		if (keyed) {
			other = b->items;
			while (other && !tn_str_equal(other->key, one->key))
				other = other->next;
		}
		if (!other || !tn_import_same(reading, one, other))
			return false;
		other = other->next;
	}
	return true;
}

/* The same text but for white space. */
static bool same_text(struct tn_str a, struct tn_str b)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a.size && strchr(" \t\r\n", a.data[i]) && a.data[i])
			i++;
		while (j < b.size && strchr(" \t\r\n", b.data[j]) && b.data[j])
			j++;
		if (i == a.size || j == b.size)
			return i == a.size && j == b.size;
		if (a.data[i++] != b.data[j++])
			return false;
	}
}

static bool is_container(const struct tn_hcl_value *value, bool map)
{
	if (value->kind == TN_HCL_CONSTANT)
		return value->value->type == (map ? TN_JSON_OBJECT : TN_JSON_ARRAY);
	return value->kind == (map ? TN_HCL_MAP : TN_HCL_LIST);
}

static bool same_steps(const struct tn_hcl_value *a, const struct tn_hcl_value *b)
{
	if (a->step_count != b->step_count)
		return false;
	for (size_t i = 0; i < a->step_count; i++) {
		if (!same_text(a->steps[i], b->steps[i]))
			return false;
	}
	return true;
}

bool tn_import_same(struct tn_import_reading *reading, const struct tn_hcl_value *a,
		    const struct tn_hcl_value *b)
{
	a = tn_import_resolve(reading, a);
	b = tn_import_resolve(reading, b);
	if (is_container(a, false) && is_container(b, false))
		return same_items(reading, a, b, false);
	if (is_container(a, true) && is_container(b, true))
		return same_items(reading, a, b, true);
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case TN_HCL_CONSTANT:
		return same_scalar(a->value, b->value);
	case TN_HCL_REFERENCE:
		return same_steps(a, b);
	case TN_HCL_CALL:
		return same_steps(a, b) && same_items(reading, a, b, false);
	case TN_HCL_TEMPLATE:
		return same_items(reading, a, b, false);
	default:
		return same_text(a->text, b->text);
	}
}

/* ---- looking things up by their values ---- */

struct tn_str tn_import_canonical(struct tn_import_reading *reading,
				  const struct tn_hcl_value *value)
{
	struct tn_str path;

	value = tn_import_resolve(reading, value);
	if (value->kind == TN_HCL_CONSTANT && value->value->type == TN_JSON_STRING &&
	    value->value->text.size <= LOOKUP_BYTES_MAX && value->value->text.size > 0)
		return tn_import_format(reading->arena, "s:%.*s", (int)value->value->text.size,
					value->value->text.data);
	if (value->kind != TN_HCL_REFERENCE || value->step_count < 3)
		return TN_STR("");
	path = tn_import_path(reading->arena, value, 0);
	return tn_import_format(reading->arena, "r:%.*s", (int)path.size, path.data);
}
