/* validate_floorplan: what is wrong with a plan, without drawing it (floorplan.md 7.3). */
#include "apps/floorplan/mcp/action.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "jsonrpc/json_write.h"

static void run(struct tn_floor_act *act)
{
	size_t max = (size_t)tn_floor_argument_number(act, "maxDiagnostics", 100);
	const struct tn_floor_plan *plan;
	bool cut = false;

	if (!tn_floor_act_read(act, tn_floor_argument_bool(act, "lint", false)))
		return;
	plan = act->plan;
	act->success = true;
	act->invalid = !plan->valid || (tn_floor_argument_bool(act, "strict", false) &&
					plan->diagnostics.counts[TN_FLOOR_WARNING] > 0);
	tn_json_put_member_bool(&act->json, "valid", !act->invalid);
	tn_floor_act_put_list(act, TN_FLOOR_ERROR, max, &cut);
	tn_floor_act_put_list(act, TN_FLOOR_WARNING, max, &cut);
	if (tn_floor_argument_bool(act, "includeInfos", true))
		tn_floor_act_put_list(act, TN_FLOOR_INFO, max, &cut);
	else
		tn_json_put_member_raw(&act->json, "infos", TN_STR("[]"));
	tn_floor_act_put_counts(act);
	if (cut)
		tn_json_put_member_bool(&act->json, "truncated", true);
	tn_json_put_member_int(&act->json, "floorCount", plan->floor_count);
	tn_json_put_member_int(&act->json, "roomCount", plan->top_room_count);
}

const struct tn_floor_action tn_floor_action_validate = {.run = run};
