/* Attribute paths taken apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/path.h"
#include "base/size.h"

#define assert_is(text, expected)                                                            \
	do {                                                                                 \
		struct tn_str is = (text);                                                   \
		if (!tn_str_is(is, (expected)))                                              \
			fail_msg("\"%.*s\", not \"%s\"", (int)is.size, is.data, (expected)); \
	} while (0)

static void test_split(void **state)
{
	static const struct {
		const char *path, *name, *owner;
	} cases[] = {
		{"", "", ""},
		{"acl", "acl", ""},
		{"ingress[0].cidr_blocks[1]", "cidr_blocks", "ingress[0]."},
		{"rule.filter.prefix", "prefix", "rule.filter."},
		{"a[0][1]", "a", ""},
		/* The dotted numbers of very old plans. */
		{"ingress.1234.cidr_blocks.0", "cidr_blocks", "ingress.1234."},
		{"0", "0", ""},
		/* A map's key is no name, whatever it holds. */
		{"tags[\"open_to\"]", "", ""},
		{"tags[\"a.b[0]\"]", "", ""},
		{"policies[\"a.b\"].action", "action", "policies[\"a.b\"]."},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan_path split = tn_plan_path_split(tn_str_from(cases[i].path));

		assert_is(split.name, cases[i].name);
		assert_is(split.owner, cases[i].owner);
	}
}

static void test_key(void **state)
{
	static const struct {
		const char *path, *key;
	} cases[] = {
		{"config[\"retention.ms\"]", "retention.ms"},
		{"policies[\"a\"].tags[\"b\"]", "b"},
		{"tags[\"a[\\\"b\\\"]\"]", "a[\\\"b\\\"]"},
		{"tags[\"\"]", ""},
		{"tags[\"a\"].name", ""},
		{"ingress[0]", ""},
		{"tags[\"", ""},
		{"tags[\"a", ""},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_is(tn_plan_path_key(tn_str_from(cases[i].path)), cases[i].key);
}

static void test_names(void **state)
{
	(void)state;
	assert_is(tn_plan_path_root(TN_STR("ingress[0].from_port")), "ingress");
	assert_is(tn_plan_path_root(TN_STR("ingress.from_port")), "ingress");
	assert_true(
		tn_plan_path_has_name(TN_STR("rule[0].expiration[0].days"), TN_STR("expiration")));
	assert_true(tn_plan_path_has_name(TN_STR("a[\"x]\"].b"), TN_STR("b")));
	/* A part of a name, or of a key, is none. */
	assert_false(tn_plan_path_has_name(TN_STR("rule.noncurrent_version_expiration.days"),
					   TN_STR("expiration")));
	assert_false(tn_plan_path_has_name(TN_STR("tags[\"expiration\"]"), TN_STR("expiration")));
	assert_false(
		tn_plan_path_has_name(TN_STR("tags[\"a].expiration\"]"), TN_STR("expiration")));
}

static void test_remarks(void **state)
{
	static const char *const remarks[] = {"tags[\"a\"]",
					      "tags_all.x",
					      "description",
					      "ingress[0].description",
					      "metadata.labels[\"app\"]",
					      "comment"};
	static const char *const others[] = {"rule.filter.tag.key", "ingress[0].cidr_blocks",
					     "tagged", "name"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(remarks); i++)
		if (!tn_plan_path_is_remark(tn_str_from(remarks[i])))
			fail_msg("%s", remarks[i]);
	for (size_t i = 0; i < TN_COUNT(others); i++)
		if (tn_plan_path_is_remark(tn_str_from(others[i])))
			fail_msg("%s", others[i]);
}

static void test_elements(void **state)
{
	(void)state;
	assert_true(tn_plan_path_is_element(TN_STR("a"), TN_STR("a")));
	assert_true(tn_plan_path_is_element(TN_STR("a[12]"), TN_STR("a")));
	assert_true(tn_plan_path_is_element(TN_STR("a.12"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a.b"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a[0].b[1]"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("ab"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a[]"), TN_STR("a")));
	assert_false(tn_plan_path_is_element(TN_STR("a"), TN_STR("a[0]")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),    cmocka_unit_test(test_key),
		cmocka_unit_test(test_names),    cmocka_unit_test(test_remarks),
		cmocka_unit_test(test_elements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
