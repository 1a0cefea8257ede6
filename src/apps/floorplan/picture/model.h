/* model.h - a plan as solids in space, seen from a camera (floorplan.md 10.3): floors are stacked
 * by their heights, walls rise to theirs with doors and windows as holes, stairs are steps.
 *
 * Places are in U: x and y as in the plan, z up from the first floor. The same plan with the same
 * options gives the same bytes. Threads: any. */
#ifndef TN_FLOOR_MODEL_H
#define TN_FLOOR_MODEL_H

#include "apps/floorplan/picture/picture.h"
#include "draw/scene.h"

struct tn_floor_view { /* as asked for, then as it was */
	bool perspective;
	bool has_from, has_to; /* otherwise where all of it is seen from; its middle */
	struct tn_point3 from, to;
	double fov;                /* degrees, from top to bottom; of perspective */
	struct tn_point3 min, max; /* what there is: set */
};

/* A PNG of the floors that the options name. *ret: `display` is NULL, and the transforms tell the
 * floors only. Fails: NOT_FOUND (a floor; FP9002), INVALID (nothing is seen from there), LIMIT,
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_draw_model(const struct tn_floor_plan *plan,
						const struct tn_floor_picture_options *options,
						struct tn_floor_view *view, struct tn_arena *arena,
						struct tn_buf *out, struct tn_floor_picture *ret,
						struct tenon_error *err);

#endif
