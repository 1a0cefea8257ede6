#include "apps/floorplan/picture/picture_test_kit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/floorplan/limits.h"
#include "base/mem.h"
#include "draw/png_test_kit.h"
#include "store/file.h"

struct tn_floor_picture_options tn_picture_kit_options(void)
{
	return (struct tn_floor_picture_options){
		.width = 800, .height = 600, .labels = -1, .dimensions = -1, .area_in_sqm = -1};
}

void tn_picture_kit_draw(struct tn_picture_kit *kit, struct tn_str text,
			 const struct tn_floor_picture_options *options)
{
	struct tenon_error err = {0};

	memset(kit, 0, sizeof(*kit));
	tn_arena_init(&kit->arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&kit->png, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_buf_init(&kit->svg, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (tn_floor_plan_create(text, false, &kit->plan, &err) != TENON_OK)
		fail_msg("%s", err.message);
	if (!kit->plan->tree.parses)
		fail_msg("%s", kit->plan->diagnostics.first->message);
	if (tn_floor_draw(kit->plan, options, &kit->arena, &kit->picture, &err) != TENON_OK ||
	    tn_draw_png(kit->picture.display, 1, &kit->png, &err) != TENON_OK ||
	    tn_draw_svg(kit->picture.display, &kit->svg, &err) != TENON_OK)
		fail_msg("%s", err.message);
	tn_buf_append_byte(&kit->svg, '\0');
	kit->pixels = tn_png_kit_decode(tn_buf_str(&kit->png), &kit->width, &kit->height);
}

void tn_picture_kit_read(const char *path, struct tn_buf *out)
{
	char whole[512];
	struct tenon_error err = {0};

	(void)snprintf(whole, sizeof(whole), "%s/%s", TN_TEST_DATA, path);
	tn_buf_init(out, 4 * TN_MIB);
	if (tn_file_read(whole, 0, out, &err) != TENON_OK)
		fail_msg("%s: %s", whole, err.message);
}

void tn_picture_kit_file(struct tn_picture_kit *kit, const char *name,
			 const struct tn_floor_picture_options *options)
{
	char path[256];
	struct tn_buf text;

	(void)snprintf(path, sizeof(path), "floorplan/%s.floorplan", name);
	tn_picture_kit_read(path, &text);
	tn_picture_kit_draw(kit, tn_buf_str(&text), options);
	tn_buf_finish(&text);
}

void tn_picture_kit_finish(struct tn_picture_kit *kit)
{
	tn_display_free(kit->picture.display);
	tn_arena_finish(&kit->arena);
	tn_floor_plan_free(kit->plan);
	tn_buf_finish(&kit->png);
	tn_buf_finish(&kit->svg);
	tn_mem_free(kit->pixels);
}

uint32_t tn_picture_kit_pixel(const struct tn_picture_kit *kit, double x, double y)
{
	const uint8_t *pixel;

	assert_true(x >= 0 && y >= 0 && x < kit->width && y < kit->height);
	pixel = kit->pixels + 3 * ((size_t)floor(y) * kit->width + (size_t)floor(x));
	return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

uint32_t tn_picture_kit_at(const struct tn_picture_kit *kit, double x, double y)
{
	const struct tn_floor_transform *at = &kit->picture.transforms[0];

	return tn_picture_kit_pixel(kit, at->x0 + at->scale * x, at->y0 + at->scale * y);
}

bool tn_picture_kit_has(const struct tn_picture_kit *kit, const char *text)
{
	return strstr(kit->svg.data, text) != NULL;
}
