#include "base/crc32c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* RFC 3720 appendix B.4, and the check value every catalogue of CRCs gives. */
static void known_values(void **state)
{
	static const char zeros[32];
	char ones[32], up[32];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	for (int i = 0; i < 32; i++)
		up[i] = (char)i;
	assert_int_equal(tn_crc32c(TN_STR("123456789")), 0xe3069283u);
	assert_int_equal(tn_crc32c(tn_str(zeros, sizeof(zeros))), 0x8a9136aau);
	assert_int_equal(tn_crc32c(tn_str(ones, sizeof(ones))), 0x62a8ab43u);
	assert_int_equal(tn_crc32c(tn_str(up, sizeof(up))), 0x46dd794eu);
	assert_int_equal(tn_crc32c(tn_str(NULL, 0)), 0);
}

/* Bit by bit, as the polynomial is written down. */
static uint32_t slow(const char *data, size_t size)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < size; i++) {
		crc ^= (unsigned char)data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
	}
	return ~crc;
}

static void any_length_from_any_address(void **state)
{
	char text[80];

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * 37 + 11);
	for (size_t from = 0; from < 9; from++) {
		for (size_t size = 0; from + size <= sizeof(text); size++)
			assert_int_equal(tn_crc32c(tn_str(text + from, size)),
					 slow(text + from, size));
	}
}

static void every_flipped_bit_shows(void **state)
{
	char text[] = "{\"revision\":12,\"kind\":\"done\"}";
	uint32_t whole = tn_crc32c(tn_str_from(text));

	(void)state;
	for (size_t bit = 0; bit < 8 * (sizeof(text) - 1); bit++) {
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
		assert_int_not_equal(tn_crc32c(tn_str(text, sizeof(text) - 1)), whole);
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values),
		cmocka_unit_test(any_length_from_any_address),
		cmocka_unit_test(every_flipped_bit_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
