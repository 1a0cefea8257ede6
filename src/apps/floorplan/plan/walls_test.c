/* What walls are built of the sides of rooms (floorplan.md 6.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/plan/walls.h"
#include "apps/floorplan/limits.h"

struct built {
	struct tn_floor_plan *plan;
	struct tn_arena arena;
	const struct tn_floor_wall_piece *pieces;
	size_t count;
};

/* Rooms of one floor, in metres, walls 0.2 thick. */
static void build(struct built *built, const char *rooms)
{
	char text[4096];
	struct tenon_error err = {0};

	(void)snprintf(text, sizeof(text),
		       "%%%%{version: 1.0}%%%%\nfloorplan\nconfig { default_unit: m }\n"
		       "style Red { wall_color: \"#FF0000\" }\nfloor F {\n%s\n",
		       rooms);
	assert_int_equal(tn_floor_plan_create(tn_str_from(text), false, &built->plan, &err),
			 TENON_OK);
	assert_true(built->plan->valid);
	tn_arena_init(&built->arena, TN_MIB);
	assert_true(tn_floor_walls(built->plan->floors, built->plan, false, &built->arena,
				   &built->pieces, &built->count));
}

static void finish(struct built *built)
{
	tn_arena_finish(&built->arena);
	tn_floor_plan_free(built->plan);
}

/* "h 0 [0,4] -0.1..4.1": direction, line, the interval, and how far it is lengthened. */
static void expect(const char *rooms, const char *pieces)
{
	struct built built;
	char found[2048] = "";
	size_t used = 0;

	build(&built, rooms);
	for (size_t i = 0; i < built.count; i++) {
		const struct tn_floor_wall_piece *p = &built.pieces[i];

		used += (size_t)snprintf(found + used, sizeof(found) - used,
					 "%s%c %.4g [%.4g,%.4g] %.4g..%.4g", i ? "; " : "",
					 p->horizontal ? 'h' : 'v', p->line, p->from, p->to,
					 p->start, p->end);
		if (p->style)
			used += (size_t)snprintf(found + used, sizeof(found) - used, " %.*s",
						 (int)p->style->name.size, p->style->name.data);
	}
	if (strcmp(found, pieces) != 0)
		fail_msg("%s\n  gives %s\n  not   %s", rooms, found, pieces);
	finish(&built);
}

/* floorplan.md 6.4: corners are closed by half a wall. */
static void test_box(void **state)
{
	(void)state;
	expect("room A at (0,0) size (4 x 3) }",
	       "h 0 [0,4] -0.1..4.1; h 3 [0,4] -0.1..4.1; v 0 [0,3] -0.1..3.1; "
	       "v 4 [0,3] -0.1..3.1");
}

/* What is open on every side that covers it is not built. */
static void test_open(void **state)
{
	(void)state;
	expect("room A at (0,0) size (4 x 3) walls [top: open, right: open, left: open] }",
	       "h 3 [0,4] 0..4");
	expect("room A at (0,0) size (4 x 3) walls [right: open, left: open, top: open, bottom: "
	       "open]\nroom B at (4,0) size (2 x 3) walls [top: open, right: open, bottom: open] }",
	       "v 4 [0,3] 0..3");
}

/* A shared wall is one; at a T joint the wall that ends goes into the other, not beyond. */
static void test_shared(void **state)
{
	(void)state;
	expect("room A at (0,0) size (4 x 3)\nroom B at (4,0) size (2 x 3) }",
	       "h 0 [0,6] -0.1..6.1; h 3 [0,6] -0.1..6.1; v 0 [0,3] -0.1..3.1; "
	       "v 4 [0,3] 0..3; v 6 [0,3] -0.1..3.1");
}

/* Sides that are nearer than a wall's thickness are one wall on the line between them; the piece is
 * as thick as they are apart, and no thinner than a wall. */
static void test_near(void **state)
{
	struct built built;

	(void)state;
	build(&built, "room A at (0,0) size (4 x 3)\nroom B at (4.15,0) size (2 x 3) }");
	for (size_t i = 0; i < built.count; i++) {
		const struct tn_floor_wall_piece *p = &built.pieces[i];

		assert_true(p->thickness > 0.1999 && p->thickness < 0.2001);
		if (!p->horizontal && p->line > 1 && p->line < 6)
			assert_true(p->line > 4.0749 && p->line < 4.0751);
	}
	finish(&built);
	expect("room A at (0,0) size (4 x 3)\nroom B at (4.3,0) size (2 x 3) }",
	       "h 0 [0,4] -0.1..4.1; h 0 [4.3,6.3] 4.2..6.4; h 3 [0,4] -0.1..4.1; "
	       "h 3 [4.3,6.3] 4.2..6.4; v 0 [0,3] -0.1..3.1; v 4 [0,3] -0.1..3.1; "
	       "v 4.3 [0,3] -0.1..3.1; v 6.3 [0,3] -0.1..3.1");
}

