/* Every allocation of reading and changing settings fails once, and from then on always: no leak,
 * and never a value that nobody has set. What forbids something goes on forbidding it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/plan/service/config.h"
#include "apps/terminal/settings/settings_table.h"
#include "host/settings/config.h"
#include "short_memory.h"

enum { LONG = 200 * 1024 }; /* more than a block of the arena: it takes an allocation of its own */

static char long_key[LONG + 1];
static char folder[] = "/tmp/tenon-config-oom-XXXXXX", path[64];

static void put_file(const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void expect_strict(struct tn_config *config)
{
	struct tn_settings terminal =
		tn_settings_of(tn_config_views(config), &tn_term_setting_table);
	struct tn_plan_config plan;

	tn_plan_config_read(&plan, tn_config_views(config));
	assert_false(plan.allow_remote);
	assert_string_equal(plan.headers[0], "X-A: 1");
	assert_string_equal(plan.api_key, long_key);
	assert_string_equal(tn_settings_list(&terminal, "terminal.roots")[0], "/srv");
	assert_string_equal(tn_settings_list(&terminal, "terminal.roots")[1], "/opt");
	assert_int_equal(tn_settings_int(&terminal, "terminal.max_sessions"), 7);
}

/* Changed wholly or not at all, in the file and in memory alike. */
static void expect_whole(struct tn_config *config, bool changed)
{
	struct tn_config *again = NULL;

	fault.armed = false;
	assert_int_equal(tn_config_bool(config, "plan.llm.allow_remote"), changed);
	assert_int_equal(tn_config_int(config, "terminal.max_sessions"), changed ? 8 : 7);
	assert_int_equal(tn_config_read(path, NULL, &again, NULL), TENON_OK);
	assert_int_equal(tn_config_bool(again, "plan.llm.allow_remote"), changed);
	assert_int_equal(tn_config_int(again, "terminal.max_sessions"), changed ? 8 : 7);
	tn_config_free(again);
	fault.armed = true;
}

static bool live_through(unsigned long nth, bool goes_on)
{
	static const struct tn_config_edit edits[] = {{"plan.llm.allow_remote", "true"},
						      {"terminal.max_sessions", "8"}};
	struct tn_config *config = NULL;
	struct tenon_error err = {0};
	enum tenon_code code;

	put_file("{\"plan\": {\"llm\": {\"allow_remote\": false, \"headers\": [\"X-A: 1\"]}},\n"
		 " \"terminal\": {\"roots\": [\"/srv\", \"/opt\"], \"max_sessions\": 7}}\n");
	fault = (struct short_memory){.armed = true, .nth = nth, .goes_on = goes_on};
	code = tn_config_read(path, NULL, &config, &err);
	if (code != TENON_OK)
		assert_int_equal(code, TENON_NO_MEMORY);
	if (config) {
		expect_strict(config);
		code = tn_config_change_all(config, edits, 2, &err);
		expect_whole(config, code == TENON_OK);
		expect_strict(config); /* the app has what it was opened with */
		code = tn_config_reload(config, &err);
		expect_strict(config);
		tn_config_free(config);
	}
	fault.armed = false;
	assert_int_equal(fault.live, 0);
	return fault.hit;
}

static void test_every_allocation(void **state)
{
	unsigned long nth = 1;

	(void)state;
	memset(long_key, 'k', LONG);
	assert_int_equal(setenv("OPENAI_API_KEY", long_key, 1), 0);
	while (live_through(nth, false) && live_through(nth, true))
		nth++;
	assert_true(nth > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
	int failures;

	if (!mkdtemp(folder))
		return 1;
	(void)snprintf(path, sizeof(path), "%s/config.json", folder);
	failures = cmocka_run_group_tests(tests, NULL, NULL);
	(void)unlink(path);
	(void)rmdir(folder);
	return failures;
}
