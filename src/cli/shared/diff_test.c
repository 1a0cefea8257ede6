#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "cli/shared/diff.h"

static void test_diff(void **state)
{
	static const char *const rows[][3] = {
		{"a\n", "a\n", ""},
		{"", "a\nb\n", "--- A\n+++ B\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a\n", "", "--- A\n+++ B\n@@ -1,1 +0,0 @@\n-a\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n",
		 "--- A\n+++ B\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n"},
		/* Lines in the middle that are in both stay. */
		{"a\nb\nc\nd\n", "x\nb\nc\ny\n",
		 "--- A\n+++ B\n@@ -1,4 +1,4 @@\n-a\n+x\n b\n c\n-d\n+y\n"},
		{"a\nb", "a\nb\n",
		 "--- A\n+++ B\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
	};
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		tn_buf_clear(&out);
		tn_diff(tn_str_from(rows[i][0]), tn_str_from(rows[i][1]), "A", "B", &out);
		if (!tn_str_is(tn_buf_str(&out), rows[i][2]))
			fail_msg("[%.*s] instead of [%s]", (int)out.size, out.data, rows[i][2]);
	}
	tn_buf_finish(&out);
}

/* More lines than are matched up: all between the first and the last change is shown as replaced.
 */
static void test_many_lines(void **state)
{
	struct tn_buf a, b, out;
	size_t lines = 0;

	(void)state;
	tn_buf_init(&a, TN_MIB);
	tn_buf_init(&b, TN_MIB);
	tn_buf_init(&out, TN_MIB);
	for (int i = 0; i < 1500; i++) {
		tn_buf_format(&a, "%d\n", i);
		tn_buf_format(&b, "%d\n", i == 10 || i == 1490 ? -i : i);
	}
	tn_diff(tn_buf_str(&a), tn_buf_str(&b), "A", "B", &out);
	for (size_t i = 0; i < out.size; i++)
		lines += out.data[i] == '\n';
	assert_int_equal(lines, 3 + 3 + 1481 * 2 + 3);
	assert_true(tn_str_find(tn_buf_str(&out), TN_STR("@@ -8,1487 +8,1487 @@\n 7\n")) !=
		    TN_STR_NONE);
	tn_buf_finish(&a);
	tn_buf_finish(&b);
	tn_buf_finish(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_many_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
