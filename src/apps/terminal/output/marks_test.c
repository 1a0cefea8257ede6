#include "apps/terminal/output/marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"

#define NONCE "0123456789abcdef0123456789abcdef"
#define OURS "tn=" NONCE
#define OSC "\033]"

/* What came out: the text with its offsets checked, and one line per mark. */
struct seen {
	struct tn_buf text, marks, foreign;
	uint64_t next; /* text offsets only grow */
};

static void see_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct seen *seen = data;

	assert_true(bytes.size > 0);
	assert_true(from >= seen->next);
	seen->next = from + bytes.size;
	tn_buf_append_str(&seen->text, bytes);
}

static void see_mark(const struct tn_mark *mark, void *data)
{
	static const char names[] = "ABCD7%c";
	struct seen *seen = data;

	assert_true(mark->to > mark->from);
	tn_buf_format(&seen->marks, "%c %u-%u n%u x%d %s%.*s@%zu|", names[mark->kind],
		      (unsigned)mark->from, (unsigned)mark->to, (unsigned)mark->number,
		      mark->exit_code, mark->on ? "on " : "", (int)mark->cwd.size, mark->cwd.data,
		      mark->kind == TN_MARK_ALTERNATE ? seen->text.size : 0);
}

static void see_foreign(struct tn_str bytes, uint64_t from, void *data)
{
	struct seen *seen = data;

	(void)from;
	tn_buf_append_str(&seen->foreign, bytes);
	tn_buf_append_byte(&seen->foreign, '|');
}

static void begin(struct seen *seen)
{
	*seen = (struct seen){.next = 0};
	tn_buf_init(&seen->text, TN_MIB);
	tn_buf_init(&seen->marks, TN_MIB);
	tn_buf_init(&seen->foreign, TN_MIB);
}

static void finish(struct seen *seen)
{
	tn_buf_finish(&seen->text);
	tn_buf_finish(&seen->marks);
	tn_buf_finish(&seen->foreign);
}

/* Feeds `bytes` in pieces of `step` bytes; 0: of random size. */
static void feed(struct seen *seen, struct tn_str bytes, size_t step, unsigned *seed)
{
	const struct tn_marks_sink sink = {see_text, see_mark, see_foreign, seen};
	struct tn_marks *marks = test_malloc(sizeof(*marks));

	tn_marks_init(marks, NONCE, 0);
	for (size_t at = 0; at < bytes.size;) {
		size_t size = step ? step : (size_t)rand_r(seed) % 7;

		if (size > bytes.size - at)
			size = bytes.size - at;
		tn_marks_feed(marks, tn_str(bytes.data + at, size), &sink);
		at += size;
		assert_int_equal(marks->offset, at);
	}
	tn_marks_end(marks, &sink);
	test_free(marks);
}

static void expect_of(struct tn_str bytes, const char *text, const char *marks)
{
	struct seen seen;

	for (size_t step = 1; step <= bytes.size; step++) {
		begin(&seen);
		feed(&seen, bytes, step, NULL);
		if (!tn_str_is(tn_buf_str(&seen.text), text) ||
		    !tn_str_is(tn_buf_str(&seen.marks), marks))
			print_error("step %zu: \"%.*s\" %.*s\n", step, (int)seen.text.size,
				    seen.text.data, (int)seen.marks.size, seen.marks.data);
		assert_true(tn_str_is(tn_buf_str(&seen.text), text));
		assert_true(tn_str_is(tn_buf_str(&seen.marks), marks));
		finish(&seen);
	}
}

static void expect(const char *bytes, const char *text, const char *marks)
{
	expect_of(tn_str_from(bytes), text, marks);
}

