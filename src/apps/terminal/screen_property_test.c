/* What must hold for any bytes: where they are split does not matter, a snapshot draws the same
 * screen, and no screen grows without end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/screen_test.h"
#include "base/limits.h"
#include "base/size.h"

static const uint16_t sizes[][2] = {{80, 24}, {20, 5}, {7, 3}, {2, 2}, {1, 1}, {120, 40}, {3, 1}};

static void feed_in_pieces(struct tn_screen *screen, struct tn_str bytes, struct test_random *r,
			   unsigned most)
{
	while (bytes.size) {
		size_t size = 1 + test_random(r, most);

		size = size < bytes.size ? size : bytes.size;
		tn_screen_feed(screen, tn_str(bytes.data, size));
		bytes = tn_str_from_offset(bytes, size);
	}
}

/* However the bytes come, the screen is the same. */
static void split_anywhere(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 600; seed++) {
		const uint16_t *size = sizes[seed % TN_COUNT(sizes)];
		struct tn_buf bytes = test_random_stream(seed, 120, TEST_WILD);
		struct tn_screen *whole = test_screen(size[0], size[1]);
		struct tn_screen *split = test_screen(size[0], size[1]);
		struct test_random random = {seed};

		tn_screen_feed(whole, tn_buf_str(&bytes));
		feed_in_pieces(split, tn_buf_str(&bytes), &random, seed % 2 ? 1 : 9);
		test_same(whole, split, "split", seed);
		tn_screen_destroy(whole);
		tn_screen_destroy(split);
		tn_buf_finish(&bytes);
	}
}

static struct tn_screen *copy_of(const struct tn_screen *screen)
{
	struct tn_screen_look look;
	struct tn_screen *copy;
	struct tn_buf bytes;

	tn_screen_look(screen, &look);
	copy = test_screen(look.columns, look.rows);
	tn_buf_init(&bytes, 16 * TN_MIB);
	tn_screen_put_snapshot(screen, look.scrollback_count, &bytes);
	assert_false(bytes.failed);
	tn_screen_feed(copy, tn_buf_str(&bytes));
	tn_buf_finish(&bytes);
	return copy;
}

/* A snapshot at any byte, then the rest of the stream to both: equal before and after, so that what
 * cannot be seen (modes, saved cursors, half a sequence) is equal, too. */
static void snapshot_is_equal(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		const uint16_t *size = sizes[seed % TN_COUNT(sizes)];
		struct tn_buf bytes = test_random_stream(seed, 100, TEST_WILD);
		struct tn_screen *screen = test_screen(size[0], size[1]);
		struct test_random random = {seed};
		size_t at = test_random(&random, (uint32_t)bytes.size);
		struct tn_screen *copy;

		tn_screen_feed(screen, tn_str(bytes.data, at));
		copy = copy_of(screen);
		test_same(screen, copy, "snapshot", seed);
		tn_screen_feed(screen, tn_str_from_offset(tn_buf_str(&bytes), at));
		tn_screen_feed(copy, tn_str_from_offset(tn_buf_str(&bytes), at));
		test_same(screen, copy, "after the snapshot", seed);
		tn_screen_destroy(screen);
		tn_screen_destroy(copy);
		tn_buf_finish(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_anywhere),
		cmocka_unit_test(snapshot_is_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
