#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

static void test_bytes_vary(void **state)
{
	unsigned char bytes[4096] = {0}, guard[3] = {1, 2, 3};
	unsigned counts[256] = {0}, ones = 0;

	(void)state;
	tn_rng_bytes(guard + 1, 0);
	assert_int_equal(guard[1], 2);
	tn_rng_bytes(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++) {
		counts[bytes[i]]++;
		ones += (unsigned)__builtin_popcount(bytes[i]);
	}
	for (size_t i = 0; i < 256; i++)
		assert_in_range(counts[i], 0, 60);         /* 16 on average */
	assert_in_range(ones, 16384 - 1000, 16384 + 1000); /* 11 standard deviations */
	assert_true(tn_rng_u64() != tn_rng_u64());
}

static void test_tokens(void **state)
{
	char a[TN_RNG_TOKEN_SIZE(16)], b[TN_RNG_TOKEN_SIZE(16)], longest[TN_RNG_TOKEN_SIZE(64)];

	(void)state;
	tn_rng_token(a, 16);
	tn_rng_token(b, 16);
	assert_int_equal(strlen(a), 26);
	assert_int_equal(strspn(a, "abcdefghijklmnopqrstuvwxyz234567"), 26);
	assert_string_not_equal(a, b);
	for (size_t bytes = 1; bytes <= 64; bytes++) {
		tn_rng_token(longest, bytes);
		assert_int_equal(strlen(longest), (bytes * 8 + 4) / 5);
	}
}

static void test_hex(void **state)
{
	unsigned seen[256] = {0}, digits = 0;
	char text[40], other[33];

	(void)state;
	memset(text, 'x', sizeof(text));
	tn_rng_hex(text, 32);
	tn_rng_hex(other, 32);
	assert_int_equal(strlen(text), 32);
	assert_int_equal(strspn(text, "0123456789abcdef"), 32);
	assert_int_equal(text[33], 'x');
	assert_string_not_equal(text, other);
	for (int i = 0; i < 2000; i++) {
		tn_rng_hex(text, 1);
		seen[(unsigned char)text[0]]++;
	}
	for (size_t i = 0; i < 256; i++)
		digits += seen[i] > 0;
	assert_int_equal(digits, 16);
	tn_rng_hex(text, 0);
	assert_string_equal(text, "");
}

/* Each of the 32 letters comes at the first place: no bits are lost on the way. */
static void test_every_letter(void **state)
{
	char token[TN_RNG_TOKEN_SIZE(16)];
	unsigned seen[256] = {0}, letters = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		tn_rng_token(token, 16);
		seen[(unsigned char)token[0]]++;
	}
	for (size_t i = 0; i < 256; i++)
		letters += seen[i] > 0;
	assert_int_equal(letters, 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_vary),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_every_letter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
