/* picture.h - a plan as a display list (floorplan.md section 6). The same plan with the same
 * options gives the same list. Threads: any. */
#ifndef TN_FLOOR_PICTURE_H
#define TN_FLOOR_PICTURE_H

#include "apps/floorplan/plan/metrics.h"
#include "draw/display.h"

enum tn_floor_layout { TN_FLOOR_SIDE_BY_SIDE, TN_FLOOR_STACKED };

struct tn_floor_picture_options {    /* 7.2; what the tool left out is the configuration's */
	uint32_t width, height;      /* pixels */
	const struct tn_str *floors; /* names; NULL: see below */
	size_t floor_count;
	uint32_t floor_index; /* 0; counts without names and without all_floors */
	bool all_floors;
	enum tn_floor_layout layout;
	struct tn_str theme;    /* empty: the configuration's */
	int labels, dimensions; /* -1: the configuration's */
	bool area, summary, legend, no_scale_bar;
	int area_in_sqm;                /* -1: the configuration's */
	enum tn_floor_unit length_unit; /* NO_UNIT: U */
	bool dimensions_in_rooms, architectural;
	double scale;                 /* pixels per U, for paper; 0: the largest that fits */
	bool diagnostics;             /* drawn where they are: a mark with its code */
	struct tn_fonts *fonts;       /* for what the embedded font lacks; NULL: boxes */
	struct tn_letters_told *told; /* gets what is told of the letters; NULL: nobody asks */
};

struct tn_floor_transform { /* pixel = x0 + scale * x, y0 + scale * y */
	const struct tn_floor_floor *floor;
	double scale, x0, y0;
};
struct tn_floor_picture {
	struct tn_display *display;
	struct tn_floor_transform *transforms; /* of the floors drawn, in order; in the arena */
	size_t transform_count;
	uint32_t *keys; /* by room index: its number in the legend, 0: none; in the arena */
};
/* Whether the floors that are asked for are there. Fails: NOT_FOUND (FP9002), with a sentence about
 * the first that is not; *ret_at is its place in `floors`, 0 of an index. */
TN_MUST_USE enum tenon_code tn_floor_floors_check(const struct tn_floor_plan *plan,
						  const struct tn_floor_picture_options *options,
						  size_t *ret_at, struct tenon_error *err);
/* Fails: NOT_FOUND (a floor; FP9002), LIMIT, NO_MEMORY. The display is the caller's. */
TN_MUST_USE enum tenon_code tn_floor_draw(const struct tn_floor_plan *plan,
					  const struct tn_floor_picture_options *options,
					  struct tn_arena *arena, struct tn_floor_picture *ret,
					  struct tenon_error *err);
/* What is different between two versions of a plan: rooms that came, went, moved or changed, drawn
 * over the new one. */
TN_MUST_USE enum tenon_code
tn_floor_draw_difference(const struct tn_floor_plan *before, const struct tn_floor_plan *after,
			 const struct tn_floor_picture_options *options, struct tn_arena *arena,
			 struct tn_floor_picture *ret, struct tenon_error *err);

#endif
