/* A plan as a DXF drawing, read back (floorplan.md 10.2): header, layers, floors, rooms, walls,
 * names. Doors: dxf_door_test.c. */
#include "apps/floorplan/exchange/dxf_test_kit.h"

#include "store/file.h"

#define METRES "floorplan config {default_unit: m} floor F {"

static const struct {
	const char *name;
	int colour;
} layers[] = {{"ROOMS", 7},  {"WALLS", 8},      {"DOORS", 4},  {"WINDOWS", 5},
	      {"LABELS", 3}, {"DIMENSIONS", 2}, {"STAIRS", 6}, {"LIFTS", 1}};

static void draw(struct dxf *dxf, const char *plan)
{
	dxf_draw(dxf, tn_str_from(plan));
}

static void expect_room(const struct dxf_entity *room, double left, double bottom, double right,
			double top)
{
	const double wanted[] = {left, top, right, top, right, bottom, left, bottom};

	assert_non_null(room);
	assert_true(room->closed);
	assert_int_equal(room->count, 4);
	for (size_t i = 0; i < 4; i++) {
		dxf_near(room->points[i].x, wanted[2 * i]);
		dxf_near(room->points[i].y, wanted[2 * i + 1]);
	}
}

/* ---- header and tables ---- */

static void test_units(void **state)
{
	static const struct {
		const char *unit, *code;
	} units[] = {{"m", "6"}, {"cm", "5"}, {"mm", "4"}, {"ft", "2"}, {"in", "1"}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(units); i++) {
		char plan[256];
		struct dxf dxf;

		(void)snprintf(plan, sizeof(plan),
			       "floorplan config {default_unit: %s} floor F { room A at (1,2) size "
			       "(400 x 300) }",
			       units[i].unit);
		draw(&dxf, plan);
		assert_true(
			tn_str_is(tn_str_trim(dxf_variable(&dxf, "$INSUNITS", 70)), units[i].code));
		assert_true(tn_str_is(dxf_variable(&dxf, "$ACADVER", 1), "AC1009"));
		/* A unit of the drawing is U. */
		expect_room(dxf_find(&dxf, "POLYLINE", "ROOMS", 0), 1, -302, 401, -2);
		dxf_finish(&dxf);
	}
}

static void test_layers(void **state)
{
	struct dxf dxf;
	char name[32];

	(void)state;
	draw(&dxf, METRES "room A at (0,0) size (4 x 3) }");
	for (size_t i = 0; i < TN_COUNT(layers); i++)
		assert_int_equal(dxf_colour(&dxf, layers[i].name), layers[i].colour);
	assert_int_equal(dxf_colour(&dxf, "0"), 7); /* every drawing has it */
	assert_int_equal(dxf_colour(&dxf, "F_ROOMS"), 0);
	dxf_finish(&dxf);
	draw(&dxf, METRES "room A at (0,0) size (4 x 3) } floor G_1 {}");
	for (size_t i = 0; i < TN_COUNT(layers); i++) {
		(void)snprintf(name, sizeof(name), "F_%s", layers[i].name);
		assert_int_equal(dxf_colour(&dxf, name), layers[i].colour);
		(void)snprintf(name, sizeof(name), "G_1_%s", layers[i].name);
		assert_int_equal(dxf_colour(&dxf, name), layers[i].colour);
		assert_int_equal(dxf_colour(&dxf, layers[i].name), 0);
	}
	dxf_finish(&dxf);
}

static void expect_reach(const struct dxf *dxf, double left, double bottom, double right,
			 double top)
{
	dxf_near(dxf_variable_number(dxf, "$EXTMIN", 10), left);
	dxf_near(dxf_variable_number(dxf, "$EXTMIN", 20), bottom);
	dxf_near(dxf_variable_number(dxf, "$EXTMAX", 10), right);
	dxf_near(dxf_variable_number(dxf, "$EXTMAX", 20), top);
}

