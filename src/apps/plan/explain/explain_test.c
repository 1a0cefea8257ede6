/* The exact sentences, shapes and rules of plan.md section 10 (P-03, P-04, P-13). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/risk_text.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/to_lines.h"
#include "apps/plan/explain/wording_test.h"
#include "base/size.h"

static void check_full(const struct tn_plan *plan, enum tn_plan_audience audience,
		       const char *expected)
{
	struct tn_buf out = test_buf();

	tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, audience);
	assert_string_equal(test_text(&out), expected);
	tn_buf_finish(&out);
}

static void check_sentence(struct tn_plan *plan, const char *expected)
{
	struct tn_buf out = test_buf();

	tn_plan_put_sentence(&out, plan, &plan->changes[plan->change_count - 1],
			     TN_PLAN_NON_TECHNICAL);
	assert_string_equal(test_text(&out), expected);
	tn_buf_finish(&out);
}

/* ---- 10.1: which form ---- */

static void test_replies(void **state)
{
	static const struct {
		const char *words;
		enum tn_plan_reply reply;
	} cases[] = {
		{"count only", TN_PLAN_REPLY_COUNT},
		{"  Count Only \n", TN_PLAN_REPLY_COUNT},
		{"COUNT", TN_PLAN_REPLY_COUNT},
		{"1", TN_PLAN_REPLY_COUNT},
		{"only count", TN_PLAN_REPLY_COUNT},
		{"full summary", TN_PLAN_REPLY_FULL},
		{"Full", TN_PLAN_REPLY_FULL},
		{"summary", TN_PLAN_REPLY_FULL},
		{"2", TN_PLAN_REPLY_FULL},
		{"", TN_PLAN_REPLY_UNCLEAR},
		{"count please", TN_PLAN_REPLY_UNCLEAR},
		{"3", TN_PLAN_REPLY_UNCLEAR},
		{"12", TN_PLAN_REPLY_UNCLEAR},
		{"countonly", TN_PLAN_REPLY_UNCLEAR},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_plan_read_reply(tn_str_from(cases[i].words)), cases[i].reply);
	assert_int_equal(tn_plan_read_reply(tn_str_from(NULL)), TN_PLAN_REPLY_NONE);
}

/* P-04, P-13 */
static void test_forms(void **state)
{
	static const struct {
		enum tn_plan_preference preference;
		enum tn_plan_reply reply;
		bool again;
		uint32_t changes;
		enum tn_plan_form form;
	} cases[] = {
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false, 0, TN_PLAN_FORM_FULL},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false, 5, TN_PLAN_FORM_FULL},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false, 6, TN_PLAN_FORM_ASK},
		{TN_PLAN_PREFER_COUNT, TN_PLAN_REPLY_NONE, false, 1, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_COUNT, TN_PLAN_REPLY_NONE, false, 6, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_FULL, TN_PLAN_REPLY_NONE, false, 600, TN_PLAN_FORM_FULL},
		/* A reply overrides. */
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_COUNT, false, 6, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_FULL, TN_PLAN_REPLY_COUNT, false, 2, TN_PLAN_FORM_COUNT},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_FULL, false, 6, TN_PLAN_FORM_FULL},
		/* Anything else: ask once more, then full. */
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_UNCLEAR, false, 6, TN_PLAN_FORM_ASK},
		{TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_UNCLEAR, true, 6, TN_PLAN_FORM_FULL},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_plan_choose_form(cases[i].preference, cases[i].reply,
						     cases[i].again, cases[i].changes),
				 cases[i].form);
}

static void test_names(void **state)
{
	enum tn_plan_preference preference;
	enum tn_plan_audience audience;

	(void)state;
	assert_true(tn_plan_preference_from_name(TN_STR("count_only"), &preference));
	assert_int_equal(preference, TN_PLAN_PREFER_COUNT);
	assert_true(tn_plan_preference_from_name(TN_STR("full_summary"), &preference));
	assert_int_equal(preference, TN_PLAN_PREFER_FULL);
	assert_false(tn_plan_preference_from_name(TN_STR("full"), &preference));
	assert_true(tn_plan_audience_from_name(TN_STR("developer"), &audience));
	assert_int_equal(audience, TN_PLAN_DEVELOPER);
	assert_true(tn_plan_audience_from_name(TN_STR("non_technical"), &audience));
	assert_int_equal(audience, TN_PLAN_NON_TECHNICAL);
	assert_false(tn_plan_audience_from_name(TN_STR("boss"), &audience));
	assert_string_equal(tn_plan_form_name(TN_PLAN_FORM_COUNT), "count_only");
}

