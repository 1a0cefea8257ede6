/* jsonc.h - JSON with comments, as people write settings: reading it, and changing one member of
 * the text while every other byte stays as it was.
 *
 * Comments are // to the end of the line and block comments; a comma before the closing bracket is
 * tolerated. A text of nothing but blanks and comments counts as an empty object. Strict otherwise
 * (json.h). A path names members from the root down; a key on it that stands twice in its object is
 * refused, because either may be meant. Threads: any. Messages begin with "line N: ". */
#ifndef TN_JSONRPC_JSONC_H
#define TN_JSONRPC_JSONC_H

#include "base/buf.h"
#include "jsonrpc/json.h"

struct tn_jsonc_path {
	const struct tn_str *keys; /* UTF-8 */
	size_t count;              /* 1..TN_JSONC_PATH_MAX */
};
enum { TN_JSONC_PATH_MAX = 16 };

/* Appends the text as strict JSON of the same size: comments and commas too many become blanks, so
 * that offsets stay true. Whether the rest is JSON is not checked.
 * Fails: INVALID (a comment without end), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_jsonc_strip(struct tn_str text, struct tn_buf *out,
					   struct tenon_error *err);

/* Reads the text; the tree lives in the arena. Keys and texts keep their offsets: *ret_base is what
 * they point into. `ret_base` may be NULL.
 * Fails: INVALID (not JSON), LIMIT (depth, members, the arena's), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_jsonc_parse(struct tn_arena *arena, struct tn_str text,
					   struct tn_json **ret, const char **ret_base,
					   struct tenon_error *err);

/* 1 for the first line. */
size_t tn_jsonc_line(struct tn_str text, size_t offset);

struct tn_jsonc_member {
	size_t key_at, key_size;     /* with its quotes */
	size_t value_at, value_size; /* without blanks around it */
};
/* Fails: NOT_FOUND (no such member), INVALID (not JSON; what should hold the member is no object;
 * a key twice), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_jsonc_find(struct tn_str text, struct tn_jsonc_path path,
					  struct tn_jsonc_member *ret, struct tenon_error *err);

/* Appends the text to `out` with the member at `path` being `value` (JSON text). A member that has
 * an equal value already stays as it is written; objects missing on the way are made; a new member
 * comes last, written as its neighbours are: on a line of its own or not, indented and ended alike.
 * Fails: as tn_jsonc_find, and INVALID (`value` is not JSON). */
TN_MUST_USE enum tenon_code tn_jsonc_set(struct tn_str text, struct tn_jsonc_path path,
					 struct tn_str value, struct tn_buf *out,
					 struct tenon_error *err);

/* Appends the text to `out` without the member, its comma, and the line that was its own. What
 * tn_jsonc_set added to an object with members is undone byte for byte.
 * Fails: as tn_jsonc_find. */
TN_MUST_USE enum tenon_code tn_jsonc_remove(struct tn_str text, struct tn_jsonc_path path,
					    struct tn_buf *out, struct tenon_error *err);

#endif