static void test_reach(void **state)
{
	struct dxf dxf;

	(void)state;
	draw(&dxf, "floorplan config {default_unit: m, wall_thickness: 0.5} floor F {"
		   "room A at (-2,-1) size (4 x 3) }");
	/* Walls reach half their thickness out; the chains lie above and to the left. */
	dxf_near(dxf_variable_number(&dxf, "$EXTMAX", 10), 2.25);
	dxf_near(dxf_variable_number(&dxf, "$EXTMIN", 20), -2.25);
	assert_true(dxf_variable_number(&dxf, "$EXTMIN", 10) < -2.25);
	assert_true(dxf_variable_number(&dxf, "$EXTMAX", 20) > 1.25);
	dxf_finish(&dxf);
	draw(&dxf, "floorplan");
	expect_reach(&dxf, 0, 0, 0, 0);
	dxf_finish(&dxf);
	draw(&dxf, METRES "}");
	expect_reach(&dxf, 0, 0, 0, 0);
	dxf_finish(&dxf);
}

/* Circles and arcs reach farther than the points that they are made of. */
static void test_round_reach(void **state)
{
	const struct dxf_entity *circle;
	struct dxf dxf;

	(void)state;
	draw(&dxf, METRES "stair S at (1,1) shape spiral rotation clockwise outer-radius 2 rise "
			  "2.9m riser 0.29m }");
	circle = dxf_find(&dxf, "CIRCLE", "STAIRS", 0);
	assert_non_null(circle);
	dxf_near(circle->radius, 2);
	expect_reach(&dxf, circle->x - 2, circle->y - 2, circle->x + 2, circle->y + 2);
	expect_reach(&dxf, 1, -5, 5, -1);
	dxf_finish(&dxf);
	draw(&dxf, METRES "stair S at (0,0) shape curved from bottom arc 160 radius 3 width 1 rise "
			  "3m }");
	circle = dxf_find(&dxf, "ARC", "STAIRS", 0);
	assert_non_null(circle);
	/* From the right, through the top, almost to the left: the top is no point of it. */
	dxf_near(dxf_variable_number(&dxf, "$EXTMAX", 20), circle->y + circle->radius);
	dxf_finish(&dxf);
}

/* ---- floors ---- */

static void test_floors_aside(void **state)
{
	struct dxf dxf;

	(void)state;
	draw(&dxf, METRES "room A at (0,0) size (4 x 3) } floor G { room B at (1,1) size (2 x 6) }"
			  " floor H { room C at (0,-2) size (1 x 1) }");
	/* The larger extent is G's 6 from top to bottom: floors are 9 apart. */
	expect_room(dxf_find(&dxf, "POLYLINE", "F_ROOMS", 0), 0, -3, 4, 0);
	expect_room(dxf_find(&dxf, "POLYLINE", "G_ROOMS", 0), 10, -7, 12, -1);
	expect_room(dxf_find(&dxf, "POLYLINE", "H_ROOMS", 0), 18, 1, 19, 2);
	assert_null(dxf_find(&dxf, "POLYLINE", "F_ROOMS", 1));
	for (size_t i = 0; i < dxf.count; i++)
		assert_true(tn_str_starts(dxf.entities[i].layer, TN_STR("F_")) ||
			    tn_str_starts(dxf.entities[i].layer, TN_STR("G_")) ||
			    tn_str_starts(dxf.entities[i].layer, TN_STR("H_")));
	dxf_finish(&dxf);
}

/* ---- what a floor has ---- */

