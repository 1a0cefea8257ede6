/* plan.md section 10.6: what a model's answer must hold before anybody sees it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/guard.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

#define GONE "Removes aws_db_instance.old for good."

static struct tn_plan *sample(void)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)test_add(plan, TN_PLAN_CREATE, "module.a[\"x y\"].aws_instance.web[0]");
	entry = test_add(plan, TN_PLAN_MOVE, "aws_lb.new");
	entry->previous_address = TN_STR("aws_lb.former");
	entry = test_add(plan, TN_PLAN_DELETE, "aws_db_instance.old");
	(void)test_attr(plan, entry, "identifier", "ledger", NULL);
	return plan;
}

static const struct {
	const char *answer;
	bool count_only;
	const char *failure; /* part of the first one; NULL: it may be shown */
} cases[] = {
	{"Summary: 3 changes", true, NULL},
	{"  Summary: 3 changes \n", true, NULL},
	{"```\nSummary: 3 changes\n```", true, NULL},
	{"```text\nSummary: 3 changes\n```\n", true, NULL},
	{"Summary: 3 changes\n" GONE, false, NULL},
	{"Summary: 3 changes\nThe ledger database goes.", false, NULL}, /* by its label */
	{"Summary: 3 changes\n" GONE " Uses aws_instance.web and t3.small on example.com.", false,
	 "aws_instance.web is not in the plan"},
	{"Summary: 3 changes\n" GONE " module.a[\"x y\"].aws_instance.web[0] is new.", false, NULL},
	{"Summary: 3 changes\n" GONE " module.a[\"x y\"].aws_instance.web is new.", false, NULL},
	{"Summary: 3 changes\n" GONE " It was aws_lb.former.", false, NULL},
	{"Summary: 3 changes\n" GONE " Sizes t3.small, files main.tf, hosts db.example.com.", false,
	 NULL},
	{"Summary: 3 changes\n" GONE " And aws_s3_bucket.invented.", false,
	 "aws_s3_bucket.invented is not in the plan"},
	{"Summary: 3 changes\nNothing bad happens.", false, "delete of aws_db_instance.old"},
	{"Summary: 3 changes\nThe knowledgeledgers change.", false,
	 "delete of aws_db_instance.old"},
	/* Mentioned, but not what happens to it, or the opposite (finding 17). */
	{"Summary: 3 changes\nEverything is safe: aws_db_instance.old stays exactly as it is.",
	 false, "delete of aws_db_instance.old is denied"},
	{"Summary: 3 changes\nThe ledger database is not deleted.", false, "is denied"},
	{"Summary: 3 changes\nThe ledger database won't be removed.", false, "is denied"},
	{"Summary: 3 changes\nNothing is lost from ledger.", false, "is denied"},
	{"Summary: 3 changes\n" GONE " The ledger remains available.", false, "is denied"},
	{"Summary: 3 changes\nThe ledger database gets better.", false,
	 "delete of aws_db_instance.old is mentioned, but not what happens to it"},
	{"Summary: 3 changes\nDeletes the ledger because it is not in the configuration.", false,
	 NULL},
	{"Summary: 4 changes\n" GONE, false, "The plan has 3 changes"},
	{"Summary: 99999999999999999999 changes\n" GONE, false, "The plan has 3 changes"},
	{"There are 3 changes", true, "does not start with \"Summary: 3 changes\""},
	{"", true, "does not start with"},
	{"```", true, "does not start with"},
	{"Summary: 3 changes\nmore", true, "Only the first line"},
	{"Summary: 3 changes, and I have to tell you a long story", true, "Only the first line"},
	{"Summary: 3 changes", false, "paragraph after the first line is missing"},
	{"Summary: 3 changes\n" GONE "\nMore.", false, "more than one line break"},
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = sample();
		struct tn_plan_verdict verdict;
		struct tenon_error err;
		const char *first;

		assert_int_equal(tn_plan_guard(&plan->arena, plan, tn_str_from(cases[i].answer),
					       cases[i].count_only, &verdict, &err),
				 TENON_OK);
		first = verdict.failure_count ? verdict.failures[0].data : NULL;
		if ((first == NULL) != (cases[i].failure == NULL) ||
		    (first && !strstr(first, cases[i].failure)))
			fail_msg("case %zu: %s", i, first ? first : "accepted");
		test_plan_free(plan);
	}
}

/* What the built-in rules write passes its own guard. */
static void test_builtin_passes(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_plan_verdict verdict;
	struct tenon_error err;

	(void)state;
	test_assess(plan);
	for (unsigned form = TN_PLAN_FORM_COUNT; form <= TN_PLAN_FORM_FULL; form++) {
		struct tn_buf out = test_buf();

		tn_plan_put_explanation(&out, plan, form, TN_PLAN_NON_TECHNICAL);
		assert_int_equal(tn_plan_guard(&plan->arena, plan, tn_buf_str(&out),
					       form == TN_PLAN_FORM_COUNT, &verdict, &err),
				 TENON_OK);
		if (verdict.failure_count > 0)
			fail_msg("%s", verdict.failures[0].data);
		tn_buf_finish(&out);
	}
	test_plan_free(plan);
}

