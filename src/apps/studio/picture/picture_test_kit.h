/* picture_test_kit.h - diagrams of tests/data/studio/pictures as documents, laid out. */
#ifndef TN_STUDIO_PICTURE_TEST_KIT_H
#define TN_STUDIO_PICTURE_TEST_KIT_H

#include "apps/studio/picture/picture.h"

struct tn_picture_kit {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	struct tn_arena arena;
};
/* `text` is a diagram.json; a mistake fails the test. */
void tn_picture_kit_init(struct tn_picture_kit *kit, struct tn_str text);
void tn_picture_kit_load(struct tn_picture_kit *kit, const char *name); /* "three-tier" */
void tn_picture_kit_finish(struct tn_picture_kit *kit);
void tn_picture_kit_lay_out(struct tn_picture_kit *kit, enum tn_studio_direction direction);
/* The finished list; the caller's. */
struct tn_display *tn_picture_kit_draw(struct tn_picture_kit *kit,
				       const struct tn_studio_picture_options *options);

#endif
