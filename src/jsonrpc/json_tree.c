#include "jsonrpc/json.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/limits.h"

/* ---- building ---- */

struct level {
	struct tn_json *container;
	struct tn_json **tail; /* where the next child is linked */
};

struct builder {
	struct tn_arena *arena;
	struct tn_json_reader reader;
	struct level levels[TN_JSON_DEPTH_MAX];
	struct tn_json *root;
	struct tn_str key;
};

/* An object of many members gets a hash table of its keys while duplicates are looked for; a small
 * one is compared pair by pair, which is faster. */
enum { PAIRWISE_MAX = 12 };
enum { LOOKUP_MAX = 32 }; /* members compared by looking each one up */

static void drop_member(struct tn_json *object, const struct tn_json *member)
{
	struct tn_json **link = &object->first;

	while (*link != member)
		link = &(*link)->next;
	*link = member->next;
	object->count--;
}

static void dedupe_pairwise(struct tn_json *object)
{
	for (struct tn_json *a = object->first; a;) {
		struct tn_json *next = a->next;

		for (const struct tn_json *b = next; b; b = b->next) {
			if (tn_str_equal(a->key, b->key)) {
				drop_member(object, a);
				break;
			}
		}
		a = next;
	}
}

/* Slots remember the link that points at the member, so that removing it is one write; the link
 * of a removed member's successor moves along. */
static bool dedupe_hashed(struct tn_arena *arena, struct tn_json *object)
{
	size_t capacity = 32;
	struct tn_json **slots;
	uint64_t seed = tn_rng_u64();
	bool found = false;

	while (capacity < (size_t)object->count * 2)
		capacity *= 2;
	slots = tn_arena_alloc_array(arena, capacity, sizeof(*slots));
	if (!slots)
		return false;
	for (struct tn_json *m = object->first; m; m = m->next) {
		size_t i = (size_t)tn_str_hash(m->key, seed) & (capacity - 1);

		while (slots[i] && !tn_str_equal(slots[i]->key, m->key))
			i = (i + 1) & (capacity - 1);
		if (slots[i]) {
			slots[i]->count = UINT32_MAX; /* marks the loser; swept below */
			found = true;
		}
		slots[i] = m;
	}
	for (struct tn_json **link = &object->first; found && *link;) {
		if ((*link)->count == UINT32_MAX) {
			*link = (*link)->next;
			object->count--;
		} else {
			link = &(*link)->next;
		}
	}
	return true;
}

/* The arena is full: of its own limit, or because the system has no more. */
static enum tenon_code out_of_room(const struct tn_arena *arena, struct tenon_error *err)
{
	return tn_fail(err, arena->starved ? TENON_NO_MEMORY : TENON_LIMIT,
		       "the message needs too much memory");
}

static enum tenon_code close_object(struct builder *b, struct tn_json *object,
				    struct tenon_error *err)
{
	if (object->count > TN_JSON_MEMBERS_MAX)
		return tn_fail(err, TENON_LIMIT, "an object with more than %d members",
			       TN_JSON_MEMBERS_MAX);
	if (object->count <= PAIRWISE_MAX) {
		dedupe_pairwise(object);
		return TENON_OK;
	}
	return dedupe_hashed(b->arena, object) ? TENON_OK : out_of_room(b->arena, err);
}

static struct tn_json *add_node(struct builder *b, enum tn_json_type type, uint32_t depth)
{
	struct tn_json *node = tn_arena_alloc_raw(b->arena, sizeof(*node));

	if (!node)
		return NULL;
	*node = (struct tn_json){.type = type, .key = b->key};
	b->key = (struct tn_str){NULL, 0};
	if (depth == 0) {
		b->root = node;
	} else {
		struct level *level = &b->levels[depth - 1];

		*level->tail = node;
		level->tail = &node->next;
		level->container->count++;
	}
	return node;
}

static bool add_container(struct builder *b, enum tn_json_type type)
{
	uint32_t depth = b->reader.depth - 1; /* the reader has entered it already */
	struct tn_json *node = add_node(b, type, depth);

	if (!node)
		return false;
	b->levels[depth] = (struct level){node, &node->first};
	return true;
}

static bool add_scalar(struct builder *b, enum tn_json_token token)
{
	static const enum tn_json_type types[] = {
		[TN_JSON_TOKEN_STRING] = TN_JSON_STRING, [TN_JSON_TOKEN_NUMBER] = TN_JSON_NUMBER,
		[TN_JSON_TOKEN_TRUE] = TN_JSON_TRUE,     [TN_JSON_TOKEN_FALSE] = TN_JSON_FALSE,
		[TN_JSON_TOKEN_NULL] = TN_JSON_NULL,
	};
	struct tn_json *node = add_node(b, types[token], b->reader.depth);

	if (!node)
		return false;
	if (token == TN_JSON_TOKEN_STRING || token == TN_JSON_TOKEN_NUMBER)
		node->text = b->reader.text;
	return true;
}

static enum tenon_code build_step(struct builder *b, enum tn_json_token token,
				  struct tenon_error *err)
{
	bool fits = true;

	switch (token) {
	case TN_JSON_TOKEN_KEY:
		b->key = b->reader.text;
		break;
	case TN_JSON_TOKEN_OBJECT:
		fits = add_container(b, TN_JSON_OBJECT);
		break;
	case TN_JSON_TOKEN_ARRAY:
		fits = add_container(b, TN_JSON_ARRAY);
		break;
	case TN_JSON_TOKEN_OBJECT_END:
		return close_object(b, b->levels[b->reader.depth].container, err);
	case TN_JSON_TOKEN_ARRAY_END:
		break;
	default:
		fits = add_scalar(b, token);
	}
	return fits ? TENON_OK : out_of_room(b->arena, err);
}