/* 6.4: the kind is cut at every end; door before window before solid before open. */
static void test_kinds(void **state)
{
	struct built built;
	unsigned windows = 0, doors = 0;

	(void)state;
	build(&built, "room A at (0,0) size (6 x 3) walls [bottom: window]\n"
		      "room B at (0,3) size (2 x 3) walls [top: door]\n"
		      "room C at (2,3) size (2 x 3) walls [top: open] }");
	for (size_t i = 0; i < built.count; i++) {
		const struct tn_floor_wall_piece *p = &built.pieces[i];

		if (!p->horizontal || p->line < 2.9 || p->line > 3.1)
			continue;
		windows += p->type == TN_FLOOR_WINDOW && p->from > 1.99 && p->to > 5.99;
		doors += p->type == TN_FLOOR_DOOR && p->from < 0.01 && p->to < 2.01;
	}
	assert_int_equal(windows, 1);
	assert_int_equal(doors, 1);
	finish(&built);
}

/* The colour is that of the first covering room that has one; both colours reach over the joint. */
static void test_colour(void **state)
{
	(void)state;
	expect("room A at (0,0) size (4 x 3)\nroom B at (4,0) size (2 x 3) style Red }",
	       "h 0 [0,4] -0.1..4.1; h 0 [4,6] 3.9..6.1 Red; h 3 [0,4] -0.1..4.1; h 3 [4,6] "
	       "3.9..6.1 Red; "
	       "v 0 [0,3] -0.1..3.1; v 4 [0,3] 0..3 Red; v 6 [0,3] -0.1..3.1 Red");
}

/* Openings are told along the wall, whatever order they are declared in, and of which piece. */
static void test_openings(void **state)
{
	struct built built;
	const struct tn_floor_opening *one;

	(void)state;
	build(&built, "room A at (0,0) size (8 x 3)\nroom B at (0,3) size (8 x 3) }\n"
		      "connect A to B door at 80%\nconnect A to B door at 20%");
	for (size_t i = 0; i < built.count; i++) {
		const struct tn_floor_wall_piece *p = &built.pieces[i];

		if (!p->horizontal || p->line < 2.9 || p->line > 3.1) {
			assert_int_equal(p->opening_count, 0);
			continue;
		}
		assert_int_equal(p->opening_count, 2);
		assert_true(p->openings[0]->center < p->openings[1]->center);
	}
	for (one = built.plan->floors->openings; one; one = one->next) {
		const struct tn_floor_wall_piece *p =
			tn_floor_wall_of(built.plan, built.pieces, built.count, one);

		assert_non_null(p);
		assert_true(p->line > 2.9 && p->line < 3.1 && p->horizontal);
	}
	finish(&built);
}

/* Many rooms in one line are no square work: this takes no noticeable time. */
static void test_many(void **state)
{
	enum { ROOMS = 4000 };
	struct tn_buf text;
	struct tn_floor_plan *plan;
	struct tn_arena arena;
	const struct tn_floor_wall_piece *pieces;
	struct tenon_error err = {0};
	size_t count;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "floorplan\nconfig { default_unit: m }\nfloor F {\n");
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(&text, "room R%u at (%u,0) size (3 x 3)\n", i, 3 * i);
	tn_buf_append_text(&text, "}\n");
	assert_int_equal(tn_floor_plan_create(tn_buf_str(&text), false, &plan, &err), TENON_OK);
	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	assert_true(tn_floor_walls(plan->floors, plan, false, &arena, &pieces, &count));
	assert_int_equal(count, 2 + ROOMS + 1);
	tn_arena_finish(&arena);
	tn_floor_plan_free(plan);
	tn_buf_finish(&text);
}

/* Short memory is told of. */
static void test_starved(void **state)
{
	struct built built;
	struct tn_arena arena;
	const struct tn_floor_wall_piece *pieces;
	size_t count;

	(void)state;
	build(&built, "room A at (0,0) size (4 x 3) }");
	tn_arena_init(&arena, 64);
	assert_false(
		tn_floor_walls(built.plan->floors, built.plan, false, &arena, &pieces, &count));
	tn_arena_finish(&arena);
	finish(&built);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_box),      cmocka_unit_test(test_open),
		cmocka_unit_test(test_shared),   cmocka_unit_test(test_near),
		cmocka_unit_test(test_kinds),    cmocka_unit_test(test_colour),
		cmocka_unit_test(test_openings), cmocka_unit_test(test_many),
		cmocka_unit_test(test_starved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