/* terminal.md 5.1 */
static void test_marks(void **state)
{
	(void)state;
	expect(OSC "133;A;" OURS "\a", "", "A 0-44 n0 x-1 @0|");
	expect("x" OSC "133;B;" OURS "\033\\y", "xy", "B 1-46 n0 x-1 @0|");
	expect(OSC "133;C;" OURS ";n=12\aout", "out", "C 0-49 n12 x-1 @0|");
	expect("out" OSC "133;D;130;" OURS ";n=7;cwd=/a%20b/%c3%A9%3b\a$ ", "out$ ",
	       "D 3-76 n7 x130 /a b/\xc3\xa9;@0|");
	/* A shell that says no exit code has ended the command all the same. */
	expect(OSC "133;D;" OURS "\a", "", "D 0-44 n0 x-1 @0|");
	expect(OSC "133;D;;" OURS "\a", "", "D 0-45 n0 x-1 @0|");
	expect(OSC "133;D;99999999999;" OURS "\a", "", "D 0-56 n0 x-1 @0|");
}

/* terminal.md 5.1: ignored and stripped; 16: fake marks in output */
static void test_fakes(void **state)
{
	(void)state;
	expect("a" OSC "133;A\ab", "ab", "");
	expect("a" OSC "133;D;0\ab", "ab", "");
	expect("a" OSC "133\ab", "ab", "");
	expect("a" OSC "133;D;0;tn=\ab", "ab", "");
	expect("a" OSC "133;D;0;tn=0123456789abcdef0123456789abcdee\ab", "ab", "");
	expect("a" OSC "133;D;0;" OURS "0\ab", "ab", "");
	expect("a" OSC "133;D;0;tn=0123456789abcdef0123456789abcde\ab", "ab", "");
	/* The first nonce counts: a program cannot try two at once. */
	expect("a" OSC "133;D;0;tn=x;" OURS "\ab", "ab", "");
	expect("a" OSC "0133;D;0\ab", "ab", "");
	/* Letters and keys of others, even with the nonce. */
	expect("a" OSC "133;L;" OURS "\ab", "ab", "");
	expect("a" OSC "133;A;cl=m;aid=3\033\\b", "ab", "");
	expect("a" OSC "133;AB;" OURS "\ab", "ab", "");
	/* In the words of C1 it is no mark. */
	expect("\xc2\x9d"
	       "133;A;" OURS "\a",
	       "\xc2\x9d"
	       "133;A;" OURS "\a",
	       "");
	expect("\x9d"
	       "133;A;" OURS "\a",
	       "\x9d"
	       "133;A;" OURS "\a",
	       "");
}

static void test_no_nonce_no_marks(void **state)
{
	static const char bytes[] = OSC "133;A;tn=\a" OSC "133;A\a";
	struct seen seen;
	const struct tn_marks_sink sink = {see_text, see_mark, NULL, &seen};
	struct tn_marks marks;

	(void)state;
	begin(&seen);
	tn_marks_init(&marks, "", 5);
	tn_marks_feed(&marks, tn_str_from(bytes), &sink);
	assert_int_equal(seen.marks.size, 0);
	assert_int_equal(seen.text.size, 0);
	assert_int_equal(marks.offset, 5 + strlen(bytes));
	finish(&seen);
}

/* terminal.md 5.1: believed only between D and B */
static void test_directories(void **state)
{
	(void)state;
	expect(OSC "7;file://h/a\a", "", "");
	expect(OSC "133;D;0;" OURS "\a" OSC "7;file://host/a%2Fb\033\\" OSC "133;B;" OURS "\a" OSC
		   "7;file://h/c\a",
	       "", "D 0-46 n0 x0 @0|7 46-69 n0 x0 /a/b@0|B 69-113 n0 x-1 @0|");
	expect(OSC "133;A;" OURS "\a" OSC "7;file:///a\a" OSC "133;C;" OURS "\a" OSC
		   "7;file:///b\a",
	       "", "A 0-44 n0 x-1 @0|7 44-58 n0 x0 /a@0|C 58-102 n0 x-1 @0|");
	/* Half a directory, or none. */
	expect(OSC "133;A;" OURS "\a" OSC "7;file:///a%2\a" OSC "7;file://h\a" OSC "7;/a\a" OSC
		   "7\a" OSC "7;file:///a%00\a",
	       "", "A 0-44 n0 x-1 @0|");
	expect(OSC "133;D;0;" OURS ";cwd=a\a", "", "D 0-52 n0 x0 @0|");
}

