/* What is on a picture of a plan: places, symbols, words (floorplan.md section 6). */
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
enum { WALL = 0x1A1A1A, ROOM = 0xF3F0E8, PAGE = 0xFFFFFF, LEAF = 0x1A1A1A };

static void draw(struct tn_picture_kit *kit, const char *text)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();

	options.labels = 0;
	tn_picture_kit_draw(kit, tn_str_from(text), &options);
}

/* floorplan.md 6.2: exactly the size asked for; the plan in the middle of what strips leave. */
static void test_page(void **state)
{
	static const uint32_t sizes[][2] = {{800, 600}, {64, 64}, {333, 777}, {8192, 64}};
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(sizes); i++) {
		options.width = sizes[i][0];
		options.height = sizes[i][1];
		tn_picture_kit_draw(&kit, TN_STR(HEAD "floor F { room A at (0,0) size (4 x 3) }"),
				    &options);
		assert_int_equal(kit.width, sizes[i][0]);
		assert_int_equal(kit.height, sizes[i][1]);
		assert_int_equal(tn_picture_kit_at(&kit, 2, 0), WALL);
		tn_picture_kit_finish(&kit);
	}
	options = tn_picture_kit_options();
	options.no_scale_bar = true;
	tn_picture_kit_draw(&kit, TN_STR(HEAD "floor F { room A at (2,3) size (4 x 3) }"),
			    &options);
	/* 16 p of margin: 768 x 568 for 4.2 x 3.2 m with the walls. */
	assert_true(fabs(kit.picture.transforms[0].scale - 568 / 3.2) < 1e-9);
	assert_true(fabs(kit.picture.transforms[0].y0 + 2.9 * 568 / 3.2 - 16) < 1e-9);
	assert_true(fabs(kit.picture.transforms[0].x0 + 1.9 * 568 / 3.2 -
			 floor((800 - 4.2 * 568 / 3.2) / 2 + 0.5)) < 1e-9);
	tn_picture_kit_finish(&kit);
}

/* 6.2: pages out of the limits, and floors that are not there, are told of. */
static void test_refused(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	const struct tn_str names[] = {TN_STR("F"), TN_STR("G")};
	struct tn_floor_picture picture;
	struct tn_floor_plan *plan;
	struct tn_arena arena;
	struct tenon_error err = {0};

	(void)state;
	assert_int_equal(
		tn_floor_plan_create(TN_STR(HEAD "floor F { room A at (0,0) size (4 x 3) }"), false,
				     &plan, &err),
		TENON_OK);
	tn_arena_init(&arena, TN_MIB);
	options.floor_index = 1;
	assert_int_equal(tn_floor_draw(plan, &options, &arena, &picture, &err), TENON_NOT_FOUND);
	options.floors = names;
	options.floor_count = 2;
	assert_int_equal(tn_floor_draw(plan, &options, &arena, &picture, &err), TENON_NOT_FOUND);
	options = tn_picture_kit_options();
	options.width = options.height = 8000;
	assert_int_equal(tn_floor_draw(plan, &options, &arena, &picture, &err), TENON_LIMIT);
	tn_arena_finish(&arena);
	tn_arena_init(&arena, 128);
	options = tn_picture_kit_options();
	assert_int_equal(tn_floor_draw(plan, &options, &arena, &picture, &err), TENON_NO_MEMORY);
	tn_arena_finish(&arena);
	tn_floor_plan_free(plan);
}

/* 6.2: a plan without rooms is a page that says so. */
static void test_empty(void **state)
{
	static const char *const texts[] = {"floorplan", "floorplan\nfloor F { }"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		struct tn_picture_kit kit;
		size_t inked = 0;

		draw(&kit, texts[i]);
		assert_true(tn_picture_kit_has(&kit, ">empty plan</text>"));
		for (uint32_t x = 300; x < 500; x++)
			inked += tn_picture_kit_pixel(&kit, x, 300) != PAGE;
		assert_true(inked > 10);
		tn_picture_kit_finish(&kit);
	}
}

