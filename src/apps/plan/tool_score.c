/* terraform_score: how well an explanation keeps to the rules (plan.md section 11). */
#include "apps/plan/app.h"
#include "apps/plan/report.h"
#include "apps/plan/tool_schema.h"
#include "apps/plan/tool_task.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_PLAN_SOURCE_PROPERTIES ","
	"\"answer\":{\"type\":\"string\",\"description\":\"The explanation to score, as it "
	"stands\"},"
	"\"count_only\":{\"type\":\"boolean\",\"default\":false,"
	"\"description\":\"The reader asked for the count only\"},"
	"\"profile\":{\"enum\":[\"exact\",\"detailed\"],\"default\":\"exact\","
	"\"description\":\"detailed: other rules, for comparing long answers\"}"
	"},\"required\":[\"answer\"],\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"score\":{\"type\":\"integer\",\"minimum\":0,"
	"\"maximum\":100},\"passed\":" TN_SCHEMA_SWITCH ","
	"\"parts\":{\"type\":\"object\",\"properties\":{\"format\":" TN_SCHEMA_COUNT ","
	"\"number\":" TN_SCHEMA_COUNT ",\"count_only\":" TN_SCHEMA_COUNT ","
	"\"short\":" TN_SCHEMA_COUNT "},"
	"\"required\":[\"format\",\"number\",\"count_only\",\"short\"]},"
	"\"score_profile\":" TN_SCHEMA_TEXT ",\"total_changes\":" TN_SCHEMA_COUNT ","
	"\"plan_id\":" TN_SCHEMA_TEXT "},"
	"\"anyOf\":[{\"required\":[\"score\",\"passed\",\"parts\"]},{\"required\":[\"error\"]}]}";

static void ready(struct tn_plan_task *task)
{
	const char *profile = tenon_call_text(task->call, "profile");
	enum tn_plan_score_profile scored_by = TN_PLAN_SCORE_EXACT;
	struct tn_str answer = {NULL, 0};
	struct tn_plan_score score;
	struct tn_buf text, structured;
	bool count_only = false;

	(void)tenon_call_bytes(task->call, "answer", &answer.data, &answer.size); /* required */
	(void)tenon_call_bool(task->call, "count_only", &count_only); /* absent: false */
	if (profile && strcmp(profile, "detailed") == 0)
		scored_by = TN_PLAN_SCORE_DETAILED;
	score = tn_plan_score(answer, task->plan->total_changes, count_only, scored_by);
	tn_buf_init(&text, TN_KIB);
	tn_buf_init(&structured, TN_KIB);
	tn_buf_format(&text, "Score: %d/100 (%s)", score.total, score.passed ? "passed" : "failed");
	tn_plan_report_score(&structured, task->plan, &score, scored_by);
	tn_plan_task_reply(task, &text, &structured);
}

static void call_score(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}

const struct tenon_tool tn_plan_tool_score = {
	.name = "terraform_score",
	.title = "Score an explanation",
	.description =
		"Scores an explanation of a plan from 0 to 100: its form, the number of changes, "
		"brevity. 80 passes.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_score,
};
