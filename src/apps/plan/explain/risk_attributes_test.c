/* Rules that look at one attribute by its exact name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum {
	LOW = TN_PLAN_RISK_LOW,
	MEDIUM = TN_PLAN_RISK_MEDIUM,
	HIGH = TN_PLAN_RISK_HIGH,
	CRITICAL = TN_PLAN_RISK_CRITICAL,
	ABSENT = -1
};

/* ---- every rule of plan.md section 8 that does, and what it must not find ---- */

static const struct {
	const char *id;
	int level;
	enum tn_plan_action action;
	const char *address, *path, *before, *after;
} attribute_cases[] = {
	/* RISK-DATA-PROTECT-OFF */
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a", "deletion_protection",
	 "?true", "?false"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a", "deletion_protection",
	 "?true", NULL},
	{"RISK-DATA-PROTECT-OFF", CRITICAL, TN_PLAN_REPLACE, "aws_db_instance.a",
	 "deletion_protection", "?true", "?false"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_UPDATE, "aws_db_instance.a",
	 "deletion_protection", "?false", "?true"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_DELETE, "aws_db_instance.a",
	 "deletion_protection", "?true", NULL},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_lb.a", "enable_deletion_protection",
	 "?true", "?false"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "a_b.a", "prevent_deletion", "?true",
	 "?false"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "a_b.a", "termination_protection", "?true",
	 "?false"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "azurerm_key_vault.a",
	 "purge_protection_enabled", "?true", "?false"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_s3_bucket.a", "versioning[0].enabled",
	 "?true", "?false"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_s3_bucket_versioning.a",
	 "versioning_configuration.status", "Enabled", "Suspended"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_UPDATE, "a_b.a", "status", "Enabled",
	 "Suspended"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a",
	 "backup_retention_period", "#7", "#0"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_UPDATE, "aws_db_instance.a",
	 "backup_retention_period", "#7", "#10"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_CREATE, "aws_db_instance.a",
	 "backup_retention_period", NULL, "#0"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_s3_bucket.a", "force_destroy",
	 "?false", "?true"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a", "skip_final_snapshot",
	 NULL, "?true"},
	{"RISK-DATA-PROTECT-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a",
	 "delete_automated_backups", "?false", "?true"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_CREATE, "aws_s3_bucket.a", "force_destroy", NULL,
	 "?true"},
	{"RISK-DATA-PROTECT-OFF", ABSENT, TN_PLAN_UPDATE, "aws_s3_bucket.a",
	 "tags[\"force_destroy\"]", "?false", "?true"},
	/* RISK-PUBLIC-DATA */
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_UPDATE, "aws_s3_bucket_acl.a", "acl", "private",
	 "public-read"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "aws_s3_bucket_acl.a", "acl", NULL,
	 "public-read-write"},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_UPDATE, "aws_s3_bucket_acl.a", "acl", "public-read",
	 "private"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "aws_db_instance.a", "publicly_accessible", NULL,
	 "?true"},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_CREATE, "aws_db_instance.a", "publicly_accessible",
	 NULL, "?false"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_UPDATE, "azurerm_mssql_server.a",
	 "public_network_access_enabled", "?false", "?true"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_UPDATE, "aws_s3_bucket_public_access_block.a",
	 "block_public_acls", "?true", "?false"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "aws_s3_bucket_public_access_block.a",
	 "restrict_public_buckets", NULL, "?false"},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_CREATE, "aws_s3_bucket_public_access_block.a",
	 "block_public_acls", NULL, "?true"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "google_storage_bucket_iam_member.a", "member",
	 NULL, "allUsers"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_UPDATE, "google_storage_bucket_iam_binding.a",
	 "members[1]", NULL, "allAuthenticatedUsers"},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_CREATE, "google_storage_bucket_iam_member.a", "member",
	 NULL, "user:allUsers.person@example.com"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "aws_s3_bucket_policy.a",
	 "policy.Statement[0].Principal", NULL, "*"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "aws_s3_bucket_policy.a",
	 "policy.Statement[0].Principal.AWS", NULL, "*"},
	{"RISK-PUBLIC-DATA", HIGH, TN_PLAN_CREATE, "aws_s3_bucket_policy.a",
	 "policy.Statement[0].Principal.AWS[2]", NULL, "*"},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_CREATE, "aws_s3_bucket_policy.a",
	 "policy.Statement[0].Principal.AWS", NULL, "arn:aws:iam::1:root"},
	{"RISK-PUBLIC-DATA", ABSENT, TN_PLAN_CREATE, "a_b.a", "variables.AWS", NULL, "*"},
	/* RISK-IAM, the high half */
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "aws_iam_role_policy.a", "policy.Statement[0].Action",
	 NULL, "*"},
	{"RISK-IAM", HIGH, TN_PLAN_UPDATE, "aws_iam_policy.a", "policy.Statement[0].Action[3]",
	 NULL, "iam:PassRole"},
	{"RISK-IAM", MEDIUM, TN_PLAN_UPDATE, "aws_iam_policy.a", "policy.Statement[0].Action[3]",
	 "*", NULL},
	{"RISK-IAM", MEDIUM, TN_PLAN_UPDATE, "aws_iam_policy.a", "policy.Statement[0].Action[3]",
	 NULL, "s3:*"},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "google_project_iam_member.a", "role", NULL,
	 "roles/owner"},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "google_project_iam_member.a", "role", NULL,
	 "roles/iam.securityAdmin"},
	{"RISK-IAM", MEDIUM, TN_PLAN_CREATE, "google_project_iam_member.a", "role", NULL,
	 "roles/viewer"},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "azurerm_role_assignment.a", "role_definition_name",
	 NULL, "Contributor"},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "aws_iam_role_policy_attachment.a", "policy_arn", NULL,
	 "arn:aws:iam::aws:policy/AdministratorAccess"},
	{"RISK-IAM", MEDIUM, TN_PLAN_CREATE, "aws_iam_role_policy_attachment.a", "policy_arn", NULL,
	 "arn:aws:iam::aws:policy/ReadOnlyAccess"},
	{"RISK-IAM", HIGH, TN_PLAN_CREATE, "kubernetes_cluster_role_binding.a", "role_ref.name",
	 NULL, "cluster-admin"},
	{"RISK-IAM", MEDIUM, TN_PLAN_CREATE, "aws_iam_role.a", "name", NULL, "admin"},
	{"RISK-IAM", HIGH, TN_PLAN_UPDATE, "aws_iam_role.a",
	 "assume_role_policy.Statement[0].Principal.AWS", "arn:x", "*"},
	{"RISK-IAM", MEDIUM, TN_PLAN_UPDATE, "aws_iam_role.a",
	 "assume_role_policy.Statement[0].Principal.AWS", "*", "arn:x"},
	/* RISK-ENCRYPTION-OFF */
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a", "storage_encrypted",
	 "?true", "?false"},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_REPLACE, "aws_ebs_volume.a", "encrypted", "?true",
	 NULL},
	{"RISK-ENCRYPTION-OFF", ABSENT, TN_PLAN_UPDATE, "aws_ebs_volume.a", "encrypted", "?false",
	 "?true"},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "aws_db_instance.a", "kms_key_id", "arn:x",
	 NULL},
	{"RISK-ENCRYPTION-OFF", ABSENT, TN_PLAN_UPDATE, "aws_db_instance.a", "kms_key_id", "arn:x",
	 "arn:y"},
	{"RISK-ENCRYPTION-OFF", ABSENT, TN_PLAN_UPDATE, "aws_db_instance.a",
	 "performance_insights_kms_key_id", "arn:x", NULL},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "aws_opensearch_domain.a",
	 "encrypt_at_rest.enabled", "?true", "?false"},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "aws_elasticache_replication_group.a",
	 "transit_encryption_enabled", "?true", "?false"},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "azurerm_storage_account.a",
	 "min_tls_version", "TLS1_2", "TLS1_0"},
	{"RISK-ENCRYPTION-OFF", ABSENT, TN_PLAN_UPDATE, "azurerm_storage_account.a",
	 "min_tls_version", "TLS1_0", "TLS1_2"},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "aws_cloudfront_distribution.a",
	 "viewer_certificate.minimum_protocol_version", "TLSv1.1_2016", "TLSv1_2016"},
	{"RISK-ENCRYPTION-OFF", HIGH, TN_PLAN_UPDATE, "a_b.a", "min_tls_version", "1.2", "1.1"},
	/* RISK-CAPACITY-ZERO */
	{"RISK-CAPACITY-ZERO", MEDIUM, TN_PLAN_UPDATE, "aws_ecs_service.a", "desired_count", "#3",
	 "#0"},
	{"RISK-CAPACITY-ZERO", MEDIUM, TN_PLAN_UPDATE, "kubernetes_deployment.a", "spec.replicas",
	 "2", "0"},
	{"RISK-CAPACITY-ZERO", MEDIUM, TN_PLAN_UPDATE, "aws_autoscaling_group.a", "min_size", "#1",
	 "#0"},
	{"RISK-CAPACITY-ZERO", ABSENT, TN_PLAN_UPDATE, "aws_autoscaling_group.a", "min_size", "#2",
	 "#10"},
	{"RISK-CAPACITY-ZERO", ABSENT, TN_PLAN_CREATE, "aws_autoscaling_group.a", "min_size", NULL,
	 "#0"},
	/* RISK-RESTART */
	{"RISK-RESTART", LOW, TN_PLAN_UPDATE, "aws_instance.a", "instance_type", "a", "b"},
	{"RISK-RESTART", LOW, TN_PLAN_UPDATE, "aws_db_instance.a", "engine_version", "1", "2"},
	{"RISK-RESTART", LOW, TN_PLAN_UPDATE, "digitalocean_droplet.a", "size", "a", "b"},
	{"RISK-RESTART", ABSENT, TN_PLAN_UPDATE, "aws_ebs_volume.a", "size", "#1", "#2"},
	{"RISK-RESTART", ABSENT, TN_PLAN_CREATE, "aws_instance.a", "instance_type", NULL, "b"},
	{"RISK-RESTART", ABSENT, TN_PLAN_UPDATE, "aws_instance.a", "tags[\"instance_type\"]", "a",
	 "b"},
};

