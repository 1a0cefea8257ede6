/* analyze_floorplan: areas, neighbours, ways and exits (floorplan.md 7.5, section 9). */
#include "apps/floorplan/answer.h"
#include "apps/floorplan/metrics.h"
#include "apps/floorplan/tool_state.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_SOURCE
	",\"areaUnit\":{\"type\":\"string\",\"enum\":[\"sqft\",\"sqm\"],\"description\":\"Of "
	"all areas; without it the plan's\"},\"includeRoomDetails\":{\"type\":\"boolean\","
	"\"default\":true,\"description\":\"Each room with place, size and measures\"},"
	"\"includeGraph\":{\"type\":\"boolean\",\"default\":true,\"description\":\"Which "
	"rooms share walls, and who gets where through which doors\"},"
	"\"lint\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Add advice on "
	"the design: ways out, daylight, widths (codes FP80xx)\"}},"
	"\"additionalProperties\":false}";
/* clang-format on */

/* clang-format off */
static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	",\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\","
	"\"minimum\":0},\"unit\":{\"type\":\"string\"},\"areaUnit\":{\"type\":\"string\"},"
	"\"title\":{\"type\":[\"string\",\"null\"]},\"author\":{\"type\":\"string\"},"
	"\"floorCount\":{\"type\":\"integer\",\"minimum\":0},\"rooms\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\"}},\"stairs\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\"}},\"lifts\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\"}},\"openings\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\"}},\"summary\":{\"type\":\"object\"},"
	"\"floorMetrics\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"roomMetrics\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"adjacency\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"access\":{\"type\":\"object\"},\"egress\":{\"type\":\"object\"},"
	TN_FLOOR_PLAN_LISTS
	"},\"required\":[\"success\"]}";
/* clang-format on */

static bool wants_sqm(const struct tn_floor_act *act)
{
	struct tn_str unit = tn_floor_argument_text(act, "areaUnit");

	return unit.data ? tn_str_is(unit, "sqm") : act->plan->settings.area_in_sqm;
}

static void put_rooms(struct tn_floor_act *act, const struct tn_floor_room_metrics *measured,
		      bool sqm)
{
	const struct tn_floor_plan *plan = act->plan;
	struct tn_buf *out = &act->json;

	tn_json_put_key(out, "roomMetrics");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->room_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "floor", plan->rooms[i]->floor->name);
		tn_json_put_member_str(out, "room", plan->rooms[i]->name);
		tn_json_put_key(out, "metrics");
		tn_floor_put_room_metrics(out, plan, &measured[i], sqm);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static bool put_details(struct tn_floor_act *act, bool sqm, struct tn_arena *arena)
{
	const struct tn_floor_plan *plan = act->plan;
	const struct tn_floor_room_metrics *measured = tn_floor_rooms_measure(plan, arena);
	const struct tn_floor_floor **floors =
		tn_arena_alloc_array(arena, plan->floor_count + 1, sizeof(*floors));
	struct tn_floor_answer answer = {.plan = plan, .sqm = sqm, .floors = floors};

	if (!measured || !floors)
		return false;
	for (const struct tn_floor_floor *at = plan->floors; at; at = at->next)
		floors[answer.floor_count++] = at;
	tn_floor_put_facts(&act->json, &answer);
	put_rooms(act, measured, sqm);
	return true;
}

static void put_floors(struct tn_floor_act *act, bool sqm)
{
	tn_json_put_key(&act->json, "summary");
	tn_floor_put_summary(&act->json, act->plan, sqm);
	tn_json_put_key(&act->json, "floorMetrics");
	tn_json_begin_array(&act->json);
	for (const struct tn_floor_floor *at = act->plan->floors; at; at = at->next)
		tn_floor_put_floor_metrics(&act->json, act->plan, at, sqm);
	tn_json_end_array(&act->json);
}

static void put_graph(struct tn_floor_act *act)
{
	tn_json_put_key(&act->json, "adjacency");
	tn_floor_put_adjacency(&act->json, act->plan);
	tn_json_put_key(&act->json, "access");
	tn_floor_put_access(&act->json, act->plan);
	tn_json_put_key(&act->json, "egress");
	tn_floor_put_egress(&act->json, act->plan);
}

static void put_lists(struct tn_floor_act *act)
{
	bool cut = false;

	tn_floor_act_put_list(act, TN_FLOOR_WARNING, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_list(act, TN_FLOOR_INFO, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_cut(act, cut);
}

static void run(struct tn_floor_act *act)
{
	struct tn_floor_answer heading;
	struct tn_arena arena;
	bool sqm;

	if (!tn_floor_act_read(act, tn_floor_argument_bool(act, "lint", false)))
		return;
	if (!act->plan->valid) {
		tn_floor_act_put_bad_plan(act);
		return;
	}
	act->success = true;
	sqm = wants_sqm(act);
	heading = (struct tn_floor_answer){.plan = act->plan, .sqm = sqm};
	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_json_put_member_bool(&act->json, "success", true);
	tn_floor_put_heading(&act->json, &heading);
	put_floors(act, sqm);
	if (tn_floor_argument_bool(act, "includeRoomDetails", true) &&
	    !put_details(act, sqm, &arena))
		act->json.failed = true;
	if (tn_floor_argument_bool(act, "includeGraph", true))
		put_graph(act);
	put_lists(act);
	tn_arena_finish(&arena);
}

const struct tn_floor_action tn_floor_action_analyze = {
	.name = "analyze_floorplan", .input_schema = input_schema, .run = run};

static void call_analyze(struct tenon_call *call, void *door)
{
	tn_floor_run_tool(call, door, &tn_floor_action_analyze);
}

const struct tenon_tool tn_floor_tool_analyze = {
	.name = "analyze_floorplan",
	.title = "Measure a floor plan",
	.description = "Areas of rooms and floors, which rooms share walls, who gets where through "
		       "which doors, and how far it is to an exit.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TN_FLOOR_PURE,
	.call = call_analyze,
};
