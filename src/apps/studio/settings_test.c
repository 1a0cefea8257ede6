/* Settings of studio from the environment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/settings.h"

static const char *name, *value;

static const char *get_one(const char *asked)
{
	return name && strcmp(asked, name) == 0 ? value : NULL;
}

static enum tenon_code read_with(const char *with_name, const char *with_value,
				 struct tn_studio_settings *settings, struct tenon_error *err)
{
	name = with_name;
	value = with_value;
	return tn_studio_settings_read(settings, get_one, err);
}

static void test_defaults(void **state)
{
	struct tn_studio_settings settings;
	struct tenon_error err;

	(void)state;
	assert_int_equal(read_with(NULL, NULL, &settings, &err), TENON_OK);
	assert_null(settings.engine);
	assert_null(settings.roots);
	assert_false(settings.core_tools);
	assert_true(settings.notify_desktop);
	assert_int_equal(settings.runs_at_once, 2);
	tn_studio_settings_finish(&settings);
}

static void test_values(void **state)
{
	struct tn_studio_settings settings;
	struct tenon_error err;

	(void)state;
	assert_int_equal(read_with("TENON_STUDIO_ROOTS", "/a::/b c:", &settings, &err), TENON_OK);
	assert_string_equal(settings.roots[0], "/a");
	assert_string_equal(settings.roots[1], "/b c");
	assert_null(settings.roots[2]);
	tn_studio_settings_finish(&settings);
	assert_int_equal(read_with("TENON_STUDIO_TOOLS", "core", &settings, &err), TENON_OK);
	assert_true(settings.core_tools);
	tn_studio_settings_finish(&settings);
	assert_int_equal(read_with("TENON_STUDIO_NOTIFICATIONS_DESTRUCTIVE", "no", &settings, &err),
			 TENON_OK);
	assert_false(settings.notify_desktop);
	tn_studio_settings_finish(&settings);
}

static void test_refused(void **state)
{
	static const struct {
		const char *name, *value, *says;
	} rows[] = {
		{"TENON_STUDIO_ROOTS", "here", "send absolute folders"},
		{"TENON_STUDIO_TOOLS", "few", "send all or core"},
		{"TENON_STUDIO_RUNS_AT_ONCE", "0", "send 1 to 64"},
		{"TENON_STUDIO_RUNS_AT_ONCE", "65", "send 1 to 64"},
		{"TENON_STUDIO_NOTIFICATIONS_DESTRUCTIVE", "maybe", "send true or false"},
	};
	struct tn_studio_settings settings;
	struct tenon_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(read_with(rows[i].name, rows[i].value, &settings, &err),
				 TENON_INVALID);
		assert_non_null(strstr(err.message, rows[i].says));
		assert_non_null(strstr(err.message, rows[i].name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
