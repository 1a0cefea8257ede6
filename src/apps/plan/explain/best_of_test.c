/* P-09 and plan.md sections 11.1 and 12.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/best_of.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

static struct tn_plan *sample(void)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)test_add(plan, TN_PLAN_CREATE, "module.a.aws_instance.web");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.front");
	(void)test_attr(plan, entry, "idle_timeout", "#1", "#2");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.old");
	test_assess(plan);
	return plan;
}

/* Six wordings, all different, all passing, the same every time. */
static void test_builtin_candidates(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_buf texts[TN_PLAN_CANDIDATES_MAX];

	(void)state;
	for (unsigned i = 0; i < TN_PLAN_CANDIDATES_MAX; i++) {
		struct tn_buf again = test_buf();
		struct tn_plan_score score;

		texts[i] = test_buf();
		tn_plan_put_candidate(&texts[i], plan, i, 0.7, TN_PLAN_FORM_FULL,
				      TN_PLAN_NON_TECHNICAL);
		tn_plan_put_candidate(&again, plan, i, 0.7, TN_PLAN_FORM_FULL,
				      TN_PLAN_NON_TECHNICAL);
		assert_true(tn_str_equal(tn_buf_str(&texts[i]), tn_buf_str(&again)));
		tn_buf_finish(&again);
		score = tn_plan_score(tn_buf_str(&texts[i]), 3, false, TN_PLAN_SCORE_EXACT);
		assert_int_equal(score.total, 80);
		assert_contains(&texts[i], "aws_db_instance.old");
		for (unsigned j = 0; j < i; j++)
			assert_int_equal(tn_str_equal(tn_buf_str(&texts[i]), tn_buf_str(&texts[j])),
					 i - j == TN_PLAN_WORDING_COUNT);
	}
	for (unsigned i = 0; i < TN_PLAN_CANDIDATES_MAX; i++)
		tn_buf_finish(&texts[i]);
	test_plan_free(plan);
}

/* The temperature only turns the order; a developer gets the developer's wording first. */
static void test_rotation(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_buf warm = test_buf(), cold = test_buf(), exact = test_buf();

	(void)state;
	tn_plan_put_candidate(&cold, plan, 1, 0, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	tn_plan_put_candidate(&warm, plan, 0, 1, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	assert_true(tn_str_equal(tn_buf_str(&cold), tn_buf_str(&warm)));
	tn_buf_clear(&cold);
	tn_plan_put_candidate(&cold, plan, 0, 0.7, TN_PLAN_FORM_FULL, TN_PLAN_DEVELOPER);
	tn_plan_put_explanation(&exact, plan, TN_PLAN_FORM_FULL, TN_PLAN_DEVELOPER);
	assert_true(tn_str_equal(tn_buf_str(&cold), tn_buf_str(&exact)));
	tn_buf_clear(&cold);
	tn_plan_put_candidate(&cold, plan, 4, 2, TN_PLAN_FORM_COUNT, TN_PLAN_NON_TECHNICAL);
	assert_string_equal(test_text(&cold), "Summary: 3 changes");
	tn_buf_finish(&exact);
	tn_buf_finish(&warm);
	tn_buf_finish(&cold);
	test_plan_free(plan);
}

static void test_form(void **state)
{
	(void)state;
	assert_int_equal(tn_plan_best_form(TN_PLAN_PREFER_COUNT, 2), TN_PLAN_FORM_COUNT);
	assert_int_equal(tn_plan_best_form(TN_PLAN_PREFER_FULL, 20), TN_PLAN_FORM_FULL);
	assert_int_equal(tn_plan_best_form(TN_PLAN_PREFER_AUTO, 5), TN_PLAN_FORM_FULL);
	assert_int_equal(tn_plan_best_form(TN_PLAN_PREFER_AUTO, 6), TN_PLAN_FORM_COUNT);
}

/* Section 12.2, to the letter. */
static void test_layout(void **state)
{
	struct tn_plan_best best = {.count = 3,
				    .candidates = {{.response = TN_STR("Summary: 3 changes")},
						   {.response = TN_STR("Summary: 3 changes")},
						   {.response = TN_STR("Summary: 4 changes")}}};
	struct tn_plan *plan = sample();
	struct tn_buf out = test_buf();
	const struct tn_json *json;

	(void)state;
	assert_true(tn_plan_choose_best(&best, 3, true));
	assert_int_equal(best.best, 0); /* a tie: the lowest attempt */
	assert_true(best.passed);
	tn_plan_put_best_text(&out, &best);
	assert_string_equal(test_text(&out), "Best-of-3 Result:\n\nSummary: 3 changes\n\nScore: "
					     "100/100\n\nAll attempts:\n1. Summary: 3 changes "
					     "(100/100)\n2. Summary: 3 changes (100/100)\n3. "
					     "Summary: 4 changes (70/100)");
	tn_buf_clear(&out);
	tn_plan_put_best_json(&out, &best, plan, "builtin");
	json = test_json(plan, &out);
	test_is_text(json, "best_response", "Summary: 3 changes");
	test_is_int(json, "best_score", 100);
	test_is_int(json, "total_attempts", 3);
	test_is_int(json, "best_index", 0);
	test_is_int(json, "all_responses.2.score", 70);
	test_is_text(json, "all_responses.2.error", NULL);
	test_is_text(json, "source_used", "builtin");
	test_is_text(json, "plan_id", NULL);
	test_is_int(json, "total_changes", 3);
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_failures(void **state)
{
	struct tn_plan_best best = {
		.count = 3,
		.candidates = {{.response = TN_STR(""), .error = TN_STR("timed\nout")},
			       {.response = TN_STR("nonsense\nof\nmany lines")},
			       {.response = TN_STR("Summary: 9 changes")}}};
	struct tn_buf out = test_buf();

	(void)state;
	assert_true(tn_plan_choose_best(&best, 3, true));
	assert_int_equal(best.best, 2);
	assert_false(best.passed); /* 70 is returned, and said not to pass */
	tn_plan_put_best_text(&out, &best);
	assert_contains(&out, "1. (failed: timed / out) (0/100)\n2. nonsense / of / many lines "
			      "(0/100)\n");
	best.count = 1;
	assert_false(tn_plan_choose_best(&best, 3, true));
	assert_false(best.passed);
	/* An answer without a point still beats a failure. */
	best.count = 2;
	assert_true(tn_plan_choose_best(&best, 3, true));
	assert_int_equal(best.best, 1);
	tn_buf_finish(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builtin_candidates),
		cmocka_unit_test(test_rotation),
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
