/* Settings that make an object less safe one way: data/plan-safety.tsv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/safety.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum {
	NONE = TN_PLAN_RISK_NONE,
	MEDIUM = TN_PLAN_RISK_MEDIUM,
	HIGH = TN_PLAN_RISK_HIGH,
	CRITICAL = TN_PLAN_RISK_CRITICAL
};

/* ---- one attribute each ---- */

static const struct {
	int level;
	const char *id; /* NULL: no finding at all */
	const char *address, *path, *before, *after;
} cases[] = {
	{HIGH, "RISK-KEY-OFF", "aws_kms_key.a", "is_enabled", "?true", "?false"},
	{MEDIUM, "RISK-ENCRYPTION-OFF", "aws_kms_key.a", "enable_key_rotation", "?true", "?false"},
	{MEDIUM, "RISK-DATA-PROTECT-OFF", "aws_kms_key.a", "deletion_window_in_days", "#30", "#7"},
	{HIGH, "RISK-SECURITY-OFF", "aws_cloudtrail.a", "enable_logging", "?true", "?false"},
	{HIGH, "RISK-ENCRYPTION-OFF", "aws_lb_listener.a", "protocol", "HTTPS", "HTTP"},
	{HIGH, "RISK-DATA-PROTECT-OFF", "aws_secretsmanager_secret.a", "recovery_window_in_days",
	 "#30", "#0"},
	{HIGH, "RISK-DATA-PROTECT-OFF", "aws_ecr_repository.a", "force_delete", "?false", "?true"},
	{MEDIUM, "RISK-SECURITY-OFF", "aws_ecr_repository.a", "image_tag_mutability", "IMMUTABLE",
	 "MUTABLE"},
	{HIGH, "RISK-PUBLIC-DATA", "azurerm_kubernetes_cluster.a", "private_cluster_enabled",
	 "?true", "?false"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_kubernetes_cluster.a",
	 "role_based_access_control_enabled", "?true", "?false"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_kubernetes_cluster.a", "local_account_disabled",
	 "?true", "?false"},
	{HIGH, "RISK-PUBLIC-DATA", "azurerm_container_registry.a", "anonymous_pull_enabled",
	 "?false", "?true"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_container_registry.a", "admin_enabled", "?false",
	 "?true"},
	{HIGH, "RISK-PUBLIC-DATA", "github_repository.a", "visibility", "private", "public"},
	{MEDIUM, "RISK-PUBLIC-DATA", "github_repository.a", "visibility", "private", "internal"},
	{HIGH, "RISK-SECURITY-OFF", "aws_instance.a", "metadata_options[0].http_tokens", "required",
	 "optional"},
	/* Others of the same kinds. */
	{HIGH, "RISK-SECURITY-OFF", "azurerm_storage_account.a", "shared_access_key_enabled",
	 "?false", "?true"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_cosmosdb_account.a", "local_authentication_disabled",
	 "?true", "?false"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_linux_virtual_machine.a",
	 "disable_password_authentication", "?true", "?false"},
	{HIGH, "RISK-SECURITY-OFF", "aws_eks_cluster.a", "enabled_cluster_log_types[1]", "audit",
	 NULL},
	{HIGH, "RISK-SECURITY-OFF", "aws_lb.a", "access_logs[0].enabled", "?true", "?false"},
	{HIGH, "RISK-PUBLIC-DATA", "aws_eks_cluster.a", "vpc_config[0].endpoint_public_access",
	 "?false", "?true"},
	{HIGH, "RISK-PUBLIC-DATA", "azurerm_storage_account.a", "network_rules[0].default_action",
	 "Deny", "Allow"},
	{HIGH, "RISK-ENCRYPTION-OFF", "azurerm_redis_cache.a", "non_ssl_port_enabled", "?false",
	 "?true"},
	{HIGH, "RISK-ENCRYPTION-OFF", "google_sql_database_instance.a",
	 "settings[0].ip_configuration[0].ssl_mode", "ENCRYPTED_ONLY",
	 "ALLOW_UNENCRYPTED_AND_ENCRYPTED"},
	{HIGH, "RISK-PUBLIC-DATA", "google_storage_bucket.a", "uniform_bucket_level_access",
	 "?true", "?false"},
	{HIGH, "RISK-PUBLIC-DATA", "google_container_cluster.a",
	 "private_cluster_config[0].enable_private_nodes", "?true", "?false"},
	{MEDIUM, "RISK-DATA-PROTECT-OFF", "google_storage_bucket.a",
	 "soft_delete_policy[0].retention_duration_seconds", "#604800", "#86400"},
	{HIGH, "RISK-SECURITY-OFF", "github_branch_protection.a", "enforce_admins", "?true",
	 "?false"},
	{HIGH, "RISK-SECURITY-OFF", "github_branch_protection.a", "allows_force_pushes", "?false",
	 "?true"},
	{HIGH, "RISK-SECURITY-OFF", "kubernetes_deployment.a",
	 "spec[0].template[0].spec[0].container[0].security_context[0].privileged", "?false",
	 "?true"},
	{HIGH, "RISK-SECURITY-OFF", "kubernetes_manifest.a",
	 "manifest.spec.template.spec.hostNetwork", "?false", "?true"},
	{HIGH, "RISK-PUBLIC-DATA", "azapi_resource.a", "body.properties.publicNetworkAccess",
	 "Disabled", "Enabled"},
	{MEDIUM, "RISK-DATA-PROTECT-OFF", "google_kms_crypto_key.a", "destroy_scheduled_duration",
	 "2592000s", "86400s"},
	/* A balancer of a cluster may be for its own network only. */
	{MEDIUM, "RISK-PUBLIC-DATA", "kubernetes_service.a", "spec[0].type", "ClusterIP",
	 "LoadBalancer"},
	{HIGH, "RISK-PUBLIC-DATA", "google_compute_forwarding_rule.a", "load_balancing_scheme",
	 "INTERNAL", "EXTERNAL"},
	/* A name of no row, whose end says what it is. */
	{HIGH, "RISK-ENCRYPTION-OFF", "acme_thing.a", "enable_backup_encryption", "?true",
	 "?false"},
	{HIGH, "RISK-SECURITY-OFF", "acme_thing.a", "query_logging_enabled", "?true", "?false"},
	{HIGH, "RISK-PUBLIC-DATA", "acme_thing.a", "block_public_access_enabled", "?true",
	 "?false"},
	{HIGH, "RISK-ENCRYPTION-OFF", "acme_thing.a", "skip_encryption", "?false", "?true"},
	/* A weaker way in is opened; that it is closed is no risk, although its end says auth. */
	{HIGH, "RISK-SECURITY-OFF", "azurerm_postgresql_flexible_server.a",
	 "authentication[0].password_auth_enabled", "?false", "?true"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_redis_cache.a", "access_keys_authentication_enabled",
	 "?false", "?true"},
	{HIGH, "RISK-SECURITY-OFF", "azurerm_elasticsearch.a", "http_basic_auth_enabled", "?false",
	 "?true"},
	{HIGH, "RISK-SECURITY-OFF", "acme_thing.a", "legacy_auth_enabled", "?false", "?true"},
	{HIGH, "RISK-SECURITY-OFF", "acme_thing.a", "ntlm_authentication_enabled", "?false",
	 "?true"},
	{HIGH, "RISK-SECURITY-OFF", "acme_thing.a", "shared_key_authentication_enabled", "?false",
	 "?true"},
	{HIGH, "RISK-SECURITY-OFF", "acme_thing.a", "allow_anonymous_authentication", "?false",
	 "?true"},
	{HIGH, "RISK-SECURITY-OFF", "acme_thing.a", "server_local_auth_enabled", "?false", "?true"},
	{HIGH, "RISK-ENCRYPTION-OFF", "acme_thing.a", "allow_insecure_tls", "?false", "?true"},
	{HIGH, "RISK-DATA-PROTECT-OFF", "acme_thing.a", "delete_backups", "?false", "?true"},
	/* A machine's metadata hold settings of the cloud beside what is its owner's. */
	{HIGH, "RISK-SECURITY-OFF", "google_compute_instance.a", "metadata.serial-port-enable",
	 "FALSE", "TRUE"},
	{HIGH, "RISK-SECURITY-OFF", "google_compute_instance.a", "metadata.enable-oslogin", "TRUE",
	 "FALSE"},
	{HIGH, "RISK-SECURITY-OFF", "google_compute_instance.a", "metadata.block-project-ssh-keys",
	 "TRUE", "FALSE"},
	{HIGH, "RISK-SECURITY-OFF", "google_compute_instance.a", "metadata.enable-oslogin", "TRUE",
	 NULL},
	/* The safe way, what says nothing, and what only sounds alike. */
	{NONE, NULL, "aws_kms_key.a", "is_enabled", "?false", "?true"},
	{NONE, NULL, "aws_kms_key.a", "deletion_window_in_days", "#7", "#30"},
	{NONE, NULL, "acme_thing.a", "delete_backups", "?true", "?false"},
	{NONE, NULL, "google_compute_instance.a", "metadata.serial-port-enable", "TRUE", "FALSE"},
	{NONE, NULL, "google_compute_instance.a", "metadata.enable-oslogin", "FALSE", "TRUE"},
	{NONE, NULL, "google_compute_instance.a", "metadata.block-project-ssh-keys", "FALSE",
	 "TRUE"},
	{NONE, NULL, "google_compute_instance.a", "metadata.query-logging", "TRUE", "FALSE"},
	{NONE, NULL, "acme_thing.a", "metadata.serial-port-enable", "FALSE", "TRUE"},
	{NONE, NULL, "azurerm_postgresql_flexible_server.a",
	 "authentication[0].password_auth_enabled", "?true", "?false"},
	{NONE, NULL, "azurerm_redis_cache.a", "access_keys_authentication_enabled", "?true",
	 "?false"},
	{NONE, NULL, "azurerm_elasticsearch.a", "http_basic_auth_enabled", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "legacy_auth_enabled", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "ntlm_authentication_enabled", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "shared_key_authentication_enabled", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "allow_anonymous_authentication", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "server_local_auth_enabled", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "allow_insecure_tls", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "enabled", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "skip_encryption", "?true", "?false"},
	{NONE, NULL, "acme_thing.a", "prevent_public_access", "?false", "?true"},
	{NONE, NULL, "aws_lb_listener.a", "protocol", "HTTP", "HTTPS"},
	{NONE, NULL, "aws_security_group.a", "ingress[0].protocol", "HTTPS", "HTTP"},
	{NONE, NULL, "aws_cloudwatch_log_group.a", "retention_in_days", "#30", "#0"},
	{NONE, NULL, "aws_lambda_function.a", "environment[0].variables.query_logging", "true",
	 "false"},
	{NONE, NULL, "aws_instance.a", "tags.enable_logging", "true", "false"},
	{NONE, NULL, "aws_autoscaling_group.a", "protect_from_scale_in", "?true", "?false"},
	{NONE, NULL, "github_repository.a", "visibility", "public", "private"},
	{NONE, NULL, "google_kms_crypto_key.a", "destroy_scheduled_duration", "86400s", "30d"},
};

