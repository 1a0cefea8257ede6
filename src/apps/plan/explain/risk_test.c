/* The rules of plan.md section 8 that look at a change as a whole, or at the plan, each with a case
 * that must be found and one that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum {
	NONE = TN_PLAN_RISK_NONE,
	MEDIUM = TN_PLAN_RISK_MEDIUM,
	HIGH = TN_PLAN_RISK_HIGH,
	CRITICAL = TN_PLAN_RISK_CRITICAL,
	ABSENT = -1
};

/* ---- rules that need no attributes ---- */

static const struct {
	const char *id;
	int level; /* ABSENT: must not be found */
	enum tn_plan_action action;
	const char *address;
	enum tn_plan_order order;
} entry_cases[] = {
	/* RISK-DATA-DELETE */
	{"RISK-DATA-DELETE", CRITICAL, TN_PLAN_DELETE, "aws_db_instance.a", 0},
	{"RISK-DATA-DELETE", CRITICAL, TN_PLAN_DELETE, "aws_route53_zone.a", 0},
	{"RISK-DATA-DELETE", CRITICAL, TN_PLAN_DELETE, "module.m[0].aws_dynamodb_table.t", 0},
	{"RISK-DATA-DELETE", ABSENT, TN_PLAN_DELETE, "aws_route_table.a", 0}, /* not "table" */
	{"RISK-DATA-DELETE", ABSENT, TN_PLAN_DELETE, "aws_db_subnet_group.a", 0},
	{"RISK-DATA-DELETE", ABSENT, TN_PLAN_DELETE, "aws_db_instances.a", 0},
	{"RISK-DATA-DELETE", ABSENT, TN_PLAN_DELETE, "my_database_thing.a", 0},
	{"RISK-DATA-DELETE", ABSENT, TN_PLAN_CREATE, "aws_db_instance.a", 0},
	{"RISK-DATA-DELETE", ABSENT, TN_PLAN_FORGET, "aws_db_instance.a", 0},
	/* RISK-DATA-REPLACE */
	{"RISK-DATA-REPLACE", CRITICAL, TN_PLAN_REPLACE, "aws_db_instance.a",
	 TN_PLAN_DESTROY_FIRST},
	{"RISK-DATA-REPLACE", CRITICAL, TN_PLAN_REPLACE, "aws_db_instance.a", TN_PLAN_ORDER_NONE},
	{"RISK-DATA-REPLACE", HIGH, TN_PLAN_REPLACE, "aws_db_instance.a", TN_PLAN_CREATE_FIRST},
	{"RISK-DATA-REPLACE", ABSENT, TN_PLAN_REPLACE, "aws_db_instance.a", TN_PLAN_FORGET_OLD},
	{"RISK-DATA-REPLACE", ABSENT, TN_PLAN_REPLACE, "aws_route_table.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-DATA-REPLACE", HIGH, TN_PLAN_REPLACE, "acme_thing.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-DATA-REPLACE", ABSENT, TN_PLAN_REPLACE, "acme_thing.a", TN_PLAN_CREATE_FIRST},
	{"RISK-DATA-REPLACE", ABSENT, TN_PLAN_REPLACE, "aws_instance.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-DATA-REPLACE", ABSENT, TN_PLAN_REPLACE, "aws_lb.a", TN_PLAN_DESTROY_FIRST},
	/* RISK-DELETE */
	{"RISK-DELETE", HIGH, TN_PLAN_DELETE, "aws_instance.a", 0},
	{"RISK-DELETE", HIGH, TN_PLAN_DELETE, "aws_route_table.a", 0},
	{"RISK-DELETE", HIGH, TN_PLAN_DELETE, "acme_thing.a", 0}, /* unknown class */
	{"RISK-DELETE", MEDIUM, TN_PLAN_DELETE, "aws_kms_alias.a", 0},
	{"RISK-DELETE", HIGH, TN_PLAN_DELETE, "aws_route53_record.a", 0},
	{"RISK-DELETE", ABSENT, TN_PLAN_DELETE, "aws_db_instance.a", 0},
	{"RISK-DELETE", ABSENT, TN_PLAN_UPDATE, "aws_instance.a", 0},
	/* RISK-REPLACE-DOWNTIME */
	{"RISK-REPLACE-DOWNTIME", MEDIUM, TN_PLAN_REPLACE, "aws_instance.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-REPLACE-DOWNTIME", MEDIUM, TN_PLAN_REPLACE, "aws_lb.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-REPLACE-DOWNTIME", ABSENT, TN_PLAN_REPLACE, "aws_instance.a", TN_PLAN_CREATE_FIRST},
	{"RISK-REPLACE-DOWNTIME", ABSENT, TN_PLAN_REPLACE, "aws_db_instance.a",
	 TN_PLAN_DESTROY_FIRST},
	{"RISK-REPLACE-DOWNTIME", ABSENT, TN_PLAN_REPLACE, "null_resource.a",
	 TN_PLAN_DESTROY_FIRST},
	/* RISK-IAM, the medium half */
	{"RISK-IAM", MEDIUM, TN_PLAN_CREATE, "aws_iam_role.a", 0},
	{"RISK-IAM", MEDIUM, TN_PLAN_UPDATE, "aws_iam_role.a", 0},
	{"RISK-IAM", MEDIUM, TN_PLAN_DELETE, "aws_iam_role.a", 0},
	{"RISK-IAM", MEDIUM, TN_PLAN_REPLACE, "aws_iam_role.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-IAM", MEDIUM, TN_PLAN_UPDATE, "google_folder_iam_audit_config.a", 0}, /* a part */
	{"RISK-IAM", ABSENT, TN_PLAN_UPDATE, "aws_miami_thing.a", 0}, /* no part, only letters */
	{"RISK-IAM", ABSENT, TN_PLAN_MOVE, "aws_iam_role.a", 0},
	{"RISK-IAM", ABSENT, TN_PLAN_UPDATE, "aws_instance.iam", 0},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "aws_iam_access_key.a", 0},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "google_service_account_key.a", 0},
	{"RISK-IAM", MEDIUM, TN_PLAN_DELETE, "aws_iam_access_key.a", 0},
	/* RISK-KEY-LOSS */
	{"RISK-KEY-LOSS", CRITICAL, TN_PLAN_DELETE, "aws_kms_key.a", 0},
	{"RISK-KEY-LOSS", HIGH, TN_PLAN_REPLACE, "aws_kms_key.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-KEY-LOSS", MEDIUM, TN_PLAN_REPLACE, "aws_kms_key.a", TN_PLAN_CREATE_FIRST},
	{"RISK-KEY-LOSS", ABSENT, TN_PLAN_REPLACE, "aws_kms_key.a", TN_PLAN_FORGET_OLD},
	{"RISK-KEY-LOSS", ABSENT, TN_PLAN_DELETE, "aws_kms_alias.a", 0},
	{"RISK-KEY-LOSS", ABSENT, TN_PLAN_UPDATE, "aws_kms_key.a", 0},
	/* RISK-SECRET-ROTATES */
	{"RISK-SECRET-ROTATES", MEDIUM, TN_PLAN_REPLACE, "random_password.a",
	 TN_PLAN_DESTROY_FIRST},
	{"RISK-SECRET-ROTATES", MEDIUM, TN_PLAN_REPLACE, "random_password.a", TN_PLAN_CREATE_FIRST},
	{"RISK-SECRET-ROTATES", MEDIUM, TN_PLAN_REPLACE, "aws_iam_access_key.a",
	 TN_PLAN_DESTROY_FIRST},
	{"RISK-SECRET-ROTATES", MEDIUM, TN_PLAN_REPLACE, "google_service_account_key.a",
	 TN_PLAN_DESTROY_FIRST},
	{"RISK-SECRET-ROTATES", ABSENT, TN_PLAN_CREATE, "random_password.a", 0},
	{"RISK-SECRET-ROTATES", ABSENT, TN_PLAN_REPLACE, "random_pet.a", TN_PLAN_DESTROY_FIRST},
	/* RISK-DNS */
	{"RISK-DNS", MEDIUM, TN_PLAN_UPDATE, "aws_route53_record.a", 0},
	{"RISK-DNS", MEDIUM, TN_PLAN_DELETE, "aws_route53_record.a", 0},
	{"RISK-DNS", HIGH, TN_PLAN_UPDATE, "aws_route53_zone.a", 0},
	{"RISK-DNS", ABSENT, TN_PLAN_CREATE, "aws_route53_record.a", 0},
	{"RISK-DNS", ABSENT, TN_PLAN_IMPORT, "aws_route53_zone.a", 0},
	{"RISK-DNS", ABSENT, TN_PLAN_UPDATE, "aws_route53_health_check.a", 0},
	/* RISK-FORGET */
	{"RISK-FORGET", MEDIUM, TN_PLAN_FORGET, "aws_instance.a", 0},
	{"RISK-FORGET", MEDIUM, TN_PLAN_REPLACE, "aws_instance.a", TN_PLAN_FORGET_OLD},
	{"RISK-FORGET", MEDIUM, TN_PLAN_REPLACE, "aws_instance.a", TN_PLAN_FORGET_FIRST},
	{"RISK-FORGET", ABSENT, TN_PLAN_DELETE, "aws_instance.a", 0},
	/* RISK-UNKNOWN-REPLACE */
	{"RISK-UNKNOWN-REPLACE", MEDIUM, TN_PLAN_REPLACE, "aws_instance.a", TN_PLAN_DESTROY_FIRST},
	{"RISK-UNKNOWN-REPLACE", ABSENT, TN_PLAN_DELETE, "aws_instance.a", 0},
	/* RISK-PUBLIC-DATA: the lock itself goes */
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_DELETE, "aws_s3_bucket_public_access_block.a", 0},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_DELETE, "aws_s3_bucket_versioning.a", 0},
};

