#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/plan/explain/score.h"
#include "base/size.h"

static const struct {
	const char *answer;
	uint64_t changes;
	bool count_only;
	int format, number, count, brief;
} cases[] = {
	/* A perfect count-only answer scores 100. */
	{"Summary: 3 changes", 3, true, 40, 30, 20, 10},
	{"Summary: 1 change", 1, true, 40, 30, 20, 10},
	{"Summary: 0 changes", 0, true, 40, 30, 20, 10},
	{"Summary: 007 changes", 7, true, 40, 30, 20, 10},
	{"Summary: 3 changed files", 3, true, 40, 30, 20, 10}, /* the pattern ends at "change" */
	/* A full answer with one newline passes with 80, with two it fails with 70. */
	{"Summary: 3 changes\nA database goes.", 3, false, 40, 30, 0, 10},
	{"Summary: 3 changes\nA database goes.\n", 3, false, 40, 30, 0, 0},
	{"Summary: 3 changes", 3, false, 40, 30, 0, 10},
	{"Summary: 3 changes\nMore.", 3, true, 40, 30, 0, 10},
	{"Summary: 3 changes\n\n", 3, true, 40, 30, 0, 0},
	/* A wrong number caps at 70. */
	{"Summary: 4 changes", 3, true, 40, 0, 20, 10},
	/* Not at offset 0, not trimmed, not folded. */
	{" Summary: 3 changes", 3, true, 0, 0, 20, 10},
	{"\nSummary: 3 changes", 3, true, 0, 0, 0, 10},
	{"summary: 3 changes", 3, true, 0, 0, 20, 10},
	{"Summary:  3 changes", 3, true, 0, 0, 20, 10},
	{"Summary: 3  changes", 3, true, 0, 0, 20, 10},
	{"Summary: changes", 0, true, 0, 0, 20, 10},
	{"Summary: +3 changes", 3, true, 0, 0, 20, 10},
	{"Summary: -3 changes", 3, true, 0, 0, 20, 10},
	{"Summary: 3 chang", 3, true, 0, 0, 20, 10},
	{"Summary: 3", 3, true, 0, 0, 20, 10},
	{"Summary: ", 0, true, 0, 0, 20, 10},
	{"", 0, true, 0, 0, 20, 10},
	{"", 0, false, 0, 0, 0, 10},
	/* Overflow: a number, but not ours. */
	{"Summary: 18446744073709551615 changes", UINT64_MAX, true, 40, 30, 20, 10},
	{"Summary: 18446744073709551616 changes", 0, true, 40, 0, 20, 10},
	{"Summary: 18446744073709551619 changes", 3, true, 40, 0, 20, 10},
	{"Summary: 99999999999999999999999999999999999 changes", 3, true, 40, 0, 20, 10},
};

/* P-08 */
static void test_reward_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan_score score =
			tn_plan_score(tn_str_from(cases[i].answer), cases[i].changes,
				      cases[i].count_only, TN_PLAN_SCORE_EXACT);

		assert_int_equal(score.format, cases[i].format);
		assert_int_equal(score.number, cases[i].number);
		assert_int_equal(score.count_only, cases[i].count);
		assert_int_equal(score.brief, cases[i].brief);
		assert_int_equal(score.total, cases[i].format + cases[i].number + cases[i].count +
						      cases[i].brief);
		assert_int_equal(score.passed, score.total >= 80);
	}
}

/* P-08: the consequences section 11 names. */
static void test_consequences(void **state)
{
	struct tn_str one = TN_STR("Summary: 3 changes\nA short paragraph.");
	struct tn_str two = TN_STR("Summary: 3 changes\nA short\nparagraph.");
	struct tn_str wrong = TN_STR("Summary: 2 changes");

	(void)state;
	assert_int_equal(tn_plan_score(one, 3, false, TN_PLAN_SCORE_EXACT).total, 80);
	assert_true(tn_plan_score(one, 3, false, TN_PLAN_SCORE_EXACT).passed);
	assert_int_equal(tn_plan_score(two, 3, false, TN_PLAN_SCORE_EXACT).total, 70);
	assert_false(tn_plan_score(two, 3, false, TN_PLAN_SCORE_EXACT).passed);
	assert_int_equal(tn_plan_score(wrong, 3, true, TN_PLAN_SCORE_EXACT).total, 70);
	assert_false(tn_plan_score(wrong, 3, true, TN_PLAN_SCORE_EXACT).passed);
}

static void test_embedded_nul(void **state)
{
	struct tn_str answer = TN_STR("Summary: 3 changes\0\n\n");

	(void)state;
	assert_int_equal(tn_plan_score(answer, 3, true, TN_PLAN_SCORE_EXACT).total, 70);
}

/* Section 11, profile "detailed". */
static void test_detailed_profile(void **state)
{
	struct tn_str long_answer =
		TN_STR("Summary: 2 changes\n- a disk\n- two Storage Buckets\n- end");
	struct tn_str wordless = TN_STR("Summary: 2 changes\na\nb\ndiskette");
	struct tn_plan_score score;

	(void)state;
	score = tn_plan_score(long_answer, 2, false, TN_PLAN_SCORE_DETAILED);
	assert_int_equal(score.total, 100);
	assert_int_equal(tn_plan_score(long_answer, 2, false, TN_PLAN_SCORE_EXACT).total, 70);
	score = tn_plan_score(wordless, 2, false, TN_PLAN_SCORE_DETAILED);
	assert_int_equal(score.brief, 0);
	assert_int_equal(score.count_only, 20);
	score = tn_plan_score(TN_STR("Summary: 2 changes\na disk\nb"), 2, false,
			      TN_PLAN_SCORE_DETAILED);
	assert_int_equal(score.count_only, 0); /* two newlines are not more than two */
	assert_int_equal(score.brief, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reward_table),
		cmocka_unit_test(test_consequences),
		cmocka_unit_test(test_embedded_nul),
		cmocka_unit_test(test_detailed_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
