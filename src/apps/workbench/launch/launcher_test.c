/* Which launchers there are, and what a program of the project finds in its environment. */
#include "apps/workbench/launch/launcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/workbench/launch/env.h"
#include "apps/workbench/values/folder_kit.h"

static struct tn_wb_config *config;

static int tear_down(void **state)
{
	tn_wb_config_destroy(config);
	config = NULL;
	return folder_tear_down(state);
}

static void read_folder(void)
{
	struct tn_wb_config_options options = {0};
	struct tenon_error err;
	struct tn_roots roots;

	folder_roots(folder_path(), &roots);
	options.roots = options.packages = &roots;
	assert_int_equal(tn_wb_config_read(&options, &config, &err), TENON_OK);
	tn_roots_finish(&roots);
}

static void assert_listed(const char *want)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_wb_launchers_put(&out, config);
	tn_buf_append_byte(&out, '\0');
	assert_non_null(strstr(out.data, want));
	tn_buf_finish(&out);
}

static void without_vite_there_is_no_default(void **state)
{
	struct tn_wb_launcher launcher;

	(void)state;
	read_folder();
	assert_int_equal(tn_wb_launcher_default(config).size, 0);
	assert_false(tn_wb_launcher_find(config, TN_STR("static"), &launcher));
	assert_true(tn_wb_launcher_find(config, TN_STR("vite"), &launcher)); /* by name */
	assert_listed("[]");
}

static void vite_is_the_default_where_it_is_installed(void **state)
{
	(void)state;
	folder_write("node_modules/vite/package.json", "{}");
	read_folder();
	assert_true(tn_str_is(tn_wb_launcher_default(config), "vite"));
	assert_listed("[{\"id\":\"vite\",\"displayName\":\"Vite\"");
}

static void modules_describe_others_and_ours_anew(void **state)
{
	struct tn_wb_launcher launcher;

	(void)state;
	folder_write("skaffa.config.json",
		     "{\"modules\":[\"./a.module.json\"],\"preview\":{\"launcher\":{\"id\":"
		     "\"static\"}}}");
	folder_write(
		"a.module.json",
		"{\"schemaVersion\":\"v0\",\"launchers\":["
		"{\"id\":\"static\",\"displayName\":\"Files\",\"supportedSessionTypes\":[\"app\"],"
		"\"command\":[\"serve\",\"{port}\"],\"cwd\":\"site\",\"env\":{\"KEY\":\"secret\"},"
		"\"url\":\"http://127.0.0.1:{port}/\",\"inject\":\"gateway\"},"
		"{\"id\":\"vite\",\"displayName\":\"Mine\",\"supportedSessionTypes\":[\"app\"],"
		"\"command\":[\"v\"],\"url\":\"u\",\"inject\":\"gateway\"}]}");
	read_folder();
	assert_true(tn_str_is(tn_wb_launcher_default(config), "static"));
	assert_true(tn_wb_launcher_find(config, TN_STR("static"), &launcher));
	assert_non_null(launcher.described);
	assert_true(tn_wb_launcher_find(config, TN_STR("vite"), &launcher));
	assert_non_null(launcher.described);
	assert_listed("[{\"id\":\"static\",\"displayName\":\"Files\","
		      "\"supportedSessionTypes\":[\"app\"],\"command\":[\"serve\",\"{port}\"],"
		      "\"cwd\":\"site\",\"env\":[\"KEY\"]},{\"id\":\"vite\","
		      "\"displayName\":\"Mine\",\"supportedSessionTypes\":[\"app\"],\"command\":["
		      "\"v\"]}]");
}

/* ---- the environment ---- */

static const char *value_of(const char *const *env, const char *name)
{
	const char *found = NULL;

	for (size_t i = 0; env[i]; i++) {
		if (strncmp(env[i], name, strlen(name)) == 0 && env[i][strlen(name)] == '=') {
			assert_null(found); /* each name once */
			found = env[i] + strlen(name) + 1;
		}
	}
	return found;
}

static void what_is_ours_alone_is_left_out_and_scalars_are_put_in(void **state)
{
	const struct tn_json *more[TN_WB_ENV_PARTS];
	struct tn_json *first, *second;
	struct tenon_error err;
	const char *const *env;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(setenv("TENON_CONSENT", "allow", 1), 0);
	assert_int_equal(setenv("SHOP_MODE", "old", 1), 0);
	assert_int_equal(tn_json_parse_copy(&arena,
					    TN_STR("{\"SHOP_MODE\":\"new\",\"N\":1.5,\"B\":true,"
						   "\"O\":{},\"L\":[],\"A=B\":\"x\",\"\":\"y\","
						   "\"Z\":null,\"C\":\"a\"}"),
					    &first, &err),
			 TENON_OK);
	assert_int_equal(tn_json_parse_copy(&arena,
					    TN_STR("{\"C\":\"{port}\",\"U\":\"{port}-{port}\"}"),
					    &second, &err),
			 TENON_OK);
	more[0] = first;
	more[1] = second;
	env = tn_wb_env(&arena, more, 8080);
	assert_non_null(env);
	assert_null(value_of(env, "TENON_CONSENT"));
	assert_string_equal(value_of(env, "SHOP_MODE"), "new");
	assert_string_equal(value_of(env, "N"), "1.5");
	assert_string_equal(value_of(env, "B"), "true");
	assert_null(value_of(env, "O"));
	assert_null(value_of(env, "L"));
	assert_null(value_of(env, "A"));
	assert_null(value_of(env, "Z"));
	assert_string_equal(value_of(env, "C"), "8080");
	assert_string_equal(value_of(env, "U"), "8080-8080");
	assert_non_null(value_of(env, "PATH"));
	assert_string_equal(tn_wb_put_port(&arena, TN_STR("{port}"), 0), "{port}");
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_vite_there_is_no_default, folder_set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(vite_is_the_default_where_it_is_installed,
						folder_set_up, tear_down),
		cmocka_unit_test_setup_teardown(modules_describe_others_and_ours_anew,
						folder_set_up, tear_down),
		cmocka_unit_test(what_is_ours_alone_is_left_out_and_scalars_are_put_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
