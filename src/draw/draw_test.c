#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "base/digest.h"
#include "base/mem.h"
#include "draw/display.h"
#include "draw/font.h"
#include "draw/limits.h"

/* ---- a picture as pixels ---- */

struct picture {
	struct tn_buf png;
	uint32_t width, height, channels;
	uint8_t *rows; /* unfiltered, without filter bytes */
};

static uint32_t number_at(const char *at)
{
	const uint8_t *byte = (const uint8_t *)at;

	return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* Chunk by chunk, so that lengths and sums are checked. Returns the data of `type`. */
static struct tn_str chunk_of(const struct tn_buf *png, const char *type)
{
	struct tn_str found = {NULL, 0};
	size_t at = 8;

	assert_memory_equal(png->data, "\x89PNG\r\n\x1a\n", 8);
	while (at < png->size) {
		uint32_t size = number_at(png->data + at);

		assert_true(at + 12 + size <= png->size);
		assert_int_equal(libdeflate_crc32(0, png->data + at + 4, size + 4),
				 number_at(png->data + at + 8 + size));
		if (memcmp(png->data + at + 4, type, 4) == 0)
			found = tn_str(png->data + at + 8, size);
		at += 12 + size;
	}
	assert_non_null(found.data);
	return found;
}

static void unfilter(struct picture *picture, const uint8_t *from)
{
	size_t stride = (size_t)picture->width * picture->channels, i;
	uint32_t y;

	for (y = 0; y < picture->height; y++) {
		uint8_t *row = picture->rows + y * stride;
		const uint8_t *above = y > 0 ? row - stride : NULL;

		if (from[y * (stride + 1)] == 0) /* none */
			above = NULL;
		else
			assert_int_equal(from[y * (stride + 1)], 2); /* Up */
		for (i = 0; i < stride; i++)
			row[i] = (uint8_t)(from[y * (stride + 1) + 1 + i] + (above ? above[i] : 0));
	}
}

static void make_picture(const struct tn_display *display, double scale, struct picture *picture)
{
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	struct tenon_error err;
	struct tn_str head, data;
	uint8_t *raw;
	size_t size;

	tn_buf_init(&picture->png, TN_DRAW_SVG_BYTES_MAX);
	assert_int_equal(tn_draw_png(display, scale, &picture->png, &err), TENON_OK);
	head = chunk_of(&picture->png, "IHDR");
	data = chunk_of(&picture->png, "IDAT");
	assert_int_equal(chunk_of(&picture->png, "IEND").size, 0);
	picture->width = number_at(head.data);
	picture->height = number_at(head.data + 4);
	picture->channels = head.data[9] == 6 ? 4 : 3;
	size = (size_t)picture->height * (1 + (size_t)picture->width * picture->channels);
	raw = tn_mem_alloc(size);
	picture->rows = tn_mem_alloc(size);
	assert_true(unpacker && raw && picture->rows);
	assert_int_equal(
		libdeflate_zlib_decompress(unpacker, data.data, data.size, raw, size, NULL),
		LIBDEFLATE_SUCCESS);
	unfilter(picture, raw);
	tn_mem_free(raw);
	libdeflate_free_decompressor(unpacker);
}

static void drop_picture(struct picture *picture)
{
	tn_buf_finish(&picture->png);
	tn_mem_free(picture->rows);
}

static const uint8_t *pixel(const struct picture *picture, uint32_t x, uint32_t y)
{
	return picture->rows + ((size_t)y * picture->width + x) * picture->channels;
}

static struct tn_display *page(double width, double height, tn_colour background)
{
	struct tn_display *display = NULL;
	struct tenon_error err;

	assert_int_equal(tn_display_create(width, height, background, &display, &err), TENON_OK);
	return display;
}

static const struct tn_draw_style black = {.fill = 0x000000FF};

/* ---- text ---- */

static void widths_are_the_fonts(void **state)
{
	(void)state;
	assert_true(tn_draw_text_width(TN_STR("A"), 2048, TN_DRAW_REGULAR) == 1401);
	assert_true(tn_draw_text_width(TN_STR("A"), 2048, TN_DRAW_BOLD) == 1585);
	assert_true(tn_draw_text_width(TN_STR("AA"), 12, TN_DRAW_REGULAR) ==
		    2 * 1401 * 12.0 / 2048);
	assert_true(tn_draw_text_width(TN_STR(""), 12, TN_DRAW_REGULAR) == 0);
	/* A mark takes no room, nor do signs of direction; line breaks are spaces. */
	assert_true(tn_draw_text_width(TN_STR("u\xcc\x88"), 12, TN_DRAW_REGULAR) ==
		    tn_draw_text_width(TN_STR("u"), 12, TN_DRAW_REGULAR));
	assert_true(tn_draw_text_width(TN_STR("a\xe2\x80\xae"), 12, TN_DRAW_REGULAR) ==
		    tn_draw_text_width(TN_STR("a"), 12, TN_DRAW_REGULAR));
	assert_true(tn_draw_text_width(TN_STR("a\nb"), 12, TN_DRAW_REGULAR) ==
		    tn_draw_text_width(TN_STR("a b"), 12, TN_DRAW_REGULAR));
	/* What is no UTF-8 is seen, too. */
	assert_true(tn_draw_text_width(TN_STR("\xff"), 12, TN_DRAW_REGULAR) ==
		    tn_draw_text_width(TN_STR("\xef\xbf\xbd"), 12, TN_DRAW_REGULAR));
	assert_true(tn_font_width(TN_DRAW_REGULAR, 0x1F600) > tn_font_width(TN_DRAW_REGULAR, 'a'));
}

struct bounds {
	int32_t left, top, right, bottom;
	unsigned points;
};

static void grow(void *data, int32_t x, int32_t y)
{
	struct bounds *bounds = data;

	bounds->left = x < bounds->left ? x : bounds->left;
	bounds->right = x > bounds->right ? x : bounds->right;
	bounds->top = y < bounds->top ? y : bounds->top;
	bounds->bottom = y > bounds->bottom ? y : bounds->bottom;
	bounds->points++;
}

static void grow_curve(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y)
{
	grow(data, cx, cy);
	grow(data, x, y);
}

static void every_character_has_an_outline(void **state)
{
	struct bounds bounds = {0};
	const struct tn_font_pen pen = {grow, grow, grow_curve, &bounds};
	uint32_t code;

	(void)state;
	for (code = 0x21; code < 0x110000; code += code < 0x3000 ? 1 : 977) {
		unsigned weight;

		for (weight = 0; weight < 2; weight++) {
			bool drawn;

			memset(&bounds, 0, sizeof(bounds));
			drawn = tn_font_outline(weight, code, &pen);
			assert_int_equal(drawn, bounds.points > 0);
			assert_int_equal(tn_font_outline(weight, code, NULL), bounds.points > 0);
			/* Three ems are more than the widest has. */
			assert_true(bounds.left > -3 * TN_FONT_EM && bounds.right < 3 * TN_FONT_EM);
			assert_true(bounds.top > -2 * TN_FONT_EM && bounds.bottom < TN_FONT_EM);
		}
	}
	assert_false(tn_font_outline(TN_DRAW_REGULAR, ' ', NULL));
	memset(&bounds, 0, sizeof(bounds));
	(void)tn_font_outline(TN_DRAW_REGULAR, 'H', &pen);
	assert_int_equal(bounds.top, -1493); /* a capital's height, above the baseline */
	assert_int_equal(bounds.bottom, 0);
	assert_true(tn_font_outline(TN_DRAW_REGULAR, 0x6570, NULL)); /* a box */
}

static void as_svg(const struct tn_display *display, struct tn_buf *svg)
{
	struct tenon_error err;

	tn_buf_init(svg, TN_DRAW_SVG_BYTES_MAX);
	assert_int_equal(tn_draw_svg(display, svg, &err), TENON_OK);
	tn_buf_append_byte(svg, '\0');
}

static size_t occurrences(const char *text, const char *what)
{
	size_t count = 0;

	for (text = strstr(text, what); text; text = strstr(text + 1, what))
		count++;
	return count;
}

static void long_text_ends_in_an_ellipsis(void **state)
{
	struct tn_draw_text how = {.y = 20, .size = 10, .colour = 0x000000FF, .max_width = 60};
	struct tn_display *display = page(200, 40, 0xFFFFFFFF);
	struct tn_buf svg;

	(void)state;
	tn_draw_put_text(display, TN_STR("short"), &how);
	tn_draw_put_text(display, TN_STR("subscription number one"), &how);
	tn_draw_put_text(display, TN_STR("aaaaaaa aaaaaaaaaa"), &how); /* no space before it */
	how.max_width = 3;
	tn_draw_put_text(display, TN_STR("nothing fits"), &how);
	how.max_width = tn_draw_text_width(TN_STR("exactly"), 10, TN_DRAW_REGULAR);
	tn_draw_put_text(display, TN_STR("exactly"), &how);
	how.max_width = tn_draw_text_width(TN_STR("aa\xe2\x80\xa6"), 10, TN_DRAW_REGULAR);
	tn_draw_put_text(display,
			 TN_STR("aa\xcc\x88"
				"bbbbb"),
			 &how);
	as_svg(display, &svg);
	assert_non_null(strstr(svg.data, "aria-label=\"short\""));
	assert_non_null(strstr(svg.data, "aria-label=\"subscripti\xe2\x80\xa6\""));
	assert_non_null(strstr(svg.data, "aria-label=\"aaaaaaa\xe2\x80\xa6\""));
	assert_non_null(strstr(svg.data, "aria-label=\"\xe2\x80\xa6\""));
	assert_non_null(strstr(svg.data, "aria-label=\"exactly\""));
	assert_non_null(strstr(svg.data, "aria-label=\"aa\xcc\x88\xe2\x80\xa6\""));
	tn_buf_finish(&svg);
	tn_display_free(display);
}

/* ---- SVG ---- */

static void hostile_text_stays_text(void **state)
{
	const struct tn_draw_text how = {.y = 20, .size = 10, .colour = 0x000000FF};
	struct tn_display *display = page(200, 40, 0xFFFFFFFF);
	struct tn_buf svg;

	(void)state;
	tn_display_describe(display, TN_STR("</title><script>"), TN_STR("]]>&amp;"));
	tn_draw_group_begin(display, TN_STR("\" onload=\"x"), TN_STR("<b>\x01\xff"));
	tn_draw_put_text(display, TN_STR("<img src='x' onerror=\"1\">&\x1b[2J"), &how);
	tn_draw_group_end(display);
	tn_draw_group_end(display);                           /* one too many */
	tn_draw_group_begin(display, TN_STR(""), TN_STR("")); /* not ended */
	as_svg(display, &svg);
	assert_null(strstr(svg.data, "<script"));
	assert_null(strstr(svg.data, "<img"));
	assert_null(strstr(svg.data, "<b>"));
	assert_null(strstr(svg.data, "\" onload"));
	assert_null(strchr(svg.data, 0x1b));
	assert_null(strchr(svg.data, 0x01));
	assert_non_null(strstr(svg.data, "<title>&lt;b&gt;</title>"));
	assert_non_null(strstr(svg.data, "<desc>]]&gt;&amp;amp;</desc>"));
	assert_int_equal(occurrences(svg.data, "<g"), occurrences(svg.data, "</g>"));
	tn_buf_finish(&svg);
	tn_display_free(display);
}

static void glyphs_are_there_once(void **state)
{
	const struct tn_draw_text how = {.y = 20, .size = 10, .colour = 0x000000FF};
	struct tn_draw_text bold = how;
	struct tn_display *display = page(200, 40, 0xFFFFFFFF);
	struct tn_buf svg;

	(void)state;
	bold.weight = TN_DRAW_BOLD;
	tn_draw_put_text(display, TN_STR("aa a"), &how);
	tn_draw_put_text(display, TN_STR("a"), &bold);
	as_svg(display, &svg);
	assert_int_equal(occurrences(svg.data, "<path id=\"tn61\""), 1);
	assert_int_equal(occurrences(svg.data, "<path id=\"tnb61\""), 1);
	assert_int_equal(occurrences(svg.data, "<path id="), 2); /* a space is no glyph */
	assert_int_equal(occurrences(svg.data, "href=\"#tn61\""), 3);
	assert_int_equal(occurrences(svg.data, "href=\"#tnb61\""), 1);
	tn_buf_finish(&svg);
	tn_display_free(display);
}

static void numbers_have_three_decimals(void **state)
{
	struct tn_display *display = page(200, 40, 0);
	struct tn_buf svg;

	(void)state;
	tn_draw_rect(display, -0.0004, 1.0005, 1234567, 0.1, 0, &black);
	tn_draw_rect(display, -2.5, 1.05, 12.25, 100, 0, &black);
	as_svg(display, &svg);
	assert_non_null(strstr(svg.data, "x=\"0\" y=\"1.001\" width=\"1234567\" height=\"0.1\""));
	assert_non_null(strstr(svg.data, "x=\"-2.5\" y=\"1.05\" width=\"12.25\" height=\"100\""));
	tn_buf_finish(&svg);
	tn_display_free(display);
}

/* ---- pixels ---- */

static void rectangles_cover_exactly(void **state)
{
	struct tn_display *display = page(8, 6, 0xFFFFFFFF);
	struct picture picture;

	(void)state;
	tn_draw_rect(display, 1, 1, 2, 2, 0, &black);        /* whole pixels */
	tn_draw_rect(display, 4.5, 1.25, 1, 0.5, 0, &black); /* half of two, over half a row */
	make_picture(display, 1, &picture);
	assert_int_equal(picture.width, 8);
	assert_int_equal(picture.height, 6);
	assert_int_equal(picture.channels, 3);
	assert_int_equal(pixel(&picture, 0, 0)[0], 255);
	assert_int_equal(pixel(&picture, 1, 1)[0], 0);
	assert_int_equal(pixel(&picture, 2, 2)[1], 0);
	assert_int_equal(pixel(&picture, 3, 2)[2], 255);
	assert_int_equal(pixel(&picture, 4, 1)[0], 255 - 64);
	assert_int_equal(pixel(&picture, 5, 1)[0], 255 - 64);
	assert_int_equal(pixel(&picture, 4, 2)[0], 255);
	drop_picture(&picture);
	make_picture(display, 2.5, &picture);
	assert_int_equal(picture.width, 20);
	assert_int_equal(picture.height, 15);
	drop_picture(&picture);
	tn_display_free(display);
}

static void square(struct tn_display *display, double from, double to, bool turned)
{
	tn_draw_move(display, from, from);
	tn_draw_line(display, turned ? from : to, turned ? to : from);
	tn_draw_line(display, to, to);
	tn_draw_line(display, turned ? to : from, turned ? from : to);
	tn_draw_close(display);
}

/* What overlaps in one direction is one area; what runs against it is a hole. */
static void winding_is_not_zero(void **state)
{
	struct tn_display *display = page(20, 20, 0xFFFFFFFF);
	const struct tn_draw_style half = {.fill = 0x00000080};
	struct picture picture;

	(void)state;
	tn_draw_begin(display, &half);
	square(display, 1, 10, false);
	square(display, 5, 19, false);
	square(display, 12, 16, true);
	tn_draw_end(display);
	make_picture(display, 1, &picture);
	assert_int_equal(pixel(&picture, 3, 3)[0], 127);
	assert_int_equal(pixel(&picture, 7, 7)[0], 127);
	assert_int_equal(pixel(&picture, 17, 17)[0], 127);
	assert_int_equal(pixel(&picture, 14, 14)[0], 255);
	assert_int_equal(pixel(&picture, 0, 12)[0], 255);
	drop_picture(&picture);
	tn_display_free(display);
}

static void strokes_have_their_width(void **state)
{
	struct tn_display *display = page(40, 40, 0xFFFFFFFF);
	struct tn_draw_style pen = {.stroke = 0x000000FF, .stroke_width = 2};
	struct picture picture;
	uint32_t x;

	(void)state;
	tn_draw_rect(display, 5, 5, 20, 20, 0, &pen);
	pen.dash[0] = 4;
	pen.dash[1] = 4;
	tn_draw_begin(display, &pen);
	tn_draw_move(display, 0, 35);
	tn_draw_line(display, 40, 35);
	tn_draw_end(display);
	make_picture(display, 1, &picture);
	assert_int_equal(pixel(&picture, 4, 4)[0], 0); /* a sharp corner */
	assert_int_equal(pixel(&picture, 25, 25)[0], 0);
	assert_int_equal(pixel(&picture, 3, 10)[0], 255);
	assert_int_equal(pixel(&picture, 4, 10)[0], 0);
	assert_int_equal(pixel(&picture, 5, 10)[0], 0);
	assert_int_equal(pixel(&picture, 6, 10)[0], 255);
	for (x = 0; x < 40; x++)
		assert_int_equal(pixel(&picture, x, 35)[0], x % 8 < 4 ? 0 : 255);
	drop_picture(&picture);
	tn_display_free(display);
}

static void pages_may_be_clear(void **state)
{
	struct tn_display *display = page(3, 2, 0);
	const struct tn_draw_style red = {.fill = 0xFF000080};
	struct picture picture;

	(void)state;
	tn_draw_rect(display, 1, 0, 1, 1, 0, &red);
	make_picture(display, 1, &picture);
	assert_int_equal(picture.channels, 4);
	assert_int_equal(pixel(&picture, 0, 0)[3], 0);
	assert_int_equal(pixel(&picture, 1, 0)[3], 128);
	assert_int_equal(pixel(&picture, 1, 0)[0], 255);
	assert_int_equal(pixel(&picture, 1, 1)[3], 0);
	drop_picture(&picture);
	tn_display_free(display);
}

/* The visible part may begin anywhere; what lies outside costs nothing and harms nothing. */
static void what_is_outside_is_not_drawn(void **state)
{
	struct tn_display *display = page(10, 10, 0xFFFFFFFF);
	struct picture picture;

	(void)state;
	tn_display_resize(display, -100, 50, 10, 10);
	tn_draw_rect(display, -100, 50, 5, 5, 0, &black);
	tn_draw_rect(display, -9e6, -9e6, 100, 100, 0, &black);
	tn_draw_ellipse(display, 9e6, 9e6, 1e6, 1e6, &black);
	make_picture(display, 1, &picture);
	assert_int_equal(pixel(&picture, 0, 0)[0], 0);
	assert_int_equal(pixel(&picture, 4, 4)[0], 0);
	assert_int_equal(pixel(&picture, 5, 5)[0], 255);
	drop_picture(&picture);
	tn_display_free(display);
}

/* Rows that the packer cannot see back to are packed otherwise. */
static void wide_pages(void **state)
{
	static const tn_colour backgrounds[] = {0xFFFFFFFF, 0xFFFFFF00};
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct tn_display *display = page(12000, 3, backgrounds[i]);
		struct picture picture;

		tn_draw_rect(display, 11000, 1, 10, 1, 0, &black);
		make_picture(display, 1, &picture);
		assert_int_equal(pixel(&picture, 11000, 0)[2], i == 0 ? 255 : 0);
		assert_int_equal(pixel(&picture, 11009, 1)[2], 0);
		assert_int_equal(pixel(&picture, 11009, 1)[picture.channels - 1], i == 0 ? 0 : 255);
		assert_int_equal(pixel(&picture, 11010, 1)[0], i == 0 ? 255 : 0);
		drop_picture(&picture);
		tn_display_free(display);
	}
}

