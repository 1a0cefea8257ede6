/* No output makes a screen grow or take long: floods, endless strings, huge counts; and what a
 * session that waits costs (terminal.md 12.5; 15: "unbounded growth of memory with large output").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <malloc.h>
#include <time.h>

#include <cmocka.h>

#include "apps/terminal/screen/screen_test.h"
#include "base/size.h"

enum { FLOOD_BYTES = 8 * 1024 * 1024, PIECE = 4096 };

/* Under a sanitizer, which has an allocator of its own, always 0. */
static size_t memory_in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static double seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* always there */
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct tn_screen *large_screen(uint16_t columns, uint16_t rows, uint32_t scrollback)
{
	const struct tn_screen_options options = {
		.columns = columns, .rows = rows, .scrollback_max = scrollback};
	struct tn_screen *screen = NULL;
	struct tenon_error err;

	assert_int_equal(tn_screen_create(&options, &screen, &err), TENON_OK);
	return screen;
}

/* Sends `text` over and over; what has come to stay after the first part is all there will be. */
static void flood(const char *begin, const char *text)
{
	struct tn_screen *screen = large_screen(120, 40, 1000);
	size_t size = strlen(text), after_some = 0;
	char piece[PIECE];

	test_feed(screen, begin);
	for (size_t i = 0; i < sizeof(piece); i++)
		piece[i] = text[i % size];
	for (size_t sent = 0; sent < FLOOD_BYTES; sent += sizeof(piece) - sizeof(piece) % size) {
		tn_screen_feed(screen, tn_str(piece, sizeof(piece) - sizeof(piece) % size));
		if (after_some == 0 && sent > FLOOD_BYTES / 4)
			after_some = memory_in_use();
	}
	if (memory_in_use() > after_some + 64 * TN_KIB)
		fail_msg("%s%s: from %zu to %zu bytes", begin + (*begin != 0), text, after_some,
			 memory_in_use());
	tn_screen_destroy(screen);
}