static void test_attribute_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(attribute_cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry =
			test_add(plan, attribute_cases[i].action, attribute_cases[i].address);
		int level;

		(void)test_attr(plan, entry, attribute_cases[i].path, attribute_cases[i].before,
				attribute_cases[i].after);
		test_assess(plan);
		level = test_level(plan, attribute_cases[i].id, attribute_cases[i].address);
		if (level != attribute_cases[i].level)
			fail_msg("case %zu: %s on %s %s is %d", i, attribute_cases[i].id,
				 attribute_cases[i].address, attribute_cases[i].path, level);
		test_plan_free(plan);
	}
}

/* A statement that forbids everything grants nothing. */
static void test_deny_statement(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_iam_policy.a");

	(void)state;
	(void)test_attr(plan, entry, "policy.Statement[0].Action", NULL, "*");
	(void)test_attr(plan, entry, "policy.Statement[0].Effect", NULL, "Deny");
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-IAM", "aws_iam_policy.a"), MEDIUM);
	test_plan_free(plan);
}

/* Sensitive and unknown values look absent; that is not "turned off". */
static void test_sensitive_is_not_off(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_db_instance.a");
	struct tn_plan_attribute *attribute;

	(void)state;
	attribute = test_attr(plan, entry, "deletion_protection", "?true", NULL);
	attribute->change = TN_PLAN_ATTR_UPDATE;
	attribute->unknown = true;
	attribute = test_attr(plan, entry, "storage_encrypted", "?true", NULL);
	attribute->sensitive = true;
	test_assess(plan);
	assert_int_equal(plan->finding_count, 0);
	test_plan_free(plan);
}

