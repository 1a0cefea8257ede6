/* Stairs and lifts: boxes of all shapes, flights, building rules, every code
 * (floorplan.md 4.6). */
#include "apps/floorplan/plan/resolve_test_kit.h"

#include <math.h>

/* In a hall of 40 x 40 m; riser 0.2, tread 0.25, width 1: a rise of 2 m makes 10 steps. */
#define ROOM                                                            \
	HEAD "config { default_unit: m, stair_code: none } floor F {\n" \
	     "room Hall at (-20,-20) size (40 x 40)\n"
#define HALL(text) ROOM text "\n}\n"
#define BEGIN ROOM "stair S at (0,0) rise 2 riser 0.2 tread 0.25 width 1 shape "
#define STAIR(shape) BEGIN shape "\n}\n"

static void test_boxes(void **state)
{
	static const struct {
		const char *shape;
		double width, height;
	} stairs[] = {
		{"straight toward top", 1, 2.5},
		{"straight toward left", 2.5, 1},
		{"L-shaped from bottom turn left", 1 + 5 * 0.25, 5 * 0.25 + 1},
		{"L-shaped from left turn left runs 4, 6 landing (2 x 1.5)", 4 * 0.25 + 2,
		 1.5 + 6 * 0.25},
		{"L-shaped from top turn right runs 4, 6 landing (2 x 1.5)", 2 + 6 * 0.25,
		 4 * 0.25 + 1.5},
		{"winder from bottom turn left winders 2 runs 3, 5", 1 + 5 * 0.25, 3 * 0.25 + 1},
		{"winder from right turn left winders 3", 3 * 0.25 + 1, 1 + 4 * 0.25},
		{"U-shaped from bottom turn left", 2, 5 * 0.25 + 1},
		{"U-shaped from left turn right runs 3, 7 landing (3 x 1)", 7 * 0.25 + 1, 3},
		{"double-L from top turn left", 2 + 4 * 0.25, 3 * 0.25 + 1},
		{"double-L from right turn left runs 2, 3, 5 landing (1.5 x 1)", 5 * 0.25 + 1.5,
		 2 + 3 * 0.25},
		{"spiral rotation clockwise outer-radius 1.5", 3, 3},
		{"curved from bottom radius 3", 3, 3},
		{"curved from top arc 120 radius 3", 6, 3},
		{"curved from left arc 180\xC2\xB0 radius 3", 3, 6},
		{"curved from right arc 270 radius 3", 6, 6},
		{"custom from bottom [flight 4, turn left landing (1 x 1), flight 6]", 1 + 6 * 0.25,
		 4 * 0.25 + 1},
		{"custom from left [flight 4, turn right landing (1.5 x 2) 180\xC2\xB0, flight 6]",
		 6 * 0.25 + 1.5, 2},
		{"custom from top [flight 3 width 2, turn left winders 3, flight 4 width 1]", 2,
		 3 * 0.25 + 1},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(stairs); i++) {
		char text[512];
		struct tn_floor_plan *plan;
		const struct tn_floor_rect *rect;

		(void)snprintf(text, sizeof(text), "%s%s\n}\n", BEGIN, stairs[i].shape);
		plan = kit_plan(text);
		rect = &kit_circulation(plan, "S")->rect;
		if (fabs(rect->width - stairs[i].width) > 1e-6 ||
		    fabs(rect->height - stairs[i].height) > 1e-6 || plan->diagnostics.first)
			fail_msg("%s: %.9g x %.9g %s", stairs[i].shape, rect->width, rect->height,
				 plan->diagnostics.first ? plan->diagnostics.first->message : "");
		assert_int_equal(kit_circulation(plan, "S")->steps, 10);
		tn_floor_plan_free(plan);
	}
}

static void expect_point(struct tn_floor_point found, double x, double y)
{
	kit_near(found.x, x);
	kit_near(found.y, y);
}