/* 6.2: the same place at the same place of each cell; stacked, the first floor is at the bottom. */
static void test_floors(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	const struct tn_str text = TN_STR(HEAD "floor F { room A at (0,0) size (4 x 3) }\n"
					       "floor G { room B at (1,1) size (9 x 3) }");
	struct tn_picture_kit kit;
	const struct tn_floor_transform *at;

	(void)state;
	options.all_floors = true;
	tn_picture_kit_draw(&kit, text, &options);
	at = kit.picture.transforms;
	assert_int_equal(kit.picture.transform_count, 2);
	assert_true(at[0].scale == at[1].scale);
	assert_true(fabs(at[0].y0 - at[1].y0) < 1e-9);
	/* 10.2 m wide each, 24 p between them. */
	assert_true(fabs(at[1].x0 - at[0].x0 - 10.2 * at[0].scale - 24) < 1.01);
	assert_true(tn_picture_kit_has(&kit, ">F</text>"));
	tn_picture_kit_finish(&kit);
	options.layout = TN_FLOOR_STACKED;
	tn_picture_kit_draw(&kit, text, &options);
	at = kit.picture.transforms;
	assert_true(at[0].y0 > at[1].y0 + 4 * at[0].scale);
	assert_true(fabs(at[0].x0 - at[1].x0) < 1e-9);
	tn_picture_kit_finish(&kit);
	options = tn_picture_kit_options();
	options.floor_index = 1;
	tn_picture_kit_draw(&kit, text, &options);
	assert_int_equal(kit.picture.transform_count, 1);
	assert_true(tn_picture_kit_has(&kit, "data-room=\"B\""));
	assert_false(tn_picture_kit_has(&kit, "data-room=\"A\""));
	tn_picture_kit_finish(&kit);
}

/* 6.4: an opening is cut out, so that the floor shows; open sides are not built. */
static void test_walls(void **state)
{
	struct tn_picture_kit kit;

	(void)state;
	draw(&kit, HEAD "floor F { room A at (0,0) size (4 x 3) walls [left: open]\n"
			"room B at (4,0) size (4 x 3) }\nconnect A to B opening size (1.5 x 2)");
	assert_int_equal(tn_picture_kit_at(&kit, 4, 0.4), WALL);
	assert_int_equal(tn_picture_kit_at(&kit, 3.96, 1.5), ROOM);
	assert_int_equal(tn_picture_kit_at(&kit, 4.04, 1.3), ROOM);
	assert_int_equal(tn_picture_kit_at(&kit, 4, 2.6), WALL);
	assert_int_equal(tn_picture_kit_at(&kit, 0.04, 1.5), ROOM);
	assert_int_equal(tn_picture_kit_at(&kit, -0.06, 1.5), PAGE);
	assert_int_equal(tn_picture_kit_at(&kit, -0.06, 0.06), PAGE);
	/* The corner is closed. */
	assert_int_equal(tn_picture_kit_at(&kit, 8.08, 3.08), WALL);
	tn_picture_kit_finish(&kit);
}

/* The leaf stands at right angles in the room it opens into, at the jamb that is at the right or
 * left hand of who stands there and faces the wall (4.5, 6.5). */