/* ---- failures ---- */

static enum tenon_code draw_both(const struct tn_display *display, double scale)
{
	struct tenon_error err;
	struct tn_buf out;
	enum tenon_code code;

	tn_buf_init(&out, TN_DRAW_SVG_BYTES_MAX);
	code = tn_draw_svg(display, &out, &err);
	tn_buf_clear(&out);
	if (code == TENON_OK)
		code = tn_draw_png(display, scale, &out, &err);
	tn_buf_finish(&out);
	return code;
}

static void failures_stick(void **state)
{
	struct tn_display *display = page(10, 10, 0xFFFFFFFF);
	struct tenon_error err;
	int i;

	(void)state;
	assert_int_equal(draw_both(display, 1), TENON_OK);
	assert_int_equal(draw_both(display, 1000), TENON_LIMIT); /* 10,000 x 10,000 pixels */
	assert_int_equal(draw_both(display, 1e300), TENON_LIMIT);
	assert_int_equal(draw_both(display, 0), TENON_INVALID);
	assert_int_equal(draw_both(display, NAN), TENON_INVALID);
	tn_draw_rect(display, NAN, 0, 1, 1, 0, &black);
	assert_int_equal(draw_both(display, 1), TENON_INVALID);
	tn_display_free(display);

	display = page(10, 10, 0xFFFFFFFF);
	tn_draw_begin(display, &black);
	tn_draw_line(display, INFINITY, 3);
	tn_draw_end(display);
	assert_int_equal(draw_both(display, 1), TENON_INVALID);
	tn_display_free(display);

	display = page(10, 10, 0xFFFFFFFF);
	for (i = 0; i <= TN_DRAW_ITEMS_MAX; i++)
		tn_draw_rect(display, 1, 1, 1, 1, 0, &black);
	assert_int_equal(draw_both(display, 1), TENON_LIMIT);
	tn_display_free(display);
	assert_int_equal(tn_display_create(0, 5, 0, &display, &err), TENON_INVALID);
	assert_int_equal(tn_display_create(5, NAN, 0, &display, &err), TENON_INVALID);
}

