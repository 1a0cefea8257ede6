/* tool_review.h - what the review's tool and resource share. Threads: loop. */
#ifndef TN_PLAN_TOOL_REVIEW_H
#define TN_PLAN_TOOL_REVIEW_H

#include "apps/plan/mcp/tool_task.h"

/* {"plan_id":"...","revision":1, ...}; `open` NULL: nobody has begun. */
void tn_plan_put_review(struct tn_buf *out, const struct tn_plan_task *task,
			const struct tn_plan_open_review *open);

#endif
