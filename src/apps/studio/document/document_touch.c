/* document_touch.c - what a change of the diagram touches, as numbers (oplog.h, `touch`).
 *
 * A part is a text: "node", an id, and the way to a member. Changing a member touches it as a whole
 * and its node in part; adding or removing a node touches it as a whole; whatever names a node (a
 * child, a reference, an edge) touches that in part. So two changes meet that have changed the same
 * member, or one of them what the other one stands on. */
#include "apps/studio/document/document.h"
#include "apps/studio/document/merge.h"
#include "base/arena.h"

#include "apps/studio/limits.h"

enum { PART, WHOLE };

static const uint64_t seed = 1469598103934665603u;

static uint64_t add(uint64_t hash, struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 1099511628211u;
	return (hash ^ 0x1ffu) * 1099511628211u;
}

static uint64_t key_of(const char *kind, struct tn_str id)
{
	return add(add(seed, tn_str_from(kind)), id);
}

static void put(struct tn_buf *out, uint64_t key, int how)
{
	key = (key << 1) | (unsigned)how;
	tn_buf_append(out, &key, sizeof(key));
}

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* ---- what a value names ---- */

static void put_named(struct tn_buf *out, const struct tn_json *value)
{
	struct tn_str id;

	if (tn_json_to_str(value, &id)) {
		put(out, key_of("node", id), PART);
	} else if (tn_json_is(value, TN_JSON_ARRAY) || tn_json_is(value, TN_JSON_OBJECT)) {
		for (const struct tn_json *at = value->first; at; at = at->next) {
			if (tn_json_to_str(at, &id))
				put(out, key_of("node", id), PART);
		}
	}
}

static void put_uses(struct tn_buf *out, const struct tn_json *node)
{
	const struct tn_json *references = tn_json_get(node, "references");

	put_named(out, tn_json_get(node, "parentId"));
	for (const struct tn_json *at = tn_json_is(references, TN_JSON_OBJECT) ? references->first
									       : NULL;
	     at; at = at->next)
		put_named(out, at);
}

/* ---- members ---- */

struct differ {
	struct tn_buf *out;
	bool of_node;
};

static void put_member(struct differ *differ, uint64_t path, const struct tn_json *before,
		       const struct tn_json *after)
{
	put(differ->out, path, WHOLE);
	if (!differ->of_node)
		return;
	put_named(differ->out, before); /* an id or not: what it names nobody has */
	put_named(differ->out, after);
}

static void put_differences(struct differ *differ, uint64_t path, const struct tn_json *before,
			    const struct tn_json *after, unsigned depth);

static void put_difference(struct differ *differ, uint64_t path, struct tn_str key,
			   const struct tn_json *before, const struct tn_json *after,
			   unsigned depth)
{
	if (before && after && tn_json_equal(before, after))
		return;
	path = add(path, key);
	if (tn_studio_merge_descends(key, before, after, depth))
		put_differences(differ, path, before, after, depth - 1);
	else
		put_member(differ, path, before, after);
}

static void put_differences(struct differ *differ, uint64_t path, const struct tn_json *before,
			    const struct tn_json *after, unsigned depth)
{
	const struct tn_json *at;

	for (at = tn_json_is(before, TN_JSON_OBJECT) ? before->first : NULL; at; at = at->next)
		put_difference(differ, path, at->key, at, tn_json_get_str(after, at->key), depth);
	for (at = tn_json_is(after, TN_JSON_OBJECT) ? after->first : NULL; at; at = at->next) {
		if (!tn_json_get_str(before, at->key))
			put_difference(differ, path, at->key, NULL, at, depth);
	}
}

/* ---- operations ---- */

static uint64_t name_key(const struct tn_json *node)
{
	return add(key_of("name", text_of(node, "typeId")), text_of(node, "terraformName"));
}

static uint64_t own_key(const struct tn_json *node)
{
	const char *key = tn_json_get(node, TN_STUDIO_OWN) ? TN_STUDIO_OWN : "terraformName";

	return key_of("own", text_of(node, key));
}

/* Two changes meet that give a name to two nodes, or one that the other takes away. */
static void put_names(struct tn_buf *out, const struct tn_json *before, const struct tn_json *after)
{
	if (before && after && name_key(before) == name_key(after) &&
	    own_key(before) == own_key(after))
		return;
	for (int i = 0; i < 2; i++) {
		const struct tn_json *node = i == 0 ? before : after;

		if (!node)
			continue;
		put(out, name_key(node), WHOLE);
		put(out, own_key(node), WHOLE);
	}
}

