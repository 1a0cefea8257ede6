#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"

static void test_system_clock(void **state)
{
	uint64_t first = tn_clock_now_ms(&tn_clock_system), last = first;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t now = tn_clock_now_ms(&tn_clock_system);

		assert_true(now >= last);
		last = now;
	}
	/* time() may lag behind by a tick of the kernel. */
	assert_in_range(tn_clock_wall_ms(&tn_clock_system) / 1000, time(NULL) - 1, time(NULL) + 1);
}

static uint64_t turned_monotonic(void *data)
{
	return *(uint64_t *)data;
}

static int64_t turned_wall(void *data)
{
	return (int64_t) * (uint64_t *)data * 2;
}

static void test_turned_clock(void **state)
{
	uint64_t now = 5;
	const struct tn_clock clock = {
		.monotonic_ms = turned_monotonic, .wall_ms = turned_wall, .data = &now};

	(void)state;
	assert_int_equal(tn_clock_now_ms(&clock), 5);
	now = 7;
	assert_int_equal(tn_clock_now_ms(&clock), 7);
	assert_int_equal(tn_clock_wall_ms(&clock), 14);
}

static void test_iso(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {
		{0, "1970-01-01T00:00:00.000Z"},
		{1, "1970-01-01T00:00:00.001Z"},
		{951782400000, "2000-02-29T00:00:00.000Z"},
		{1795256130123, "2026-11-21T10:15:30.123Z"},
		{4102444799999, "2099-12-31T23:59:59.999Z"},
		{253402300799999, "9999-12-31T23:59:59.999Z"},
		{253402300800000, "1970-01-01T00:00:00.000Z"}, /* the year 10000 has no such form */
		{-1, "1970-01-01T00:00:00.000Z"},
		{INT64_MAX, "1970-01-01T00:00:00.000Z"},
		{INT64_MIN, "1970-01-01T00:00:00.000Z"},
	};
	char text[TN_CLOCK_ISO_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tn_clock_format_iso(cases[i].ms, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void test_parse_iso(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{"1970-01-01", 0},
		{"1970-01-01T00:00:00Z", 0},
		{"2000-02-29T00:00:00Z", 951782400000},
		{"2026-11-21T10:15:30.123Z", 1795256130123},
		{"2026-11-21t10:15:30.1z", 1795256130100},
		{"2026-11-21 10:15:30.123456789Z", 1795256130123},
		{"2026-11-21T12:15:30+02:00", 1795256130000},
		{"2026-11-21T04:45:30-05:30", 1795256130000},
		{"2026-11-21", 1795219200000},
		{"2099-12-31T23:59:59.999Z", 4102444799999},
		{"2100-03-01T00:00:00Z", 4107542400000},
		{"9999-12-31T23:59:59Z", 253402300799000},
	};
	static const char *const wrong[] = {
		"",
		"x",
		"2026",
		"2026-11",
		"2026-11-2",
		"2026-13-01",
		"2026-00-01",
		"2026-02-29",
		"2100-02-29",
		"1969-12-31",
		"2026-11-21T10:15:30",
		"2026-11-21T10:15Z",
		"2026-11-21T24:00:00Z",
		"2026-11-21T10:60:00Z",
		"2026-11-21T10:15:61Z",
		"2026-11-21T10:15:30.Z",
		"2026-11-21T10:15:30+2:00",
		"2026-11-21T10:15:30+24:00",
		"2026-11-21T10:15:30Zx",
		"2026-11-21x",
		"2026-11-21 ",
		"+026-11-21",
	};
	char text[TN_CLOCK_ISO_SIZE];
	int64_t ms;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(tn_clock_parse_iso(tn_str_from(cases[i].text), &ms));
		assert_true(ms == cases[i].ms);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (tn_clock_parse_iso(tn_str_from(wrong[i]), &ms))
			fail_msg("%s", wrong[i]);
	}
	/* What is written is read again, on every day. */
	for (int64_t day = 0; day < 366 * 140; day++) {
		tn_clock_format_iso(day * 86400000 + 12345678, text);
		assert_true(tn_clock_parse_iso(tn_str_from(text), &ms));
		assert_true(ms == day * 86400000 + 12345678);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_system_clock),
		cmocka_unit_test(test_turned_clock),
		cmocka_unit_test(test_iso),
		cmocka_unit_test(test_parse_iso),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
