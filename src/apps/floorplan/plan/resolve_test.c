/* Names, units, settings, styles and positions: every code with its range (floorplan.md 4.1 to 4.3,
 * 4.7 to 4.9). */
#include "apps/floorplan/plan/resolve_test_kit.h"

#define A "room A at (0,0) size (2 x 2)"

static void test_units(void **state) /* 4.1 */
{
	static const struct {
		const char *text;
		enum tn_floor_unit unit;
	} plans[] = {
		{IN_FLOOR("room A at (0,0) size (2 x 2)"), TN_FLOOR_FT},
		{IN_FLOOR("room A at (0,0) size (2cm x 2cm)"), TN_FLOOR_CM},
		{IN_FLOOR("room A at (0,0) size (2cm x 2mm)"), TN_FLOOR_M},
		{IN_FLOOR("room A at (0,0) size (2in x 2ft)"), TN_FLOOR_FT},
		{IN_FLOOR("room A at (0,0) size (2in x 2mm)"), TN_FLOOR_IN},
		{IN_FLOOR("room A at (0,0) size (2 x 2) right-of A gap 1mm"), TN_FLOOR_MM},
		{HEAD "define s (1m x 1m) floor F {\n}\n", TN_FLOOR_M},
		{HEAD "floor F height 3m {\n}\n", TN_FLOOR_M},
		{IN_FLOOR("lift L at (0,0) size (1m x 1m)"), TN_FLOOR_M},
		/* Lengths of stairs are no layout lengths, but where they stand is. */
		{IN_FLOOR("stair S at (0,0) shape straight toward top rise 3m"), TN_FLOOR_FT},
		{IN_FLOOR("stair S at (0m,0) shape straight toward top rise 3ft"), TN_FLOOR_M},
		{HEAD "floor F { room A at (0,0) size (2m x 2m) }\nconfig { defaultUnit: in }",
		 TN_FLOOR_IN},
		{"---\nversion: 1\nconfig:\n  default_unit: cm\n---\nfloorplan", TN_FLOOR_CM},
		{"---\nversion: 1\nconfig:\n  default_unit: cm\n---\nfloorplan\n"
		 "config { default_unit: m }",
		 TN_FLOOR_M},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(plans); i++) {
		struct tn_floor_plan *plan = kit_plan(plans[i].text);

		if (plan->unit != plans[i].unit)
			fail_msg("%s\n  is in %s", plans[i].text, tn_floor_unit_name(plan->unit));
		tn_floor_plan_free(plan);
	}
}

static void test_unit_warnings(void **state) /* FP3020, FP3022 */
{
	(void)state;
	kit_expect(IN_FLOOR("room A at (0,0) size (2m x 2ft)"), "FP3020 4:28-4:31");
	kit_expect(IN_FLOOR("room A at (0,0) size (2m x 2) right-of A gap 3in"),
		   "FP3022 4:28-4:29; FP3006 4:31-4:39; FP3020 4:46-4:49");
	kit_expect(IN_FLOOR("room A at (1,0) size (2m x 2m)"), "FP3022 4:12-4:13");
	kit_expect(METRES("room A at (1,0) size (2m x 2m)"), "");
	kit_expect(METRES("room A at (0,0) size (-1m x 2m)"), "FP1005 4:23-4:24");
	kit_expect(HEAD "floor F {\nroom A size (1m x 2m) at (-0.5,0)\n}\ndefine s (3 x 3)",
		   "FP3022 4:27-4:31");
}

static void test_ranges(void **state) /* FP3001, FP3002 */
{
	(void)state;
	kit_expect(IN_FLOOR("room A at (-1000001,0) size (2 x 2)"), "FP3001 4:12-4:20");
	kit_expect(IN_FLOOR("room A at (1000000,0) size (2 x 2)"), "");
	kit_expect(METRES("room A at (0,0) size (1000001000mm x 2)"), "FP3001 4:23-4:35");
	kit_expect(METRES("room A at (0,0) size (2 x 0ft)"), "FP3002 4:27-4:30");
	kit_expect(HEAD "define s (0 x 1)\nfloor F { room A at (0,0) size s }", "FP3002 3:11-3:12");
	kit_expect(IN_FLOOR(A " height 0"), "FP3002 4:37-4:38");
	kit_expect(HEAD "floor F height 0 { " A " }", "FP3002 3:16-3:17");
	kit_expect(IN_FLOOR(A " elevation -1000001"), "FP3001 4:40-4:48");
	kit_expect(IN_FLOOR("lift L at (0,0) size (1 x 0) right-of A\n" A), "FP3002 4:27-4:28");
	kit_expect(IN_FLOOR(A " walls [top: door size (0 x 7)]"), "FP3002 4:53-4:54");
	kit_expect(IN_FLOOR(A "\nroom B size (1 x 1) right-of A gap 1000001"), "FP3001 5:36-5:43");
	kit_expect(IN_FLOOR(A) "connect F.A.top to outside door size (0 x 7)", "FP3002 6:39-6:40");
	/* More digits than a double has. */
	kit_expect(IN_FLOOR("room A at (1"
			    "0000000000000000000000000000000000000000000000000000000000000000000000"
			    "0000000000000000000000000000000000000000000000000000000000000000000000"
			    "0000000000000000000000000000000000000000000000000000000000000000000000"
			    "0000000000000000000000000000000000000000000000000000000000000000000000"
			    "0000000000000000000000000000000000000000000000000000000000000000000000"
			    ",0) size (1 x 1)"),
		   "FP3001 4:12-4:363");
}

