#include "apps/terminal/output/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/output/internal.h"
#include "base/base64.h"
#include "base/sanitized.h"
#include "base/utf8.h"

#define NONCE "0123456789abcdef0123456789abcdef"
#define MARK "\033]133;D;0;tn=" NONCE ";n=1\a"

static char root[64];
static struct tn_spool_budget budget;
static struct tn_output_source source;

static int set_up(void **state)
{
	struct tenon_error err;
	char folder[80];

	(void)state;
	(void)snprintf(root, sizeof(root), "/tmp/tenon-output-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(folder, sizeof(folder), "%s/s", root);
	source = (struct tn_output_source){
		.nonce = NONCE, .columns = 120, .rows = 40, .epoch = "abc"};
	return tn_spool_open(folder, 64 * TN_MIB, &budget, &source.spool, &err) == TENON_OK ? 0
											    : -1;
}

static int tear_down(void **state)
{
	(void)state;
	tn_spool_remove(source.spool);
	return rmdir(root);
}

static void add(struct tn_str bytes)
{
	struct tenon_error err;

	assert_int_equal(tn_spool_write(source.spool, tn_spool_end(source.spool), bytes, &err),
			 TENON_OK);
}

static void add_text(const char *text)
{
	add(tn_str_from(text));
}

/* The same again and again, `count` times. */
static void add_many(const char *before, int digits, const char *after, unsigned count)
{
	struct tn_buf bytes;

	tn_buf_init(&bytes, 256 * TN_MIB);
	for (unsigned i = 0; i < count; i++) {
		char line[128];

		(void)snprintf(line, sizeof(line), "%s%0*u%s", before, digits, i, after);
		tn_buf_append_text(&bytes, line);
	}
	add(tn_buf_str(&bytes));
	tn_buf_finish(&bytes);
}

static struct tn_output_wish wish_all(size_t bytes_max)
{
	return (struct tn_output_wish){.to = tn_spool_end(source.spool), .bytes_max = bytes_max};
}

static struct tn_output make(const struct tn_output_wish *wish)
{
	struct tn_output output;
	struct tenon_error err;

	assert_int_equal(tn_output_make(&source, wish, &output, &err), TENON_OK);
	assert_true(tn_utf8_valid(output.text.data, output.text.size));
	if (wish->format != TN_OUTPUT_RAW)
		assert_true(output.text.size <= wish->bytes_max + 160);
	return output;
}

static void expect(const struct tn_output_wish *wish, const char *text)
{
	struct tn_output output = make(wish);

	if (!tn_str_is(tn_buf_str(&output.text), text))
		print_error("expected \"%s\" got \"%.*s\"\n", text, (int)output.text.size,
			    output.text.data);
	assert_true(tn_str_is(tn_buf_str(&output.text), text));
	tn_output_finish(&output);
}

/* terminal.md 6.1 */
static void test_cursors(void **state)
{
	static const char *const wrong[] = {"",
					    "c1",
					    "c1.",
					    "c1.abc",
					    "c1.abc.",
					    "c1..5",
					    "c2.abc.5",
					    "c1.abc.-1",
					    "c1.abc.05",
					    "c1.abc.5 ",
					    "c1.abc.9999999999999999999999"};
	char text[TN_CURSOR_TEXT_SIZE];
	struct tenon_error err;
	uint64_t offset = 0;

	(void)state;
	tn_output_cursor("abc", 9024, text);
	assert_string_equal(text, "c1.abc.9024");
	assert_int_equal(tn_output_read_cursor(tn_str_from(text), "abc", &offset, &err), TENON_OK);
	assert_int_equal(offset, 9024);
	assert_int_equal(tn_output_read_cursor(tn_str_from(text), "abd", &offset, &err),
			 TENON_EXPIRED);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_not_equal(
			tn_output_read_cursor(tn_str_from(wrong[i]), "abc", &offset, &err),
			TENON_OK);
	assert_int_equal(offset, 9024);
}

/* terminal.md 5.4, 6.3 */
static void test_small(void **state)
{
	struct tn_output_wish wish;
	struct tn_output output;

	(void)state;
	wish = wish_all(16384);
	expect(&wish, "");
	add_text("one\r\n10%\r100%\r\n\033[1mtwo\033[0m" MARK "\r\n\r\n\r\n");
	wish = wish_all(16384);
	expect(&wish, "one\n100%\ntwo\n");
	output = make(&wish);
	assert_false(output.truncated || output.more || output.rendered);
	assert_int_equal(output.next, wish.to);
	assert_int_equal(output.omitted_bytes, 0);
	tn_output_finish(&output);
	/* Pieces keep their ends. */
	wish.contiguous = true;
	expect(&wish, "one\n100%\ntwo\n\n\n");
	wish.contiguous = false;
	wish.format = TN_OUTPUT_ANSI;
	expect(&wish, "one\n100%\n\033[0;1mtwo\033[0m\n");
	wish.format = TN_OUTPUT_PLAIN;
	wish.from = 5;
	wish.to = 10;
	expect(&wish, "10%");
}

/* terminal.md 6.2 */
static void test_omitted_middle(void **state)
{
	struct tn_output_wish wish;
	struct tn_output output;
	uint64_t offset;
	struct tenon_error err;

	(void)state;
	add_many("line ", 5, "\r\n", 10000); /* 12 bytes each, 11 as text */
	wish = wish_all(110);
	expect(&wish, "line 00000\nline 00001\n"
		      "[\xe2\x80\xa6 119 880 bytes omitted \xe2\x80\x93 read on with "
		      "get_terminal_output cursor c1.abc.24 ]\n"
		      "line 09992\nline 09993\nline 09994\nline 09995\nline 09996\nline 09997\n"
		      "line 09998\nline 09999\n");
	output = make(&wish);
	assert_true(output.truncated && output.more);
	assert_int_equal(output.omitted_bytes, 119880);
	assert_int_equal(output.next, 24);
	tn_output_finish(&output);

	wish.omit = TN_OUTPUT_OMIT_HEAD;
	wish.bytes_max = 25;
	expect(&wish, "[\xe2\x80\xa6 119 976 bytes omitted \xe2\x80\x93 read on with "
		      "get_terminal_output cursor c1.abc.0 ]\nline 09998\nline 09999\n");
	wish.omit = TN_OUTPUT_OMIT_TAIL;
	expect(&wish, "line 00000\nline 00001\n[\xe2\x80\xa6 119 976 bytes omitted \xe2\x80\x93 "
		      "read on with get_terminal_output cursor c1.abc.24 ]\n");
	assert_int_equal(tn_output_read_cursor(TN_STR("c1.abc.24"), "abc", &offset, &err), 0);
	wish.from = offset;
	wish.contiguous = true;
	expect(&wish, "line 00002\nline 00003\n");
}

static void test_lines(void **state)
{
	struct tn_output_wish wish;
	struct tn_output output;

	(void)state;
	add_many("", 1, "\r\n", 1000);
	wish = wish_all(16384);
	wish.last_lines = 3;
	expect(&wish, "997\n998\n999\n");
	output = make(&wish);
	assert_false(output.truncated || output.more);
	assert_int_equal(output.from, tn_spool_end(source.spool) - 15);
	tn_output_finish(&output);
	add_text("$ ");
	wish.to += 2;
	expect(&wish, "998\n999\n$ ");
	wish.last_lines = 10000;
	output = make(&wish);
	assert_int_equal(output.from, 0);
	assert_int_equal(output.text.size, 10 * 2 + 90 * 3 + 900 * 4 + 2);
	tn_output_finish(&output);
	wish.last_lines = 0;
	wish.lines_max = 4;
	expect(&wish, "0\n[\xe2\x80\xa6 4 877 bytes omitted \xe2\x80\x93 read on with "
		      "get_terminal_output cursor c1.abc.3 ]\n998\n999\n$ ");
	wish.lines_max = 1;
	expect(&wish, "[\xe2\x80\xa6 4 890 bytes omitted \xe2\x80\x93 read on with "
		      "get_terminal_output cursor c1.abc.0 ]\n$ ");
	wish.contiguous = true;
	wish.lines_max = 2;
	expect(&wish, "0\n1\n");
}

/* Whoever knew the nonce could say that a command has ended. */
static void test_marks_are_never_shown(void **state)
{
	static const enum tn_output_format formats[] = {TN_OUTPUT_PLAIN, TN_OUTPUT_ANSI,
							TN_OUTPUT_RAW};
	struct tn_output_wish wish;

	(void)state;
	add_text("a\033[1m" MARK "b" MARK);
	for (size_t i = 0; i < 3; i++)
		for (uint64_t from = 0; from < tn_spool_end(source.spool); from++)
			for (uint64_t to = from; to <= tn_spool_end(source.spool); to++) {
				struct tn_arena arena;
				struct tn_output output;
				struct tn_str bytes;

				wish = wish_all(1000);
				wish.format = formats[i];
				wish.from = from;
				wish.to = to;
				wish.contiguous = (from + to) % 2;
				output = make(&wish);
				bytes = tn_buf_str(&output.text);
				tn_arena_init(&arena, TN_MIB);
				if (formats[i] == TN_OUTPUT_RAW)
					assert_true(tn_base64_decode(&arena, bytes, &bytes));
				assert_true(bytes.size <= 20);
				assert_int_equal(tn_str_find(bytes, TN_STR("0123")), TN_STR_NONE);
				assert_int_equal(tn_str_find(bytes, TN_STR("def\a")), TN_STR_NONE);
				tn_arena_finish(&arena);
				tn_output_finish(&output);
			}
}

/* terminal.md 6.3: base64 of the exact bytes */
static void test_raw(void **state)
{
	static const char bytes[] = "a\r\n\033[31m\xff\xc3\033]133;A\a\033]0;t\ax";
	struct tn_output_wish wish;
	struct tn_output output;
	char expected[128] = {0};

	(void)state;
	add_text("a\r\n\033[31m\xff\xc3" MARK "\033]133;A\a\033]0;t\ax");
	wish = wish_all(1000);
	wish.format = TN_OUTPUT_RAW;
	tn_base64_encode(expected, bytes, sizeof(bytes) - 1);
	expect(&wish, expected);
	wish.bytes_max = 4;
	expect(&wish, "YQ0KGw==");
	output = make(&wish);
	assert_true(output.truncated && output.more);
	assert_int_equal(output.next, 4);
	assert_int_equal(output.omitted_bytes, wish.to - 4);
	tn_output_finish(&output);
	wish.omit = TN_OUTPUT_OMIT_HEAD;
	expect(&wish, "O3QHeA==");
}

static void test_edits(void **state)
{
	const struct tn_output_edit edits[] = {
		{.from = 2, .to = 11, .text = TN_STR("make all\r\n")},
		{.from = 13, .to = 19, .text = TN_STR("two\r\nlines\r\n")},
		{.from = 21, .to = 26, .text = TN_STR("[full-screen]\r\n"), .frames = true}};
	const struct tn_output_edit long_edit = {
		.from = 13,
		.to = 19,
		.text = TN_STR("0123456789012345678901234567890123456789\n"
			       "0123456789012345678901234567890123456789\n")};
	struct tn_output_wish wish;
	struct tn_output output;

	(void)state;
	add_text("$  helper\r\nA\nhidden\nB\033[HXYC\r\n");
	source.edits = edits;
	source.edit_count = 3;
	wish = wish_all(1000);
	wish.to = 11;
	expect(&wish, "$ make all\n");
	wish = wish_all(1000);
	expect(&wish, "$ make all\nA\ntwo\nlines\n\nB[full-screen]\nC\n");
	/* Page by page: the lines of one edit stay together, and are shown once. */
	wish.contiguous = true;
	wish.bytes_max = 14;
	expect(&wish, "$ make all\nA\n");
	output = make(&wish);
	assert_int_equal(output.next, 13);
	wish.from = output.next;
	tn_output_finish(&output);
	expect(&wish, "two\nlines\n\n");
	/* Not even the edit fits: that is said. */
	wish.from = 13;
	wish.bytes_max = 50;
	source.edits = &long_edit;
	source.edit_count = 1;
	wish.to = 20;
	expect(&wish, "01\xe2\x80\xa6[+79]\n");
	wish.to = tn_spool_end(source.spool);
	source.edits = edits;
	source.edit_count = 3;
	wish.bytes_max = 14;
	wish.from = 15; /* in the middle */
	expect(&wish, "\n");
	wish.from = 20;
	wish.bytes_max = 100;
	expect(&wish, "B[full-screen]\nC\n");
	wish.format = TN_OUTPUT_RAW;
	expect(&wish, "QhtbSFhZQw0K");
}

static void test_gap(void **state)
{
	struct tn_output_wish wish;
	struct tn_output output;
	uint64_t begin;

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		add_many("0123456789012345678901234567890123456789 ", 6, "\r\n", 50000);
	begin = tn_spool_begin(source.spool);
	assert_true(begin > 0);
	wish = wish_all(1000);
	wish.contiguous = true;
	wish.from = 10;
	output = make(&wish);
	assert_int_equal(output.gap_bytes, begin - 10);
	assert_int_equal(output.from, begin);
	assert_true(output.text.size > 900 && output.more);
	tn_output_finish(&output);
	/* The last lines are there. */
	wish.contiguous = false;
	wish.last_lines = 3;
	output = make(&wish);
	assert_int_equal(output.gap_bytes, 0);
	assert_int_equal(output.text.size, 3 * 48);
	tn_output_finish(&output);
	wish.last_lines = 0;
	wish.contiguous = true;
	wish.to = 1000; /* all of it is gone */
	output = make(&wish);
	assert_int_equal(output.gap_bytes, 990);
	assert_int_equal(output.text.size, 0);
	assert_false(output.more);
	tn_output_finish(&output);
	/* Beyond the end. */
	wish.from = wish.to = tn_spool_end(source.spool) + 5;
	output = make(&wish);
	assert_int_equal(output.text.size, 0);
	assert_false(output.more);
	tn_output_finish(&output);
}

/* What has begun and is not there yet is read when it is. */
static void test_unfinished(void **state)
{
	static const char *const halves[][2] = {{"\xe2\x82", "\xac"},
						{"\033[3", "1m"},
						{"\033", "]0;t\a"},
						{MARK, ""},
						{"\033]133;D;0;tn=", NONCE "\a"},
						{"\xf0", "\x9f\x98\x80"}};
	struct tn_output_wish wish;
	struct tn_output output;

	(void)state;
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		uint64_t from = tn_spool_end(source.spool);

		add_text("text");
		add_text(halves[i][0]);
		wish = wish_all(1000);
		wish.contiguous = true;
		wish.from = from;
		output = make(&wish);
		assert_true(tn_str_is(tn_buf_str(&output.text), "text"));
		wish.from = output.next;
		assert_int_equal(output.next, from + 4 + (halves[i][1][0] ? 0 : strlen(MARK)));
		tn_output_finish(&output);
		output = make(&wish);
		assert_int_equal(output.text.size, 0);
		assert_int_equal(output.next, wish.from);
		assert_false(output.more);
		tn_output_finish(&output);
		add_text(halves[i][1]);
		add_text("end\n");
		wish.to = tn_spool_end(source.spool);
		output = make(&wish);
		assert_true(tn_str_ends(tn_buf_str(&output.text), TN_STR("end\n")));
		assert_true(output.text.size <= 8);
		assert_int_equal(output.next, wish.to);
		tn_output_finish(&output);
	}
}

