/* jsonc_fuzz.c - any text, any path: what is set is there and nothing else has changed; what is
 * removed is gone and nothing else; a member that was added to others and removed again leaves no
 * trace.
 *
 * The input: a line of one to three keys separated by dots, then the text. */
#include <stdint.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "jsonrpc/jsonc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KEYS_MAX = 3 };
#define VALUE "{\"fuzz\":[1,{\"x\":\"y\"}]}"

static struct tn_jsonc_path path_of(struct tn_str line, struct tn_str keys[KEYS_MAX])
{
	struct tn_jsonc_path path = {.keys = keys, .count = 0};

	do {
		size_t end = tn_str_find_byte(line, '.');

		keys[path.count++] = tn_str(line.data, end == TN_STR_NONE ? line.size : end);
		line = tn_str_from_offset(line, end == TN_STR_NONE ? line.size : end + 1);
	} while (line.size && path.count < KEYS_MAX);
	return path;
}

/* Equal but for the member at path.keys[at...], which `a` may lack. An object that only one side
 * has must be empty. */
static bool is_equal_but(const struct tn_json *a, const struct tn_json *b,
			 struct tn_jsonc_path path, size_t at)
{
	size_t count = 0;

	if (a->type != TN_JSON_OBJECT || b->type != TN_JSON_OBJECT)
		return false;
	for (const struct tn_json *m = b->first; m; m = m->next) {
		const struct tn_json *other = tn_json_get_str(a, m->key);

		if (tn_str_equal(m->key, path.keys[at])) {
			if (at + 1 < path.count && other && !is_equal_but(other, m, path, at + 1))
				return false;
			count += other != NULL;
			continue;
		}
		if (!other || !tn_json_equal(m, other))
			return false;
		count++;
	}
	/* What is in `a` only can be the member itself. */
	return count == a->count ||
	       (count + 1 == a->count && tn_json_get_str(a, path.keys[at]) && at + 1 == path.count);
}

static const struct tn_json *follow(const struct tn_json *root, struct tn_jsonc_path path)
{
	for (size_t i = 0; i < path.count && root; i++)
		root = tn_json_get_str(root, path.keys[i]);
	return root;
}

static struct tn_json *parse(struct tn_arena *arena, const struct tn_buf *text)
{
	struct tn_json *root = NULL;
	struct tenon_error err;

	tn_assert(tn_jsonc_parse(arena, tn_buf_str(text), &root, NULL, &err) == TENON_OK);
	return root;
}

static size_t siblings(const struct tn_json *root, struct tn_jsonc_path path)
{
	for (size_t i = 0; i + 1 < path.count && root; i++)
		root = tn_json_get_str(root, path.keys[i]);
	return root ? root->count : 0;
}

static void change(struct tn_arena *arena, struct tn_str text, struct tn_jsonc_path path,
		   const struct tn_json *before)
{
	const struct tn_json *old = follow(before, path);
	struct tn_buf set, removed, again;
	struct tn_json *after, *value;
	struct tenon_error err;
	enum tenon_code code;

	tn_buf_init(&set, text.size * 4 + TN_MIB);
	tn_buf_init(&removed, set.limit);
	tn_buf_init(&again, set.limit);
	code = tn_jsonc_set(text, path, TN_STR(VALUE), &set, &err);
	tn_assert(code == TENON_OK || code == TENON_INVALID || code == TENON_LIMIT);
	if (code == TENON_OK) {
		after = parse(arena, &set);
		tn_assert(tn_json_parse_copy(arena, TN_STR(VALUE), &value, &err) == TENON_OK);
		tn_assert(tn_json_equal(follow(after, path), value));
		tn_assert(is_equal_but(before, after, path, 0));
		tn_assert(tn_jsonc_set(tn_buf_str(&set), path, TN_STR(VALUE), &again, &err) ==
			  TENON_OK);
		tn_assert(tn_str_equal(tn_buf_str(&again), tn_buf_str(&set)));
		tn_assert(tn_jsonc_remove(tn_buf_str(&set), path, &removed, &err) == TENON_OK);
		after = parse(arena, &removed);
		tn_assert(!follow(after, path) && is_equal_but(before, after, path, 0));
		if (!old && siblings(before, path))
			tn_assert(tn_str_equal(tn_buf_str(&removed), text));
		tn_buf_clear(&removed);
	}
	code = tn_jsonc_remove(text, path, &removed, &err);
	tn_assert(code != TENON_OK || old);
	if (code == TENON_OK) {
		after = parse(arena, &removed);
		tn_assert(!follow(after, path) && is_equal_but(before, after, path, 0));
	}
	tn_buf_finish(&set);
	tn_buf_finish(&removed);
	tn_buf_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = tn_str((const char *)data, size), keys[KEYS_MAX];
	size_t line = tn_str_find_byte(text, '\n');
	struct tn_json *root = NULL;
	struct tn_arena arena;
	struct tn_buf strict;
	struct tenon_error err;

	if (line == TN_STR_NONE || !tn_utf8_valid(text.data, line))
		return 0;
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&strict, size + 1);
	if (tn_jsonc_strip(tn_str_from_offset(text, line + 1), &strict, &err) == TENON_OK)
		tn_assert(strict.size == tn_str_from_offset(text, line + 1).size);
	if (tn_jsonc_parse(&arena, tn_str_from_offset(text, line + 1), &root, NULL, &err) ==
	    TENON_OK)
		change(&arena, tn_str_from_offset(text, line + 1),
		       path_of(tn_str(text.data, line), keys), root);
	tn_buf_finish(&strict);
	tn_arena_finish(&arena);
	return 0;
}