static void touch_node(struct tn_buf *out, const struct tn_json *before,
		       const struct tn_json *after)
{
	const struct tn_json *node = before ? before : after;
	uint64_t path = key_of("node", text_of(node, "id"));
	struct differ differ = {out, true};

	put_names(out, before, after);
	if (before && after) {
		put(out, path, PART);
		put_differences(&differ, path, before, after, TN_STUDIO_MERGE_DEPTH);
		return;
	}
	put(out, path, WHOLE);
	put_uses(out, node);
}

static void touch_edge(struct tn_buf *out, const struct tn_json *edge)
{
	if (!edge)
		return;
	put(out, key_of("edge", text_of(edge, "id")), WHOLE);
	put(out, key_of("node", text_of(edge, "source")), PART);
	put(out, key_of("node", text_of(edge, "target")), PART);
}

/* Sizes are not told: containers grow with what they hold. */
static void touch_places(struct tn_buf *out, const struct tn_json *forth,
			 const struct tn_json *back)
{
	const struct tn_json *from = tn_json_get(back, "nodes"), *to = tn_json_get(forth, "nodes");

	from = tn_json_is(from, TN_JSON_ARRAY) ? from->first : NULL;
	to = tn_json_is(to, TN_JSON_ARRAY) ? to->first : NULL;
	for (; from && to; from = from->next, to = to->next) {
		uint64_t path = key_of("node", text_of(to, "id"));
		int64_t x = 0, y = 0, old_x = 0, old_y = 0;
		bool has = tn_studio_merge_position(to, &x, &y);

		put(out, path, PART);
		if (has != tn_studio_merge_position(from, &old_x, &old_y) || x != old_x ||
		    y != old_y)
			put(out, add(path, TN_STR("position")), WHOLE);
	}
}

static void touch_rest(struct tn_buf *out, struct tn_str op, const struct tn_json *forth,
		       const struct tn_json *back)
{
	struct differ differ = {out, false};

	if (tn_str_is(op, "setConfig")) {
		put_differences(&differ, key_of("config", TN_STR("")), tn_json_get(back, "config"),
				tn_json_get(forth, "config"), TN_STUDIO_MERGE_DEPTH);
	} else if (tn_str_is(op, "setUsage")) {
		put(out, key_of("usage", text_of(forth, "id")), WHOLE);
		put(out, key_of("node", text_of(forth, "id")), PART);
	} else if (tn_str_is(op, "setBudget")) {
		put(out, key_of("budget", TN_STR("")), WHOLE);
	} else if (tn_str_is(op, "setPart")) {
		put(out, key_of("part", text_of(forth, "key")), WHOLE);
	} else { /* replace, and what is not known: everything */
		put(out, key_of("all", TN_STR("")), WHOLE);
	}
}

static void touch_one(struct tn_buf *out, const struct tn_json *forth, const struct tn_json *back)
{
	struct tn_str op = text_of(forth, "op");

	if (tn_str_is(op, "putNode") || tn_str_is(op, "removeNode")) {
		touch_node(out, tn_json_get(back, "node"), tn_json_get(forth, "node"));
	} else if (tn_str_is(op, "putEdge") || tn_str_is(op, "removeEdge")) {
		touch_edge(out, tn_json_get(back, "edge"));
		touch_edge(out, tn_json_get(forth, "edge"));
	} else if (tn_str_is(op, "place")) {
		touch_places(out, forth, back);
	} else {
		touch_rest(out, op, forth, back);
	}
}

void tn_studio_document_touch(const struct tn_json *forth, const struct tn_json *back,
			      struct tn_buf *out)
{
	struct tn_studio_pairs pairs;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_STUDIO_NODE_ARENA_MAX);
	put(out, key_of("all", TN_STR("")), PART);
	if (tn_studio_pairs_make(forth, back, &arena, &pairs)) {
		for (size_t i = 0; i < pairs.count; i++)
			touch_one(out, pairs.forth[i], pairs.back[i]);
	} else {
		put(out, key_of("all", TN_STR("")), WHOLE);
	}
	tn_arena_finish(&arena);
}
