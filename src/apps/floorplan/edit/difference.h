/* difference.h - what changed between two versions of a plan, as facts. Threads: any. */
#ifndef TN_FLOOR_DIFFERENCE_H
#define TN_FLOOR_DIFFERENCE_H

#include "apps/floorplan/plan/plan.h"

/* Rooms, stairs, lifts and connections that came, went, moved, or are otherwise another: a line
 * each, "+ ", "- " or "~ " first; floor by floor. Both plans have been resolved (tree.parses).
 * Returns how many; failures stick to the buffer. */
size_t tn_floor_put_difference(struct tn_buf *out, const struct tn_floor_plan *before,
			       const struct tn_floor_plan *after);
/* The same as a JSON array of {change, kind, floor, name, text}. */
size_t tn_floor_put_difference_json(struct tn_buf *out, const struct tn_floor_plan *before,
				    const struct tn_floor_plan *after);

#endif