static struct tn_plan *one_change(const char *address, enum tn_plan_action action, const char *path,
				  const char *before, const char *after)
{
	struct tn_plan *plan = test_plan();

	(void)test_attr(plan, test_add(plan, action, address), path, before, after);
	test_assess(plan);
	return plan;
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = one_change(cases[i].address, TN_PLAN_UPDATE, cases[i].path,
						  cases[i].before, cases[i].after);

		if ((int)plan->risk != cases[i].level ||
		    (cases[i].id &&
		     test_level(plan, cases[i].id, cases[i].address) != cases[i].level))
			fail_msg("case %zu: %s of %s is %d", i, cases[i].path, cases[i].address,
				 plan->risk);
		test_plan_free(plan);
	}
}

/* ---- every row ---- */

struct change {
	char before[96], after[96];
};

/* The step from the first word of the row's first order to its second one. */
static void read_order(const struct tn_plan_safety *row, struct change *change)
{
	(void)sscanf(row->order, "%95[^>]>%95[^>,]", change->before, change->after);
}

static bool is_block(const struct tn_plan_safety *row)
{
	return strchr(row->name, '{') != NULL;
}

static void risky_change(const struct tn_plan_safety *row, struct change *change)
{
	static const char *const before[] = {"?true", "?false", "#30", "#30", "a"};
	static const char *const after[] = {"?false", "?true", "#7", "#7", ""};

	if (row->risky == TN_PLAN_RISKY_ORDER) {
		read_order(row, change);
		return;
	}
	(void)snprintf(change->before, sizeof(change->before), "%s", before[row->risky]);
	(void)snprintf(change->after, sizeof(change->after), "%s", after[row->risky]);
}

