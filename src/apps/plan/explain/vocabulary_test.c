/* Section 7 and Appendix B: nouns, classes, labels, facts; attribute paths; text from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"
#include "base/utf8.h"

static void test_table(void **state)
{
	size_t count;
	const struct tn_plan_type *types = tn_plan_types(&count);

	(void)state;
	assert_true(count > 400);
	for (size_t i = 0; i < count; i++) {
		assert_ptr_equal(tn_plan_type_find(tn_str_from(types[i].name)), &types[i]);
		assert_true(types[i].noun[0] != '\0');
		assert_true(types[i].class != TN_PLAN_CLASS_UNKNOWN);
	}
	assert_null(tn_plan_type_find(TN_STR("")));
	assert_null(tn_plan_type_find(TN_STR("aws_db_instanc")));
	assert_null(tn_plan_type_find(TN_STR("aws_db_instancex")));
	assert_null(tn_plan_type_find(TN_STR("zzz")));
}

static void test_classes(void **state)
{
	static const struct {
		const char *type;
		enum tn_plan_class class;
	} cases[] = {
		{"aws_db_instance", TN_PLAN_STATEFUL},
		{"aws_route_table", TN_PLAN_NETWORK},
		{"aws_route53_zone", TN_PLAN_DNS_ZONE},
		{"aws_route53_record", TN_PLAN_DNS},
		{"random_password", TN_PLAN_SECRET_GEN},
		{"aws_kms_key", TN_PLAN_KEY},
		{"google_folder_iam_audit_config", TN_PLAN_IDENTITY},
		{"aws_iam_virtual_mfa_device", TN_PLAN_IDENTITY},
		{"iam_thing", TN_PLAN_IDENTITY},
		{"thing_iam", TN_PLAN_IDENTITY},
		{"aws_miami_thing", TN_PLAN_CLASS_UNKNOWN},
		{"aws_iamx_thing", TN_PLAN_CLASS_UNKNOWN},
		{"acme_table", TN_PLAN_CLASS_UNKNOWN},
		{"", TN_PLAN_CLASS_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_plan_type_class(tn_str_from(cases[i].type)), cases[i].class);
}

static void test_nouns(void **state)
{
	static const struct {
		const char *type, *noun;
	} cases[] = {
		{"aws_db_instance", "managed database"},
		{"kubernetes_deployment", "application deployment"},
		{"fastly_service_vcl", "Fastly service vcl"},
		{"aws_some_new_thing", "AWS some new thing"},
		{"google_new_thing", "Google Cloud new thing"},
		{"single", "Single object"},
		{"aws", "AWS object"},
		{"acme_", "Acme object"},
		{"_odd", "object"},
		{"\xc3\xbc"
		 "ber_wolke",
		 "\xc3\xbc"
		 "ber wolke"},
		{"", "object"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out = test_buf();

		tn_plan_put_noun(&out, tn_str_from(cases[i].type));
		assert_string_equal(test_text(&out), cases[i].noun);
		tn_buf_finish(&out);
	}
}

static void test_articles(void **state)
{
	static const struct {
		const char *noun, *article;
	} cases[] = {
		{"disk", "a"},
		{"alarm", "an"},
		{"SQL database", "an"},
		{"VPN gateway", "a"},
		{"NoSQL table", "a"},
		{"user account", "a"},
		{"e-mail domain", "an"},
		{"IBM thing", "an"},
		{"API gateway", "an"},
		{"DNS record", "a"},
		{"AWS thing", "an"},
		{"Azure thing", "an"},
		{"unit", "a"},
		{"update", "an"},
		{"", "a"},
		{"clean-up rules of a storage bucket", ""},
		{"all permissions of the project", ""},
		{"notification permissions", ""},
		{"stored settings", ""},
		{"public address", "a"},
		{"function alias", "a"},
		{"group of machines", "a"},
		{"encryption setting of a storage bucket", "an"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_string_equal(tn_plan_article(tn_str_from(cases[i].noun)), cases[i].article);
}

static void test_what_runs(void **state)
{
	static const struct {
		const char *type;
		bool runs, address;
	} cases[] = {
		{"aws_instance", true, false},
		{"aws_db_instance", true, false},
		{"aws_autoscaling_group", true, false},
		{"google_sql_database_instance", true, false},
		{"aws_lambda_function", true, false},
		{"aws_sqs_queue", true, false},
		{"aws_ebs_volume", false, false},
		{"aws_s3_bucket", false, false},
		{"aws_iam_role", false, false},
		{"google_compute_disk", false, false},
		{"aws_eip", false, true},
		{"azurerm_public_ip", false, true},
		{"acme_thing", false, false},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if (tn_plan_type_runs(tn_str_from(cases[i].type)) != cases[i].runs ||
		    tn_plan_type_is_address(tn_str_from(cases[i].type)) != cases[i].address)
			fail_msg("%s", cases[i].type);
}

static void check_label(const struct tn_plan_entry *entry, const char *expected)
{
	struct tn_buf out = test_buf();

	tn_plan_put_label(&out, entry);
	assert_string_equal(test_text(&out), expected);
	tn_buf_finish(&out);
}

static void test_labels(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "a_b.c[\"d e\"]");
	struct tn_plan_attribute *name;

	(void)state;
	check_label(entry, "c[d e]");
	(void)test_attr(plan, entry, "id", "arn:aws:x:1",
			"arn:aws:x:1"); /* a machine's name for it */
	check_label(entry, "c[d e]");
	(void)test_attr(plan, entry, "id", "i-1", "i-1");
	check_label(entry, "i-1");
	(void)test_attr(plan, entry, "key", NULL, "abc");
	check_label(entry, "abc");
	(void)test_attr(plan, entry, "bucket", "", NULL); /* says nothing */
	check_label(entry, "abc");
	(void)test_attr(plan, entry, "identifier", "old", "new");
	check_label(entry, "old");
	name = test_attr(plan, entry, "name", "named", "named");
	check_label(entry, "named");
	name->sensitive = true;
	check_label(entry, "old");
	entry = test_add(plan, TN_PLAN_CREATE, "a_b.c[0]");
	check_label(entry, "c[0]");
	(void)test_attr(plan, entry, "tags[\"name\"]", NULL, "x");
	(void)test_attr(plan, entry, "block.name", NULL, "x");
	check_label(entry, "c[0]");
	(void)test_attr(plan, entry, "title", NULL, "T");
	check_label(entry, "T");
	test_plan_free(plan);
}

