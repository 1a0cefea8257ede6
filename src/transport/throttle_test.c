/* Failures to show a token: how many, in what time, and of whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "transport/throttle.h"
#include "transport/limits.h"

static const unsigned char ann[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1};
static const unsigned char bob[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 2};

static void fail_often(struct tn_throttle *t, const unsigned char *peer, unsigned times,
		       uint64_t from_ms, uint64_t step_ms)
{
	for (unsigned i = 0; i < times; i++)
		tn_throttle_failed(t, peer, from_ms + i * step_ms);
}

static void test_twenty(void **state) /* T10 */
{
	struct tn_throttle t = {.peers = NULL};

	(void)state;
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 0), 0);
	fail_often(&t, ann, TN_AUTH_FAILURES_MAX - 1, 1000, 10);
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 1500), 0);
	tn_throttle_failed(&t, ann, 2000);
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 2000), TN_AUTH_BLOCK_MS);
	assert_int_equal(tn_throttle_wait_ms(&t, bob, 2000), 0);
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 2000 + TN_AUTH_BLOCK_MS - 1), 1);
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 2000 + TN_AUTH_BLOCK_MS), 0);
	/* It begins anew: one more is no reason to close at once. */
	tn_throttle_failed(&t, ann, 2000 + TN_AUTH_BLOCK_MS);
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 2000 + TN_AUTH_BLOCK_MS), 0);
	tn_throttle_finish(&t);
}

static void test_window(void **state)
{
	const uint64_t step = TN_AUTH_WINDOW_MS / (TN_AUTH_FAILURES_MAX - 1);
	struct tn_throttle t = {.peers = NULL};

	(void)state;
	fail_often(&t, ann, 100, 0, step + 1); /* never twenty within the time */
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 100 * (step + 1)), 0);
	/* The window slides: a burst counts wherever it falls. */
	fail_often(&t, bob, 10, 0, 1);
	fail_often(&t, bob, 19, TN_AUTH_WINDOW_MS - 100, 10);
	assert_true(tn_throttle_wait_ms(&t, bob, TN_AUTH_WINDOW_MS + 90) > 0);
	tn_throttle_finish(&t);
}

static void test_one_network(void **state)
{
	unsigned char six[16] = {0x20, 0x01, 0x0d, 0xb8}, other[16] = {0x20, 0x01, 0x0d, 0xb8, 1};
	struct tn_throttle t = {.peers = NULL};

	(void)state;
	for (unsigned i = 0; i < TN_AUTH_FAILURES_MAX; i++) {
		six[15] = (unsigned char)i; /* each from another address of its own */
		tn_throttle_failed(&t, six, 5);
	}
	assert_true(tn_throttle_wait_ms(&t, six, 6) > 0);
	assert_int_equal(tn_throttle_wait_ms(&t, other, 6), 0);
	tn_throttle_finish(&t);
}

static void test_bounded(void **state)
{
	unsigned char peer[16] = {[10] = 0xff, [11] = 0xff};
	struct tn_throttle t = {.peers = NULL};

	(void)state;
	fail_often(&t, ann, TN_AUTH_FAILURES_MAX, 0, 1);
	for (unsigned i = 0; i < TN_AUTH_PEERS_MAX; i++) {
		peer[14] = (unsigned char)(i >> 8);
		peer[15] = (unsigned char)i;
		tn_throttle_failed(&t, peer, 100 + i);
	}
	assert_int_equal(t.count, TN_AUTH_PEERS_MAX);
	assert_int_equal(tn_throttle_wait_ms(&t, ann, 300), 0); /* silent longest: forgotten */
	fail_often(&t, peer, TN_AUTH_FAILURES_MAX - 1, 400, 1);
	assert_true(tn_throttle_wait_ms(&t, peer, 500) > 0);
	tn_throttle_finish(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twenty),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_one_network),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