static void test_flights(void **state)
{
	struct tn_floor_plan *plan = kit_plan(
		HALL("stair S at (3,2) rise 2 riser 0.2 tread 0.25 width 1 shape U-shaped from "
		     "bottom turn left runs 4, 6"));
	const struct tn_floor_circulation *stair = kit_circulation(plan, "S");

	(void)state;
	assert_int_equal(stair->flight_count, 3);
	assert_int_equal(stair->flights[0].steps, 4);
	assert_int_equal(stair->flights[0].toward, TN_FLOOR_TOP);
	/* The first flight is at the right: its foot is 0.5 m above that of the second one. */
	expect_point(stair->flights[0].corners[0], 4, 4);
	expect_point(stair->flights[0].corners[1], 5, 4);
	expect_point(stair->flights[0].corners[2], 5, 3);
	expect_point(stair->flights[1].corners[2], 5, 2);
	expect_point(stair->flights[1].corners[3], 3, 2);
	assert_int_equal(stair->flights[1].steps, 0);
	assert_int_equal(stair->flights[2].toward, TN_FLOOR_BOTTOM);
	expect_point(stair->flights[2].corners[2], 3, 4.5);
	expect_point(stair->path[0], 4.5, 4);
	expect_point(stair->path[stair->path_count - 1], 3.5, 4.5);
	tn_floor_plan_free(plan);
	plan = kit_plan(STAIR("winder from left turn right winders 2 runs 4, 4"));
	stair = kit_circulation(plan, "S");
	assert_true(stair->flights[1].winds && stair->flights[1].steps == 2);
	expect_point(stair->flights[1].pivot, 1, 1);
	expect_point(stair->flights[2].corners[3], 2, 2);
	assert_int_equal(stair->flights[2].toward, TN_FLOOR_BOTTOM);
	tn_floor_plan_free(plan);
}

/* Flights and path lie in the box, whichever way one enters and turns. */
static void test_flights_fill_the_box(void **state)
{
	static const char *const shapes[] = {"L-shaped", "U-shaped", "double-L", "curved"};
	static const char *const sides[] = {"top", "right", "bottom", "left"};
	static const char *const rest[] = {" turn left", " turn right", " radius 2",
					   " arc 150 radius 2", " arc 250 radius 2"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(shapes) * 4 * TN_COUNT(rest); i++) {
		const size_t kind = i % TN_COUNT(shapes), how = i / TN_COUNT(shapes) / 4;
		struct tn_floor_point low = {99, 99}, high = {-99, -99};
		const struct tn_floor_circulation *stair;
		struct tn_floor_plan *plan;
		char text[512];

		if ((kind == 3) != (how >= 2))
			continue;
		(void)snprintf(text, sizeof(text), "%s%s from %s%s\n}\n", BEGIN, shapes[kind],
			       sides[i / TN_COUNT(shapes) % 4], rest[how]);
		plan = kit_plan(text);
		stair = kit_circulation(plan, "S");
		for (unsigned k = 0; k < stair->path_count + stair->flight_count * 4; k++) {
			unsigned corner = k - stair->path_count;
			struct tn_floor_point at =
				k < stair->path_count
					? stair->path[k]
					: stair->flights[corner / 4].corners[corner % 4];

			low = (struct tn_floor_point){fmin(low.x, at.x), fmin(low.y, at.y)};
			high = (struct tn_floor_point){fmax(high.x, at.x), fmax(high.y, at.y)};
		}
		if (low.x < -1e-6 || low.y < -1e-6 || high.x > stair->rect.width + 1e-6 ||
		    high.y > stair->rect.height + 1e-6)
			fail_msg("%s: %g,%g to %g,%g in %g x %g", text, low.x, low.y, high.x,
				 high.y, stair->rect.width, stair->rect.height);
		if (kind != 3)
			kit_near(high.x - low.x, stair->rect.width);
		tn_floor_plan_free(plan);
	}
}

static void test_measures(void **state) /* FP6001, FP3002 */
{
	(void)state;
	kit_expect(HALL("stair S at (0,0) shape straight toward top rise 0"), "FP6001 5:49-5:50");
	kit_expect(HALL("stair S at (0,0) shape straight toward top rise 3 riser 0 width 0m"),
		   "FP6001 5:57-5:58; FP6001 5:65-5:67");
	kit_expect(HALL("stair S at (0,0) shape straight toward top rise 1001 riser 1 tread 0.01"),
		   "FP6001 5:49-5:53");
	kit_expect(HALL("stair S at (0,0) shape straight toward top rise 1000 riser 1 tread 0.01"),
		   "");
	kit_expect(HALL("stair S at (0,0) shape spiral rotation clockwise inner-radius 0 "
			"outer-radius 0 rise 3"),
		   "FP6001 5:78-5:79");
	kit_expect(HALL("stair S at (0,0) shape curved from top radius 1000001 rise 3"),
		   "FP3001 5:47-5:54");
	kit_expect(STAIR("L-shaped from top turn left landing (0 x 1)"), "FP3002 5:97-5:98");
	kit_expect(STAIR("custom from top [flight 10 width 0]"), "FP6001 5:93-5:94");
}

