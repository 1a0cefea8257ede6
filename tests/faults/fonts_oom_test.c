/* Labels in fonts of the machine while memory runs out: every allocation of ours fails once, and
 * for good, on both sides of the plug-in. A picture, or a refusal that says so; nothing is left
 * behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "draw/fonts.h"
#include "draw/limits.h"
#include "draw/pdf.h"
#include "short_memory.h"

#define FONT "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf"

static const char *plugin_folder;
static char folder[] = "/tmp/tenon-fonts-XXXXXX";

static void put(struct tn_display *display)
{
	struct tn_draw_text how = {.x = 10, .y = 40, .size = 20, .colour = 0x000000FF};

	tn_draw_put_text(display, TN_STR("\u0930\u0938\u094b\u0908 x\u00b2 \u53a8"), &how);
	how.max_width = 60;
	how.y = 80;
	tn_draw_put_text(display, TN_STR("\u0930\u0938\u094b\u0908 \u0930\u0938\u094b\u0908"),
			 &how);
}

static enum tenon_code draw(const struct tn_display *display, struct tenon_error *err)
{
	const struct tn_pdf_page page = {
		.display = display, .width = 200, .height = 100, .scale = 1};
	struct tn_buf out;
	enum tenon_code code;

	tn_buf_init(&out, TN_DRAW_SVG_BYTES_MAX);
	code = tn_draw_png(display, 1, &out, err);
	if (code == TENON_OK)
		code = tn_draw_svg(display, &out, err);
	if (code == TENON_OK)
		code = tn_draw_pdf(&page, 1, TN_STR("t"), &out, err);
	tn_buf_finish(&out);
	return code;
}

static enum tenon_code whole(struct tn_letters_told *told)
{
	const struct tn_fonts_options options = {plugin_folder, folder};
	struct tn_display *display = NULL;
	struct tn_fonts *fonts = NULL;
	struct tenon_error err = {0};
	enum tenon_code code = tn_fonts_open(&options, &fonts, &err);

	if (code == TENON_OK)
		code = tn_display_create(200, 100, 0xFFFFFFFF, &display, &err);
	if (code == TENON_OK) {
		tn_display_use_fonts(display, fonts, told);
		put(display);
		code = draw(display, &err);
	}
	tn_display_free(display);
	tn_fonts_close(fonts);
	return code;
}

static void every_allocation(bool goes_on)
{
	enum tenon_code code;
	bool hit = true;

	for (size_t nth = 1; hit; nth++) {
		struct tn_letters_told told = {.font_count = 0};

		fault = (struct short_memory){.armed = true, .nth = nth, .goes_on = goes_on};
		code = whole(&told);
		hit = fault.hit;
		fault.armed = false;
		/* Pixels say that the picture is too large; a list that cannot shrink stays long.
		 */
		assert_true(code == TENON_OK ||
			    (hit && (code == TENON_NO_MEMORY || code == TENON_LIMIT)));
		assert_int_equal(fault.live, 0);
	}
}

static void one_fails(void **state)
{
	(void)state;
	every_allocation(false);
}

static void all_after_it_fail(void **state)
{
	(void)state;
	every_allocation(true);
}

static int set_up(void **state)
{
	char path[64];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/a.ttf", folder);
	return symlink(FONT, path);
}

static int tear_down(void **state)
{
	char path[64];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/a.ttf", folder);
	return unlink(path) || rmdir(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_fails),
		cmocka_unit_test(all_after_it_fail),
	};
	char path[4096];

	plugin_folder = argc > 1 ? argv[1] : "";
	(void)snprintf(path, sizeof(path), "%s/tenon-shaping.so", plugin_folder);
	if (access(path, R_OK) != 0 || access(FONT, R_OK) != 0) {
		print_message("skipped: without the plug-in or " FONT "\n");
		return 77; /* Meson's word for it */
	}
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