static void address_of(const struct tn_plan_safety *row, char *ret, size_t size)
{
	size_t length = strlen(row->of);

	if (length > 0 && row->of[length - 1] == '*')
		(void)snprintf(ret, size, "%.*sx.a", (int)length - 1, row->of);
	else
		(void)snprintf(ret, size, "%s.a", length > 0 ? row->of : "acme_thing");
}

/* "*_x" of a name that has a part in front, "." of what is called enabled. */
static void path_of(const struct tn_plan_safety *row, char *ret, size_t size)
{
	if (strcmp(row->name, ".") == 0)
		(void)snprintf(ret, size, "enabled");
	else if (is_block(row))
		(void)snprintf(ret, size, "%.*s[0].thing", (int)strlen(row->name) - 2, row->name);
	else
		(void)snprintf(ret, size, "%s%s", row->name[0] == '*' ? "my" : "",
			       row->name + (row->name[0] == '*'));
}

/* What goes the risky way is found, and what goes back is not. */
static void test_every_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < tn_plan_safety_count; i++) {
		const struct tn_plan_safety *row = &tn_plan_safety_table[i];
		bool silent =
			row->meaning == TN_PLAN_MEANS_NONE || row->meaning == TN_PLAN_MEANS_EXPIRES;
		char address[128], path[128];
		struct change change;
		struct tn_plan *plan;

		if (row->meaning == TN_PLAN_MEANS_EXPIRES)
			continue; /* more than one attribute decides */
		address_of(row, address, sizeof(address));
		path_of(row, path, sizeof(path));
		risky_change(row, &change);
		plan = one_change(address, TN_PLAN_UPDATE, path, change.before,
				  is_block(row) ? NULL : change.after);
		if ((plan->risk == TN_PLAN_RISK_NONE) != silent)
			fail_msg("%s of %s: %d", path, address, plan->risk);
		test_plan_free(plan);
		if (row->risky == TN_PLAN_RISKY_GONE)
			continue;
		plan = one_change(address, TN_PLAN_UPDATE, path, change.after, change.before);
		if (plan->risk != TN_PLAN_RISK_NONE && row->meaning != TN_PLAN_MEANS_LOCK)
			fail_msg("back: %s of %s: %d", path, address, plan->risk);
		test_plan_free(plan);
	}
}