static void test_facts(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "a_b.c");
	struct tn_plan_fact facts[TN_PLAN_FACTS_MAX];
	static const char *const order[] = {"instance_type",     "region",
					    "engine_version",    "port",
					    "from_port-to_port", "cidr_blocks"};

	(void)state;
	assert_int_equal(tn_plan_find_facts(entry, facts, TN_PLAN_FACTS_MAX), 0);
	(void)test_attr(plan, entry, "to_port", NULL, "#443");
	(void)test_attr(plan, entry, "cidr_blocks[0]", NULL, "10.0.0.0/8");
	(void)test_attr(plan, entry, "cidr_blocks[1]", NULL, "10.1.0.0/8");
	(void)test_attr(plan, entry, "port", NULL, "#80");
	(void)test_attr(plan, entry, "engine_version", NULL, "15.2");
	(void)test_attr(plan, entry, "region", NULL, "eu");
	(void)test_attr(plan, entry, "instance_type", NULL, "t3");
	(void)test_attr(plan, entry, "from_port", NULL, "#80");
	(void)test_attr(plan, entry, "min_size", NULL, "#1"); /* half of a pair */
	test_attr(plan, entry, "zone", NULL, "z")->sensitive = true;
	test_attr(plan, entry, "tier", NULL, NULL)->unknown = true;
	assert_int_equal(tn_plan_find_facts(entry, facts, TN_PLAN_FACTS_MAX), TN_COUNT(order));
	for (size_t i = 0; i < TN_COUNT(order); i++)
		assert_string_equal(facts[i].name, order[i]);
	assert_int_equal(tn_plan_find_facts(entry, facts, 4), 4);
	assert_int_equal(tn_plan_find_facts(entry, facts, TN_PLAN_FACTS_MAX), 6);
	{
		struct tn_buf out = test_buf();

		tn_plan_put_fact_value(&out, entry, &facts[4]);
		assert_string_equal(test_text(&out), "80\xe2\x80\x93"
						     "443");
		tn_buf_clear(&out);
		tn_plan_put_fact_value(&out, entry, &facts[5]);
		assert_string_equal(test_text(&out), "10.0.0.0/8 and 10.1.0.0/8");
		tn_buf_finish(&out);
	}
	test_plan_free(plan);
}