/* Degenerate shapes are nothing, or a dot, but no harm. */
static void odd_shapes(void **state)
{
	struct tn_display *display = page(30, 30, 0xFFFFFFFF);
	struct tn_draw_style pen = {
		.fill = 0xFF0000FF, .stroke = 0x000000FF, .stroke_width = 3, .dash = {1e-6, 1e-6}};
	int round;

	(void)state;
	for (round = 0; round < 2; round++) {
		pen.round = round == 1;
		tn_draw_begin(display, &pen);
		tn_draw_close(display); /* of nothing */
		tn_draw_curve(display, 1, 1, 2, 2, 3, 3);
		tn_draw_close(display);
		tn_draw_line(display, 3, 3);
		tn_draw_line(display, 3, 3);
		tn_draw_end(display);
		tn_draw_line(display, 1, 1); /* outside of a path */
		tn_draw_rect(display, 5, 5, 0, 0, 4, &pen);
		tn_draw_rect(display, 5, 5, -3, -3, -4, &pen);
		tn_draw_ellipse(display, 5, 5, 0, 9, &pen);
		tn_draw_begin(display, &pen);
		tn_draw_arc(display, 10, 10, 5, 20, 20);
		tn_draw_arc(display, 10, 10, 5, 0, 100000);
		tn_draw_end(display);
		tn_draw_begin(display, &pen);
		tn_draw_move(display, 20, 20);
		tn_draw_line(display, 25, 20);
		tn_draw_line(display, 20, 20); /* and back: no miter has that length */
		tn_draw_end(display);
	}
	pen.dash[0] = 0;
	assert_int_equal(draw_both(display, 1), TENON_OK);
	tn_display_free(display);
}

