#include "jsonrpc/json_make.h"

struct tn_json *tn_json_make(struct tn_arena *arena, enum tn_json_type type)
{
	struct tn_json *value = tn_arena_alloc(arena, sizeof(*value));

	if (value)
		value->type = type;
	return value;
}

struct tn_json *tn_json_make_str(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value = tn_json_make(arena, TN_JSON_STRING);

	if (value)
		value->text = text;
	return value;
}

struct tn_json *tn_json_make_int(struct tn_arena *arena, int64_t number)
{
	struct tn_json *value = tn_json_make(arena, TN_JSON_NUMBER);

	if (!value)
		return NULL;
	value->text = tn_str_from(tn_arena_format(arena, "%lld", (long long)number));
	return value->text.data ? value : NULL;
}

struct tn_json *tn_json_make_bool(struct tn_arena *arena, bool value)
{
	return tn_json_make(arena, value ? TN_JSON_TRUE : TN_JSON_FALSE);
}

/* ---- filling ---- */

void tn_json_maker_begin(struct tn_json_maker *maker, struct tn_arena *arena,
			 enum tn_json_type type)
{
	*maker = (struct tn_json_maker){.arena = arena, .value = tn_json_make(arena, type)};
	maker->failed = !maker->value;
}

void tn_json_maker_put(struct tn_json_maker *maker, struct tn_str key, const struct tn_json *value)
{
	struct tn_json *copy;

	if (maker->failed)
		return;
	copy = value ? tn_json_make(maker->arena, value->type) : NULL;
	if (!copy) {
		maker->failed = true;
		return;
	}
	*copy = *value;
	copy->key = key;
	copy->next = NULL;
	if (maker->last)
		maker->last->next = copy;
	else
		maker->value->first = copy;
	maker->last = copy;
	maker->value->count++;
}

void tn_json_maker_add(struct tn_json_maker *maker, const struct tn_json *element)
{
	tn_json_maker_put(maker, tn_str(NULL, 0), element);
}

struct tn_json *tn_json_maker_end(struct tn_json_maker *maker)
{
	return maker->failed ? NULL : maker->value;
}

struct tn_json *tn_json_with(struct tn_arena *arena, const struct tn_json *object,
			     struct tn_str key, const struct tn_json *value)
{
	struct tn_json_maker maker;
	bool done = false;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = object ? object->first : NULL; at; at = at->next) {
		bool same = tn_str_equal(at->key, key);

		if (!same)
			tn_json_maker_put(&maker, at->key, at);
		else if (value && !done)
			tn_json_maker_put(&maker, key, value);
		done = done || same;
	}
	if (value && !done)
		tn_json_maker_put(&maker, key, value);
	return tn_json_maker_end(&maker);
}

/* ---- copying ---- */

struct amount {
	size_t values, bytes;
};

static bool has_text(const struct tn_json *value)
{
	return value->type == TN_JSON_NUMBER || value->type == TN_JSON_STRING;
}

static bool has_children(const struct tn_json *value)
{
	return value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT;
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
static void measure(const struct tn_json *value, bool has_key, struct amount *amount)
{
	amount->values++;
	if (has_key)
		amount->bytes += value->key.size + 1;
	if (has_text(value))
		amount->bytes += value->text.size + 1;
	if (!has_children(value))
		return;
	for (const struct tn_json *at = value->first; at; at = at->next)
		measure(at, value->type == TN_JSON_OBJECT, amount);
}

size_t tn_json_copy_size(const struct tn_json *value)
{
	struct amount amount = {0, 0};

	measure(value, false, &amount);
	return amount.values * sizeof(*value) + amount.bytes;
}

struct room {
	struct tn_json *value;
	char *text;
};

static struct tn_str copy_text(struct room *room, struct tn_str text)
{
	char *copy = room->text;

	if (text.size > 0)
		memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	room->text += text.size + 1;
	return tn_str(copy, text.size);
}

static struct tn_json *copy_into(struct room *room, const struct tn_json *value, bool has_key)
{
	struct tn_json *copy = room->value++, **link;

	*copy = (struct tn_json){.type = value->type, .count = value->count};
	if (has_key)
		copy->key = copy_text(room, value->key);
	if (has_text(value))
		copy->text = copy_text(room, value->text);
	if (!has_children(value))
		return copy;
	link = &copy->first;
	for (const struct tn_json *at = value->first; at; at = at->next) {
		*link = copy_into(room, at, value->type == TN_JSON_OBJECT);
		link = &(*link)->next;
	}
	return copy;
}

struct tn_json *tn_json_copy(struct tn_arena *arena, const struct tn_json *value)
{
	struct amount amount = {0, 0};
	struct room room;

	measure(value, false, &amount);
	room.value = tn_arena_alloc_raw(arena, amount.values * sizeof(*value) + amount.bytes);
	if (!room.value)
		return NULL;
	room.text = (char *)(room.value + amount.values);
	return copy_into(&room, value, false);
}