static void test_entry_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(entry_cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry =
			test_add(plan, entry_cases[i].action, entry_cases[i].address);
		int level;

		entry->order = (uint8_t)entry_cases[i].order;
		test_assess(plan);
		level = test_level(plan, entry_cases[i].id, entry_cases[i].address);
		if (level != entry_cases[i].level)
			fail_msg("case %zu: %s on %s is %d", i, entry_cases[i].id,
				 entry_cases[i].address, level);
		test_plan_free(plan);
	}
}

/* ---- rules that look at more than one place ---- */

/* RISK-DELETE: a record of the same name comes back in the same plan. */
static void test_dns_record_moves(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *old = test_add(plan, TN_PLAN_DELETE, "aws_route53_record.old");
	struct tn_plan_entry *other = test_add(plan, TN_PLAN_DELETE, "aws_route53_record.other");
	struct tn_plan_entry *new = test_add(plan, TN_PLAN_CREATE, "aws_route53_record.new");

	(void)state;
	(void)test_attr(plan, old, "name", "www.example.com", NULL);
	(void)test_attr(plan, other, "name", "ftp.example.com", NULL);
	(void)test_attr(plan, new, "name", NULL, "www.example.com");
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-DELETE", "aws_route53_record.old"), MEDIUM);
	assert_int_equal(test_level(plan, "RISK-DELETE", "aws_route53_record.other"), HIGH);
	test_plan_free(plan);
}