static void test_codes(void **state) /* FP6002 to FP6005 */
{
#define CODE(code, text)                                                                   \
	HEAD "config { default_unit: m " code "} floor F { room H at (0,0) size (9 x 9)\n" \
	     "stair S at (1,1) shape straight toward top rise 1 " text " }"
#define STEEP "riser 8in tread 9in width 35in headroom 79in"
	static const char told[] = "FP6002 4:57-4:60; FP6003 4:67-4:70; FP6004 4:77-4:81; "
				   "FP6005 4:91-4:95";
	struct tn_floor_plan *plan = kit_plan(CODE("", STEEP));

	(void)state;
	assert_int_equal(plan->diagnostics.counts[TN_FLOOR_INFO], 4);
	assert_int_equal(plan->diagnostics.counts[TN_FLOOR_WARNING], 0);
	tn_floor_plan_free(plan);
	plan = kit_plan(CODE(", stair_code: residential", STEEP));
	assert_int_equal(plan->diagnostics.counts[TN_FLOOR_WARNING], 4);
	tn_floor_plan_free(plan);
	kit_expect(CODE("", STEEP), told);
	kit_expect(CODE(", stair_code: none", STEEP), "");
	kit_expect(CODE("", "riser 7.75in tread 10in width 36in headroom 80in"), "");
	kit_expect(CODE(", stair_code: commercial", "riser 7in tread 11in width 44in"), "");
	kit_expect(CODE(", stair_code: commercial", "riser 7.1in tread 11in width 43in"),
		   "FP6002 4:57-4:62; FP6004 4:80-4:84");
	kit_expect(CODE("", "headroom 0"), "FP6005 4:60-4:61");
	kit_expect(CODE(", stair_code: ada", "width 1.2m"), "FP6004 4:57-4:61");
	kit_expect(CODE(", stair_code: ada", ""), ""); /* only what is written */
}

static void test_sums_and_landings(void **state) /* FP6008, FP6013 */
{
	(void)state;
	kit_expect(STAIR("L-shaped from top turn left runs 5"), "FP6013 5:60-5:68");
	kit_expect(STAIR("U-shaped from top turn left runs 5, 6"), "FP6013 5:60-5:68");
	kit_expect(STAIR("double-L from top turn left runs 5, 5"), "FP6013 5:60-5:68");
	kit_expect(STAIR("winder from top turn left winders 3 runs 5, 5"), "FP6013 5:60-5:66");
	kit_expect(STAIR("winder from top turn left winders 11"), "FP6013 5:60-5:66");
	kit_expect(STAIR("custom from top [flight 9]"), "FP6013 5:60-5:66");
	kit_expect(STAIR("custom from top [flight 99999999999]"),
		   "FP6006 5:7-5:8; FP6013 5:60-5:66");
	kit_expect(STAIR("L-shaped from top turn left landing (1 x 0.9)"), "FP6008 5:7-5:8");
	kit_expect(STAIR("custom from top [flight 4, turn left landing (1 x 1), flight 6 width "
			 "1.5]"),
		   "FP6008 5:7-5:8");
}

static void test_places(void **state) /* FP6006, FP6007, FP6014, FP2012 */
{
	(void)state;
	kit_expect(HALL("lift L size (1 x 1)\nstair S shape straight toward top rise 1"),
		   "FP6014 5:6-5:7; FP6007 6:7-6:8; FP6014 6:7-6:8");
	kit_expect(HALL("lift L at (19.5,0) size (1 x 1)\nlift M at (20,19) size (1 x 1)"),
		   "FP6006 5:6-5:7; FP6006 6:6-6:7");
	kit_expect(HALL("lift L at (19.005,0) size (1 x 1)\nlift M size (1 x 1) left-of L"), "");
	kit_expect(STAIR("custom from top [flight 10 along Hal.left]"), "FP2012 5:93-5:96");
	kit_expect_text(STAIR("custom from top [flight 10 along Hal.left]"), 2012,
			"did you mean 'Hall'?", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_flights),
		cmocka_unit_test(test_flights_fill_the_box),
		cmocka_unit_test(test_measures),
		cmocka_unit_test(test_codes),
		cmocka_unit_test(test_sums_and_landings),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