static void test_rooms_and_walls(void **state)
{
	const struct dxf_entity *inner, *outer;
	struct dxf dxf;

	(void)state;
	draw(&dxf, METRES "room A at (0,0) size (8 x 6) composed of [ sub-room S at (1,1) size (2 "
			  "x 2) ] room B at (8,0) size (2 x 6) walls [top: open] }");
	expect_room(dxf_find(&dxf, "POLYLINE", "ROOMS", 0), 0, -6, 8, 0);
	expect_room(dxf_find(&dxf, "POLYLINE", "ROOMS", 1), 1, -3, 3, -1);
	expect_room(dxf_find(&dxf, "POLYLINE", "ROOMS", 2), 8, -6, 10, 0);
	assert_null(dxf_find(&dxf, "POLYLINE", "ROOMS", 3));
	dxf_finish(&dxf);
	/* One outline around the outside, and one inside, both closed. */
	draw(&dxf, "floorplan config {default_unit: m, wall_thickness: 0.4} floor F {"
		   "room A at (0,0) size (4 x 3) }");
	outer = dxf_find(&dxf, "POLYLINE", "WALLS", 0);
	inner = dxf_find(&dxf, "POLYLINE", "WALLS", 1);
	assert_true(outer && inner && !dxf_find(&dxf, "POLYLINE", "WALLS", 2));
	assert_true(outer->closed && outer->count == 4 && inner->closed && inner->count == 4);
	for (size_t i = 0; i < 4; i++) {
		double x = outer->points[i].x, y = outer->points[i].y;

		assert_true((x == -0.2 || x == 4.2 || x == 0.2 || x == 3.8) &&
			    (y == 0.2 || y == -3.2 || y == -0.2 || y == -2.8));
	}
	dxf_finish(&dxf);
}

static void test_window(void **state)
{
	const struct dxf_entity *window, *glass;
	struct dxf dxf;

	(void)state;
	draw(&dxf, "floorplan config {default_unit: m, wall_thickness: 0.4} floor F {"
		   "room A at (0,0) size (4 x 3) walls [left: window at 50% size (1 x 1)] }");
	window = dxf_find(&dxf, "POLYLINE", "WINDOWS", 0);
	glass = dxf_find(&dxf, "LINE", "WINDOWS", 0);
	expect_room(window, -0.2, -2, 0.2, -1);
	assert_non_null(glass);
	dxf_near(glass->x, 0);
	dxf_near(glass->x2, 0);
	dxf_near(glass->y + glass->y2, -3);
	dxf_finish(&dxf);
}

static void test_lift_and_flight(void **state)
{
	struct dxf dxf;

	(void)state;
	draw(&dxf, METRES "lift L at (1,1) size (2 x 2) doors (left, top) "
			  "stair S at (5,0) shape straight toward bottom rise 3m riser 0.3m }");
	expect_room(dxf_find(&dxf, "POLYLINE", "LIFTS", 0), 1, -3, 3, -1);
	/* Two diagonals and a door on each of two sides. */
	assert_non_null(dxf_find(&dxf, "LINE", "LIFTS", 3));
	assert_null(dxf_find(&dxf, "LINE", "LIFTS", 4));
	assert_non_null(dxf_find(&dxf, "POLYLINE", "STAIRS", 0));
	assert_non_null(dxf_find(&dxf, "LINE", "STAIRS", 8)); /* between ten steps, nine edges */
	dxf_finish(&dxf);
}

/* ---- words ---- */

static void expect_label(const char *label, const char *wanted)
{
	const struct dxf_entity *text;
	struct dxf dxf;
	char plan[512];

	(void)snprintf(plan, sizeof(plan), METRES "room A at (0,0) size (4 x 3) label %s }", label);
	draw(&dxf, plan);
	text = dxf_find(&dxf, "TEXT", "LABELS", 0);
	assert_true(text && tn_str_is(text->words, "A"));
	dxf_near(text->x, 2);
	text = dxf_find(&dxf, "TEXT", "LABELS", 1);
	if (!text != !wanted || (text && !tn_str_is(text->words, wanted)))
		fail_msg("%s: '%.*s'", label, text ? (int)text->words.size : 0,
			 text ? text->words.data : "");
	for (size_t i = 0; i < dxf.text.size; i++)
		assert_true((unsigned char)dxf.text.data[i] < 0x7F &&
			    (dxf.text.data[i] >= 0x20 || dxf.text.data[i] == '\n'));
	dxf_finish(&dxf);
}

