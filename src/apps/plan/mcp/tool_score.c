/* terraform_score: how well an explanation keeps to the rules (plan.md section 11). */
#include "apps/plan/mcp/tools.h"
#include "apps/plan/service/report.h"
#include "apps/plan/mcp/tool_task.h"
#include "mcp/fit.h"

static void ready(struct tn_plan_task *task)
{
	const char *profile = tenon_call_text(task->call, "profile");
	enum tn_plan_score_profile scored_by = TN_PLAN_SCORE_EXACT;
	struct tn_str answer = {NULL, 0};
	struct tn_plan_score score;
	struct tn_buf text, more, structured;
	bool count_only = false;

	(void)tenon_call_bytes(task->call, "answer", &answer.data, &answer.size); /* required */
	(void)tenon_call_bool(task->call, "count_only", &count_only); /* absent: false */
	if (profile && strcmp(profile, "detailed") == 0)
		scored_by = TN_PLAN_SCORE_DETAILED;
	score = tn_plan_score(answer, task->plan->total_changes, count_only, scored_by);
	tn_buf_init(&text, TN_KIB);
	tn_call_begin_structured(task->call, &structured);
	tn_buf_format(&text, "Score: %d/100 (%s)", score.total, score.passed ? "passed" : "failed");
	tn_plan_report_score(&structured, task->plan, &score, scored_by);
	tn_buf_init(&more, TN_KIB);
	tn_buf_format(&more, "format %d, number %d, count_only %d, short %d", score.format,
		      score.number, score.count_only, score.brief);
	tn_plan_task_reply_with(task, &text, &more, &structured);
}

void tn_plan_call_score(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