static void test_hidden_paths(void **state)
{
	static const char *const hidden[] = {"password",
					     "PASS",
					     "my_Secret",
					     "token",
					     "credentials",
					     "db.passphrase",
					     "clientSecret",
					     "primary_access_key",
					     "api_key",
					     "private_key_pem",
					     "accountKey",
					     "apiKey",
					     "secret_access_key",
					     "env[\"DB_PASS\"]",
					     "env[\"STRIPE_KEY\"]",
					     "variables[\"GITHUB_TOKEN\"]"};
	static const char *const shown[] = {"name",
					    "ke_y",
					    "se-cret",
					    "port",
					    "",
					    "private_ip",
					    "kms_key_id",
					    "hash_key",
					    "keyspace",
					    "certificate_arn",
					    "bypass_policy",
					    "monkey",
					    "key_name",
					    "key",
					    "certificate",
					    "private_subnet_ids",
					    "access_key_id",
					    "tags[\"Key\"]",
					    "compass",
					    "tokenizer",
					    "encryption_key",
					    "passthrough",
					    "api_key_id",
					    "range_key"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(hidden); i++)
		assert_true(tn_plan_path_is_hidden(tn_str_from(hidden[i])));
	for (size_t i = 0; i < TN_COUNT(shown); i++)
		assert_false(tn_plan_path_is_hidden(tn_str_from(shown[i])));
}

/* A switch is no secret, nor is a word or a number that a setting of this name has; whatever else
 * stands under such a name may be one. */
static void test_settings_are_shown(void **state)
{
	static const struct {
		const char *path, *before, *after;
		bool hidden;
	} cases[] = {
		{"metadata_options[0].http_tokens", "required", "optional", false},
		{"metadata_options[0].http_tokens", NULL, "optional", false},
		{"metadata_options[0].http_tokens", "required", "s3cr3t", true},
		{"shared_access_key_enabled", "?false", "?true", false},
		{"manage_master_user_password", "?true", NULL, false},
		{"minimum_password_length", "#14", "#8", false},
		{"access_token_validity", "#5", "#60", false},
		{"password", "#1234", "#4321", true},
		{"password", "true", "false", true},
		{"api_token", "?true", "abc", true},
		{"api_token", NULL, NULL, true},
		{"user_password", "required", "optional", true},
		{"name", "a", "b", false},
	};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_instance.a");

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan_attribute *attribute =
			test_attr(plan, entry, cases[i].path, cases[i].before, cases[i].after);

		if (tn_plan_is_hidden(attribute->path, &attribute->before, &attribute->after) !=
		    cases[i].hidden)
			fail_msg("case %zu: %s", i, cases[i].path);
	}
	test_plan_free(plan);
}

