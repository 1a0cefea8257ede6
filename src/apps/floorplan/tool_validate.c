/* validate_floorplan: what is wrong with a plan, without drawing it (floorplan.md 7.3). */
#include "apps/floorplan/action.h"
#include "apps/floorplan/tool_state.h"
#include "jsonrpc/json_write.h"

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_SOURCE
	",\"strict\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Warnings make "
	"the plan invalid, too\"},\"includeInfos\":{\"type\":\"boolean\",\"default\":true,"
	"\"description\":\"Tell remarks as well\"},\"maxDiagnostics\":{\"type\":\"integer\","
	"\"minimum\":1,\"maximum\":1000,\"default\":100,\"description\":\"At most so many of "
	"each severity\"},\"lint\":{\"type\":\"boolean\",\"default\":false,"
	"\"description\":\"Add advice on the design: ways out, daylight, widths (codes "
	"FP80xx)\"}},\"additionalProperties\":false}";
/* clang-format on */

/* clang-format off */
static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"valid\":{\"type\":\"boolean\"},"
	"\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	","
	TN_FLOOR_PLAN_LISTS
	",\"floorCount\":{\"type\":\"integer\"},\"roomCount\":{\"type\":\"integer\"},"
	"\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\"}},"
	"\"required\":[\"errors\"]}";
/* clang-format on */

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

const struct tn_floor_action tn_floor_action_validate = {
	.name = "validate_floorplan", .input_schema = input_schema, .run = run};

static void call_validate(struct tenon_call *call, void *door)
{
	tn_floor_run_tool(call, door, &tn_floor_action_validate);
}

const struct tenon_tool tn_floor_tool_validate = {
	.name = "validate_floorplan",
	.title = "Check a floor plan",
	.description = "Check a plan without rendering. Every fault has its line and column, what "
		       "is wrong in plain words, and often what was probably meant. Cheap: call it "
		       "after each change of the text.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TN_FLOOR_PURE,
	.call = call_validate,
};
