/* Doors in a DXF drawing (floorplan.md 4.5, 6.5, 10.2): in each wall, with either hand, into the
 * room or out of it. What is expected is worked out from where a person stands. */
#include "apps/floorplan/exchange/dxf_test_kit.h"

#include <math.h>

#define THICKNESS 0.4
#define WIDTH 1.0

/* Of a room from (0,0) to (6,-4), as the drawing has it: y points up. */
static const struct wall {
	const char *side;
	struct tn_floor_point middle, outward;
	double degrees; /* of outward */
} walls[] = {{"top", {3, 0}, {0, 1}, 90},
	     {"right", {6, -2}, {1, 0}, 0},
	     {"bottom", {3, -4}, {0, -1}, 270},
	     {"left", {0, -2}, {-1, 0}, 180}};

static void draw(struct dxf *dxf, const struct wall *wall, const char *what)
{
	char plan[512];

	(void)snprintf(plan, sizeof(plan),
		       "floorplan config {default_unit: m, wall_thickness: %g} floor F { room A at "
		       "(0,0) size (6 x 4) } connect A.%s to outside %s",
		       THICKNESS, wall->side, what);
	dxf_draw(dxf, tn_str_from(plan));
	if (!dxf->plan->valid)
		fail_msg("%s\n  %s", plan, dxf->plan->diagnostics.first->message);
}

static double turn(double degrees)
{
	return fmod(degrees + 720, 360);
}

static void expect_point(double x, double y, struct tn_floor_point wanted)
{
	dxf_near(x, wanted.x);
	dxf_near(y, wanted.y);
}

/* `n`: which leaf. The leaf stands open, away from who faces the wall, and the arc, against the
 * clock, is the quarter between it and the opening. `right`: the hinge lies at that hand. */
static void expect_leaf(const struct dxf *dxf, size_t n, const struct wall *wall, bool inside,
			bool right, double width)
{
	const struct dxf_entity *leaf = dxf_find(dxf, "LINE", "DOORS", n),
				*arc = dxf_find(dxf, "ARC", "DOORS", n);
	/* Inside, one looks outwards; outside, inwards. */
	double look = inside ? 1 : -1, dx = look * wall->outward.x, dy = look * wall->outward.y,
	       hand = right ? 1 : -1, looks = turn(wall->degrees + (inside ? 0 : 180)),
	       open = turn(looks + 180), closed = turn(looks + (right ? 90 : -90));
	/* The hand is a quarter clockwise of where one looks: (dy, -dx). */
	struct tn_floor_point hinge = {wall->middle.x - dx * THICKNESS / 2 + hand * dy * WIDTH / 2,
				       wall->middle.y - dy * THICKNESS / 2 - hand * dx * WIDTH / 2};

	assert_non_null(leaf);
	assert_non_null(arc);
	expect_point(leaf->x, leaf->y, hinge);
	expect_point(leaf->x2, leaf->y2,
		     (struct tn_floor_point){hinge.x - dx * width, hinge.y - dy * width});
	expect_point(arc->x, arc->y, hinge);
	dxf_near(arc->radius, width);
	dxf_near(arc->start, right ? closed : open);
	dxf_near(arc->end, right ? open : closed);
	dxf_near(turn(arc->end - arc->start), 90);
}

static void expect_door(const struct wall *wall, const char *into, const char *swing, bool inside,
			bool right)
{
	struct dxf dxf;
	char what[128];

	(void)snprintf(what, sizeof(what), "door at 50%% size (%g x 2.1) %s %s", WIDTH, into,
		       swing);
	draw(&dxf, wall, what);
	expect_leaf(&dxf, 0, wall, inside, right, WIDTH);
	assert_null(dxf_find(&dxf, "ARC", "DOORS", 1));
	dxf_finish(&dxf);
}

static void test_doors(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(walls); i++) {
		expect_door(&walls[i], "opens into A", "swing: right", true, true);
		expect_door(&walls[i], "opens into A", "swing: left", true, false);
		expect_door(&walls[i], "opens into A", "", true, true);
		expect_door(&walls[i], "opens into outside", "swing: right", false, true);
		expect_door(&walls[i], "opens into outside", "swing: left", false, false);
	}
}

static void test_double_doors(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(walls); i++) {
		for (int inside = 0; inside < 2; inside++) {
			/* The first leaf is hinged at the end with the smaller coordinate of the
			 * plan: at the right hand of who looks down or to the left there. */
			bool down_or_left = walls[i].outward.y < 0 || walls[i].outward.x < 0,
			     first_right = down_or_left == (bool)inside;
			struct dxf dxf;

			draw(&dxf, &walls[i],
			     inside ? "double-door at 50% size (1 x 2.1) opens into A"
				    : "double-door at 50% size (1 x 2.1) opens into outside");
			expect_leaf(&dxf, 0, &walls[i], inside, first_right, WIDTH / 2);
			expect_leaf(&dxf, 1, &walls[i], inside, !first_right, WIDTH / 2);
			assert_null(dxf_find(&dxf, "ARC", "DOORS", 2));
			dxf_finish(&dxf);
		}
	}
}

/* A wall's own door swings into its own room, to the right. */
static void test_wall_door(void **state)
{
	static const char *const plans[] = {"top", "right", "bottom", "left"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(plans); i++) {
		struct dxf dxf;
		char plan[512];

		(void)snprintf(
			plan, sizeof(plan),
			"floorplan config {default_unit: m, wall_thickness: %g} floor F { room "
			"A at (0,0) size (6 x 4) walls [%s: door at 50%% size (%g x 2)] }",
			THICKNESS, plans[i], WIDTH);
		dxf_draw(&dxf, tn_str_from(plan));
		expect_leaf(&dxf, 0, &walls[i], true, true, WIDTH);
		dxf_finish(&dxf);
	}
}

static void test_openings(void **state)
{
	struct dxf dxf;

	(void)state;
	draw(&dxf, &walls[0], "opening at 50% size (1 x full)");
	assert_null(dxf_find(&dxf, "ARC", "DOORS", 0));
	assert_null(dxf_find(&dxf, "LINE", "DOORS", 0));
	/* The wall has a gap there: what was two loops is one. */
	assert_non_null(dxf_find(&dxf, "POLYLINE", "WALLS", 0));
	assert_null(dxf_find(&dxf, "POLYLINE", "WALLS", 1));
	dxf_finish(&dxf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_doors),
		cmocka_unit_test(test_double_doors),
		cmocka_unit_test(test_wall_door),
		cmocka_unit_test(test_openings),
	};

	return cmocka_run_group_tests_name("floorplan DXF, doors", tests, NULL, NULL);
}
