/* terraform_parse: what a plan changes, as data (plan.md sections 5 and 12). */
#include "apps/plan/app.h"
#include "apps/plan/names.h"
#include "apps/plan/to_json.h"
#include "apps/plan/tool_schema.h"
#include "apps/plan/tool_task.h"
#include "mcp/call.h"

enum { LIMIT_DEFAULT = 200 };

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_PLAN_SOURCE_PROPERTIES ","
	"\"detail\":{\"enum\":[\"summary\",\"changes\",\"full\"],\"default\":\"changes\","
	"\"description\":\"summary: counts and risk only; full: also unchanged attributes\"},"
	"\"offset\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295,\"default\":0,"
	"\"description\":\"How many entries to pass over\"},"
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":200,"
	"\"description\":\"How many entries at most\"},"
	"\"actions\":{\"type\":\"array\",\"items\":{\"enum\":[\"create\",\"update\",\"delete\","
	"\"replace\",\"read\",\"forget\",\"import\",\"move\",\"unknown\"]},"
	"\"description\":\"Only entries with one of these actions\"},"
	"\"address_prefix\":{\"type\":\"string\",\"description\":\"Only entries whose address "
	"begins so\"},"
	"\"min_risk\":{\"enum\":[\"none\",\"low\",\"medium\",\"high\",\"critical\"],"
	"\"description\":\"Only entries of at least this risk\"}"
	"},\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"plan_id\":" TN_SCHEMA_TEXT_OR_NULL ",\"input\":{\"type\":\"object\"},"
	"\"status\":" TN_SCHEMA_TEXT ",\"errored\":" TN_SCHEMA_SWITCH ",\"mode\":" TN_SCHEMA_TEXT
	","
	"\"resource_changes\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
	"\"properties\":{" TN_SCHEMA_ENTRY_MEMBERS "},\"required\":[" TN_SCHEMA_ENTRY_REQUIRED
	"]}},"
	"\"summary\":{\"type\":\"object\",\"properties\":{\"total_changes\":" TN_SCHEMA_COUNT ","
	"\"actions\":" TN_SCHEMA_ACTIONS "},\"required\":[\"total_changes\",\"actions\"]},"
	"\"plan_line\":{\"type\":[\"object\",\"null\"]},"
	"\"consistent\":{\"type\":[\"boolean\",\"null\"]},\"mismatches\":{\"type\":\"array\"},"
	"\"confidence\":{\"enum\":[\"high\",\"medium\",\"low\"]},"
	"\"outputs\":{\"type\":\"array\"},\"drift\":{\"type\":\"array\"},"
	"\"deferred\":{\"type\":\"array\"},\"invocations\":{\"type\":\"array\"},"
	"\"diagnostics\":{\"type\":\"array\"},\"units\":{\"type\":\"array\"},"
	"\"risk\":" TN_SCHEMA_RISK ",\"warnings\":" TN_SCHEMA_WARNINGS ","
	"\"page\":{\"type\":\"object\"}},"
	"\"anyOf\":[{\"required\":[\"plan_id\",\"input\",\"status\",\"errored\",\"resource_"
	"changes\","
	"\"summary\","
	"\"consistent\",\"confidence\",\"risk\",\"warnings\"]},{\"required\":[\"error\"]}]}";

static uint32_t number_argument(const struct tenon_call *call, const char *name, uint32_t fallback)
{
	int64_t value = fallback;

	(void)tenon_call_int(call, name, &value); /* absent: the fallback stays */
	return (uint32_t)value;
}

static enum tn_plan_detail detail_argument(const struct tenon_call *call)
{
	struct tn_str detail = tn_str_from(tenon_call_text(call, "detail"));

	if (tn_str_is(detail, "summary"))
		return TN_PLAN_DETAIL_SUMMARY;
	return tn_str_is(detail, "full") ? TN_PLAN_DETAIL_FULL : TN_PLAN_DETAIL_CHANGES;
}

/* Bits of the actions asked for; 0 when the argument is absent. An empty list selects nothing, so
 * it becomes a bit that no entry has. */
static uint32_t actions_argument(const struct tenon_call *call)
{
	const struct tn_json *list = tn_json_get(tn_call_arguments(call), "actions");
	const struct tn_json *word;
	enum tn_plan_action action;
	uint32_t bits = 0;
	struct tn_str text;

	if (!list)
		return 0;
	for (word = list->count ? list->first : NULL; word; word = word->next) {
		if (tn_json_to_str(word, &text) && tn_plan_action_from_name(text, &action))
			bits |= 1u << action;
	}
	return bits ? bits : 1u << TN_PLAN_ACTION_COUNT;
}

static void ready(struct tn_plan_task *task)
{
	struct tenon_call *call = task->call;
	struct tn_plan_filter filter = {
		.detail = detail_argument(call),
		.offset = number_argument(call, "offset", 0),
		.limit = number_argument(call, "limit", LIMIT_DEFAULT),
		.actions = actions_argument(call),
		.address_prefix = tn_str_from(tenon_call_text(call, "address_prefix"))};
	struct tn_buf text, structured;

	/* Absent or checked by the schema: the filter keeps NONE otherwise. */
	(void)tn_plan_risk_from_name(tn_str_from(tenon_call_text(call, "min_risk")),
				     &filter.min_risk);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_plan_put_compact_json(&text, task->plan, &filter);
	tn_plan_put_json(&structured, task->plan, &filter);
	tn_plan_task_reply(task, &text, &structured);
}

static void call_parse(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}

const struct tenon_tool tn_plan_tool_parse = {
	.name = "terraform_parse",
	.title = "Read a Terraform plan",
	.description =
		"Reads a Terraform or OpenTofu plan (text, JSON or a plan_id) and returns exactly "
		"which objects are created, changed, replaced, removed, imported, moved or "
		"forgotten, with counts, a cross-check and risk findings. The plan_id in the "
		"result names the plan in later calls.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_parse,
};
