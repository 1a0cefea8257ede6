/* edit_reread.h - the tree of an edited text, made from the one before: only the rooms and
 * connections that were touched are read again, so that 500 operations on 5,000 rooms take no
 * minute (floorplan.md section 11).
 *
 * Threads: one at a time. */
#ifndef TN_FLOOR_EDIT_REREAD_H
#define TN_FLOOR_EDIT_REREAD_H

#include "apps/floorplan/edit/internal.h"

/* Memory for tokens that is used by turns: a plan and the one after it have one each. */
struct tn_edit_tokens {
	struct tn_floor_token *tokens;
	uint32_t room;
};

/* Fills `after` (tn_floor_plan_begin), whose text is there, from the plan before it and the cuts
 * that led to it, in order. Its tokens are in `memory`, which grows and is the caller's; what is
 * read anew lives in `arena`, which like the plan that the tree came from must outlive `after`.
 * False: this edit is none of the simple ones, or there is no memory; both plans are as they were,
 * and the text is to be read as a whole.
 *
 * On success the lists of the tree before have the new elements, too: of that plan only what it
 * resolved to may still be looked at. */
bool tn_edit_reread(const struct tn_floor_plan *before, const struct tn_edit_cut *cuts,
		    size_t cut_count, struct tn_edit_tokens *memory, struct tn_arena *arena,
		    struct tn_floor_plan *after);

#endif