/* ---- names and values ---- */

static int level_of(const char *id, const char *address, const char *path, const char *before,
		    const char *after)
{
	struct tn_plan *plan = test_plan();
	int level;

	(void)test_attr(plan, test_add(plan, TN_PLAN_UPDATE, address), path, before, after);
	test_assess(plan);
	level = test_level(plan, id, address);
	test_plan_free(plan);
	return level;
}

/* Names of versions are written in many ways; a year behind one is none. */
static void test_tls(void **state)
{
	static const struct {
		const char *before, *after;
		bool weaker;
	} cases[] = {
		{"TLS1_2", "TLS1_0", true},
		{"TLS1_0", "TLS1_2", false},
		{"1.2", "1.0", true},
		{"TLSv1.2_2021", "TLSv1_2016", true},
		{"TLSv1.2_2021", "TLSv1.2_2018", false},
		{"TLSv1", "SSLv3", true},
		{"ELBSecurityPolicy-TLS13-1-2-2021-06", "ELBSecurityPolicy-2016-08", true},
		{"ELBSecurityPolicy-TLS13-1-2-2021-06", "ELBSecurityPolicy-TLS13-1-0-2021-06",
		 true},
		{"ELBSecurityPolicy-2016-08", "ELBSecurityPolicy-TLS13-1-2-2021-06", false},
		{"strong", "weak", false}, /* of names without a version nothing is known */
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if ((level_of("RISK-ENCRYPTION-OFF", "aws_lb_listener.a", "ssl_policy",
			      cases[i].before, cases[i].after) == TN_PLAN_RISK_HIGH) !=
		    cases[i].weaker)
			fail_msg("%s to %s", cases[i].before, cases[i].after);
}

static void test_public(void **state)
{
	(void)state;
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "aws_s3_bucket_acl.a", "acl", "private",
				  "public-read"),
			 TN_PLAN_RISK_HIGH);
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "azurerm_storage_container.a",
				  "container_access_type", "private", "blob"),
			 TN_PLAN_RISK_HIGH);
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "google_storage_bucket.a",
				  "public_access_prevention", "enforced", "inherited"),
			 TN_PLAN_RISK_HIGH);
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "aws_s3_bucket_acl.a", "acl", "public-read",
				  "private"),
			 -1);
}

static void test_small_ones(void **state)
{
	(void)state;
	assert_int_equal(
		level_of("RISK-CAPACITY-ZERO", "aws_ecs_service.a", "desired_count", "#2", "#0"),
		TN_PLAN_RISK_MEDIUM);
	assert_int_equal(
		level_of("RISK-CAPACITY-ZERO", "aws_ecs_service.a", "desired_count", "#2", "#1"),
		-1);
	assert_int_equal(level_of("RISK-RESTART", "aws_instance.a", "instance_type", "a", "b"),
			 TN_PLAN_RISK_LOW);
	/* A larger disk does not restart; a tag of that name is none. */
	assert_int_equal(level_of("RISK-RESTART", "aws_ebs_volume.a", "size", "#1", "#2"), -1);
	assert_int_equal(level_of("RISK-RESTART", "aws_instance.a", "tags.instance_type", "a", "b"),
			 -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attribute_rules),
		cmocka_unit_test(test_deny_statement),
		cmocka_unit_test(test_sensitive_is_not_off),
		cmocka_unit_test(test_tls),
		cmocka_unit_test(test_public),
		cmocka_unit_test(test_small_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
