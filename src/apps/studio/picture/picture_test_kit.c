#include "apps/studio/picture/picture_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "store/file.h"

void tn_picture_kit_init(struct tn_picture_kit *kit, struct tn_str text)
{
	struct tn_json *tree, *operation;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf repairs, inverse;
	struct tenon_error err;

	assert_int_equal(tn_studio_registry_built_in(&kit->registry, &err), TENON_OK);
	tn_studio_document_init(&kit->document, kit->registry);
	tn_arena_init(&kit->arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&repairs, TN_MIB);
	tn_buf_init(&inverse, TN_STUDIO_FILE_BYTES_MAX);
	assert_int_equal(tn_json_parse_copy(&kit->arena, text, &tree, &err), TENON_OK);
	if (!tn_studio_document_read(kit->registry, tree, NULL, NULL, &kit->arena, &operation,
				     &repairs, &fault))
		fail_msg("%s", fault.message);
	if (tn_studio_document_ops.apply(&kit->document, operation, &inverse, &err) != TENON_OK)
		fail_msg("%s", err.message);
	assert_int_equal(tn_studio_document_index(&kit->document, &err), TENON_OK);
	tn_buf_finish(&repairs);
	tn_buf_finish(&inverse);
}

void tn_picture_kit_load(struct tn_picture_kit *kit, const char *name)
{
	struct tenon_error err;
	struct tn_buf text;
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/studio/pictures/%s.json", TN_TEST_DATA, name);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	if (tn_file_read(path, 0, &text, &err) != TENON_OK)
		fail_msg("%s: %s", path, err.message);
	tn_picture_kit_init(kit, tn_buf_str(&text));
	tn_buf_finish(&text);
}

void tn_picture_kit_finish(struct tn_picture_kit *kit)
{
	tn_studio_document_finish(&kit->document);
	tn_studio_registry_unref(kit->registry);
	tn_arena_finish(&kit->arena);
}

void tn_picture_kit_lay_out(struct tn_picture_kit *kit, enum tn_studio_direction direction)
{
	const struct tn_studio_placed *placed;
	size_t count, i;

	assert_true(tn_studio_layout(&kit->document, NULL, TN_STUDIO_LAYERED, direction,
				     &kit->arena, &placed, &count));
	for (i = 0; i < count; i++) {
		struct tn_studio_node *node = kit->document.nodes[placed[i].node->order];

		node->x = placed[i].rect.x;
		node->y = placed[i].rect.y;
		node->width = placed[i].rect.width;
		node->height = placed[i].rect.height;
	}
}

struct tn_display *tn_picture_kit_draw(struct tn_picture_kit *kit,
				       const struct tn_studio_picture_options *options)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_display *display = NULL;
	struct tenon_error err;

	assert_int_equal(
		tn_display_create(1, 1, tn_studio_page_colour(options->theme), &display, &err),
		TENON_OK);
	if (!tn_studio_draw(&kit->document, options, display, &fault))
		fail_msg("%s", fault.message);
	return display;
}