/* What is critical is said by us, before what a model says, and once (finding 17). */
static void test_ours_comes_first(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_plan_verdict verdict;
	struct tenon_error err;

	(void)state;
	test_assess(plan);
	assert_int_equal(tn_plan_guard(&plan->arena, plan,
				       TN_STR("Summary: 3 changes\nAll fine, the old ledger goes."),
				       false, &verdict, &err),
			 TENON_OK);
	assert_int_equal(verdict.failure_count, 0);
	assert_true(tn_str_is(verdict.answer,
			      "Summary: 3 changes\nDeletes data for good: the managed database "
			      "\"ledger\" (aws_db_instance.old). All fine, the old ledger goes."));
	assert_int_equal(verdict.score.total, 80);
	assert_int_equal(tn_plan_guard(&plan->arena, plan, verdict.answer, false, &verdict, &err),
			 TENON_OK);
	assert_int_equal(verdict.failure_count, 0);
	assert_true(tn_str_ends(verdict.answer, TN_STR("(aws_db_instance.old). All fine, the old "
						       "ledger goes.")));
	assert_true(tn_str_find(tn_str_from_offset(verdict.answer, 60), TN_STR("Deletes data")) ==
		    TN_STR_NONE);
	assert_int_equal(tn_plan_guard(&plan->arena, plan, TN_STR("Summary: 3 changes"), true,
				       &verdict, &err),
			 TENON_OK);
	assert_true(tn_str_is(verdict.answer, "Summary: 3 changes"));
	test_plan_free(plan);
}

/* Mentions are asked for up to ten changes only. */
static void test_large_plan(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_verdict verdict;
	struct tenon_error err;

	(void)state;
	for (unsigned i = 0; i < 11; i++)
		(void)test_add(plan, TN_PLAN_DELETE, "aws_lb.x");
	assert_int_equal(tn_plan_guard(&plan->arena, plan,
				       TN_STR("Summary: 11 changes\nMuch goes."), false, &verdict,
				       &err),
			 TENON_OK);
	assert_int_equal(verdict.failure_count, 0);
	test_plan_free(plan);
}

static void test_control_characters(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_plan_verdict verdict;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_plan_guard(&plan->arena, plan,
				       TN_STR("Summary: 3 changes\r\n\x1b[1mThe\tledger\x07 \xff "
					      "goes\xe2\x80\xae.\0"),
				       false, &verdict, &err),
			 TENON_OK);
	assert_int_equal(verdict.failure_count, 0);
	assert_true(
		tn_str_is(verdict.answer, "Summary: 3 changes\n[1mThe ledger \xef\xbf\xbd goes."));
	test_plan_free(plan);
}

static void test_retry_message(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_plan_verdict verdict;
	struct tenon_error err;
	struct tn_buf out = test_buf();

	(void)state;
	assert_int_equal(tn_plan_guard(&plan->arena, plan, TN_STR("Summary: 2 changes"), false,
				       &verdict, &err),
			 TENON_OK);
	assert_int_equal(verdict.failure_count, 3);
	tn_plan_put_retry_message(&out, &verdict);
	assert_contains(&out, "The plan has 3 changes, the answer states another number. ");
	assert_contains(&out, "The delete of aws_db_instance.old is not mentioned. Write the whole "
			      "answer again.");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* Never more than a model can mend, and never more than fits. */
static void test_many_failures(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_plan_verdict verdict;
	struct tenon_error err;
	struct tn_buf answer = test_buf();
	struct tn_arena tiny;

	(void)state;
	tn_buf_append_text(&answer, "Summary: 3 changes\n");
	for (unsigned i = 0; i < 500; i++)
		tn_buf_format(&answer, "aws_lb.invented_%u ", i);
	assert_int_equal(
		tn_plan_guard(&plan->arena, plan, tn_buf_str(&answer), false, &verdict, &err),
		TENON_OK);
	assert_int_equal(verdict.failure_count, TN_PLAN_FAILURES_MAX);
	tn_arena_init(&tiny, TN_KIB);
	assert_int_equal(tn_plan_guard(&tiny, plan, tn_buf_str(&answer), false, &verdict, &err),
			 TENON_NO_MEMORY);
	tn_arena_finish(&tiny);
	tn_buf_finish(&answer);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_builtin_passes),
		cmocka_unit_test(test_ours_comes_first),
		cmocka_unit_test(test_large_plan),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_retry_message),
		cmocka_unit_test(test_many_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
