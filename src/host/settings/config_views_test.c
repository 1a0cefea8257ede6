/* What apps are opened with: every row's bounds and default, views that no later change touches,
 * and nothing that is looser because memory or the environment refused. */
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/plan/service/config.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/settings/config.h"
#include "apps/terminal/settings/settings_table.h"
#include "base/size.h"
#include "host/settings/config_key.h"
#include "host/settings/terminal_setup.h"

static struct tenon_error err;
static char folder[] = "/tmp/tenon-views-XXXXXX", path[64];

/* A process whose environment takes nothing more: nothing may depend on it. */
static bool refuses;
int setenv(const char *name, const char *value, int overwrite)
{
	int (*real)(const char *, const char *, int) = NULL;

	*(void **)&real = dlsym(RTLD_NEXT, "setenv");
	assert_non_null(real);
	errno = ENOMEM;
	return refuses ? -1 : real(name, value, overwrite);
}

static const char *get_variable(const char *name)
{
	return strcmp(name, "HOME") == 0 ? "/nowhere" : NULL;
}

static int set_up(void **state)
{
	char scratch[TN_CONFIG_VARIABLE_MAX];

	(void)state;
	for (size_t i = 0; i < tn_config_key_count(); i++)
		(void)unsetenv(tn_config_key_variable(tn_config_key_at(i), scratch));
	(void)unsetenv("OPENAI_API_KEY");
	refuses = false;
	return setenv("XDG_CONFIG_HOME", "/nowhere", 1) || setenv("HOME", "/nowhere", 1);
}

static struct tn_config *read_text(const char *text)
{
	struct tn_config *config = NULL;
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	if (tn_config_read(path, NULL, &config, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return config;
}

/* What a host makes of a default is what an app makes of it that has none. */
static void compare(const struct tn_settings *host, const struct tn_settings *alone,
		    const struct tn_setting *row)
{
	switch (row->type) {
	case TN_SETTING_BOOLEAN:
		assert_int_equal(tn_settings_bool(host, row->key),
				 tn_settings_bool(alone, row->key));
		break;
	case TN_SETTING_INTEGER:
		assert_int_equal(tn_settings_int(host, row->key), tn_settings_int(alone, row->key));
		break;
	case TN_SETTING_STRING:
		assert_string_equal(tn_settings_text(host, row->key),
				    tn_settings_text(alone, row->key));
		break;
	case TN_SETTING_LIST:
		assert_null(tn_settings_list(host, row->key)[0]);
		assert_null(tn_settings_list(alone, row->key)[0]);
		break;
	}
}

static void test_defaults_need_no_host(void **state)
{
	struct tn_config *config = NULL;
	const struct tn_setting_table *table;

	(void)state;
	assert_int_equal(tn_config_read(NULL, NULL, &config, &err), TENON_OK);
	for (size_t i = 1; (table = tn_config_table_at(i)) != NULL; i++) {
		struct tn_settings host = tn_settings_of(tn_config_views(config), table);
		struct tn_settings alone = tn_settings_of(NULL, table);

		assert_non_null(host.values);
		for (size_t j = 0; j < table->count; j++)
			compare(&host, &alone, &table->rows[j]);
	}
	tn_config_free(config);
}

static void read_flag(const struct tn_setting *key, int64_t number, enum tenon_code expected)
{
	struct tn_config *config = NULL;
	char text[32], bounds[64];
	const char *flags[] = {key->key, text, NULL};

	(void)snprintf(text, sizeof(text), "%lld", (long long)number);
	(void)snprintf(bounds, sizeof(bounds), "%lld to %lld", (long long)key->least,
		       (long long)key->most);
	if (tn_config_read(NULL, flags, &config, &err) != expected)
		fail_msg("%s=%s: %s", key->key, text, err.message);
	/* The field, the bounds, what to send. */
	if (expected != TENON_OK &&
	    !(strstr(err.message, key->key) && strstr(err.message, "; send ") &&
	      strstr(err.message, bounds)))
		fail_msg("%s=%s: %s", key->key, text, err.message);
	tn_config_free(config);
}

static void test_bounds_are_those_of_the_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);

