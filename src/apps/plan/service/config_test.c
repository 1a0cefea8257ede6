#include "apps/plan/service/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/plan/service/settings_table.h"
#include "base/settings_test_kit.h"

static struct settings_kit settings;

/* `set`: key, value, ..., NULL. */
static struct tn_plan_config read_with(const char *const *set, const char *key)
{
	struct tn_plan_config config;

	for (const char *const *at = set; at && at[0]; at += 2)
		settings_kit_set(&settings, at[0], at[1]);
	if (key)
		settings_kit_set_secret(&settings, "plan.llm.api_key_env", key);
	tn_plan_config_read(&config, settings.views);
	return config;
}

static int set_up(void **state)
{
	(void)state;
	settings_kit_open(&settings, &tn_plan_setting_table);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	settings_kit_close(&settings);
	return 0;
}

/* P-12: no key needed; a key in the environment selects the hosted model. */
static void nothing_set_means_builtin_and_offline(void **state)
{
	struct tn_plan_config config;

	(void)state;
	tn_plan_config_read(&config, NULL); /* no host at all */
	assert_int_equal(config.preference, TN_PLAN_SOURCE_BUILTIN);
	assert_null(config.api_key);
	assert_null(config.paths[0]);
	assert_true(config.allow_remote);
	assert_string_equal(config.model, "gpt-4o-mini");
	assert_int_equal(config.timeout_ms, 30000);
	assert_int_equal(config.keep_days, 30);
	assert_true(config.handle_idle_ms == 24ull * 60 * 60 * 1000);
	assert_false(config.store_raw);
	assert_false(config.paths_over_http);
}

static void a_key_selects_the_hosted_model(void **state)
{
	const char *const stated[] = {"plan.source", "builtin", NULL};

	(void)state;
	assert_int_equal(read_with(NULL, NULL).preference, TN_PLAN_SOURCE_BUILTIN);
	assert_int_equal(read_with(NULL, "k").preference, TN_PLAN_SOURCE_OPENAI);
	assert_string_equal(read_with(NULL, "m").api_key, "m");
	assert_int_equal(read_with(stated, "k").preference, TN_PLAN_SOURCE_BUILTIN);
}

static void switches_and_numbers_are_read(void **state)
{
	const char *const set[] = {"plan.llm.allow_remote",
				   "false",
				   "plan.llm.keyless",
				   "true",
				   "plan.llm.context_details",
				   "off",
				   "plan.llm.context_role",
				   "system",
				   "plan.keep_days",
				   "0",
				   "plan.handle_hours",
				   "1",
				   NULL};
	struct tn_plan_config config = read_with(set, NULL);

	(void)state;
	assert_false(config.allow_remote);
	assert_true(config.keyless);
	assert_int_equal(config.context_details, TN_PLAN_SWITCH_OFF);
	assert_true(config.context_is_system);
	assert_int_equal(config.keep_days, 0);
	assert_true(config.handle_idle_ms == 60 * 60 * 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_set_means_builtin_and_offline, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_key_selects_the_hosted_model, set_up, tear_down),
		cmocka_unit_test_setup_teardown(switches_and_numbers_are_read, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