static void test_names(void **state) /* 4.2 */
{
	(void)state;
	kit_expect(IN_FLOOR(A "\nroom B at (2,0) size (2 x 2) composed of [\nsub-room A at (0,0) "
			      "size (1 x 1)]"),
		   "FP2001 6:10-6:11");
	kit_expect(HEAD "floor F { " A " }\nfloor G { " A " }\nfloor F { }", "FP2002 5:7-5:8");
	/* Stairs and lifts share their names; the second one in the text is wrong. */
	kit_expect(IN_FLOOR("lift S at (0,0) size (1 x 1)\nroom S at (0,0) size (9 x 9)\n"
			    "stair S at (3,1) shape straight toward top rise 1"),
		   "FP2003 6:7-6:8");
	kit_expect(HEAD "style S { }\nstyle S { roughness: 1 }", "FP1005 3:11-3:12");
	kit_expect(HEAD "style S { roughness: 0 }\nstyle S { roughness: 1 } floor F { " A " }",
		   "FP2009 4:7-4:8");
	kit_expect(HEAD "define s (1 x 1) define s (1 x 1) floor F { " A " }", "FP2010 3:25-3:26");
	kit_expect(IN_FLOOR(A " style Oak"), "FP2008 4:36-4:39");
	kit_expect(IN_FLOOR("room A at (0,0) size big"), "FP2011 4:22-4:25");
	kit_expect(IN_FLOOR("lift L at (0,0) size (1 x 1) style Oak\n" A), "FP2008 4:36-4:39");
	kit_expect(HEAD "config { default_style: Oak } floor F { " A " }", "FP2008 3:25-3:28");
}

static void test_references(void **state) /* FP2004 */
{
	(void)state;
	kit_expect(IN_FLOOR(A "\nroom B size (1 x 1) below C"), "FP2004 5:27-5:28");
	kit_expect(IN_FLOOR(A " composed of [ sub-room In at (0,0) size (1 x 1) ]\n"
			      "room B size (1 x 1) below In"),
		   "FP2004 5:27-5:29");
	kit_expect(HEAD "floor F { " A " }\nfloor G {\nroom B size (1 x 1) below A }",
		   "FP2004 5:27-5:28");
	/* Even when `at` counts; and stairs find rooms, stairs and lifts. */
	kit_expect(IN_FLOOR(A " right-of B"), "FP2004 4:39-4:40");
	kit_expect(IN_FLOOR("room A at (0,0) size (9 x 9)\nlift L size (1 x 1) right-of X"),
		   "FP2004 5:30-5:31");
	kit_expect(METRES("room A at (0,0) size (9 x 9)\nlift L at (1,1) size (1 x 1)\n"
			  "lift M size (1 x 1) right-of L\nlift N size (1 x 1) below M gap 1"),
		   "");
}