/* ---- the same bytes everywhere ---- */

static struct tn_display *everything(void)
{
	struct tn_display *display = page(320, 200, 0xFAFAFAFF);
	const struct tn_draw_style box = {
		.fill = 0xE8F0FEFF, .stroke = 0x1A73E8FF, .stroke_width = 1.5};
	const struct tn_draw_style dashes = {
		.stroke = 0xB00020C0, .stroke_width = 2, .dash = {6, 3, 1, 3}, .round = true};
	struct tn_draw_text how = {.x = 20, .y = 40, .size = 13, .colour = 0x111111FF};

	tn_display_describe(display, TN_STR("Everything"), TN_STR("One of each"));
	tn_draw_rect(display, 10.5, 10.5, 140, 60, 8, &box);
	tn_draw_ellipse(display, 220, 50, 33.3, 21.7, &dashes);
	tn_draw_begin(display, &dashes);
	tn_draw_move(display, 10, 100);
	tn_draw_curve(display, 60, 60, 90, 190, 160, 100);
	tn_draw_line(display, 200, 170);
	tn_draw_arc(display, 250, 140, 30, -45, 200);
	tn_draw_end(display);
	tn_draw_put_text(display,
			 TN_STR("Gr\xc3\xbc\xc3\x9f"
				"e \xd0\x9f\xd1\x80 \xe6\x95\xb0"),
			 &how);
	how.angle = 17;
	how.halo = 0xFFE000FF;
	how.weight = TN_DRAW_BOLD;
	how.y = 120;
	tn_draw_put_text(display, TN_STR("turned"), &how);
	return display;
}

