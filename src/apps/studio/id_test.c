#include "apps/studio/id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_uuid(const char *id)
{
	assert_int_equal(strlen(id), 36);
	for (int i = 0; i < 36; i++) {
		if (i == 8 || i == 13 || i == 18 || i == 23)
			assert_int_equal(id[i], '-');
		else
			assert_non_null(strchr("0123456789abcdef", id[i]));
	}
	assert_int_equal(id[14], '4');
	assert_non_null(strchr("89ab", id[19]));
}

/* studio.md 4.1 */
static void ids_are_random(void **state)
{
	char a[TN_STUDIO_UUID_SIZE], b[TN_STUDIO_UUID_SIZE];

	(void)state;
	assert_int_equal(unsetenv("TENON_TEST_IDS"), 0);
	tn_studio_make_id(7, a);
	tn_studio_make_id(7, b);
	expect_uuid(a);
	expect_uuid(b);
	assert_string_not_equal(a, b);
}

/* ST-154 */
static void ids_can_be_fixed(void **state)
{
	char a[TN_STUDIO_UUID_SIZE], b[TN_STUDIO_UUID_SIZE], first[TN_STUDIO_UUID_SIZE];

	(void)state;
	assert_int_equal(setenv("TENON_TEST_IDS", "a seed", 1), 0);
	tn_studio_make_id(0, first);
	for (uint64_t i = 1; i < 1000; i++) {
		tn_studio_make_id(i, a);
		tn_studio_make_id(i, b);
		assert_string_equal(a, b);
		assert_string_not_equal(a, first);
		expect_uuid(a);
	}
	assert_int_equal(setenv("TENON_TEST_IDS", "another seed", 1), 0);
	tn_studio_make_id(0, a);
	assert_string_not_equal(a, first);
	assert_int_equal(unsetenv("TENON_TEST_IDS"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_random),
		cmocka_unit_test(ids_can_be_fixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
