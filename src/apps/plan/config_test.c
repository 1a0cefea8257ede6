#include "apps/plan/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The variables of one test: name, value, ..., NULL. */
static const char *const *variables;

static const char *get(const char *name)
{
	for (const char *const *at = variables; at && at[0]; at += 2) {
		if (strcmp(at[0], name) == 0)
			return at[1];
	}
	return NULL;
}

static struct tn_plan_config read_ok(const char *const *set)
{
	struct tn_plan_config config;
	struct tenon_error err = {0};

	variables = set;
	assert_int_equal(tn_plan_config_read(&config, get, &err), TENON_OK);
	return config;
}

/* P-12: no key needed; a key in the environment selects the hosted model. */
static void nothing_set_means_builtin_and_offline(void **state)
{
	struct tn_plan_config config = read_ok(NULL);

	(void)state;
	assert_int_equal(config.preference, TN_PLAN_SOURCE_BUILTIN);
	assert_null(config.api_key);
	assert_null(config.paths);
	assert_string_equal(config.model, "gpt-4o-mini");
	assert_int_equal(config.timeout_ms, 30000);
	assert_int_equal(config.keep_days, 30);
	assert_true(config.handle_idle_ms == 24ull * 60 * 60 * 1000);
	assert_false(config.store_raw);
	assert_false(config.paths_over_http);
}

static void a_key_selects_the_hosted_model(void **state)
{
	const char *const key[] = {"OPENAI_API_KEY", "k", NULL};
	const char *const stated[] = {"OPENAI_API_KEY", "k", "TENON_PLAN_SOURCE", "builtin", NULL};
	const char *const other[] = {"MY_KEY", "m", "TENON_PLAN_API_KEY_ENV", "MY_KEY", NULL};
	const char *const empty[] = {"OPENAI_API_KEY", "", NULL};

	(void)state;
	assert_int_equal(read_ok(key).preference, TN_PLAN_SOURCE_OPENAI);
	assert_int_equal(read_ok(stated).preference, TN_PLAN_SOURCE_BUILTIN);
	assert_string_equal(read_ok(other).api_key, "m");
	assert_int_equal(read_ok(empty).preference, TN_PLAN_SOURCE_BUILTIN);
}

static void wrong_values_name_the_variable(void **state)
{
	const char *const wrong[][3] = {
		{"TENON_PLAN_TIMEOUT_MS", "soon", NULL},
		{"TENON_PLAN_TIMEOUT_MS", "99", NULL},
		{"TENON_PLAN_MAX_TOKENS", "0", NULL},
		{"TENON_PLAN_KEEP_DAYS", "-1", NULL},
		{"TENON_PLAN_HANDLE_HOURS", "99999999999", NULL},
		{"TENON_PLAN_ALLOW_REMOTE", "maybe", NULL},
		{"TENON_PLAN_CONTEXT_ROLE", "assistant", NULL},
		{"TENON_PLAN_CONTEXT_DETAILS", "some", NULL},
		{"TENON_PLAN_SOURCE", "oracle", NULL},
		{"TENON_PLAN_SOURCE", "client", NULL},
	};
	struct tn_plan_config config;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct tenon_error err = {0};

		variables = wrong[i];
		assert_int_equal(tn_plan_config_read(&config, get, &err), TENON_INVALID);
		assert_non_null(strstr(err.message, wrong[i][0]));
	}
}

static void switches_and_numbers_are_read(void **state)
{
	const char *const set[] = {"TENON_PLAN_ALLOW_REMOTE",
				   "0",
				   "TENON_PLAN_KEYLESS",
				   "yes",
				   "TENON_PLAN_CONTEXT_DETAILS",
				   "off",
				   "TENON_PLAN_CONTEXT_ROLE",
				   "system",
				   "TENON_PLAN_KEEP_DAYS",
				   "0",
				   "TENON_PLAN_HANDLE_HOURS",
				   "1",
				   NULL};
	struct tn_plan_config config = read_ok(set);

	(void)state;
	assert_false(config.allow_remote);
	assert_true(config.keyless);
	assert_int_equal(config.context_details, TN_PLAN_SWITCH_OFF);
	assert_true(config.context_is_system);
	assert_int_equal(config.keep_days, 0);
	assert_true(config.handle_idle_ms == 60 * 60 * 1000);
}

/* plan.md section 10.5: allow_remote=false forbids any endpoint that is not loopback. */
static void only_this_machine_is_local(void **state)
{
	const char *const local[] = {"http://127.0.0.1:11434/v1", "http://localhost/v1",
				     "https://[::1]:8080/v1",     "http://LOCALHOST:1",
				     "http://127.9.8.7",          "http://user:pw@127.0.0.1/v1"};
	const char *const remote[] = {"https://api.openai.com/v1",
				      "http://127.0.0.1.evil.example/v1",
				      "http://127.evil.0.1/",
				      "http://localhost.evil.example",
				      "http://127.0.0.1@evil.example/v1",
				      "http://127.0.0.1:80@evil.example/",
				      "http://evil.example/127.0.0.1",
				      "http://evil.example\\@127.0.0.1/",
				      "127.0.0.1",
				      "",
				      "http://[::2]/"};

	(void)state;
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		assert_true(tn_plan_url_is_local(local[i]));
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		assert_false(tn_plan_url_is_local(remote[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_set_means_builtin_and_offline),
		cmocka_unit_test(a_key_selects_the_hosted_model),
		cmocka_unit_test(wrong_values_name_the_variable),
		cmocka_unit_test(switches_and_numbers_are_read),
		cmocka_unit_test(only_this_machine_is_local),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
