#include "apps/studio/picture/internal.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/picture/picture_test_kit.h"
#include "base/digest.h"
#include "base/size.h"
#include "draw/limits.h"
#include "store/file.h"

static const char *status_by_id(const void *data, struct tn_str id)
{
	static const char *const words[] = {"created",  "failed",    "pending",
					    "creating", "destroyed", "updating"};
	unsigned sum = 0;
	size_t i;

	(void)data;
	for (i = 0; i < id.size; i++)
		sum = sum * 31 + (unsigned char)id.data[i];
	return words[sum % 6];
}

static void as_svg(const struct tn_display *display, struct tn_buf *svg)
{
	struct tenon_error err;

	tn_buf_init(svg, TN_DRAW_SVG_BYTES_MAX);
	assert_int_equal(tn_draw_svg(display, svg, &err), TENON_OK);
	tn_buf_append_byte(svg, '\0');
}

/* Pictures that differ can be looked at: TENON_PICTURES names a folder for them. */
static void keep(const char *name, const char *suffix, struct tn_str bytes)
{
	const char *folder = getenv("TENON_PICTURES");
	struct tenon_error err;
	char path[512];

	if (!folder)
		return;
	(void)snprintf(path, sizeof(path), "%s/%s.%s", folder, name, suffix);
	assert_int_equal(tn_file_write(path, 0644, bytes, &err), TENON_OK);
}

struct golden {
	const char *name;
	enum tn_studio_theme theme;
	enum tn_studio_direction direction;
	bool status;
	const char *svg, *png;
};

static const struct golden goldens[] = {
	{"three-tier", TN_STUDIO_LIGHT, TN_STUDIO_LR, false,
	 "f6b09930b01c441461e9f53fc18b4979b4e3125fdc8dbfa0d3335a59497a1b56",
	 "8417273f58f2adeb6a63454ccf83583aca07c5d166d18663b7cfa7c9032dfac7"},
	{"hub-spoke", TN_STUDIO_DARK, TN_STUDIO_LR, true,
	 "ce695248337c25c0b2f3c633abe3669e88216af1e3038b9368e5f042b0ffb9f0",
	 "bd412004615654035856dc33eb9a981d3dc61411bbf9758fc5c90a743087bfc4"},
	{"aws", TN_STUDIO_LIGHT, TN_STUDIO_TB, true,
	 "23fa082ceb73750e593d6da35049c040a039711daf93f7a6cf1cec288fb906b1",
	 "d778a645c83c7164bfb6d08126ee373c29ee0edf09308b664e8415f7ada31bc9"},
	{"nesting", TN_STUDIO_LIGHT, TN_STUDIO_RL, true,
	 "8c6fe67c4124d5752fb3aad7d20d4d6321880770dd2590260776c7812cc8e518",
	 "b67567d351cddb4140bc4a694ea0b5983f0897d03b8fb56b338bdde438a6035b"},
	{"sixty", TN_STUDIO_DARK, TN_STUDIO_BT, false,
	 "609c24e8191accf2d20fd99e742054b103b9925cf05df32779b7649892fa5ccb",
	 "c63a73d6398922e01cd322de0798eb31770d8e493f86f45ddf838ff8893f398d"},
	{"one", TN_STUDIO_DARK, TN_STUDIO_LR, true,
	 "38b7f4287d2e2211ea085dd681672142694a3f2407cf7337512b241730b59e0d",
	 "ffa4158d3dec3a3cfceff668b65069786845effa523c8ac29e80eb47d243b3d5"},
	{"empty", TN_STUDIO_LIGHT, TN_STUDIO_LR, false,
	 "3a3fb6345dfa8761825139b5b4a97f8eaa0b64ffc7c2de5c9df9b2ef769fe9cb",
	 "d656d3441f2a3a57ff4129331191d7c349e9bc3fc11ac3d14ecb53cab2035a23"},
};