/* A string that a program never ended must not swallow our mark. */
static void test_marks_in_foreign_strings(void **state)
{
	(void)state;
	expect(OSC "0;title" OSC "133;A;" OURS "\a", OSC "0;title", "A 9-53 n0 x-1 @0|");
	expect("\033Pq#0" OSC "133;A;" OURS "\a", "\033Pq#0", "A 5-49 n0 x-1 @0|");
	expect("\033[3" OSC "133;A;" OURS "\a", "\033[3", "A 3-47 n0 x-1 @0|");
	expect("\033" OSC "133;A;" OURS "\a", "\033", "A 1-45 n0 x-1 @0|");
	expect("\033(" OSC "133;A;" OURS "\a", "\033(", "A 2-46 n0 x-1 @0|");
	expect("\xc3" OSC "133;A;" OURS "\a", "\xc3", "A 1-45 n0 x-1 @0|");
	expect(OSC OSC "133;A;" OURS "\a", OSC, "A 2-46 n0 x-1 @0|");
	expect(OSC "1" OSC "133;A;" OURS "\a", OSC "1", "A 3-47 n0 x-1 @0|");
	/* In an imitation: it goes, the mark counts. */
	expect("x" OSC "133;A;tn=0" OSC "133;A;" OURS "\ay", "xy", "A 13-57 n0 x-1 @0|");
	expect("x" OSC "133;A" OSC "7;fi" OSC "133;A;" OURS "\ay", "xy", "A 14-58 n0 x-1 @0|");
	expect("x" OSC "133;A\033[31my", "x\033[31my", "");
	/* No mark has control characters, so this is output. */
	expect("x" OSC "133;A;" OURS "\nls", "x" OSC "133;A;" OURS "\nls", "");
}

static void test_others_are_handed_on(void **state)
{
	static const char *const samples[] = {OSC "1330;A\a",  OSC "8;;http://x\033\\",
					      OSC "\a",        OSC "a\a",
					      OSC "13",        "\033",
					      "\033[",         "\033[31mred\033[0m",
					      "\033Pq\033\\",  "\033_G\033\\",
					      "\033c1",        OSC "52;c;?\a",
					      OSC "633;A\a",   "\xe2\x80\x9d \xc2\x9b",
					      "\033#]133;A\a", "\033 \033(B"};

	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		expect(samples[i], samples[i],
		       strcmp(samples[i], "\033c1") == 0 ? "c 0-2 n0 x0 @0|" : "");
}

/* terminal.md 6.4 */
static void test_alternate_screen(void **state)
{
	(void)state;
	expect("a\033[?1049hb\033[?1049l", "a\033[?1049hb\033[?1049l",
	       "% 1-9 n0 x0 on @9|% 10-18 n0 x0 @18|");
	expect("\033[?1;47;25h\033[?1047l", "\033[?1;47;25h\033[?1047l",
	       "% 0-11 n0 x0 on @11|% 11-19 n0 x0 @19|");
	expect("\033[1049h\033[?104h\033[?1049$p\033[?1049m\033[>1049h\033[?1:1049h",
	       "\033[1049h\033[?104h\033[?1049$p\033[?1049m\033[>1049h\033[?1:1049h", "");
}

static void test_too_long(void **state)
{
	size_t size = 3 * TN_MARK_BYTES_MAX;
	char *bytes = test_malloc(size);
	struct seen seen;

	(void)state;
	memset(bytes, 'x', size);
	memcpy(bytes, OSC "133;D;0;" OURS ";", 45);
	for (unsigned zeros = 0; zeros < 2; zeros++) {
		if (zeros)
			memset(bytes + 2, '0', size - 2);
		for (size_t step = 1; step < size; step = step * 5 + 2) {
			begin(&seen);
			feed(&seen, tn_str(bytes, size), step, NULL);
			assert_int_equal(seen.text.size, size);
			assert_memory_equal(seen.text.data, bytes, size);
			assert_int_equal(seen.marks.size, 0);
			finish(&seen);
		}
	}
	test_free(bytes);
}

