/* estimate_costs: what the diagram costs a month, by list prices (FR-28). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"

static enum tn_studio_cost_group group_of(const struct tn_json *arguments)
{
	static const char *const names[] = {"",       "group",    "category",
					    "module", "provider", "container"};
	struct tn_str name;

	if (!tn_json_to_str(tn_json_get(arguments, "groupBy"), &name))
		return TN_STUDIO_BY_NOTHING;
	for (unsigned i = TN_STUDIO_BY_GROUP; i <= TN_STUDIO_BY_CONTAINER; i++) {
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
		.says_lines = act->for_model,
	};

	return tn_studio_estimate(&act->project->document, act->prices, &options, act->arena,
				  result, act->text, act->fault);
}

const struct tn_studio_action tn_studio_action_costs = {
	.needs_prices = true, .stands_aside = true, .run = run};