static unsigned is_golden(const struct golden *golden)
{
	const struct tn_studio_picture_options options = {.theme = golden->theme,
							  .legend = true,
							  .status = golden->status ? status_by_id
										   : NULL};
	char digest[TN_DIGEST_HEX_SIZE];
	struct tn_picture_kit kit;
	struct tn_display *display;
	struct tenon_error err;
	struct tn_buf svg, png;
	unsigned wrong = 0;

	tn_picture_kit_load(&kit, golden->name);
	tn_picture_kit_lay_out(&kit, golden->direction);
	display = tn_picture_kit_draw(&kit, &options);
	as_svg(display, &svg);
	tn_digest_hex(tn_str(svg.data, svg.size - 1), digest);
	if (strcmp(digest, golden->svg) != 0) {
		print_error("%s %s %s\n", golden->name, golden->svg, digest);
		wrong++;
	}
	keep(golden->name, "svg", tn_str(svg.data, svg.size - 1));
	tn_buf_init(&png, TN_DRAW_SVG_BYTES_MAX);
	assert_int_equal(tn_draw_png(display, 1, &png, &err), TENON_OK);
	tn_digest_hex(tn_buf_str(&png), digest);
	if (strcmp(digest, golden->png) != 0) {
		print_error("%s %s %s\n", golden->name, golden->png, digest);
		wrong++;
	}
	keep(golden->name, "png", tn_buf_str(&png));
	tn_buf_finish(&svg);
	tn_buf_finish(&png);
	tn_display_free(display);
	tn_picture_kit_finish(&kit);
	return wrong;
}

