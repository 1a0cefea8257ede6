/* plan://{plan_id}/review: what terraform_review returns. */
#include "apps/plan/mcp/app.h"
#include "apps/plan/mcp/tool_complete.h"
#include "apps/plan/mcp/tool_review.h"
#include "base/limits.h"

static void ready(struct tn_plan_task *task)
{
	struct tn_plan_open_review *open = NULL;
	struct tenon_error err = {0};
	struct tn_buf text;

	if (tn_plan_reviews_open(task->state->reviews, task->plan->sha256, false, &open, &err) !=
	    TENON_OK) {
		tenon_call_fail(task->call, "The review cannot be read: %s.", err.message);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_plan_put_review(&text, task, open);
	if (text.failed) {
		tenon_call_fail(task->call, "The result is too large.");
	} else {
		tenon_call_set_cache(task->call, 0, false);
		tenon_call_add_resource_text(task->call, NULL, "application/json", text.data,
					     text.size);
		tenon_call_finish(task->call);
	}
	tn_buf_finish(&text);
}

static void read_review(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_RESOURCE, false, ready);
}

const struct tenon_resource_template tn_plan_resource_review = {
	.uri_template = "plan://{plan_id}/review",
	.name = "plan-review",
	.title = "The review of a plan",
	.description = "What people and assistants think of each change, as terraform_review "
		       "returns it. One review for everybody who has the same plan.",
	.mime_type = "application/json",
	.read = read_review,
	.complete = tn_plan_complete_id,
};