/* terminal.md 6.3, 4 */
static void test_rendered(void **state)
{
	struct tn_output_wish wish;
	struct tn_output output;

	(void)state;
	add_many("before ", 4, "\r\n", 100);
	add_text("one: 0%\r\ntwo: 0%\r\n");
	add_many("\033[2Aone: ", 1, "%\r\n\n", 101);
	add_text("after\r\n");
	wish = wish_all(16384);
	output = make(&wish);
	assert_true(output.rendered);
	assert_false(output.truncated);
	assert_true(tn_str_ends(tn_buf_str(&output.text),
				TN_STR("before 0099\none: 100%\ntwo: 0%\nafter\n")));
	assert_true(tn_str_starts(tn_buf_str(&output.text), TN_STR("before 0000\nbefore 0001\n")));
	tn_output_finish(&output);
	wish.bytes_max = 200;
	output = make(&wish);
	assert_true(output.rendered && output.truncated);
	assert_true(tn_str_ends(tn_buf_str(&output.text), TN_STR("two: 0%\nafter\n")));
	tn_output_finish(&output);
	/* Read on, it comes to an end, and nothing is too long. */
	wish.contiguous = true;
	for (unsigned pages = 0;; pages++) {
		output = make(&wish);
		wish.from = output.next;
		assert_true(pages < 100 && output.text.size <= 200);
		if (!output.more)
			break;
		tn_output_finish(&output);
	}
	assert_true(tn_str_ends(tn_buf_str(&output.text), TN_STR("after\n")));
	tn_output_finish(&output);
}