static void test_suggestions(void **state) /* did you mean */
{
	(void)state;
	kit_expect_text(
		HEAD "style Oak { roughness: 0 }\nfloor F { " A " style oka }", 2008,
		"style 'oka' is not defined; did you mean 'Oak'?",
		"{\"action\":\"set_style\",\"target\":\"F.A\",\"params\":{\"style\":\"Oak\"}}");
	kit_expect_text(IN_FLOOR("room Kitchen at (0,0) size (1 x 1)\n"
				 "room B size (1 x 1) below kitchne"),
			2004, "did you mean 'Kitchen'?", NULL);
	/* A word that must change altogether is not meant; the first of equals is. */
	kit_expect_text(IN_FLOOR("room Q at (0,0) size (1 x 1)\nroom B size (1 x 1) below Z"), 2004,
			"unknown room 'Z'", NULL);
	kit_expect_text(IN_FLOOR("room Hall1 at (0,0) size (1 x 1)\nroom Hall2 at (2,0) size (1 x "
				 "1)\nroom B size (1 x 1) below Hall"),
			2004, "did you mean 'Hall1'?", NULL);
	kit_expect_text(HEAD "config { windowSil: 1 }", 5001, "did you mean 'windowSill'?", NULL);
	kit_expect_text(HEAD "style S { rouhgness: 1 }", 5010, "did you mean 'roughness'?", NULL);
	kit_expect_text(HEAD "define big (1 x 1) floor F { room A at (0,0) size bog }", 2011,
			"did you mean 'big'?", NULL);
}

static void test_positions(void **state) /* 4.3 */
{
	struct tn_floor_plan *plan = kit_plan(METRES(
		"room B size (4 x 2) right-of A align center\nroom A at (-1,2) size (3 x 4)\n"
		"room C size (1 x 1) above-left-of B gap 50cm\n"
		"room D size (1 x 1) below B align right composed of [ sub-room E size (0.5 x 0.5) "
		"below G sub-room G at (0.25,0) size (0.5 x 0.5) ]"));

	(void)state;
	kit_expect_rect(&kit_room(plan, "A")->rect, -1, 2, 3, 4);
	kit_expect_rect(&kit_room(plan, "B")->rect, 2, 3, 4, 2);
	kit_expect_rect(&kit_room(plan, "C")->rect, 0.5, 1.5, 1, 1);
	kit_expect_rect(&kit_room(plan, "D")->rect, 5, 5, 1, 1);
	kit_expect_rect(&kit_room(plan, "E")->rect, 5.25, 5.5, 0.5, 0.5);
	kit_near(kit_room(plan, "E")->at.x, 0.25);
	kit_near(kit_room(plan, "E")->at.y, 0.5);
	assert_ptr_equal(kit_room(plan, "E")->reference, kit_room(plan, "G"));
	assert_ptr_equal(kit_room(plan, "E")->parent, kit_room(plan, "D"));
	tn_floor_plan_free(plan);
}

static void test_position_faults(void **state)
{
	(void)state;
	kit_expect(IN_FLOOR("room A size (1 x 1)"), "FP3003 4:6-4:7");
	kit_expect_text(
		IN_FLOOR(A "\nroom B size (1 x 1)"), 3003, "room 'B' has no position",
		"{\"action\":\"move_room\",\"target\":\"F.B\",\"params\":{\"x\":2,\"y\":0}}");
	kit_expect_text(
		IN_FLOOR("room A size (1 x 1) below B\nroom B size (1 x 1) below C\n"
			 "room C size (1 x 1) below B"),
		3004, "'B -> C -> B'",
		"{\"action\":\"move_room\",\"target\":\"F.B\",\"params\":{\"x\":0,\"y\":0}}");
	kit_expect(IN_FLOOR("room A size (1 x 1) below B\nroom B size (1 x 1) below C\n"
			    "room C size (1 x 1) below B\nlift L size (1 x 1) below A\n"
			    "lift M size (1 x 1) below M"),
		   "FP3004 5:27-5:28; FP3004 8:27-8:28");
	kit_expect(IN_FLOOR(A "\nroom B at (2,0.02) size (1 x 1) right-of A\n"
			      "room C at (2,2.005) size (1 x 1) below-right-of A"),
		   "FP3006 5:33-5:41");
	kit_expect_text(
		IN_FLOOR(A "\nroom B at (3,0) size (1 x 1) right-of A"), 3006,
		"'B' is at (3,0), but 'right-of A' would be (2,0)",
		"{\"action\":\"move_room\",\"target\":\"F.B\",\"params\":{\"x\":2,\"y\":0}}");
	kit_expect(IN_FLOOR(A "\nroom B size (1 x 1) right-of A align left\n"
			      "room C size (1 x 1) below A align top\n"
			      "room D size (1 x 1) above-left-of A align center"),
		   "FP3007 5:38-5:42; FP3007 6:35-6:38; FP3007 7:43-7:49");
	/* What hangs on a faulty room is silent. */
	kit_expect(IN_FLOOR("room A at (0,0) size (0 x 1)\nroom B size (1 x 1) below A\n"
			    "lift L size (1 x 1) below B"),
		   "FP3002 4:23-4:24");
}

