/* scratch.h - a folder for one run of a program, which goes with it. Threads: loop. */
#ifndef TN_WB_CAPTURE_SCRATCH_H
#define TN_WB_CAPTURE_SCRATCH_H

#include "base/error.h"
#include "loop/loop.h"

struct tn_wb_scratch;
enum { TN_WB_SCRATCH_SIZE = 64 };

/* In /tmp, for this user alone. Fails: SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_scratch_make(struct tn_wb_scratch **ret, struct tenon_error *err);
const char *tn_wb_scratch_path(const struct tn_wb_scratch *scratch);
/* With all that is in it, and what killed programs have left, in a worker: what has just been
 * killed may write for a moment. Accepts NULL. */
void tn_wb_scratch_remove(struct tn_wb_scratch *scratch, struct tn_loop *loop);

#endif
