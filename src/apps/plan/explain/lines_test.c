/* Lines that one text has and another one has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/lines.h"
#include "apps/plan/explain/wording_kit.h"

static void expect(const char *lines, const char *other, unsigned count, const char *words)
{
	struct tn_buf out = test_buf();

	assert_int_equal(
		tn_plan_put_difference(&out, 0, tn_str_from(lines), tn_str_from(other), "lets "),
		count);
	assert_string_equal(test_text(&out), words);
	tn_buf_finish(&out);
}

static void test_difference(void **state)
{
	(void)state;
	expect("", "", 0, "");
	expect("a\nb\n", "b\na\n", 0, "");
	expect("a\nb\n", "b\n", 1, "lets a");
	expect("a\nb", "", 2, "lets a, lets b");
	expect("a\na\na\n", "", 1, "lets a"); /* what is said again is told once */
	expect("ab\n", "a\nb\n", 1, "lets ab");
}

/* What is about everybody is never only counted. */
static void test_weighty_first(void **state)
{
	(void)state;
	expect("1\n2\n3\n4\n5\n6\n7\n8\neverybody in\n", "", 9,
	       "lets everybody in, lets 1, lets 2 and 6 more");
	expect("a\n\"s3:*\"\n\"0.0.0.0/1\"\n", "", 3, "lets \"s3:*\", lets \"0.0.0.0/1\", lets a");
}

/* Behind what stands there already. */
static void test_goes_on(void **state)
{
	struct tn_buf out = test_buf();

	(void)state;
	tn_buf_append_text(&out, "rules: ");
	(void)tn_plan_put_difference(&out, out.size, TN_STR("a\n"), TN_STR(""), "adds ");
	(void)tn_plan_put_difference(&out, 7, TN_STR("b\n"), TN_STR(""), "removes ");
	assert_string_equal(test_text(&out), "rules: adds a, removes b");
	tn_buf_finish(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_weighty_first),
		cmocka_unit_test(test_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