static void test_containers(void **state) /* FP3010 to FP3012, FP3021 */
{
	(void)state;
	kit_expect(IN_FLOOR(A "\nroom B at (1,1) size (2 x 2)\nroom C at (3.99,1) size (2 x 2)"),
		   "FP3010 5:6-5:7");
	kit_expect_text(IN_FLOOR(A "\nroom B at (1,1.5) size (2 x 2)"), 3010,
			"room 'B' overlaps 'A' by 1 x 0.5 ft", NULL);
	kit_expect(IN_FLOOR(A " composed of [ sub-room B at (1,0) size (1.02 x 1)\n"
			      "sub-room C at (0,0) size (1.005 x 1) ]"),
		   "FP3011 4:53-4:54");
	kit_expect_text(
		IN_FLOOR(A " composed of [ sub-room B at (-1,1.5) size (1 x 1) ]"), 3011,
		"'B' stands out of 'A'",
		"{\"action\":\"move_room\",\"target\":\"F.B\",\"params\":{\"x\":0,\"y\":1}}");
	kit_expect(HEAD "floor F height 9 { " A " height 9.5 }", "FP3012 3:56-3:59");
	kit_expect(HEAD "config { default_height: 9 } floor F { " A " height 9 }", "");
	kit_expect(HEAD "floor F {\n}  # c", "FP3021 4:7-4:7");
}

static void test_settings(void **state) /* 4.9 */
{
	(void)state;
#define SET(text) HEAD "floor F { " A " }\nconfig { " text " }"
	kit_expect(SET("wall_thickness: 6in, doorSize: (3 x 7), theme: dark"), "");
	kit_expect(SET("walls: 1"), "FP5001 4:10-4:15");
	kit_expect(SET("theme: 3, door_width: \"3\", show_labels: \"true\", font_family: serif"),
		   "FP5002 4:17-4:18; FP5002 4:32-4:35; FP5002 4:50-4:56; FP5002 4:71-4:76");
	kit_expect(SET("theme: dark, theme: default"), "FP5003 4:23-4:28");
	kit_expect(SET("window_height: 3, window_size: (3 x 3)"), "FP5004 4:41-4:48");
	kit_expect(SET("dark_mode: true, theme: default"), "FP5005 4:21-4:25");
	kit_expect(SET("theme: light"), "FP5006 4:17-4:22");
	kit_expect(SET("window_sill: 0, door_size: (0 x 7)"), "FP5007 4:23-4:24; FP5007 4:37-4:44");
	kit_expect(SET("default_height: 1000001"), "FP3001 4:26-4:33");
	kit_expect("---\nversion: 1\nconfig:\n  theme: dark\n  themes: dark\n  theme: 1\n---\n"
		   "floorplan floor F { " A " }\nconfig { theme: default }",
		   "FP5001 5:3-5:9; FP5003 6:3-6:8; FP5002 6:10-6:11");
}

static void test_setting_values(void **state)
{
	struct tn_floor_plan *plan = kit_plan(
		"---\nversion: 1\nconfig:\n  door_width: 80cm\n  theme: blueprint\n---\n"
		"floorplan floor F { }\nconfig { default_unit: m, window_width: 2, darkMode: true, "
		"stair_code: ada, font_family: \"Serif\", show_labels: false }");
	const struct tn_floor_settings *settings = &plan->settings;

	(void)state;
	kit_near(settings->wall_thickness, 0.2);
	kit_near(settings->door_width, 0.8);
	kit_near(settings->door_height, 2.1);
	kit_near(settings->window_width, 2);
	kit_near(settings->default_height, 3.35);
	kit_near(settings->font_size, 0.25);
	assert_true(settings->has_window_width && !settings->has_window_size);
	assert_true(settings->area_in_sqm && !settings->show_labels);
	assert_false(settings->show_dimensions);
	assert_int_equal(settings->stair_code, 3);
	assert_true(tn_str_is(settings->theme, "blueprint")); /* wins over dark_mode */
	assert_true(tn_str_is(settings->font_family, "Serif"));
	tn_floor_plan_free(plan);
	plan = kit_plan(HEAD "config { dark_mode: true } floor F { }");
	assert_true(tn_str_is(plan->settings.theme, "dark"));
	assert_false(plan->settings.area_in_sqm);
	kit_near(plan->settings.wall_thickness, 0.2 / 0.3048);
	tn_floor_plan_free(plan);
}

