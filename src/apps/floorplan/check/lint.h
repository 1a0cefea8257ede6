/* lint.h - the inside of tn_floor_lint: design rules (floorplan.md 9.4). Measures are compared in
 * metres and told in the plan's unit. Memory is the plan's arena. Threads: one at a time. */
#ifndef TN_FLOOR_LINT_H
#define TN_FLOOR_LINT_H

#include "apps/floorplan/plan/metrics.h"
#include "apps/floorplan/plan/ways.h"
#include "base/utf8.h"

enum tn_floor_room_kind {
	TN_ROOM_OTHER,
	TN_ROOM_CORE, /* of stairs or lifts */
	TN_ROOM_BATH,
	TN_ROOM_BED,
	TN_ROOM_KITCHEN,
	TN_ROOM_PANTRY, /* a kitchen where nobody stays */
	TN_ROOM_DINING,
	TN_ROOM_LIVING,
	TN_ROOM_OFFICE,
	TN_ROOM_HALL,
	TN_ROOM_STORE
};

enum { TN_LINT_RESIDENTIAL = 1, TN_LINT_COMMERCIAL = 2, TN_LINT_ADA = 3, TN_LINT_NONE = 4 };

struct tn_lint {
	struct tn_floor_plan *plan;
	struct tn_arena *arena;
	struct tn_floor_ways ways;
	const struct tn_floor_room_metrics *metrics; /* by room index */
	enum tn_floor_room_kind *kinds;              /* by room index */
	bool *reached;                               /* by node: from outside */
	uint32_t *queue;                             /* scratch of tn_lint_reach */
	bool *reached_without;                       /* by node: scratch */
	bool starved;
};

/* From the words of name and label, first match of the contract's list. */
enum tn_floor_room_kind tn_floor_room_kind(const struct tn_floor_room *room);

#define TN_LINT_NAME(text) (int)tn_utf8_cut(text, 128).size, (text).data

/* ---- telling (lint_tell.c) ---- */

/* "6.5 m" or "21.33 ft (6.5 m)", in the arena. */
const char *tn_lint_length(struct tn_lint *lint, double metres);
const char *tn_lint_area(struct tn_lint *lint, double square_metres);
static inline double tn_lint_metres(const struct tn_lint *lint, double units)
{
	return units * tn_floor_metres(lint->plan->unit);
}
void tn_lint_room(struct tn_lint *lint, int code, const struct tn_floor_room *room,
		  const char *hint, const char *format, ...) TN_PRINTF(5, 6);
void tn_lint_opening(struct tn_lint *lint, int code, const struct tn_floor_opening *opening,
		     const struct tn_floor_opening *related, const char *hint, const char *format,
		     ...) TN_PRINTF(6, 7);
struct tn_floor_range tn_lint_opening_range(const struct tn_lint *lint,
					    const struct tn_floor_opening *opening);
void tn_lint_floor(struct tn_lint *lint, int code, const struct tn_floor_floor *floor,
		   const char *hint, const char *format, ...) TN_PRINTF(5, 6);
/* The rooms of an opening; NULL: outside. */
void tn_lint_rooms_of(const struct tn_lint *lint, const struct tn_floor_opening *opening,
		      const struct tn_floor_room *ret[2]);
/* Sets reached[] of all nodes that can be reached from outside without `without` (NO_NODE: with
 * all). */
#define TN_LINT_NO_NODE UINT32_MAX
void tn_lint_reach(struct tn_lint *lint, uint32_t without, bool *reached);

void tn_lint_rooms(struct tn_lint *lint);  /* FP8003, FP8005, FP8007, FP8010 */
void tn_lint_access(struct tn_lint *lint); /* FP8001, FP8002, FP8006, FP8011 */
void tn_lint_floors(struct tn_lint *lint); /* FP8008, FP8009 */
void tn_lint_doors(struct tn_lint *lint);  /* FP8004, FP8012 */

#endif