static void test_visible_causes(void **state)
{
	static const char *const causes[] = {"tainted", "requested", "replace_triggered_by",
					     "forces_replacement"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(causes); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_instance.a");

		test_reason(plan, entry, causes[i], "x");
		test_assess(plan);
		assert_int_equal(test_level(plan, "RISK-UNKNOWN-REPLACE", "aws_instance.a"),
				 ABSENT);
		test_plan_free(plan);
	}
}

static void test_import_destroy(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *replaced = test_add(plan, TN_PLAN_REPLACE, "null_resource.a");
	struct tn_plan_entry *updated = test_add(plan, TN_PLAN_UPDATE, "null_resource.b");

	(void)state;
	replaced->import_id = TN_STR("id-1");
	updated->import_id = TN_STR("id-2");
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-IMPORT-DESTROY", "null_resource.a"), CRITICAL);
	assert_int_equal(test_level(plan, "RISK-IMPORT-DESTROY", "null_resource.b"), ABSENT);
	assert_int_equal(plan->risk, CRITICAL);
	test_plan_free(plan);
}

static struct tn_plan *plan_with(const char *type, unsigned deletes, unsigned creates)
{
	struct tn_plan *plan = test_plan();
	char address[64];

	for (unsigned i = 0; i < deletes + creates; i++) {
		(void)snprintf(address, sizeof(address), "%s.a[%u]", type, i);
		(void)test_add(plan, i < deletes ? TN_PLAN_DELETE : TN_PLAN_CREATE, address);
	}
	test_assess(plan);
	return plan;
}

/* RISK-MANY-DELETES: more than 20, or at least five and more than half; a script is nothing that
 * goes. */
static void test_many_deletes(void **state)
{
	static const struct {
		unsigned deletes, creates;
		int level;
	} cases[] = {{21, 100, HIGH}, {20, 100, ABSENT}, {5, 5, ABSENT}, {5, 4, HIGH},
		     {4, 0, ABSENT},  {1, 0, ABSENT},    {0, 3, ABSENT}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = plan_with("aws_eip", cases[i].deletes, cases[i].creates);

		assert_int_equal(test_level(plan, "RISK-MANY-DELETES", NULL), cases[i].level);
		test_plan_free(plan);
		plan = plan_with("null_resource", cases[i].deletes, cases[i].creates);
		assert_int_equal(test_level(plan, "RISK-MANY-DELETES", NULL), ABSENT);
		test_plan_free(plan);
	}
}

