#include "apps/studio/document/merge.h"

#include "jsonrpc/json_make.h"

bool tn_studio_pairs_make(const struct tn_json *forth, const struct tn_json *back,
			  struct tn_arena *arena, struct tn_studio_pairs *ret)
{
	size_t count = back ? back->count : 0, i = 0;

	*ret = (struct tn_studio_pairs){.count = count};
	if (!tn_json_is(forth, TN_JSON_ARRAY) || forth->count != count)
		return false;
	ret->forth = tn_arena_alloc_array(arena, count + 1, sizeof(*ret->forth));
	ret->back = tn_arena_alloc_array(arena, count + 1, sizeof(*ret->back));
	if (!ret->forth || !ret->back)
		return false;
	for (const struct tn_json *at = back->first; at; at = at->next)
		ret->back[i++] = at;
	for (const struct tn_json *at = forth->first; at; at = at->next)
		ret->forth[--i] = at;
	return true;
}

static bool is_absent(const struct tn_json *value)
{
	return !value || value->type == TN_JSON_NULL;
}

static bool is_object(const struct tn_json *value)
{
	return tn_json_is(value, TN_JSON_OBJECT);
}

bool tn_studio_merge_descends(struct tn_str key, const struct tn_json *a, const struct tn_json *b,
			      unsigned depth)
{
	return depth > 0 && (is_object(a) || is_object(b)) && (is_object(a) || is_absent(a)) &&
	       (is_object(b) || is_absent(b)) && !tn_str_is(key, "position") &&
	       !tn_str_is(key, "size");
}

static bool equal(const struct tn_json *a, const struct tn_json *b)
{
	if (is_absent(a) || is_absent(b))
		return is_absent(a) && is_absent(b);
	return tn_json_equal(a, b);
}

bool tn_studio_merge_position(const struct tn_json *entry, int64_t *x, int64_t *y)
{
	const struct tn_json *at = tn_json_get(entry, "position");

	at = at ? at : entry;
	return tn_json_to_int(tn_json_get(at, "x"), x) && tn_json_to_int(tn_json_get(at, "y"), y);
}

struct level { /* of three objects */
	struct tn_studio_merge *merge;
	const struct tn_json *before, *after, *now;
	unsigned depth;
};

static void take_member(struct level *level, struct tn_str key)
{
	struct tn_studio_merge *merge = level->merge;
	const struct tn_json *before = tn_json_get_str(level->before, key);
	const struct tn_json *after = tn_json_get_str(level->after, key);
	const struct tn_json *now = tn_json_get_str(level->now, key), *made = before;

	if (equal(before, after) || merge->failed)
		return;
	if (tn_studio_merge_descends(key, before, after, level->depth) &&
	    (is_object(now) || is_absent(now)))
		made = tn_studio_merge_back(merge, before, after, now, level->depth - 1);
	else if (!equal(now, after) && !tn_str_is(key, "size"))
		merge->conflict = true;
	if (is_absent(made) && is_absent(now))
		return;
	level->now = tn_json_with(merge->arena, level->now, key, is_absent(made) ? NULL : made);
	merge->failed = merge->failed || !level->now;
}

static const struct tn_json *first_of(const struct tn_json *object)
{
	return is_object(object) ? object->first : NULL;
}

const struct tn_json *tn_studio_merge_back(struct tn_studio_merge *merge,
					   const struct tn_json *before,
					   const struct tn_json *after, const struct tn_json *now,
					   unsigned depth)
{
	struct level level = {merge, before, after, now, depth};

	if (equal(now, after))
		return before;
	for (const struct tn_json *at = first_of(before); at; at = at->next)
		take_member(&level, at->key);
	for (const struct tn_json *at = first_of(after); at; at = at->next) {
		if (!tn_json_get_str(before, at->key))
			take_member(&level, at->key);
	}
	if (is_absent(before) && is_object(level.now) && level.now->count == 0)
		return NULL;
	return level.now;
}