enum tenon_code tn_json_parse(struct tn_arena *arena, char *text, size_t size, struct tn_json **ret,
			      struct tenon_error *err)
{
	struct builder b; /* not zeroed: 2 KiB of levels are written before they are read */

	b.arena = arena;
	b.root = NULL;
	b.key = (struct tn_str){NULL, 0};
	tn_json_reader_init(&b.reader, text, size, TN_JSON_DEPTH_MAX);
	for (;;) {
		enum tn_json_token token = tn_json_next(&b.reader);
		enum tenon_code code;

		if (token == TN_JSON_TOKEN_ERROR)
			return tn_json_reader_fail(&b.reader, err);
		if (token == TN_JSON_TOKEN_END)
			break;
		code = build_step(&b, token, err);
		if (code != TENON_OK)
			return code;
	}
	*ret = b.root;
	return TENON_OK;
}

enum tenon_code tn_json_parse_copy(struct tn_arena *arena, struct tn_str text, struct tn_json **ret,
				   struct tenon_error *err)
{
	char *copy = tn_arena_copy(arena, text);

	if (!copy)
		return out_of_room(arena, err);
	return tn_json_parse(arena, copy, text.size, ret, err);
}

/* ---- looking ---- */

const struct tn_json *tn_json_get_str(const struct tn_json *object, struct tn_str key)
{
	if (!tn_json_is(object, TN_JSON_OBJECT))
		return NULL;
	for (const struct tn_json *m = object->first; m; m = m->next) {
		if (tn_str_equal(m->key, key))
			return m;
	}
	return NULL;
}

const struct tn_json *tn_json_get(const struct tn_json *object, const char *key)
{
	return tn_json_get_str(object, tn_str_from(key));
}

bool tn_json_to_str(const struct tn_json *value, struct tn_str *ret)
{
	if (!tn_json_is(value, TN_JSON_STRING))
		return false;
	*ret = value->text;
	return true;
}

bool tn_json_to_bool(const struct tn_json *value, bool *ret)
{
	if (!tn_json_is(value, TN_JSON_TRUE) && !tn_json_is(value, TN_JSON_FALSE))
		return false;
	*ret = value->type == TN_JSON_TRUE;
	return true;
}

/* ---- equality ---- */

static int by_key(const void *a, const void *b)
{
	const struct tn_json *const *x = a, *const *y = b;

	return tn_str_compare((*x)->key, (*y)->key);
}

static void collect_sorted(const struct tn_json *object, const struct tn_json **out)
{
	size_t at = 0;

	for (const struct tn_json *m = object->first; m; m = m->next)
		out[at++] = m;
	qsort(out, at, sizeof(const struct tn_json *), by_key);
}

/* Large objects are compared in key order: looking each member up would be quadratic, and a peer
 * may send 100,000 of them. False: no memory. */
static bool compare_sorted(const struct tn_json *a, const struct tn_json *b, bool *ret_equal)
{
	const struct tn_json **members = tn_mem_alloc_array(a->count, 2 * sizeof(*members));
	const struct tn_json **others = members ? members + a->count : NULL;
	bool equal = true;

	if (!members)
		return false;
	collect_sorted(a, members);
	collect_sorted(b, others);
	for (size_t i = 0; equal && i < a->count; i++)
		equal = tn_str_equal(members[i]->key, others[i]->key) &&
			tn_json_equal(members[i], others[i]);
	tn_mem_free(members);
	*ret_equal = equal;
	return true;
}

/* Both have the same number of members, and neither has a key twice. */
static bool objects_equal(const struct tn_json *a, const struct tn_json *b)
{
	bool equal;

	if (a->count > LOOKUP_MAX && compare_sorted(a, b, &equal))
		return equal;
	for (const struct tn_json *m = a->first; m; m = m->next) {
		const struct tn_json *other = tn_json_get_str(b, m->key);

		if (!other || !tn_json_equal(m, other))
			return false;
	}
	return true;
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
bool tn_json_equal(const struct tn_json *a, const struct tn_json *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case TN_JSON_STRING:
		return tn_str_equal(a->text, b->text);
	case TN_JSON_NUMBER:
		return tn_json_number_compare(a->text, b->text) == 0;
	case TN_JSON_OBJECT:
		return a->count == b->count && objects_equal(a, b);
	case TN_JSON_ARRAY:
		if (a->count != b->count)
			return false;
		for (a = a->first, b = b->first; a; a = a->next, b = b->next) {
			if (!tn_json_equal(a, b))
				return false;
		}
		return true;
	default:
		return true;
	}
}

const char *tn_json_type_name(const struct tn_json *value)
{
	static const char *const names[] = {
		[TN_JSON_NULL] = "null",     [TN_JSON_FALSE] = "boolean",
		[TN_JSON_TRUE] = "boolean",  [TN_JSON_NUMBER] = "number",
		[TN_JSON_STRING] = "string", [TN_JSON_ARRAY] = "array",
		[TN_JSON_OBJECT] = "object",
	};

	if (!value)
		return "nothing";
	return tn_json_is_integer(value) ? "integer" : names[value->type];
}
