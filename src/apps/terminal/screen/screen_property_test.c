/* What must hold for any bytes: where they are split does not matter, a snapshot draws the same
 * screen, and no screen grows without end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/screen/screen_test.h"
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

/* Everything above and on the main screen, cut to a width; blank lines at the end are left out. */
static struct tn_buf all_lines(const struct tn_screen *screen, unsigned columns)
{
	struct tn_screen_look look;
	struct tn_buf out, line;
	size_t end = 0;

	tn_screen_look(screen, &look);
	tn_buf_init(&out, TN_MIB);
	tn_buf_init(&line, TN_MIB);
	for (int32_t i = -(int32_t)look.scrollback_count; i < look.rows; i++) {
		struct tn_str text;

		tn_buf_clear(&line);
		tn_screen_put_line(screen, i, true, &line);
		text = tn_buf_str(&line);
		text.size = text.size < columns ? text.size : columns;
		while (text.size && text.data[text.size - 1] == ' ')
			text.size--;
		tn_buf_append_str(&out, text);
		tn_buf_append_byte(&out, '\n');
		if (text.size || i <= look.cursor_row)
			end = out.size;
	}
	out.size = end;
	tn_buf_finish(&line);
	return out;
}

/* ASCII on the main screen, which never scrolls more than is kept. */
static struct tn_screen *written_screen(struct test_random *r, unsigned columns, unsigned rows)
{
	struct tn_screen *screen = test_screen((uint16_t)columns, (uint16_t)rows);
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	for (unsigned i = test_random(r, 60); i; i--) {
		unsigned size = test_random(r, columns + 3);

		while (size--)
			tn_buf_append_byte(&text, (char)('!' + test_random(r, 90)));
		tn_buf_append_text(&text, test_random(r, 9) ? "\r\n" : "\r");
	}
	if (test_random(r, 4) == 0)
		tn_buf_format(&text, "\033[%u;%uH", 1 + test_random(r, rows),
			      1 + test_random(r, columns));
	tn_screen_feed(screen, tn_buf_str(&text));
	tn_buf_finish(&text);
	return screen;
}

/* terminal.md 7.11: nothing that stays visible is lost or moves against the rest: all lines from
 * the oldest to the cursor's are there afterwards, in their order. */
static void resize_loses_nothing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		struct test_random r = {seed};
		unsigned columns = 1 + test_random(&r, 30), rows = 1 + test_random(&r, 12);
		unsigned to_columns = 1 + test_random(&r, 30), to_rows = 1 + test_random(&r, 12);
		unsigned width = columns < to_columns ? columns : to_columns;
		struct tn_screen *screen = written_screen(&r, columns, rows);
		struct tn_buf before = all_lines(screen, width), after;
		struct tenon_error err;

		assert_int_equal(
			tn_screen_resize(screen, (uint16_t)to_columns, (uint16_t)to_rows, &err),
			TENON_OK);
		after = all_lines(screen, width);
		if (!tn_str_starts(tn_buf_str(&before), tn_buf_str(&after)))
			fail_msg("seed %llu, %ux%u to %ux%u:\n%.*s---\n%.*s",
				 (unsigned long long)seed, columns, rows, to_columns, to_rows,
				 (int)before.size, before.data, (int)after.size, after.data);
		tn_screen_destroy(screen);
		tn_buf_finish(&before);
		tn_buf_finish(&after);
	}
}

