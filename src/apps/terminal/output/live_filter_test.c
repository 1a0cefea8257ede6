#include "apps/terminal/output/live_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/terminal/screen/screen.h"
#include "base/size.h"
#include "base/utf8.h"

/* Feeds in pieces of `step` bytes; 0: of random size. */
static void filter(struct tn_str bytes, size_t step, unsigned *seed, struct tn_buf *out)
{
	struct tn_live_filter *filter = test_malloc(sizeof(*filter));

	tn_live_filter_init(filter);
	for (size_t at = 0; at < bytes.size;) {
		size_t size = step ? step : (size_t)rand_r(seed) % 9;

		if (size > bytes.size - at)
			size = bytes.size - at;
		tn_live_filter_feed(filter, tn_str(bytes.data + at, size), out);
		at += size;
	}
	test_free(filter);
}

static void expect(const char *bytes, const char *passed)
{
	size_t size = strlen(bytes);

	for (size_t step = 1; step <= size; step++) {
		struct tn_buf out;

		tn_buf_init(&out, TN_MIB);
		filter(tn_str(bytes, size), step, NULL, &out);
		if (!tn_str_is(tn_buf_str(&out), passed))
			print_error("step %zu: \"%.*s\"\n", step, (int)out.size, out.data);
		assert_true(tn_str_is(tn_buf_str(&out), passed));
		tn_buf_finish(&out);
	}
}

static void test_what_draws_stays(void **state)
{
	static const char *const samples[] = {
		"text \xc3\xa9\xe4\xb8\xad"
		"e\xcc\x81\xf0\x9f\x98\x80\r\n\t\b\a",
		"\033[1;31mred\033[0m\033[38;5;196m\033[38:2::1:2:3m",
		"\033[2J\033[H\033[3;4H\033[K\033[5A\033[6B\033[7C\033[8D\033[9G\033[10d",
		"\033[?1049h\033[?25l\033[?2004h\033[?1000;1006h\033[?7l\033[4h\033[?1049l",
		"\033[2;5r\033[3L\033[4M\033[5P\033[6@\033[7X\033[8S\033[9T\033[3b\033[2 q\033[!p",
		"\0337\0338\033D\033E\033M\033H\033c\033=\033>\033(0lqk\033(B\033#8\016\017",
		"\033]0;title\033\\\033]2;\xc3\xa9\033\\\033]8;;https://a.b/"
		"c?d=e;f\033\\link\033]8;;\033\\",
		"\033]4;1;rgb:ff/00/00\033\\\033]11;#000000\033\\\033]104\033\\\033]104;3\033\\",
		"\033[>4;2m\033[>1u\033[<u",
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++)
		expect(samples[i], samples[i]);
}

/* terminal.md 10.4 */
static const char *const questions[] = {"\033[c",
					"\033[0c",
					"\033[>c",
					"\033[=c",
					"\033Z", /* device attributes */
					"\033[5n",
					"\033[6n",
					"\033[?6n",
					"\033[?996n",
					"\033[?15n", /* status */
					"\033[21t",
					"\033[14t",
					"\033[11t",
					"\033[8;50;80t",
					"\033[22;0t", /* the window */
					"\033[?1$p",
					"\033[4$p",
					"\033[?u",
					"\033[?4m",
					"\033[>q",
					"\033[>0q",
					"\033[x",
					"\033[1;2;1;1;1;1*y",
					"\033[1$w",
					"\033[2$u",
					"\033[#R",
					"\033['|",
					"\033[i",
					"\033[4i",
					"\033[?5i", /* print */
					"\033]52;c;?\a",
					"\033]52;c;aGk=\a",
					"\033]52;c;aGk=\033\\", /* clipboard */
					"\033]4;1;?\a",
					"\033]10;?\a",
					"\033]11;?\033\\",
					"\033]12;?\a",
					"\033]4;1;red;2;?\a",
					"\033P$qm\033\\",
					"\033P+q544e\033\\",
					"\033Pq#0;1~\033\\",
					"\033_Ga=q;AAAA\033\\",
					"\033^x\033\\",
					"\033Xx\033\\",
					"\005",
					"\0",
					"\x11",
					"\x18",
					"\033]7;file://h/p\a",
					"\033]133;A\a",
					"\033]9;note\a",
					"\033]777;notify;a;b\a",
					"\033]1337;File=:AA\a",
					"\033]50;font\a",
					"\033]\a",
					"\033];x\a",
					"\033]x\a",
					"\033]8;;javascript:alert(1)\a",
					"\033]8;;file:///etc/passwd\a",
					"\033]8\a",
					"\033%@",
					"\033 G",
					"\033l",
					"\033[1;2&w",
					"\033[9p",
					"\033[99~",
					"\xc2\x9b"
					"6n",
					"\xc2\x9d"
					"52;c;?\a",
					"\xc2\x90$qm\033\\",
					"\xc2\x9a",
					"\xe2\x80\xae",
					"\xf3\xa0\x81\xa1"};

