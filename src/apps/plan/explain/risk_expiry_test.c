/* RISK-DATA-EXPIRES: rules that delete what is stored, and settings that keep it for a shorter
 * time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/wording_kit.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

enum {
	NONE = TN_PLAN_RISK_NONE,
	MEDIUM = TN_PLAN_RISK_MEDIUM,
	HIGH = TN_PLAN_RISK_HIGH,
	CRITICAL = TN_PLAN_RISK_CRITICAL
};

/* ---- rules ---- */

static const struct {
	int level;
	enum tn_plan_action action;
	const char *address;
	struct {
		const char *path, *before, *after;
	} attributes[5];
} cases[] = {
	{CRITICAL,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#90", "#1"},
	  {"rule[0].filter[0].prefix", "logs/", ""},
	  {"rule[0].status", "Enabled", "Enabled"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#90", "#90"},
	  {"rule[0].filter[0].prefix", "logs/", ""},
	  {"rule[0].status", "Enabled", "Enabled"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", NULL, "#1"},
	  {"rule[0].filter[0].prefix", NULL, ""},
	  {"rule[0].status", NULL, "Enabled"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#90", "#1"},
	  {"rule[0].filter[0].prefix", "logs/", "logs/"}}},
	{NONE,
	 TN_PLAN_CREATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", NULL, "#1"}, {"rule[0].status", NULL, "Disabled"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#1", "#90"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#30"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "SetStorageClass"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#30"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "azurerm_storage_management_policy.a",
	 {{"rule[0].actions[0].base_blob[0].delete_after_days_since_modification_greater_than",
	   "#90", "#1"},
	  {"rule[0].filters[0].prefix_match[0]", "logs/", "logs/"}}},
	/* From one part to another, in the same time. */
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#90", "#90"},
	  {"rule[0].filter[0].prefix", "logs/", "data/"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#90", "#90"}, {"rule[0].filter[0].prefix", "", "data/"}}},
	/* A rule is switched on; a filter by tags. */
	{CRITICAL,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#1", "#1"}, {"rule[0].status", "Disabled", "Enabled"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", NULL, "#1"},
	  {"rule[0].filter[0].tag[0].value", NULL, "x"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].date", NULL, "2026-01-01T00:00:00Z"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].date", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"}}},
	/* The rules change places: another one deleted as much before. */
	{NONE,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#365", "#30"},
	  {"rule[0].filter[0].prefix", "a/", "b/"},
	  {"rule[1].expiration[0].days", "#30", "#365"},
	  {"rule[1].filter[0].prefix", "b/", "a/"}}},
	/* What was overwritten already. */
	{MEDIUM,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].noncurrent_version_expiration[0].noncurrent_days", NULL, "#30"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].noncurrent_version_expiration[0].noncurrent_days", "#30", "#90"}}},
	{MEDIUM,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#0"},
	  {"lifecycle_rule[0].condition[0].num_newer_versions", NULL, "#3"}}},
	{MEDIUM,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#7"},
	  {"lifecycle_rule[0].condition[0].with_state", NULL, "ARCHIVED"}}},
	/* As clouds print what nobody asked for. */
	{CRITICAL,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#1"},
	  {"lifecycle_rule[0].condition[0].created_before", NULL, ""},
	  {"lifecycle_rule[0].condition[0].num_newer_versions", NULL, "#0"},
	  {"lifecycle_rule[0].condition[0].with_state", NULL, "ANY"}}},
	{CRITICAL,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#0"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "AbortIncompleteMultipartUpload"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#1"}}},
	{NONE,
	 TN_PLAN_CREATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", NULL, "#1"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "azurerm_storage_management_policy.a",
	 {{"storage_account_id", NULL, "/subscriptions/1/acme"},
	  {"rule[0].actions[0].base_blob[0].delete_after_days_since_creation_greater_than", NULL,
	   "#-1"},
	  {"rule[0].actions[0].base_blob[0].delete_after_days_since_modification_greater_than",
	   NULL, "#1"},
	  {"rule[0].enabled", NULL, "?true"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "azurerm_storage_management_policy.a",
	 {{"rule[0].actions[0].base_blob[0].delete_after_days_since_modification_greater_than",
	   "#30", "#-1"}}},
	{MEDIUM,
	 TN_PLAN_UPDATE,
	 "azurerm_storage_management_policy.a",
	 {{"rule[0].actions[0].snapshot[0].delete_after_days_since_creation_greater_than", "#90",
	   "#7"}}},
	/* Images. */
	{HIGH,
	 TN_PLAN_REPLACE,
	 "aws_ecr_lifecycle_policy.a",
	 {{"policy.rules[0].selection.countNumber", "#100", "#1"},
	  {"policy.rules[0].selection.tagStatus", "any", "any"}}},
	{MEDIUM,
	 TN_PLAN_CREATE,
	 "aws_ecr_lifecycle_policy.a",
	 {{"policy.rules[0].selection.countNumber", NULL, "#14"},
	  {"policy.rules[0].selection.tagStatus", NULL, "untagged"},
	  {"repository", NULL, "app"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "google_artifact_registry_repository.a",
	 {{"cleanup_policies[0].action", NULL, "KEEP"},
	  {"cleanup_policies[0].condition[0].older_than", NULL, "604800s"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_artifact_registry_repository.a",
	 {{"cleanup_policies[0].action", NULL, "DELETE"},
	  {"cleanup_policies[0].condition[0].older_than", "30d", "604800s"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "google_bigtable_gc_policy.a",
	 {{"max_age[0].duration", NULL, "24h"}, {"table", NULL, "events"}}},
	/* A filter falls away, whichever it is, and where the age stays. */
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#3", "#3"},
	  {"rule[0].filter[0].and[0].tags[\"t\"]", "1", NULL}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "azurerm_storage_management_policy.a",
	 {{"rule[0].actions[0].base_blob[0].delete_after_days_since_creation_greater_than", "#9",
	   "#9"},
	  {"rule[0].filters[0].match_blob_index_tag[0].name", "t", NULL},
	  {"rule[0].filters[0].match_blob_index_tag[0].value", "1", NULL}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", "SetStorageClass", "Delete"},
	  {"lifecycle_rule[0].condition[0].age", "#30", "#30"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_storage_bucket.a",
	 {{"lifecycle_rule[0].action[0].type", "Delete", "Delete"},
	  {"lifecycle_rule[0].condition[0].age", "#30", "#30"},
	  {"lifecycle_rule[0].condition[0].num_newer_versions", "#3", "#0"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "aws_ecr_lifecycle_policy.a",
	 {{"policy.rules[0].selection.countNumber", "#9", "#9"},
	  {"policy.rules[0].selection.tagStatus", "untagged", "any"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_artifact_registry_repository.a",
	 {{"cleanup_policies[0].action", "KEEP", "DELETE"},
	  {"cleanup_policies[0].condition[0].older_than", "30d", "30d"}}},
	{NONE,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].expiration[0].days", "#3", "#3"},
	  {"rule[0].filter[0].prefix", "tmp/", NULL},
	  {"rule[0].filter[0].and[0].prefix", NULL, "tmp/"},
	  {"rule[0].filter[0].and[0].tags[\"t\"]", NULL, "1"}}},
	{MEDIUM,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].status", "Disabled", "Enabled"},
	  {"rule[0].noncurrent_version_expiration[0].noncurrent_days", "#30", "#30"}}},
	{MEDIUM,
	 TN_PLAN_UPDATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"rule[0].noncurrent_version_expiration[0].noncurrent_days", "#30", "#30"},
	  {"rule[0].noncurrent_version_expiration[0].newer_noncurrent_versions", "#5", "#1"}}},
	/* Only what marks a deletion is removed. */
	{NONE,
	 TN_PLAN_CREATE,
	 "aws_s3_bucket_lifecycle_configuration.a",
	 {{"bucket", NULL, "b"},
	  {"rule[0].expiration[0].days", NULL, "#0"},
	  {"rule[0].expiration[0].expired_object_delete_marker", NULL, "?true"},
	  {"rule[0].status", NULL, "Enabled"}}},
	/* Which kinds of blobs. */
	{HIGH,
	 TN_PLAN_CREATE,
	 "azurerm_storage_management_policy.a",
	 {{"rule[0].actions[0].base_blob[0].delete_after_days_since_creation_greater_than", NULL,
	   "#1"},
	  {"rule[0].filters[0].blob_types[0]", NULL, "appendBlob"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "azurerm_storage_management_policy.a",
	 {{"rule[0].actions[0].base_blob[0].delete_after_days_since_creation_greater_than", NULL,
	   "#1"},
	  {"rule[0].filters[0].blob_types[0]", NULL, "blockBlob"}}},
};

static void test_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, cases[i].action, cases[i].address);
		int level;

		for (size_t j = 0; j < 5 && cases[i].attributes[j].path; j++)
			(void)test_attr(plan, entry, cases[i].attributes[j].path,
					cases[i].attributes[j].before,
					cases[i].attributes[j].after);
		test_assess(plan);
		level = test_level(plan, "RISK-DATA-EXPIRES", cases[i].address);
		if ((level < 0 ? NONE : level) != cases[i].level)
			fail_msg("case %zu: %d", i, level);
		test_plan_free(plan);
	}
}

/* One rule is one danger, however many of its settings change; the evidence is the age. */
static void test_once(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "google_storage_bucket.a");

	(void)state;
	(void)test_attr(plan, entry, "lifecycle_rule[0].action[0].type", NULL, "Delete");
	(void)test_attr(plan, entry, "lifecycle_rule[0].condition[0].created_before", NULL, "");
	(void)test_attr(plan, entry, "lifecycle_rule[0].condition[0].age", NULL, "#7");
	(void)test_attr(plan, entry, "lifecycle_rule[0].condition[0].matches_prefix[0]", NULL, "a");
	test_assess(plan);
	assert_int_equal(plan->finding_count, 1);
	assert_true(tn_str_is(plan->findings[0].path, "lifecycle_rule[0].condition[0].age"));
	test_plan_free(plan);
}

/* The bucket is made in the same plan: its name is not known yet, or that of what is created. */
static void test_new_stores(void **state)
{
	static const struct {
		const char *bucket; /* of the rules; NULL: known after applying */
		const char *created;
		int level;
	} stores[] = {
		{NULL, "b", NONE}, {"b", "b", NONE}, {"b", "c", CRITICAL}, {"b", NULL, CRITICAL}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(stores); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *rules =
			test_add(plan, TN_PLAN_CREATE, "aws_s3_bucket_lifecycle_configuration.a");

		test_attr(plan, rules, "bucket", NULL, stores[i].bucket)->unknown =
			!stores[i].bucket;
		(void)test_attr(plan, rules, "rule[0].expiration[0].days", NULL, "#1");
		if (stores[i].created)
			(void)test_attr(plan, test_add(plan, TN_PLAN_CREATE, "aws_s3_bucket.x"),
					"bucket", NULL, stores[i].created);
		test_assess(plan);
		if ((int)plan->risk != stores[i].level)
			fail_msg("case %zu: %d", i, plan->risk);
		test_plan_free(plan);
	}
}

/* A text does not print what stays: there may be a filter. */
static void test_hidden(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry =
		test_add(plan, TN_PLAN_UPDATE, "aws_s3_bucket_lifecycle_configuration.a");

	(void)state;
	entry->hidden_blocks = 1;
	(void)test_attr(plan, entry, "rule.expiration.days", "#90", "#1");
	test_assess(plan);
	assert_int_equal(plan->risk, HIGH);
	assert_true(test_contains(plan->findings[0].detail, "What falls under its rule"));
	/* A rule that is new is printed whole. */
	(void)test_attr(plan, entry, "rule[1].expiration.days", NULL, "#1");
	test_assess(plan);
	assert_int_equal(plan->risk, CRITICAL);
	test_plan_free(plan);
}

/* ---- what is kept for a shorter time ---- */

static const char logs[] = "Logs older than the new limit are deleted, existing ones, too.";
static const char messages[] = "Messages older than the new limit are deleted, read or not.";
static const char ages[] = "Data older than the new limit is deleted, also what is there now.";
static const char later[] =
	"What is made there from now on is deleted when it is older than the new limit.";
static const char back[] = "What is deleted can be brought back for a shorter time.";
static const char backups[] = "It can be restored to a shorter past: older backups are not kept.";
static const char kept[] = "What it keeps is kept for a shorter time.";

static const struct {
	const char *detail; /* NULL: nothing is found */
	const char *address, *path, *before, *after;
} settings[] = {
	{logs, "aws_cloudwatch_log_group.a", "retention_in_days", "#365", "#1"},
	{logs, "aws_cloudwatch_log_group.a", "retention_in_days", "#0", "#1"},
	{logs, "aws_cloudtrail_event_data_store.a", "retention_period", "#2557", "#7"},
	{logs, "azurerm_log_analytics_workspace.a", "retention_in_days", "#365", "#30"},
	{logs, "azurerm_application_insights.a", "retention_in_days", "#365", "#30"},
	{logs, "azurerm_monitor_diagnostic_setting.a", "log[0].retention_policy[0].days", "#0",
	 "#5"},
	{logs, "google_logging_project_bucket_config.a", "retention_days", "#365", "#30"},
	{messages, "aws_sqs_queue.a", "message_retention_seconds", "#1209600", "#60"},
	{messages, "aws_kinesis_stream.a", "retention_period", "#168", "#24"},
	{messages, "azurerm_eventhub.a", "message_retention", "#7", "#1"},
	{messages, "google_pubsub_subscription.a", "message_retention_duration", "604800s", "600s"},
	{messages, "kafka_topic.a", "config[\"retention.ms\"]", "-1", "60000"},
	{ages, "azurerm_cosmosdb_sql_container.a", "default_ttl", NULL, "#3600"},
	{ages, "azurerm_cosmosdb_sql_container.a", "default_ttl", "#-1", "#3600"},
	{ages, "azurerm_kusto_database.a", "soft_delete_period", "P365D", "P7D"},
	{ages, "google_bigquery_table.a", "time_partitioning[0].expiration_ms", "#0", "#86400000"},
	{"Entries whose time is over are deleted, existing ones, too.", "aws_dynamodb_table.a",
	 "ttl[0].enabled", "?false", "?true"},
	{"It is deleted itself, with all that it holds, when that time comes.",
	 "google_bigquery_table.a", "expiration_time", "#0", "#1767225600000"},
	{later, "google_bigquery_dataset.a", "default_table_expiration_ms", NULL, "#3600000"},
	{later, "google_bigquery_dataset.a", "default_partition_expiration_ms", "#9", "#8"},
	{later, "azurerm_servicebus_queue.a", "default_message_ttl", "P14D", "PT1H"},
	{back, "azurerm_storage_account.a", "blob_properties[0].delete_retention_policy[0].days",
	 "#30", "#7"},
	{back, "azurerm_storage_account.a", "share_properties[0].retention_policy[0].days", "#30",
	 "#7"},
	{back, "azurerm_key_vault.a", "soft_delete_retention_days", "#90", "#7"},
	{back, "aws_kms_key.a", "deletion_window_in_days", "#30", "#7"},
	{back, "aws_secretsmanager_secret.a", "recovery_window_in_days", "#30", "#7"},
	{back, "google_storage_bucket.a", "soft_delete_policy[0].retention_duration_seconds",
	 "#604800", "#86400"},
	{backups, "aws_db_instance.a", "backup_retention_period", "#30", "#1"},
	{backups, "aws_elasticache_replication_group.a", "snapshot_retention_limit", "#30", "#1"},
	{backups, "aws_backup_plan.a", "rule[0].lifecycle[0].delete_after", "#365", "#7"},
	{backups, "azurerm_postgresql_flexible_server.a", "backup_retention_days", "#35", "#7"},
	{backups, "google_sql_database_instance.a",
	 "settings[0].backup_configuration[0].backup_retention_settings[0].retained_backups", "#30",
	 "#3"},
	{kept, "acme_thing.a", "retention_in_days", "#30", "#7"},
	/* Longer, without a limit, or as new as the object. */
	{NULL, "aws_cloudwatch_log_group.a", "retention_in_days", "#30", "#90"},
	{NULL, "aws_cloudwatch_log_group.a", "retention_in_days", "#30", "#0"},
	{NULL, "aws_cloudwatch_log_group.a", "retention_in_days", "#30", NULL},
	{NULL, "google_bigquery_dataset.a", "default_table_expiration_ms", "#9", NULL},
	{NULL, "azurerm_cosmosdb_sql_container.a", "default_ttl", "#3600", "#-1"},
	{NULL, "aws_dynamodb_table.a", "ttl[0].enabled", "?true", "?false"},
	{NULL, "acme_thing.a", "config[\"retention.ms\"]", "9", "8"},
	{NULL, "azurerm_servicebus_queue.a", "default_message_ttl", "PT1H", "P14D"},
};

static void test_settings(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(settings); i++) {
		const char *detail = settings[i].detail;
		bool lost = detail != back && detail != backups && detail != kept;
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, settings[i].address);

		(void)test_attr(plan, entry, settings[i].path, settings[i].before,
				settings[i].after);
		test_assess(plan);
		if (plan->finding_count != (settings[i].detail != NULL))
			fail_msg("case %zu: %u findings", i, plan->finding_count);
		if (settings[i].detail) {
			const struct tn_plan_finding *finding = &plan->findings[0];

			assert_str(finding->detail, settings[i].detail);
			assert_string_equal(finding->id,
					    lost ? "RISK-DATA-EXPIRES" : "RISK-DATA-PROTECT-OFF");
			assert_int_equal(finding->level, lost ? HIGH : MEDIUM);
			entry->action = TN_PLAN_CREATE; /* it holds nothing yet */
			test_assess(plan);
			assert_int_equal(plan->risk, NONE);
		}
		test_plan_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),      cmocka_unit_test(test_once),
		cmocka_unit_test(test_new_stores), cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
