#include "transport/auth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"

#define TOKEN "s3cr3t-s3cr3t-s3cr3t"

/* MCP-265 */
static void test_values(void **state)
{
	static const struct {
		const char *value; /* NULL: absent */
		size_t count;
		enum tn_auth verdict;
	} rows[] = {
		{NULL, 0, TN_AUTH_MISSING},
		{"Bearer " TOKEN, 1, TN_AUTH_OK},
		{"bearer " TOKEN, 1, TN_AUTH_OK},
		{"BEARER   " TOKEN, 1, TN_AUTH_OK},
		{"Bearer " TOKEN, 2, TN_AUTH_WRONG}, /* which of two is meant, nobody knows */
		{"Bearer " TOKEN "x", 1, TN_AUTH_WRONG},
		{"Bearer s3cr3t", 1, TN_AUTH_WRONG},
		{"Bearer S3cr3t-s3cr3t-s3cr3t", 1, TN_AUTH_WRONG},
		{"Bearer", 1, TN_AUTH_WRONG},
		{"Bearer ", 1, TN_AUTH_WRONG},
		{"Bearer" TOKEN, 1, TN_AUTH_MISSING},
		{"Basic " TOKEN, 1, TN_AUTH_MISSING},
		{TOKEN, 1, TN_AUTH_MISSING},
		{"", 1, TN_AUTH_MISSING},
	};

	const struct tn_auth_key key = tn_auth_key(TN_STR(TOKEN));

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		size_t index = 7;
		enum tn_auth verdict = tn_auth_check_value(tn_str_from(rows[i].value),
							   rows[i].count, &key, 1, &index);

		if (verdict != rows[i].verdict || (verdict == TN_AUTH_OK && index != 0))
			fail_msg("row %zu (%s): %d", i, rows[i].value ? rows[i].value : "absent",
				 (int)verdict);
	}
}

/* MCP-266 */
static void test_several(void **state)
{
	const struct tn_auth_key keys[] = {tn_auth_key(TN_STR("one-one-one-one-1")),
					   tn_auth_key(TN_STR("two-two-two-two-2")),
					   tn_auth_key(TN_STR("three-three-three"))};
	size_t index = 7;

	(void)state;
	assert_true(tn_auth_find(TN_STR("one-one-one-one-1"), keys, 3, &index));
	assert_int_equal(index, 0);
	assert_true(tn_auth_find(TN_STR("two-two-two-two-2"), keys, 3, &index));
	assert_int_equal(index, 1);
	assert_true(tn_auth_find(TN_STR("three-three-three"), keys, 3, &index));
	assert_int_equal(index, 2);
	assert_false(tn_auth_find(TN_STR("three-three-three"), keys, 2, &index));
	assert_false(tn_auth_find(TN_STR("two-two-two-two-"), keys, 3, &index));
	assert_false(tn_auth_find(TN_STR(""), keys, 3, &index));
	assert_int_equal(
		tn_auth_check_value(TN_STR("Bearer two-two-two-two-2"), 1, keys, 3, &index),
		TN_AUTH_OK);
	assert_int_equal(index, 1);
}

static void test_challenges(void **state)
{
	(void)state;
	assert_true(tn_str_is(tn_auth_challenge(TN_AUTH_MISSING), "Bearer realm=\"tenon\""));
	assert_true(tn_str_is(tn_auth_challenge(TN_AUTH_WRONG),
			      "Bearer realm=\"tenon\", error=\"invalid_token\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_challenges),
	};

	return cmocka_run_group_tests_name("auth", tests, NULL, NULL);
}