static void test_doors(void **state)
{
	static const struct {
		const char *connect;
		double x, y; /* the middle of the leaf */
	} cases[] = {
		{"connect A.right to B door size (1 x 2) opens into A", 3.4, 2},
		{"connect A.right to B door size (1 x 2) opens into A swing: left", 3.4, 1},
		{"connect A.right to B door size (1 x 2) opens into B", 4.6, 1},
		{"connect A.right to B door size (1 x 2) opens into B swing: left", 4.6, 2},
		{"connect A.bottom to C door size (1 x 2) opens into A", 1.5, 2.4},
		{"connect A.bottom to C door size (1 x 2) opens into A swing: left", 2.5, 2.4},
		{"connect A.bottom to C door size (1 x 2) opens into C", 2.5, 3.6},
		{"connect A.top to outside door size (1 x 2)", 2.5, 0.6},
		{"connect A.top to outside door size (1 x 2) opens into outside", 1.5, -0.6},
		/* Facing left, the right hand is above. */
		{"connect A.left to outside door size (1 x 2)", 0.6, 1},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_picture_kit kit;
		char text[512];
		double x, y, scale;
		bool found = false;

		(void)snprintf(text, sizeof(text), "%s%s%s", HEAD,
			       "floor F { room A at (0,0) size (4 x 3)\n"
			       "room B at (4,0) size (4 x 3)\nroom C at (0,3) size (4 x 3)\n"
			       "room Z at (0,-3) size (0.5 x 0.5) }\n",
			       cases[i].connect);
		x = cases[i].x;
		y = cases[i].y;
		draw(&kit, text);
		scale = kit.picture.transforms[0].scale;
		for (int dx = -1; dx <= 1; dx++)
			for (int dy = -1; dy <= 1; dy++) {
				uint32_t pixel =
					tn_picture_kit_at(&kit, x + dx / scale, y + dy / scale);

				found = found || (pixel >> 16) < 0x60;
			}
		if (!found)
			fail_msg("%s: no leaf at %g, %g", cases[i].connect, x, y);
		tn_picture_kit_finish(&kit);
	}
}

/* 6.5: glass between two faces; the wall is gone there. */
static void test_window(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;

	(void)state;
	options.labels = 0;
	options.theme = TN_STR("dark");
	tn_picture_kit_draw(
		&kit,
		TN_STR(HEAD "floor F { room A at (0,0) size (4 x 3) walls [top: window at 2 size "
			    "(2 x 1)] }"),
		&options);
	assert_int_equal(tn_picture_kit_at(&kit, 2.3, -0.05), 0x3A4A55);
	assert_int_equal(tn_picture_kit_at(&kit, 0.8, -0.05), 0xCCCCCC);
	assert_int_equal(tn_picture_kit_at(&kit, 3.2, 0.05), 0xCCCCCC);
	tn_picture_kit_finish(&kit);
}

/* 6.3: where rooms of a container overlap, a hatch in the accent colour. */
static void test_overlap(void **state)
{
	struct tn_picture_kit kit;
	size_t inside = 0, beside = 0;

	(void)state;
	draw(&kit, HEAD "floor F { room A at (0,0) size (4 x 3) walls [right: open]\n"
			"room B at (3,0) size (4 x 3) walls [left: open] }");
	for (double x = 3.1; x < 3.9; x += 0.005)
		inside += tn_picture_kit_at(&kit, x, 1.5) != ROOM;
	for (double x = 2; x < 2.9; x += 0.005)
		beside += tn_picture_kit_at(&kit, x, 1.5) != ROOM;
	assert_true(inside > 10);
	assert_int_equal(beside, 0);
	tn_picture_kit_finish(&kit);
}

/* 6.8: what does not fit is dropped, then turned, then a number that the legend explains. */
static void test_labels(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;

	(void)state;
	options.area = true;
	tn_picture_kit_draw(&kit,
			    TN_STR(HEAD "floor F { room Wide at (0,0) size (20 x 10) label "
					"\"Large\nhall\"\nroom Narrow at (20,0) size (1 x 10)\n"
					"room ANameThatIsMuchTooLong at (0,10) size (1.4 x 1.4) }"),
			    &options);
	assert_true(tn_picture_kit_has(&kit, ">Wide</text>"));
	assert_true(tn_picture_kit_has(&kit, ">Large</text>"));
	assert_true(tn_picture_kit_has(&kit, ">hall</text>"));
	assert_true(tn_picture_kit_has(&kit, ">20 x 10 m</text>"));
	assert_true(tn_picture_kit_has(&kit, ">200 m\xc2\xb2</text>"));
	assert_true(tn_picture_kit_has(&kit, "rotate(-90 "));
	assert_int_equal(kit.picture.keys[0], 0);
	assert_int_equal(kit.picture.keys[1], 0);
	assert_int_equal(kit.picture.keys[2], 1);
	assert_true(tn_picture_kit_has(&kit, ">1</text>"));
	/* The line of the legend. */
	assert_true(tn_picture_kit_has(&kit, ">ANameThatIsMuchTooLong, 1.4 x 1.4 m</text>"));
	tn_picture_kit_finish(&kit);
	options.labels = 0;
	tn_picture_kit_draw(&kit, TN_STR(HEAD "floor F { room Wide at (0,0) size (20 x 10) }"),
			    &options);
	assert_false(tn_picture_kit_has(&kit, ">Wide</text>"));
	tn_picture_kit_finish(&kit);
}

