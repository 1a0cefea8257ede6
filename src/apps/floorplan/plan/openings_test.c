/* Walls, connections and windows: every code with its range, and where openings are
 * (floorplan.md 4.4, 4.5). */
#include "apps/floorplan/plan/resolve_test_kit.h"

/* Lines 3 to 8; A and B side by side, C under A, D far away. Height 9. */
#define ROOMS(a, b)                                                                           \
	HEAD "config { default_unit: m, door_size: (1 x 2), default_height: 3 }\nfloor F {\n" \
	     "room A at (0,0) size (6 x 4) walls [" a "]\n"                                   \
	     "room B at (6,1) size (4 x 4) walls [" b "]\n"                                   \
	     "room C at (0,4) size (4 x 2) height 2.5\nroom D at (20,0) size (2 x 2) }\n"
#define PLAIN ROOMS("top: solid", "top: solid")

static const struct tn_floor_opening *opening(const struct tn_floor_plan *plan, size_t index)
{
	const struct tn_floor_opening *at = plan->floors->openings;

	for (; at && index > 0; index--)
		at = at->next;
	assert_non_null(at);
	return at;
}

static void expect_opening(const struct tn_floor_opening *found, double line, double center,
			   double width, bool drawn)
{
	kit_near(found->line, line);
	kit_near(found->center, center);
	kit_near(found->width, width);
	assert_int_equal(found->drawn, drawn);
}

/* FP4011: C is lower than A. It comes with every plan of this file, at 7:6. */
#define LOW "FP4011 7:6-7:7"

static void test_walls(void **state) /* FP4006, FP4010 to FP4013 */
{
	(void)state;
	kit_expect(PLAIN, LOW);
	kit_expect(ROOMS("top: window, top: door", "left: solid"), "FP4012 5:50-5:53; " LOW);
	kit_expect(ROOMS("left: open size (1 x 2), top: solid height 3", "top: door at 2 size (1 x "
									 "2)"),
		   "FP4013 5:43-5:47; " LOW);
	kit_expect(ROOMS("top: window at 100.5%", "top: solid"), "FP4006 5:52-5:57; " LOW);
	kit_expect(ROOMS("right: door", "left: solid"), "FP4010 6:6-6:7; " LOW);
	kit_expect(ROOMS("right: door", "left: door"), LOW);
	kit_expect_text(ROOMS("right: solid", "left: open"), 4010, "drawn as 'solid'",
			"{\"action\":\"update_walls\",\"target\":\"F.B\",\"params\":{\"left\":"
			"\"solid\"}}");
	/* An opening in exactly these walls excuses it; a door does not. */
	kit_expect(ROOMS("right: open", "left: solid") "connect B to A opening", LOW);
	kit_expect(ROOMS("right: open", "left: solid") "connect B to A door",
		   "FP4010 6:6-6:7; " LOW);
}

static void test_shared_walls(void **state) /* 4.4 */
{
	struct tn_floor_plan *plan = kit_plan(
		METRES("room A at (0,0) size (4 x 4)\nroom B at (4.2,1) size (4 x 4)\n"
		       "room C at (4.21,-3) size (4 x 3.5)\nroom D at (1,3.9) size (2 x 2)"));
	const struct tn_floor_shared *at = plan->floors->shared;

	(void)state;
	assert_true(at->a == kit_room(plan, "A") && at->b == kit_room(plan, "B"));
	assert_true(at->a_side == TN_FLOOR_RIGHT && at->b_side == TN_FLOOR_LEFT);
	kit_near(at->line, 4.1); /* the middle of the two */
	kit_near(at->start, 1);
	kit_near(at->end, 4);
	at = at->next; /* C is 0.21 away from A, more than the wall is thick */
	assert_true(at->a == kit_room(plan, "A") && at->b == kit_room(plan, "D"));
	assert_int_equal(at->a_side, TN_FLOOR_BOTTOM);
	kit_near(at->line, 3.95);
	assert_null(at->next);
	tn_floor_plan_free(plan);
}

