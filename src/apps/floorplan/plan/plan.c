/* The whole way from text to plan, and small questions about plans. */
#include "apps/floorplan/plan/plan.h"

#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/metrics.h"
#include "base/mem.h"

static bool read_tree(struct tn_floor_plan *plan, struct tn_str text)
{
	const char *copy;

	/* Text that is too large is told of without being kept. */
	if (text.size > TN_FLOOR_TEXT_BYTES_MAX)
		text.size = TN_FLOOR_TEXT_BYTES_MAX + 1;
	copy = tn_arena_copy(&plan->arena, text);
	if (!copy)
		return false;
	plan->text = tn_str(copy, text.size);
	if (!tn_floor_parse(plan->text, &plan->arena, &plan->diagnostics, &plan->tree))
		return false;
	plan->token_count = plan->tree.lexed.count;
	return true;
}

enum tenon_code tn_floor_plan_begin(struct tn_floor_plan **ret, struct tenon_error *err)
{
	struct tn_floor_plan *plan = tn_mem_alloc(sizeof(*plan));

	if (!plan)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a plan");
	tn_arena_init(&plan->arena, TN_FLOOR_ARENA_MAX);
	tn_floor_diagnostics_init(&plan->diagnostics, &plan->arena);
	*ret = plan;
	return TENON_OK;
}

enum tenon_code tn_floor_plan_create(struct tn_str text, bool lint, struct tn_floor_plan **ret,
				     struct tenon_error *err)
{
	struct tn_floor_plan *plan = NULL;
	enum tenon_code code = tn_floor_plan_begin(&plan, err);

	if (code != TENON_OK)
		return code;
	if (!read_tree(plan, text) || (plan->tree.parses && !tn_floor_resolve(plan)) ||
	    (lint && !tn_floor_lint(plan))) {
		tn_floor_plan_free(plan);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for this plan");
	}
	tn_floor_diagnostics_sort(&plan->diagnostics);
	plan->valid = plan->diagnostics.counts[TN_FLOOR_ERROR] == 0;
	*ret = plan;
	return TENON_OK;
}

enum tenon_code tn_floor_plan_create_placed(struct tn_str text, struct tn_floor_plan **ret,
					    struct tenon_error *err)
{
	struct tn_floor_plan *plan = NULL;
	enum tenon_code code = tn_floor_plan_begin(&plan, err);

	if (code != TENON_OK)
		return code;
	if (!read_tree(plan, text) ||
	    (plan->tree.parses && !tn_floor_resolve_places(plan, TN_FLOOR_NO_UNIT))) {
		tn_floor_plan_free(plan);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for this plan");
	}
	tn_floor_diagnostics_sort(&plan->diagnostics);
	*ret = plan;
	return TENON_OK;
}

void tn_floor_plan_free(struct tn_floor_plan *plan)
{
	if (!plan)
		return;
	tn_arena_finish(&plan->arena);
	tn_mem_free(plan);
}

/* ---- looking up ---- */

struct tn_floor_room *tn_floor_room_find(const struct tn_floor_plan *plan,
					 const struct tn_floor_floor *floor, struct tn_str name,
					 size_t *ret_count)
{
	struct tn_floor_room *found = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < plan->room_count; i++) {
		struct tn_floor_room *room = plan->rooms[i];

		if ((floor && room->floor != floor) || !tn_str_equal(room->name, name))
			continue;
		if (!found)
			found = room;
		count++;
	}
	if (ret_count)
		*ret_count = count;
	return found;
}

struct tn_floor_floor *tn_floor_floor_find(const struct tn_floor_plan *plan, struct tn_str name)
{
	struct tn_floor_floor *floor = plan->floors;

	while (floor && !tn_str_equal(floor->name, name))
		floor = floor->next;
	return floor;
}
