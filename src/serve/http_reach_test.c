/* Who is a caller from elsewhere (terminal.md 10.1): the whole table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "serve/http_reach.h"

/* Each way of coming from elsewhere by itself, on top of a caller of this machine. */
static void test_each_reason(void **state)
{
	const struct tn_http_reach own = {.loopback = true, .token = true, .local_token = true};
	struct tn_http_reach r = own;

	(void)state;
	assert_false(tn_http_reach_is_elsewhere(&r));
	r.found_token = true;
	assert_false(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.loopback = false;
	assert_true(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.token = false; /* anybody may call */
	assert_true(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.local_token = false; /* a named token that is not marked local, an OAuth principal */
	assert_true(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.forwarded = true;
	assert_true(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.by_proxy = true;
	assert_true(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.other_process = true;
	assert_true(tn_http_reach_is_elsewhere(&r));
	r = own;
	r.has_proxies = true;
	assert_true(tn_http_reach_is_elsewhere(&r));
	r.found_token = true;
	assert_false(tn_http_reach_is_elsewhere(&r));
}

/* All 256 combinations against the sentence of the contract, written the other way round. */
static void test_all(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 256; bits++) {
		const struct tn_http_reach r = {
			.loopback = bits & 1,
			.token = bits & 2,
			.local_token = bits & 4,
			.found_token = bits & 8,
			.forwarded = bits & 16,
			.by_proxy = bits & 32,
			.other_process = bits & 64,
			.has_proxies = bits & 128,
		};
		bool here = (bits & 7) == 7 && !(bits & (16 | 32 | 64)) &&
			    (!(bits & 128) || (bits & 8));

		assert_int_equal(tn_http_reach_is_elsewhere(&r), !here);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_reason),
		cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
