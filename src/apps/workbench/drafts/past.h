/* past.h - drafts that were there before a change: an op that sets one of them again, exactly as it
 * was, takes the change back (O10).
 *
 * Ownership: counted references, at most TN_WB_PAST_MAX and TN_WB_PAST_BYTES_MAX; the oldest go
 * first. Threads: one at a time. */
#ifndef TN_WB_DRAFTS_PAST_H
#define TN_WB_DRAFTS_PAST_H

#include "apps/workbench/drafts/draft.h"

struct tn_wb_past {
	struct tn_wb_draft **ring; /* NULL: nothing yet */
	size_t first, count, bytes;
};

void tn_wb_past_finish(struct tn_wb_past *past);
/* Without memory it is not noted. */
void tn_wb_past_note(struct tn_wb_past *past, struct tn_wb_draft *draft);
/* Value, type and locator are all the same; what the draft has not, these have not. */
bool tn_wb_past_has(const struct tn_wb_past *past, const struct tn_wb_draft_parts *parts);

#endif
