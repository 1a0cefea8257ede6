/* What changes about an object: which settings are told, and which values are not shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

static void test_update(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_db_instance.main");
	struct tn_plan_attribute *attribute;

	(void)state;
	test_is_sentence(plan, "Changes the managed database \"main\" (aws_db_instance.main).");
	attribute = test_attr(plan, entry, "arn", "arn:1", NULL);
	attribute->change = TN_PLAN_ATTR_UPDATE;
	attribute->unknown = true;
	test_is_sentence(plan, "Changes the managed database \"main\" (aws_db_instance.main): arn "
			       "from \"arn:1\" to a value known after applying.");
	(void)test_attr(plan, entry, "engine_version", "13.4", "15.2");
	(void)test_attr(plan, entry, "multi_az", "?false", "?true");
	(void)test_attr(plan, entry, "env[\"REGION\"]", NULL, "eu");
	(void)test_attr(plan, entry, "rule[2].port", "#1", NULL);
	(void)test_attr(plan, entry, "same", "#1", "#1");
	test_is_sentence(plan,
			 "Changes the managed database \"main\" (aws_db_instance.main): engine "
			 "version from \"13.4\" to \"15.2\", multi az from \"false\" to "
			 "\"true\", env REGION from nothing to \"eu\" and 2 more settings.");
	test_plan_free(plan);
}

/* Values are never printed when they are sensitive, write-only, or their path says so; secrets in
 * harmless places neither. */
static void test_hidden_values(void **state)
{
	static const char *const paths[] = {
		"password",   "client_SECRET", "auth_token",    "api_key",        "credentials",
		"accountKey", "private_key",   "db.passphrase", "x[\"API_KEY\"]", "access_key"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(paths) + 3; i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
		struct tn_plan_attribute *attribute =
			test_attr(plan, entry, i < TN_COUNT(paths) ? paths[i] : "plain",
				  "visible-before", "visible-after");
		struct tn_buf out = test_buf();

		attribute->sensitive = i == TN_COUNT(paths);
		attribute->write_only = i == TN_COUNT(paths) + 1;
		if (i == TN_COUNT(paths) + 2)
			attribute->after.text = TN_STR("postgres://u:visible-pw@db/x");
		tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
		assert_contains(&out, "(hidden)");
		assert_lacks(&out, "visible");
		tn_buf_clear(&out);
		tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_DEVELOPER);
		assert_lacks(&out, "visible");
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

/* What a key is called, and what only has its letters, is shown (finding 16). */
static void test_shown_values(void **state)
{
	static const char *const paths[] = {"private_ip", "private_subnet_ids[0]",
					    "kms_key_id", "certificate_arn",
					    "key_name",   "hash_key",
					    "keyspace",   "bypass_policy",
					    "monkey"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(paths); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
		struct tn_buf out = test_buf();

		(void)test_attr(plan, entry, paths[i], "visible-before", "visible-after");
		tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
		assert_contains(&out, "\"visible-before\"");
		assert_contains(&out, "\"visible-after\"");
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

/* Secrets in values and names of any kind (finding 8). */
static void test_secrets_in_text(void **state)
{
	static const char *const secrets[] = {"Server=y;Database=z;User=u;Password=Yyy888secret",
					      "Server=y;pwd=Yy(8)secret;",
					      "AccountName=a;AccountKey=c2VjcmV0c2VjcmV0",
					      "Endpoint=sb://x/;SharedAccessKey=c2VjcmV0c2VjcmV0",
					      "SECRET_TOKEN=secret",
					      "APP_SECRET=secret",
					      "postgres://u:secret@db/x",
					      "sk_live_secret0123456789"};
	static const char *const paths[] = {"connection_string", "env", "name", "instance_type"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(secrets) * TN_COUNT(paths); i++) {
		const char *secret = secrets[i / TN_COUNT(paths)];
		const char *path = paths[i % TN_COUNT(paths)];
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_instance.a");
		struct tn_buf out = test_buf();

		(void)test_attr(plan, entry, path, "before", secret);
		entry = test_add(plan, TN_PLAN_CREATE, "aws_instance.b");
		(void)test_attr(plan, entry, path, NULL, secret);
		entry = test_add(plan, TN_PLAN_DELETE, "aws_db_instance.b");
		(void)test_attr(plan, entry, path, secret, NULL);
		test_assess(plan);
		tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
		assert_lacks(&out, "secret");
		tn_plan_put_markdown(&out, plan, TN_PLAN_NON_TECHNICAL, 0);
		assert_lacks(&out, "secret");
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_long_values(void **state)
{
	static const char value[] =
		"0123456789012345678901234567890123456789012345678901234567890123456789";
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");

	(void)state;
	(void)test_attr(plan, entry, "text", "a\nb", value);
	test_is_sentence(plan, "Changes the load balancer \"a\" (aws_lb.a): text from a text of "
			       "several lines to "
			       "\"012345678901234567890123456789012345678901234567890123456789"
			       "\xe2\x80\xa6\".");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.b");
	(void)test_attr(plan, entry, "user_data", "a\nb", "c\nd");
	test_is_sentence(plan, "Changes the load balancer \"b\" (aws_lb.b): user data (a text of "
			       "several lines).");
	test_plan_free(plan);
}

/* However many dangers one object has, and wherever they stand among its settings. */
static void test_dangers_of_one_object(void **state)
{
	static const char *const guards[] = {"azure_policy_enabled", "encryption_at_host_enabled",
					     "enable_logging", "private_cluster_enabled",
					     "role_based_access_control_enabled"};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry =
		test_add(plan, TN_PLAN_UPDATE, "azurerm_kubernetes_cluster.a");
	struct tn_buf out = test_buf();

	(void)state;
	(void)test_attr(plan, entry, "engine_version", "1", "2");
	(void)test_attr(plan, entry, "node_count", "#3", "#0");
	(void)test_attr(plan, entry, "kubernetes_version", "1.28", "1.29");
	for (size_t i = 0; i < TN_COUNT(guards); i++)
		(void)test_attr(plan, entry, guards[i], "?true", "?false");
	test_assess(plan);
	tn_plan_put_sentence(&out, plan, entry, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "azure policy enabled from");
	assert_contains(&out, "encryption at host enabled from");
	assert_contains(&out, "enable logging from");
	assert_contains(&out, "private cluster enabled from");
	assert_contains(&out, "role based access control enabled from \"true\" to \"false\" "
			      "and 3 more settings");
	tn_buf_clear(&out);
	tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "what happens there is recorded");
	assert_contains(&out, "is no longer checked");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_update),       cmocka_unit_test(test_hidden_values),
		cmocka_unit_test(test_shown_values), cmocka_unit_test(test_secrets_in_text),
		cmocka_unit_test(test_long_values),  cmocka_unit_test(test_dangers_of_one_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
