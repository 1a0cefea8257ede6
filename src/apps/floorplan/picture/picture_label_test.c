/* Words in rooms: beside all walls, and a name or a number in each room (floorplan.md 6.7, 6.8). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/floorplan/picture/internal.h"
#include "apps/floorplan/picture/picture_test_kit.h"
#include "base/size.h"

#define HEAD "%%{version: 1.0}%%\nfloorplan\nconfig { default_unit: m }\n"
enum { WALL = 0x1A1A1A };

static void draw(struct tn_picture_kit *kit, struct tn_str text)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();

	options.labels = 0;
	tn_picture_kit_draw(kit, text, &options);
}

/* Where a text of the picture is: of letters, not of their ground. */
static struct tn_floor_box box_of(const struct tn_picture_kit *kit, const char *words)
{
	char shown[64];
	double x, y, size, width;
	const char *at, *begin = kit->svg.data;

	(void)snprintf(shown, sizeof(shown), ">%s</text>", words);
	at = strstr(kit->svg.data, shown);
	assert_non_null(at);
	for (const char *next = begin; (next = strstr(next, "<text ")) && next < at; next++)
		begin = next;
	assert_int_equal(sscanf(begin,
				"<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\" textLength=\"%lf\"",
				&x, &y, &size, &width),
			 4);
	if (strstr(begin, "rotate(-90") && strstr(begin, "rotate(-90") < at)
		return (struct tn_floor_box){x - 0.8 * size, y - width / 2, size, width};
	return (struct tn_floor_box){x - width / 2, y - 0.8 * size, width, size};
}

/* There is no wall under a text, as a picture without words shows, which may be laid out larger. */
static void expect_no_wall(const struct tn_picture_kit *walls, const struct tn_picture_kit *kit,
			   const char *words)
{
	const struct tn_floor_transform *at = &kit->picture.transforms[0];
	const struct tn_floor_box box = box_of(kit, words);

	for (double y = box.y; y < box.y + box.height; y += 0.5)
		for (double x = box.x; x < box.x + box.width; x += 0.5)
			if (tn_picture_kit_at(walls, (x - at->x0) / at->scale,
					      (y - at->y0) / at->scale) == WALL)
				fail_msg("'%s' is on a wall at %g, %g", words, x, y);
}

/* 6.8: text never crosses a wall, also not that of a room that lies over this one. */
static void test_crossed(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	const struct tn_str text = TN_STR(HEAD "floor F { room Wood at (0,0) size (8 x 4)\n"
					       "room Store at (2,2) size (4 x 4) }");
	struct tn_picture_kit kit, walls;

	(void)state;
	tn_picture_kit_draw(&kit, text, &options);
	draw(&walls, text);
	expect_no_wall(&walls, &kit, "Wood");
	expect_no_wall(&walls, &kit, "Store");
	expect_no_wall(&walls, &kit, "8 x 4 m");
	tn_picture_kit_finish(&kit);
	tn_picture_kit_finish(&walls);
}

/* The same among more walls than are looked at one by one. */
static void test_crossed_often(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit, walls;
	struct tn_buf text;

	(void)state;
	for (unsigned count = 10; count <= 400; count += 195) {
		tn_buf_init(&text, TN_MIB);
		tn_buf_append_text(&text, HEAD "floor F { room Hall at (0,0) size (60 x 40)\n");
		for (unsigned i = 0; i < count; i++)
			tn_buf_format(&text, "room R%u at (%u,%u) size (%u x 8)\n", i,
				      i % 9 * 4 + i % 2, i % 15 * 2, 12 + i % 7);
		tn_buf_append_text(&text, "}");
		tn_picture_kit_draw(&kit, tn_buf_str(&text), &options);
		draw(&walls, tn_buf_str(&text));
		expect_no_wall(&walls, &kit, "Hall");
		tn_picture_kit_finish(&kit);
		tn_picture_kit_finish(&walls);
		tn_buf_finish(&text);
	}
}

/* 6.7: a room's own dimensions beside its sub-rooms' walls, or nowhere. */
static void test_inside(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	const struct tn_str text = TN_STR(
		HEAD "floor F { room Outer at (0,0) size (8.1 x 6.3) composed of [\n"
		     "sub-room A at (4,0) size (2 x 2)\nsub-room B at (0,3) size (2 x 2.5)\n] }");
	struct tn_picture_kit kit, walls;

	(void)state;
	options.dimensions = 1;
	options.dimensions_in_rooms = true;
	tn_picture_kit_draw(&kit, text, &options);
	draw(&walls, text);
	expect_no_wall(&walls, &kit, "8.1 m");
	expect_no_wall(&walls, &kit, "6.3 m");
	tn_picture_kit_finish(&kit);
	tn_picture_kit_finish(&walls);
}

/* The same floor may be drawn twice. */
static void test_twice(void **state)
{
	const struct tn_str floors[] = {TN_STR("F"), TN_STR("F")};
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;
	double x[2];
	const char *at;

	(void)state;
	options.dimensions = 1;
	options.dimensions_in_rooms = true;
	options.floors = floors;
	options.floor_count = TN_COUNT(floors);
	tn_picture_kit_draw(&kit, TN_STR(HEAD "floor F { room A at (0,0) size (4.5 x 6) }"),
			    &options);
	at = kit.svg.data;
	for (size_t i = 0; i < TN_COUNT(x); i++) {
		const char *begin = at;

		at = strstr(at, ">4.5 m</text>");
		assert_non_null(at);
		for (const char *next = begin; (next = strstr(next, "<text ")) && next < at; next++)
			begin = next;
		assert_int_equal(sscanf(begin, "<text x=\"%lf\"", &x[i]), 1);
		at++;
	}
	assert_true(fabs(x[1] - x[0] -
			 (kit.picture.transforms[1].x0 - kit.picture.transforms[0].x0)) < 0.1);
	tn_picture_kit_finish(&kit);
}

/* 6.8: a room has its name or a number, whatever else is written in it. */
static void test_named(void **state)
{
	static const char *const names[] = {"Lounge", "Tiny", "Q", "WideWideWideWideWideName"};
	static const double scales[] = {1, 0.7, 0.5, 1.6, 3};
	struct tn_floor_picture_options options = tn_picture_kit_options();
	const struct tn_str text = TN_STR(
		HEAD
		"floor F { room Lounge at (0,0) size (8 x 6) room Tiny at (8,0) size (0.6 x 3) "
		"room Q at (8.6,0) size (0.5 x 0.5) room WideWideWideWideWideName at (0,6) "
		"size (1.2 x 0.5) }");

	(void)state;
	options.dimensions = 1;
	options.dimensions_in_rooms = true;
	for (size_t i = 0; i < TN_COUNT(scales); i++) {
		struct tn_picture_kit kit;
		char shown[64];

		options.width = (uint32_t)(800 * scales[i]);
		options.height = (uint32_t)(600 * scales[i]);
		tn_picture_kit_draw(&kit, text, &options);
		for (size_t k = 0; k < TN_COUNT(names); k++) {
			(void)snprintf(shown, sizeof(shown), ">%s</text>", names[k]);
			if (kit.picture.keys[k] == 0 && !tn_picture_kit_has(&kit, shown))
				fail_msg("%s at %ux%u", names[k], options.width, options.height);
		}
		assert_true(tn_picture_kit_has(&kit, ">8 m</text>"));
		tn_picture_kit_finish(&kit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crossed), cmocka_unit_test(test_crossed_often),
		cmocka_unit_test(test_inside),  cmocka_unit_test(test_named),
		cmocka_unit_test(test_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
