/* Editing as a whole: the worked example, places, targets, modes, bad operations (floorplan.md 8,
 * byte for byte). Rooms: edit_room_test.c; connections and conversions: edit_relation_test.c. */
#include "apps/floorplan/edit/edit_run_kit.h"

/* ---- 8.5 ---- */

static const char worked[] = "floorplan\n"
			     "  floor G {                     # ground\n"
			     "    room A at (0,0) size (10 x 8)  walls [top: solid] # main\n"
			     "    room B size (4 x 4) right-of A gap 1\n"
			     "    stair S at (1,1) shape straight toward top rise 9ft\n"
			     "  }\n"
			     "  connect A.right to B.left door\n";

static void test_worked_example(void **state)
{
	(void)state; /* floorplan.md 8.5 */
	gives(worked,
	      "[{\"action\":\"rename_room\",\"target\":\"A\",\"params\":{\"newName\":\"Hall\"}},"
	      "{\"action\":\"remove_room\",\"target\":\"Hall\"},"
	      "{\"action\":\"add_room\",\"params\":{\"name\":\"N\",\"position\":{\"x\":20,\"y\":0},"
	      "\"size\":{\"width\":3,\"height\":3}}}]",
	      "floorplan\n"
	      "  floor G {                     # ground\n"
	      "    room B at (11,0) size (4 x 4)\n"
	      "    room N at (20,0) size (3 x 3) walls [top: solid, right: solid, bottom: solid, "
	      "left: solid]\n"
	      "    stair S at (1,1) shape straight toward top rise 9ft\n"
	      "  }\n");
}

static void test_remove_room_reports(void **state)
{
	struct run run;

	(void)state; /* floorplan.md 8.3 */
	run_with(&run, tn_str_from(worked), "[{\"action\":\"remove_room\",\"target\":\"A\"}]",
		 false, "");
	change_is(
		&run, 0,
		"{\"action\":\"remove_room\",\"target\":\"A\",\"result\":\"applied\",\"affected\":["
		"{\"kind\":\"room\",\"name\":\"B\",\"line\":4,\"what\":\"pinned\"},"
		"{\"kind\":\"connection\",\"name\":\"A.right to B.left\",\"line\":7,"
		"\"what\":\"removed\"}]}");
	assert_null(run.errors);
	finish(&run);
	fails(worked,
	      "{\"action\":\"remove_room\",\"target\":\"A\",\"params\":{\"onReferences\":"
	      "\"refuse\"}}",
	      "FP9007", "/operations/0/target");
}

/* ---- one rule each ---- */

static void test_nothing_changes_nothing(void **state)
{
	static const char text[] = "\xEF\xBB\xBF%%{version: 1.0}%%\r\nfloorplan # x\r\n\r\n"
				   "floor F{room A at(0,0)size(4x4)label'a'}\t\r\n";
	static const char *const operations[] = {
		"[]",
		"[" OP("move_room", "A", "\"x\":0,\"y\":\"0m\"") "]",
		"[" OP("resize_room", "A", "\"width\":4,\"height\":4.0") "]",
		"[" OP("add_label", "A", "\"label\":\"a\"") "]",
		"[" OP("update_walls", "A", "\"top\":\"solid\"") "]",
		"[" OP("rename_room", "A", "\"newName\":\"A\"") "]"};

	(void)state; /* floorplan.md 8.1: skipped operations, too */
	for (size_t i = 0; i < TN_COUNT(operations); i++)
		gives(text, operations[i], text);
}

