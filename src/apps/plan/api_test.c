/* The public half of the engine, as a program without MCP uses it (P-14). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tenon/plan.h"

static const char plan_text[] = "Terraform will perform the following actions:\n"
				"\n"
				"  # aws_instance.web will be created\n"
				"  + resource \"aws_instance\" \"web\" {\n"
				"      + id            = (known after apply)\n"
				"      + instance_type = \"t3.small\"\n"
				"    }\n"
				"\n"
				"Plan: 1 to add, 0 to change, 0 to destroy.\n";

static struct tenon_plan *parse(void)
{
	struct tenon_plan *plan = NULL;
	struct tenon_error err;

	assert_int_equal(tenon_plan_parse(plan_text, strlen(plan_text), &plan, &err), TENON_OK);
	return plan;
}

static void test_explain(void **state)
{
	struct tenon_plan *plan = parse();
	char *count = tenon_plan_explain(plan, TENON_PLAN_COUNT_ONLY, false);
	char *full = tenon_plan_explain(plan, TENON_PLAN_AUTO, false);

	(void)state;
	assert_int_equal(tenon_plan_length(plan), 1);
	assert_string_equal(count, "Summary: 1 change");
	assert_string_equal(full, "Summary: 1 change\nCreates a virtual machine \"web\" "
				  "(aws_instance.web), t3.small.");
	assert_int_equal(tenon_plan_score(count, 1, true), 100);
	assert_int_equal(tenon_plan_score(full, 1, false), 80);
	tenon_plan_free_text(count);
	tenon_plan_free_text(full);
	tenon_plan_free(plan);
}

static void test_documents(void **state)
{
	const struct tenon_plan_turn turns[] = {
		{"user", "first"}, {"assistant", "second"}, {"user", "third"}};
	struct tenon_plan *plan = parse();
	char *json = tenon_plan_to_json(plan, TENON_PLAN_FULL);
	char *context = tenon_plan_context(plan, "Be brief.", turns, 3);

	(void)state;
	assert_non_null(strstr(json, "\"total_changes\":1"));
	assert_non_null(strstr(json, "\"address\":\"aws_instance.web\""));
	assert_string_equal(context,
			    "{\"mcp_version\":\"1.0\",\"system\":\"Be brief.\",\"tool_output\":["
			    "\"- create aws_instance.web (instance_type: t3.small)\"],\"history\":["
			    "{\"role\":\"assistant\",\"content\":\"second\"},"
			    "{\"role\":\"user\",\"content\":\"third\"}]}");
	tenon_plan_free_text(json);
	tenon_plan_free_text(context);
	tenon_plan_free(plan);
}

static void test_best_of(void **state)
{
	struct tenon_plan *plan = parse();
	char *best = tenon_plan_best_of(plan, 3, 0.7, TENON_PLAN_COUNT_ONLY, false);

	(void)state;
	assert_non_null(strstr(best, "\"best_response\":\"Summary: 1 change\""));
	assert_non_null(strstr(best, "\"best_score\":100"));
	assert_null(tenon_plan_best_of(plan, 0, 0.7, TENON_PLAN_COUNT_ONLY, false));
	assert_null(tenon_plan_best_of(plan, 11, 0.7, TENON_PLAN_COUNT_ONLY, false));
	assert_null(tenon_plan_best_of(plan, 3, 2.5, TENON_PLAN_COUNT_ONLY, false));
	tenon_plan_free_text(best);
	tenon_plan_free(plan);
}

static void test_refusals(void **state)
{
	struct tenon_plan *plan = NULL;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tenon_plan_parse("hello", 5, &plan, &err), TENON_INVALID);
	assert_int_equal(tenon_plan_parse("PK\003\004rest", 8, &plan, &err), TENON_INVALID);
	assert_null(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_explain),
		cmocka_unit_test(test_documents),
		cmocka_unit_test(test_best_of),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