		if (key->type != TN_SETTING_INTEGER)
			continue;
		assert_true(key->least <= key->most && key->least >= 0);
		read_flag(key, key->least, TENON_OK);
		read_flag(key, key->most, TENON_OK);
		read_flag(key, key->most + 1, TENON_INVALID);
		read_flag(key, key->least - 1, TENON_INVALID);
	}
}

/* NULL: any text will do. */
static const char *wrong_text_of(const struct tn_setting *key)
{
	static const char *const wrong[] = {
		[TN_SETTING_ADDRESS] = "here",  [TN_SETTING_HOST] = "a/b",
		[TN_SETTING_APP] = "nothing",   [TN_SETTING_ABSOLUTE] = "relative",
		[TN_SETTING_LOG] = "relative",  [TN_SETTING_URL] = "ftp://a",
		[TN_SETTING_HEADER] = "canary", [TN_SETTING_VARIABLE] = "A=B",
		[TN_SETTING_PATTERN] = "a b",   [TN_SETTING_REGEX] = "(a",
		[TN_SETTING_FIT] = "host=none"};

	if (key->type == TN_SETTING_BOOLEAN || key->values)
		return "perhaps";
	return key->type == TN_SETTING_INTEGER ? "many" : wrong[key->rule];
}

/* When it is set, and not when an app finds it at the next start; by flag and by variable. */
static void test_wrong_texts_are_told_with_what_to_send(void **state)
{
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);
		const char *wrong = wrong_text_of(key);
		const char *flags[] = {key->key, wrong, NULL};
		char scratch[TN_CONFIG_VARIABLE_MAX];
		const char *variable = tn_config_key_variable(key, scratch);
		struct tn_config *config = NULL;

		if (!wrong)
			continue;
		count++;
		assert_int_equal(tn_config_read(NULL, flags, &config, &err), TENON_INVALID);
		if (!strstr(err.message, key->key) ||
		    !(strstr(err.message, "; send ") || key->rule == TN_SETTING_APP))
			fail_msg("%s", err.message);
		assert_null(strstr(err.message, "canary")); /* of a secret */
		assert_int_equal(setenv(variable, wrong, 1), 0);
		assert_int_equal(tn_config_read(NULL, NULL, &config, &err), TENON_INVALID);
		assert_int_equal(strncmp(err.message, variable, strlen(variable)), 0);
		assert_int_equal(unsetenv(variable), 0);
		assert_null(config);
	}
	assert_true(count > 50);
}

/* Each list takes as many as its row says, and no more. */
static void test_lists_have_bounds(void **state)
{
	struct tn_config *config = NULL;
	char text[1024] = "";
	const char *flags[] = {"terminal.redact.patterns", text, NULL};

	(void)state;
	for (size_t i = 0; i < TN_REDACT_PATTERNS_MAX; i++)
		memcpy(text + 2 * i, "a\n", 3);
	assert_int_equal(tn_config_read(NULL, flags, &config, &err), TENON_OK);
	tn_config_free(config);
	memcpy(text + strlen(text), "a\n", 3);
	assert_int_equal(tn_config_read(NULL, flags, &config, &err), TENON_INVALID);
	assert_string_equal(err.message, "--set terminal.redact.patterns: more than 64 elements");
}

/* A key stands in one table, and each number fits what apps read it as. */
static void test_keys_are_told_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);

		assert_ptr_equal(tn_config_key_find(tn_str_from(key->key)), key);
		assert_int_equal(tn_config_key_index(key), i);
	}
}

static const char strict[] = "{\"plan\": {\"llm\": {\"allow_remote\": false}},\n"
			     " \"terminal\": {\"roots\": [\"/srv\"]}}";

/* What is forbidden stays forbidden in a process that cannot put a variable into its environment.
 */
static void test_nothing_travels_by_the_environment(void **state)
{
	struct tn_config *config = read_text(strict);
	struct tn_term_surroundings around = {.get = get_variable};
	struct tn_term_config terminal;
	struct tn_plan_config plan;

	(void)state;
	refuses = true;
	around.views = tn_config_views(config);
	tn_plan_config_read(&plan, tn_config_views(config));
	assert_false(plan.allow_remote);
	assert_int_equal(tn_term_config_read(&terminal, &around, &err), TENON_OK);
	assert_string_equal(terminal.roots[0], "/srv");
	assert_null(getenv("TENON_PLAN_ALLOW_REMOTE"));
	assert_null(getenv("TENON_TERMINAL_ROOTS"));
	tn_term_config_finish(&terminal);
	tn_config_free(config);
}