/* 6.2: rows that no longer fit end in how many more there are. */
static void test_long_legend(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;
	struct tn_buf text;
	unsigned i;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, HEAD "floor F {\n");
	for (i = 0; i < 200; i++)
		tn_buf_format(&text, "room RoomWithALongName%u at (%u,%u) size (3 x 3)\n", i,
			      i % 20 * 3, i / 20 * 3);
	tn_buf_append_text(&text, "}");
	tn_picture_kit_draw(&kit, tn_buf_str(&text), &options);
	assert_int_equal(kit.picture.keys[0], 1);
	assert_int_equal(kit.picture.keys[199], 200);
	assert_true(tn_picture_kit_has(&kit, " more</text>"));
	tn_picture_kit_finish(&kit);
	tn_buf_finish(&text);
}

/* 6.7: lengths are converted, not only relabelled. */
static void test_dimensions(void **state)
{
	const struct tn_str text =
		TN_STR("floorplan\nconfig { default_unit: ft }\nfloor F { room A "
		       "at (0,0) size (12.5 x 10)\nroom B at (12.5,0) size (10 x "
		       "8) }");
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;

	(void)state;
	options.labels = 0;
	options.dimensions = 1;
	tn_picture_kit_draw(&kit, text, &options);
	assert_true(tn_picture_kit_has(&kit, ">12.5 ft</text>"));
	assert_true(tn_picture_kit_has(&kit, ">22.5 ft</text>"));
	assert_true(tn_picture_kit_has(&kit, ">2 ft</text>"));
	assert_true(kit.picture.transforms[0].y0 > 16 + 44);
	tn_picture_kit_finish(&kit);
	options.architectural = true;
	tn_picture_kit_draw(&kit, text, &options);
	assert_true(tn_picture_kit_has(&kit, ">12'-6&quot;</text>"));
	tn_picture_kit_finish(&kit);
	options.length_unit = TN_FLOOR_M;
	tn_picture_kit_draw(&kit, text, &options);
	assert_true(tn_picture_kit_has(&kit, ">3.81 m</text>"));
	assert_true(tn_picture_kit_has(&kit, ">6.86 m</text>"));
	options.dimensions_in_rooms = true;
	tn_picture_kit_finish(&kit);
	tn_picture_kit_draw(&kit, text, &options);
	assert_true(tn_picture_kit_has(&kit, ">3.81 m</text>"));
	assert_false(tn_picture_kit_has(&kit, ">6.86 m</text>"));
	tn_picture_kit_finish(&kit);
}

/* 6.8: the summary, and areas in the unit that is asked for. */
static void test_summary(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;

	(void)state;
	options.summary = true;
	options.area_in_sqm = 0;
	tn_picture_kit_draw(&kit,
			    TN_STR(HEAD "floor F { room A at (0,0) size (4 x 3)\nroom B at (4,0) "
					"size (4 x 2) }"),
			    &options);
	assert_true(tn_picture_kit_has(&kit,
				       ">Rooms 2 \xc2\xb7 Net area 215.28 ft\xc2\xb2 \xc2\xb7 "
				       "Bounds 8 x 3 m \xc2\xb7 Use 83 %</text>"));
	assert_true(tn_picture_kit_has(&kit, ">2 m</text>")); /* the scale bar */
	tn_picture_kit_finish(&kit);
}

