/* limits.h - what bounds pictures. */
#ifndef TN_DRAW_LIMITS_H
#define TN_DRAW_LIMITS_H

#include "base/size.h"

#define TN_DRAW_ITEMS_MAX 1000000 /* shapes, pieces of paths, texts of one picture */
#define TN_DRAW_ARENA_MAX (256 * TN_MIB)
#define TN_DRAW_POINTS_MAX (16 * 1000 * 1000) /* of one shape, its curves and dashes as lines */
#define TN_DRAW_DASHES_MAX 100000             /* of one PNG: of more, lines are drawn through */
#define TN_DRAW_PIXELS_MAX (64 * 1000 * 1000) /* 256 MB while it is made */
#define TN_DRAW_SVG_BYTES_MAX (64 * TN_MIB)
#define TN_DRAW_SET_BYTES_MAX (64 * TN_KIB) /* of a text in fonts of the machine; longer: boxes */
#define TN_SCENE_FACES_MAX 262144           /* of solids: 40 MiB */
#define TN_SCENE_CORNERS_MAX 8              /* of a solid's base */
/* Samples of a picture, and of all faces over each other: more, and pixels have fewer of them. */
#define TN_SCENE_SAMPLES_MAX 110000000
#define TN_SCENE_WORK_MAX 800000000

#endif
