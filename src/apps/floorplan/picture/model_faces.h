/* model_faces.h - the inside of plans in space, for the files model*.c.
 *
 * Every solid passes tn_model_put several times: first the room they take is measured, then how
 * large they look, then they are drawn. Threads: one at a time. */
#ifndef TN_FLOORPLAN_PICTURE_MODEL_FACES_H
#define TN_FLOORPLAN_PICTURE_MODEL_FACES_H

#include "apps/floorplan/picture/model.h"
#include "apps/floorplan/picture/internal.h"

enum tn_model_act { TN_MODEL_MEASURE, TN_MODEL_LOOK, TN_MODEL_DRAW };

struct tn_model_walls { /* of a floor drawn */
	const struct tn_floor_wall_piece *pieces;
	size_t count;
};

struct tn_model {
	struct tn_painter painter;
	enum tn_model_act act;
	struct tn_floor_view *view;
	struct tn_scene scene;
	struct tn_model_walls *walls; /* by cell */
	struct tn_floor_box look;     /* LOOK: of everything, in pixels of the scene */
	double base;                  /* of the floor that is made */
	size_t steps;                 /* that a stair may have */
};

struct tn_model_colours {
	tn_colour top, side;
};

/* ---- solids (model_solid.c) ---- */

/* `bottom` and `top` above the base of the floor. */
void tn_model_put(struct tn_model *model, const struct tn_point *base, unsigned count,
		  double bottom, double top, struct tn_model_colours colours);
void tn_model_put_box(struct tn_model *model, const struct tn_floor_rect *rect, double bottom,
		      double top, struct tn_model_colours colours);
/* LOOK: the picture takes this in; what is behind the camera looks as large as can be. */
void tn_model_look_at(struct tn_model *model, struct tn_point3 at);
/* A millionth of U: what builds differ in, in the last bit, is gone. */
double tn_model_steady(double length);
/* `part` of b in a. */
tn_colour tn_model_mix(tn_colour a, tn_colour b, double part);

/* ---- what is made of them ---- */

/* With doors and windows as holes (model_wall.c). */
void tn_model_put_walls(struct tn_model *model, const struct tn_model_walls *walls);
/* model_stair.c */
void tn_model_put_circulation(struct tn_model *model, const struct tn_floor_floor *floor);

#endif
