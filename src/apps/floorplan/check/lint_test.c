/* Design rules: each with a plan that breaks it and one that does not (floorplan.md 9.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/check/lint.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

#define HEAD(config) "%%{version: 1.0}%%\nfloorplan config { default_unit: m" config " }\n"
#define ADA ", stair_code: ada, wall_thickness: 0.1"

/* "8003 Hall: message | hint" of each rule that is told of, in order. */
static void list_rules(const char *text, bool lint, struct tn_buf *out)
{
	struct tn_floor_plan *plan;
	struct tenon_error err;

	assert_int_equal(tn_floor_plan_create(tn_str_from(text), lint, &plan, &err), TENON_OK);
	if (!plan->valid)
		fail_msg("%s in %s", plan->diagnostics.first->message, text);
	tn_buf_init(out, TN_FLOOR_OUTPUT_BYTES_MAX);
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at; at = at->next) {
		if (at->code < 8000 || at->code > 8999)
			continue;
		assert_int_equal(at->severity, TN_FLOOR_WARNING);
		assert_non_null(at->hint);
		tn_buf_format(out, "%d %s: %s\n", at->code, at->room ? at->room : at->floor,
			      at->message);
	}
	tn_buf_append_byte(out, '\0');
	tn_floor_plan_free(plan);
}

static void expect(const char *text, const char *rules)
{
	struct tn_buf found;

	list_rules(text, true, &found);
	assert_string_equal(found.data, rules);
	tn_buf_finish(&found);
	list_rules(text, false, &found); /* off by default */
	assert_string_equal(found.data, "");
	tn_buf_finish(&found);
}

#define ROOM(name, at, size) "room " name " at " at " size " size "\n"

static void test_way_in(void **state)
{
	(void)state;
	expect(HEAD("") "floor F { " ROOM("A", "(0,0)", "(3 x 3)") " }",
	       "8001 F: there are 0 ways into this plan from outside, and 1 is needed\n");
	expect(HEAD("") "floor F { " ROOM("A", "(0,0)", "(3 x 3)") " }\n"
								   "connect A.top to outside door",
	       "");
	/* An outer wall's own door is one, too (9.2). */
	expect(HEAD("") "floor F { room A at (0,0) size (3 x 3) walls [top: door] }", "");
}

static void test_reachable(void **state)
{
	(void)state;
	expect(HEAD("") "floor F { room A at (0,0) size (3 x 3) walls [left: door]\n"
			"room B at (3,0) size (3 x 3) walls [left: door] }",
	       "8002 B: room 'B' cannot be reached from outside: there are 0 ways, and 1 is "
	       "needed\n");
	expect(HEAD("") "floor F { room A at (0,0) size (3 x 3) walls [left: door]\n"
			"room B at (3,0) size (3 x 3) }\nconnect A to B opening",
	       "");
	/* Over a stair to the floor above. */
	expect(HEAD("") "floor F { room A at (0,0) size (9 x 9) walls [left: door]\n"
			"stair S at (1,1) shape straight toward top rise 3 }\n"
			"floor G { room B at (0,0) size (9 x 9)\n"
			"stair S at (1,1) shape straight toward top rise 3 }\n"
			"vertical F.S to G.S",
	       "");
}

static void test_corridors(void **state)
{
#define CORRIDOR(config, name, width)                                                  \
	HEAD(config)                                                                   \
	"floor F { room " name " at (0,0) size (5 x " width ") walls [left: open] }\n" \
	"connect " name ".left to outside opening"
	(void)state;
	expect(CORRIDOR("", "Halley", "0.9"), "");
	expect(CORRIDOR("", "Hall", "0.9"),
	       "8003 Hall: corridor 'Hall' is 0.9 m wide, less than 0.914 m\n");
	expect(CORRIDOR("", "Hall", "0.914"), "");
	expect(CORRIDOR(", stair_code: commercial", "main_corridor", "1.1"),
	       "8003 main_corridor: corridor 'main_corridor' is 1.1 m wide, less than 1.118 m\n");
	expect(CORRIDOR(", stair_code: commercial", "main_corridor", "1.118"), "");
	/* Clear: between the walls of 0.1 m. */
	expect(CORRIDOR(ADA, "Entry", "1.0"),
	       "8003 Entry: corridor 'Entry' is 0.9 m wide between its walls, less than 0.915 m\n");
	expect(CORRIDOR(ADA, "Entry", "1.02"), "");
}