/* Other sizes in between: still the same however it is split, and still what its snapshot draws. */
static void resized_on_the_way(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 1500; seed++) {
		struct test_random r = {seed};
		struct tn_screen *screen = test_screen(20, 6), *twin = test_screen(20, 6), *copy;
		struct tn_buf bytes;
		struct tenon_error err;

		for (unsigned i = 0; i < 6; i++) {
			uint16_t columns = (uint16_t)(1 + test_random(&r, 40));
			uint16_t rows = (uint16_t)(1 + test_random(&r, 12));

			bytes = test_random_stream(seed * 10 + i, 40, TEST_WILD);
			tn_screen_feed(screen, tn_buf_str(&bytes));
			feed_in_pieces(twin, tn_buf_str(&bytes), &r, 5);
			tn_buf_finish(&bytes);
			assert_int_equal(tn_screen_resize(screen, columns, rows, &err), TENON_OK);
			assert_int_equal(tn_screen_resize(twin, columns, rows, &err), TENON_OK);
		}
		test_same(screen, twin, "resized", seed);
		/* The scroll-back may have lines that are wider than the screen by now. */
		test_feed(screen, "\033[3J");
		copy = copy_of(screen);
		test_same(screen, copy, "snapshot of a resized one", seed);
		bytes = test_random_stream(seed, 60, TEST_WILD);
		tn_screen_feed(screen, tn_buf_str(&bytes));
		tn_screen_feed(copy, tn_buf_str(&bytes));
		test_same(screen, copy, "after that", seed);
		tn_buf_finish(&bytes);
		tn_screen_destroy(screen);
		tn_screen_destroy(twin);
		tn_screen_destroy(copy);
	}
}

/* Lines that are wider than the screen by now are drawn over several rows: all their text. */
static void snapshot_of_wide_lines(void **state)
{
	struct tn_screen *screen = test_screen(12, 2), *copy;
	struct tenon_error err;
	struct tn_buf out;

	(void)state;
	test_feed(screen, "abcdefghijkl\r\n12\xE4\xB8\xAD\xE6\x96\x87\r\n\r\nend");
	assert_int_equal(tn_screen_resize(screen, 5, 2, &err), TENON_OK);
	copy = copy_of(screen);
	tn_buf_init(&out, 1000);
	for (int32_t i = -5; i < 2; i++) {
		tn_screen_put_line(copy, i, true, &out);
		tn_buf_append_text(&out, tn_screen_line_wraps(copy, i) ? "+" : "|");
	}
	tn_buf_append_byte(&out, 0);
	assert_string_equal(out.data, "abcde+fghij+kl|12\xE4\xB8\xAD+\xE6\x96\x87||end|");
	tn_buf_finish(&out);
	tn_screen_destroy(screen);
	tn_screen_destroy(copy);
}

/* A single shift, and REP after it, survive a snapshot. */
static void snapshot_of_rare_states(void **state)
{
	static const char *const states[][2] = {
		{"\033*0\033N", "qq"},
		{"\033+0ab\033O", "x"},
		{"ab", "\033[3b"},
		{"\xE4\xB8\xAD", "\033[2b"},
		{"e\xCC\x81", "\033[2b"},
		{"abcdefgh", "i\033[2b"},
		{"\033[1;31mabcdefgh\033[m", "i"},
		{"\033[?7labcdefgh", "\033[2b"},
		{"abcdef\r\033[4hz", "\033[2b"},
		{"abcdefghi\033[H\033[4hz", "\033[2bx"},
		{"abcdefg\033[4hz", "\033[2bx"},
		{"ab\r\033[4h\xE4\xB8\xAD", "\033[2b"},
		{"abcdefgh\033[5I", "x"},
		{"\033[3g\033[4G\033H\r", "\tx"},
		{"\033[?5h\033[5 q", ""},
		{"\033]2;half", " of it\007"},
		{"\033]2;half\033", "\\"},
		{"\033Pq", "x\033\\y"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(states); i++) {
		struct tn_screen *screen = test_screen(8, 3), *copy;

		test_feed(screen, states[i][0]);
		copy = copy_of(screen);
		test_same(screen, copy, states[i][0] + 1, i);
		test_feed(screen, states[i][1]);
		test_feed(copy, states[i][1]);
		test_same(screen, copy, states[i][0] + 1, i);
		tn_screen_destroy(screen);
		tn_screen_destroy(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_anywhere),         cmocka_unit_test(snapshot_is_equal),
		cmocka_unit_test(snapshot_of_wide_lines), cmocka_unit_test(snapshot_of_rare_states),
		cmocka_unit_test(resize_loses_nothing),   cmocka_unit_test(resized_on_the_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