/* 6.9: every theme's text can be read on its rooms; and on whatever a style has. */
static void test_contrast(void **state)
{
	static const char *const names[] = {"default", "dark", "blueprint"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const struct tn_floor_theme *theme = tn_floor_theme_find(tn_str_from(names[i]));

		assert_string_equal(theme->name, names[i]);
		assert_true(tn_paint_contrast(theme->text, theme->room) >= 4.5);
		assert_true(tn_paint_contrast(theme->secondary, theme->room) >= 4.5);
	}
	assert_string_equal(tn_floor_theme_find(TN_STR("neon"))->name, "default");
	assert_true(fabs(tn_paint_contrast(0x000000FF, 0xFFFFFFFF) - 21) < 1e-9);
	for (unsigned grey = 0; grey < 256; grey++) {
		tn_colour fill = grey << 24 | grey << 16 | grey << 8 | 0xFF;

		assert_true(tn_paint_contrast(tn_paint_readable(0x555555FF, fill), fill) >= 4.5);
	}
}

/* 6.10: what an SVG says of itself and of its parts; text is escaped. */
static void test_svg(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;

	(void)state;
	tn_picture_kit_draw(
		&kit,
		TN_STR("---\nversion: 1.0\ntitle: Tom & <Jerry>\n---\nfloorplan\nfloor F "
		       "{\n  room A at (0,0) size (9 x 9) label \"</text><script>\"\n"
		       "  stair S at (1,1) shape straight toward top rise 3ft\n}"),
		&options);
	assert_true(tn_picture_kit_has(&kit, "role=\"img\""));
	assert_true(tn_picture_kit_has(&kit, "<!-- floorplan language 1.0 -->"));
	assert_true(tn_picture_kit_has(&kit, "<title>Tom &amp; &lt;Jerry&gt;</title>"));
	assert_true(
		tn_picture_kit_has(&kit, "<g data-floor=\"F\" data-room=\"A\" data-line=\"7\">"));
	assert_true(
		tn_picture_kit_has(&kit, "<g data-floor=\"F\" data-stair=\"S\" data-line=\"8\">"));
	assert_true(tn_picture_kit_has(&kit, "&lt;/text&gt;&lt;script&gt;</text>"));
	assert_false(tn_picture_kit_has(&kit, "<script"));
	assert_false(tn_picture_kit_has(&kit, "href"));
	tn_picture_kit_finish(&kit);
}

/* Diagnostics are drawn where they are. */
static void test_marks(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	const struct tn_str text = TN_STR(HEAD "floor F { room A at (0,0) size (4 x 3)\nroom B at "
					       "(3,0) size (4 x 3) }");
	struct tn_picture_kit kit;

	(void)state;
	tn_picture_kit_draw(&kit, text, &options);
	assert_false(tn_picture_kit_has(&kit, "FP3010"));
	tn_picture_kit_finish(&kit);
	options.diagnostics = true;
	tn_picture_kit_draw(&kit, text, &options);
	assert_true(tn_picture_kit_has(&kit, ">FP3010</text>"));
	tn_picture_kit_finish(&kit);
}

static void expect_difference(const char *before, const char *after, const char *words)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_floor_plan *plans[2] = {NULL, NULL};
	struct tn_floor_picture picture;
	struct tn_arena arena;
	struct tn_buf svg;
	struct tenon_error err = {0};

	assert_int_equal(tn_floor_plan_create(tn_str_from(before), false, &plans[0], &err), 0);
	assert_int_equal(tn_floor_plan_create(tn_str_from(after), false, &plans[1], &err), 0);
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&svg, TN_MIB);
	assert_int_equal(
		tn_floor_draw_difference(plans[0], plans[1], &options, &arena, &picture, &err), 0);
	assert_int_equal(tn_draw_svg(picture.display, &svg, &err), 0);
	tn_buf_append_byte(&svg, '\0');
	if (words)
		assert_non_null(strstr(svg.data, words));
	else
		assert_true(!strstr(svg.data, "added") && !strstr(svg.data, "removed") &&
			    !strstr(svg.data, "moved") && !strstr(svg.data, "changed"));
	tn_display_free(picture.display);
	tn_arena_finish(&arena);
	tn_buf_finish(&svg);
	tn_floor_plan_free(plans[0]);
	tn_floor_plan_free(plans[1]);
}

