/* Labels in any script, with the fonts that are on this machine: Debian's fonts-noto-core,
 * fonts-noto-cjk and fonts-noto-color-emoji. What is not installed is skipped, and said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "draw/fonts_test_kit.h"
#include "draw/limits.h"
#include "draw/pdf.h"
#include "draw/pdf_test_kit.h"

static const char *plugin_folder;
static struct tn_fonts *fonts; /* of this machine */

/* ---- which font ---- */

static void latin_text_opens_nothing(void **state)
{
	struct kit with, without;

	(void)state;
	kit_open_with(&with, fonts);
	kit_open(&without, NULL, NULL);
	kit_put(&with, "Gr\u00fc\u00dfe \u041f\u0440\u0438 \u2014 x\u00b2", 0);
	kit_put(&without, "Gr\u00fc\u00dfe \u041f\u0440\u0438 \u2014 x\u00b2", 0);
	kit_draw(&with);
	kit_draw(&without);
	assert_true(tn_str_equal(tn_buf_str(&with.png), tn_buf_str(&without.png)));
	assert_true(tn_str_equal(tn_buf_str(&with.svg), tn_buf_str(&without.svg)));
	assert_int_equal(with.told.font_count, 0);
	assert_int_equal(with.told.box_count, 0);
	kit_close(&with);
	kit_close(&without);
}

