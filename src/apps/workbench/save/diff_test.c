#include "apps/workbench/save/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"

static void assert_diff(const char *before, const struct tn_wb_replacement *list, size_t count,
			const char *expected)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_wb_put_diff(&out, TN_STR("f"), tn_str_from(before), list, count);
	tn_buf_append_byte(&out, '\0');
	assert_false(out.failed);
	assert_string_equal(out.data, expected);
	tn_buf_finish(&out);
}

static void hunks_have_three_lines_around(void **state)
{
	const struct tn_wb_replacement far[] = {{2, 3, TN_STR("B")}, {22, 23, TN_STR("x\ny")}};
	const struct tn_wb_replacement end[] = {{3, 3, TN_STR("!")}};
	const struct tn_wb_replacement line[] = {{0, 0, TN_STR("1")}, {1, 1, TN_STR("2")}};

	(void)state;
	assert_diff("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n", far, 2,
		    "--- a/f\n+++ b/f\n"
		    "@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n"
		    "@@ -9,5 +9,6 @@\n i\n j\n k\n-l\n+x\n+y\n m\n");
	assert_diff("a\nb", end, 1,
		    "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b!\n"
		    "\\ No newline at end of file\n");
	assert_diff("ab\r\n", line, 2, "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-ab\r\n+1a2b\r\n");
	assert_diff("ab\n", line, 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(hunks_have_three_lines_around)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
