/* The row of data/plan-safety.tsv for an attribute: by its name, its block, its type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/safety.h"
#include "base/size.h"

enum { NONE = TN_PLAN_MEANS_COUNT }; /* no row */

static const struct {
	const char *type, *path;
	unsigned meaning;
	bool turned;
} cases[] = {
	/* Without the words that only say that it is a switch; disable turns it around. */
	{"acme_thing", "deletion_protection", TN_PLAN_MEANS_SAFEGUARD, false},
	{"acme_thing", "enable_deletion_protection", TN_PLAN_MEANS_SAFEGUARD, false},
	{"acme_thing", "deletionProtectionEnabled", TN_PLAN_MEANS_SAFEGUARD, false},
	{"acme_thing", "deletion_protection_disabled", TN_PLAN_MEANS_SAFEGUARD, true},
	{"acme_thing", "skip_encryption", TN_PLAN_MEANS_ENCRYPTION, true},
	/* By its block, and as the block where it is only a switch. */
	{"aws_s3_bucket", "versioning[0].enabled", TN_PLAN_MEANS_SAFEGUARD, false},
	{"aws_s3_bucket", "versioning[0].status", TN_PLAN_MEANS_SAFEGUARD, false},
	{"azurerm_storage_account", "network_rules[0].default_action", TN_PLAN_MEANS_REACHABLE,
	 false},
	{"aws_kms_key", "is_enabled", TN_PLAN_MEANS_KEY_OFF, false},
	{"acme_thing", "enabled", NONE, false},
	/* The row of its own type before the one of all. */
	{"aws_cloudwatch_log_group", "retention_in_days", TN_PLAN_MEANS_LOGS, false},
	{"aws_cloudwatch_query", "retention_in_days", TN_PLAN_MEANS_LOGS, false},
	{"acme_thing", "retention_in_days", TN_PLAN_MEANS_KEPT, false},
	{"aws_kinesis_stream", "retention_period", TN_PLAN_MEANS_MESSAGES, false},
	{"google_storage_bucket", "retention_policy[0].retention_period", TN_PLAN_MEANS_HELD,
	 false},
	{"aws_db_instance", "backup_retention_period", TN_PLAN_MEANS_BACKUPS, false},
	/* The end of a longer name; the longer the end, the better. */
	{"acme_thing", "nightly_backup_retention_days", TN_PLAN_MEANS_BACKUPS, false},
	{"acme_thing", "trace_retention_days", TN_PLAN_MEANS_KEPT, false},
	/* What people call theirs is theirs. */
	{"aws_lambda_function", "environment[0].variables.deletion_protection", NONE, false},
	{"acme_thing", "tags.deletion_protection", NONE, false},
	{"acme_thing", "config[\"retention.ms\"]", NONE, false},
	{"kafka_topic", "config[\"retention.ms\"]", TN_PLAN_MEANS_MESSAGES, false},
	{"kafka_topic", "config[\"cleanup.policy\"]", NONE, false},
	{"acme_thing", "", NONE, false},
};

static void test_find(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		bool turned = false;
		const struct tn_plan_safety *row = tn_plan_safety_find(
			tn_str_from(cases[i].type), tn_str_from(cases[i].path), &turned);

		if ((row ? row->meaning : NONE) != cases[i].meaning ||
		    (row && turned != cases[i].turned))
			fail_msg("%s of %s", cases[i].path, cases[i].type);
	}
}

static void test_orders(void **state)
{
	const struct tn_plan_safety setting = {.order = "HTTPS>HTTP,TLS>TCP>UDP"};
	unsigned place, other;

	(void)state;
	assert_true(tn_plan_safety_places(&setting, TN_STR("tls"), TN_STR("UDP"), &place, &other));
	assert_int_equal(place, 0);
	assert_int_equal(other, 2);
	/* Words of two orders cannot be compared. */
	assert_false(
		tn_plan_safety_places(&setting, TN_STR("HTTPS"), TN_STR("TCP"), &place, &other));
	assert_true(tn_plan_safety_has_word(&setting, TN_STR("TCP"), false));
	assert_false(tn_plan_safety_has_word(&setting, TN_STR("TCP"), true));
	assert_true(tn_plan_safety_has_word(&setting, TN_STR("UDP"), true));
	assert_false(tn_plan_safety_has_word(&setting, TN_STR("TC"), false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