static void test_ends(void **state) /* FP2005, FP2006, FP4001, FP4002, FP4005 */
{
#define TWO PLAIN "floor G { room A at (0,0) size (2 x 2) room E at (2,0) size (2 x 2) }\n"
	(void)state;
	kit_expect(PLAIN "connect X to Y door", LOW "; FP2005 9:9-9:10; FP2005 9:14-9:15");
	kit_expect(PLAIN "connect F.X to A door\nconnect G.A to A door",
		   LOW "; FP2005 9:11-9:12; FP2005 10:9-10:10");
	kit_expect(PLAIN "connect outside to outside door", LOW "; FP4001 9:1-9:32");
	kit_expect(PLAIN "connect A to F.A.top door", LOW "; FP4002 9:14-9:21");
	kit_expect(TWO "connect A.top to outside door", LOW "; FP2006 10:9-10:10");
	kit_expect(TWO "connect F.A.top to outside door\nconnect A to E door\nconnect B to A door",
		   LOW);
	kit_expect(TWO "connect B to E door", LOW "; FP4005 10:1-10:20");
	kit_expect(TWO "connect F.B to G.A door", LOW "; FP4005 10:1-10:24");
	kit_expect_text(TWO "connect outside to A.top door", 2006, "write Floor.A", NULL);
}

static void test_stretch(void **state) /* FP4003, FP4004, FP4018 */
{
	struct tn_floor_plan *plan;

	(void)state;
	kit_expect(PLAIN "connect A to D door at 5% size (9 x 9)", LOW "; FP4003 9:1-9:39");
	kit_expect(PLAIN "connect A.bottom to B door", LOW "; FP4003 9:1-9:27");
	kit_expect(PLAIN "connect A to outside door", LOW "; FP4004 9:1-9:26");
	kit_expect_text(PLAIN "connect A to outside door", 4004, "'top' side of 'A'", NULL);
	kit_expect_text(PLAIN "connect outside to D door", 4004, "'bottom' side of 'D'", NULL);
	kit_expect(PLAIN "connect A.right to outside door", LOW "; FP4018 9:1-9:32");
	kit_expect(PLAIN "connect A.right to outside door at 0% size (0.5 x 2)", LOW);
	plan = kit_plan(PLAIN "connect A to B door at 0%\nconnect outside to A.left double-door\n"
			      "connect C.bottom to outside opening at 25% size (1 x 2)\n"
			      "connect A.bottom to outside door size (1 x 2)");
	expect_opening(opening(plan, 0), 6, 1.5, 1, true); /* A.right and B.left share 1..4 */
	expect_opening(opening(plan, 1), 0, 2, 2, true);
	expect_opening(opening(plan, 2), 6, 1, 1, true);
	assert_int_equal(opening(plan, 1)->kind, TN_FLOOR_OPENING_DOUBLE);
	assert_ptr_equal(opening(plan, 1)->opens_into, kit_room(plan, "A"));
	assert_ptr_equal(opening(plan, 0)->opens_into, kit_room(plan, "A"));
	assert_int_equal(opening(plan, 0)->swing, TN_FLOOR_HAND_RIGHT);
	assert_null(opening(plan, 2)->to);
	tn_floor_plan_free(plan);
	plan = kit_plan(PLAIN "connect A to outside door");
	expect_opening(opening(plan, 0), 0, 3, 1, true); /* its bottom has 2 m beside C */
	tn_floor_plan_free(plan);
}

static void test_sub_rooms(void **state) /* 4.5, 2 and 4 */
{
	struct tn_floor_plan *plan = kit_plan(METRES(
		"room A at (1,1) size (8 x 6) composed of [\nroom B at (0,0) size (3 x 3)\n"
		"room C size (3 x 3) right-of B ]") "connect A.top to B.bottom door\nconnect C to "
						    "A door at 100%\n"
						    "connect B.right to C.left door size (9 x 2)");

	(void)state;
	expect_opening(opening(plan, 0), 4, 2.5, 1, true); /* the sub-room's side counts */
	expect_opening(opening(plan, 1), 4, 6.5, 1, true); /* chosen: the bottom of C */
	expect_opening(opening(plan, 2), 4, 2.5, 3, true);
	assert_int_equal(plan->diagnostics.counts[TN_FLOOR_INFO], 1);
	tn_floor_plan_free(plan);
}