/* A long line: its head; pages of it are cut between characters. */
static void test_long_lines(void **state)
{
	struct tn_output_wish wish;
	struct tn_output output;
	unsigned pages;

	(void)state;
	add_text("first\r\n");
	add_many("\xe2\x82\xac", 4, " ", 400000); /* 3.2 MB, 6 characters each */
	add_text("\r\nlast\r\n");
	wish = wish_all(16384);
	wish.omit = TN_OUTPUT_OMIT_TAIL;
	output = make(&wish);
	assert_true(output.truncated);
	assert_true(tn_str_starts(tn_buf_str(&output.text), TN_STR("first\n[")));
	tn_output_finish(&output);
	wish.omit = TN_OUTPUT_OMIT_HEAD;
	output = make(&wish);
	assert_true(tn_str_ends(tn_buf_str(&output.text), TN_STR("]\nlast\n")));
	tn_output_finish(&output);
	wish.omit = TN_OUTPUT_OMIT_MIDDLE;
	wish.bytes_max = 100;
	wish.from = 7;
	wish.to -= 8;
	output = make(&wish);
	assert_true(output.truncated);
	tn_output_finish(&output);

	wish.to = tn_spool_end(source.spool);
	wish.contiguous = true;
	for (pages = 0; pages < 20; pages++) {
		output = make(&wish);
		assert_true(output.text.size > 90 && output.text.size <= 100);
		wish.from = output.next;
		tn_output_finish(&output);
	}
	/* As big as they get. */
	wish.from = 7;
	wish.bytes_max = TN_MIB;
	for (pages = 0; pages < 10; pages++) {
		output = make(&wish);
		wish.from = output.next;
		tn_output_finish(&output);
		if (!output.more)
			break;
	}
	assert_true(pages < 5);
	assert_int_equal(wish.from, wish.to);
}

