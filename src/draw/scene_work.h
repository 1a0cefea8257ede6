/* scene_work.h - the inside of scenes, for scene*.c: faces as planes and corners in pixels.
 *
 * The nearness of a plane at a pixel is a + b x + c y, larger is nearer: for parallel rays the
 * distance along them turned round, for perspective one over the depth. It is made of the plane
 * alone, so that faces in one plane have exactly the same. Threads: as scene.h. */
#ifndef TN_DRAW_SCENE_WORK_H
#define TN_DRAW_SCENE_WORK_H

#include "draw/scene.h"

struct tn_scene_face {
	double a, b, c;
	double nearest;     /* of its corners */
	double left, right; /* pixels */
	double top, bottom; /* pixels */
	uint32_t first_corner;
	uint32_t number; /* in the order they came: sorting loses it */
	uint16_t corner_count;
	uint8_t rgb[3];
};

struct tn_scene_mark {
	struct tn_point at;
	double nearness;
	bool seen;
};

#endif
