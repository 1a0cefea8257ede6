/* Typed values of a table, with a host and without. */
#include "base/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/settings_test_kit.h"
#include "base/size.h"

static const struct tn_setting rows[] = {
	{.key = "a.on", .type = TN_SETTING_BOOLEAN, .fallback = "true"},
	{.key = "a.off", .type = TN_SETTING_BOOLEAN, .fallback = "false"},
	{.key = "a.number",
	 .type = TN_SETTING_INTEGER,
	 .fallback = "17592186044416",
	 .most = INT64_C(1) << 50},
	{.key = "a.word", .type = TN_SETTING_STRING, .fallback = "x", .values = "x|y"},
	{.key = "a.list", .type = TN_SETTING_LIST, .fallback = "", .separator = ':'},
	{.key = "a.key_env",
	 .type = TN_SETTING_STRING,
	 .fallback = "KEY",
	 .rule = TN_SETTING_VARIABLE},
};
static const struct tn_setting_table table = {.rows = rows, .count = TN_COUNT(rows)};
static const struct tn_setting_table other = {.rows = rows, .count = 1};

static void test_without_a_host(void **state)
{
	struct tn_settings s = tn_settings_of(NULL, &table);

	(void)state;
	assert_true(tn_settings_bool(&s, "a.on"));
	assert_false(tn_settings_bool(&s, "a.off"));
	assert_true(tn_settings_int(&s, "a.number") == INT64_C(1) << 44);
	assert_true(tn_settings_u64(&s, "a.number") == UINT64_C(1) << 44);
	assert_string_equal(tn_settings_text(&s, "a.word"), "x");
	assert_true(tn_settings_is(&s, "a.word", "x"));
	assert_null(tn_settings_list(&s, "a.list")[0]);
	assert_null(tn_settings_secret(&s, "a.key_env"));
}

static void test_with_a_host(void **state)
{
	struct settings_kit kit;
	struct tn_settings s;

	(void)state;
	settings_kit_open(&kit, &table);
	settings_kit_set(&kit, "a.on", "false");
	settings_kit_set(&kit, "a.number", "7");
	settings_kit_set(&kit, "a.word", "y");
	settings_kit_set(&kit, "a.list", "/a:/b");
	settings_kit_set_secret(&kit, "a.key_env", "canary");
	s = tn_settings_of(kit.views, &table);
	assert_false(tn_settings_bool(&s, "a.on"));
	assert_int_equal(tn_settings_u32(&s, "a.number"), 7);
	assert_true(tn_settings_is(&s, "a.word", "y"));
	assert_string_equal(tn_settings_list(&s, "a.list")[1], "/b");
	assert_null(tn_settings_list(&s, "a.list")[2]);
	assert_string_equal(tn_settings_secret(&s, "a.key_env"), "canary");
	/* A table that this host does not have. */
	s = tn_settings_of(kit.views, &other);
	assert_true(tn_settings_bool(&s, "a.on"));
	settings_kit_close(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_a_host),
		cmocka_unit_test(test_with_a_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
