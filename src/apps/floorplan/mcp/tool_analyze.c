/* analyze_floorplan: areas, neighbours, ways and exits (floorplan.md 7.5, section 9). */
#include "apps/floorplan/mcp/answer.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tools.h"
#include "apps/floorplan/plan/metrics.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "jsonrpc/json_write.h"

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

const struct tn_floor_action tn_floor_action_analyze = {.run = run};
