/* Editing rooms: moving, naming, walls, labels, adding, removing (floorplan.md 8.3, byte for
 * byte). */
#include "apps/floorplan/edit/edit_run_kit.h"

static void test_move(void **state)
{
	struct run run;

	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("  room A at (0,0) size (4 x 4)\n  room B\n    size (2 x 2)\n    right-of A gap "
		   "1"
		   "\n    label \"b\" # c\n"),
	      "[" OP("move_room", "B", "\"x\":1.5,\"y\":\"2ft\"") "]",
	      PLAN("  room A at (0,0) size (4 x 4)\n  room B at (1.5,2ft)\n    size (2 x 2)\n"
		   "    label \"b\" # c\n"));
	/* A comment inside a clause stays. */
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of /* a */ A label "
		   "\"b\"\n"),
	      "[" OP("move_room", "B", "\"x\":1,\"y\":2") "]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B at (1,2) size (2 x 2) /* a */ label "
		   "\"b\"\n"));
	run_with(&run,
		 tn_str_from(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\n"
				  "lift L size (1 x 1) below B\n")),
		 "[" OP("move_room", "A", "\"x\":1,\"y\":0") "]", false, "");
	change_is(&run, 0,
		  "{\"action\":\"move_room\",\"target\":\"A\",\"result\":\"applied\",\"affected\":["
		  "{\"kind\":\"room\",\"name\":\"B\",\"line\":4,\"what\":\"moved\"},"
		  "{\"kind\":\"lift\",\"name\":\"L\",\"line\":5,\"what\":\"moved\"}]}");
	finish(&run);
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\n"
		   "lift L size (1 x 1) below A\n"),
	      "[" OP("move_room", "A", "\"x\":1,\"y\":0,\"pinDependents\":true") "]",
	      PLAN("room A at (1,0) size (4 x 4)\nroom B at (4,0) size (2 x 2)\n"
		   "lift L at (0,4) size (1 x 1)\n"));
}

static void test_rename(void **state)
{
	static const char text[] =
		"floorplan\nfloor F {\nroom A at (0,0) size (4 x 4) # A\nroom B size (4 x 4) "
		"right-of A "
		"label \"A\"\nstair S at (1,1) rise 4 shape custom from top [flight 6 along "
		"A.left]\n"
		"lift A size (1 x 1) below A\n}\nfloor G {\nroom A at (0,0) size (4 x 4)\nroom C "
		"right-of A size (1 x 1)\n}\nconnect F.A to F.B door opens into A\nconnect A to C "
		"door\nvertical F.A to G.A\n";

	(void)state; /* floorplan.md 8.3: every reference on its floor, and nothing else */
	gives(text, "[" OP("rename_room", "F.A", "\"newName\":\"Hall\"") "]",
	      "floorplan\nfloor F {\nroom Hall at (0,0) size (4 x 4) # A\nroom B size (4 x 4) "
	      "right-of Hall label \"A\"\nstair S at (1,1) rise 4 shape custom from top [flight 6 "
	      "along Hall.left]\nlift A size (1 x 1) below Hall\n}\nfloor G {\nroom A at (0,0) "
	      "size "
	      "(4 x 4)\nroom C right-of A size (1 x 1)\n}\nconnect F.Hall to F.B door opens into "
	      "Hall\nconnect A to C door\nvertical F.A to G.A\n");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"B\""), "FP9006",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"door\""), "FP9005",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"K\\u00fcche\""), "FP9005",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"\""), "FP9005",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", ""), "FP9001", "/operations/0/params/newName");
}

static void test_walls(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("room A at (0,0) size (4 x 4)\n"),
	      "[" OP("update_walls", "A", "\"left\":\"window\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) walls [left: window]\n"));
	gives(PLAN("room A at (0,0) size (4 x 4) walls [top: door at 40% size (1 x 2) height 3, "
		   "right: window at 2ft,] label \"x\"\n"),
	      "[" OP("update_walls", "A",
		     "\"top\":\"open\",\"right\":\"door\",\"left\":\"window\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) walls [top: open height 3, right: door at 2ft, "
		   "left: "
		   "window,] label \"x\"\n"));
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("update_walls", "A", "\"top\":\"glass\""),
	      "FP9001", "/operations/0/params/top");
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("update_walls", "A", "\"topp\":\"open\""),
	      "FP9001", "/operations/0/params/topp");
}