/* The longest mark that is looked at, and the directory that does not fit. */
static void test_long_directory(void **state)
{
	struct tn_buf bytes;
	struct seen seen;

	(void)state;
	tn_buf_init(&bytes, TN_MIB);
	for (unsigned length = TN_MARK_CWD_SIZE - 1; length <= TN_MARK_CWD_SIZE; length++) {
		tn_buf_clear(&bytes);
		tn_buf_append_text(&bytes, OSC "133;D;0;" OURS ";cwd=/");
		for (unsigned i = 1; i < length; i++)
			tn_buf_append_byte(&bytes, 'd');
		tn_buf_append_byte(&bytes, '\a');
		begin(&seen);
		feed(&seen, tn_buf_str(&bytes), 100, NULL);
		assert_int_equal(seen.text.size, 0);
		assert_int_equal(seen.marks.size > TN_MARK_CWD_SIZE, length < TN_MARK_CWD_SIZE);
		assert_true(seen.marks.size > 0);
		finish(&seen);
	}
	tn_buf_finish(&bytes);
}

/* What a program itself said is told to who asks: raw output has it. */
static void test_foreign(void **state)
{
	static const char bytes[] = OSC "133;A\a" OSC "133;B\033\\" OSC "7;x" OSC "133;A;" OURS
					"\a" OSC "133;Z" OSC "0\a";

	(void)state;
	for (size_t step = 1; step < sizeof(bytes); step++) {
		struct seen seen;

		begin(&seen);
		feed(&seen, tn_str_from(bytes), step, NULL);
		assert_true(tn_str_is(tn_buf_str(&seen.foreign),
				      OSC "133;A\a|" OSC "133;B\033\\|" OSC "7;x|" OSC "133;Z|"));
		assert_true(tn_str_is(tn_buf_str(&seen.text), OSC "0\a"));
		finish(&seen);
	}
}

static void put_random(struct tn_buf *out, unsigned *seed)
{
	static const char *const pieces[] = {"\033",
					     "]",
					     "133;",
					     "7;file://",
					     ";",
					     "\a",
					     "\033\\",
					     "A;",
					     "B;",
					     "C;",
					     "D;1;",
					     OURS,
					     "n=5",
					     "cwd=/x%41",
					     OSC "133;A;" OURS "\a",
					     OSC "133;D;3;" OURS "\a",
					     "text",
					     "\033[?1049h",
					     "\033[?1049l",
					     "\033[1;",
					     "m",
					     "\xe2\x82",
					     "\x9d",
					     "\n",
					     "/",
					     "\033P",
					     "\033c",
					     "\x18",
					     OSC "0;t"};

	for (unsigned left = 1 + (unsigned)rand_r(seed) % 40; left > 0; left--)
		tn_buf_append_text(
			out, pieces[(size_t)rand_r(seed) % (sizeof(pieces) / sizeof(pieces[0]))]);
}

/* However the stream is split, what comes out is the same, and what goes missing was stripped. */
static void test_any_split(void **state)
{
	unsigned seed = 20261121;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		struct seen whole, split;
		struct tn_buf bytes;

		tn_buf_init(&bytes, TN_MIB);
		put_random(&bytes, &seed);
		begin(&whole);
		begin(&split);
		feed(&whole, tn_buf_str(&bytes), bytes.size, NULL);
		feed(&split, tn_buf_str(&bytes), 0, &seed);
		assert_true(tn_str_equal(tn_buf_str(&whole.text), tn_buf_str(&split.text)));
		assert_true(tn_str_equal(tn_buf_str(&whole.marks), tn_buf_str(&split.marks)));
		assert_true(tn_str_equal(tn_buf_str(&whole.foreign), tn_buf_str(&split.foreign)));
		finish(&whole);
		finish(&split);
		tn_buf_finish(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_fakes),
		cmocka_unit_test(test_no_nonce_no_marks),
		cmocka_unit_test(test_directories),
		cmocka_unit_test(test_marks_in_foreign_strings),
		cmocka_unit_test(test_others_are_handed_on),
		cmocka_unit_test(test_alternate_screen),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_long_directory),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_any_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
