/* Editing what relates rooms: connections, and places relative to others or not (floorplan.md 8.3,
 * 8.4, byte for byte). */
#include "apps/floorplan/edit/edit_run_kit.h"

static void test_connections(void **state)
{
#define ROOMS PLAN("room A at (0,0) size (4 x 4)\nroom B size (4 x 4) right-of A\n")
#define CONNECT(params) "{\"action\":\"add_connection\",\"params\":{" params "}}"
#define PART(params) "{\"action\":\"remove_connection\",\"params\":{" params "}}"
	(void)state; /* floorplan.md 8.3 */
	gives(ROOMS,
	      "[" CONNECT(
		      "\"from\":\"A.right\",\"to\":\"B.left\",\"type\":\"double-door\",\"at\":12.5,"
		      "\"size\":{\"width\":3,\"height\":\"full\"},\"opensInto\":\"B\",\"swing\":"
		      "\"left\"") "]",
	      ROOMS
	      "connect A.right to B.left double-door at 12.5% size (3 x full) opens into B swing: "
	      "left\n");
	/* After the last connection, wherever it is; a last line without an end stays one. */
	gives("floorplan\n connect A to B door # c\n\nfloor F { room A at (0,0) size (1 x 1) room "
	      "B at "
	      "(1,0) size (1 x 1) }",
	      "[" CONNECT("\"from\":\"outside\",\"to\":\"A\"") "]",
	      "floorplan\n connect A to B door # c\n connect outside to A door\n\nfloor F { room A "
	      "at "
	      "(0,0) size (1 x 1) room B at (1,0) size (1 x 1) }");
	gives(ROOMS "connect A to B door", "[" CONNECT("\"from\":\"outside\",\"to\":\"A\"") "]",
	      ROOMS "connect A to B door\nconnect outside to A door");
	gives(ROOMS "connect A to B door",
	      "[" CONNECT("\"from\":\"outside\",\"to\":\"A\"") "," PART(
		      "\"from\":\"A\",\"to\":\"outside\"") "]",
	      ROOMS "connect A to B door");
	gives(ROOMS "connect A to B door at 10%\nconnect B to A opening at 90% # x\nconnect A to X "
		    "door\n",
	      "[" PART("\"from\":\"A\",\"to\":\"B\",\"type\":\"opening\"") "," PART(
		      "\"from\":\"A\",\"to\":\"X\"") "]",
	      ROOMS "connect A to B door at 10%\n");
	fails(ROOMS "connect A to B door at 10%\nconnect B to A opening at 90%\n",
	      PART("\"from\":\"F.A\",\"to\":\"B\""), "FP9003", "/operations/0");
	fails(ROOMS, PART("\"from\":\"A\",\"to\":\"B\""), "FP9002", "/operations/0");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"Q\""), "FP9002", "/operations/0/params/to");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"A\""), "FP9004", "/operations/0/params/to");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"B\",\"at\":101"), "FP9004",
	      "/operations/0/params/at");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"B\",\"opensInto\":\"outside\""), "FP9002",
	      "/operations/0/params/opensInto");
}

static void test_to_relative(void **state)
{
	struct run run;

	(void)state; /* floorplan.md 8.4 */
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0) size (2 x 2)\nroom C at (5,4) "
		   "size (1 x "
		   "1) " SOLID "\nroom D at (2,5) size (2 x 1)\n"),
	      "[{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\"}}]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\nroom C size (1 x "
		   "1) " SOLID
		   " below B gap 2 align right\nroom D size (2 x 1) below A gap 1 align "
		   "right\n"));
	/* What cannot be said exactly stays, and moves only if that is asked for. */
	run_with(&run,
		 TN_STR(PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0.5) size (2 x 2)\n")),
		 "[{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\"}}]", false,
		 "");
	change_is(&run, 0,
		  "{\"action\":\"convert_to_relative\",\"target\":null,\"result\":\"skipped\","
		  "\"message\":\"the text says so "
		  "already\",\"affected\":[{\"kind\":\"room\",\"name\":"
		  "\"B\",\"line\":4,\"what\":\"kept\"}]}");
	finish(&run);
	run_with(&run,
		 TN_STR(PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0.5) size (2 x 2)\n")),
		 "[{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\","
		 "\"alignmentTolerance\":1}}]",
		 false, "");
	expect_text(&run, PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\n"));
	change_is(
		&run, 0,
		"{\"action\":\"convert_to_relative\",\"target\":null,\"result\":\"applied\","
		"\"affected\":[{\"kind\":\"room\",\"name\":\"B\",\"line\":4,\"what\":\"moved\"}]}");
	finish(&run);
	fails(PLAN("room A at (0,0) size (4 x 4)\nroom B at (3,3) size (2 x 2)\n"),
	      "{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\"}}", "FP9004",
	      "/operations/0/params/anchorRoom");
}

static void test_to_absolute(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 1) right-of A align bottom # "
		   "b\nroom C "
		   "size (1 x 1) below B\n"),
	      "[{\"action\":\"convert_to_absolute\",\"params\":{\"targetRooms\":[\"B\"]}}]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,3) size (2 x 1) # b\nroom C size (1 "
		   "x 1) "
		   "below B\n"));
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 1) right-of A\nlift L size (1 x "
		   "1) "
		   "below B\n"),
	      "[{\"action\":\"convert_to_absolute\"}]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0) size (2 x 1)\nlift L at (4,1) "
		   "size (1 "
		   "x 1)\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_to_relative),
		cmocka_unit_test(test_to_absolute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
