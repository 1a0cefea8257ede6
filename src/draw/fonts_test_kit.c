#include "draw/fonts_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "draw/limits.h"
#include "draw/png_test_kit.h"

enum { WIDE = 700, HIGH = 600 };

void kit_open_with(struct kit *kit, struct tn_fonts *fonts)
{
	*kit = (struct kit){.fonts = NULL};
	tn_buf_init(&kit->png, TN_DRAW_SVG_BYTES_MAX);
	tn_buf_init(&kit->svg, TN_DRAW_SVG_BYTES_MAX);
	assert_int_equal(tn_display_create(WIDE, HIGH, 0xFFFFFFFF, &kit->display, NULL), TENON_OK);
	if (fonts)
		tn_display_use_fonts(kit->display, fonts, &kit->told);
}

void kit_open(struct kit *kit, const char *plugin_folder, const char *folder)
{
	const struct tn_fonts_options options = {plugin_folder, folder};
	struct tn_fonts *fonts = NULL;

	if (plugin_folder)
		assert_int_equal(tn_fonts_open(&options, &fonts, NULL), TENON_OK);
	kit_open_with(kit, fonts);
	kit->fonts = fonts;
}

void kit_close(struct kit *kit)
{
	tn_display_free(kit->display);
	tn_fonts_close(kit->fonts);
	tn_buf_finish(&kit->png);
	tn_buf_finish(&kit->svg);
}

void kit_put(struct kit *kit, const char *label, double max_width)
{
	const struct tn_draw_text how = {
		.y = kit->y + 90, .size = 100, .colour = 0x000000FF, .max_width = max_width};

	tn_draw_put_text(kit->display, tn_str_from(label), &how);
	kit->y += 120;
}

double kit_width(struct kit *kit, const char *label)
{
	return tn_draw_measure(kit->display, tn_str_from(label), 100, TN_DRAW_REGULAR);
}

void kit_draw(struct kit *kit)
{
	struct tenon_error err = {0};

	assert_int_equal(tn_draw_png(kit->display, 1, &kit->png, &err), TENON_OK);
	assert_int_equal(tn_draw_svg(kit->display, &kit->svg, &err), TENON_OK);
	tn_buf_append_byte(&kit->svg, '\0');
	tn_display_use_fonts(kit->display, NULL, NULL);
	tn_display_tell_letters(kit->display, &kit->told);
}

bool kit_has(struct tn_fonts *fonts, const char *label, const char *font)
{
	struct kit kit;
	bool has = false;

	kit_open_with(&kit, fonts);
	(void)kit_width(&kit, label);
	tn_display_tell_letters(kit.display, &kit.told);
	for (size_t i = 0; i < kit.told.font_count; i++)
		has = has || strcmp(kit.told.fonts[i].name, font) == 0;
	kit_close(&kit);
	if (!has)
		print_message("skipped: this machine does not draw '%s' in %s%s%s\n", label, font,
			      kit.told.why[0] ? ": " : "", kit.told.why);
	return has;
}

const char *kit_find(const struct kit *kit, const char *what)
{
	const char *lines = strstr(kit->svg.data, "</defs>"), *found;

	assert_non_null(lines);
	found = strstr(lines, what);
	assert_non_null(found);
	return found;
}

long kit_place(const struct kit *kit, const char *what)
{
	return kit_find(kit, what) - kit->svg.data;
}

int kit_count(const struct kit *kit, const char *what)
{
	int count = 0;

	for (const char *at = kit->svg.data; (at = strstr(at, what)); at++)
		count++;
	return count;
}

size_t kit_yellow(const struct kit *kit)
{
	uint32_t width = 0, height = 0;
	uint8_t *rows = tn_png_kit_decode(tn_buf_str(&kit->png), &width, &height);
	size_t count = 0;

	for (size_t i = 0; i < (size_t)width * height; i++)
		count += rows[3 * i] > 200 && rows[3 * i + 1] > 150 && rows[3 * i + 2] < 100;
	tn_mem_free(rows);
	return count;
}