static void test_what_asks_goes(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(questions); i++) {
		char with[128], without[] = "a\033[1mb";

		expect(questions[i], "");
		(void)snprintf(with, sizeof(with), "a\033[1m%sb", questions[i]);
		expect(with, without);
	}
}

/* The same in other words. */
static void test_what_comes_out(void **state)
{
	(void)state;
	expect("\033]0;t\a", "\033]0;t\033\\");
	expect("\xc2\x9b"
	       "31mx\xc2\x85y",
	       "\033[31mx\033Ey");
	expect("a\xff"
	       "b\xe2\x82"
	       "c",
	       "a\xef\xbf\xbd"
	       "b\xef\xbf\xbd"
	       "c");
	expect("a\033[3\033[31mb", "a\033[31mb");
	expect("a\033[3\n1mb", "a\n\033[31mb");
	expect("\033]0;a\xe2\x80\xae"
	       "b\x01"
	       "c\a",
	       "\033]0;abc\033\\");
	expect("\033[31\030x\033]0;t\032y", "xy");
}

static void test_limits(void **state)
{
	struct tn_buf bytes, out;

	(void)state;
	tn_buf_init(&bytes, 4 * TN_MIB);
	tn_buf_init(&out, 4 * TN_MIB);
	tn_buf_append_text(&bytes, "\033]2;");
	for (unsigned i = 0; i < 300; i++)
		tn_buf_append_text(&bytes, "\xc3\xa9");
	tn_buf_append_text(&bytes, "\a");
	filter(tn_buf_str(&bytes), 10, NULL, &out);
	assert_int_equal(out.size, 4 + 2 * TN_LIVE_TITLE_CODES_MAX + 2);
	/* A link that is too long is none, a cut one would lead elsewhere. */
	tn_buf_clear(&bytes);
	tn_buf_clear(&out);
	tn_buf_append_text(&bytes, "\033]8;;http://");
	for (unsigned i = 0; i < 3000; i++)
		tn_buf_append_byte(&bytes, 'x');
	tn_buf_append_text(&bytes, "\atext");
	filter(tn_buf_str(&bytes), 100, NULL, &out);
	assert_true(tn_str_is(tn_buf_str(&out), "text"));
	/* The worst growth. */
	tn_buf_clear(&bytes);
	tn_buf_clear(&out);
	for (unsigned i = 0; i < TN_MIB; i++)
		tn_buf_append_byte(&bytes, '\xff');
	filter(tn_buf_str(&bytes), 4096, NULL, &out);
	assert_int_equal(out.size, TN_MIB * TN_LIVE_FILTER_GROWTH);
	tn_buf_finish(&bytes);
	tn_buf_finish(&out);
}

