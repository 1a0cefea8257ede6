#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"

static void test_appending(void **state)
{
	struct tn_buf buf;
	struct tenon_error err;

	(void)state;
	tn_buf_init(&buf, 1000);
	assert_null(buf.data);
	tn_buf_append(&buf, NULL, 0);
	tn_buf_append_text(&buf, "ab");
	tn_buf_append_byte(&buf, 'c');
	tn_buf_append_str(&buf, TN_STR("de"));
	tn_buf_append_uint(&buf, 0);
	tn_buf_append_uint(&buf, 18446744073709551615ULL);
	tn_buf_format(&buf, "[%d%s]", -5, "x");
	assert_true(tn_str_is(tn_buf_str(&buf), "abcde018446744073709551615[-5x]"));
	assert_int_equal(tn_buf_check(&buf, &err), TENON_OK);
	tn_buf_drop_front(&buf, 5);
	assert_true(tn_str_starts(tn_buf_str(&buf), TN_STR("0184")));
	tn_buf_drop_front(&buf, 0);
	tn_buf_drop_front(&buf, buf.size);
	assert_int_equal(buf.size, 0);
	tn_buf_finish(&buf);
	assert_null(buf.data);
	assert_int_equal(buf.limit, 1000);
}

static void test_limit_sticks(void **state)
{
	struct tn_buf buf;
	struct tenon_error err;

	(void)state;
	tn_buf_init(&buf, 10);
	tn_buf_append_text(&buf, "0123456789");
	assert_false(buf.failed);
	tn_buf_append(&buf, "", 0);
	assert_false(buf.failed);
	tn_buf_append_byte(&buf, 'x');
	assert_true(buf.failed);
	tn_buf_drop_front(&buf, 5);
	tn_buf_append_byte(&buf,
			   'y'); /* there would be room again, but a piece is missing already */
	assert_int_equal(buf.size, 5);
	assert_int_equal(tn_buf_check(&buf, &err), TENON_LIMIT);
	assert_non_null(strstr(err.message, "10 bytes"));
	tn_buf_clear(&buf);
	assert_false(buf.failed);
	tn_buf_append_text(&buf, "01234567890");
	assert_true(buf.failed);
	assert_int_equal(buf.size, 0);
	tn_buf_finish(&buf);
}

static void test_impossible_sizes(void **state)
{
	struct tn_buf buf;

	(void)state;
	tn_buf_init(&buf, SIZE_MAX);
	tn_buf_append_byte(&buf, 'x');
	assert_false(tn_buf_reserve(&buf, SIZE_MAX));
	assert_true(buf.failed);
	tn_buf_finish(&buf);
}

static void test_format_at_the_limit(void **state)
{
	struct tn_buf buf;

	(void)state;
	tn_buf_init(&buf, 5);
	tn_buf_format(&buf, "%s", "12345");
	assert_false(buf.failed);
	assert_true(tn_str_is(tn_buf_str(&buf), "12345"));
	tn_buf_finish(&buf);
}

static void test_growth_stays_below_the_limit(void **state)
{
	struct tn_buf buf;

	(void)state;
	tn_buf_init(&buf, 300000);
	for (int i = 0; i < 300000; i++)
		tn_buf_append_byte(&buf, (char)i);
	assert_false(buf.failed);
	assert_true(buf.capacity <= 300000);
	for (int i = 0; i < 300000; i++)
		assert_true(buf.data[i] == (char)i);
	tn_buf_shrink(&buf, 100); /* not empty: stays */
	assert_non_null(buf.data);
	tn_buf_clear(&buf);
	tn_buf_shrink(&buf, 400000);
	assert_non_null(buf.data);
	tn_buf_shrink(&buf, 100);
	assert_null(buf.data);
	tn_buf_finish(&buf);
}

static void fill_pipe(int fds[2], size_t size)
{
	char bytes[1000];

	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(pipe(fds), 0);
	for (size_t left = size; left > 0;) {
		size_t part = left < sizeof(bytes) ? left : sizeof(bytes);

		assert_int_equal(write(fds[1], bytes, part), part);
		left -= part;
	}
	(void)close(fds[1]); /* all is written */
}

static void test_read_all(void **state)
{
	static const struct {
		size_t size, limit;
		enum tenon_code code;
	} cases[] = {
		{0, 0, TENON_OK},
		{0, 100, TENON_OK},
		{100, 100, TENON_OK},
		{101, 100, TENON_LIMIT},
		{1, 0, TENON_LIMIT},
		{60000, 60000, TENON_OK},
		{60000, 59999, TENON_LIMIT},
		{60000, 1000000, TENON_OK},
	};
	struct tenon_error err;
	struct tn_buf buf;
	int fds[2];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fill_pipe(fds, cases[i].size);
		tn_buf_init(&buf, cases[i].limit);
		assert_int_equal(tn_buf_read_all(&buf, fds[0], &err), cases[i].code);
		if (cases[i].code == TENON_OK)
			assert_int_equal(buf.size, cases[i].size);
		tn_buf_finish(&buf);
		(void)close(fds[0]); /* nothing left to read */
	}
	tn_buf_init(&buf, 100);
	assert_int_equal(tn_buf_read_all(&buf, -1, &err), TENON_SYSTEM);
	assert_true(err.sys_errno != 0);
	tn_buf_finish(&buf);
}

static void test_count(void **state)
{
	struct tn_buf buf;

	(void)state;
	tn_buf_init(&buf, 100);
	tn_buf_append_count(&buf, 0, "node");
	tn_buf_append_text(&buf, ", ");
	tn_buf_append_count(&buf, 1, "node");
	tn_buf_append_text(&buf, ", ");
	tn_buf_append_count(&buf, 2, "node");
	assert_true(tn_str_is(tn_buf_str(&buf), "0 nodes, 1 node, 2 nodes"));
	tn_buf_finish(&buf);
}

static void test_unwanted(void **state)
{
	struct tn_buf buf, part;

	(void)state;
	tn_buf_init_unwanted(&buf);
	tn_buf_append_text(&buf, "nobody reads it");
	assert_int_equal(buf.size, 0);
	assert_null(buf.data);
	assert_false(tn_buf_is_bad(&buf));
	tn_buf_init(&part, 4);
	tn_buf_inherit_failure(&buf, &part);
	assert_false(tn_buf_is_bad(&buf));
	tn_buf_append_text(&part, "too large");
	tn_buf_inherit_failure(&buf, &part); /* what somebody reads did fail */
	assert_true(tn_buf_is_bad(&buf));
	tn_buf_finish(&part);
	tn_buf_finish(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_appending),
		cmocka_unit_test(test_limit_sticks),
		cmocka_unit_test(test_impossible_sizes),
		cmocka_unit_test(test_format_at_the_limit),
		cmocka_unit_test(test_growth_stays_below_the_limit),
		cmocka_unit_test(test_read_all),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
