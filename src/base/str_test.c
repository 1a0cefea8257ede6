#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/str.h"

static void test_comparing(void **state)
{
	(void)state;
	assert_true(tn_str_equal(tn_str(NULL, 0), TN_STR("")));
	assert_true(tn_str_equal(tn_str("a\0b", 3), tn_str("a\0b", 3)));
	assert_false(tn_str_equal(tn_str("a\0b", 3), tn_str("a\0c", 3)));
	assert_false(tn_str_equal(TN_STR("a"), TN_STR("ab")));
	assert_true(tn_str_is(tn_str_from(NULL), ""));
	assert_true(tn_str_equal_nocase(TN_STR("Content-Type"), TN_STR("cONTENT-tYPE")));
	assert_false(tn_str_equal_nocase(TN_STR("[a"), TN_STR("{a"))); /* 32 apart, not letters */
	assert_false(tn_str_equal_nocase(TN_STR("a"), TN_STR("ab")));
	assert_true(tn_str_compare(TN_STR("a"), TN_STR("b")) < 0);
	assert_true(tn_str_compare(TN_STR("b"), TN_STR("a")) > 0);
	assert_true(tn_str_compare(TN_STR("a"), TN_STR("ab")) < 0);
	assert_true(tn_str_compare(TN_STR("\xFF"), TN_STR("a")) > 0); /* bytes, not signed chars */
	assert_int_equal(tn_str_compare(tn_str(NULL, 0), TN_STR("")), 0);
	assert_true(tn_str_equal_constant_time(TN_STR("secret"), TN_STR("secret")));
	assert_false(tn_str_equal_constant_time(TN_STR("secret"), TN_STR("secreT")));
	assert_false(tn_str_equal_constant_time(TN_STR("secret"), TN_STR("Secret")));
	assert_false(tn_str_equal_constant_time(TN_STR("secret"), TN_STR("secre")));
	assert_true(tn_str_equal_constant_time(tn_str(NULL, 0), TN_STR("")));
}

/* The same for every size and place: words are compared eight characters at a time. */
static void test_comparing_words(void **state)
{
	char a[24], b[24];

	(void)state;
	for (size_t size = 1; size <= sizeof(a); size++) {
		for (unsigned pair = 0; pair < 65536; pair++) {
			const size_t at = pair % size;
			const char left = (char)(pair >> 8), right = (char)(pair & 255);

			memset(a, 'x', sizeof(a));
			memset(b, 'X', sizeof(b));
			a[at] = left;
			b[at] = right;
			if (tn_str_equal_nocase(tn_str(a, size), tn_str(b, size)) !=
			    (tn_to_lower(left) == tn_to_lower(right)))
				fail_msg("%02x and %02x at %zu of %zu", pair >> 8, pair & 255, at,
					 size);
		}
	}
}

static void test_parts(void **state)
{
	(void)state;
	assert_true(tn_str_starts(TN_STR("abc"), TN_STR("ab")));
	assert_true(tn_str_starts(TN_STR("abc"), TN_STR("")));
	assert_false(tn_str_starts(TN_STR("ab"), TN_STR("abc")));
	assert_true(tn_str_ends(TN_STR("abc"), TN_STR("bc")));
	assert_false(tn_str_ends(TN_STR("bc"), TN_STR("abc")));
	assert_true(tn_str_is(tn_str_trim(TN_STR(" \t\r\n a b \n")), "a b"));
	assert_true(tn_str_is(tn_str_trim(TN_STR(" \n ")), ""));
	assert_true(tn_str_is(tn_str_trim(TN_STR("\va")), "\va"));
	assert_true(tn_str_is(tn_str_from_offset(TN_STR("abc"), 1), "bc"));
	assert_true(tn_str_is(tn_str_from_offset(TN_STR("abc"), 3), ""));
	assert_true(tn_str_is(tn_str_from_offset(TN_STR("abc"), 9), ""));
}

static void test_finding(void **state)
{
	(void)state;
	assert_int_equal(tn_str_find(TN_STR("abcabd"), TN_STR("abd")), 3);
	assert_int_equal(tn_str_find(TN_STR("aaab"), TN_STR("aab")), 1);
	assert_int_equal(tn_str_find(TN_STR("abc"), TN_STR("")), 0);
	assert_int_equal(tn_str_find(TN_STR("abc"), TN_STR("abcd")), TN_STR_NONE);
	assert_int_equal(tn_str_find(TN_STR("abc"), TN_STR("x")), TN_STR_NONE);
	assert_int_equal(tn_str_find(tn_str("a\0b\0c", 5), tn_str("\0c", 2)), 3);
	assert_int_equal(tn_str_find_byte(TN_STR("abc"), 'c'), 2);
	assert_int_equal(tn_str_find_byte(TN_STR("abc"), 'x'), TN_STR_NONE);
	assert_int_equal(tn_str_find_byte(tn_str(NULL, 0), 'x'), TN_STR_NONE);
	assert_int_equal(tn_str_find_byte(tn_str("a\0", 2), '\0'), 1);
}

static void test_numbers(void **state)
{
	static const char *const refused[] = {"",
					      "-1",
					      "+1",
					      " 1",
					      "1 ",
					      "1.0",
					      "0x1",
					      "1e3",
					      "a",
					      "9223372036854775808",
					      "18446744073709551616",
					      "99999999999999999999999"};
	uint64_t value = 7;

	(void)state;
	assert_true(tn_str_to_uint(TN_STR("0"), &value) && value == 0);
	assert_true(tn_str_to_uint(TN_STR("0042"), &value) && value == 42);
	assert_true(tn_str_to_uint(TN_STR("9223372036854775807"), &value) && value == INT64_MAX);
	value = 7;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (tn_str_to_uint(tn_str_from(refused[i]), &value))
			fail_msg("%s", refused[i]);
	}
	assert_int_equal(value, 7);
}

static void test_hash(void **state)
{
	char text[64];
	unsigned buckets[256] = {0};

	(void)state;
	assert_true(tn_str_hash(TN_STR("key"), 1) == tn_str_hash(TN_STR("key"), 1));
	assert_true(tn_str_hash(TN_STR("key"), 1) != tn_str_hash(TN_STR("key"), 2));
	assert_true(tn_str_hash(TN_STR(""), 1) == tn_str_hash(tn_str(NULL, 0), 1));
	assert_true(tn_str_hash(TN_STR("a"), 1) != tn_str_hash(tn_str("a\0", 2), 1));
	memset(text, 'a', sizeof(text));
	for (unsigned i = 0; i < 65536; i++) { /* keys that differ in two places, of every length */
		size_t size = 2 + i % 62;

		text[0] = (char)(i & 255);
		text[size - 1] = (char)(i >> 8);
		buckets[tn_str_hash(tn_str(text, size), 99) & 255]++;
		text[size - 1] = 'a';
	}
	for (size_t i = 0; i < 256; i++)
		assert_in_range(buckets[i], 150, 370); /* 256 each on average */
}

static void test_characters(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++) {
		assert_true(tn_is_digit((char)c) == (c >= '0' && c <= '9'));
		assert_true(tn_is_alpha((char)c) ==
			    ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')));
		assert_true(tn_to_lower((char)c) == (char)(c >= 'A' && c <= 'Z' ? c + 32 : c));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comparing),  cmocka_unit_test(test_comparing_words),
		cmocka_unit_test(test_parts),      cmocka_unit_test(test_finding),
		cmocka_unit_test(test_numbers),    cmocka_unit_test(test_hash),
		cmocka_unit_test(test_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
