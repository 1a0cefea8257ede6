/* dxf_test_kit.h - a DXF drawing read back, by a reader that knows nothing of the writer. For
 * cmocka tests. Threads: one at a time. */
#ifndef TN_FLOOR_DXF_TEST_KIT_H
#define TN_FLOOR_DXF_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/exchange/interchange.h"
#include "base/size.h"

enum { DXF_POINTS_MAX = 64 };

struct dxf_entity { /* coordinates as the drawing has them: y points up */
	struct tn_str kind, layer, words;
	double x, y, x2, y2, radius, start, end, height;
	bool closed; /* a POLYLINE: */
	size_t count;
	struct tn_floor_point points[DXF_POINTS_MAX];
};

struct dxf {
	struct tn_buf text;
	struct tn_arena arena;
	struct tn_floor_plan *plan;
	struct dxf_entity *entities;
	size_t count;
};

/* The drawing of a plan; fails the test when the plan or the drawing is bad. */
void dxf_draw(struct dxf *dxf, struct tn_str plan);
void dxf_finish(struct dxf *dxf);

/* Of a variable of the header: the value behind group `code`. */
struct tn_str dxf_variable(const struct dxf *dxf, const char *name, int code);
double dxf_variable_number(const struct dxf *dxf, const char *name, int code);
/* The colour of a layer; 0: there is none. */
int dxf_colour(const struct dxf *dxf, const char *layer);
/* The n-th entity of a kind on a layer; NULL: there are fewer. */
const struct dxf_entity *dxf_find(const struct dxf *dxf, const char *kind, const char *layer,
				  size_t n);
void dxf_near(double found, double wanted);

#endif
