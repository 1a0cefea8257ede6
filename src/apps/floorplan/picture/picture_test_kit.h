/* picture_test_kit.h - plans of texts and files as pictures, and the pixels of a PNG read back. */
#ifndef TN_FLOOR_PICTURE_TEST_KIT_H
#define TN_FLOOR_PICTURE_TEST_KIT_H

#include "apps/floorplan/picture/picture.h"

struct tn_picture_kit {
	struct tn_floor_plan *plan;
	struct tn_floor_picture picture;
	struct tn_arena arena;
	struct tn_buf png, svg;
	uint8_t *pixels; /* RGB, rows from the top */
	uint32_t width, height;
};

/* 800 x 600, everything else as the plan has it. */
struct tn_floor_picture_options tn_picture_kit_options(void);
/* A mistake fails the test. */
void tn_picture_kit_draw(struct tn_picture_kit *kit, struct tn_str text,
			 const struct tn_floor_picture_options *options);
void tn_picture_kit_file(struct tn_picture_kit *kit, const char *name,
			 const struct tn_floor_picture_options *options);
void tn_picture_kit_read(const char *path, struct tn_buf *out); /* below tests/data */
void tn_picture_kit_finish(struct tn_picture_kit *kit);

/* 0xRRGGBB; beyond the page: fails. */
uint32_t tn_picture_kit_pixel(const struct tn_picture_kit *kit, double x, double y);
/* At a place of the first floor drawn, in U. */
uint32_t tn_picture_kit_at(const struct tn_picture_kit *kit, double x, double y);
bool tn_picture_kit_has(const struct tn_picture_kit *kit, const char *text); /* the SVG */

#endif