/* restart: true means that: an app has what it was opened with, whatever is changed, and how often.
 */
static void test_views_do_not_change(void **state)
{
	struct tn_config *config = read_text(strict);
	const struct tn_settings *views = tn_config_views(config);
	struct tn_settings s = tn_settings_of(views, &tn_term_setting_table);
	const char *const *roots = tn_settings_list(&s, "terminal.roots");

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
			tn_config_change(config, "terminal.roots", i ? "[]" : "[\"/x\"]", &err),
			TENON_OK);
		assert_int_equal(
			tn_config_change(config, "terminal.max_sessions", i ? "3" : "4", &err),
			TENON_OK);
		assert_ptr_equal(tn_config_views(config), views);
	}
	assert_string_equal(roots[0], "/srv");
	assert_int_equal(tn_settings_u32(&s, "terminal.max_sessions"), 100);
	assert_int_equal(tn_config_int(config, "terminal.max_sessions"), 3);
	tn_config_free(config);
}

/* Who comes by the network is let in by what the terminal has, not by what it will have. */
static void test_reach_is_that_of_the_app(void **state)
{
	static const struct tn_terminal_reach network = {.network = true};
	struct tn_config *config = read_text("{}");

	(void)state;
	assert_int_equal(tn_terminal_check_reach(config, &network, &err), TENON_INVALID);
	assert_int_equal(tn_config_change(config, "terminal.roots", "[\"/srv\"]", &err), TENON_OK);
	assert_int_equal(tn_terminal_check_reach(config, &network, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "terminal.roots"));
	tn_config_free(config);
	config = read_text(strict);
	assert_non_null(tn_config_views(config)); /* opened */
	assert_int_equal(tn_config_change(config, "terminal.roots", "[]", &err), TENON_OK);
	assert_int_equal(tn_terminal_check_reach(config, &network, &err), TENON_OK);
	tn_config_free(config);
}

/* The host looks for the secret that a setting names; the app has it by the setting. */
static void test_secrets(void **state)
{
	struct tn_config *config;
	struct tn_plan_config plan;

	(void)state;
	assert_int_equal(setenv("MY_KEY", "canary", 1), 0);
	config = read_text("{\"plan\": {\"llm\": {\"api_key_env\": \"MY_KEY\"}}}");
	assert_int_equal(unsetenv("MY_KEY"), 0);
	tn_plan_config_read(&plan, tn_config_views(config));
	assert_string_equal(plan.api_key, "canary");
	assert_int_equal(plan.preference, TN_PLAN_SOURCE_OPENAI);
	tn_config_free(config);
	assert_int_equal(setenv("OPENAI_API_KEY", "", 1), 0); /* set to nothing is not set */
	config = read_text("{}");
	tn_plan_config_read(&plan, tn_config_views(config));
	assert_null(plan.api_key);
	assert_int_equal(plan.preference, TN_PLAN_SOURCE_BUILTIN);
	tn_config_free(config);
}

static int set_up_all(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/config.json", folder);
	return 0;
}

static int tear_down_all(void **state)
{
	(void)state;
	(void)unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_defaults_need_no_host, set_up),
		cmocka_unit_test_setup(test_bounds_are_those_of_the_row, set_up),
		cmocka_unit_test_setup(test_wrong_texts_are_told_with_what_to_send, set_up),
		cmocka_unit_test_setup(test_lists_have_bounds, set_up),
		cmocka_unit_test_setup(test_keys_are_told_apart, set_up),
		cmocka_unit_test_setup(test_nothing_travels_by_the_environment, set_up),
		cmocka_unit_test_setup(test_views_do_not_change, set_up),
		cmocka_unit_test_setup(test_reach_is_that_of_the_app, set_up),
		cmocka_unit_test_setup(test_secrets, set_up),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
