/* The graph of ways as JSON (floorplan.md 9.2). */
#include "apps/floorplan/plan/metrics.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/ways.h"
#include "jsonrpc/json_write.h"

/* "outside", "Floor.Room", "Floor.stair.Name", "Floor.lift.Name": a stair may have a room's name.
 */
static void put_id(struct tn_buf *out, const char *key, const struct tn_floor_ways *ways,
		   uint32_t node)
{
	const struct tn_floor_plan *plan = ways->plan;
	const struct tn_floor_circulation *one;

	if (node == 0) {
		tn_json_put_member_text(out, key, "outside");
		return;
	}
	tn_json_put_key(out, key);
	tn_buf_append_byte(out, '"'); /* names need no escaping (L5) */
	if (node <= plan->room_count) {
		tn_buf_append_str(out, plan->rooms[node - 1]->floor->name);
		tn_buf_append_byte(out, '.');
		tn_buf_append_str(out, plan->rooms[node - 1]->name);
	} else {
		one = ways->circulation[node - plan->room_count - 1];
		tn_buf_append_str(out, one->floor->name);
		tn_buf_append_text(out, one->lift ? ".lift." : ".stair.");
		tn_buf_append_str(out, one->name);
	}
	tn_buf_append_byte(out, '"');
}

static void put_node(struct tn_buf *out, const struct tn_floor_ways *ways, uint32_t node)
{
	const struct tn_floor_plan *plan = ways->plan;
	const struct tn_floor_floor *floor = NULL;
	struct tn_str name = {NULL, 0};
	const char *kind = "outside";

	if (node > plan->room_count) {
		const struct tn_floor_circulation *one =
			ways->circulation[node - plan->room_count - 1];

		kind = one->lift ? "lift" : "stair";
		floor = one->floor;
		name = one->name;
	} else if (node > 0) {
		const struct tn_floor_room *room = plan->rooms[node - 1];

		kind = room->parent ? "sub-room" : "room";
		floor = room->floor;
		name = room->name;
	}
	tn_json_begin_object(out);
	put_id(out, "id", ways, node);
	tn_json_put_member_text(out, "kind", kind);
	if (floor) {
		tn_json_put_member_str(out, "floor", floor->name);
		tn_json_put_member_str(out, "name", name);
	}
	tn_json_end_object(out);
}

static void put_way(struct tn_buf *out, const struct tn_floor_ways *ways,
		    const struct tn_floor_way *way)
{
	static const char *const kinds[] = {
		[TN_FLOOR_WAY_DOOR] = "door",       [TN_FLOOR_WAY_DOUBLE] = "double-door",
		[TN_FLOOR_WAY_OPENING] = "opening", [TN_FLOOR_WAY_OPEN_SIDE] = "open-side",
		[TN_FLOOR_WAY_STAIR] = "contains",  [TN_FLOOR_WAY_VERTICAL] = "vertical"};
	const struct tn_floor_lexed *lexed = &ways->plan->tree.lexed;

	tn_json_begin_object(out);
	put_id(out, "from", ways, way->a);
	put_id(out, "to", ways, way->b);
	tn_json_put_member_text(out, "kind", kinds[way->kind]);
	if (way->opening && way->opening->connect)
		tn_json_put_member_int(
			out, "line", lexed->tokens[way->opening->connect->tokens.first].range.line);
	tn_json_end_object(out);
}

void tn_floor_put_access(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	struct tn_floor_ways ways;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	if (tn_floor_ways_build(plan, &arena, &ways)) {
		tn_json_begin_object(out);
		tn_json_put_key(out, "nodes");
		tn_json_begin_array(out);
		for (uint32_t i = 0; i < ways.node_count; i++)
			put_node(out, &ways, i);
		tn_json_end_array(out);
		tn_json_put_key(out, "edges");
		tn_json_begin_array(out);
		for (uint32_t i = 0; i < ways.way_count; i++)
			put_way(out, &ways, &ways.ways[i]);
		tn_json_end_array(out);
		tn_json_end_object(out);
	} else {
		out->failed = out->starved = true;
	}
	tn_arena_finish(&arena);
}