static void put_random_line(struct tn_buf *out, unsigned *seed)
{
	static const char *const pieces[] = {"word",         " ", "\t",        "\xc3\xa9",
					     "\xe4\xb8\xad", "x", "e\xcc\x81", "\xf0\x9f\x98\x80",
					     "0123456789"};
	unsigned left = (unsigned)rand_r(seed) % ((unsigned)rand_r(seed) % 8 ? 20 : 180);

	for (; left > 0; left--) {
		tn_buf_append_text(
			out, pieces[(size_t)rand_r(seed) % (sizeof(pieces) / sizeof(pieces[0]))]);
		if ((unsigned)rand_r(seed) % 40 == 0)
			tn_buf_append_text(out, MARK);
	}
	tn_buf_append_text(out, "\r\n");
}

/* terminal.md 7.2: whatever the size of the pages, put together they are the whole. */
static void test_pages_are_the_whole(void **state)
{
	unsigned seed = 20261121;

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct tn_output_wish wish;
		struct tn_output whole, page;
		struct tn_buf bytes, together;
		uint64_t from = tn_spool_end(source.spool);

		tn_buf_init(&bytes, TN_MIB);
		tn_buf_init(&together, TN_MIB);
		for (unsigned lines = (unsigned)rand_r(&seed) % 50; lines > 0; lines--)
			put_random_line(&bytes, &seed);
		add(tn_buf_str(&bytes));
		wish = wish_all(TN_MIB);
		wish.from = from;
		wish.contiguous = true;
		whole = make(&wish);
		assert_false(whole.more);
		assert_int_equal(whole.next, wish.to);
		wish.bytes_max = 8 + (size_t)rand_r(&seed) % (round % 2 ? 2000 : 60);
		do {
			page = make(&wish);
			assert_true(page.text.size <= wish.bytes_max);
			assert_true(page.next > wish.from || !page.more);
			tn_buf_append_str(&together, tn_buf_str(&page.text));
			wish.from = page.next;
			tn_output_finish(&page);
		} while (page.more);
		if (!tn_str_equal(tn_buf_str(&together), tn_buf_str(&whole.text)))
			print_error("round %u, %zu\n", round, wish.bytes_max);
		assert_true(tn_str_equal(tn_buf_str(&together), tn_buf_str(&whole.text)));
		tn_output_finish(&whole);
		tn_buf_finish(&together);
		tn_buf_finish(&bytes);
	}
}

