#include "base/percent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void what_means_something_in_an_address_is_written_as_a_number(void **state)
{
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, 256);
	tn_percent_put(&out, tn_str("aZ9-._~ /?\"\0\xc3\xa9", 14), "");
	tn_buf_append_byte(&out, '|');
	tn_percent_put(&out, TN_STR("a/b c"), "/");
	tn_percent_put(&out, tn_str(NULL, 0), "/");
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, "aZ9-._~%20%2F%3F%22%00%C3%A9|a/b%20c");
	tn_buf_finish(&out);
}

static void each_percent_sign_has_two_digits(void **state)
{
	(void)state;
	assert_true(tn_percent_is_valid(tn_str(NULL, 0)));
	assert_true(tn_percent_is_valid(TN_STR("a%20b%fF%00")));
	assert_false(tn_percent_is_valid(TN_STR("a%zz")));
	assert_false(tn_percent_is_valid(TN_STR("%2")));
	assert_false(tn_percent_is_valid(TN_STR("%")));
	assert_false(tn_percent_is_valid(TN_STR("%2g%20")));
	assert_false(tn_percent_is_valid(TN_STR("%%20")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_means_something_in_an_address_is_written_as_a_number),
		cmocka_unit_test(each_percent_sign_has_two_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
