#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/near.h"

static unsigned between(const char *a, const char *b)
{
	return tn_near_distance(tn_str_from(a), tn_str_from(b));
}

static void distances(void **state)
{
	static const char long_word[] =
		"a-word-of-more-than-sixty-four-bytes-is-nobody's-mistake-of-a-letter-or-two";

	(void)state;
	assert_int_equal(between("", ""), 0);
	assert_int_equal(between("status", "status"), 0);
	assert_int_equal(between("Plan_Text", "plan-text"), 0);
	assert_int_equal(between("stauts", "status"), 1); /* a swap */
	assert_int_equal(between("statu", "status"), 1);
	assert_int_equal(between("statuss", "status"), 1);
	assert_int_equal(between("statis", "status"), 1);
	assert_int_equal(between("ab", "ba"), 1);
	assert_int_equal(between("", "abc"), 3);
	assert_int_equal(between("kitten", "sitting"), 3);
	assert_int_equal(between(long_word, "a"), TN_NEAR_NONE);
}

static void suggestions(void **state)
{
	static const char *const known[] = {"status", "call", "completion", "tools", NULL};
	static const char *const none[] = {NULL};

	(void)state;
	assert_string_equal(tn_near_find(tn_str_from("stauts"), known), "status");
	assert_string_equal(tn_near_find(tn_str_from("tool"), known), "tools");
	assert_string_equal(tn_near_find(tn_str_from("comp"), known), "completion");
	assert_string_equal(tn_near_find(tn_str_from("cal"), known), "call");
	assert_null(tn_near_find(tn_str_from("dance"), known));
	assert_null(tn_near_find(tn_str_from(""), known));
	assert_null(tn_near_find(tn_str_from("x"), none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances),
		cmocka_unit_test(suggestions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