static void test_styles(void **state) /* 4.8 */
{
	struct tn_floor_plan *plan;

	(void)state;
#define STYLE(text) HEAD "floor F { " A " }\nstyle S { " text " }"
	kit_expect(STYLE("floor_color: \"#0aF9c3\", wall_texture: \"oak\", roughness: 1"), "");
	kit_expect(STYLE("colour: 1"), "FP5010 4:11-4:17");
	kit_expect(STYLE("floor_color: \"#12345\", wall_color: 3"),
		   "FP5011 4:24-4:32; FP5011 4:46-4:47");
	kit_expect(STYLE("floor_texture: 3"), "FP5012 4:26-4:27");
	kit_expect(STYLE("roughness: 1.01, metalness: \"0\""),
		   "FP5013 4:22-4:26; FP5013 4:39-4:42");
	plan = kit_plan(HEAD "config { default_style: S } style S { roughness: 1 } style T { "
			     "wall_color: \"#112233\" } floor F { " A " room B size (1 x 1) below "
			     "A style T }");
	assert_true(tn_str_is(kit_room(plan, "A")->style->name, "S"));
	assert_true(tn_str_is(kit_room(plan, "B")->style->wall_color, "#112233"));
	tn_floor_plan_free(plan);
}

static void test_verticals(void **state) /* 4.7 */
{
	(void)state;
#define TOWER                                                                             \
	HEAD "floor F { room R at (0,0) size (9 x 9) lift A at (1,1) size (2 x 2) }\n"    \
	     "floor G { room R at (0,0) size (9 x 9) lift A at (1.6,1) size (2 x 2)\n"    \
	     "stair S at (5,1) shape spiral rotation clockwise outer-radius 1 rise 9 }\n" \
	     "floor H { room R at (0,0) size (9 x 9) lift A at (1.5,1) size (2 x 2) }\n"
	kit_expect(TOWER "vertical F.A to G.A to H.A", "FP6011 7:17-7:20");
	kit_expect(TOWER "vertical F.A to H.A", "FP6012 7:17-7:20");
	kit_expect(TOWER "vertical H.A to G.S", "FP6011 7:17-7:20; FP6015 7:17-7:20");
	kit_expect(TOWER "vertical F.B to G.A\nvertical X.A to G.T", "FP2013 7:12-7:13; FP2013 "
								     "8:10-8:11; FP2013 8:19-8:20");
}

static void test_numbers(void **state) /* 4.1: numbers in output */
{
	static const struct {
		double number;
		const char *text;
	} numbers[] = {{0, "0"},
		       {-0.0, "0"},
		       {1, "1"},
		       {-1.5, "-1.5"},
		       {0.1234565, "0.123457"},
		       {-0.0000005, "-0.000001"},
		       {0.0000004, "0"},
		       {-0.0000004, "0"},
		       {1000000, "1000000"},
		       {1e12, "1000000000000"},
		       {1e18, "1000000000000000000"},
		       {2.050000, "2.05"}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(numbers); i++) {
		struct tn_buf out;

		tn_buf_init(&out, 64);
		tn_floor_put_number(&out, numbers[i].number);
		if (!tn_str_is(tn_buf_str(&out), numbers[i].text))
			fail_msg("%.9g is written %.*s", numbers[i].number, (int)out.size,
				 out.data);
		tn_buf_finish(&out);
	}
}

static void test_config_table(void **state) /* every key of the table is one, in both spellings */
{
	struct tn_floor_config_key key;
	size_t count = 0;

	(void)state;
	for (; tn_floor_config_at(count, &key); count++) {
		char text[256];
		struct tn_floor_plan *plan;

		assert_true(tn_floor_is_reserved(tn_str_from(key.key)));
		assert_true(tn_floor_is_reserved(tn_str_from(key.camel)));
		(void)snprintf(text, sizeof(text),
			       "---\nversion: 1\nconfig:\n  %s: -\n---\nfloorplan", key.camel);
		plan = kit_plan(text);
		for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at;
		     at = at->next)
			assert_int_not_equal(at->code, 5001);
		tn_floor_plan_free(plan);
	}
	assert_int_equal(count, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),          cmocka_unit_test(test_unit_warnings),
		cmocka_unit_test(test_ranges),         cmocka_unit_test(test_names),
		cmocka_unit_test(test_references),     cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_positions),      cmocka_unit_test(test_position_faults),
		cmocka_unit_test(test_containers),     cmocka_unit_test(test_settings),
		cmocka_unit_test(test_setting_values), cmocka_unit_test(test_styles),
		cmocka_unit_test(test_verticals),      cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_config_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