static void test_drift_revert(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *undo = test_add(plan, TN_PLAN_UPDATE, "google_storage_bucket.a");
	struct tn_plan_entry *else_ = test_add(plan, TN_PLAN_UPDATE, "google_storage_bucket.b");
	struct tn_plan_drift *drift;

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "google_compute_disk.gone");
	(void)test_attr(plan, undo, "labels[\"by\"]", "console", NULL);
	(void)test_attr(plan, else_, "location", "EU", "US");
	drift = test_drift(plan, TN_PLAN_UPDATE, "google_storage_bucket.a");
	test_drift_attr(plan, drift, "labels[\"by\"]", NULL, "console");
	drift = test_drift(plan, TN_PLAN_UPDATE, "google_storage_bucket.b");
	test_drift_attr(plan, drift, "location", "ASIA", "EU"); /* it goes on, not back */
	(void)test_drift(plan, TN_PLAN_DELETE, "google_compute_disk.gone");
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-DRIFT-REVERT", "google_storage_bucket.a"), MEDIUM);
	assert_int_equal(test_level(plan, "RISK-DRIFT-REVERT", "google_storage_bucket.b"), ABSENT);
	assert_int_equal(test_level(plan, "RISK-DRIFT-REVERT", "google_compute_disk.gone"), MEDIUM);
	test_plan_free(plan);
}

static void test_whole_plan(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	test_assess(plan);
	assert_int_equal(plan->finding_count, 0);
	assert_int_equal(plan->risk, NONE);
	plan->errored = true;
	plan->consistent = 0;
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-ERRORED", NULL), MEDIUM);
	assert_int_equal(test_level(plan, "RISK-INCONSISTENT", NULL), MEDIUM);
	plan->consistent = -1;
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-INCONSISTENT", NULL), ABSENT);
	plan->truncated = true;
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-INCONSISTENT", NULL), MEDIUM);
	test_plan_free(plan);
}

/* In plan order, highest first within one change; the entry and the plan carry the maximum; asking
 * twice gives the same. */
static void test_order_and_levels(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_db_instance.a");

	(void)state;
	(void)test_add(plan, TN_PLAN_DELETE, "aws_kms_alias.b");
	(void)test_attr(plan, entry, "storage_encrypted", "?true", "?false");
	for (int round = 0; round < 2; round++) {
		test_assess(plan);
		assert_int_equal(plan->finding_count, 4);
		assert_string_equal(plan->findings[0].id, "RISK-DATA-REPLACE");
		assert_string_equal(plan->findings[1].id, "RISK-ENCRYPTION-OFF");
		assert_string_equal(plan->findings[2].id, "RISK-UNKNOWN-REPLACE");
		assert_string_equal(plan->findings[3].id, "RISK-DELETE");
		assert_int_equal(plan->changes[0].risk, CRITICAL);
		assert_int_equal(plan->changes[1].risk, MEDIUM);
		assert_int_equal(plan->risk, CRITICAL);
		assert_int_equal(tn_plan_count_findings(plan, TN_PLAN_RISK_HIGH), 1);
	}
	test_plan_free(plan);
}

/* Findings never cost a plan its life: the arena's limit was meant for the text. */
static void test_full_arena(void **state)
{
	struct tn_plan *plan = plan_with("aws_eip", 0, 0);

	(void)state;
	for (unsigned i = 0; i < 500; i++)
		(void)test_add(plan, TN_PLAN_DELETE, "aws_instance.a");
	plan->arena.limit = plan->arena.total;
	test_assess(plan);
	assert_int_equal(plan->finding_count, 501);
	test_plan_free(plan);
}

/* What does not run goes on being there. */
static void test_forgotten(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	(void)test_add(plan, TN_PLAN_FORGET, "aws_ebs_volume.a");
	(void)test_add(plan, TN_PLAN_FORGET, "aws_instance.b");
	test_assess(plan);
	assert_true(tn_str_is(plan->findings[0].detail, "It stays as it is, unmanaged."));
	assert_true(
		tn_str_is(plan->findings[1].detail, "It keeps running, and costing, unmanaged."));
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entry_rules),      cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_dns_record_moves), cmocka_unit_test(test_visible_causes),
		cmocka_unit_test(test_import_destroy),   cmocka_unit_test(test_many_deletes),
		cmocka_unit_test(test_drift_revert),     cmocka_unit_test(test_whole_plan),
		cmocka_unit_test(test_order_and_levels), cmocka_unit_test(test_full_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
