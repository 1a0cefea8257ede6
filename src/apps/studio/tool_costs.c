/* estimate_costs: what the diagram costs a month, by list prices (FR-28). */
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"instanceIds\":{\"type\":\"array\",\"maxItems\":10000,\"items\":{\"type\":\"string\","
	"\"maxLength\":64},\"description\":\"Only these resources; without it all\"},"
	"\"usage\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\","
	"\"additionalProperties\":{\"type\":\"number\"}},\"description\":\"What if: assumptions by "
	"instanceId, such as {\\\"<id>\\\":{\\\"storage_gb\\\":250}}; nothing is stored\"},"
	"\"groupBy\":{\"enum\":[\"group\",\"category\",\"module\",\"provider\"],"
	"\"description\":\"Subtotals by resource group, category, module or "
	"provider\"}," TN_STUDIO_PROJECT_ARGUMENT "},\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"estimates\":" TN_STUDIO_ANY_OBJECT ",\"total\":" TN_STUDIO_ANY_OBJECT
			 ",\"groups\":" TN_STUDIO_OBJECTS ",\"pricesAsOf\":" TN_STUDIO_TEXT
			 ",\"region\":" TN_STUDIO_TEXT ",\"note\":" TN_STUDIO_TEXT,
			 "\"estimates\",\"total\",\"pricesAsOf\",\"region\"");

static enum tn_studio_cost_group group_of(const struct tn_json *arguments)
{
	static const char *const names[] = {"", "group", "category", "module", "provider"};
	struct tn_str name;

	if (!tn_json_to_str(tn_json_get(arguments, "groupBy"), &name))
		return TN_STUDIO_BY_NOTHING;
	for (unsigned i = TN_STUDIO_BY_GROUP; i <= TN_STUDIO_BY_PROVIDER; i++) {
		if (tn_str_is(name, names[i]))
			return (enum tn_studio_cost_group)i;
	}
	return TN_STUDIO_BY_NOTHING;
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	const struct tn_studio_cost_options options = {
		.node_ids = tn_json_get(arguments, "instanceIds"),
		.what_if = tn_json_get(arguments, "usage"),
		.group_by = group_of(arguments),
	};

	return tn_studio_estimate(&act->project->document, act->prices, &options, act->arena,
				  result, act->text, act->fault);
}

const struct tn_studio_action tn_studio_action_costs = {
	.name = "estimate_costs", .needs_prices = true, .run = run};

static void call_costs(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_costs);
}

const struct tenon_tool tn_studio_tool_costs = {
	.name = "estimate_costs",
	.title = "Estimate costs",
	.description = "Monthly costs of each resource with its lines and assumptions, and their "
		       "sum, from a dated table of list prices. What has no price is null with the "
		       "reason, and then the total says that it is not complete. Never uses the "
		       "network.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_costs,
};
