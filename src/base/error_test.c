#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void test_fail_says_and_returns(void **state)
{
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_fail(&err, TENON_INVALID, "width %d; send 1 to %d", 0, 9),
			 TENON_INVALID);
	assert_int_equal(err.code, TENON_INVALID);
	assert_int_equal(err.sys_errno, 0);
	assert_string_equal(err.message, "width 0; send 1 to 9");
	assert_int_equal(tn_fail(NULL, TENON_LIMIT, "nobody listens"), TENON_LIMIT);
}

static void test_fail_cuts_long_messages(void **state)
{
	struct tenon_error err;
	char text[1000];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	(void)tn_fail(&err, TENON_INVALID, "%s", text);
	assert_int_equal(strlen(err.message), TENON_ERROR_MESSAGE_MAX - 1);
}

static void test_fail_errno_names_the_reason(void **state)
{
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_fail_errno(&err, ENOENT, "open plan"), TENON_SYSTEM);
	assert_int_equal(err.code, TENON_SYSTEM);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_string_equal(err.message, "open plan: No such file or directory");
	(void)tn_fail_errno(&err, 99999, "open plan");
	assert_string_equal(err.message, "open plan: error 99999");
}

static void test_every_code_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(tenon_code_name(TENON_OK), "ok");
	assert_string_equal(tenon_code_name(TENON_INTERNAL), "internal");
	assert_string_equal(tenon_code_name((enum tenon_code)99), "unknown");
	for (int code = TENON_OK; code <= TENON_INTERNAL; code++)
		assert_string_not_equal(tenon_code_name((enum tenon_code)code), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fail_says_and_returns),
		cmocka_unit_test(test_fail_cuts_long_messages),
		cmocka_unit_test(test_fail_errno_names_the_reason),
		cmocka_unit_test(test_every_code_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
