/* scratch.h - a folder for what one of our processes needs on the disk for a while, which goes with
 * it: also when the process is killed, by the next one that makes one.
 *
 * It lies in TMPDIR, or in /tmp, for this user alone, and its name says whose it is. Threads: any,
 * one at a time a folder; all but removing it soon block for a moment. */
#ifndef TN_WB_LAUNCH_SCRATCH_H
#define TN_WB_LAUNCH_SCRATCH_H

#include "base/error.h"
#include "loop/loop.h"

enum { TN_WB_SCRATCH_SIZE = 64 };

/* `what` it is for: "capture", "workbench". Fails: SYSTEM, and the path is empty. */
TN_MUST_USE enum tenon_code tn_wb_scratch_make(const char *what, char ret_path[TN_WB_SCRATCH_SIZE],
					       struct tenon_error *err);
/* With all that is in it; "": none was made. */
void tn_wb_scratch_remove(const char *path);
/* The same in a worker, and more than once: what has just been killed may write for a moment. */
void tn_wb_scratch_remove_soon(const char *path, struct tn_loop *loop);
/* What processes have left that were killed. */
void tn_wb_scratch_sweep(void);

#endif
