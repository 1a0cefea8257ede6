/* Which form an explanation has, and its shape (plan.md sections 10.1 to 10.3; P-04, P-13). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/risk_text.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

/* P-04, P-13 */
static void test_forms(void **state)
{
	static const struct {
		enum tn_plan_preference preference;
		enum tn_plan_reply reply;
		bool again;
		uint32_t changes;
		enum tn_plan_form form;
	} cases[] = {
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false, 0, TN_PLAN_FORM_FULL},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false, 5, TN_PLAN_FORM_FULL},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false, 6, TN_PLAN_FORM_ASK},
		{TN_PLAN_PREFER_COUNT, TN_PLAN_REPLY_NONE, false, 1, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_COUNT, TN_PLAN_REPLY_NONE, false, 6, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_FULL, TN_PLAN_REPLY_NONE, false, 600, TN_PLAN_FORM_FULL},
		/* A reply overrides. */
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_COUNT, false, 6, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_FULL, TN_PLAN_REPLY_COUNT, false, 2, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_FULL, false, 6, TN_PLAN_FORM_FULL},
		/* Anything else: ask once more, then full. */
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_UNCLEAR, false, 6, TN_PLAN_FORM_ASK},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_UNCLEAR, true, 6, TN_PLAN_FORM_FULL},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_plan_choose_form(cases[i].preference, cases[i].reply,
						     cases[i].again, cases[i].changes),
				 cases[i].form);
}

static void test_names(void **state)
{
	enum tn_plan_preference preference;
	enum tn_plan_audience audience;

	(void)state;
	assert_true(tn_plan_preference_from_name(TN_STR("count_only"), &preference));
	assert_int_equal(preference, TN_PLAN_PREFER_COUNT);
	assert_true(tn_plan_preference_from_name(TN_STR("full_summary"), &preference));
	assert_int_equal(preference, TN_PLAN_PREFER_FULL);
	assert_false(tn_plan_preference_from_name(TN_STR("full"), &preference));
	assert_true(tn_plan_audience_from_name(TN_STR("developer"), &audience));
	assert_int_equal(audience, TN_PLAN_DEVELOPER);
	assert_true(tn_plan_audience_from_name(TN_STR("non_technical"), &audience));
	assert_int_equal(audience, TN_PLAN_NON_TECHNICAL);
	assert_false(tn_plan_audience_from_name(TN_STR("boss"), &audience));
	assert_string_equal(tn_plan_form_name(TN_PLAN_FORM_COUNT), "count_only");
}

static struct tn_plan *plan_of(uint32_t creates)
{
	struct tn_plan *plan = test_plan();
	char address[64];

	for (uint32_t i = 0; i < creates; i++) {
		(void)snprintf(address, sizeof(address), "aws_instance.web[%u]", i);
		(void)test_add(plan, TN_PLAN_CREATE, address);
	}
	return plan;
}

/* P-04: the question, word for word. */
static void test_count_and_question(void **state)
{
	static const struct {
		uint32_t changes;
		enum tn_plan_form form;
		const char *text;
	} cases[] = {
		{0, TN_PLAN_FORM_COUNT, "Summary: 0 changes"},
		{1, TN_PLAN_FORM_COUNT, "Summary: 1 change"},
		{7, TN_PLAN_FORM_COUNT, "Summary: 7 changes"},
		{6, TN_PLAN_FORM_ASK, "Summary: 6 changes\nCount only or full summary?"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = plan_of(cases[i].changes);
		struct tn_buf out = test_buf();

		tn_plan_put_explanation(&out, plan, cases[i].form, TN_PLAN_NON_TECHNICAL);
		assert_string_equal(test_text(&out), cases[i].text);
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_developer(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_db_instance.main");

	(void)state;
	test_reason(plan, entry, "forces_replacement", "engine_version");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
	(void)test_attr(plan, entry, "rule[0].to_port", "#1", "#2");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	test_is_full(plan, TN_PLAN_DEVELOPER,
		     "Summary: 3 changes\nRemoves and rebuilds the aws_db_instance \"main\" "
		     "(aws_db_instance.main) because engine_version cannot be changed in place; it "
		     "is unavailable in between. Changes the aws_lb \"a\" (aws_lb.a): "
		     "rule[0].to_port from \"1\" to \"2\". Creates an aws_eip \"a\" (aws_eip.a).");
	test_plan_free(plan);
}

/* Two plans in one text, each with an object of this address (finding 9). */
static void test_units(void **state)
{
	struct tn_plan_unit units[] = {{.label = {"dir: dev workspace: default", 27}},
				       {.label = {NULL, 0}}};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	plan->units = units;
	plan->unit_count = 2;
	(void)test_add(plan, TN_PLAN_DELETE, "aws_s3_bucket.b");
	test_add(plan, TN_PLAN_DELETE, "aws_s3_bucket.b")->unit = 1;
	test_assess(plan);
	test_is_full(
		plan, 0,
		"Summary: 2 changes\nDeletes data for good: the storage bucket \"b\" "
		"(aws_s3_bucket.b, in dir: dev workspace: default). Deletes data for good: the "
		"storage bucket \"b\" (aws_s3_bucket.b, in part 2). Permanently removes the "
		"storage bucket \"b\" (aws_s3_bucket.b, in dir: dev workspace: default). "
		"Permanently removes the storage bucket \"b\" (aws_s3_bucket.b, in part 2).");
	tn_plan_put_markdown(&out, plan, TN_PLAN_NON_TECHNICAL, 0);
	assert_contains(&out, "| `aws_s3_bucket.b` in dir: dev workspace: default |");
	assert_contains(&out, "Data is deleted: `aws_s3_bucket.b` in part 2.");
	tn_buf_clear(&out);
	tn_plan_put_risk_text(&out, plan, TN_PLAN_RISK_LOW);
	assert_contains(&out, "aws_s3_bucket.b in part 2  Data is deleted");
	tn_buf_clear(&out);
	tn_plan_put_risk_json(&out, plan, TN_PLAN_RISK_LOW);
	assert_contains(&out, "\"unit\":\"dir: dev workspace: default\"");
	tn_buf_finish(&out);
	plan->units = NULL;
	plan->unit_count = 0;
	test_plan_free(plan);
}

/* One newline exactly, whatever the plan holds; and the same bytes every time. */
static void test_one_newline(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)state;
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a[\"x\\ny\"]");
	(void)test_attr(plan, entry, "na\nme", "a\r\nb", "c\xe2\x80\xa8 d\x1b[31m");
	(void)test_attr(plan, entry, "name", "la\nbel\x7f\xff", "la\nbel");
	plan->errored = true;
	(void)test_diagnostic(plan, "error", "first\nsecond");
	for (unsigned wording = 0; wording < TN_PLAN_WORDING_COUNT; wording++) {
		struct tn_buf out = test_buf(), again = test_buf();

		tn_plan_put_explanation_worded(&out, plan, wording);
		tn_plan_put_explanation_worded(&again, plan, wording);
		assert_true(tn_str_equal(tn_buf_str(&out), tn_buf_str(&again)));
		assert_int_equal(test_count_of(tn_buf_str(&out), "\n"), 1);
		assert_lacks(&out, "\r");
		assert_lacks(&out, "\x1b");
		assert_lacks(&out, "\x7f");
		assert_lacks(&out, "\xe2\x80\xa8");
		assert_true(out.data[out.size - 1] == '.');
		tn_buf_finish(&again);
		tn_buf_finish(&out);
	}
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_count_and_question),
		cmocka_unit_test(test_developer),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_one_newline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