static void put_tricks(struct tn_buf *out, unsigned *seed)
{
	static const char *const pieces[] = {
		"word",        "\r\n",
		"\r",          "\n",
		"\033[K",      "\033[31m",
		"\t",          "\xe4\xb8\xad",
		"\xe2\x82",    "\xff",
		"\033",        "\033]0;t",
		"\a",          "\b",
		MARK,          "\033[A",
		"\033[H",      "\033[?1049h",
		"\033[?1049l", "\033P",
		"e\xcc\x81",   "0123456789012345678901234567890123456789"};

	for (unsigned left = (unsigned)rand_r(seed) % 400; left > 0; left--)
		tn_buf_append_text(
			out, pieces[(size_t)rand_r(seed) % (sizeof(pieces) / sizeof(pieces[0]))]);
}

/* Edits of what was added at `from`: in order, apart, some of more than one line. */
static size_t put_edits(struct tn_output_edit *edits, size_t max, uint64_t from, unsigned *seed)
{
	static const char *const texts[] = {"", "make all\r\n", "two\r\nlines\r\n", "x"};
	size_t count = 0;

	while (count < max) {
		uint64_t begin = from + (uint64_t)rand_r(seed) % 300;

		from = begin + 1 + (uint64_t)rand_r(seed) % 60;
		if (from > tn_spool_end(source.spool))
			break;
		edits[count++] = (struct tn_output_edit){
			.from = begin,
			.to = from,
			.text = tn_str_from(texts[(size_t)rand_r(seed) % 4]),
			.frames = rand_r(seed) % 3 == 0};
	}
	return count;
}

