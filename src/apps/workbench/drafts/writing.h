/* writing.h - the file of the overrides, written in a worker: what stands in memory is copied by
 * reference, and whatever changes meanwhile is written next, all of it at once.
 *
 * What cannot be written is taken back: memory is again as the file is. What others have written
 * meanwhile is taken over first, and then written with it (O15). Ownership: the drafts'
 * until they are closed; what was asked for is written also after that. Threads: loop. */
#ifndef TN_WB_DRAFTS_WRITING_H
#define TN_WB_DRAFTS_WRITING_H

#include "apps/workbench/drafts/drafts.h"

struct tn_wb_writing;

/* What becomes of the drafts. */
struct tn_wb_writing_ops {
	/* What could not be written has not happened: they are what they were before. */
	void (*go_back)(struct tn_wb_drafts *drafts, struct tn_wb_document *to);
	/* Others have changed the file: tn_wb_drafts_merge. */
	enum tenon_code (*merge)(struct tn_wb_drafts *drafts, struct tn_wb_document *base,
				 struct tn_wb_disk_look *look, struct tenon_error *err);
};

/* `root_fd` is copied, `ops` outlive it. NULL: no memory, or no descriptor. Any thread. */
struct tn_wb_writing *tn_wb_writing_open(struct tn_wb_drafts *drafts, struct tn_loop *loop,
					 const struct tn_wb_writing_ops *ops);
void tn_wb_writing_close(struct tn_wb_writing *writing); /* accepts NULL */
/* The document as it is now is to be in the file. Fails: NO_MEMORY, LIMIT. */
TN_MUST_USE enum tenon_code tn_wb_writing_want(struct tn_wb_writing *writing,
					       struct tenon_error *err);
bool tn_wb_writing_is_busy(const struct tn_wb_writing *writing); /* NULL: no */
/* The file is as the document is, by another way: that is what is gone back to. */
void tn_wb_writing_settled(struct tn_wb_writing *writing); /* accepts NULL */

void tn_wb_writing_wait(struct tn_wb_writing *writing, struct tn_wb_written *written);

#endif
