/* outline.h - shapes as contours of straight lines, in pixels: what is filled and stroked.
 *
 * Arithmetic is + - * / and square roots only, so that every build gives the same points.
 * Ownership: the caller owns the struct. Failures stick. Threads: one at a time. */
#ifndef TN_DRAW_OUTLINE_H
#define TN_DRAW_OUTLINE_H

#include "base/error.h"
#include "draw/items.h"

struct tn_point {
	double x, y;
};

struct tn_contour {
	size_t first, count; /* of the points */
	bool closed;
};

struct tn_outline {
	double ax, bx, ay, by, x, y; /* x' = ax * X + bx * Y + x, y' = ay * X + by * Y + y */
	struct tn_point *points;
	size_t point_count, point_room;
	struct tn_contour *contours;
	size_t contour_count, contour_room;
	struct tn_point at; /* before the transformation */
	bool failed;        /* no memory, or more than TN_DRAW_POINTS_MAX */
};

void tn_outline_init(struct tn_outline *outline); /* allocates nothing */
void tn_outline_finish(struct tn_outline *outline);
void tn_outline_clear(struct tn_outline *outline); /* keeps memory and transformation */

void tn_outline_move(struct tn_outline *outline, double x, double y);
void tn_outline_line(struct tn_outline *outline, double x, double y);
void tn_outline_quadratic(struct tn_outline *outline, double cx, double cy, double x, double y);
void tn_outline_cubic(struct tn_outline *outline, const double at[6]);
void tn_outline_close(struct tn_outline *outline);

/* A RECT, ELLIPSE or PATH. */
void tn_outline_add_shape(struct tn_outline *outline, const struct tn_draw_item *item);

/* Turns what `from` draws into the area that a pen of this width (in pixels) covers: contours of
 * one direction, to be filled by the non-zero rule. Dashes are in pixels. */
void tn_outline_stroke(const struct tn_outline *from, double width, const double dash[4],
		       bool round, struct tn_outline *to);

#endif