static void each_script_names_its_font(void **state)
{
	static const struct {
		const char *label, *font;
	} rows[] = {
		{"\u53a8\u623f", "Noto Sans CJK SC"},
		{"\u6771\u4eac\u306e\u90e8\u5c4b", "Noto Sans CJK JP"},
		{"\ubc29 \u53a8", "Noto Sans CJK KR"},
		{"\u063a\u0631\u0641\u0629", "Noto Sans Arabic Regular"},
		{"\u05e9\u05dc\u05d5\u05dd", "Noto Sans Hebrew Regular"},
		{"\u0930\u0938\u094b\u0908\u0964", "Noto Sans Devanagari Regular"},
		{"\u0e2b\u0e49\u0e2d\u0e07", "Noto Sans Thai Regular"},
		{"\U0001F600", "Noto Color Emoji"},
		{"1\uFE0F\u20E3", "Noto Color Emoji"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kit kit;

		if (!kit_has(fonts, rows[i].label, rows[i].font))
			continue;
		kit_open_with(&kit, fonts);
		kit_put(&kit, rows[i].label, 0);
		kit_draw(&kit);
		assert_int_equal(kit.told.font_count, 1);
		assert_string_equal(kit.told.fonts[0].name, rows[i].font);
		assert_int_equal(strlen(kit.told.fonts[0].sha256), 64);
		assert_null(strchr(kit.told.fonts[0].file, '/'));
		assert_int_equal(kit.told.box_count, 0);
		kit_close(&kit);
	}
}

static void without_the_plugin_boxes_are_told(void **state)
{
	struct kit kit;
	struct tn_buf words;

	(void)state;
	kit_open(&kit, "/nonexistent", NULL);
	kit_put(&kit, "a\u53a8\u623f", 0);
	kit_draw(&kit);
	assert_int_equal(kit.told.font_count, 0);
	tn_buf_init(&words, TN_KIB);
	tn_letters_put_boxes(&kit.told, &words);
	tn_buf_append_byte(&words, '\0');
	assert_string_equal(words.data,
			    "2 characters are drawn as boxes with their numbers: the plug-in "
			    "tenon-shaping.so is not installed (U+53A8, U+623F)");
	tn_buf_finish(&words);
	kit_close(&kit);
}

static void without_fonts_boxes_are_told(void **state)
{
	char folder[] = "/tmp/tenon-fonts-XXXXXX";
	struct kit kit;
	struct tn_buf words;

	(void)state;
	assert_non_null(mkdtemp(folder));
	kit_open(&kit, plugin_folder, folder);
	kit_put(&kit, "\u53a8 ok", 0);
	kit_draw(&kit);
	assert_int_equal(rmdir(folder), 0);
	if (kit.told.why[0]) {
		print_message("skipped: %s\n", kit.told.why);
		kit_close(&kit);
		skip();
	}
	tn_buf_init(&words, TN_KIB);
	tn_letters_put_boxes(&kit.told, &words);
	tn_buf_append_byte(&words, '\0');
	assert_string_equal(words.data, "1 character is drawn as a box with its number: no font of "
					"this machine has it (U+53A8)");
	tn_buf_finish(&words);
	kit_close(&kit);
}

/* ---- setting ---- */

static void widths_are_the_fonts(void **state)
{
	struct kit kit;

	(void)state;
	if (!kit_has(fonts, "\u53a8", "Noto Sans CJK SC"))
		skip();
	kit_open_with(&kit, fonts);
	assert_true(kit_width(&kit, "\u53a8\u623f") == 200);
	/* What is embedded stays what it is. */
	assert_true(kit_width(&kit, "m\u53a8") ==
		    100 + tn_draw_text_width(TN_STR("m"), 100, TN_DRAW_REGULAR));
	kit_close(&kit);
}

static void arabic_joins_and_runs_to_the_left(void **state)
{
	struct kit kit;

	(void)state;
	if (!kit_has(fonts, "\u0628", "Noto Sans Arabic Regular"))
		skip();
	kit_open_with(&kit, fonts);
	assert_true(kit_width(&kit, "\u0628\u0628\u0628") < 2.5 * kit_width(&kit, "\u0628"));
	kit_put(&kit, "\u0644\u0627", 0); /* one letter out of two */
	kit_draw(&kit);
	assert_int_equal(kit_count(&kit, "<use "), 1);
	kit_close(&kit);

	/* The Latin letter, read last, stands at the left; the bracket looks the other way. */
	kit_open_with(&kit, fonts);
	kit_put(&kit, "\u0628(x", 0);
	kit_draw(&kit);
	assert_true(kit_place(&kit, "#tn78") < kit_place(&kit, "#tn29"));
	assert_true(kit_place(&kit, "#tn29") < kit_place(&kit, "#tnf1-"));
	assert_int_equal(kit_count(&kit, "#tn28"), 0);
	kit_close(&kit);
}

static void hindi_vowels_go_before_their_letter(void **state)
{
	struct kit kit;
	char alone[32];

	(void)state;
	if (!kit_has(fonts, "\u0915", "Noto Sans Devanagari Regular"))
		skip();
	kit_open_with(&kit, fonts);
	kit_put(&kit, "\u0915", 0);
	kit_draw(&kit);
	(void)snprintf(alone, sizeof(alone), "%.*s", (int)strcspn(kit_find(&kit, "#tnf1-"), "\""),
		       kit_find(&kit, "#tnf1-"));
	kit_close(&kit);
	kit_open_with(&kit, fonts);
	kit_put(&kit, "\u0915\u093f", 0);
	kit_draw(&kit);
	assert_int_equal(kit_count(&kit, "<use "), 2);
	assert_true(kit_place(&kit, alone) > kit_place(&kit, "<use "));
	kit_close(&kit);
}

static void emoji_have_their_colours(void **state)
{
	struct kit kit;

	(void)state;
	if (!kit_has(fonts, "\U0001F600", "Noto Color Emoji"))
		skip();
	kit_open_with(&kit, fonts);
	kit_put(&kit, "\U0001F600", 0);
	/* A family of four is one picture, and so is a flag. */
	kit_put(&kit, "\U0001F469\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", 0);
	kit_put(&kit, "\U0001F1E9\U0001F1EA", 0);
	kit_draw(&kit);
	assert_int_equal(kit_count(&kit, "<image "), 3);
	assert_int_equal(kit_count(&kit, "<use "), 3);
	assert_true(kit_yellow(&kit) > 100);
	kit_close(&kit);
}

static void words_of_a_pdf_are_found(void **state)
{
	static const char label[] = "\u53a8\u623f \u063a\u0631 (xy) \u0930\u0938\u094b\u0908";
	struct tn_pdf_page page = {.width = 700, .height = 600, .scale = 1};
	struct pdf pdf = {.page_count = 0};
	struct kit kit;

	(void)state;
	kit_open_with(&kit, fonts);
	kit_put(&kit, label, 0);
	kit_put(&kit, "\U0001F600", 0);
	page.display = kit.display;
	tn_buf_init(&pdf.text, TN_DRAW_SVG_BYTES_MAX);
	assert_int_equal(tn_draw_pdf(&page, 1, TN_STR("t"), &pdf.text, NULL), TENON_OK);
	pdf_read(&pdf);
	assert_non_null(strstr(pdf.pages[0].words, label));
	assert_non_null(strstr(pdf.pages[0].words, "\U0001F600"));
	pdf_finish(&pdf);
	kit_close(&kit);
}

/* ---- what does not fit ---- */

static void ellipses_part_no_letter(void **state)
{
	struct kit kit;
	const char *label;
	int marks = 0;

	(void)state;
	if (!kit_has(fonts, "\U0001F1E9\U0001F1EA", "Noto Color Emoji"))
		skip();
	kit_open_with(&kit, fonts);
	kit_put(&kit, "\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7\U0001F1EE\U0001F1F9", 230);
	kit_draw(&kit);
	label = kit_find(&kit, "aria-label=\"") + 12;
	for (; memcmp(label, "\u2026", 3) != 0; label += 4, marks++)
		assert_memory_equal(label, "\xf0\x9f\x87", 3);
	assert_int_equal(marks, 2);
	kit_close(&kit);
}

static void cut_labels_fit(void **state)
{
	static const char *const labels[] = {
		"\u0627\u0644\u0645\u0637\u0628\u062e \u0627\u0644\u0643\u0628\u064a\u0631",
		"\u0915\u094d\u0937\u0947\u0924\u094d\u0930 \u0915\u094d\u0937\u0947\u0924\u094d",
		"\u4e3b\u5367\u5ba4\uff08\u5e26\u9633\u53f0\uff09",
		"\u0e2b\u0e49\u0e2d\u0e07\u0e04\u0e23\u0e31\u0e27\u0e43\u0e2b\u0e0d\u0e48"};

	(void)state;
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		for (double room = 120; room < 600; room += 35) {
			struct kit kit;
			char text[200];

			kit_open_with(&kit, fonts);
			kit_put(&kit, labels[i], room);
			kit_draw(&kit);
			(void)snprintf(text, sizeof(text), "%.*s",
				       (int)strcspn(kit_find(&kit, "aria-label=\"") + 12, "\""),
				       kit_find(&kit, "aria-label=\"") + 12);
			assert_true(kit_width(&kit, text) <= room);
			kit_close(&kit);
		}
	}
}

