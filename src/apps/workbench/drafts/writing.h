/* writing.h - the file of the overrides, written in a worker: what stands in memory is copied by
 * reference, and whatever changes meanwhile is written next, all of it at once.
 *
 * What cannot be written is taken back: memory is again as the file is. Ownership: the drafts'
 * until they are closed; what was asked for is written also after that. Threads: loop. */
#ifndef TN_WB_DRAFTS_WRITING_H
#define TN_WB_DRAFTS_WRITING_H

#include "apps/workbench/drafts/drafts.h"

struct tn_wb_writing;

/* `root_fd` is copied. NULL: no memory, or no descriptor. Any thread. */
/* Makes the drafts what they were before: what could not be written has not happened. */
typedef void tn_wb_drafts_back_fn(struct tn_wb_drafts *drafts, struct tn_wb_document *to);

struct tn_wb_writing *tn_wb_writing_open(struct tn_wb_drafts *drafts, struct tn_loop *loop,
					 tn_wb_drafts_back_fn *go_back);
void tn_wb_writing_close(struct tn_wb_writing *writing); /* accepts NULL */
/* The document as it is now is to be in the file. Fails: NO_MEMORY, LIMIT. */
TN_MUST_USE enum tenon_code tn_wb_writing_want(struct tn_wb_writing *writing,
					       struct tenon_error *err);
bool tn_wb_writing_is_busy(const struct tn_wb_writing *writing); /* NULL: no */
/* The file is as the document is, by another way: that is what is gone back to. */
void tn_wb_writing_settled(struct tn_wb_writing *writing); /* accepts NULL */

void tn_wb_writing_wait(struct tn_wb_writing *writing, struct tn_wb_written *written);

#endif
