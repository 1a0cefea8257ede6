#include "draw/png_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "base/mem.h"

static uint32_t number_at(const char *at)
{
	const uint8_t *bytes = (const uint8_t *)at;

	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

/* RGB, 8 bit, no alpha, not interlaced, and nothing but head, pixels and end. */
static struct tn_str check_chunks(struct tn_str png, uint32_t *ret_width, uint32_t *ret_height)
{
	static const char signature[] = "\x89PNG\r\n\x1a\n";
	static const char layout[] = {8, 2, 0, 0, 0}; /* bits, colours, and three zeros */
	size_t head = 8 + 12 + 13, size;

	assert_true(png.size > head + 24);
	assert_memory_equal(png.data, signature, 8);
	assert_int_equal(number_at(png.data + 8), 13);
	assert_memory_equal(png.data + 12, "IHDR", 4);
	*ret_width = number_at(png.data + 16);
	*ret_height = number_at(png.data + 20);
	assert_memory_equal(png.data + 24, layout, sizeof(layout));
	size = number_at(png.data + head);
	assert_memory_equal(png.data + head + 4, "IDAT", 4);
	assert_int_equal(head + 12 + size + 12, png.size);
	assert_memory_equal(png.data + head + 12 + size + 4, "IEND", 4);
	return tn_str(png.data + head + 8, size);
}

uint8_t *tn_png_kit_decode(struct tn_str png, uint32_t *ret_width, uint32_t *ret_height)
{
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	struct tn_str data = check_chunks(png, ret_width, ret_height);
	size_t stride = (size_t)*ret_width * 3, size = (stride + 1) * *ret_height;
	uint8_t *raw = tn_mem_alloc(size), *pixels = tn_mem_alloc(stride * *ret_height);

	assert_non_null(unpacker);
	assert_non_null(raw);
	assert_int_equal(
		libdeflate_zlib_decompress(unpacker, data.data, data.size, raw, size, NULL),
		LIBDEFLATE_SUCCESS);
	libdeflate_free_decompressor(unpacker);
	assert_non_null(pixels);
	for (uint32_t y = 0; y < *ret_height; y++) {
		const uint8_t *row = raw + (stride + 1) * y;
		uint8_t *to = pixels + stride * y;

		assert_true(row[0] == 0 || row[0] == 2);
		for (size_t i = 0; i < stride; i++)
			to[i] = (uint8_t)(row[1 + i] + (row[0] == 2 && y > 0 ? to[i - stride] : 0));
	}
	tn_mem_free(raw);
	return pixels;
}
