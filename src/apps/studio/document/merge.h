/* merge.h - changes seen member by member: what one touches, and taking it back from values that
 * have changed further since (studio-canvas.md SC-019). Threads: any. */
#ifndef TN_STUDIO_MERGE_H
#define TN_STUDIO_MERGE_H

#include "base/arena.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

/* Members of members count by themselves so deep; places, sizes and lists are one value each. */
enum { TN_STUDIO_MERGE_DEPTH = 4 };

/* The operation of `back` that takes this one of `forth` back stands at the other end. */
struct tn_studio_pairs {
	const struct tn_json **forth, **back; /* in the order in which `back` is applied */
	size_t count;
};
/* False: they are no pairs, or no memory. */
bool tn_studio_pairs_make(const struct tn_json *forth, const struct tn_json *back,
			  struct tn_arena *arena, struct tn_studio_pairs *ret);

/* Whether members of it are compared by themselves (absent counts as empty). */
bool tn_studio_merge_descends(struct tn_str key, const struct tn_json *a, const struct tn_json *b,
			      unsigned depth);

/* `now` with what differs between `after` and `before` as it was before. Where `now` is not as
 * `after` says, somebody else has changed it: *ret_conflict. NULL: it is gone, or no memory
 * (*ret_failed). `size` is never a conflict: containers grow by themselves. */
struct tn_studio_merge {
	struct tn_arena *arena;
	bool conflict, failed;
};
const struct tn_json *tn_studio_merge_back(struct tn_studio_merge *merge,
					   const struct tn_json *before,
					   const struct tn_json *after, const struct tn_json *now,
					   unsigned depth);

/* {"x","y"} of an entry of a place operation, whichever way it says it; false: it has none. */
bool tn_studio_merge_position(const struct tn_json *entry, int64_t *x, int64_t *y);

/* tn_document_ops.touch. */
void tn_studio_document_touch(const struct tn_json *forth, const struct tn_json *back,
			      struct tn_buf *out);

#endif