static void test_label_and_style(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("room A at (0,0) size (4 x 4) walls [top: solid]\nroom B size (1 x 1) right-of "
		   "A gap "
		   "1 label 'old'\n"),
	      "[" OP("add_label", "A", "\"label\":\"say \\\"hi\\\"\"") "," OP(
		      "add_label", "B", "\"label\":\"new\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) walls [top: solid] label 'say \"hi\"'\nroom B "
		   "size (1 "
		   "x 1) right-of A gap 1 label 'new'\n"));
	gives(PLAN("room A at (0,0) size (4 x 4) label \"x\" # c\nroom B at (9,9)\n  label \"y\"\n "
		   " size "
		   "(1 x 1)\n"),
	      "[" OP("add_label", "A", "\"label\":\"\"") "," OP("add_label", "B",
								"\"label\":\"\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) # c\nroom B at (9,9)\n  size (1 x 1)\n"));
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("add_label", "A", "\"label\":\"'\\\"\""),
	      "FP9008", "/operations/0/params/label");
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("add_label", "A", "\"label\":\"\\u0000\""),
	      "FP9009", "/operations/0");
	gives("floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A at (0,0) size (4 x 4) }\n",
	      "[" OP("set_style", "A", "\"style\":\"Oak\"") "]",
	      "floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A at (0,0) size (4 x 4) style "
	      "Oak "
	      "}\n");
	gives("floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A style Oak at (0,0) size (4 "
	      "x 4) "
	      "}\n",
	      "[" OP("set_style", "A", "\"style\":null") "]",
	      "floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A at (0,0) size (4 x 4) }\n");
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("set_style", "A", "\"style\":\"Oak\""),
	      "FP9002", "/operations/0/params/style");
}

static void test_long_label(void **state)
{
	struct tn_buf operation;
	struct tn_arena arena;
	struct run run;

	(void)state; /* floorplan.md 8.3, 11: 512 bytes; 1 MiB is no worse */
	tn_arena_init(&arena, 16 * TN_MIB);
	tn_buf_init(&operation, 4 * TN_MIB);
	tn_buf_append_text(&operation, "[{\"action\":\"add_label\",\"target\":\"A\",\"params\":{"
				       "\"label\":\"");
	for (size_t i = 0; i < TN_MIB; i++)
		tn_buf_append_byte(&operation, 'a');
	tn_buf_append_text(&operation, "\"}}]");
	run_with(&run, TN_STR(PLAN("room A at (0,0) size (4 x 4)\n")),
		 tn_arena_copy(&arena, tn_buf_str(&operation)), false, "");
	assert_string_equal(code_of(&run), "FP9004");
	expect_text(&run, PLAN("room A at (0,0) size (4 x 4)\n"));
	finish(&run);
	tn_buf_finish(&operation);
	tn_arena_finish(&arena);
}

#define ADD(more)                                                                                \
	"[{\"action\":\"add_room\",\"params\":{\"name\":\"N\",\"size\":{\"width\":3,\"height\":" \
	"\"2m\"}," more "}}]"
#define AT_ORIGIN "\"position\":{\"x\":0,\"y\":0}"

static void test_add_room(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives("floorplan\r\nfloor F {\r\n}\r\n", ADD(AT_ORIGIN),
	      "floorplan\r\nfloor F {\r\n  room N at (0,0) size (3 x 2m) " SOLID "\r\n}\r\n");
	gives("floorplan\n  floor F { }\n", ADD(AT_ORIGIN),
	      "floorplan\n  floor F {\n    room N at (0,0) size (3 x 2m) " SOLID "\n }\n");
	gives(PLAN("\troom A at (9,9)\n\t  size (1 x 1) # c\n\n\tlift L at (0,0) size (1 x 1)\n"),
	      ADD("\"relativePosition\":{\"direction\":\"below\",\"reference\":\"A\",\"gap\":"
		  "\"1ft\","
		  "\"alignment\":\"right\"},\"label\":\"l\",\"height\":9,\"walls\":{\"left\":"
		  "\"open\"}"),
	      PLAN("\troom A at (9,9)\n\t  size (1 x 1) # c\n\troom N size (3 x 2m) height 9 walls "
		   "[top: solid, right: solid, bottom: solid, left: open] below A gap 1ft align "
		   "right "
		   "label \"l\"\n\n\tlift L at (0,0) size (1 x 1)\n"));
	gives(PLAN("  room A at (9,9) size (9 x 9) style S\n"), ADD(AT_ORIGIN ",\"parent\":\"A\""),
	      PLAN("  room A at (9,9) size (9 x 9) composed of [\n    sub-room N at (0,0) size (3 "
		   "x 2m) " SOLID "\n  ] style S\n"));
	gives(PLAN("  room A at (9,9) size (9 x 9) composed of [\n  ]\n"),
	      ADD(AT_ORIGIN ",\"parent\":\"A\""),
	      PLAN("  room A at (9,9) size (9 x 9) composed of [\n    sub-room N at (0,0) size (3 "
		   "x 2m) " SOLID "\n  ]\n"));
}