static size_t line_end(struct kit *kit, const char *line, double width)
{
	return tn_draw_line_end(kit->display, tn_str_from(line), 100, TN_DRAW_REGULAR, width);
}

static void lines_break_where_scripts_let_them(void **state)
{
	struct kit kit;

	(void)state;
	if (!kit_has(fonts, "\u4e3b", "Noto Sans CJK SC"))
		skip();
	kit_open_with(&kit, fonts);
	assert_true(line_end(&kit, "words only", 100) == TN_STR_NONE);
	assert_int_equal(line_end(&kit, "\u4e3b\u5367\u5ba4\u5e26", 310), 9);
	/* Not before what closes, not after what opens. */
	assert_int_equal(line_end(&kit, "\u4e3b\u5367\u5ba4\u3002\u5e26", 310), 6);
	assert_int_equal(line_end(&kit, "\u4e3b\u5367\uff08\u5e26\uff09", 310), 6);
	/* At a blank, and a letter at least. */
	assert_int_equal(line_end(&kit, "\u4e3b ab\u5367", 260), 4 + 2);
	assert_int_equal(line_end(&kit, "\u4e3b\u5367", 10), 3);
	assert_int_equal(line_end(&kit, "\u4e3b\u5367", 1000), 6);
	kit_close(&kit);
}

/* ---- hostile ---- */

static void no_text_turns_latin_letters(void **state)
{
	struct kit kit;

	(void)state;
	if (!kit_has(fonts, "\u05d0", "Noto Sans Hebrew Regular"))
		skip();
	kit_open_with(&kit, fonts);
	kit_put(&kit, "\u202egpj\u202c \u05d0", 0);
	kit_draw(&kit);
	assert_true(kit_place(&kit, "#tn67") < kit_place(&kit, "#tn70"));
	assert_true(kit_place(&kit, "#tn70") < kit_place(&kit, "#tn6a"));
	kit_close(&kit);
}

static void thousands_of_marks_are_a_few(void **state)
{
	struct kit kit;
	struct tn_buf text;
	clock_t began = clock(); /* the machine may have other work */

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "\u0915");
	for (int i = 0; i < 10000; i++)
		tn_buf_append_text(&text, "\u0901");
	tn_buf_append_byte(&text, '\0');
	kit_open_with(&kit, fonts);
	kit_put(&kit, text.data, 0);
	kit_put(&kit, text.data, 50);
	kit_draw(&kit);
	assert_true(kit_count(&kit, "<use ") < 200 || kit.told.box_count > 0);
	assert_true((clock() - began) / CLOCKS_PER_SEC < 10);
	kit_close(&kit);
	tn_buf_finish(&text);
}

