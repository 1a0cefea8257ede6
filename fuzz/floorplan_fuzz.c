/* Floorplan text through the whole engine: text to plan, every diagnostic written, every number
 * finite. Ranges must lie in the text and follow each other. */
#include <math.h>
#include <stdint.h>

#include "apps/floorplan/plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rooms(const struct tn_floor_plan *plan)
{
	for (uint32_t i = 0; i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];

		tn_assert(room->placed || !plan->valid);
		tn_assert(!room->placed || (isfinite(room->rect.x) && isfinite(room->rect.y) &&
					    room->rect.width > 0 && room->rect.height > 0));
	}
}

static void check_floor(const struct tn_floor_plan *plan, const struct tn_floor_floor *floor)
{
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		tn_assert(at->placed || !plan->valid);
		for (unsigned i = 0; at->placed && i < at->path_count; i++)
			tn_assert(isfinite(at->path[i].x) && isfinite(at->path[i].y));
	}
	for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
		tn_assert(isfinite(at->line) && isfinite(at->center) && at->width > 0 &&
			  at->height > 0 && (at->room || at->connect));
}

static void check_diagnostics(const struct tn_floor_plan *plan, size_t size)
{
	const struct tn_floor_diagnostic *at = plan->diagnostics.first;
	struct tn_buf out;

	tn_buf_init(&out, 64 * TN_MIB);
	for (; at; at = at->next) {
		tn_assert(at->range.line > 0 && at->range.column > 0);
		tn_assert(at->range.start <= at->range.end && at->range.end <= size);
		tn_assert(!at->next || at->range.line <= at->next->range.line);
		tn_floor_diagnostic_put(&out, at);
	}
	tn_assert(!out.failed);
	tn_buf_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_floor_plan *plan = NULL;
	struct tenon_error err;

	if (tn_floor_plan_create(tn_str((const char *)data, size), false, &plan, &err) != TENON_OK)
		return 0;
	check_diagnostics(plan, size);
	if (plan->tree.parses) {
		check_rooms(plan);
		for (const struct tn_floor_floor *at = plan->floors; at; at = at->next)
			check_floor(plan, at);
	}
	tn_floor_plan_free(plan);
	return 0;
}
