/* What every part of a picture paints with: places to a 256th of a pixel, rooms in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>

#include <cmocka.h>

#include "apps/floorplan/picture/internal.h"

static void places_are_those_of_every_build(void **state)
{
	(void)state;
	/* The last bits of a double differ between builds; a 256th of a pixel does not. */
	assert_true(tn_paint_round(0.1 + 0.2) == tn_paint_round(0.3));
	assert_true(tn_paint_round(1.0 / 512) == 1.0 / 256); /* half goes up */
	assert_true(tn_paint_round(-1.0 / 512) == 0);
	assert_true(tn_paint_round(7) == 7);
	assert_true(tn_paint_round(-7.00390625) == -7.00390625);
	for (int i = -5000; i < 5000; i++) {
		double at = tn_paint_round(i / 77.0);

		assert_true(at * 256 == floor(at * 256));
		assert_true(fabs(at - i / 77.0) <= 1.0 / 512);
	}
}

/* Boxes that touch in the plan touch on the page: edges are rounded, not widths. */
static void boxes_that_touch_have_one_edge(void **state)
{
	const struct tn_floor_transform at = {.x0 = 10.3, .y0 = -4.7, .scale = 33.333};
	const struct tn_painter painter = {.at = &at};

	(void)state;
	for (int i = 0; i < 500; i++) {
		const struct tn_floor_rect left = {i * 0.13, i * 0.07, 1.01, 2.03},
					   right = {left.x + left.width, left.y + left.height, 0.4,
						    0.4};
		const struct tn_floor_box a = tn_paint_box(&painter, &left),
					  b = tn_paint_box(&painter, &right);

		assert_true(a.x + a.width == b.x);
		assert_true(a.y + a.height == b.y);
		assert_true(a.x == tn_paint_x(&painter, left.x));
		assert_true(a.y == tn_paint_y(&painter, left.y));
	}
}

static void pens_are_as_wide_as_the_page_is_large(void **state)
{
	const struct tn_painter painter = {.p = 2.5};
	const struct tn_draw_style pen = tn_paint_pen(&painter, 0x112233FF, 0.8);

	(void)state;
	assert_int_equal(pen.stroke, 0x112233FF);
	assert_true(pen.stroke_width == 2);
	assert_int_equal(pen.fill, 0); /* a pen fills nothing */
}

static void memory_that_ends_is_remembered(void **state)
{
	struct tn_arena arena;
	struct tn_painter painter = {.arena = &arena};

	(void)state;
	tn_arena_init(&arena, 64 * 1024);
	assert_non_null(tn_paint_new(&painter, 0, sizeof(double))); /* of nothing is no failure */
	assert_non_null(tn_paint_new(&painter, 100, sizeof(double)));
	assert_false(painter.starved);
	assert_null(tn_paint_new(&painter, SIZE_MAX / 2, sizeof(double))); /* no product wraps */
	assert_true(painter.starved);
	painter.starved = false;
	assert_null(tn_paint_new(&painter, 1024 * 1024, 1));
	assert_true(painter.starved);
	tn_arena_finish(&arena);
}

/* ---- rooms in order ---- */

static void walk(const struct tn_floor_floor *floor, const char *expected)
{
	char names[64];
	size_t used = 0;

	for (const struct tn_floor_room *room = tn_paint_next_room(floor, NULL); room;
	     room = tn_paint_next_room(floor, room)) {
		assert_true(used + 1 < sizeof(names));
		names[used++] = room->name.data[0];
	}
	names[used] = '\0';
	assert_string_equal(names, expected);
	assert_int_equal(tn_paint_has_rooms(floor), used > 0);
}

/* A { B { C } D } E { F }: parents before their sub-rooms. */
static void rooms_come_parents_first(void **state)
{
	struct tn_floor_room f = {.name = TN_STR("F"), .placed = true},
			     c = {.name = TN_STR("C"), .placed = true},
			     d = {.name = TN_STR("D"), .placed = true},
			     b = {.name = TN_STR("B"), .placed = true, .rooms = &c, .next = &d},
			     e = {.name = TN_STR("E"), .placed = true, .rooms = &f},
			     a = {.name = TN_STR("A"), .placed = true, .rooms = &b, .next = &e};
	const struct tn_floor_floor floor = {.rooms = &a}, empty = {.rooms = NULL};

	(void)state;
	c.parent = &b;
	b.parent = d.parent = &a;
	f.parent = &e;
	walk(&empty, "");
	walk(&floor, "ABCDEF");
	/* What has no place takes its sub-rooms with it, and nobody else. */
	b.placed = false;
	walk(&floor, "ADEF");
	d.placed = false;
	walk(&floor, "AEF");
	a.placed = false;
	walk(&floor, "EF");
	f.placed = false;
	walk(&floor, "E");
	e.placed = false;
	walk(&floor, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_those_of_every_build),
		cmocka_unit_test(boxes_that_touch_have_one_edge),
		cmocka_unit_test(pens_are_as_wide_as_the_page_is_large),
		cmocka_unit_test(memory_that_ends_is_remembered),
		cmocka_unit_test(rooms_come_parents_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
