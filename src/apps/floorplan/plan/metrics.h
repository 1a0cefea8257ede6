/* metrics.h - areas, adjacency, access and egress of a plan (floorplan.md section 9), and the
 * design rules. Pure functions of a resolved plan (`tree.parses`); rooms without a place count
 * for nothing. Threads: any. */
#ifndef TN_FLOOR_METRICS_H
#define TN_FLOOR_METRICS_H

#include "apps/floorplan/plan/plan.h"

struct tn_floor_room_metrics {
	double area, volume, perimeter; /* U^2, U^3, U */
	double net_area;                /* without half a wall on every side that is not open */
	double window_area;
	double exterior_wall; /* length of its walls that have no other room behind them */
	unsigned doors;       /* that lead into it, whoever's wall they are in */
};
struct tn_floor_floor_metrics {
	unsigned room_count, sub_room_count;
	double net_area, covered_area;
	double overlap_area; /* net_area - covered_area: what is counted more than once */
	struct tn_floor_rect bounds;
	double efficiency; /* 0..1 (more if rooms overlap), two decimals */
};
/* Of all rooms, by their index. NULL: no memory. */
const struct tn_floor_room_metrics *tn_floor_rooms_measure(const struct tn_floor_plan *plan,
							   struct tn_arena *arena);
/* False: no memory. */
bool tn_floor_floor_measure(const struct tn_floor_plan *plan, const struct tn_floor_floor *floor,
			    struct tn_arena *arena, struct tn_floor_floor_metrics *ret);
/* Area of the union; the sweep is O(n log n). False: no memory. */
bool tn_floor_union_area(const struct tn_floor_rect *rects, size_t count, struct tn_arena *arena,
			 double *ret);
/* From U^2 to the unit of area that is wanted (settings.area_in_sqm, unless the caller says
 * otherwise). */
double tn_floor_area(const struct tn_floor_plan *plan, double square_units, bool sqm);

/* JSON, each as one value; without memory the buffer fails. `summary` of 9.1: an object;
 * `floorMetrics`: an object of one floor; a room's metrics: an object. */
void tn_floor_put_summary(struct tn_buf *out, const struct tn_floor_plan *plan, bool sqm);
void tn_floor_put_floor_metrics(struct tn_buf *out, const struct tn_floor_plan *plan,
				const struct tn_floor_floor *floor, bool sqm);
void tn_floor_put_room_metrics(struct tn_buf *out, const struct tn_floor_plan *plan,
			       const struct tn_floor_room_metrics *metrics, bool sqm);
/* `adjacency` of 9.2: [{"floor","pairs":[{a, aWall, b, bWall, start, end, length}]}]. */
void tn_floor_put_adjacency(struct tn_buf *out, const struct tn_floor_plan *plan);
/* `access` of 9.2: {"nodes":[{id, kind, floor, name}],"edges":[{from, to, kind, line?}]}. */
void tn_floor_put_access(struct tn_buf *out, const struct tn_floor_plan *plan);
/* `egress` of 9.3: {"rooms":[{floor, room, reachable, doors, distance}],
 * "longest":[{floor, room, distance}]}. */
void tn_floor_put_egress(struct tn_buf *out, const struct tn_floor_plan *plan);

/* FP80xx, to plan->diagnostics (9.4), which the caller sorts; nothing while the plan has errors.
 * False: no memory. */
bool tn_floor_lint(struct tn_floor_plan *plan);

#endif