static void test_door_widths(void **state)
{
#define DOOR(config, type, size)                     \
	HEAD(config)                                 \
	"floor F { room A at (0,0) size (5 x 5) }\n" \
	"connect A.left to outside " type " size (" size " x 2)"
	(void)state;
	expect(DOOR(ADA, "door", "0.86"),
	       "8004 A: the door is 0.81 m wide when open, less than 0.813 m\n");
	expect(DOOR(ADA, "door", "0.863"), "");
	expect(DOOR(ADA, "double-door", "1.6"),
	       "8004 A: the door is 0.75 m wide when open, less than 0.813 m\n");
	expect(DOOR(ADA, "double-door", "1.8"), "");
	expect(DOOR("", "door", "0.7"), "");
}

static void test_windows(void **state)
{
	(void)state;
	expect(HEAD("") "floor F { room R1 at (0,0) size (4 x 4) label \"Living room\" walls "
			"[left: door] }",
	       "8005 R1: 'R1' has 0 windows, and people who stay in a room want 1 at least\n");
	expect(HEAD("") "floor F { room R1 at (0,0) size (4 x 4) label \"Living room\" walls "
			"[left: door, top: window] }",
	       "");
	expect(HEAD("") "floor F { room pantry at (0,0) size (4 x 4) walls [left: door] }", "");
	/* The window of a sub-room is one of the room around it. */
	expect(HEAD("") "floor F { room Study at (0,0) size (4 x 4) walls [left: door] composed of "
			"[ sub-room S at (0,0) size (2 x 2) walls [top: window, right: open] ] }",
	       "");
}

static void test_bathrooms(void **state)
{
#define TWO(a, b)                                                                      \
	HEAD("")                                                                       \
	"floor F { room " a " at (0,0) size (4 x 4) walls [left: door, top: window]\n" \
	"room " b " at (4,0) size (4 x 4) }\nconnect " a " to " b " door"
	(void)state;
	expect(TWO("Kitchen", "Wcs"), "");
	expect(TWO("Kitchen", "GuestWC"),
	       "8006 Kitchen: 'GuestWC' opens into 'Kitchen': 1 door lies between them, and 2 are "
	       "wanted between a bathroom and where food is\n");
	expect(TWO("Hall", "Shower1"), "");
}

static void test_bedrooms(void **state)
{
#define BED(size) \
	HEAD("") "floor F { room Bedroom at (0,0) size " size " walls [left: door, top: window] }"
	(void)state;
	expect(BED("(2 x 3)"), "8007 Bedroom: bedroom 'Bedroom' has 6 m\xc2\xb2, less than 6.5 "
			       "m\xc2\xb2\n");
	expect(BED("(2 x 4)"), "8007 Bedroom: bedroom 'Bedroom' is 2 m wide, less than 2.13 m\n");
	expect(BED("(2.5 x 2.6)"), "");
	/* In another unit both are said. */
	expect("%%{version: 1.0}%%\nfloorplan floor F { room Suite at (0,0) size (6 x 20) walls "
	       "[left: door, top: window] }",
	       "8007 Suite: bedroom 'Suite' is 6 ft (1.829 m) wide, less than 6.988 ft (2.13 m)\n");
}

static void test_upper_floors(void **state)
{
#define LOWER "floor F { room A at (0,0) size (5 x 7) walls [left: door]\n" STAIR " }\n"
#define STAIR "stair S at (1,1) shape straight toward top rise 3"
#define JOIN "\nvertical F.S to G.S"
	(void)state;
	expect(HEAD("") LOWER "floor G { }", "");
	expect(HEAD("") LOWER "floor G { room B at (0,0) size (5 x 7) }",
	       "8008 G: upper floor 'G' has 0 stairs, and 1 is needed\n8002 B: room 'B' cannot be "
	       "reached from outside: there are 0 ways, and 1 is needed\n");
	expect(HEAD("") LOWER "floor G { room B at (0,0) size (5 x 7) " STAIR " }" JOIN, "");
	expect(HEAD("") LOWER "floor G { room B at (0,0) size (6 x 7) " STAIR " }" JOIN,
	       "8009 B: 'B' stands out over floor 'F' below it by 6.3 m\xc2\xb2; 0 is what walls "
	       "carry\n");
	/* Half the thickness of a wall is none. */
	expect(HEAD("") LOWER "floor G { room B at (0,0) size (5.1 x 7) " STAIR " }" JOIN, "");
}

