/* promote.h - a prop's value at the place where an element is written, as an edit of the source
 * (workbench.md D4).
 *
 * Nothing but the literal's bytes changes. What is not a literal is left alone: it is refused with
 * the contract's code. Threads: one at a time a tree. */
#ifndef TN_WB_SAVE_PROMOTE_H
#define TN_WB_SAVE_PROMOTE_H

#include "apps/workbench/source/tree.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

/* The tag that begins at this place: the opening one, or one that closes itself. */
uint32_t tn_wb_tag_at(const struct tn_wb_tree *tree, uint32_t offset);

struct tn_wb_promotion {
	size_t start, end;
	struct tn_str text;  /* in the arena */
	bool is_nothing;     /* the source says that already */
	const char *code;    /* NULL, or "unsupportedPattern", "internalError" */
	const char *message; /* static */
};
/* What makes the tag's prop `name` say `value`. */
void tn_wb_promote(const struct tn_wb_tree *tree, uint32_t tag, struct tn_str name,
		   const struct tn_json *value, struct tn_arena *arena,
		   struct tn_wb_promotion *ret);
/* Whether it does say it: a literal that means the value, which nothing overrides. */
bool tn_wb_says(const struct tn_wb_tree *tree, uint32_t tag, struct tn_str name,
		const struct tn_json *value);

#endif
