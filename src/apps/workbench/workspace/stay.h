/* stay.h - the program of a workspace's modules stays for patches of their graph producers
 * (workbench.md C9, C10, G20).
 *
 * It is the one that was asked what the modules are, and it is one for the workspace. Its lines
 * wait until what it has said was taken over; then each patch changes what its own producer claims,
 * as one of the control API does. What is refused, and how it ended, is said with its module; what
 * it claims stays when it ends. Limits: TN_WB_PATCH_LINE_MAX, TN_WB_PATCH_RATE,
 * TN_WB_STAY_BYTES_RATE: beyond them it waits, or is not heard. Ownership: the workspace's.
 * Threads: loop. */
#ifndef TN_WB_STAY_H
#define TN_WB_STAY_H

#include "apps/workbench/launch/process.h"
#include "apps/workbench/workspace/workspace.h"

/* It has said all that it was asked, and `done` is its last line. Takes the process over, in any
 * case. Also from inside its lines. */
void tn_wb_stay_begin(struct tn_wb_workspace *workspace, struct tn_wb_process *process,
		      uint64_t serial, struct tn_str done);
/* At once, with all that it has started. */
void tn_wb_stay_end(struct tn_wb_workspace *workspace);

/* A look was taken over that is made of what it has said, or of what another one has: it is heard,
 * or ended. */
void tn_wb_stay_taken(struct tn_wb_workspace *workspace);
/* Before: what is to be said of it becomes the configuration's. */
void tn_wb_stay_tell(const struct tn_wb_workspace *workspace, struct tn_wb_config *config);
/* The files that it has loaded since, as lines; they are the caller's look's now. */
void tn_wb_stay_loaded(struct tn_wb_workspace *workspace, struct tn_buf *out);

#endif
