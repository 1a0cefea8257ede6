/* The dangers at the beginning of an explanation (plan.md section 10.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/to_lines.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

/* Twelve go, the database last: it is named, first of all, and has its sentence (findings 4 and 5).
 */
static void test_worst_first(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;
	struct tn_buf out = test_buf();
	size_t users, database;
	char address[40];

	(void)state;
	for (unsigned i = 0; i < 11; i++) {
		(void)snprintf(address, sizeof(address), "aws_iam_user.u%u", i);
		(void)test_add(plan, TN_PLAN_DELETE, address);
	}
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.prod");
	entry = test_add(plan, TN_PLAN_CREATE, "aws_security_group_rule.ssh");
	(void)test_attr(plan, entry, "type", NULL, "ingress");
	(void)test_attr(plan, entry, "cidr_blocks[0]", NULL, "0.0.0.0/0");
	(void)test_attr(plan, entry, "from_port", NULL, "#22");
	(void)test_attr(plan, entry, "to_port", NULL, "#22");
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_true(tn_str_starts(
		tn_buf_str(&out),
		TN_STR("Deletes data for good: the managed database \"prod\" "
		       "(aws_db_instance.prod). Opens SSH (port 22) to the whole internet "
		       "(aws_security_group_rule.ssh). Deletes the user account \"u0\" "
		       "(aws_iam_user.u0). ")));
	assert_contains(&out, "Also of high risk: an object is deleted (6 times), many objects are "
			      "removed (once). Permanently removes the managed database");
	users = tn_str_find(tn_buf_str(&out), TN_STR("Permanently removes the user"));
	database = tn_str_find(tn_buf_str(&out), TN_STR("Permanently removes the managed"));
	assert_true(database < users);
	assert_contains(&out, "Permanently removes the user account \"u10\"");
	assert_contains(&out, "Creates a firewall rule \"ssh\"");
	assert_lacks(&out, " more:");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* However many there are, the text stays a text; those left out are counted. */
static void test_very_many_dangers(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	for (unsigned i = 0; i < 400; i++)
		(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.a");
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_int_equal(test_count_of(tn_buf_str(&out), "Deletes data for good"), 300);
	assert_int_equal(test_count_of(tn_buf_str(&out), "Permanently removes"), 300);
	assert_contains(&out, "Also of critical risk: data is deleted (100 times). ");
	assert_contains(&out, "And 100 more: 100 removed.");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* Among the lines for a model, too, the worst finding comes first. */
static void test_findings_by_level(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();
	struct tn_str text;

	(void)state;
	(void)test_attr(plan, test_add(plan, TN_PLAN_UPDATE, "aws_instance.a"), "instance_type",
			"a", "b");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.b");
	test_assess(plan);
	tn_plan_put_lines(&out, plan, &filter);
	text = tn_buf_str(&out);
	assert_contains(&out, "RISK-RESTART low 1");
	assert_true(tn_str_find(text, TN_STR("RISK-DATA-DELETE critical 2")) <
		    tn_str_find(text, TN_STR("RISK-RESTART low 1")));
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* Of one level, what is lost for good comes before what opens, and a safeguard last. */
static void test_losses_first(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;
	struct tn_buf out = test_buf();

	(void)state;
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_db_instance.a");
	(void)test_attr(plan, entry, "deletion_protection", "?true", "?false");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.b");
	(void)test_attr(plan, entry, "access_logs[0].enabled", "?true", "?false");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_cloudwatch_log_group.c");
	(void)test_attr(plan, entry, "retention_in_days", "#0", "#1");
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_true(tn_str_starts(
		tn_buf_str(&out),
		TN_STR("Deletes data by its age: the log store \"c\" "
		       "(aws_cloudwatch_log_group.c); logs older than the new limit are deleted, "
		       "existing ones, too (retention in days from no limit to \"1\"). Weakens "
		       "security: the load balancer \"b\" (aws_lb.b); less of what happens there "
		       "is recorded. Takes a safeguard away from the managed database \"a\" "
		       "(aws_db_instance.a): deletion protection. ")));
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* An address holds no data: what is lost with it is the address. */
static void test_addresses(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	(void)test_add(plan, TN_PLAN_DELETE, "aws_eip.a");
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-DATA-DELETE", "aws_eip.a"), TN_PLAN_RISK_CRITICAL);
	assert_true(tn_str_is(plan->findings[0].title, "A fixed address is given up"));
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Gives up for good: the fixed public address \"a\" (aws_eip.a); the "
			      "same address cannot be had again; ");
	assert_lacks(&out, "data");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* What can be reached is not public, a secret opens nothing, and a minimum is not what runs. */
static void test_true_details(void **state)
{
	static const struct {
		enum tn_plan_action action;
		const char *address, *path, *before, *after;
		const char *title, *detail;
	} cases[] = {
		{TN_PLAN_UPDATE, "aws_lb.a", "internal", "?true", "?false", "It becomes reachable",
		 "It can be reached from the public internet."},
		{TN_PLAN_UPDATE, "aws_s3_bucket_public_access_block.a", "block_public_acls",
		 "?true", "?false", "A lock against public access is opened",
		 "It, or what it holds, may be made public."},
		{TN_PLAN_UPDATE, "azurerm_storage_account.a", "allow_nested_items_to_be_public",
		 "?false", "?true", "A lock against public access is opened",
		 "What is stored in it may be made public."},
		{TN_PLAN_UPDATE, "aws_s3_bucket_acl.a", "acl", "private", "public-read",
		 "Data becomes public", "Everybody may read it."},
		{TN_PLAN_DELETE, "aws_secretsmanager_secret.a", "name", "s", NULL,
		 "A key or secret is lost", "Whoever needs it can no longer read it."},
		{TN_PLAN_DELETE, "aws_kms_key.a", "arn", "s", NULL, "A key or secret is lost",
		 "Whatever was protected with it can no longer be opened."},
		{TN_PLAN_DELETE, "aws_acm_certificate.a", "arn", "s", NULL,
		 "A key or secret is lost",
		 "Connections that rely on it can no longer be secured by it."},
		{TN_PLAN_UPDATE, "aws_autoscaling_group.a", "min_size", "#2", "#0",
		 "Capacity may go to zero", "It may shrink until nothing of it runs."},
		{TN_PLAN_UPDATE, "aws_ecs_service.a", "desired_count", "#2", "#0",
		 "Capacity goes to zero", "Nothing of it keeps running."},
		{TN_PLAN_UPDATE, "aws_kms_key.a", "deletion_window_in_days", "#30", "#7",
		 "Protection of data is shortened",
		 "What is deleted can be brought back for a shorter time."},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();

		(void)test_attr(plan, test_add(plan, cases[i].action, cases[i].address),
				cases[i].path, cases[i].before, cases[i].after);
		test_assess(plan);
		if (!tn_str_is(plan->findings[0].title, cases[i].title) ||
		    !tn_str_is(plan->findings[0].detail, cases[i].detail))
			fail_msg("case %zu: %.*s", i, (int)plan->findings[0].detail.size,
				 plan->findings[0].detail.data);
		test_plan_free(plan);
	}
}

/* Of six load balancers one is only counted: that they can be reached makes no data public. */
static void test_counted(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		(void)test_attr(plan, test_add(plan, TN_PLAN_UPDATE, "aws_lb.a"), "internal",
				"?true", "?false");
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Opens access: the load balancer \"a\" (aws_lb.a); it can be reached "
			      "from the public internet. Also of high risk: public access is "
			      "opened (once). ");
	assert_lacks(&out, "data");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worst_first),       cmocka_unit_test(test_losses_first),
		cmocka_unit_test(test_addresses),         cmocka_unit_test(test_true_details),
		cmocka_unit_test(test_counted),           cmocka_unit_test(test_very_many_dangers),
		cmocka_unit_test(test_findings_by_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
