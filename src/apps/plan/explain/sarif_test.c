/* SARIF 2.1.0 for code hosts, and the table and tab-separated forms of the list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/sarif.h"
#include "apps/plan/explain/table.h"
#include "apps/plan/explain/wording_kit.h"

static struct tn_plan *sample(void)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	entry = test_add(plan, TN_PLAN_UPDATE, "aws_instance.a");
	(void)test_attr(plan, entry, "instance_type", "x", "y");
	entry = test_add(plan, TN_PLAN_DELETE, "aws_db_instance.b[\"k\\ty\"]");
	entry->line_first = 12;
	entry->line_last = 20;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_lb.c");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_lb.d");
	plan->errored = true;
	test_assess(plan);
	return plan;
}

static void test_sarif(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_buf out = test_buf();
	const struct tn_json *json;
	size_t rules;

	(void)state;
	(void)tn_plan_rules(&rules);
	tn_plan_put_sarif(&out, plan, TN_PLAN_RISK_NONE, TN_STR("out/my plan#1.txt"));
	json = test_json(plan, &out);
	test_is_text(json, "version", "2.1.0");
	assert_int_equal(test_get(json, "runs")->count, 1);
	test_is_text(json, "runs.0.tool.driver.name", "tenon plan");
	assert_int_equal(test_get(json, "runs.0.tool.driver.rules")->count, rules);
	assert_int_equal(test_get(json, "runs.0.results")->count, plan->finding_count);
	test_is_text(json, "runs.0.results.0.ruleId", "RISK-RESTART");
	test_is_text(json, "runs.0.results.0.level", "note");
	test_is_int(json, "runs.0.results.0.locations.0.physicalLocation.region.startLine", 1);
	test_is_text(json, "runs.0.results.1.ruleId", "RISK-DATA-DELETE");
	test_is_text(json, "runs.0.results.1.level", "error");
	test_is_text(json, "runs.0.results.1.properties.risk", "critical");
	test_is_int(json, "runs.0.results.1.locations.0.physicalLocation.region.startLine", 12);
	test_is_int(json, "runs.0.results.1.locations.0.physicalLocation.region.endLine", 20);
	test_is_text(json, "runs.0.results.1.locations.0.physicalLocation.artifactLocation.uri",
		     "out/my%20plan%231.txt");
	test_is_text(json, "runs.0.results.1.locations.0.logicalLocations.0.fullyQualifiedName",
		     "aws_db_instance.b[\"k\\ty\"]");
	test_is_text(json, "runs.0.results.2.ruleId", "RISK-ERRORED");
	test_is_text(json, "runs.0.results.2.level", "warning");
	assert_null(test_get(json, "runs.0.results.2.locations.0.logicalLocations"));
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* ruleIndex points at the rule of that id. */
static void test_rule_index(void **state)
{
	struct tn_plan *plan = sample();
	struct tn_buf out = test_buf();
	const struct tn_json *json, *result;
	char path[80];
	int64_t index;

	(void)state;
	tn_plan_put_sarif(&out, plan, TN_PLAN_RISK_MEDIUM, tn_str(NULL, 0));
	json = test_json(plan, &out);
	assert_int_equal(test_get(json, "runs.0.results")->count, plan->finding_count - 1);
	for (result = test_get(json, "runs.0.results")->first; result; result = result->next) {
		assert_true(tn_json_to_int(tn_json_get(result, "ruleIndex"), &index));
		(void)snprintf(path, sizeof(path), "runs.0.tool.driver.rules.%d.id", (int)index);
		assert_true(tn_json_equal(test_get(json, path), tn_json_get(result, "ruleId")));
	}
	test_is_text(json, "runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri",
		     "plan.txt");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_table(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = sample();
	struct tn_buf out = test_buf();

	(void)state;
	tn_plan_put_table(&out, plan, &filter);
	assert_string_equal(
		test_text(&out),
		"ACTION   RISK     ADDRESS                   WHAT\n"
		"update   low      aws_instance.a            virtual machine \"a\"\n"
		"delete   critical aws_db_instance.b[\"k\\ty\"] managed database \"b[k y]\"\n"
		"create   none     aws_lb.c                  load balancer \"c\"\n"
		"create   none     aws_lb.d                  load balancer \"d\"\n"
		"\n4 changes; risk: critical\n");
	filter.offset = 1;
	filter.limit = 1;
	tn_buf_clear(&out);
	tn_plan_put_table(&out, plan, &filter);
	assert_contains(&out, "aws_db_instance.b");
	assert_lacks(&out, "aws_lb");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_tsv(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES,
					.min_risk = TN_PLAN_RISK_LOW};
	struct tn_plan *plan = sample();
	struct tn_buf out = test_buf();

	(void)state;
	plan->changes[0].import_id = TN_STR("a\tb\nc\\d\r");
	tn_plan_put_tsv(&out, plan, &filter);
	assert_string_equal(test_text(&out),
			    "index\taction\trisk\ttype\taddress\tprevious_address\tdeposed\t"
			    "import_id\n1\tupdate\tlow\taws_instance\taws_instance.a\t\t\t"
			    "a\\tb\\nc\\\\d\\r\n2\tdelete\tcritical\taws_db_instance\t"
			    "aws_db_instance.b[\"k\\\\ty\"]\t\t\t\n");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sarif),
		cmocka_unit_test(test_rule_index),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_tsv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
