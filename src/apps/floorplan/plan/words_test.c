/* Units, sides and numbers as words (floorplan.md 4.1): what leaves the process is what a reader
 * takes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/floorplan/plan/plan.h"
#include "base/size.h"

static struct tn_str number(struct tn_buf *out, double value)
{
	out->size = 0;
	tn_floor_put_number(out, value);
	assert_false(out->failed);
	return tn_buf_str(out);
}

static void expect(double value, const char *expected)
{
	struct tn_buf out;
	struct tn_str got;

	tn_buf_init(&out, 512);
	got = number(&out, value);
	if (!tn_str_is(got, expected))
		fail_msg("%.17g is %.*s, expected %s", value, (int)got.size, got.data, expected);
	tn_buf_finish(&out);
}

static void numbers_have_six_decimals_at_most(void **state)
{
	(void)state;
	expect(0, "0");
	expect(12, "12");
	expect(-12, "-12");
	expect(0.5, "0.5");
	expect(1.25, "1.25");
	expect(0.000001, "0.000001");
	expect(-0.000001, "-0.000001");
	expect(100.10, "100.1");
	expect(1.0000005, "1.000001"); /* half away from zero */
	expect(-1.0000005, "-1.000001");
	expect(0.1 + 0.2, "0.3");
	expect(2.9999999, "3");
}

static void nothing_is_below_zero_that_is_nothing(void **state)
{
	(void)state;
	expect(-0.0, "0");
	expect(-0.0000004, "0");
	expect(DBL_TRUE_MIN, "0");
	expect(-DBL_TRUE_MIN, "0");
}

static void what_is_no_number_is_0(void **state)
{
	(void)state;
	expect((double)NAN, "0");
	expect((double)INFINITY, "0");
	expect(-(double)INFINITY, "0");
}

/* Times a million they would not be an int64 any more. */
static void large_numbers_are_whole_and_have_no_exponent(void **state)
{
	struct tn_buf out;

	(void)state;
	expect(4000000000.5, "4000000000.5");
	expect(9e12, "9000000000000");
	expect(-9e12, "-9000000000000");
	expect(1e15, "1000000000000000");
	tn_buf_init(&out, 512);
	assert_int_equal(number(&out, DBL_MAX).size, 309);
	assert_int_equal(tn_str_find_byte(tn_buf_str(&out), 'e'), TN_STR_NONE);
	tn_buf_finish(&out);
}

/* Every number of six decimals is read back as itself. */
static void what_was_written_is_read_back(void **state)
{
	struct tn_buf out;
	uint64_t seed = 7;

	(void)state;
	tn_buf_init(&out, 512);
	for (unsigned i = 0; i < 20000; i++) {
		double value, read;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		value = (double)(int64_t)(seed >> 24) / 1e6 * (seed & 1 ? -1 : 1);
		(void)number(&out, value);
		tn_buf_append_byte(&out, '\0');
		read = strtod(out.data, NULL);
		if (read != value)
			fail_msg("%.17g was written as %s", value, out.data);
	}
	tn_buf_finish(&out);
}

static void a_full_buffer_stays_full(void **state)
{
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, 3);
	tn_floor_put_number(&out, 1234.5);
	assert_true(out.failed);
	tn_buf_finish(&out);
}

static void a_length_is_brought_to_the_unit_of_the_plan(void **state)
{
	struct tn_floor_plan plan = {.unit = TN_FLOOR_M};
	struct tn_floor_length length = {.number = 30, .unit = TN_FLOOR_CM};

	(void)state;
	assert_true(fabs(tn_floor_to_unit(&plan, &length) - 0.3) < 1e-15);
	plan.unit = TN_FLOOR_FT;
	length.unit = TN_FLOOR_IN;
	assert_true(fabs(tn_floor_to_unit(&plan, &length) - 2.5) < 1e-12);
	plan.unit = TN_FLOOR_MM;
	length.unit = TN_FLOOR_FT;
	assert_true(fabs(tn_floor_to_unit(&plan, &length) - 9144) < 1e-9);
}

/* 4.1: 0.1 in the unit of the plan is not 0.1 times 0.3048 divided by it. */
static void a_length_in_the_unit_of_the_plan_stays_as_it_is(void **state)
{
	struct tn_floor_plan plan = {.unit = TN_FLOOR_FT};
	struct tn_floor_length length = {.unit = TN_FLOOR_FT};

	(void)state;
	for (unsigned i = 1; i < 1000; i++) {
		length.number = i / 7.0;
		length.unit = i % 2 ? TN_FLOOR_FT : TN_FLOOR_NO_UNIT;
		assert_true(tn_floor_to_unit(&plan, &length) == i / 7.0);
	}
}

static void words_and_what_they_stand_for_belong_together(void **state)
{
	static const struct {
		enum tn_floor_unit unit;
		const char *name;
		double metres;
	} units[] = {{TN_FLOOR_NO_UNIT, "", 1},   {TN_FLOOR_M, "m", 1},
		     {TN_FLOOR_FT, "ft", 0.3048}, {TN_FLOOR_CM, "cm", 0.01},
		     {TN_FLOOR_IN, "in", 0.0254}, {TN_FLOOR_MM, "mm", 0.001}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(units); i++) {
		assert_string_equal(tn_floor_unit_name(units[i].unit), units[i].name);
		assert_true(tn_floor_metres(units[i].unit) == units[i].metres);
	}
	assert_string_equal(tn_floor_side_name(TN_FLOOR_TOP), "top");
	assert_string_equal(tn_floor_side_name(TN_FLOOR_RIGHT), "right");
	assert_string_equal(tn_floor_side_name(TN_FLOOR_BOTTOM), "bottom");
	assert_string_equal(tn_floor_side_name(TN_FLOOR_LEFT), "left");
	assert_string_equal(tn_floor_wall_name(TN_FLOOR_SOLID), "solid");
	assert_string_equal(tn_floor_wall_name(TN_FLOOR_DOOR), "door");
	assert_string_equal(tn_floor_wall_name(TN_FLOOR_WINDOW), "window");
	assert_string_equal(tn_floor_wall_name(TN_FLOOR_OPEN), "open");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_six_decimals_at_most),
		cmocka_unit_test(nothing_is_below_zero_that_is_nothing),
		cmocka_unit_test(what_is_no_number_is_0),
		cmocka_unit_test(large_numbers_are_whole_and_have_no_exponent),
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(a_full_buffer_stays_full),
		cmocka_unit_test(a_length_is_brought_to_the_unit_of_the_plan),
		cmocka_unit_test(a_length_in_the_unit_of_the_plan_stays_as_it_is),
		cmocka_unit_test(words_and_what_they_stand_for_belong_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
