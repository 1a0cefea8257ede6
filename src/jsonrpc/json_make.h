/* json_make.h - making JSON trees in an arena, and copying them.
 *
 * What is put into a container is copied one level deep: its own children are shared, so they live
 * in the same arena or longer. Texts are not copied. NULL and false mean no memory; NULL is
 * accepted wherever a made value goes in and makes the result NULL or false in turn, so that a
 * caller asks once at the end. Threads: one at a time. */
#ifndef TN_JSONRPC_JSON_MAKE_H
#define TN_JSONRPC_JSON_MAKE_H

#include "jsonrpc/json.h"

struct tn_json *tn_json_make(struct tn_arena *arena, enum tn_json_type type); /* empty */
struct tn_json *tn_json_make_str(struct tn_arena *arena, struct tn_str text);
struct tn_json *tn_json_make_int(struct tn_arena *arena, int64_t value);
struct tn_json *tn_json_make_bool(struct tn_arena *arena, bool value);

/* Filling an array or an object from front to back. */
struct tn_json_maker {
	struct tn_arena *arena;
	struct tn_json *value, *last;
	bool failed;
};
void tn_json_maker_begin(struct tn_json_maker *maker, struct tn_arena *arena,
			 enum tn_json_type type);
void tn_json_maker_add(struct tn_json_maker *maker, const struct tn_json *element);
void tn_json_maker_put(struct tn_json_maker *maker, struct tn_str key, const struct tn_json *value);
struct tn_json *tn_json_maker_end(struct tn_json_maker *maker); /* NULL: no memory */

/* A copy of `object` (NULL: empty) with the member set, in its place or at the end; `value` NULL
 * takes it out. NULL: no memory. */
struct tn_json *tn_json_with(struct tn_arena *arena, const struct tn_json *object,
			     struct tn_str key, const struct tn_json *value);

/* A deep copy as one allocation of tn_json_copy_size() bytes, texts with it. NULL: no memory. */
size_t tn_json_copy_size(const struct tn_json *value);
struct tn_json *tn_json_copy(struct tn_arena *arena, const struct tn_json *value);

#endif