static void never_grows(void **state)
{
	static const char *const floods[][2] = {
		{"\033]2;", "never ends"},
		{"\033]52;c;", "QUJD"},
		{"\033P+q", "544e"},
		{"\033_", "apc"},
		{"\033[", "1;"},
		{"\033[", "9"},
		{"\033(", " "},
		{"", "without a line feed "},
		{"", "y\r\n"},
		{"x", "\xCC\x81"},
		{"", "e\xCC\x81\xCC\x82\r\n"},
		{"", "\033]0;t\007\033[31m\r\n"},
		{"", "\xFF\xE4\xB8"},
		{"", "\033[?1049h\033[?1049l"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(floods); i++)
		flood(floods[i][0], floods[i][1]);
}

/* A few bytes never ask for more than the screen has: a million counts of a thousand million. */
static void counts_are_bounded(void **state)
{
	static const char finals[] = "@ABCDEFGHIJKLMPSTXZ`abdefgr";

	(void)state;
	for (size_t i = 0; i < sizeof(finals) - 1; i++) {
		struct tn_screen *screen = large_screen(80, 24, 100);
		const char text[] = {'x', '\033', '[', '1', '0', '0',       '0', '0',
				     '0', '0',    '0', '0', '0', finals[i], 0};
		double start = seconds();

		for (unsigned times = 0; times < 2000; times++)
			test_feed(screen, text);
		if (seconds() - start > 2)
			fail_msg("CSI 1000000000 %c: %.1f s for 2,000", finals[i],
				 seconds() - start);
		tn_screen_destroy(screen);
	}
}

/* terminal.md 12.5: at most 1 MiB for a session that waits, with 10,000 lines of usual text. */
static void an_idle_session_is_small(void **state)
{
	size_t before = memory_in_use(), used;
	struct tn_screen *screen = large_screen(120, 40, 10000);
	struct tn_screen_look look;
	struct tn_buf line;

	(void)state;
	tn_buf_init(&line, TN_KIB);
	for (unsigned i = 0; i < 25000; i++) {
		tn_buf_clear(&line);
		tn_buf_format(&line,
			      "\033[32m%06u\033[m some output of a build that compiles %u.c\r\n", i,
			      i * 7);
		tn_screen_feed(screen, tn_buf_str(&line));
	}
	tn_buf_finish(&line);
	tn_screen_look(screen, &look);
	assert_int_equal(look.scrollback_count, 10000);
	used = memory_in_use() - before;
	print_message("%zu KiB\n", used / TN_KIB);
	assert_true(used <= TN_MIB);
	tn_screen_destroy(screen);
}

/* However long and colourful its lines are: 4 MiB, and then the oldest go sooner. */
static void no_session_is_large(void **state)
{
	size_t before = memory_in_use(), used;
	struct tn_screen *screen = large_screen(200, 50, 10000);
	struct tn_screen_look look;
	struct tn_buf line;

	(void)state;
	tn_buf_init(&line, TN_MIB);
	for (unsigned i = 0; i < 200; i++)
		tn_buf_format(&line, "\033[38;2;%u;9;9mq\xCC\x81\xCC\x82\xCC\x83", i % 256);
	for (unsigned i = 0; i < 11000; i++)
		tn_screen_feed(screen, tn_buf_str(&line));
	tn_buf_finish(&line);
	tn_screen_look(screen, &look);
	used = memory_in_use() - before;
	print_message("%zu KiB, %u lines\n", used / TN_KIB, look.scrollback_count);
	assert_true(used <= 4 * TN_MIB);
	assert_true(look.scrollback_count > 500 && look.scrollback_count < 10000);
	tn_screen_destroy(screen);
}

static void sizes_are_checked(void **state)
{
	static const uint16_t wrong[][2] = {{0, 24}, {80, 0}, {501, 24}, {80, 201}, {65535, 65535}};
	struct tn_screen *screen = test_screen(5, 2), *none = NULL;
	struct tn_screen_options options = {.columns = 80, .rows = 24};
	struct tenon_error err;

	(void)state;
	test_feed(screen, "text");
	for (size_t i = 0; i < TN_COUNT(wrong); i++) {
		struct tn_screen *twin = test_screen(5, 2);

		options.columns = wrong[i][0];
		options.rows = wrong[i][1];
		assert_int_equal(tn_screen_create(&options, &none, &err), TENON_INVALID);
		assert_null(none);
		assert_int_equal(tn_screen_resize(screen, wrong[i][0], wrong[i][1], &err),
				 TENON_INVALID);
		assert_true(err.message[0]);
		test_feed(twin, "text");
		test_same(screen, twin, "refused", i);
		tn_screen_destroy(twin);
	}
	options = (struct tn_screen_options){.columns = 500, .rows = 200, .scrollback_max = 100001};
	assert_int_equal(tn_screen_create(&options, &none, &err), TENON_INVALID);
	tn_screen_destroy(screen);
	tn_screen_destroy(NULL);
}

/* terminal.md 7.9: the revision grows when something can be seen, and not otherwise. */
static void revision(void **state)
{
	static const struct {
		const char *bytes;
		bool seen;
	} steps[] = {
		{"a", true},
		{"\033[H", true},
		{"\033[31m", false},
		{"\007", false},
		{"\005", false},
		{"\033[6n", false},
		{"\033[c", false},
		{"\033]0;t\007", true},
		{"\033]133;A\007", false},
		{"\033[?2004h", true},
		{"\033[?25l", true},
		{"\033", false},
		{"[2", false},
		{"J", true},
		{"\r\n", true},
		{"\033Pxyz\033\\", false},
		{"\xE4\xB8", false},
		{"\xAD", true},
		{"\033[?1049h", true},
	};
	struct tn_screen *screen = test_screen(10, 3);
	struct tn_screen_look look;
	struct tenon_error err;
	uint64_t revision_before;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(steps); i++) {
		uint64_t before;

		tn_screen_look(screen, &look);
		before = look.revision;
		test_feed(screen, steps[i].bytes);
		tn_screen_look(screen, &look);
		if ((look.revision > before) != steps[i].seen)
			fail_msg("step %zu: %s", i, steps[i].seen ? "not noticed" : "noticed");
	}
	revision_before = look.revision;
	assert_int_equal(tn_screen_resize(screen, 12, 3, &err), TENON_OK);
	tn_screen_look(screen, &look);
	assert_true(look.revision > revision_before);
	tn_screen_destroy(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_grows),
		cmocka_unit_test(counts_are_bounded),
		cmocka_unit_test(an_idle_session_is_small),
		cmocka_unit_test(no_session_is_large),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(revision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