static void test_words(void **state)
{
	(void)state;
	expect_label("\"Hall\"", "Hall");
	expect_label("\"Gr\u00f6\u00dfe\"", "Gr\\U+00F6\\U+00DFe");
	expect_label("\"\U0001F600\"", "\\U+FFFD"); /* beyond what readers know */
	expect_label("\"100%%d\"", "100%%%%d");     /* not a degree sign */
	expect_label("\"50%\"", "50%");
	expect_label("\"a^b\"", "a^ b");
	expect_label("\"a\tb\001c\"", "a b c");
	expect_label("\"  \"", NULL);
	expect_label("\"A\"", NULL); /* the name once is enough */
	/* A line end in a label begins a line, and no group of the drawing. */
	expect_label("\"  0\r\nENDSEC\r\n\"", "0");
}

static void test_labels_left_out(void **state)
{
	struct dxf dxf;

	(void)state;
	draw(&dxf,
	     "floorplan config {show_labels: false} floor F { room A at (0,0) size (4 x 3) }");
	assert_null(dxf_find(&dxf, "TEXT", "LABELS", 0));
	assert_non_null(dxf_find(&dxf, "TEXT", "DIMENSIONS", 0));
	dxf_finish(&dxf);
}

static void test_dimensions(void **state)
{
	struct dxf dxf;

	(void)state;
	draw(&dxf, METRES "room A at (0,0) size (4 x 3) room B at (4,0) size (2.5 x 3) }");
	assert_true(tn_str_is(dxf_find(&dxf, "TEXT", "DIMENSIONS", 0)->words, "3 m"));
	assert_true(tn_str_is(dxf_find(&dxf, "TEXT", "DIMENSIONS", 1)->words, "4 m"));
	assert_true(tn_str_is(dxf_find(&dxf, "TEXT", "DIMENSIONS", 2)->words, "2.5 m"));
	assert_true(tn_str_is(dxf_find(&dxf, "TEXT", "DIMENSIONS", 3)->words, "6.5 m"));
	assert_null(dxf_find(&dxf, "TEXT", "DIMENSIONS", 4));
	assert_true(dxf_find(&dxf, "TEXT", "DIMENSIONS", 0)->start == 90); /* along y */
	dxf_finish(&dxf);
}

/* ---- all of it ---- */

static void test_same_bytes(void **state)
{
	static const char *const examples[] = {"v1-bakery", "v2-compass",  "v3-units",
					       "v4-clinic", "v5-townhall", "v6-freeform"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(examples); i++) {
		struct dxf once, twice;
		struct tenon_error err;
		struct tn_buf plan;
		char path[512];

		(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s.floorplan",
			       TN_TEST_DATA, examples[i]);
		tn_buf_init(&plan, TN_MIB);
		assert_int_equal(tn_file_read(path, 0, &plan, &err), TENON_OK);
		dxf_draw(&once, tn_buf_str(&plan));
		dxf_draw(&twice, tn_buf_str(&plan));
		assert_true(tn_str_equal(tn_buf_str(&once.text), tn_buf_str(&twice.text)));
		dxf_finish(&once);
		dxf_finish(&twice);
		tn_buf_finish(&plan);
	}
}

static void test_cap(void **state)
{
	struct tn_floor_plan *plan;
	struct tenon_error err = {0};
	struct tn_buf out;

	(void)state;
	assert_int_equal(tn_floor_plan_create(TN_STR(METRES "room A at (0,0) size (4 x 3) }"),
					      false, &plan, &err),
			 TENON_OK);
	for (size_t limit = 0; limit < 3000; limit += 500) {
		tn_buf_init(&out, limit);
		assert_int_equal(tn_floor_put_dxf(&out, plan, &err), TENON_LIMIT);
		assert_in_range(out.size, 0, limit);
		tn_buf_finish(&out);
	}
	tn_floor_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),        cmocka_unit_test(test_layers),
		cmocka_unit_test(test_reach),        cmocka_unit_test(test_round_reach),
		cmocka_unit_test(test_floors_aside), cmocka_unit_test(test_rooms_and_walls),
		cmocka_unit_test(test_window),       cmocka_unit_test(test_lift_and_flight),
		cmocka_unit_test(test_words),        cmocka_unit_test(test_labels_left_out),
		cmocka_unit_test(test_dimensions),   cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_cap),
	};

	return cmocka_run_group_tests_name("floorplan DXF", tests, NULL, NULL);
}
