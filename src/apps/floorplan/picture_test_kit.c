#include "apps/floorplan/picture_test_kit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "base/limits.h"
#include "base/mem.h"
#include "store/file.h"

struct tn_floor_picture_options tn_picture_kit_options(void)
{
	return (struct tn_floor_picture_options){
		.width = 800, .height = 600, .labels = -1, .dimensions = -1, .area_in_sqm = -1};
}

static uint32_t number_at(const char *at)
{
	const uint8_t *bytes = (const uint8_t *)at;

	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

/* floorplan.md 6.2: RGB, 8 bit, no alpha, not interlaced, and nothing but head, pixels and end. */
static struct tn_str check_chunks(struct tn_picture_kit *kit)
{
	static const char signature[] = "\x89PNG\r\n\x1a\n";
	static const char layout[] = {8, 2, 0, 0, 0}; /* bits, colours, and three zeros */
	struct tn_str png = tn_buf_str(&kit->png), data;
	size_t head = 8 + 12 + 13, size;

	assert_true(png.size > head + 24);
	assert_memory_equal(png.data, signature, 8);
	assert_int_equal(number_at(png.data + 8), 13);
	assert_memory_equal(png.data + 12, "IHDR", 4);
	kit->width = number_at(png.data + 16);
	kit->height = number_at(png.data + 20);
	assert_memory_equal(png.data + 24, layout, sizeof(layout));
	size = number_at(png.data + head);
	assert_memory_equal(png.data + head + 4, "IDAT", 4);
	assert_int_equal(head + 12 + size + 12, png.size);
	assert_memory_equal(png.data + head + 12 + size + 4, "IEND", 4);
	data = tn_str(png.data + head + 8, size);
	return data;
}

static void decode(struct tn_picture_kit *kit)
{
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	struct tn_str data = check_chunks(kit);
	size_t stride = (size_t)kit->width * 3, size = (stride + 1) * kit->height;
	uint8_t *raw = tn_mem_alloc(size);

	assert_non_null(unpacker);
	assert_non_null(raw);
	assert_int_equal(
		libdeflate_zlib_decompress(unpacker, data.data, data.size, raw, size, NULL),
		LIBDEFLATE_SUCCESS);
	libdeflate_free_decompressor(unpacker);
	kit->pixels = tn_mem_alloc(stride * kit->height);
	assert_non_null(kit->pixels);
	for (uint32_t y = 0; y < kit->height; y++) {
		const uint8_t *row = raw + (stride + 1) * y;
		uint8_t *to = kit->pixels + stride * y;

		assert_true(row[0] == 0 || row[0] == 2);
		for (size_t i = 0; i < stride; i++)
			to[i] = (uint8_t)(row[1 + i] + (row[0] == 2 && y > 0 ? to[i - stride] : 0));
	}
	tn_mem_free(raw);
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
	decode(kit);
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
