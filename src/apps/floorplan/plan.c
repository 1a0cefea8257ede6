/* The whole way from text to plan, and small questions about plans. */
#include "apps/floorplan/plan.h"

#include <math.h>

#include "apps/floorplan/metrics.h"
#include "base/limits.h"
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

/* ---- words ---- */

double tn_floor_metres(enum tn_floor_unit unit)
{
	static const double metres[] = {1, 1, 0.3048, 0.01, 0.0254, 0.001};

	return metres[unit];
}

const char *tn_floor_unit_name(enum tn_floor_unit unit)
{
	static const char *const names[] = {"", "m", "ft", "cm", "in", "mm"};

	return names[unit];
}

const char *tn_floor_side_name(enum tn_floor_side side)
{
	static const char *const names[] = {"top", "right", "bottom", "left", ""};

	return names[side];
}

const char *tn_floor_wall_name(enum tn_floor_wall_type type)
{
	static const char *const names[] = {"solid", "door", "window", "open"};

	return names[type];
}

/* ---- numbers ---- */

double tn_floor_to_unit(const struct tn_floor_plan *plan, const struct tn_floor_length *length)
{
	if (length->unit == TN_FLOOR_NO_UNIT || length->unit == plan->unit)
		return length->number;
	return length->number * tn_floor_metres(length->unit) / tn_floor_metres(plan->unit);
}

void tn_floor_put_number(struct tn_buf *out, double number)
{
	static const double whole_max = 9e12; /* times a million it still is an int64 */
	long long millionths;
	unsigned digits = 6;

	if (!isfinite(number)) {
		tn_buf_append_byte(out, '0'); /* 11: neither NaN nor infinity leaves the process */
		return;
	}
	if (fabs(number) >= whole_max) {
		tn_buf_format(out, "%.0f", number);
		return;
	}
	millionths = llround(number * 1e6);
	if (millionths < 0) {
		tn_buf_append_byte(out, '-');
		millionths = -millionths;
	}
	tn_buf_format(out, "%lld", millionths / 1000000);
	millionths %= 1000000;
	if (millionths == 0)
		return;
	for (; millionths % 10 == 0; digits--)
		millionths /= 10;
	tn_buf_format(out, ".%0*lld", (int)digits, millionths);
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
