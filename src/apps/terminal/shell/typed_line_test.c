/* A line that is typed, put together (terminal.md section 10.1, send_keys). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/shell/typed_line.h"
#include "base/size.h"

static void test_lines(void **state)
{
	static const struct {
		const char *keys, *text;
		bool hidden;
	} cases[] = {
		{"ls\r", "ls", false},
		{"ls\n", "ls", false},
		{"lx\x7fs\r", "ls", false},
		{"lx\bs\r", "lxs", true}, /* dash has it stand there */
		{"\bls\r", "ls", false},
		{"x\xc3\xa4\x7f\x7fls\r", "ls", false},
		{"rm -rf /\x15ls\r", "ls", false},
		{"rm\x03ls\r", "ls", false},
		{"ls\x0c\r", "ls", false},
		{"\x7f\x7fls\r", "ls", false},
		{"\x1b[200~ls\x1b[201~\r", "ls", false},
		{"\x1b[200~a\tb\x1b[201~\r", "a\tb", false},
		{"\x1b[200~a\x03rm\x1b[201~\r", "a\x03rm", true},
		{"\x1b[200~ls\r", "ls", false}, /* dash and `read` know no marks */
		{"ls\x04", "ls", false},        /* dash has it run by two of them */
		{"l\ts\r", "ls", true},         /* completion */
		{"\x1b[A\r", "", true},         /* history */
		{"\x1bOA\r", "", true},
		{"ls\x1b[D\x1b[Dx\r", "lsx", true}, /* cursor */
		{"ls\x1b[1;5D\r", "ls", true},
		{"\x12rm\r", "rm", true},    /* search */
		{"ls\x01x\r", "lsx", true},  /* C-a */
		{"ls \x17\r", "ls ", true},  /* C-w */
		{"ls\x19\r", "ls", true},    /* C-y */
		{"ls\x1b.\r", "ls", true},   /* M-. */
		{"ls\x16\x03\r", "", false}, /* C-v quotes; then C-c: the shell is asked anew */
		{"ls\x0f", "ls", false},     /* C-o enters it, and fetches the next one */
		{"ls\x18\x05", "ls", true},  /* C-x C-e: what an editor makes of it runs */
		{"ls\x18u\r", "ls", true},   /* C-x and a letter */
		{"ls\x1b\r", "ls", true},    /* vi: entered from command mode */
		{"rm\x1b[D\x15ls\r", "rmls", true}, /* C-u where the cursor is not at the end */
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_typed_line line = {.size = 0};
		bool entered;
		size_t used = tn_typed_line_feed(&line, tn_str_from(cases[i].keys), &entered);

		assert_true(entered);
		assert_int_equal(used, strlen(cases[i].keys));
		if (line.hidden != cases[i].hidden ||
		    !tn_str_is(tn_str(line.text, line.size), cases[i].text))
			fail_msg("%zu: %.*s", i, (int)line.size, line.text);
	}
}

/* What may still stand on the line is looked at again with what comes. */
static void test_stays(void **state)
{
	struct tn_typed_line line = {.size = 0};
	bool entered;

	(void)state;
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("git\x04 push\r"), &entered), 4);
	assert_true(entered);
	tn_typed_line_prompted(&line); /* bash shows what would fit, and the line anew */
	assert_int_equal(tn_typed_line_feed(&line, TN_STR(" push\r"), &entered), 6);
	assert_true(entered);
	assert_true(tn_str_is(tn_str(line.text, line.size), "git push"));
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("\x04\x04"), &entered), 2);
	assert_false(entered);
	/* A paste that is never closed goes on behind Enter, and ends with the next prompt. */
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("\x1b[200~a\r\x01b"), &entered), 8);
	assert_true(entered);
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("\tb"), &entered), 2);
	assert_false(line.hidden);
	tn_typed_line_prompted(&line);
	assert_false(line.in_paste);
}

/* Keys come in pieces, and lines one after the other. */
static void test_pieces(void **state)
{
	struct tn_typed_line line = {.size = 0};
	bool entered;

	(void)state;
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("l"), &entered), 1);
	assert_false(entered);
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("s\rpwd\r"), &entered), 2);
	assert_true(entered);
	assert_true(tn_str_is(tn_str(line.text, line.size), "ls"));
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("pwd\r"), &entered), 4);
	assert_true(tn_str_is(tn_str(line.text, line.size), "pwd"));
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("\x1b"), &entered), 1);
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("["), &entered), 1);
	assert_false(line.hidden);
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("A"), &entered), 1);
	assert_true(line.hidden);
	tn_typed_line_reset(&line);
	assert_false(line.hidden);
}

static void test_continued(void **state)
{
	struct tn_typed_line line = {.size = 0};
	bool entered;

	(void)state;
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("echo 'a\r"), &entered), 8);
	tn_typed_line_continue(&line);
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("b'\r"), &entered), 3);
	assert_true(tn_str_is(tn_str(line.text, line.size), "echo 'a\nb'"));
	assert_int_equal(tn_typed_line_feed(&line, TN_STR("x"), &entered), 1);
	assert_true(tn_str_is(tn_str(line.text, line.size), "x"));
}

static void test_too_long(void **state)
{
	struct tn_typed_line line = {.size = 0};
	bool entered;

	(void)state;
	for (size_t i = 0; i <= TN_TYPED_LINE_MAX; i++)
		(void)tn_typed_line_feed(&line, TN_STR("x"), &entered);
	assert_int_equal(line.size, TN_TYPED_LINE_MAX);
	assert_true(line.hidden);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),    cmocka_unit_test(test_stays),
		cmocka_unit_test(test_pieces),   cmocka_unit_test(test_continued),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
