/* evaluate.h - programs of a trusted workspace are asked what its configuration and its modules are
 * (workbench.md C3, C9, C10): evaluator.mjs runs them, guarded, and its lines are kept.
 *
 * One at a time of a workspace, while no look runs; when it is over the workspace is read again.
 * One whose producers send patches stays (stay.h); asked anew, the one before is ended.
 * Limits: TN_WB_EVALUATE_MS, TN_WB_SAID_BYTES_MAX; what exceeds them is ended, and said so.
 * Ownership: the workspace's. Threads: loop. */
#ifndef TN_WB_EVALUATE_H
#define TN_WB_EVALUATE_H

#include "apps/workbench/workspace/load.h"

/* What the look wanted to know. `over` is called when it is known, or cannot be, also inside. */
void tn_wb_evaluate(struct tn_wb_workspace *workspace, struct tn_wb_load *load,
		    void (*over)(struct tn_wb_workspace *workspace));
void tn_wb_evaluate_cancel(struct tn_wb_workspace *workspace);

#endif
