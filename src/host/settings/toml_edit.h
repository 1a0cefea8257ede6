/* toml_edit.h - one table of a TOML file, put in or taken out while every other byte stays.
 *
 * It reads statements, not meanings: headers, keys, and where values end. What it cannot follow it
 * refuses, and the file stays as it is. Messages begin with "line N: ". Threads: any. */
#ifndef TN_HOST_TOML_EDIT_H
#define TN_HOST_TOML_EDIT_H

#include "base/arena.h"
#include "base/buf.h"

struct tn_toml_path {
	const struct tn_str *keys; /* {"mcp_servers", "tenon"}: [mcp_servers.tenon] */
	size_t count;              /* 1..TN_TOML_KEYS_MAX */
};
struct tn_toml_pair {
	struct tn_str key, value; /* the value as written: "\"text\"", "[1, 2]" */
};
enum { TN_TOML_KEYS_MAX = 16, TN_TOML_PAIRS_MAX = 32 };

struct tn_toml_table {
	bool found; /* there is such a header, or one of a table inside it */
	struct tn_toml_pair pairs[TN_TOML_PAIRS_MAX]; /* plain keys of the table itself */
	size_t count;
};

/* The table's pairs; the slices point into the text or the arena.
 * Fails: INVALID (not to be followed; the table is defined in another way, or twice), LIMIT,
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_toml_find(struct tn_arena *arena, struct tn_str text,
					 struct tn_toml_path path, struct tn_toml_table *ret,
					 struct tenon_error *err);

/* Appends the text to `out` with the table having these pairs. Values that are the same but for
 * blanks stay as written, further keys of the table stay; a new table comes last, behind an empty
 * line. Fails: as tn_toml_find, also when the result would; `out` is as it was then. */
TN_MUST_USE enum tenon_code tn_toml_set(struct tn_str text, struct tn_toml_path path,
					const struct tn_toml_pair *pairs, size_t count,
					struct tn_buf *out, struct tenon_error *err);

/* Appends the text to `out` without the table and those inside it. What tn_toml_set added to a text
 * that ended with its line is undone byte for byte. Fails: as tn_toml_find, and NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_toml_remove(struct tn_str text, struct tn_toml_path path,
					   struct tn_buf *out, struct tenon_error *err);

/* Appends the text to `out` without what the table says of `key`: a value with the lines that are
 * its own, keys behind it (key.more), tables inside it. Fails: as tn_toml_find, and NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_toml_drop(struct tn_str text, struct tn_toml_path path,
					 struct tn_str key, struct tn_buf *out,
					 struct tenon_error *err);
/* Appends the lines of the table and of those inside it; nothing when there is none. Fails: as
 * tn_toml_find. */
TN_MUST_USE enum tenon_code tn_toml_copy(struct tn_str text, struct tn_toml_path path,
					 struct tn_buf *out, struct tenon_error *err);

#endif
