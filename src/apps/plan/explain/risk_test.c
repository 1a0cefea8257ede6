/* Every rule of plan.md section 8, each with a case that must be found and one that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/wording_test.h"
#include "base/size.h"

enum {
	NONE = TN_PLAN_RISK_NONE,
	LOW = TN_PLAN_RISK_LOW,
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

/* ---- rules about one attribute ---- */

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

/* ---- RISK-ACCESS-OPEN ---- */

struct pair {
	const char *path, *before, *after;
};

static const struct {
	int level;
	enum tn_plan_action action;
	const char *address;
	struct pair attributes[6];
} access_cases[] = {
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress[0].from_port", NULL, "#22"},
	  {"ingress[0].protocol", NULL, "tcp"},
	  {"ingress[0].to_port", NULL, "#22"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress[0].from_port", NULL, "#443"},
	  {"ingress[0].to_port", NULL, "#443"}}},
	/* The range holds 3306. */
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress.ipv6_cidr_blocks[0]", NULL, "::/0"},
	  {"ingress.from_port", NULL, "#3000"},
	  {"ingress.to_port", NULL, "#4000"}}},
	/* All protocols. */
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress.cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress.from_port", NULL, "#0"},
	  {"ingress.protocol", NULL, "-1"},
	  {"ingress.to_port", NULL, "#0"}}},
	/* Ports of another rule do not count. */
	{HIGH,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", NULL, "10.0.0.0/8"},
	  {"ingress[0].from_port", NULL, "#22"},
	  {"ingress[1].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress[1].from_port", NULL, "#443"},
	  {"ingress[1].to_port", NULL, "#443"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"egress[0].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"egress[0].from_port", NULL, "#0"},
	  {"egress[0].protocol", NULL, "-1"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", NULL, "0.0.0.0/0"}, {"type", NULL, "egress"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"from_port", NULL, "#0"},
	  {"to_port", NULL, "#65535"},
	  {"type", NULL, "ingress"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_vpc_security_group_egress_rule.a",
	 {{"cidr_ipv4", NULL, "0.0.0.0/0"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "aws_vpc_security_group_ingress_rule.a",
	 {{"cidr_ipv4", NULL, "0.0.0.0/0"}, {"from_port", NULL, "#80"}, {"to_port", NULL, "#80"}}},
	/* Narrowed, or never open. */
	{ABSENT,
	 TN_PLAN_UPDATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", "0.0.0.0/0", "10.0.0.0/8"}}},
	{ABSENT,
	 TN_PLAN_UPDATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", "0.0.0.0/0", NULL}}},
	{ABSENT,
	 TN_PLAN_DELETE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", "0.0.0.0/0", NULL}}},
	/* It was open before; now other ports are. */
	{CRITICAL,
	 TN_PLAN_UPDATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", "0.0.0.0/0", "0.0.0.0/0"},
	  {"from_port", "#443", "#22"},
	  {"to_port", "#443", "#22"}}},
	{ABSENT,
	 TN_PLAN_UPDATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", "0.0.0.0/0", "0.0.0.0/0"}, {"description", "a", "b"}}},
	/* Never tags or descriptions, nor keys that are spelled like attributes. */
	{ABSENT,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"tags[\"cidr_blocks\"]", NULL, "0.0.0.0/0"},
	  {"tags.cidr_blocks", NULL, "0.0.0.0/0"},
	  {"description", NULL, "0.0.0.0/0"},
	  {"ingress[0].description", NULL, "0.0.0.0/0"},
	  {"labels.source_ranges", NULL, "0.0.0.0/0"}}},
	{ABSENT, TN_PLAN_CREATE, "aws_route.a", {{"destination_cidr_block", NULL, "0.0.0.0/0"}}},
	{ABSENT, TN_PLAN_CREATE, "aws_subnet.a", {{"cidr_block", NULL, "0.0.0.0/0"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_network_acl_rule.a",
	 {{"cidr_block", NULL, "0.0.0.0/0"},
	  {"protocol", NULL, "-1"},
	  {"rule_action", NULL, "allow"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "aws_network_acl_rule.a",
	 {{"cidr_block", NULL, "0.0.0.0/0"}, {"rule_action", NULL, "deny"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_network_acl_rule.a",
	 {{"cidr_block", NULL, "0.0.0.0/0"}, {"egress", NULL, "?true"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.ports[0]", NULL, "22"},
	  {"allow.protocol", NULL, "tcp"},
	  {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.ports[0]", NULL, "80"},
	  {"allow.protocol", NULL, "tcp"},
	  {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.protocol", NULL, "tcp"}, {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.protocol", NULL, "icmp"}, {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"deny.protocol", NULL, "all"}, {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"destination_ranges[0]", NULL, "0.0.0.0/0"}, {"direction", NULL, "EGRESS"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Allow"},
	  {"destination_port_range", NULL, "443"},
	  {"direction", NULL, "Inbound"},
	  {"source_address_prefix", NULL, "Internet"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Allow"},
	  {"destination_port_range", NULL, "*"},
	  {"direction", NULL, "Inbound"},
	  {"source_address_prefix", NULL, "*"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Deny"}, {"source_address_prefix", NULL, "*"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Allow"},
	  {"direction", NULL, "Outbound"},
	  {"source_address_prefix", NULL, "*"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"destination_address_prefix", NULL, "*"},
	  {"source_address_prefix", NULL, "10.0.0.0/8"},
	  {"source_port_range", NULL, "*"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "azurerm_mssql_firewall_rule.a",
	 {{"end_ip_address", NULL, "255.255.255.255"}, {"start_ip_address", NULL, "0.0.0.0"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "azurerm_mssql_firewall_rule.a",
	 {{"end_ip_address", NULL, "0.0.0.0"}, {"start_ip_address", NULL, "0.0.0.0"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "hcloud_firewall.a",
	 {{"rule.direction", NULL, "in"},
	  {"rule.port", NULL, "22"},
	  {"rule.source_ips[0]", NULL, "0.0.0.0/0"},
	  {"rule.source_ips[1]", NULL, "::/0"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_sql_database_instance.a",
	 {{"settings.ip_configuration.authorized_networks[0].value", NULL, "0.0.0.0/0"}}},
	{ABSENT, TN_PLAN_UPDATE, "null_resource.a", {{"triggers.value", NULL, "*"}}},
};

static void test_access_open(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(access_cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry =
			test_add(plan, access_cases[i].action, access_cases[i].address);
		int level;

		for (size_t j = 0; j < 6 && access_cases[i].attributes[j].path; j++)
			(void)test_attr(plan, entry, access_cases[i].attributes[j].path,
					access_cases[i].attributes[j].before,
					access_cases[i].attributes[j].after);
		test_assess(plan);
		level = test_level(plan, "RISK-ACCESS-OPEN", access_cases[i].address);
		if (level != access_cases[i].level)
			fail_msg("case %zu: %s is %d", i, access_cases[i].address, level);
		test_plan_free(plan);
	}
}

/* One finding a rule, with the address as evidence. */
static void test_access_evidence(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "hcloud_firewall.a");

	(void)state;
	(void)test_attr(plan, entry, "rule.source_ips[0]", NULL, "0.0.0.0/0");
	(void)test_attr(plan, entry, "rule.source_ips[1]", NULL, "::/0");
	test_assess(plan);
	assert_int_equal(plan->finding_count, 1);
	assert_true(tn_str_is(plan->findings[0].path, "rule.source_ips[0]"));
	assert_true(tn_str_is(plan->findings[0].after.text, "0.0.0.0/0"));
	assert_int_equal(plan->findings[0].before.kind, TN_PLAN_VALUE_NONE);
	test_plan_free(plan);
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
		cmocka_unit_test(test_entry_rules),
		cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_attribute_rules),
		cmocka_unit_test(test_deny_statement),
		cmocka_unit_test(test_sensitive_is_not_off),
		cmocka_unit_test(test_access_open),
		cmocka_unit_test(test_access_evidence),
		cmocka_unit_test(test_dns_record_moves),
		cmocka_unit_test(test_visible_causes),
		cmocka_unit_test(test_import_destroy),
		cmocka_unit_test(test_many_deletes),
		cmocka_unit_test(test_drift_revert),
		cmocka_unit_test(test_whole_plan),
		cmocka_unit_test(test_order_and_levels),
		cmocka_unit_test(test_full_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