static void test_clean_text(void **state)
{
	static const struct {
		const char *text;
		size_t max;
		const char *expected;
	} cases[] = {
		{"plain", 0, "plain"},
		{"a\nb\r\nc\td", 0, "a b c d"},
		{"\x1b[31mred\x1b[0m", 0, " [31mred [0m"},
		{"bad \xff\xfe end", 0, "bad \xef\xbf\xbd\xef\xbf\xbd end"},
		{"\xe2\x80\xae"
		 "abc",
		 0, " abc"}, /* right-to-left override */
		{"gr\xc3\xbc\xc3\x9f"
		 "e",
		 4, "gr\xc3\xbc\xc3\x9f\xe2\x80\xa6"},
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abcd\xe2\x80\xa6"},
		{"", 4, ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out = test_buf();

		tn_plan_put_clean(&out, tn_str_from(cases[i].text), cases[i].max);
		assert_string_equal(test_text(&out), cases[i].expected);
		assert_true(tn_utf8_valid(out.data, out.size));
		tn_buf_finish(&out);
	}
}

/* ---- paths ---- */

static void test_path_split(void **state)
{
	static const struct {
		const char *path, *name, *owner;
	} cases[] = {
		{"name", "name", ""},
		{"a.b", "b", "a."},
		{"ingress[0].cidr_blocks[12]", "cidr_blocks", "ingress[0]."},
		{"cidr_blocks[0]", "cidr_blocks", ""},
		{"ingress.1234.cidr_blocks.0", "cidr_blocks", "ingress.1234."},
		{"tags[\"cidr_blocks\"]", "", ""},
		{"tags[\"a.cidr_blocks\"]", "", ""},
		{"tags[\"x\"][0]", "", ""},
		{"env[\"a.b\"].name", "name", "env[\"a.b\"]."},
		{"a[0][1]", "a", ""},
		{"", "", ""},
		{"[0]", "", ""},
		{"a[]", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan_path path = tn_plan_path_split(tn_str_from(cases[i].path));

		if (!tn_str_is(path.name, cases[i].name) ||
		    (path.name.size > 0 && !tn_str_is(path.owner, cases[i].owner)))
			fail_msg("%s: \"%.*s\" of \"%.*s\"", cases[i].path, (int)path.name.size,
				 path.name.data, (int)path.owner.size, path.owner.data);
	}
}

static void test_path_questions(void **state)
{
	(void)state;
	assert_true(tn_str_is(tn_plan_path_root(TN_STR("ingress[0].x")), "ingress"));
	assert_true(tn_str_is(tn_plan_path_root(TN_STR("a.b")), "a"));
	assert_true(tn_plan_path_has_name(TN_STR("a.egress[0].b"), TN_STR("egress")));
	assert_true(tn_plan_path_has_name(TN_STR("egress"), TN_STR("egress")));
	assert_false(tn_plan_path_has_name(TN_STR("a[\"egress\"].b"), TN_STR("egress")));
	assert_false(tn_plan_path_has_name(TN_STR("a[\"].egress.\"].b"), TN_STR("egress")));
	assert_false(tn_plan_path_has_name(TN_STR("egress_only"), TN_STR("egress")));
	assert_true(tn_plan_path_is_remark(TN_STR("tags[\"x\"]")));
	assert_true(tn_plan_path_is_remark(TN_STR("metadata.labels.app")));
	assert_true(tn_plan_path_is_remark(TN_STR("ingress[0].description")));
	assert_false(tn_plan_path_is_remark(TN_STR("ingress[0].cidr_blocks[0]")));
	assert_true(tn_plan_path_is_element(TN_STR("a"), TN_STR("a")));
	assert_true(tn_plan_path_is_element(TN_STR("a[10]"), TN_STR("a")));
	assert_true(tn_plan_path_is_element(TN_STR("a.0"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("ab"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a[\"0\"]"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a.b"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a[0].b"), TN_STR("a")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_nouns),
		cmocka_unit_test(test_articles),
		cmocka_unit_test(test_what_runs),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_hidden_paths),
		cmocka_unit_test(test_settings_are_shown),
		cmocka_unit_test(test_clean_text),
		cmocka_unit_test(test_path_split),
		cmocka_unit_test(test_path_questions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