static void test_opening_checks(void **state) /* FP4006 to FP4008, FP4014 to FP4017 */
{
	(void)state;
	kit_expect(PLAIN "connect A.top to outside door at 101%", LOW "; FP4006 9:34-9:37");
	kit_expect(PLAIN "connect A to B door size (3.5 x 2)", LOW "; FP4007 9:26-9:35");
	kit_expect(PLAIN "connect A to B double-door\nconnect B to A opening at 10% size (0.4 x 2)",
		   LOW);
	kit_expect(PLAIN "connect A to B door\nconnect A.right to B opening at 60%",
		   LOW "; FP4008 10:1-10:36");
	kit_expect_text(PLAIN "connect A to B door\nconnect A to B door", 4008, "line 9", NULL);
	/* What is wrong takes no place. */
	kit_expect(PLAIN "connect A to B door opens into D\nconnect A to B door\n",
		   LOW "; FP4016 9:32-9:33");
	kit_expect(ROOMS("right: open", "left: door") "connect A.right to B.left door",
		   "FP4010 6:6-6:7; " LOW "; FP4014 9:9-9:16; FP4014 9:20-9:26");
	kit_expect(ROOMS("right: open", "left: open") "connect A.right to B opening", LOW);
	kit_expect(PLAIN "connect A to C door size (1 x 2.6)", LOW "; FP4015 9:26-9:35");
	kit_expect(PLAIN "connect A to C door size (1 x full)", LOW);
	kit_expect(PLAIN "connect A.top to outside door opens into outside", LOW);
	kit_expect(PLAIN "connect A to B door opens into outside", LOW "; FP4016 9:32-9:39");
	kit_expect(PLAIN "connect A to B opening opens into D", LOW "; FP4017 9:35-9:36");
	kit_expect(PLAIN "connect A to B opening swing: right opens into A",
		   LOW "; FP4017 9:31-9:36");
}

static void test_wall_doors(void **state) /* 6.5 */
{
	struct tn_floor_plan *plan;

	(void)state;
	plan = kit_plan(ROOMS("left: door at 25% size (0.8 x 2), right: door at 3",
			      "left: door at 2, bottom: door at 100%"));
	expect_opening(opening(plan, 0), 6, 3, 1, true); /* both sides: the first room's */
	expect_opening(opening(plan, 1), 0, 1, 0.8, true);
	expect_opening(opening(plan, 2), 5, 9.5, 1, true);
	expect_opening(opening(plan, 3), 6, 3, 1, false);
	assert_ptr_equal(opening(plan, 0)->room, kit_room(plan, "A"));
	assert_ptr_equal(opening(plan, 3)->room, kit_room(plan, "B"));
	tn_floor_plan_free(plan);
	/* A connection takes the place of a door. */
	plan = kit_plan(ROOMS("right: door", "left: door") "connect A to B door size (1.5 x 2)");
	assert_non_null(opening(plan, 0)->connect);
	assert_false(opening(plan, 1)->drawn || opening(plan, 2)->drawn);
	tn_floor_plan_free(plan);
}

static void test_windows(void **state) /* 4.4, FP4009 */
{
	struct tn_floor_plan *plan;

	(void)state;
	plan = kit_plan(ROOMS("top: window, left: window at 1, bottom: window at 90%",
			      "top: window size (9 x 1)"));
	expect_opening(opening(plan, 0), 0, 3, 1.5, true);
	expect_opening(opening(plan, 1), 4, 5.25, 1.5, true); /* moved so that it fits */
	expect_opening(opening(plan, 2), 0, 1, 1.5, true);
	expect_opening(opening(plan, 3), 1, 8, 4, true);
	kit_near(opening(plan, 0)->sill, 0.9);
	kit_near(opening(plan, 0)->height, 1.5);
	tn_floor_plan_free(plan);
	/* Beside a connection, in the longest stretch that is free. */
	plan = kit_plan(ROOMS("left: window",
			      "top: solid") "connect A.left to outside door at 90% size (2.5 x 2)");
	expect_opening(opening(plan, 1), 0, 0.75, 1.2, true); /* 80 % of 1.5 */
	tn_floor_plan_free(plan);
	kit_expect(ROOMS("top: solid", "left: window") "connect A to B door size (3 x 2)",
		   "FP4010 6:6-6:7; " LOW);
}

static void test_windows_without_place(void **state)
{
	struct tn_floor_plan *plan;

	(void)state;
#define TAKEN "connect A.left to outside double-door size (3.5 x 2)"
	kit_expect(ROOMS("left: window", "top: solid") TAKEN, "FP4009 5:43-5:49; " LOW);
	kit_expect(ROOMS("left: window at 1", "top: solid") TAKEN, "FP4009 5:43-5:49; " LOW);
	plan = kit_plan(ROOMS("left: window", "top: solid") TAKEN);
	assert_null(opening(plan, 0)->next);
	tn_floor_plan_free(plan);
	/* What remains of it beside the door is drawn. */
	plan = kit_plan(ROOMS("left: window at 50% size (3 x 1)",
			      "top: solid") "connect A.left to outside door");
	expect_opening(opening(plan, 1), 0, 1, 1, true);
	expect_opening(opening(plan, 2), 0, 3, 1, true);
	assert_null(opening(plan, 2)->next);
	tn_floor_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walls),
		cmocka_unit_test(test_shared_walls),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_stretch),
		cmocka_unit_test(test_sub_rooms),
		cmocka_unit_test(test_opening_checks),
		cmocka_unit_test(test_wall_doors),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_windows_without_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