static void test_numbers_and_units(void **state)
{
	(void)state; /* floorplan.md 8.2 */
	gives(PLAN("room A at (- 1m,0) size (10x12)\n"),
	      "[" OP("move_room", "A", "\"x\":2,\"y\":-0.5") "," OP("resize_room", "A",
								    "\"width\":7.25") "]",
	      PLAN("room A at (2m,-0.5) size (7.25x12)\n"));
	/* U is m; a number is converted into the unit that is written. */
	gives("floorplan\nconfig { default_unit: m }\nfloor F { room A at (0,0) size (300cm x 2) "
	      "}\n",
	      "[" OP("resize_room", "A", "\"width\":3.5,\"height\":\"120cm\"") "]",
	      "floorplan\nconfig { default_unit: m }\nfloor F { room A at (0,0) size (350cm x "
	      "120cm) }\n");
	/* A text replaces number and unit; tokens do not grow together. */
	gives("floorplan\nconfig { default_unit: ft }\nfloor F { room A at (0,0) size (10ftx12ft) "
	      "}\n",
	      "[" OP("resize_room", "A", "\"width\":\"3m\",\"height\":\"7\"") "]",
	      "floorplan\nconfig { default_unit: ft }\nfloor F { room A at (0,0) size (3m x7) }\n");
	/* A named size becomes one of its own, and the define stays. */
	gives("floorplan\ndefine cell (2.5m x 300cm)\nfloor F { room A at (0,0) size cell }\n",
	      "[" OP("resize_room", "A", "\"width\":3") "]",
	      "floorplan\ndefine cell (2.5m x 300cm)\nfloor F { room A at (0,0) size (3 x 300cm) "
	      "}\n");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("resize_room", "A", "\"width\":0"),
	      "FP9004", "/operations/0/params/width");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("resize_room", "A", "\"width\":0.0000001"),
	      "FP9004", "/operations/0/params/width");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("move_room", "A", "\"x\":1e400,\"y\":0"),
	      "FP9004", "/operations/0/params/x");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"),
	      OP("move_room", "A", "\"x\":0,\"y\":1000000.5"), "FP9004", "/operations/0/params/y");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("move_room", "A", "\"x\":\"NaN\",\"y\":0"),
	      "FP9001", "/operations/0/params/x");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("resize_room", "A", ""), "FP9001",
	      "/operations/0/params");
}

/* What takes the last written unit away leaves the other rooms where they are (8.3, 13). */
static void test_unit_stays(void **state)
{
	(void)state;
	gives("floorplan\nfloor F {\n  room A at (0,0) size (3m x 3m)\n"
	      "  room B size (4 x 4) right-of A gap 1\n}\n",
	      "[" OP("remove_room", "A", "") "]",
	      "floorplan\nconfig { default_unit: m }\nfloor F {\n  room B at (4,0) size (4 x "
	      "4)\n}\n");
	gives("floorplan\nfloor F { room A at (0,0) size (3m x 3m) room B size (4ft x 4ft) "
	      "right-of A "
	      "gap 1 }\n",
	      "[" OP("remove_room", "A", "") "]",
	      "floorplan\nconfig { default_unit: m }\nfloor F { room B at (4,0) size (4ft x 4ft) "
	      "}\n");
	gives("floorplan\n  config { theme: dark }\n  floor F { room A at (0,0) size (3 x 3) room "
	      "B "
	      "size (4 x 4) right-of A gap 1m }\n",
	      "[{\"action\":\"convert_to_absolute\"}]",
	      "floorplan\n  config { default_unit: m, theme: dark }\n  floor F { room A at (0,0) "
	      "size "
	      "(3 x 3) room B at (4,0) size (4 x 4) }\n");
	gives(PLAN("room A at (0,0) size (3 x 3) room B size (4 x 4) right-of A gap 1m\n"),
	      "[" OP("move_room", "B", "\"x\":9,\"y\":9") "]",
	      "floorplan\nconfig { default_unit: m }\nfloor F {\nroom A at (0,0) size (3 x 3) room "
	      "B "
	      "at (9,9) size (4 x 4)\n}\n");
	/* Nothing is left that would be read in another unit. */
	gives("floorplan\nfloor F { room A at (0,0) size (3m x 3m) }\n",
	      "[" OP("remove_room", "A", "") "]", "floorplan\nfloor F { }\n");
}