/* ---- 10.2, 10.3: shapes ---- */

static struct tn_plan *plan_of(uint32_t creates)
{
	struct tn_plan *plan = test_plan();
	char address[64];

	for (uint32_t i = 0; i < creates; i++) {
		(void)snprintf(address, sizeof(address), "aws_instance.web[%u]", i);
		(void)test_add(plan, TN_PLAN_CREATE, address);
	}
	return plan;
}

/* P-04: the question, word for word. */
static void test_count_and_question(void **state)
{
	static const struct {
		uint32_t changes;
		enum tn_plan_form form;
		const char *text;
	} cases[] = {
		{0, TN_PLAN_FORM_COUNT, "Summary: 0 changes"},
		{1, TN_PLAN_FORM_COUNT, "Summary: 1 change"},
		{7, TN_PLAN_FORM_COUNT, "Summary: 7 changes"},
		{6, TN_PLAN_FORM_ASK, "Summary: 6 changes\nCount only or full summary?"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = plan_of(cases[i].changes);
		struct tn_buf out = test_buf();

		tn_plan_put_explanation(&out, plan, cases[i].form, TN_PLAN_NON_TECHNICAL);
		assert_string_equal(test_text(&out), cases[i].text);
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_nothing_changes(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	plan->status = TN_PLAN_NO_CHANGES;
	check_full(plan, 0,
		   "Summary: 0 changes\nNo changes: what exists matches the "
		   "configuration.");
	plan->status = TN_PLAN_OUTPUTS_ONLY;
	plan->output_count = 2;
	check_full(plan, 0, "Summary: 0 changes\nOnly output values change (2), no object does.");
	plan->status = TN_PLAN_DRIFT_ONLY;
	plan->drift_count = 1;
	check_full(plan, 0,
		   "Summary: 0 changes\nNothing is changed now; 1 object was changed "
		   "outside Terraform.");
	plan->status = TN_PLAN_DEFERRED_ONLY;
	plan->deferred_count = 3;
	check_full(plan, 0,
		   "Summary: 0 changes\nNothing is changed now; 3 changes are put off to "
		   "a later plan.");
	plan->status = TN_PLAN_CHANGES;
	plan->actions[TN_PLAN_READ] = 2;
	check_full(plan, 0,
		   "Summary: 0 changes\nNo object changes; 2 data sources are read while "
		   "applying.");
	plan->status = TN_PLAN_ERRORED;
	plan->errored = true;
	(void)test_diagnostic(plan, "warning", "not this");
	(void)test_diagnostic(plan, "error", "Invalid\nreference.");
	check_full(plan, 0, "Summary: 0 changes\nPlanning failed: Invalid reference.");
	test_plan_free(plan);
}

/* Section 6.3: an empty result is never called "no changes" when the text was cut. */
static void test_nothing_but_cut(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_mismatch mismatch = {.field = "add", .stated = 3, .counted = 0};

	(void)state;
	plan->consistent = 0;
	plan->mismatches = &mismatch;
	plan->mismatch_count = 1;
	check_full(plan, 0,
		   "Summary: 0 changes\nThe text looks cut off or altered: 3 to add "
		   "announced but 0 found.");
	test_plan_free(plan);
}

/* ---- 10.4: sentences ---- */

static void test_delete(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_DELETE, "aws_db_instance.main");

	(void)state;
	check_sentence(plan, "Permanently removes the managed database \"main\" "
			     "(aws_db_instance.main).");
	(void)test_attr(plan, entry, "identifier", "ledger", NULL);
	test_reason(plan, entry, "not_in_configuration", "aws_db_instance.main");
	check_sentence(plan, "Permanently removes the managed database \"ledger\" "
			     "(aws_db_instance.main) because it is no longer in the "
			     "configuration.");
	test_plan_free(plan);
}

static void test_replace(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_lb.front");

	(void)state;
	check_sentence(plan, "Removes and rebuilds the load balancer \"front\" (aws_lb.front); it "
			     "is unavailable in between.");
	test_reason(plan, entry, "forces_replacement", "engine_version");
	check_sentence(plan, "Removes and rebuilds the load balancer \"front\" (aws_lb.front) "
			     "because its engine version cannot be changed in place; it is "
			     "unavailable in between.");
	entry->order = TN_PLAN_CREATE_FIRST;
	check_sentence(plan, "Builds a replacement for the load balancer \"front\" (aws_lb.front), "
			     "then removes the old one because its engine version cannot be "
			     "changed in place.");
	entry->order = TN_PLAN_FORGET_OLD;
	check_sentence(plan, "Builds a new load balancer \"front\" (aws_lb.front) and leaves the "
			     "old one running outside Terraform's control.");
	plan->tool = TN_PLAN_OPENTOFU;
	entry->order = TN_PLAN_FORGET_FIRST;
	check_sentence(plan, "Builds a new load balancer \"front\" (aws_lb.front) and leaves the "
			     "old one running outside OpenTofu's control.");
	test_plan_free(plan);
}

static void test_other_actions(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)state;
	(void)test_add(plan, TN_PLAN_FORGET, "aws_sqs_queue.jobs");
	check_sentence(plan, "Stops managing the message queue \"jobs\" (aws_sqs_queue.jobs); it "
			     "keeps running.");
	(void)test_add(plan, TN_PLAN_IMPORT, "aws_s3_bucket.logs");
	check_sentence(plan, "Starts managing the existing storage bucket \"logs\" "
			     "(aws_s3_bucket.logs).");
	entry = test_add(plan, TN_PLAN_MOVE, "module.a.aws_s3_bucket.new");
	entry->previous_address = TN_STR("aws_s3_bucket.old");
	check_sentence(plan, "Renames aws_s3_bucket.old to module.a.aws_s3_bucket.new in "
			     "Terraform's records only.");
	(void)test_add(plan, TN_PLAN_ACTION_UNKNOWN, "aws_s3_bucket.odd");
	check_sentence(plan, "Does something this program does not know to the storage bucket "
			     "\"odd\" (aws_s3_bucket.odd).");
	test_plan_free(plan);
}

static void test_create(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_instance.web");

	(void)state;
	check_sentence(plan, "Creates a virtual machine \"web\" (aws_instance.web).");
	(void)test_attr(plan, entry, "instance_type", NULL, "t2.micro");
	check_sentence(plan, "Creates a virtual machine \"web\" (aws_instance.web), t2.micro.");
	(void)test_attr(plan, entry, "availability_zone", NULL, "eu-west-1a");
	(void)test_attr(plan, entry, "allocated_storage", NULL, "#20");
	(void)test_attr(plan, entry, "port", NULL, "#443");
	(void)test_attr(plan, entry, "replicas", NULL, "#3"); /* the fifth: not shown */
	check_sentence(plan,
		       "Creates a virtual machine \"web\" (aws_instance.web), t2.micro, 20 GB "
		       "of storage, in eu-west-1a, port 443.");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_iam_role.web");
	check_sentence(plan, "Creates an access role \"web\" (aws_iam_role.web).");
	(void)test_add(plan, TN_PLAN_CREATE, "azurerm_mssql_database.d");
	check_sentence(plan, "Creates an SQL database \"d\" (azurerm_mssql_database.d).");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_iam_user.joe");
	check_sentence(plan, "Creates a user account \"joe\" (aws_iam_user.joe).");
	test_plan_free(plan);
}

/* A value that reads like a sentence of ours is quoted. */
static void test_facts_do_not_speak(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_instance.web");

	(void)state;
	(void)test_attr(plan, entry, "size", NULL, "x. Nothing else changes");
	check_sentence(plan, "Creates a virtual machine \"web\" (aws_instance.web), \"x. Nothing "
			     "else changes\".");
	test_plan_free(plan);
}

static void test_update(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_db_instance.main");
	struct tn_plan_attribute *attribute;

	(void)state;
	check_sentence(plan, "Changes the managed database \"main\" (aws_db_instance.main).");
	attribute = test_attr(plan, entry, "arn", "arn:1", NULL);
	attribute->change = TN_PLAN_ATTR_UPDATE;
	attribute->unknown = true;
	check_sentence(plan, "Changes the managed database \"main\" (aws_db_instance.main): arn "
			     "from \"arn:1\" to a value known after applying.");
	(void)test_attr(plan, entry, "engine_version", "13.4", "15.2");
	(void)test_attr(plan, entry, "multi_az", "?false", "?true");
	(void)test_attr(plan, entry, "env[\"REGION\"]", NULL, "eu");
	(void)test_attr(plan, entry, "rule[2].port", "#1", NULL);
	(void)test_attr(plan, entry, "same", "#1", "#1");
	check_sentence(plan, "Changes the managed database \"main\" (aws_db_instance.main): engine "
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
	check_sentence(plan, "Changes the load balancer \"a\" (aws_lb.a): text from a text of "
			     "several lines to "
			     "\"012345678901234567890123456789012345678901234567890123456789"
			     "\xe2\x80\xa6\".");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.b");
	(void)test_attr(plan, entry, "user_data", "a\nb", "c\nd");
	check_sentence(plan, "Changes the load balancer \"b\" (aws_lb.b): user data (a text of "
			     "several lines).");
	test_plan_free(plan);
}

static void test_developer(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_db_instance.main");

	(void)state;
	test_reason(plan, entry, "forces_replacement", "engine_version");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
	(void)test_attr(plan, entry, "rule[0].to_port", "#1", "#2");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	check_full(plan, TN_PLAN_DEVELOPER,
		   "Summary: 3 changes\nRemoves and rebuilds the aws_db_instance \"main\" "
		   "(aws_db_instance.main) because engine_version cannot be changed in place; it "
		   "is unavailable in between. Changes the aws_lb \"a\" (aws_lb.a): "
		   "rule[0].to_port from \"1\" to \"2\". Creates an aws_eip \"a\" (aws_eip.a).");
	test_plan_free(plan);
}

/* ---- 10.4: the paragraph ---- */

/* delete, replace, forget, update, create, import, move; inside a group by plan order. */
static void test_order(void **state)
{
	static const enum tn_plan_action reversed[] = {
		TN_PLAN_MOVE, TN_PLAN_IMPORT,  TN_PLAN_CREATE, TN_PLAN_UPDATE, TN_PLAN_FORGET,
		TN_PLAN_READ, TN_PLAN_REPLACE, TN_PLAN_DELETE, TN_PLAN_DELETE};
	static const char *const starts[] = {"Permanently removes the load balancer \"n7\"",
					     "Permanently removes the load balancer \"n8\"",
					     "Removes and rebuilds",
					     "Stops managing",
					     "Changes the",
					     "Creates a ",
					     "Starts managing",
					     "Renames",
					     "1 data source is read while applying."};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();
	size_t last = 0;
	char address[32];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(reversed); i++) {
		(void)snprintf(address, sizeof(address), "aws_lb.n%zu", i);
		(void)test_add(plan, reversed[i], address);
	}
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	for (size_t i = 0; i < TN_COUNT(starts); i++) {
		size_t at = tn_str_find(tn_buf_str(&out), tn_str_from(starts[i]));

		assert_int_not_equal(at, TN_STR_NONE);
		assert_true(i == 0 || at > last);
		last = at;
	}
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static struct tn_plan *mixed(uint32_t creates, uint32_t updates, uint32_t deletes,
			     uint32_t replaces)
{
	static const enum tn_plan_action actions[] = {TN_PLAN_CREATE, TN_PLAN_UPDATE,
						      TN_PLAN_DELETE, TN_PLAN_REPLACE};
	const uint32_t counts[] = {creates, updates, deletes, replaces};
	struct tn_plan *plan = test_plan();
	char address[32];

	for (unsigned a = 0; a < 4; a++)
		for (uint32_t i = 0; i < counts[a]; i++) {
			(void)snprintf(address, sizeof(address), "aws_lb.n%u[%u]", a, i);
			(void)test_add(plan, actions[a], address);
		}
	return plan;
}

static size_t count_of(struct tn_str text, const char *part)
{
	size_t count = 0, at;

	while ((at = tn_str_find(text, tn_str_from(part))) != TN_STR_NONE) {
		count++;
		text = tn_str_from_offset(text, at + 1);
	}
	return count;
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

/* More dangers than one explanation tells: the critical ones are told, whatever stands before. */
static void test_many_dangers(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *last;
	struct tn_buf out = test_buf();
	char address[64];

	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		(void)snprintf(address, sizeof(address), "aws_instance.a[%u]", i);
		(void)test_add(plan, TN_PLAN_DELETE, address);
	}
	last = test_add(plan, TN_PLAN_CREATE, "aws_security_group_rule.worst");
	(void)test_attr(plan, last, "cidr_blocks[0]", NULL, "0.0.0.0/0");
	(void)test_attr(plan, last, "from_port", NULL, "#22");
	(void)test_attr(plan, last, "to_port", NULL, "#22");
	(void)test_attr(plan, last, "type", NULL, "ingress");
	test_assess(plan);
	tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Creates a firewall rule \"worst\"");
	assert_contains(&out, "And 101 more: 101 removed.");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* At most 10 sentences; what takes away is never folded while anything else is shown. */
static void test_folding(void **state)
{
	static const struct {
		uint32_t creates, updates, deletes, replaces;
		const char *folded; /* NULL: nothing is */
		size_t told_losses;
	} cases[] = {
		{10, 0, 0, 0, NULL, 0},
		{11, 0, 0, 0, "And 1 more: 1 created.", 0},
		{8, 4, 2, 3, "And 7 more: 7 created.", 5},
		{4, 4, 6, 6, "And 10 more: 4 created, 4 changed, 2 replaced.", 10},
		{1, 2, 12, 3, "And 8 more: 1 created, 2 changed, 2 removed, 3 replaced.", 10},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = mixed(cases[i].creates, cases[i].updates, cases[i].deletes,
					     cases[i].replaces);
		struct tn_buf out = test_buf();
		struct tn_str text;

		tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
		text = tn_buf_str(&out);
		if (cases[i].folded)
			assert_contains(&out, cases[i].folded);
		else
			assert_lacks(&out, " more");
		assert_int_equal(count_of(text, "Permanently removes the") +
					 count_of(text, "Removes and rebuilds the"),
				 cases[i].told_losses);
		assert_true(count_of(text, " the load balancer") +
				    count_of(text, "Creates a load balancer") <=
			    10);
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_leading_notes(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_mismatch mismatches[] = {{.field = "add", .stated = 3, .counted = 1},
						{.field = "destroy", .stated = 4, .counted = 1}};

	(void)state;
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.a");
	plan->errored = true;
	(void)test_diagnostic(plan, "error", "Quota exceeded.");
	plan->consistent = 0;
	plan->mismatches = mismatches;
	plan->mismatch_count = 2;
	test_assess(plan);
	check_full(plan, 0,
		   "Summary: 1 change\nThe plan is incomplete because Terraform stopped with an "
		   "error: Quota exceeded. The text looks cut off or altered: 3 to add announced "
		   "but 1 found, 4 to destroy announced but 1 found. Deletes data for good: the "
		   "managed database \"a\" (aws_db_instance.a). Permanently removes the managed "
		   "database \"a\" "
		   "(aws_db_instance.a).");
	test_plan_free(plan);
}

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
	assert_int_equal(count_of(tn_buf_str(&out), "Deletes data for good"), 300);
	assert_int_equal(count_of(tn_buf_str(&out), "Permanently removes"), 300);
	assert_contains(&out, "Also of critical risk: data is deleted (100 times). ");
	assert_contains(&out, "And 100 more: 100 removed.");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_closing_notes(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	(void)test_add(plan, TN_PLAN_READ, "data.aws_ami.a");
	(void)test_add(plan, TN_PLAN_READ, "data.aws_ami.b");
	plan->output_count = 1;
	plan->drift_count = 2;
	plan->deferred_count = 1;
	(void)test_diagnostic(plan, "warning", "x");
	test_diagnostic(plan, "warning", "y")->in_apply = true;
	check_full(plan, 0,
		   "Summary: 1 change\nCreates a fixed public address \"a\" (aws_eip.a). 2 data "
		   "sources are read while applying. 1 output value changes. 2 objects were "
		   "changed outside Terraform. 1 change is put off to a later plan. 1 warning was "
		   "given.");
	test_plan_free(plan);
}

/* Errors and warnings say what they are about (finding 13). */
static void test_diagnostics_with_content(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_diagnostic *diagnostic;

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	plan->errored = true;
	diagnostic = test_diagnostic(plan, "error", "Instance cannot be destroyed");
	diagnostic->address = TN_STR("aws_db_instance.postgres");
	diagnostic->file = TN_STR("main.tf");
	diagnostic->line = 436;
	diagnostic->detail = TN_STR("It has prevent_destroy set, but the plan\nwants it gone. To "
				    "go on, take it off.");
	diagnostic = test_diagnostic(plan, "warning", "Argument is deprecated");
	diagnostic->file = TN_STR("net.tf");
	diagnostic->line = 3;
	check_full(plan, 0,
		   "Summary: 1 change\nThe plan is incomplete because Terraform stopped with an "
		   "error: Instance cannot be destroyed (aws_db_instance.postgres, main.tf:436): "
		   "It has prevent_destroy set, but the plan wants it gone. Creates a fixed public "
		   "address \"a\" (aws_eip.a). 1 warning was "
		   "given. Argument is deprecated (net.tf:3).");
	plan->diagnostic_count = 0;
	diagnostic = test_diagnostic(plan, "error", "1 error occurred:");
	*diagnostic = (struct tn_plan_diagnostic){.severity = "error",
						  .summary = TN_STR("1 error occurred:")};
	diagnostic->detail = TN_STR("\t* no such zone: password=hunter22\n\n");
	check_full(plan, 0,
		   "Summary: 1 change\nThe plan is incomplete because Terraform stopped with an "
		   "error: 1 error occurred: no such zone: password=[redacted]. Creates a fixed "
		   "public address \"a\" (aws_eip.a).");
	test_plan_free(plan);
}

/* Deleted is not changed, and made again is told (finding 14). */
static void test_drift_of_deleted(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	(void)test_drift(plan, TN_PLAN_DELETE, "aws_eip.a");
	(void)test_drift(plan, TN_PLAN_UPDATE, "aws_lb.b");
	test_assess(plan);
	check_full(plan, 0,
		   "Summary: 1 change\nCreates a fixed public address \"a\" (aws_eip.a). 1 object "
		   "was changed outside Terraform. 1 object was deleted outside Terraform and is "
		   "made again.");
	(void)test_drift(plan, TN_PLAN_DELETE, "aws_lb.c");
	check_full(plan, 0,
		   "Summary: 1 change\nCreates a fixed public address \"a\" (aws_eip.a). 1 object "
		   "was changed outside Terraform. 2 objects were deleted outside Terraform, and 1 "
		   "of them is made again.");
	test_plan_free(plan);
}

/* What is imported or moved and changed at once says both (finding 14). */
static void test_imported_and_moved(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");

	(void)state;
	(void)test_attr(plan, entry, "idle_timeout", "#1", "#2");
	entry->import_id = TN_STR("lb-1");
	check_sentence(plan, "Takes over the existing load balancer \"a\" (aws_lb.a) and changes "
			     "it: idle timeout from \"1\" to \"2\".");
	entry->import_id = tn_str(NULL, 0);
	entry->previous_address = TN_STR("aws_lb.old");
	check_sentence(plan, "Changes the load balancer \"a\" (aws_lb.a, until now aws_lb.old): "
			     "idle timeout from \"1\" to \"2\".");
	entry = test_add(plan, TN_PLAN_REPLACE, "aws_lb.b");
	entry->import_id = TN_STR("lb-2");
	check_sentence(plan, "Takes over the existing load balancer \"b\" (aws_lb.b) and replaces "
			     "it.");
	entry->import_id = tn_str(NULL, 0);
	entry->order = TN_PLAN_ORDER_NONE; /* a stream does not tell (finding 7) */
	check_sentence(plan, "Replaces the load balancer \"b\" (aws_lb.b).");
	test_plan_free(plan);
}

/* Two plans in one text, each with an object of this address (finding 9). */
static void test_units(void **state)
{
	struct tn_plan_unit units[] = {{.label = {"dir: dev workspace: default", 27}},
				       {.label = {NULL, 0}}};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	plan->units = units;
	plan->unit_count = 2;
	(void)test_add(plan, TN_PLAN_DELETE, "aws_s3_bucket.b");
	test_add(plan, TN_PLAN_DELETE, "aws_s3_bucket.b")->unit = 1;
	test_assess(plan);
	check_full(plan, 0,
		   "Summary: 2 changes\nDeletes data for good: the storage bucket \"b\" "
		   "(aws_s3_bucket.b, in dir: dev workspace: default). Deletes data for good: the "
		   "storage bucket \"b\" (aws_s3_bucket.b, in part 2). Permanently removes the "
		   "storage bucket \"b\" (aws_s3_bucket.b, in dir: dev workspace: default). "
		   "Permanently removes the storage bucket \"b\" (aws_s3_bucket.b, in part 2).");
	tn_plan_put_markdown(&out, plan, TN_PLAN_NON_TECHNICAL, 0);
	assert_contains(&out, "| `aws_s3_bucket.b` in dir: dev workspace: default |");
	assert_contains(&out, "Data is deleted: `aws_s3_bucket.b` in part 2.");
	tn_buf_clear(&out);
	tn_plan_put_risk_text(&out, plan, TN_PLAN_RISK_LOW);
	assert_contains(&out, "aws_s3_bucket.b in part 2  Data is deleted");
	tn_buf_clear(&out);
	tn_plan_put_risk_json(&out, plan, TN_PLAN_RISK_LOW);
	assert_contains(&out, "\"unit\":\"dir: dev workspace: default\"");
	tn_buf_finish(&out);
	plan->units = NULL;
	plan->unit_count = 0;
	test_plan_free(plan);
}

/* One newline exactly, whatever the plan holds; and the same bytes every time. */
static void test_one_newline(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)state;
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a[\"x\\ny\"]");
	(void)test_attr(plan, entry, "na\nme", "a\r\nb", "c\xe2\x80\xa8 d\x1b[31m");
	(void)test_attr(plan, entry, "name", "la\nbel\x7f\xff", "la\nbel");
	plan->errored = true;
	(void)test_diagnostic(plan, "error", "first\nsecond");
	for (unsigned wording = 0; wording < TN_PLAN_WORDING_COUNT; wording++) {
		struct tn_buf out = test_buf(), again = test_buf();

		tn_plan_put_explanation_worded(&out, plan, wording);
		tn_plan_put_explanation_worded(&again, plan, wording);
		assert_true(tn_str_equal(tn_buf_str(&out), tn_buf_str(&again)));
		assert_int_equal(count_of(tn_buf_str(&out), "\n"), 1);
		assert_lacks(&out, "\r");
		assert_lacks(&out, "\x1b");
		assert_lacks(&out, "\x7f");
		assert_lacks(&out, "\xe2\x80\xa8");
		assert_true(out.data[out.size - 1] == '.');
		tn_buf_finish(&again);
		tn_buf_finish(&out);
	}
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_count_and_question),
		cmocka_unit_test(test_nothing_changes),
		cmocka_unit_test(test_nothing_but_cut),
		cmocka_unit_test(test_delete),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_other_actions),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_facts_do_not_speak),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_hidden_values),
		cmocka_unit_test(test_shown_values),
		cmocka_unit_test(test_secrets_in_text),
		cmocka_unit_test(test_long_values),
		cmocka_unit_test(test_developer),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_dangers_of_one_object),
		cmocka_unit_test(test_many_dangers),
		cmocka_unit_test(test_findings_by_level),
		cmocka_unit_test(test_leading_notes),
		cmocka_unit_test(test_worst_first),
		cmocka_unit_test(test_very_many_dangers),
		cmocka_unit_test(test_closing_notes),
		cmocka_unit_test(test_diagnostics_with_content),
		cmocka_unit_test(test_drift_of_deleted),
		cmocka_unit_test(test_imported_and_moved),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_one_newline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
