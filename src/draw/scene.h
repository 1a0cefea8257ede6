/* scene.h - solids in space, seen from anywhere, as pixels: upright prisms with a nearness for
 * every sample, so that what lies in front covers what lies behind however they cut each other.
 *
 * Places are in the user's units: x to the right, y towards the reader, z up (a plan seen from
 * above whose y grows downwards). Where two planes meet, and where a solid ends, a line is drawn.
 * Time grows with the pixels and the faces, memory with the faces alone (a band of samples is
 * held). The same scene gives the same bytes in every build: + - * / and square roots only.
 * Ownership: the caller owns the struct. Failures stick and are told by tn_scene_draw. Threads: one
 * at a time. */
#ifndef TN_DRAW_SCENE_H
#define TN_DRAW_SCENE_H

#include "draw/raster.h"

struct tn_point3 {
	double x, y, z;
};

struct tn_camera {
	bool perspective;          /* otherwise all rays are parallel */
	struct tn_point3 from, to; /* parallel: only the direction counts, and where `to` is */
	double x, y;               /* the pixel that `to` is at */
	double scale;              /* parallel: pixels a unit. Perspective: at distance 1 */
};

struct tn_scene_face;
struct tn_scene_mark;

struct tn_scene {
	struct tn_camera camera;
	struct tn_point3 right, down, forward; /* of length 1 */
	double width, height;                  /* pixels */
	struct tn_scene_face *faces;
	size_t face_count, face_room;
	struct tn_point *corners; /* of the faces, in pixels */
	size_t corner_count, corner_room;
	struct tn_scene_mark *marks;
	size_t mark_count, mark_room;
	enum tenon_code failed;
};

/* False: `from` and `to` are one place. From straight above, the plan's top is the picture's. */
bool tn_scene_init(struct tn_scene *scene, const struct tn_camera *camera, uint32_t width,
		   uint32_t height);
void tn_scene_finish(struct tn_scene *scene);

/* Where a place is in the picture. False: behind the camera. */
bool tn_scene_pixel(const struct tn_scene *scene, struct tn_point3 at, struct tn_point *ret);

struct tn_prism {
	const struct tn_point *base; /* convex, either way round, 3 to TN_SCENE_CORNERS_MAX */
	unsigned count;
	double bottom, top;
	tn_colour top_colour, side_colour; /* opaque; sides are shaded by where they look */
};
/* Faces in one plane at one place: the later one is seen. */
void tn_scene_add(struct tn_scene *scene, const struct tn_prism *prism);

/* A place of which tn_scene_is_seen tells, once drawn, whether anything is before it. The number to
 * ask with. */
size_t tn_scene_mark(struct tn_scene *scene, struct tn_point3 at);
bool tn_scene_is_seen(const struct tn_scene *scene, size_t mark);

/* Over what the raster, of the scene's size, holds. `line`: its width in pixels. Fails: LIMIT
 * (TN_SCENE_FACES_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_scene_draw(struct tn_scene *scene, struct tn_raster *raster,
					  tn_colour line_colour, double line,
					  struct tenon_error *err);

#endif