static void put_random(struct tn_buf *out, unsigned *seed)
{
	static const char *const pieces[] = {"a",
					     "bc",
					     "\n",
					     "\r",
					     "\b",
					     "\t",
					     "\033[K",
					     "\033[2;3H",
					     "\033[31m",
					     "\033[0m",
					     "\xe4\xb8\xad",
					     "e\xcc\x81",
					     "\xf0\x9f",
					     "\033]0;x\a",
					     "\033",
					     "[",
					     "]",
					     "6n",
					     "c",
					     "52;c;?",
					     "\a",
					     "\033[6n",
					     "\033[c",
					     "\033Pq",
					     "\033\\",
					     "\005",
					     "\033[?1049h",
					     "\033[?1049l",
					     "\xc2\x9b",
					     "\xc2\x9d",
					     "\xff",
					     "\033(0",
					     "\033[3L",
					     "\033[2S",
					     "?1$p",
					     "\033[5;8r",
					     "\033[4h",
					     "0123456789",
					     "\030",
					     "\033]4;1;?\a",
					     "\033]8;;http://x\a",
					     "\xe2\x80\xae",
					     "\0337",
					     "\0338",
					     "\033c",
					     "\033[21t",
					     "\033[5b",
					     "$",
					     ";",
					     "1"};

	for (unsigned left = 1 + (unsigned)rand_r(seed) % 80; left > 0; left--)
		tn_buf_append_text(out, pieces[(size_t)rand_r(seed) % TN_COUNT(pieces)]);
	/* Nothing is unfinished at the end, and both have the same character for REP. */
	tn_buf_append_text(out, "\030.");
}

static void count_reply(struct tn_str bytes, void *data)
{
	(void)bytes;
	++*(unsigned *)data;
}

static void show(struct tn_str bytes, unsigned *replies, struct tn_buf *snapshot)
{
	const struct tn_screen_options options = {.columns = 20,
						  .rows = 10,
						  .scrollback_max = 50,
						  .reply = count_reply,
						  .data = replies};
	struct tn_screen *screen = NULL;
	struct tenon_error err;

	*replies = 0;
	tn_buf_init(snapshot, 4 * TN_MIB);
	assert_int_equal(tn_screen_create(&options, &screen, &err), TENON_OK);
	tn_screen_feed(screen, bytes);
	tn_screen_put_snapshot(screen, 50, snapshot);
	tn_screen_destroy(screen);
}

/* What is drawn is drawn, and nobody is asked anything; twice filtered is filtered. */
static void test_same_picture(void **state)
{
	unsigned seed = 20261121, asked = 0;

	(void)state;
	for (unsigned round = 0; round < 5000; round++) {
		struct tn_buf bytes, passed, again, before, after;
		unsigned replies;

		tn_buf_init(&bytes, TN_MIB);
		tn_buf_init(&passed, TN_MIB);
		tn_buf_init(&again, TN_MIB);
		put_random(&bytes, &seed);
		filter(tn_buf_str(&bytes), 0, &seed, &passed);
		filter(tn_buf_str(&passed), 0, &seed, &again);
		assert_true(tn_str_equal(tn_buf_str(&passed), tn_buf_str(&again)));
		assert_true(tn_utf8_valid(passed.data, passed.size));
		show(tn_buf_str(&bytes), &replies, &before);
		asked += replies;
		show(tn_buf_str(&passed), &replies, &after);
		assert_int_equal(replies, 0);
		assert_true(tn_str_equal(tn_buf_str(&before), tn_buf_str(&after)));
		tn_buf_finish(&bytes);
		tn_buf_finish(&passed);
		tn_buf_finish(&again);
		tn_buf_finish(&before);
		tn_buf_finish(&after);
	}
	assert_true(asked > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_draws_stays), cmocka_unit_test(test_what_asks_goes),
		cmocka_unit_test(test_what_comes_out),   cmocka_unit_test(test_limits),
		cmocka_unit_test(test_same_picture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
