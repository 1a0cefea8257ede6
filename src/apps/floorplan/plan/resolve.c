/* From tree to plan: the steps in order. */
#include "apps/floorplan/plan/resolve.h"

static size_t count_rooms(const struct tn_floor_room_tree *room)
{
	size_t count = 0;

	for (; room; room = room->next)
		count += 1 + count_rooms(room->rooms); /* at most 8 deep */
	return count;
}

static size_t count_names(const struct tn_floor_tree *tree)
{
	size_t count = 0;

	for (const struct tn_floor_define_tree *at = tree->defines; at; at = at->next)
		count++;
	for (const struct tn_floor_style_tree *at = tree->styles; at; at = at->next)
		count++;
	for (const struct tn_floor_floor_tree *at = tree->floors; at; at = at->next) {
		count += 1 + count_rooms(at->rooms);
		for (const struct tn_floor_stair_tree *stair = at->stairs; stair;
		     stair = stair->next)
			count++;
		for (const struct tn_floor_lift_tree *lift = at->lifts; lift; lift = lift->next)
			count++;
	}
	return count;
}

static void run(struct tn_resolver *r, void (*const *steps)(struct tn_resolver *))
{
	for (; *steps && !r->list->starved; steps++)
		(*steps)(r);
}

/* Names, units and what there is. `unit`: the plan's, when no other is chosen; NO_UNIT: the
 * lengths say. */
static bool begin(struct tn_resolver *r, enum tn_floor_unit unit)
{
	if (!tn_names_init(r, count_names(&r->plan->tree)))
		return false;
	tn_resolve_settings_collect(r);
	r->plan->unit_is_chosen = r->plan->unit != TN_FLOOR_NO_UNIT;
	if (unit == TN_FLOOR_NO_UNIT)
		tn_resolve_units(r);
	else if (r->plan->unit == TN_FLOOR_NO_UNIT)
		r->plan->unit = unit;
	tn_resolve_styles(r);
	tn_resolve_settings(r);
	tn_resolve_defines(r);
	return !r->list->starved && tn_resolve_build(r);
}

static struct tn_resolver resolver_of(struct tn_floor_plan *plan)
{
	return (struct tn_resolver){.plan = plan,
				    .arena = &plan->arena,
				    .list = &plan->diagnostics,
				    .lexed = &plan->tree.lexed};
}

bool tn_floor_resolve(struct tn_floor_plan *plan)
{
	static void (*const steps[])(struct tn_resolver *) = {
		tn_resolve_stairs,        tn_resolve_positions,
		tn_resolve_containers,    tn_resolve_shared,
		tn_resolve_connections,   tn_resolve_shared_types,
		tn_resolve_wall_openings, tn_resolve_footprints,
		tn_resolve_verticals,     NULL};
	struct tn_resolver r = resolver_of(plan);

	if (!begin(&r, TN_FLOOR_NO_UNIT))
		return false;
	run(&r, steps);
	return !r.list->starved;
}

bool tn_floor_resolve_places(struct tn_floor_plan *plan, enum tn_floor_unit unit)
{
	static void (*const steps[])(struct tn_resolver *) = {tn_resolve_stairs,
							      tn_resolve_positions, NULL};
	struct tn_resolver r = resolver_of(plan);

	plan->diagnostics.silent = true;
	if (!begin(&r, unit))
		return false;
	run(&r, steps);
	return !r.list->starved;
}