static void test_add_room_refused(void **state)
{
	static const char text[] = PLAN("room A at (0,0) size (1 x 1)\n");

	(void)state; /* floorplan.md 8.3 */
#define REFUSED(params, code, path) \
	fails(text, "{\"action\":\"add_room\",\"params\":{" params "}}", code, "/operations/0" path)
	REFUSED("\"size\":{\"width\":1,\"height\":1}," AT_ORIGIN, "FP9001", "/params/name");
	REFUSED("\"name\":\"a-b\"," AT_ORIGIN, "FP9005", "/params/name");
	REFUSED("\"name\":\"A\"," AT_ORIGIN, "FP9006", "/params/name");
	REFUSED("\"name\":\"N\"," AT_ORIGIN, "FP9001", "/params/size");
	REFUSED("\"name\":\"N\",\"sizeRef\":\"cell\"," AT_ORIGIN, "FP9002", "/params/sizeRef");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1}", "FP9001", "/params/position");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":-1,\"height\":1}," AT_ORIGIN, "FP9004",
		"/params/size/width");
	REFUSED("\"name\":\"N\",\"floor\":\"X\"", "FP9002", "/params/floor");
	REFUSED("\"name\":\"N\",\"parent\":\"X\"", "FP9002", "/params/parent");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1},\"relativePosition\":{"
		"\"direction\":"
		"\"below\",\"reference\":\"X\"}",
		"FP9002", "/params/relativePosition/reference");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1},\"relativePosition\":{"
		"\"direction\":"
		"\"north\",\"reference\":\"A\"}",
		"FP9001", "/params/relativePosition/direction");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1},\"style\":\"X\"," AT_ORIGIN,
		"FP9002", "/params/style");
	REFUSED("\"name\":\"N\",\"colour\":\"red\"", "FP9001", "/params/colour");
#undef REFUSED
	fails("floorplan\n",
	      "{\"action\":\"add_room\",\"params\":{\"name\":\"N\",\"size\":{\"width\":1,"
	      "\"height\":1}," AT_ORIGIN "}}",
	      "FP9002", "/operations/0");
}

static void test_remove_room(void **state)
{
	(void)state; /* floorplan.md 8.2, 8.3 */
	gives("floorplan\nfloor F { room A at (0,0) size (4 x 4) room B at (9,0) size (1 x 1) }\n",
	      "[" OP("remove_room", "A", "") "]",
	      "floorplan\nfloor F { room B at (9,0) size (1 x 1) }\n");
	gives(PLAN("  # own\n  room A at (0,0) size (9 x 9) composed of [\n    # in\n    "
		   "sub-room I at "
		   "(1,1) size (1 x 1)\n  ] # behind\n\n  stair S rise 4 shape custom from "
		   "top [flight "
		   "6 along I.left] right-of A gap 1\n  lift L at (1,1) size (1 x 1) below "
		   "A\n") "connect I to outside door connect A to outside door at 90%\n",
	      "[" OP("remove_room", "A", "") "]",
	      PLAN("  # own\n\n  stair S at (10,0) rise 4 shape custom from top [flight 6]\n  "
		   "lift L at "
		   "(1,1) size (1 x 1)\n") "\n");
	fails(PLAN("room A size (1 x 1) left-of B\nroom B size (1 x 1) left-of A\n"),
	      OP("remove_room", "A", ""), "FP9007", "/operations/0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_rename),
		cmocka_unit_test(test_walls),
		cmocka_unit_test(test_label_and_style),
		cmocka_unit_test(test_long_label),
		cmocka_unit_test(test_add_room),
		cmocka_unit_test(test_add_room_refused),
		cmocka_unit_test(test_remove_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
