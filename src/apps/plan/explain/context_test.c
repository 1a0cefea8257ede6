/* The context document: P-05, P-06 and plan.md section 9. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/context.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

static const struct tn_json *document(struct tn_plan *plan, const struct tn_plan_turn *turns,
				      size_t count, bool details)
{
	struct tn_buf out = test_buf();
	const struct tn_json *json;

	tn_plan_put_context(&out, plan, TN_STR("say \"hi\"\n"), turns, count, details);
	json = test_json(plan, &out);
	tn_buf_finish(&out);
	return json;
}

/* P-05: exactly four keys, in this order, and the version. */
static void test_keys(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_instance.web");
	(void)test_add(plan, TN_PLAN_READ, "data.aws_ami.a"); /* not counted, not told */
	(void)test_add(plan, TN_PLAN_CREATE, "aws_s3_bucket.storage");
	tn_plan_put_context(&out, plan, TN_STR("S"), NULL, 0, false);
	assert_string_equal(test_text(&out),
			    "{\"mcp_version\":\"1.0\",\"system\":\"S\",\"tool_output\":["
			    "\"- create aws_instance.web\",\"- create aws_s3_bucket.storage\"],"
			    "\"history\":[]}");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* P-06: 10 stay, 11 and more are folded into one and the last nine. */
static void test_bullets(void **state)
{
	static const struct {
		unsigned changes, written;
		const char *first, *last;
	} cases[] = {
		{0, 0, NULL, NULL},
		{1, 1, "- update aws_lb.n[0]", "- update aws_lb.n[0]"},
		{9, 9, "- update aws_lb.n[0]", "- update aws_lb.n[8]"},
		{10, 10, "- update aws_lb.n[0]", "- update aws_lb.n[9]"},
		{11, 10, "+2 more\xe2\x80\xa6", "- update aws_lb.n[10]"},
		{15, 10, "+6 more\xe2\x80\xa6", "- update aws_lb.n[14]"},
		{1000, 10, "+991 more\xe2\x80\xa6", "- update aws_lb.n[999]"},
	};
	char address[32], path[32];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();
		const struct tn_json *json;

		for (unsigned n = 0; n < cases[i].changes; n++) {
			(void)snprintf(address, sizeof(address), "aws_lb.n[%u]", n);
			(void)test_add(plan, TN_PLAN_UPDATE, address);
		}
		json = document(plan, NULL, 0, false);
		assert_int_equal(test_get(json, "tool_output")->count, cases[i].written);
		if (cases[i].written > 0) {
			test_is_text(json, "tool_output.0", cases[i].first);
			(void)snprintf(path, sizeof(path), "tool_output.%u", cases[i].written - 1);
			test_is_text(json, path, cases[i].last);
		}
		if (cases[i].changes > 10) { /* the nine are the last nine */
			(void)snprintf(address, sizeof(address), "- update aws_lb.n[%u]",
				       cases[i].changes - 9);
			test_is_text(json, "tool_output.1", address);
		}
		test_plan_free(plan);
	}
}

/* P-06: the last two messages, oldest first. */
static void test_history(void **state)
{
	const struct tn_plan_turn turns[] = {
		{TN_STR("assistant"), TN_STR("Count only or full summary?")},
		{TN_STR("user"), TN_STR("Count only")},
		{TN_STR("assistant"), TN_STR("Summary: 3 changes")},
	};
	struct tn_plan *plan = test_plan();
	const struct tn_json *json;

	(void)state;
	json = document(plan, turns, 3, false);
	assert_int_equal(test_get(json, "history")->count, 2);
	test_is_text(json, "history.0.role", "user");
	test_is_text(json, "history.0.content", "Count only");
	test_is_text(json, "history.1.role", "assistant");
	assert_int_equal(test_get(document(plan, turns, 2, false), "history")->count, 2);
	assert_int_equal(test_get(document(plan, turns, 1, false), "history")->count, 1);
	test_is_text(json, "system", "say \"hi\"\n");
	test_plan_free(plan);
}

/* Up to eight key facts, nothing sensitive; off unless asked for. */
static void test_details(void **state)
{
	static const char *const names[] = {"instance_type", "size",     "tier",
					    "region",        "location", "zone",
					    "version",       "port",     "replicas"};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "a_b.c");

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++)
		(void)test_attr(plan, entry, names[i], NULL, "v");
	test_attr(plan, entry, "engine", NULL, "visible")->sensitive = true;
	test_is_text(document(plan, NULL, 0, true), "tool_output.0",
		     "- create a_b.c (instance_type: v, size: v, tier: v, region: v, location: v, "
		     "zone: v, version: v, port: v)");
	test_is_text(document(plan, NULL, 0, false), "tool_output.0", "- create a_b.c");
	test_plan_free(plan);
}

static void test_bullets_are_clean(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	(void)test_add(plan, TN_PLAN_DELETE, "a_b.c[\"x\x01y\"]");
	(void)test_add(plan, TN_PLAN_DELETE, "a_b.c[\"AKIA0123456789ABCDEF\"]");
	test_is_text(document(plan, NULL, 0, false), "tool_output.0", "- delete a_b.c[\"x y\"]");
	test_is_text(document(plan, NULL, 0, false), "tool_output.1",
		     "- delete a_b.c[\"[redacted]\"]");
	test_plan_free(plan);
}

/* 10.6: what the prompt has to say. */
static void test_system_prompt(void **state)
{
	struct tn_buf out = test_buf();

	(void)state;
	tn_plan_put_system_prompt(&out, 7, TN_PLAN_FORM_COUNT, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "\"Summary: 7 changes\"");
	assert_contains(&out, "without a line break");
	assert_contains(&out, "does not write infrastructure code");
	assert_contains(&out, "Invent nothing");
	tn_buf_clear(&out);
	tn_plan_put_system_prompt(&out, 1, TN_PLAN_FORM_FULL, TN_PLAN_DEVELOPER);
	assert_contains(&out, "\"Summary: 1 change\"");
	assert_contains(&out, "one sentence per listed change");
	assert_contains(&out, "developer");
	tn_buf_clear(&out);
	tn_plan_put_system_prompt(&out, 7, TN_PLAN_FORM_ASK, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "more than five changes");
	assert_contains(&out, "\"Count only or full summary?\"");
	tn_buf_finish(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_bullets),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_bullets_are_clean),
		cmocka_unit_test(test_system_prompt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