/* A block that loses one of its settings is still there. */
static void test_blocks(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_s3_bucket.a");

	(void)state;
	(void)test_attr(plan, entry, "logging[0].target_bucket", "b", NULL);
	(void)test_attr(plan, entry, "logging[0].target_prefix", "p", NULL);
	(void)test_attr(plan, entry, "tags.a", "1", NULL);
	test_assess(plan);
	assert_int_equal(plan->finding_count, 1);
	assert_int_equal(test_level(plan, "RISK-SECURITY-OFF", "aws_s3_bucket.a"), HIGH);
	entry->attributes.items[1].change = TN_PLAN_ATTR_UPDATE;
	test_assess(plan);
	assert_int_equal(plan->risk, NONE);
	test_plan_free(plan);
}

/* What goes with a block that was off is nothing; one that holds a little may go only loudly. */
static void test_blocks_off(void **state)
{
	static const struct {
		int level;
		struct {
			const char *path, *before;
		} attributes[3];
	} blocks[] = {
		{NONE, {{"auth_settings[0].enabled", "?false"}}},
		{NONE, {{"auth_settings.a", "x"}, {"auth_settings.enabled", "#0"}}},
		{HIGH, {{"auth_settings.a", "x"}, {"auth_settings.enabled", "#1"}}},
		{NONE, {{"access_logs[0].b", "x"}, {"access_logs[0].enabled", "?false"}}},
		{HIGH, {{"access_logs[0].b", "x"}}},
		{NONE, {{"network_rules[0].default_action", "Allow"}}},
		{HIGH, {{"network_rules[0].default_action", "Deny"}}},
		{NONE, {{"database_encryption[0].state", "DECRYPTED"}}},
		{HIGH, {{"database_encryption[0].state", "ENCRYPTED"}}},
		{NONE, {{"soft_delete_policy[0].retention_duration_seconds", "#0"}}},
		{HIGH, {{"soft_delete_policy[0].retention_duration_seconds", "#9"}}},
		{NONE, {{"private_cluster_config[0].enable_private_nodes", "?false"}}},
		{HIGH,
		 {{"private_cluster_config[0].enable_private_endpoint", "?false"},
		  {"private_cluster_config[0].enable_private_nodes", "?true"}}},
		{HIGH,
		 {{"encryption_configuration[0].encryption_type", "AES256"},
		  {"encryption_configuration[0].kms_key", ""}}},
		{HIGH, {{"delete_retention_policy[0].days", "#7"}}},
		{NONE, {{"delete_retention_policy[0].days", "#0"}}},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(blocks); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "acme_thing.a");

		for (size_t j = 0; j < 3 && blocks[i].attributes[j].path; j++)
			(void)test_attr(plan, entry, blocks[i].attributes[j].path,
					blocks[i].attributes[j].before, NULL);
		test_assess(plan);
		if ((int)plan->risk != blocks[i].level)
			fail_msg("case %zu: %d", i, plan->risk);
		test_plan_free(plan);
	}
}