static void test_turning(void **state)
{
#define WC(size, more) \
	HEAD(ADA) "floor F { room Wc at (0,0) size " size " walls [left: door]" more " }"
	(void)state;
	expect(WC("(1.6 x 3)", ""), "8010 Wc: 'Wc' is 1.5 m by 2.9 m between its walls and has no "
				    "free circle of 1.525 m "
				    "for a wheelchair to turn\n");
	expect(WC("(1.63 x 3)", ""), "");
	/* What stands in it is in the way, but not everywhere. */
	expect(WC("(3 x 3)", " lift L at (1,1) size (1 x 1)"),
	       "8010 Wc: 'Wc' is 2.9 m by 2.9 m between its walls and has no free circle of 1.525 "
	       "m "
	       "for a wheelchair to turn\n");
	expect(WC("(3 x 3)", " lift L at (2,2) size (1 x 1)"), "");
}

static void test_dead_ends(void **state)
{
#define LONG_HALL(x)                                                       \
	HEAD("")                                                           \
	"floor F { room Hall at (0,0) size (12 x 2) walls [left: solid]\n" \
	"room Closet at (10,2) size (2 x 2) }\n"                           \
	"connect Hall.top to outside door at " x "\n"                      \
	"connect Hall to Closet door"
	(void)state;
	expect(LONG_HALL("10%"),
	       "8011 Hall: corridor 'Hall' has a dead end of 10.8 m, more than 6.1 m\n");
	expect(LONG_HALL("50%"), "");
	/* A second way out at the other end. */
	expect(LONG_HALL("10%") "\nconnect Closet.right to outside door", "");
}

static void test_leaves(void **state)
{
#define CORNER(second)                                        \
	HEAD("")                                              \
	"floor F { room A at (0,0) size (4 x 4) }\n"          \
	"connect A.top to outside door at 14% opens into A\n" \
	"connect A.left to outside door at 14%" second
	(void)state;
	expect(CORNER(" opens into A"),
	       "8012 A: the leaf of this door collides with that of the door in line 4: they share "
	       "floor, and 0 is the limit\n");
	expect(CORNER(" opens into outside"), "");
	expect(HEAD("") "floor F { room A at (0,0) size (4 x 4) }\n"
			"connect A.top to outside double-door at 50% opens into A\n"
			"connect A.bottom to outside door at 50% opens into A",
	       "");
}

/* What the limits allow at most still is answered in time. */
static void test_many(void **state)
{
	struct tn_buf text, found;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, HEAD(ADA) "floor F {\n");
	for (int i = 0; i < 2500; i++)
		tn_buf_format(&text, "room Hall%d at (%d,0) size (8 x 8) walls [top: door]\n", i,
			      i);
	tn_buf_append_text(&text, "}\nfloor G {\n");
	for (int i = 0; i < 2500; i++)
		tn_buf_format(&text, "room Bed%d at (%d,1) size (8 x 8) walls [top: door]\n", i, i);
	tn_buf_append_text(&text, "}\n");
	tn_buf_append_byte(&text, '\0');
	list_rules(text.data, true, &found);
	assert_non_null(strstr(found.data, "8008 G"));
	tn_buf_finish(&found);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_way_in),    cmocka_unit_test(test_reachable),
		cmocka_unit_test(test_corridors), cmocka_unit_test(test_door_widths),
		cmocka_unit_test(test_windows),   cmocka_unit_test(test_bathrooms),
		cmocka_unit_test(test_bedrooms),  cmocka_unit_test(test_upper_floors),
		cmocka_unit_test(test_turning),   cmocka_unit_test(test_dead_ends),
		cmocka_unit_test(test_leaves),    cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