/* Whatever there is, pages come to an end and are not too long, and so is the one answer. */
static void check_any(struct tn_output_wish wish)
{
	struct tn_output output = make(&wish);
	unsigned pages = 0;

	assert_true(output.next >= output.from && output.next <= wish.to);
	assert_int_equal(output.truncated, output.omitted_bytes > 0);
	tn_output_finish(&output);
	wish.contiguous = true;
	for (;;) {
		output = make(&wish);
		assert_true(++pages < 3000);
		if (wish.format != TN_OUTPUT_RAW)
			assert_true(output.text.size <= wish.bytes_max || wish.bytes_max < 64);
		assert_true(output.next >= wish.from && output.next <= tn_spool_end(source.spool));
		assert_true(output.next > wish.from || !output.more);
		wish.from = output.next;
		tn_output_finish(&output);
		if (!output.more)
			break;
	}
	/* What is left has only begun. */
	assert_true(wish.to - wish.from <= 64 || wish.from >= wish.to);
}

static void test_any_output(void **state)
{
	unsigned seed = 20261121;
	struct tn_output_edit edits[8];

	(void)state;
	for (unsigned round = 0; round < 1500; round++) {
		uint64_t from = tn_spool_end(source.spool);
		struct tn_output_wish wish;
		struct tn_buf bytes;

		tn_buf_init(&bytes, TN_MIB);
		put_tricks(&bytes, &seed);
		add(tn_buf_str(&bytes));
		tn_buf_finish(&bytes);
		source.edits = edits;
		source.edit_count = put_edits(edits, round % 3 ? 8 : 0, from, &seed);
		source.columns = (uint16_t)(round % 4 ? 30 : 0);
		source.rows = (uint16_t)(round % 4 ? 6 : 0);
		wish = wish_all(round % 2 ? 16 + (size_t)rand_r(&seed) % 200 : 4000);
		wish.from = from;
		wish.format = (enum tn_output_format)(rand_r(&seed) % 3);
		wish.omit = (enum tn_output_omit)(rand_r(&seed) % 3);
		wish.lines_max = round % 5 ? 0 : 1 + (uint32_t)rand_r(&seed) % 20;
		check_any(wish);
	}
}