static void test_difference(void **state)
{
	const char *plan = HEAD "floor F { room A at (0,0) size (4 x 3) }";

	(void)state;
	expect_difference(plan, plan, NULL);
	expect_difference(plan,
			  HEAD "floor F { room A at (0,0) size (4 x 3)\nroom B at (4,0) size (4 x "
			       "3) }",
			  ">1 added</text>");
	expect_difference(HEAD "floor F { room A at (0,0) size (4 x 3)\nroom B at (4,0) size (4 x "
			       "3) }",
			  plan, ">removed B</text>");
	expect_difference(plan, HEAD "floor F { room A at (1,0) size (4 x 3) }", ">1 moved</text>");
	expect_difference(plan, HEAD "floor F { room A at (0,0) size (5 x 3) }",
			  ">1 resized</text>");
	expect_difference(plan, HEAD "floor F { room A at (0,0) size (4 x 3) label \"L\" }",
			  ">1 changed</text>");
}

static struct tn_floor_box free_box(struct tn_painter *painter, struct tn_floor_box box,
				    struct tn_floor_box *boxes, size_t count)
{
	const struct tn_floor_obstacles obstacles = {.boxes = boxes, .count = count};

	return tn_paint_free_box(painter, box, &obstacles);
}

/* 6.8: the largest part that is free; among many obstacles it may be smaller, never covered. */
static void test_free_box(void **state)
{
	const struct tn_floor_box box = {0, 0, 100, 60};
	struct tn_floor_box obstacles[80], found;
	struct tn_arena arena;
	struct tn_painter painter = {.arena = &arena};

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	obstacles[0] = (struct tn_floor_box){0, 0, 30, 30};
	obstacles[1] = (struct tn_floor_box){90, -5, 20, 100};
	found = free_box(&painter, box, obstacles, 2);
	assert_true(found.x == 30 && found.y == 0 && found.width == 60 && found.height == 60);
	for (unsigned i = 0; i < 80; i++)
		obstacles[i] = (struct tn_floor_box){i % 10 * 10 + 3, i / 10 * 5, 4, 3};
	found = free_box(&painter, box, obstacles, 80);
	assert_true(found.y >= 37 && found.height > 20 && found.width > 99);
	obstacles[0] = (struct tn_floor_box){-10, -10, 200, 200};
	found = free_box(&painter, box, obstacles, 1);
	assert_true(found.width * found.height == 0);
	tn_arena_finish(&arena);
}

/* floorplan.md 11: rooms over rooms are drawn as what is seen of them, with the same pixels. */
static void test_deep(void **state)
{
	struct tn_floor_picture_options options = tn_picture_kit_options();
	struct tn_picture_kit kit;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, HEAD "style Red { floor_color: \"#FF0000\" }\nfloor F {\n");
	for (unsigned i = 0; i < 60; i++)
		tn_buf_format(&text, "room R%u at (0,0) size (8 x 6)\n", i);
	tn_buf_append_text(&text, "room Last at (2,2) size (3 x 2) style Red\n}");
	options.labels = 0;
	tn_picture_kit_draw(&kit, tn_buf_str(&text), &options);
	/* Told from one drawn as it is by its groups. */
	assert_false(tn_picture_kit_has(&kit, "data-room=\"R1\""));
	for (unsigned i = 0, reds = 0; i < 200; i++) {
		reds += tn_picture_kit_at(&kit, 2.2 + i * 0.01, 3) == 0xFF0000;
		if (i == 199)
			assert_true(reds > 100);
	}
	tn_picture_kit_finish(&kit);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),       cmocka_unit_test(test_refused),
		cmocka_unit_test(test_empty),      cmocka_unit_test(test_floors),
		cmocka_unit_test(test_walls),      cmocka_unit_test(test_doors),
		cmocka_unit_test(test_window),     cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_labels),     cmocka_unit_test(test_long_legend),
		cmocka_unit_test(test_dimensions), cmocka_unit_test(test_summary),
		cmocka_unit_test(test_contrast),   cmocka_unit_test(test_svg),
		cmocka_unit_test(test_marks),      cmocka_unit_test(test_difference),
		cmocka_unit_test(test_free_box),   cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