/* A server's settings are named beside their values; another place in the list is no change. */
static void test_parameters(void **state)
{
	static const struct {
		int level;
		const char *address;
		struct {
			const char *path, *before, *after;
		} attributes[4];
	} lists[] = {
		{HIGH,
		 "aws_db_parameter_group.a",
		 {{"parameter[0].name", "rds.force_ssl", "rds.force_ssl"},
		  {"parameter[0].value", "1", "0"}}},
		{HIGH,
		 "aws_db_parameter_group.a",
		 {{"parameter[0].name", "rds.force_ssl", NULL}, {"parameter[0].value", "1", NULL}}},
		{HIGH,
		 "azurerm_postgresql_flexible_server_configuration.a",
		 {{"name", "require_secure_transport", "require_secure_transport"},
		  {"value", "on", "off"}}},
		{HIGH,
		 "google_sql_database_instance.a",
		 {{"settings[0].database_flags[0].name", "log_connections", "log_connections"},
		  {"settings[0].database_flags[0].value", "on", "off"}}},
		{NONE,
		 "aws_db_parameter_group.a",
		 {{"parameter[0].name", "rds.force_ssl", "work_mem"},
		  {"parameter[0].value", "1", "64"},
		  {"parameter[1].name", "work_mem", "rds.force_ssl"},
		  {"parameter[1].value", "64", "1"}}},
		{NONE,
		 "aws_db_parameter_group.a",
		 {{"parameter[0].name", "rds.force_ssl", "rds.force_ssl"},
		  {"parameter[0].value", "0", "1"}}},
		{NONE,
		 "aws_ecs_task_definition.a",
		 {{"container[0].environment[0].name", "force_ssl", "force_ssl"},
		  {"container[0].environment[0].value", "1", "0"}}},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, lists[i].address);

		for (size_t j = 0; j < 4 && lists[i].attributes[j].path; j++)
			(void)test_attr(plan, entry, lists[i].attributes[j].path,
					lists[i].attributes[j].before,
					lists[i].attributes[j].after);
		test_assess(plan);
		if ((int)plan->risk != lists[i].level)
			fail_msg("case %zu: %d", i, plan->risk);
		test_plan_free(plan);
	}
}

/* Nothing is taken away from what is new; what is public from the start is public. */
static void test_new_objects(void **state)
{
	struct tn_plan *plan =
		one_change("github_repository.a", TN_PLAN_CREATE, "visibility", NULL, "public");

	(void)state;
	assert_int_equal(plan->risk, HIGH);
	test_plan_free(plan);
	plan = one_change("aws_instance.a", TN_PLAN_CREATE, "associate_public_ip_address", NULL,
			  "?true");
	assert_int_equal(plan->risk, NONE);
	test_plan_free(plan);
	plan = one_change("google_storage_bucket.a", TN_PLAN_CREATE, "uniform_bucket_level_access",
			  NULL, "?false");
	assert_int_equal(plan->risk, NONE);
	test_plan_free(plan);
	plan = one_change("aws_ecr_repository.a", TN_PLAN_CREATE, "force_delete", NULL, "?true");
	assert_int_equal(plan->risk, NONE);
	test_plan_free(plan);
	plan = one_change("aws_lb_listener.a", TN_PLAN_CREATE, "protocol", NULL, "HTTP");
	assert_int_equal(plan->risk, NONE);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),      cmocka_unit_test(test_every_row),
		cmocka_unit_test(test_blocks),     cmocka_unit_test(test_blocks_off),
		cmocka_unit_test(test_parameters), cmocka_unit_test(test_new_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
