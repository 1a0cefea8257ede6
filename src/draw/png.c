#include "draw/png.h"

#include <string.h>

#include <libdeflate.h>

#include "base/mem.h"

enum {
	LEVEL = 6,
	FILTER_NONE = 0,
	FILTER_UP = 2,
	RGB = 2,
	RGBA = 6,
	/* Drawings have flat colours: rows as they are pack better than differences as long as the
	 * packer sees the row above, and it looks back 32 KiB. */
	ROW_SEEN = 30000
};

static void put_number(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 24);
	at[1] = (uint8_t)(value >> 16);
	at[2] = (uint8_t)(value >> 8);
	at[3] = (uint8_t)value;
}

static void put_chunk(struct tn_buf *out, const char type[4], const void *data, size_t size)
{
	uint8_t number[4];
	uint32_t sum;

	put_number(number, (uint32_t)size);
	tn_buf_append(out, number, 4);
	tn_buf_append(out, type, 4);
	tn_buf_append(out, data, size);
	sum = libdeflate_crc32(0, type, 4);
	put_number(number, size ? libdeflate_crc32(sum, data, size) : sum);
	tn_buf_append(out, number, 4);
}

/* PNG's colours are not multiplied by alpha. */
static void divide_by_alpha(uint8_t *pixels, size_t count)
{
	size_t i;
	unsigned k;

	for (i = 0; i < count; i++) {
		uint8_t *pixel = pixels + 4 * i;

		for (k = 0; k < 3 && pixel[3] > 0 && pixel[3] < 255; k++) {
			unsigned value = (pixel[k] * 255u + pixel[3] / 2u) / pixel[3];

			pixel[k] = (uint8_t)(value < 255 ? value : 255);
		}
	}
}

/* Each row as the difference to the one above, from the bottom up so that it is still there. */
static void subtract_rows(struct tn_raster *raster)
{
	size_t stride = (size_t)raster->width * 4, i;
	uint32_t y;

	for (y = raster->height - 1; y > 0; y--) {
		uint8_t *row = raster->pixels + y * stride;
		const uint8_t *above = row - stride;

		for (i = 0; i < stride; i++)
			row[i] = (uint8_t)(row[i] - above[i]);
	}
}

/* Where a row goes, a byte for its filter comes first. RGB rows are not longer than they were and
 * are packed from the top, RGBA rows are longer and are spread from the bottom: no row is lost, and
 * no second picture is held. */
static void pack_row(struct tn_raster *raster, uint32_t y, unsigned channels, uint8_t filter)
{
	const uint8_t *from = raster->pixels + (size_t)y * raster->width * 4;
	uint8_t *to = raster->pixels + (size_t)y * (1 + (size_t)raster->width * channels);
	uint32_t x;

	if (channels == 4) {
		memmove(to + 1, from, (size_t)raster->width * 4);
		to[0] = filter;
		return;
	}
	for (x = 0; x < raster->width; x++, from += 4) {
		/* The filter's byte takes the fourth of the first pixel: all three are read first.
		 */
		uint8_t r = from[0], g = from[1], b = from[2];

		to[1 + 3 * (size_t)x] = r;
		to[2 + 3 * (size_t)x] = g;
		to[3 + 3 * (size_t)x] = b;
	}
	to[0] = filter;
}

static size_t filter(struct tn_raster *raster, unsigned channels)
{
	size_t row_bytes = 1 + (size_t)raster->width * channels;
	bool up = row_bytes > ROW_SEEN;
	uint32_t y;

	if (up)
		subtract_rows(raster);
	for (y = 0; y < raster->height; y++)
		pack_row(raster, channels == 4 ? raster->height - 1 - y : y, channels,
			 up ? FILTER_UP : FILTER_NONE);
	return row_bytes * raster->height;
}

static enum tenon_code compress(const uint8_t *data, size_t size, struct tn_buf *out,
				struct tenon_error *err)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
	enum tenon_code code = TENON_OK;
	size_t bound, got = 0;
	void *packed = NULL;

	if (compressor) {
		bound = libdeflate_zlib_compress_bound(compressor, size);
		packed = tn_mem_alloc(bound);
		if (packed)
			got = libdeflate_zlib_compress(compressor, data, size, packed, bound);
	}
	if (got > 0)
		put_chunk(out, "IDAT", packed, got);
	else
		code = tn_fail(err, TENON_NO_MEMORY, "no memory to pack the picture");
	tn_mem_free(packed);
	libdeflate_free_compressor(compressor);
	return code;
}

enum tenon_code tn_png_encode(struct tn_raster *raster, bool has_alpha, struct tn_buf *out,
			      struct tenon_error *err)
{
	static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
	uint8_t head[13] = {0};
	enum tenon_code code;
	size_t size;

	put_number(head, raster->width);
	put_number(head + 4, raster->height);
	head[8] = 8; /* bits */
	head[9] = has_alpha ? RGBA : RGB;
	if (has_alpha)
		divide_by_alpha(raster->pixels, (size_t)raster->width * raster->height);
	tn_buf_append(out, signature, sizeof(signature));
	put_chunk(out, "IHDR", head, sizeof(head));
	size = filter(raster, has_alpha ? 4 : 3);
	code = compress(raster->pixels, size, out, err);
	put_chunk(out, "IEND", NULL, 0);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}