static void digest_is(struct tn_str bytes, const char *expected)
{
	char digest[65];

	tn_digest_hex(bytes, digest);
	assert_string_equal(digest, expected);
}

static void the_same_bytes_everywhere(void **state)
{
	struct tn_display *display = everything();
	struct picture picture;
	struct tn_buf svg;

	(void)state;
	make_picture(display, 1.5, &picture);
	digest_is(tn_str((const char *)picture.rows, (size_t)picture.width * picture.height * 3),
		  "4b121c560e9e5a8f1b835c9d92d3517f36f44ade72349dead155bf50fe43449d");
	digest_is(tn_buf_str(&picture.png),
		  "92efcf147f612dc29f71022e1accc045b6e65cda1abc9bb22a9027eb80ed1ecc");
	drop_picture(&picture);
	as_svg(display, &svg);
	digest_is(tn_str(svg.data, svg.size - 1),
		  "5ec63019e6a613797acda539b2b6d5577a169fa3a4a6714ae2fb27a2af498998");
	tn_buf_finish(&svg);
	tn_display_free(display);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_are_the_fonts),
		cmocka_unit_test(every_character_has_an_outline),
		cmocka_unit_test(long_text_ends_in_an_ellipsis),
		cmocka_unit_test(hostile_text_stays_text),
		cmocka_unit_test(glyphs_are_there_once),
		cmocka_unit_test(numbers_have_three_decimals),
		cmocka_unit_test(rectangles_cover_exactly),
		cmocka_unit_test(winding_is_not_zero),
		cmocka_unit_test(strokes_have_their_width),
		cmocka_unit_test(pages_may_be_clear),
		cmocka_unit_test(what_is_outside_is_not_drawn),
		cmocka_unit_test(wide_pages),
		cmocka_unit_test(failures_stick),
		cmocka_unit_test(odd_shapes),
		cmocka_unit_test(the_same_bytes_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
