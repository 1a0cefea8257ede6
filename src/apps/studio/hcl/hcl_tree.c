/* hcl_tree.c - making bodies and values (hcl_tree.h). */
#include "apps/studio/hcl/hcl_tree.h"

#include "apps/studio/limits.h"

/* A tree with a hole in it would be printed as if it were whole: the arena remembers. */
static void *take(struct tn_arena *arena, size_t size)
{
	void *memory = tn_arena_alloc(arena, size);
	if (!memory)
		arena->starved = true;
	return memory;
}

struct tn_studio_hcl_value *tn_studio_hcl_make(struct tn_arena *arena, enum tn_studio_hcl_kind kind,
					       struct tn_str text)
{
	struct tn_studio_hcl_value *value = take(arena, sizeof(*value));
	if (!value)
		return NULL;
	value->kind = kind;
	value->text = text;
	return value;
}

struct tn_studio_hcl_value *tn_studio_hcl_atom(struct tn_arena *arena, struct tn_str text)
{
	return tn_studio_hcl_make(arena, TN_STUDIO_HCL_ATOM, text);
}

/* What was put into a buffer, as text of the arena. */
static bool keep(struct tn_arena *arena, struct tn_buf *buf, struct tn_str *ret)
{
	char *copy = buf->failed ? NULL : tn_arena_copy(arena, tn_buf_str(buf));
	*ret = tn_str(copy, copy ? buf->size : 0);
	if (!copy)
		arena->starved = true;
	tn_buf_finish(buf);
	return copy != NULL;
}

struct tn_studio_hcl_value *tn_studio_hcl_string(struct tn_arena *arena, struct tn_str text)
{
	struct tn_buf out;
	struct tn_str printed;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_put_hcl_string(&out, text);
	if (!keep(arena, &out, &printed))
		return NULL;
	struct tn_studio_hcl_value *value = tn_studio_hcl_atom(arena, printed);
	if (value)
		value->is_string = true;
	return value;
}

static struct tn_studio_hcl_value *number(struct tn_arena *arena, const struct tn_json *json)
{
	struct tn_buf out;
	struct tn_str printed;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_hcl_put_number(&out, json);
	return keep(arena, &out, &printed) ? tn_studio_hcl_atom(arena, printed) : NULL;
}

static struct tn_studio_hcl_value *composed(struct tn_arena *arena, const struct tn_json *json)
{
	bool object = json->type == TN_JSON_OBJECT;
	struct tn_studio_hcl_value *value = tn_studio_hcl_make(
		arena, object ? TN_STUDIO_HCL_OBJECT : TN_STUDIO_HCL_LIST, tn_str("", 0));
	for (const struct tn_json *one = json->first; value && one; one = one->next) {
		struct tn_studio_hcl_value *item = tn_studio_hcl_literal(arena, one);
		if (object)
			tn_studio_hcl_entry(arena, value, one->key, item);
		else
			tn_studio_hcl_add(value, item);
	}
	return value;
}

struct tn_studio_hcl_value *tn_studio_hcl_literal(struct tn_arena *arena,
						  const struct tn_json *value)
{
	switch (value ? value->type : TN_JSON_NULL) {
	case TN_JSON_NULL:
		return tn_studio_hcl_atom(arena, TN_STR("null"));
	case TN_JSON_FALSE:
		return tn_studio_hcl_atom(arena, TN_STR("false"));
	case TN_JSON_TRUE:
		return tn_studio_hcl_atom(arena, TN_STR("true"));
	case TN_JSON_NUMBER:
		return number(arena, value);
	case TN_JSON_STRING:
		return tn_studio_hcl_string(arena, value->text);
	case TN_JSON_ARRAY:
	case TN_JSON_OBJECT:
		return composed(arena, value);
	}
	return NULL;
}

void tn_studio_hcl_add(struct tn_studio_hcl_value *parent, struct tn_studio_hcl_value *item)
{
	if (!item)
		return;
	if (parent->last)
		parent->last->next = item;
	else
		parent->first = item;
	parent->last = item;
}

void tn_studio_hcl_entry(struct tn_arena *arena, struct tn_studio_hcl_value *object,
			 struct tn_str key, struct tn_studio_hcl_value *value)
{
	struct tn_buf out;
	if (!value)
		return;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_hcl_put_key(&out, key);
	if (!keep(arena, &out, &value->key))
		return;
	tn_studio_hcl_add(object, value);
}

bool tn_studio_hcl_has(const struct tn_studio_hcl_value *object, struct tn_str key)
{
	for (const struct tn_studio_hcl_value *one = object->first; one; one = one->next) {
		if (tn_str_equal(one->key, key))
			return true;
	}
	return false;
}

static struct tn_studio_hcl_item *add_item(struct tn_arena *arena, struct tn_studio_hcl_body *body,
					   struct tn_str name)
{
	struct tn_studio_hcl_item *item = take(arena, sizeof(*item));
	if (!item)
		return NULL;
	item->name = name;
	if (body->last)
		body->last->next = item;
	else
		body->first = item;
	body->last = item;
	return item;
}

struct tn_studio_hcl_item *tn_studio_hcl_define(struct tn_arena *arena,
						struct tn_studio_hcl_body *body, struct tn_str name,
						struct tn_studio_hcl_value *value)
{
	struct tn_studio_hcl_item *item = value ? add_item(arena, body, name) : NULL;
	if (item)
		item->value = value;
	return item;
}

struct tn_studio_hcl_item *tn_studio_hcl_attribute(struct tn_arena *arena,
						   struct tn_studio_hcl_body *body,
						   struct tn_str name,
						   struct tn_studio_hcl_value *value)
{
	if (!value || !tn_studio_hcl_is_identifier(name))
		return NULL;
	for (const struct tn_studio_hcl_item *one = body->first; one; one = one->next) {
		if (one->value && tn_str_equal(one->name, name))
			return NULL;
	}
	return tn_studio_hcl_define(arena, body, name, value);
}

struct tn_studio_hcl_item *tn_studio_hcl_nested(struct tn_arena *arena,
						struct tn_studio_hcl_body *body, struct tn_str name)
{
	return tn_studio_hcl_is_identifier(name) ? add_item(arena, body, name) : NULL;
}

void tn_studio_hcl_comment(struct tn_arena *arena, struct tn_studio_hcl_body *body,
			   struct tn_str text)
{
	struct tn_studio_hcl_item *item = add_item(arena, body, text);
	if (item)
		item->comment = true;
}
