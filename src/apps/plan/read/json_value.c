#include "apps/plan/read/json_value.h"

#include "jsonrpc/limits.h"

static bool opens(enum tn_json_token token)
{
	return token == TN_JSON_TOKEN_OBJECT || token == TN_JSON_TOKEN_ARRAY;
}

bool tn_plan_json_pass(struct tn_json_reader *reader, enum tn_json_token token)
{
	uint32_t depth = reader->depth;

	if (!opens(token))
		return token != TN_JSON_TOKEN_ERROR && token != TN_JSON_TOKEN_END;
	while (reader->depth >= depth) {
		token = tn_json_next(reader);
		if (token == TN_JSON_TOKEN_ERROR || token == TN_JSON_TOKEN_END)
			return false;
	}
	return true;
}

/* ---- building ---- */

struct level {
	struct tn_json *container;
	struct tn_json *last; /* its newest child */
};

struct builder {
	struct tn_arena *arena;
	struct level levels[TN_JSON_DEPTH_MAX + 1];
	uint32_t depth;
	struct tn_json *root;
	struct tn_str key;
	bool short_of_memory;
};

static enum tn_json_type type_of(enum tn_json_token token)
{
	switch (token) {
	case TN_JSON_TOKEN_OBJECT:
		return TN_JSON_OBJECT;
	case TN_JSON_TOKEN_ARRAY:
		return TN_JSON_ARRAY;
	case TN_JSON_TOKEN_STRING:
		return TN_JSON_STRING;
	case TN_JSON_TOKEN_NUMBER:
		return TN_JSON_NUMBER;
	case TN_JSON_TOKEN_TRUE:
		return TN_JSON_TRUE;
	case TN_JSON_TOKEN_FALSE:
		return TN_JSON_FALSE;
	default:
		return TN_JSON_NULL;
	}
}

static struct tn_json *add_node(struct builder *b, enum tn_json_token token, struct tn_str text)
{
	struct tn_json *node = tn_arena_alloc_raw(b->arena, sizeof(*node));

	if (!node) {
		b->short_of_memory = true;
		return NULL;
	}
	*node = (struct tn_json){.type = type_of(token), .key = b->key};
	if (token == TN_JSON_TOKEN_STRING || token == TN_JSON_TOKEN_NUMBER)
		node->text = text;
	if (b->depth == 0) {
		b->root = node;
		return node;
	}
	if (b->levels[b->depth - 1].last)
		b->levels[b->depth - 1].last->next = node;
	else
		b->levels[b->depth - 1].container->first = node;
	b->levels[b->depth - 1].last = node;
	b->levels[b->depth - 1].container->count++;
	return node;
}

/* Takes one token. False: no memory. */
static bool take(struct builder *b, enum tn_json_token token, struct tn_str text)
{
	struct tn_json *node;

	switch (token) {
	case TN_JSON_TOKEN_KEY:
		b->key = text;
		return true;
	case TN_JSON_TOKEN_OBJECT_END:
	case TN_JSON_TOKEN_ARRAY_END:
		b->depth--;
		return true;
	default:
		break;
	}
	node = add_node(b, token, text);
	b->key = (struct tn_str){NULL, 0};
	if (node && opens(token))
		b->levels[b->depth++] = (struct level){node, NULL};
	return node != NULL;
}

bool tn_plan_json_value(struct tn_json_reader *reader, enum tn_json_token token,
			struct tn_arena *arena, struct tn_json **ret)
{
	struct builder b = {.arena = arena};
	uint32_t outside = reader->depth - (opens(token) ? 1 : 0);

	*ret = NULL;
	for (;;) {
		if (token == TN_JSON_TOKEN_ERROR || token == TN_JSON_TOKEN_END)
			return false;
		if (!b.short_of_memory && !take(&b, token, reader->text))
			b.short_of_memory = true;
		if (reader->depth == outside)
			break;
		token = tn_json_next(reader);
	}
	*ret = b.short_of_memory ? NULL : b.root;
	return true;
}

/* ---- order ---- */

static bool is_sorted(const struct tn_json *object)
{
	for (const struct tn_json *m = object->first; m && m->next; m = m->next) {
		if (tn_str_compare(m->key, m->next->key) > 0)
			return false;
	}
	return true;
}

/* Merges two sorted runs; of equal keys the one of `a` stands first. */
static struct tn_json *merge(struct tn_json *a, struct tn_json *b)
{
	struct tn_json head = {.next = NULL}, *last = &head;

	while (a && b) {
		struct tn_json **smaller = tn_str_compare(a->key, b->key) <= 0 ? &a : &b;

		last->next = *smaller;
		last = *smaller;
		*smaller = (*smaller)->next;
	}
	last->next = a ? a : b;
	return head.next;
}

void tn_plan_json_sort(struct tn_json *object)
{
	struct tn_json *runs[32] = {NULL}; /* runs[i] holds 2^i members, older than those below */
	struct tn_json *rest;
	size_t i;

	if (object->type != TN_JSON_OBJECT || is_sorted(object))
		return;
	for (struct tn_json *next = object->first; next;) {
		struct tn_json *run = next;

		next = next->next;
		run->next = NULL;
		for (i = 0; i < 31 && runs[i]; i++) {
			run = merge(runs[i], run);
			runs[i] = NULL;
		}
		runs[i] = runs[i] ? merge(runs[i], run) : run;
	}
	rest = NULL;
	for (i = 0; i < 32; i++)
		rest = runs[i] ? merge(runs[i], rest) : rest;
	object->first = rest;
}
