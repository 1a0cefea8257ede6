/* metrics.h - areas, adjacency, access and egress of a plan (floorplan.md section 9), and the
 * design rules. Pure functions of a resolved plan. Threads: any. */
#ifndef TN_FLOOR_METRICS_H
#define TN_FLOOR_METRICS_H

#include "apps/floorplan/plan.h"

struct tn_floor_room_metrics {
	double area, volume, net_area, perimeter, window_area, exterior_wall; /* U, U^2, U^3 */
	unsigned doors;
};
struct tn_floor_floor_metrics {
	unsigned room_count, sub_room_count;
	double net_area, covered_area, overlap_area;
	struct tn_floor_rect bounds;
	double efficiency; /* 0..1, two decimals */
};
void tn_floor_room_measure(const struct tn_floor_plan *plan, const struct tn_floor_room *room,
			   struct tn_floor_room_metrics *ret);
/* False: no memory. */
bool tn_floor_floor_measure(const struct tn_floor_plan *plan, const struct tn_floor_floor *floor,
			    struct tn_arena *arena, struct tn_floor_floor_metrics *ret);
/* In the unit of area that is wanted (settings, unless the caller says otherwise). */
double tn_floor_area(const struct tn_floor_plan *plan, double square_units, bool sqm);

/* JSON: `summary` and `floorMetrics` of 9.1 (floors NULL: all), `adjacency` and `access` of 9.2,
 * `egress` of 9.3; each as a value. */
void tn_floor_put_summary(struct tn_buf *out, const struct tn_floor_plan *plan, bool sqm);
void tn_floor_put_floor_metrics(struct tn_buf *out, const struct tn_floor_plan *plan,
				const struct tn_floor_floor *floor, bool sqm);
void tn_floor_put_room_metrics(struct tn_buf *out, const struct tn_floor_plan *plan,
			       const struct tn_floor_room *room, bool sqm);
void tn_floor_put_adjacency(struct tn_buf *out, const struct tn_floor_plan *plan);
void tn_floor_put_access(struct tn_buf *out, const struct tn_floor_plan *plan);
void tn_floor_put_egress(struct tn_buf *out, const struct tn_floor_plan *plan);

/* FP80xx, to plan->diagnostics (9.4). False: no memory. */
bool tn_floor_lint(struct tn_floor_plan *plan);

#endif
