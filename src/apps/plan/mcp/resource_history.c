/* plan://history: the newest explanations (plan.md section 12.4). */
#include "apps/plan/mcp/app.h"
#include "apps/plan/limits.h"
#include "apps/plan/mcp/tool_history.h"
#include "tenon/result.h"

static void reply(struct tenon_call *call, const struct tn_buf *found)
{
	tenon_call_set_cache(call, 0, false); /* private, and changed by the next explanation */
	tenon_call_add_resource_text(call, NULL, "application/json", found->data, found->size);
	tenon_call_finish(call);
}

static void read_history(struct tenon_call *call, void *state)
{
	const struct tn_plan_question question = {.limit = TN_PLAN_HISTORY_ROWS_MAX};

	tn_plan_search_history(call, state, &question, reply);
}

const struct tenon_resource tn_plan_resource_history = {
	.uri = "plan://history",
	.name = "history",
	.title = "Earlier explanations",
	.description = "The newest explanations, as terraform_history returns them.",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_history,
};