/* ST-132: the same diagram, the same bytes: whatever the build, the locale, HOME */
static void the_same_bytes(void **state)
{
	unsigned wrong = 0;
	size_t i;

	(void)state;
	(void)setenv("HOME", "/nowhere", 1);
	(void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is one */
	for (i = 0; i < TN_COUNT(goldens); i++)
		wrong += is_golden(&goldens[i]);
	(void)setlocale(LC_ALL, "C");
	assert_int_equal(wrong, 0);
}

/* ST-130: a rule that sets a reference the other way round is one link, not a cycle */
static void an_edge_and_its_reference_agree(void **state)
{
	struct tn_picture_kit kit;

	(void)state;
	tn_picture_kit_load(&kit, "three-tier");
	tn_picture_kit_lay_out(&kit, TN_STUDIO_LR);
	assert_true(tn_studio_node_find(&kit.document, TN_STR("plan"))->x <
		    tn_studio_node_find(&kit.document, TN_STR("app"))->x);
	tn_picture_kit_finish(&kit);
}

/* ---- colours ---- */

static double channel(unsigned value)
{
	double part = value / 255.0;

	return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(tn_colour colour)
{
	return 0.2126 * channel(colour >> 24) + 0.7152 * channel(colour >> 16 & 255) +
	       0.0722 * channel(colour >> 8 & 255);
}

static double contrast(tn_colour a, tn_colour b)
{
	double x = luminance(a), y = luminance(b);

	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

/* studio.md 15: WCAG 2.1 AA: 4.5:1 for text, 3:1 for signs, frames and lines */
static void colours_have_contrast(void **state)
{
	unsigned theme, family;

	(void)state;
	for (theme = 0; theme < 2; theme++) {
		const struct tn_studio_colours *c = tn_studio_colours_of(theme);
		const tn_colour marks[] = {c->pending, c->busy, c->created, c->failed,
					   c->destroyed};
		const tn_colour lines[] = {c->edge, c->edge_quiet, c->binding};
		size_t i;

		assert_true(contrast(c->text, c->page) >= 7);
		for (i = 0; i < TN_STUDIO_ACTIONS; i++) {
			assert_true(contrast(c->action[i], c->page) >= 4.5);
			assert_true(contrast(c->action[i], c->card) >= 4.5);
		}
		for (i = 0; i < TN_COUNT(c->severity); i++)
			assert_true(contrast(c->severity[i], c->card) >= 4.5);
		assert_true(contrast(c->text, c->card) >= 7);
		assert_true(contrast(c->quiet, c->page) >= 4.5);
		assert_true(contrast(c->quiet, c->card) >= 4.5);
		assert_true(contrast(c->quiet, c->unknown) >= 4.5);
		for (i = 0; i < TN_STUDIO_NOTE_COLOURS; i++) { /* SC-060, SC-210 */
			assert_true(contrast(c->note_text, c->note[i].paper) >= 7);
		}
		assert_true(contrast(c->unknown_border, c->unknown) >= 3);
		for (family = 0; family < TN_STUDIO_FAMILIES; family++) {
			tn_colour colour = c->family[family];
			tn_colour bar = tn_studio_mix(colour, c->page, c->tint + 1);
			tn_colour inside = tn_studio_mix(colour, c->page, c->wash);

			assert_true(contrast(colour, tn_studio_mix(colour, c->card, c->tint)) >= 3);
			assert_true(contrast(colour, bar) >= 3);
			assert_true(contrast(c->text, bar) >= 7);
			assert_true(contrast(c->quiet, bar) >= 4.5);
			for (i = 0; i < TN_COUNT(lines); i++)
				assert_true(contrast(lines[i], inside) >= 3);
			for (i = 0; i < TN_COUNT(marks); i++)
				assert_true(contrast(marks[i], bar) >= 3);
		}
		for (i = 0; i < TN_COUNT(marks); i++)
			assert_true(contrast(marks[i], c->card) >= 3);
	}
}

/* 15.3: status is a shape and a word, never a colour alone */
static void status_has_words(void **state)
{
	const struct tn_studio_picture_options with = {.status = status_by_id}, without = {0};
	struct tn_picture_kit kit;
	struct tn_display *display;
	struct tn_buf svg;

	(void)state;
	tn_picture_kit_load(&kit, "hub-spoke");
	display = tn_picture_kit_draw(&kit, &with);
	as_svg(display, &svg);
	assert_non_null(strstr(svg.data, "aria-label=\"failed\""));
	assert_non_null(strstr(svg.data, "aria-label=\"created\""));
	tn_buf_finish(&svg);
	tn_display_free(display);
	display = tn_picture_kit_draw(&kit, &without);
	as_svg(display, &svg);
	assert_null(strstr(svg.data, "aria-label=\"failed\""));
	tn_buf_finish(&svg);
	tn_display_free(display);
	tn_picture_kit_finish(&kit);
}

static void unknown_types_say_their_id(void **state)
{
	const struct tn_studio_picture_options options = {.legend = true};
	struct tn_picture_kit kit;
	struct tn_display *display;
	struct tn_buf svg;

	(void)state;
	tn_picture_kit_load(&kit, "nesting");
	display = tn_picture_kit_draw(&kit, &options);
	as_svg(display, &svg);
	assert_non_null(strstr(svg.data, "aria-label=\"foreign/things/enclosure\""));
	assert_non_null(strstr(svg.data, "foreign/things/flux_capacitor)</title>"));
	assert_non_null(strstr(svg.data, "type not known here"));
	tn_buf_finish(&svg);
	tn_display_free(display);
	tn_picture_kit_finish(&kit);
}

/* Only what was chosen, with what is inside, and the edges between. */
static void a_selection(void **state)
{
	struct tn_studio_picture_options options = {.theme = TN_STUDIO_LIGHT};
	struct tn_picture_kit kit;
	struct tn_display *display;
	struct tn_json *ids;
	struct tn_buf svg;

	(void)state;
	tn_picture_kit_load(&kit, "three-tier");
	tn_picture_kit_lay_out(&kit, TN_STUDIO_LR);
	assert_int_equal(
		tn_json_parse_copy(&kit.arena, TN_STR("[\"data\",\"app\",\"nobody\"]"), &ids, NULL),
		TENON_OK);
	options.node_ids = ids;
	display = tn_picture_kit_draw(&kit, &options);
	as_svg(display, &svg);
	assert_non_null(strstr(svg.data, "id=\"data\""));
	assert_non_null(strstr(svg.data, "id=\"db\""));
	assert_non_null(strstr(svg.data, "id=\"app\""));
	assert_null(strstr(svg.data, "id=\"rg\""));
	assert_null(strstr(svg.data, "id=\"plan\""));
	assert_null(strstr(svg.data, "id=\"e0\""));
	tn_buf_finish(&svg);
	tn_display_free(display);
	assert_int_equal(tn_json_parse_copy(&kit.arena, TN_STR("[]"), &ids, NULL), TENON_OK);
	options.node_ids = ids;
	display = tn_picture_kit_draw(&kit, &options);
	as_svg(display, &svg);
	assert_non_null(strstr(svg.data, "Nothing to show"));
	tn_buf_finish(&svg);
	tn_display_free(display);
	tn_picture_kit_finish(&kit);
}

/* ST-145, ST-146: what users write is drawn, not obeyed */
static void hostile_labels(void **state)
{
	static const char diagram[] =
		"{\"formatVersion\":1,\"revision\":1,\"nodes\":[{\"id\":\"a\",\"typeId\":"
		"\"_annotation/general/sticky_note\",\"label\":\"</svg><script>alert(1)</script>\","
		"\"terraformName\":\"a\",\"position\":{\"x\":1,\"y\":2},\"properties\":{"
		"\"description\":\"\\n\\n  <b>\\u001b[31m   & \\ud83d\\ude00 "
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaa"
		"\\n\\n\\n\\n\\n\\n\\n\\n\"}},{\"id\":\"b\",\"typeId\":\"x/y/\\\"<i>\",\"label\":"
		"\"\\u202eevil\",\"terraformName\":\"b\",\"position\":{\"x\":900,\"y\":2},"
		"\"size\":{\"width\":3,\"height\":2}}],\"edges\":[{\"id\":\"e\",\"source\":\"a\","
		"\"sourceHandle\":\"node\",\"target\":\"b\",\"targetHandle\":\"node\",\"category\":"
		"\"annotation\",\"label\":\"<a href='x'>\"}],\"modules\":[],\"instances\":[]}";
	const struct tn_studio_picture_options options = {.legend = true};
	struct tn_picture_kit kit;
	struct tn_display *display;
	struct tenon_error err;
	struct tn_buf svg;

	(void)state;
	tn_picture_kit_init(&kit, tn_str_from(diagram));
	display = tn_picture_kit_draw(&kit, &options);
	as_svg(display, &svg);
	assert_int_equal(strlen(svg.data), svg.size - 1);
	assert_null(strstr(svg.data, "<script"));
	assert_null(strstr(svg.data, "<b>"));
	assert_null(strstr(svg.data, "<i>"));
	assert_null(strstr(svg.data, "<a "));
	assert_null(strchr(svg.data, 0x1b));
	tn_buf_clear(&svg);
	assert_int_equal(tn_draw_png(display, 1, &svg, &err), TENON_OK);
	tn_buf_finish(&svg);
	tn_display_free(display);
	tn_picture_kit_finish(&kit);
}

/* Every type of the catalogue, and signs that a registry file brings. */
static void every_type_has_a_sign(void **state)
{
	static const char *const icons[] = {"network",
					    "M2 2L20 20",
					    "M2,2 l5,-5 h3 v3 c1 1 2 2 3 3 q1 1 2 2 z O5 5 2",
					    "M",
					    "M1",
					    "Mxxxx",
					    "M1 1L99999999999 5",
					    "M1 1K5 5",
					    "O",
					    "O1 1",
					    "<script>",
					    "M-1.5-.5L.5.5.5",
					    "no such sign"};
	struct tn_studio_registry *registry;
	struct tn_display *display;
	struct tenon_error err;
	struct tn_buf svg;
	size_t i;

	(void)state;
	assert_int_equal(tn_studio_registry_built_in(&registry, &err), TENON_OK);
	for (i = 0; i < registry->type_count + TN_COUNT(icons); i++) {
		struct tn_studio_type type = {.id = TN_STR("a/b/c"), .category = TN_STR("b")};

		if (i >= TN_COUNT(icons))
			type = *registry->types[i - TN_COUNT(icons)];
		else
			type.icon = tn_str_from(icons[i]);
		assert_int_equal(tn_display_create(30, 30, 0, &display, &err), TENON_OK);
		tn_studio_draw_sign(display, &type, 3, 3, 24, 0x000000FF);
		as_svg(display, &svg);
		assert_null(strstr(svg.data, "script"));
		if (i >= TN_COUNT(icons) || i < 3)
			assert_true(strstr(svg.data, "<path") || strstr(svg.data, "<ellipse"));
		tn_buf_finish(&svg);
		tn_display_free(display);
	}
	tn_studio_registry_unref(registry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_bytes),
		cmocka_unit_test(an_edge_and_its_reference_agree),
		cmocka_unit_test(colours_have_contrast),
		cmocka_unit_test(status_has_words),
		cmocka_unit_test(unknown_types_say_their_id),
		cmocka_unit_test(a_selection),
		cmocka_unit_test(hostile_labels),
		cmocka_unit_test(every_type_has_a_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
