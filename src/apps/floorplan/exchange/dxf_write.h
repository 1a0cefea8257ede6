/* dxf_write.h - the entities of a DXF drawing (ASCII, R12), and where a floor lies in it.
 *
 * A pen knows the floor it draws: places are the plan's, in U, and are turned over and moved aside
 * on their way out. Failures stick to the buffer. Threads: one at a time. */
#ifndef TN_FLOOR_DXF_WRITE_H
#define TN_FLOOR_DXF_WRITE_H

#include "apps/floorplan/plan/plan.h"

enum tn_dxf_layer { /* floorplan.md 10.2 */
		    TN_DXF_ROOMS,
		    TN_DXF_WALLS,
		    TN_DXF_DOORS,
		    TN_DXF_WINDOWS,
		    TN_DXF_LABELS,
		    TN_DXF_DIMENSIONS,
		    TN_DXF_STAIRS,
		    TN_DXF_LIFTS,
		    TN_DXF_LAYER_COUNT
};

struct tn_dxf {
	struct tn_buf *out;
	const struct tn_floor_plan *plan;
	const struct tn_floor_floor *floor;
	bool prefixed; /* layers are called after their floor */
	bool starved;  /* the system refused memory, not a limit */
	double aside;  /* what is added to x */
	enum tn_dxf_layer layer;
	double low_x, low_y, high_x, high_y; /* of all points so far, as the drawing has them */
};

const char *tn_dxf_layer_name(enum tn_dxf_layer layer);
int tn_dxf_layer_colour(enum tn_dxf_layer layer);
void tn_dxf_put_layer(const struct tn_dxf *dxf, enum tn_dxf_layer layer); /* its name, a line */

/* A group code and its value. */
void tn_dxf_word(const struct tn_dxf *dxf, int code, const char *word);
void tn_dxf_count(const struct tn_dxf *dxf, int code, unsigned value);
void tn_dxf_real(const struct tn_dxf *dxf, int code, double value); /* has a point */

void tn_dxf_line(struct tn_dxf *dxf, double x1, double y1, double x2, double y2);
void tn_dxf_loop(struct tn_dxf *dxf, const struct tn_floor_point *points, size_t count);
void tn_dxf_rect(struct tn_dxf *dxf, const struct tn_floor_rect *rect);
void tn_dxf_circle(struct tn_dxf *dxf, double x, double y, double radius);
/* The angles as plans have them: clockwise, 0 to the right. */
void tn_dxf_arc(struct tn_dxf *dxf, double x, double y, double radius, double from, double to);

struct tn_dxf_text {
	double x, y, height; /* of the middle of capital letters */
	double angle;        /* degrees against the clock */
};
/* One line, around its middle; nothing when there is nothing to be seen. */
void tn_dxf_text(struct tn_dxf *dxf, struct tn_str words, const struct tn_dxf_text *how);

/* ---- what a floor has (dxf_parts.c) ---- */

void tn_dxf_put_circulation(struct tn_dxf *dxf); /* layers STAIRS and LIFTS */
void tn_dxf_put_labels(struct tn_dxf *dxf);
/* Chains above and left of the floor, as the picture has them (6.7). False: no memory. */
bool tn_dxf_put_dimensions(struct tn_dxf *dxf, struct tn_arena *arena);

#endif
