/* scene_faces.h - the inside of scenes, for scene*.c: faces as planes and corners in pixels.
 *
 * The nearness of a plane at a pixel is a + b x + c y, larger is nearer: for parallel rays the
 * distance along them turned round, for perspective one over the depth. It is made of the plane
 * alone, so that faces in one plane have exactly the same. Threads: as scene.h. */
#ifndef TN_DRAW_SCENE_FACES_H
#define TN_DRAW_SCENE_FACES_H

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

/* ---- drawing: a band of samples at a time ---- */

enum {
	TN_SCENE_TILE = 16,      /* samples, either way */
	TN_SCENE_BAND_TILES = 4, /* from top to bottom, without what lines need below */
	TN_SCENE_ROWS = TN_SCENE_BAND_TILES + 1, /* of tiles, with that */
	TN_SCENE_COLUMNS = 4 /* of tiles in a block, which is as high as the band */
};
#define TN_SCENE_NO_FACE UINT32_MAX

struct tn_scene_tile {
	const struct tn_scene_face *cover; /* covers it whole; NULL: none does */
	double farthest;                   /* of all its samples at least this */
};

struct tn_scene_block { /* of tiles */
	struct tn_scene_tile
		whole; /* cover: the first of them all; NULL: they are of several planes */
	bool known;    /* otherwise to be found again */
	bool open;     /* the face that is drawn may be seen in it */
};

struct tn_scene_band {
	struct tn_scene *scene;
	struct tn_raster *raster;
	uint32_t fine;         /* samples in a pixel, either way */
	int32_t width, height; /* of the picture, in samples */
	int32_t first, rows;   /* samples, with those that lines need below */
	int32_t stride;        /* of tiles whole */
	int32_t reach;         /* of a line, in samples */
	double *nearness;      /* by sample */
	uint32_t *face;        /* by sample: index, TN_SCENE_NO_FACE */
	struct tn_scene_tile *tiles;
	struct tn_scene_block *blocks; /* from left to right */
	int32_t *next; /* of a crowd, by sample: itself or one further right, unvisited */
	double work;   /* samples looked at, and tiles */
	uint8_t line[3];
};

static inline bool tn_scene_same_plane(const struct tn_scene_face *a, const struct tn_scene_face *b)
{
	return a->a == b->a && a->b == b->b && a->c == b->c;
}

/* The nearest face of every sample of the band (scene_fill.c). The faces come nearest first, those
 * of one plane together and the last of them first. */
void tn_scene_fill_band(struct tn_scene_band *band);

#endif
