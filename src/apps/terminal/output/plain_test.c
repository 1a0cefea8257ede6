#include "apps/terminal/output/plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "base/utf8.h"

/* What came out: lines joined by LF, a last one that did not end without. */
struct seen {
	struct tn_buf text;
	struct tn_buf froms;
	uint64_t last_from;
};

static void see_line(struct tn_str text, uint64_t from, bool unfinished, void *data)
{
	struct seen *seen = data;

	assert_true(from >= seen->last_from);
	assert_true(tn_utf8_valid(text.data, text.size));
	seen->last_from = from;
	tn_buf_append_str(&seen->text, text);
	tn_buf_append_byte(&seen->text, unfinished ? '$' : '\n');
	tn_buf_format(&seen->froms, "%llu ", (unsigned long long)from);
}

static void begin(struct seen *seen)
{
	*seen = (struct seen){.last_from = 0};
	tn_buf_init(&seen->text, 64 * TN_MIB);
	tn_buf_init(&seen->froms, 64 * TN_MIB);
}

static void finish(struct seen *seen)
{
	tn_buf_finish(&seen->text);
	tn_buf_finish(&seen->froms);
}

struct how {
	enum tn_plain_format format;
	uint16_t columns, rows;
	uint32_t line_characters_max;
};

static struct tn_plain *make(const struct how *how, struct seen *seen)
{
	const struct tn_plain_options options = {.format = how->format,
						 .columns = how->columns,
						 .rows = how->rows,
						 .line_characters_max = how->line_characters_max,
						 .line = see_line,
						 .data = seen};
	struct tn_plain *plain = NULL;
	struct tenon_error err;

	assert_int_equal(tn_plain_create(&options, &plain, &err), TENON_OK);
	return plain;
}

/* Feeds in pieces of `step` bytes; 0: of random size. */
static bool clean(const struct how *how, struct tn_str bytes, size_t step, unsigned *seed,
		  struct seen *seen)
{
	struct tn_plain *plain = make(how, seen);
	bool rendered;

	for (size_t at = 0; at < bytes.size;) {
		size_t size = step ? step : (size_t)rand_r(seed) % 9;

		if (size > bytes.size - at)
			size = bytes.size - at;
		tn_plain_feed(plain, tn_str(bytes.data + at, size), at);
		at += size;
	}
	tn_plain_end(plain);
	rendered = tn_plain_rendered(plain);
	tn_plain_destroy(plain);
	return rendered;
}

static void expect_how(const struct how *how, const char *bytes, const char *text, bool rendered)
{
	size_t size = strlen(bytes);

	for (size_t step = 1; step <= size; step += step < 12 ? 1 : 7) {
		struct seen seen;

		begin(&seen);
		assert_int_equal(clean(how, tn_str(bytes, size), step, NULL, &seen), rendered);
		if (!tn_str_is(tn_buf_str(&seen.text), text))
			print_error("step %zu: expected \"%s\" got \"%.*s\"\n", step, text,
				    (int)seen.text.size, seen.text.data);
		assert_true(tn_str_is(tn_buf_str(&seen.text), text));
		finish(&seen);
	}
}

static void expect(const char *bytes, const char *text)
{
	const struct how lines = {TN_PLAIN_TEXT, 0, 0, 2000}, terminal = {TN_PLAIN_TEXT, 80, 24, 0};

	expect_how(&lines, bytes, text, false);
	expect_how(&terminal, bytes, text, false);
}

static void expect_ansi(const char *bytes, const char *text)
{
	const struct how how = {TN_PLAIN_ANSI, 80, 24, 2000};

	expect_how(&how, bytes, text, false);
}

/* terminal.md 6.3, 5 */
static void test_lines(void **state)
{
	(void)state;
	expect("", "");
	expect("a", "a$");
	expect("a\r\nb\r\n", "a\nb\n");
	expect("a\nb", "a\nb$");
	expect("\r\n\r\n \r\n", "\n\n \n");
	expect("a \t \r\n", "a \t \n");
	expect("a\r\r\nb", "a\nb$");
}

