/* jsonc_layout.h - where the members of a text stand: what finding and changing share (jsonc.h).
 *
 * Offsets are into the text. Ownership: the layout owns its copy, and points to the caller's text.
 * Threads: any. */
#ifndef TN_JSONRPC_JSONC_LAYOUT_H
#define TN_JSONRPC_JSONC_LAYOUT_H

#include "jsonrpc/jsonc.h"

#define TN_JSONC_NOWHERE ((size_t)-1)

struct tn_jsonc_layout {
	struct tn_str text;  /* as written */
	struct tn_buf plain; /* the same size; comments are blanks, whole: no line ends inside */
	bool empty;          /* nothing but blanks and comments */
};

struct tn_jsonc_place {
	size_t key_at, key_end, value_at, value_end;
	size_t comma_at; /* NOWHERE: none follows */
};

struct tn_jsonc_object {
	size_t open, close; /* of its brackets */
	size_t count;
	struct tn_jsonc_place first, last;
};

/* Where a path leads. */
struct tn_jsonc_spot {
	size_t found;                  /* keys of the path that are there */
	struct tn_jsonc_object object; /* that has the member, or should have path.keys[found] */
	/* When all were found: */
	struct tn_jsonc_place member, before; /* before.key_at NOWHERE: it is the first */
};

/* Fails: INVALID (not JSON, or no object), LIMIT (depth), NO_MEMORY. finish in any case. */
TN_MUST_USE enum tenon_code tn_jsonc_layout_init(struct tn_jsonc_layout *layout, struct tn_str text,
						 struct tenon_error *err);
void tn_jsonc_layout_finish(struct tn_jsonc_layout *layout);

/* Not for an empty text. Fails: INVALID (no object on the way, a key twice), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_jsonc_layout_go(const struct tn_jsonc_layout *layout,
					       struct tn_jsonc_path path, struct tn_jsonc_spot *ret,
					       struct tenon_error *err);

/* The root object. */
void tn_jsonc_layout_root(const struct tn_jsonc_layout *layout, struct tn_jsonc_object *ret);

#endif
