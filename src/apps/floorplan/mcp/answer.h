/* answer.h - a plan as facts for programs and models: rooms, stairs, lifts and openings as JSON
 * (floorplan.md 7.2). Lengths are in U, areas in the unit of area. Threads: any. */
#ifndef TN_FLOOR_ANSWER_H
#define TN_FLOOR_ANSWER_H

#include "apps/floorplan/plan/plan.h"

struct tn_floor_answer {
	const struct tn_floor_plan *plan;
	const uint32_t *keys; /* numbers in the legend by room index, 0: none; NULL: not drawn */
	bool sqm;
	const struct tn_floor_floor *const *floors; /* whose facts are told */
	size_t floor_count;
};

/* Members `unit`, `areaUnit`, `title`, `floorCount`. */
void tn_floor_put_heading(struct tn_buf *out, const struct tn_floor_answer *answer);
/* Members `rooms`, `stairs`, `lifts`, `openings`, of the floors told. */
void tn_floor_put_facts(struct tn_buf *out, const struct tn_floor_answer *answer);
/* {"x":..,"y":..}. */
void tn_floor_put_point(struct tn_buf *out, double x, double y);
void tn_floor_put_member_number(struct tn_buf *out, const char *key, double number);

#endif
