/* plan://{plan_id}, its Markdown and its single changes (plan.md section 12.4). A plan never
 * changes behind its handle, so clients may keep it; it is private. */
#include "apps/plan/mcp/app.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/mcp/tool_complete.h"
#include "apps/plan/mcp/tool_task.h"
#include "base/limits.h"

enum { CACHE_MS = 60 * 60 * 1000 };

static void reply(struct tn_plan_task *task, const char *mime_type, struct tn_buf *text)
{
	if (text->failed) {
		tenon_call_fail(task->call, "The result is too large.");
	} else {
		tenon_call_set_cache(task->call, CACHE_MS, false);
		tenon_call_add_resource_text(task->call, NULL, mime_type, text->data, text->size);
		tenon_call_finish(task->call);
	}
	tn_buf_finish(text);
}

static void plan_ready(struct tn_plan_task *task)
{
	const struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_plan_put_json(&text, task->plan, &filter);
	reply(task, "application/json", &text);
}

static void markdown_ready(struct tn_plan_task *task)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_plan_put_markdown(&text, task->plan, TN_PLAN_NON_TECHNICAL, 0);
	reply(task, "text/markdown", &text);
}

static void change_ready(struct tn_plan_task *task)
{
	struct tn_str index = tn_str_from(tenon_call_text(task->call, "index"));
	uint64_t number = 0;
	struct tn_buf text;

	if (!tn_str_to_uint(index, &number) || number < 1 || number > task->plan->change_count) {
		tenon_call_not_found(task->call);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_plan_put_change_json(&text, task->plan, (uint32_t)number - 1, 0, 0);
	reply(task, "application/json", &text);
}

static void read_plan(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_RESOURCE, false, plan_ready);
}

static void read_markdown(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_RESOURCE, false, markdown_ready);
}

static void read_change(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_RESOURCE, false, change_ready);
}

const struct tenon_resource_template tn_plan_resource_plan = {
	.uri_template = "plan://{plan_id}",
	.name = "plan",
	.title = "A plan, read",
	.description = "Everything known about a plan, as terraform_parse returns it.",
	.mime_type = "application/json",
	.read = read_plan,
	.complete = tn_plan_complete_id,
};

const struct tenon_resource_template tn_plan_resource_markdown = {
	.uri_template = "plan://{plan_id}/markdown",
	.name = "plan-markdown",
	.title = "A plan as a comment",
	.description = "The plan explained in Markdown, fit for a pull request.",
	.mime_type = "text/markdown",
	.read = read_markdown,
	.complete = tn_plan_complete_id,
};

const struct tenon_resource_template tn_plan_resource_change = {
	.uri_template = "plan://{plan_id}/change/{index}",
	.name = "plan-change",
	.title = "One change of a plan",
	.description = "One entry with all its attributes; index counts from 1.",
	.mime_type = "application/json",
	.read = read_change,
	.complete = tn_plan_complete_id,
};