static void test_targets(void **state)
{
	static const char two[] = "floorplan\nfloor F { room A at (0,0) size (1 x 1) }\nfloor G { "
				  "room A at (0,0) size (1 x 1) composed of [room In at (0,0) size "
				  "(1 x 1)] }\n";
	struct run run;
	struct tn_str message = tn_str("", 0);

	(void)state; /* floorplan.md 8.2 */
	fails(two, OP("add_label", "A", "\"label\":\"x\""), "FP9003", "/operations/0/target");
	fails(two, OP("add_label", "B", "\"label\":\"x\""), "FP9002", "/operations/0/target");
	fails(two, OP("add_label", "H.A", "\"label\":\"x\""), "FP9002", "/operations/0/target");
	gives(two, "[" OP("add_label", "In", "\"label\":\"x\"") "]",
	      "floorplan\nfloor F { room A at (0,0) size (1 x 1) }\nfloor G { room A at (0,0) size "
	      "(1 x 1) composed of [room In at (0,0) size (1 x 1) label \"x\"] }\n");
	run_with(&run, tn_str_from(two), "[" OP("add_label", "A", "\"label\":\"x\"") "]", false,
		 "G");
	assert_true(run.edited.success);
	finish(&run);
	run_with(&run, tn_str_from(two), "[" OP("add_label", "A", "\"label\":\"x\"") "]", false,
		 "");
	(void)tn_json_to_str(tn_json_get(run.errors->first, "message"), &message);
	assert_non_null(strstr(message.data, "F, G"));
	finish(&run);
}

/* ---- modes ---- */

#define THREE                                                                     \
	"[" OP("add_label", "A", "\"label\":\"one\"") "," OP(                     \
		"add_label", "X", "\"label\":\"two\"") "," OP("rename_room", "A", \
							      "\"newName\":\"B\"") "]"

static void test_modes(void **state)
{
	static const char text[] = PLAN("room A at (0,0) size (4 x 4)\n");
	struct run run;

	(void)state; /* floorplan.md 8.1 */
	run_with(&run, tn_str_from(text), THREE, false, "");
	assert_false(run.edited.success);
	expect_text(&run, PLAN("room B at (0,0) size (4 x 4) label \"one\"\n"));
	assert_int_equal(run.errors->count, 1);
	assert_int_equal(run.changes->count, 3);
	finish(&run);
	run_with(&run, tn_str_from(text), THREE, true, "");
	assert_false(run.edited.success);
	expect_text(&run, text);
	assert_int_equal(run.errors->count, 1);
	change_is(&run, 0,
		  "{\"action\":\"add_label\",\"target\":\"A\",\"result\":\"skipped\",\"message\":"
		  "\"nothing was changed, because operation 1 (add_label) failed\"}");
	change_is(&run, 1,
		  "{\"action\":\"add_label\",\"target\":\"X\",\"result\":\"error\",\"message\":"
		  "\"there is no room 'X'\"}");
	change_is(&run, 2,
		  "{\"action\":\"rename_room\",\"target\":\"A\",\"result\":\"skipped\",\"message\":"
		  "\"nothing was changed, because operation 1 (add_label) failed\"}");
	finish(&run);
	run_with(&run, TN_STR("floorplan floor {"), THREE, false, "");
	assert_false(run.edited.readable);
	assert_false(run.edited.success);
	assert_int_equal(run.edited.text.size, 0);
	assert_int_equal(run.changes->count, 0);
	assert_null(run.errors);
	finish(&run);
}

static void test_bad_operations(void **state)
{
	static const char text[] = PLAN("room A at (0,0) size (4 x 4)\n");

	(void)state; /* floorplan.md 8.3: unknown action or field */
	fails(text, "{\"action\":\"paint_room\",\"target\":\"A\"}", "FP9001",
	      "/operations/0/action");
	fails(text, "{}", "FP9001", "/operations/0/action");
	fails(text, "7", "FP9001", "/operations/0");
	fails(text, "{\"action\":\"add_label\",\"params\":{\"label\":\"x\"}}", "FP9001",
	      "/operations/0/target");
	fails(text, "{\"action\":\"add_label\",\"target\":7,\"params\":{\"label\":\"x\"}}",
	      "FP9001", "/operations/0/target");
	fails(text, "{\"action\":\"add_label\",\"target\":\"A\",\"params\":[]}", "FP9001",
	      "/operations/0/params");
	fails(text, "{\"action\":\"add_label\",\"target\":\"A\",\"why\":1}", "FP9001",
	      "/operations/0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_remove_room_reports),
		cmocka_unit_test(test_nothing_changes_nothing),
		cmocka_unit_test(test_numbers_and_units),
		cmocka_unit_test(test_unit_stays),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_bad_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