/* Each is what a label may hold: every byte of it is looked at by several libraries. */
static void odd_text_is_drawn(void **state)
{
	static const char *const labels[] = {"\u0915\xff\xfe",     "\u200d\u53a8\u200d",
					     "\u0301\u53a8",       "\u2067\u053a8\u2069\u2069",
					     "\u53a8\n\u53a8\t",   "\uFE0F\U0001F600\uFE0F",
					     "\U0001F1E9\u53a8",   "\U0010FFFF\uFFFF\u53a8",
					     "\u094d\u200c\u0915", "\u061c\u202e\u2066\u05d0"};
	struct kit kit;

	(void)state;
	kit_open_with(&kit, fonts);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		kit_put(&kit, labels[i], 0);
		kit_put(&kit, labels[i], 30);
	}
	kit_draw(&kit);
	kit_close(&kit);
}

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

/* Letters of all kinds of scripts, and what steers those beside it. */
static void make_label(uint32_t *seed, struct tn_buf *label)
{
	static const uint32_t first[] = {0x20,    0x300,   0x590,   0x600,   0x900,  0xB80,
					 0xE00,   0xF00,   0x1000,  0x1100,  0x1780, 0x20D0,
					 0x3040,  0x4E00,  0xAC00,  0xFB50,  0xFE70, 0x1D100,
					 0x1F1E0, 0x1F600, 0xE0000, 0x10FFF0};
	static const uint32_t steering[] = {0x200C, 0x200D, 0x200F, 0x202E, 0x2066,
					    0x2067, 0x2069, 0xFE0F, 0x94D,  '\n'};
	uint32_t length = 1 + next_random(seed, 60), base = first[0];

	tn_buf_clear(label);
	for (uint32_t i = 0; i < length; i++) {
		char bytes[TN_UTF8_BYTES_MAX];
		uint32_t code = steering[next_random(seed, TN_COUNT(steering))];

		if (next_random(seed, 4) == 0)
			base = first[next_random(seed, TN_COUNT(first))];
		if (next_random(seed, 5) > 0)
			code = base + next_random(seed, 128);
		tn_buf_append(label, bytes, tn_utf8_encode(code, bytes));
		if (next_random(seed, 40) == 0)
			tn_buf_append_byte(label, (char)next_random(seed, 256));
	}
}

static void any_label_is_drawn(void **state)
{
	uint32_t seed = 20;
	struct tn_buf label;

	(void)state;
	tn_buf_init(&label, TN_MIB);
	for (int picture = 0; picture < 4; picture++) {
		struct kit kit;

		kit_open_with(&kit, fonts);
		for (int i = 0; i < 20; i++) {
			size_t end;

			make_label(&seed, &label);
			tn_buf_append_byte(&label, '\0');
			end = line_end(&kit, label.data, next_random(&seed, 900));
			assert_true(end == TN_STR_NONE || (end > 0 && end < label.size));
			kit_put(&kit, label.data, next_random(&seed, 2) * next_random(&seed, 700));
			kit.y = next_random(&seed, 500);
		}
		kit_draw(&kit);
		kit_close(&kit);
	}
	tn_buf_finish(&label);
}

static int open_fonts(void **state)
{
	const struct tn_fonts_options options = {.plugin_folder = plugin_folder};

	(void)state;
	return tn_fonts_open(&options, &fonts, NULL) == TENON_OK ? 0 : -1;
}

static int close_fonts(void **state)
{
	(void)state;
	tn_fonts_close(fonts);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latin_text_opens_nothing),
		cmocka_unit_test(each_script_names_its_font),
		cmocka_unit_test(without_the_plugin_boxes_are_told),
		cmocka_unit_test(without_fonts_boxes_are_told),
		cmocka_unit_test(widths_are_the_fonts),
		cmocka_unit_test(arabic_joins_and_runs_to_the_left),
		cmocka_unit_test(hindi_vowels_go_before_their_letter),
		cmocka_unit_test(emoji_have_their_colours),
		cmocka_unit_test(words_of_a_pdf_are_found),
		cmocka_unit_test(ellipses_part_no_letter),
		cmocka_unit_test(cut_labels_fit),
		cmocka_unit_test(lines_break_where_scripts_let_them),
		cmocka_unit_test(no_text_turns_latin_letters),
		cmocka_unit_test(thousands_of_marks_are_a_few),
		cmocka_unit_test(odd_text_is_drawn),
		cmocka_unit_test(any_label_is_drawn),
	};

	plugin_folder = argc > 1 ? argv[1] : "";
	return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