/* terminal.md 6.3, 1 */
static void test_utf8(void **state)
{
	(void)state;
	expect("\xe2\x82\xac \xf0\x9f\x98\x80\n", "\xe2\x82\xac \xf0\x9f\x98\x80\n");
	expect("a\xff"
	       "b\xe2\x82"
	       "c\xc3",
	       "a\xef\xbf\xbd"
	       "b\xef\xbf\xbd"
	       "c$");
	expect("\xed\xa0\x80|", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|$");
	/* Marks stay with their character. */
	expect("e\xcc\x81x", "e\xcc\x81x$");
}

/* terminal.md 6.3, 2 */
static void test_escapes_go(void **state)
{
	(void)state;
	expect("\033[1;31mred\033[0m \033]0;title\aa\033]8;;http://x\033\\link\033]8;;\033\\",
	       "red alink$");
	expect("\033Pq#0;1~-\033\\a\033_app\033\\b\033^pm\033\\c\033Xsos\033\\d", "abcd$");
	expect("\033(B\033)0a\033=\033>\033#8b\033 Fc", "abc$");
	expect("a\033Nb\033Oc", "abc$");
	expect("a\a\f\v\x05\x0e\x0f\x7f"
	       "b",
	       "ab$");
	expect("a\xc2\x85"
	       "b",
	       "a\nb$"); /* NEL is a line's end */
	/* Quotation marks that were encoded twice end in what C1 calls OSC: text follows. */
	expect("\xc3\xa2\xc2\x80\xc2\x9dtext\xc2\x90 \xc2\x98\xc2\x9e\xc2\x9f.", "\xc3\xa2text .$");
	expect("a\033[?25l\033[?2004hb\033[>4;1m\033[6n\033[c", "ab$");
	expect("\033[38;5;196mx\033[38:2::1:2:3my", "xy$");
	expect("\033[1\030a\033]0;t\032b", "ab$");
}

/* terminal.md 6.3, 3: progress bars leave their final state */
static void test_line_editing(void **state)
{
	(void)state;
	expect("10%\r20%\r100%\r\n", "100%\n");
	expect("downloading\rdone\033[K\n", "done\n");
	expect("downloading\r\033[Kdone\n", "done\n");
	expect("abc\b\bX\n", "aXc\n");
	expect("\b\ba", "a$");
	expect("abc\033[2DX\033[CY", "aXcY$");
	expect("abc\033[2GX\033[6GY", "aXc  Y$");
	expect("abcdef\033[3G\033[1K", "   def$");
	expect("abcdef\033[2K", "");
	expect("abc\033[2Kx", "   x$");
	expect("abcdef\r\033[2Px\033[2@y", "xy def$");
	expect("abcdef\033[2G\033[3Xz", "az  ef$");
	expect("abcdef\033[4G\033[J", "abc$");
	expect("a\033[5b|", "aaaaaa|$");
	expect("abc\0337def\0338X", "abcXef$");
	expect("abc\033[sdef\033[uX", "abcXef$");
	expect("abc\033[10C\n", "abc\n"); /* nothing was printed there */
	expect("ab \r\033[3C\033[D\033[K", "ab$");
}

/* terminal.md 6.3, 3: tabs stay tabs */
static void test_tabs(void **state)
{
	(void)state;
	expect("a\tb\tc\n", "a\tb\tc\n");
	expect("a\tb\rX", "X\tb$");
	expect("a\tb\r\tX", "a\tX$");
	expect("a\tb\rxxxx", "xxxx    b$");
	expect("a\r\tb", "a\tb$");
	expect("abcdefgh\r\t\tb", "abcdefgh\tb$");
}

static void test_columns_of_wide_characters(void **state)
{
	(void)state;
	expect("\xe4\xb8\xad\xe6\x96\x87\rab", "ab\xe6\x96\x87$");
	expect("\xe4\xb8\xad\xe6\x96\x87\ra", "a \xe6\x96\x87$");
	expect("abcd\033[2G\xe4\xb8\xad", "a\xe4\xb8\xad"
					  "d$");
	expect("\xe4\xb8\xad\xe6\x96\x87\033[2Gx", " x\xe6\x96\x87$");
	expect("e\xcc\x81\xcc\x82z\rE", "Ez$");
	expect("ab\b\b\xcc\x81", "ab$");
	expect("ab\be\xcc\x81", "ae\xcc\x81$");
	expect("abc\b\be\xcc\x81\xcc\x82\xcc\x83", "ae\xcc\x81\xcc\x82\xcc\x83"
						   "c$");
}

/* A line longer than the row: CR leads to the row's start, as on the screen. */
static void test_rows(void **state)
{
	const struct how how = {TN_PLAIN_TEXT, 10, 5, 2000};

	(void)state;
	expect_how(&how, "0123456789abc\rX", "0123456789Xbc$", false);
	expect_how(&how, "0123456789\rX", "X123456789$", false);
	expect_how(&how, "0123456789 \rabc", "0123456789abc$", false); /* how shells wrap */
	expect_how(&how, "0123456789\033[Kabc", "0123456789abc$", false);
	expect_how(&how,
		   "01234567\xe4\xb8\xad"
		   "ab\r.",
		   "01234567\xe4\xb8\xad.b$", false);
	expect_how(&how, "012345678\xe4\xb8\xad\r..", "012345678..$", false);
	expect_how(&how, "0123456789\bX", "01234567X9$", false);
	expect_how(&how, "0123\033[50CX", "0123     X$", false);
}

/* terminal.md 6.2 */
static void test_long_lines(void **state)
{
	const struct how how = {TN_PLAIN_TEXT, 0, 0, 5}, wide = {TN_PLAIN_TEXT, 4, 3, 5};

	(void)state;
	expect_how(&how, "12345\n", "12345\n", false);
	expect_how(&how, "123456\n1", "12345\xe2\x80\xa6[+1]\n1$", false);
	expect_how(&how, "123456789", "12345\xe2\x80\xa6[+4]$", false);
	expect_how(&how, "123456789\rabc", "abc45\xe2\x80\xa6[+4]$", false);
	expect_how(&how, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad",
		   "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe2\x80\xa6[+1]$",
		   false);
	expect_how(&wide, "123456789\n", "12345\xe2\x80\xa6[+4]\n", false);
}

/* 16: SGR kept, everything else cleaned */
static void test_ansi(void **state)
{
	(void)state;
	expect_ansi("plain\n", "plain\n");
	expect_ansi("a\033[1;31mred\033[0m b\033]0;t\a\n", "a\033[0;1;31mred\033[0m b\n");
	/* Each line stands for itself. */
	expect_ansi("\033[32ma\nb\033[m\n", "\033[0;32ma\033[0m\n\033[0;32mb\033[0m\n");
	expect_ansi("\033[31mabc\033[32m\rX", "\033[0;32mX\033[0;31mbc\033[0m$");
	expect_ansi("\033[38;2;1;2;3mx\033[K\033[?25l", "\033[0;38;2;1;2;3mx\033[0m$");
	expect_ansi("\033[1m\033[0m\n", "\n");
}

/* terminal.md 6.3, 4 */
static void test_rendered(void **state)
{
	const struct how how = {TN_PLAIN_TEXT, 20, 4, 2000};

	(void)state;
	expect_how(&how, "one: 1%\r\ntwo: 1%\r\n\033[2Aone: 9%\r\ntwo: 9%\r\n",
		   "one: 9%\ntwo: 9%\n", true);
	/* What has left the screen before stays lines, with its tabs. */
	expect_how(&how, "a\tb\r\n1\r\n2\r\n3\r\n4\r\n5\r\n\033[AX\r\n", "a\tb\n1\n2\n3\n4\nX\n",
		   true);
	expect_how(&how, "abc\r\ndef\033[1;2HX", "aXc\ndef$", true);
	expect_how(&how, "old\r\n\033[H\033[2Jnew\r\n", "new\n", true);
	expect_how(&how, "1\n2\n3\n\033[2A\rX\n\n", "1\nX\n3\n", true); /* a pipe's LF */
	/* Rows that go on in the next one are one line. */
	expect_how(&how, "a\r\n\033[Ab\r\n0123456789012345678901234567\r\nz",
		   "b\n0123456789012345678901234567\nz$", true);
	/* The cursor saved in a line that is finished by now. */
	expect_how(&how, "ab\0337cd\r\nnext\0338X\r\n", "abXd\nnext$", true);
	/* Frames of a full-screen program are no lines. */
	expect_how(&how, "before\r\n\033[?1049h\033[Hframe\033[?1049lafter\r\n", "before\nafter\n",
		   true);
	expect_how(&how, "before\r\n\033[?1049h\033[Hframe", "before\n", true);
}

static void test_rendered_long(void **state)
{
	const struct how how = {TN_PLAIN_TEXT, 4, 2, 6};

	(void)state;
	expect_how(&how, "x\r\n\033[A1234567890\r\n12\r\n\r\n", "123456\xe2\x80\xa6[+4]\n12\n\n",
		   true);
}

static void test_offsets(void **state)
{
	static const char bytes[] = "ab\r\n\033[1mc\r\n\r\nd";
	const struct how how = {TN_PLAIN_TEXT, 0, 0, 0};

	(void)state;
	for (size_t step = 1; step < sizeof(bytes); step++) {
		struct seen seen;

		begin(&seen);
		(void)clean(&how, tn_str_from(bytes), step, NULL, &seen);
		assert_true(tn_str_is(tn_buf_str(&seen.froms), "0 4 11 13 "));
		finish(&seen);
	}
}

static void test_inserted(void **state)
{
	const struct how how = {TN_PLAIN_TEXT, 0, 0, 0};
	struct seen seen;
	struct tn_plain *plain;

	(void)state;
	begin(&seen);
	plain = make(&how, &seen);
	tn_plain_feed(plain, TN_STR("$ "), 0);
	tn_plain_insert(plain, TN_STR("first\nsecond\nthird"), 2);
	tn_plain_feed(plain, TN_STR("\r\nout\r\n"), 40);
	tn_plain_end(plain);
	assert_true(tn_str_is(tn_buf_str(&seen.text), "$ first\nsecond\nthird\nout\n"));
	assert_true(tn_str_is(tn_buf_str(&seen.froms), "0 2 2 42 "));
	/* As new. */
	tn_plain_feed(plain, TN_STR("x"), 50);
	assert_int_equal(tn_plain_line_size(plain), 1);
	assert_true(tn_plain_is_whole(plain));
	tn_plain_feed(plain, TN_STR("\r\033["), 51);
	assert_int_equal(tn_plain_line_size(plain), SIZE_MAX);
	assert_false(tn_plain_is_whole(plain));
	tn_plain_destroy(plain);
	finish(&seen);
}

/* Issue 5: a line without an end. 400 MB here; what is kept is the head. */
static void test_endless_line(void **state)
{
	const struct how hows[] = {{TN_PLAIN_TEXT, 0, 0, 2000},
				   {TN_PLAIN_TEXT, 120, 40, 2000},
				   {TN_PLAIN_ANSI, 120, 40, 2000}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(hows); i++) {
		char *piece = test_malloc(TN_MIB);
		unsigned pieces = hows[i].format == TN_PLAIN_ANSI ? 20 : 400;
		struct tn_plain *plain;
		struct seen seen;
		char tail[64];

		memset(piece, 'y', TN_MIB);
		begin(&seen);
		plain = make(&hows[i], &seen);
		for (uint64_t n = 0; n < pieces; n++)
			tn_plain_feed(plain, tn_str(piece, TN_MIB), n * TN_MIB);
		tn_plain_end(plain);
		(void)snprintf(tail, sizeof(tail), "y\xe2\x80\xa6[+%llu]$",
			       (unsigned long long)pieces * TN_MIB - 2000);
		assert_int_equal(seen.text.size, 2000 - 1 + strlen(tail));
		assert_true(tn_str_ends(tn_buf_str(&seen.text), tn_str_from(tail)));
		tn_plain_destroy(plain);
		finish(&seen);
		test_free(piece);
	}
}

/* Marks without end on one character, and on cells that are written again and again. */
static void test_endless_marks(void **state)
{
	const struct how how = {TN_PLAIN_TEXT, 80, 24, 2000};
	struct tn_plain *plain;
	struct seen seen;

	(void)state;
	begin(&seen);
	plain = make(&how, &seen);
	for (unsigned i = 0; i < 300000; i++)
		tn_plain_feed(plain, TN_STR("\xcc\x81"), 0);
	for (unsigned i = 0; i < 300000; i++)
		tn_plain_feed(plain, TN_STR("\re\xcc\x81\xcc\x81\xcc\x81\xcc\x81"), 0);
	tn_plain_end(plain);
	assert_true(seen.text.size > 5 && seen.text.size < 100);
	tn_plain_destroy(plain);
	finish(&seen);
}

static void put_random(struct tn_buf *out, unsigned *seed)
{
	static const char *const pieces[] = {
		"a",        "bc",       "\n",           "\r",           "\r\n",
		"\b",       "\t",       "\033[K",       "\033[1K",      "\033[2K",
		"\033[3D",  "\033[4C",  "\033[5G",      "\033[2P",      "\033[2@",
		"\033[2X",  "\033[31m", "\033[0m",      "\xe4\xb8\xad", "e\xcc\x81",
		"\xf0\x9f", "\033[3b",  "\033]0;x\a",   "\033",         "0123456789",
		"\0337",    "\0338",    "\xe2\x80\x8b", "\033[A",       "\033[2B",
		"\033[2J",  "\033[H",   "\033[?1049h",  "\033[?1049l",  "\033M"};
	/* Rarely what moves across lines, or everything would be drawn. */
	size_t count = TN_COUNT(pieces) - (rand_r(seed) % 4 ? 7 : 0);

	for (unsigned left = 1 + (unsigned)rand_r(seed) % 60; left > 0; left--)
		tn_buf_append_text(out, pieces[(size_t)rand_r(seed) % count]);
}

static void test_any_split(void **state)
{
	unsigned seed = 20261121;

	(void)state;
	for (unsigned round = 0; round < 10000; round++) {
		const struct how how = {round % 3 ? TN_PLAIN_TEXT : TN_PLAIN_ANSI,
					(uint16_t)(round % 2 ? 12 : 0), 5, round % 5 ? 2000 : 10};
		struct seen whole, split;
		struct tn_buf bytes;

		tn_buf_init(&bytes, TN_MIB);
		put_random(&bytes, &seed);
		begin(&whole);
		begin(&split);
		assert_int_equal(clean(&how, tn_buf_str(&bytes), bytes.size, NULL, &whole),
				 clean(&how, tn_buf_str(&bytes), 0, &seed, &split));
		assert_true(tn_str_equal(tn_buf_str(&whole.text), tn_buf_str(&split.text)));
		assert_true(tn_str_equal(tn_buf_str(&whole.froms), tn_buf_str(&split.froms)));
		finish(&whole);
		finish(&split);
		tn_buf_finish(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_escapes_go),
		cmocka_unit_test(test_line_editing),
		cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_columns_of_wide_characters),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_ansi),
		cmocka_unit_test(test_rendered),
		cmocka_unit_test(test_rendered_long),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_inserted),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_endless_marks),
		cmocka_unit_test(test_any_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