static double now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* others want the processor, too */
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Issue 5: 50 MB in a call; time and memory do not depend on it. */
static void test_fifty_megabytes(void **state)
{
	struct rusage before, after;
	struct tn_output_wish wish;
	double start;

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		add_many("0123456789012345678901234567890123456789 ", 6, "\r\n", 102400);
	assert_int_equal(tn_spool_end(source.spool), 50176000);
	wish = wish_all(16384);
	(void)getrusage(RUSAGE_SELF, &before);
	start = now_ms();
	for (unsigned i = 0; i < 100; i++) {
		struct tn_output output = make(&wish);

		assert_true(output.truncated);
		assert_in_range(output.text.size, 16384 - 200, 16384 + 160);
		assert_in_range(output.omitted_bytes, 50176000 - 17500, 50176000 - 15000);
		tn_output_finish(&output);
		wish.last_lines = 100;
		output = make(&wish);
		assert_int_equal(output.text.size, 4800);
		tn_output_finish(&output);
		wish.last_lines = 0;
	}
	print_message("two answers of 50 MB: %.3f ms\n", (now_ms() - start) / 100);
	(void)getrusage(RUSAGE_SELF, &after);
	assert_true(now_ms() - start < 100 * 100); /* 10 ms each, sanitizers and all */
	if (!TN_SANITIZED)                         /* they keep what was freed */
		assert_true(after.ru_maxrss - before.ru_maxrss < 8 * 1024);
}

/* What was written ahead of its turn has not been looked at for marks: it is not there yet. */
static void test_what_nobody_was_told_of_is_not_shown(void **state)
{
	struct tn_output_wish wish;

	(void)state;
	add_text("told\nnot yet\n");
	wish = wish_all(1000);
	source.ahead = 8;
	expect(&wish, "told\n");
	wish.format = TN_OUTPUT_RAW;
	expect(&wish, "dG9sZAo=");
	wish.format = TN_OUTPUT_PLAIN;
	wish.last_lines = 1;
	expect(&wish, "told\n");
	source.ahead = 0;
	expect(&wish, "not yet\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cursors),
		cmocka_unit_test_setup_teardown(test_small, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_omitted_middle, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_marks_are_never_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_raw, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_edits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_gap, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unfinished, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rendered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_long_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pages_are_the_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_any_output, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fifty_megabytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_nobody_was_told_of_is_not_shown, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
