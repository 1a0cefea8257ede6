/* Targets of previews (workbench.md 10.1). */
#include "apps/workbench/sessions/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/registry/registry_test_kit.h"

static const char module[] = "{\"schemaVersion\":\"v0\",\"components\":{"
			     "\"ui.card\":{\"displayName\":\"Card\",\"props\":{}},"
			     "\"ui.off\":{\"displayName\":\"Off\",\"props\":{}}}}";

static const struct {
	const char *json, *code; /* NULL: it can be previewed */
	bool any_host;
} cases[] = {
	{"{\"type\":\"app\",\"url\":\"http://127.0.0.1:5173/\"}", NULL, false},
	{"{\"type\":\"app\",\"url\":\"http://localhost:5173\"}", NULL, false},
	{"{\"type\":\"app\",\"url\":\"https://[::1]:5173/a?b\"}", NULL, false},
	{"{\"type\":\"app\",\"launcherId\":\"vite\",\"launcherOptions\":{}}", NULL, false},
	{"{\"type\":\"component\",\"componentTypeId\":\"ui.card\"}", NULL, false},
	{"{\"type\":\"component\",\"componentTypeId\":\"ui.card\",\"harnessUrl\":"
	 "\"http://127.0.0.1:1/\"}",
	 NULL, false},
	{"{\"type\":\"app\",\"url\":\"http://example.org/\"}", NULL, true},
	{"{\"type\":\"app\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"http://127.0.0.1:1/\",\"launcherId\":\"vite\"}",
	 "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"localhost:5173\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"/index.html\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"file:///etc/passwd\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"ws://127.0.0.1:1/\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"http://u:p@127.0.0.1:1/\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"http://u@127.0.0.1:1/\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"http://127.0.0.1:1/@u?a@b\"}", NULL, false},
	{"{\"type\":\"app\",\"url\":\"http://127.0.0.1.example.org/\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":\"http://example.org/\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"url\":7}", "invalid_target", false},
	{"{\"type\":\"app\",\"launcherId\":\"\"}", "invalid_target", false},
	{"{\"type\":\"app\",\"launcherId\":\"vite\",\"launcherOptions\":[]}", "invalid_target",
	 false},
	{"{\"type\":\"component\"}", "invalid_target", false},
	{"{\"type\":\"component\",\"componentTypeId\":\"ui.none\"}", "unknown_component", false},
	{"{\"type\":\"component\",\"componentTypeId\":\"ui.off\"}", "component_disabled", false},
	{"{\"type\":\"component\",\"componentTypeId\":\"ui.card\",\"harnessUrl\":\"x\"}",
	 "invalid_target", false},
	{"{\"type\":\"variant\",\"variantId\":\"a\"}", "unsupported_target", false},
	{"{\"type\":\"page\"}", "invalid_target", false},
	{"{}", "invalid_target", false},
	{"[]", "invalid_target", false},
};

static void each_target_is_taken_or_refused_by_its_code(void **none)
{
	struct tn_wb_kit kit;

	(void)none;
	tn_wb_kit_compose(
		&kit, &(struct tn_wb_kit_inputs){.modules = {module},
						 .overrides = "{\"ui.off\":{\"disabled\":true}}"});
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct tn_wb_target_rules rules = {kit.registry, cases[i].any_host};
		struct tn_json *json = NULL;
		struct tn_wb_target target;
		struct tenon_error err;
		const char *code;

		assert_int_equal(
			tn_json_parse_copy(&kit.arena, tn_str_from(cases[i].json), &json, NULL),
			TENON_OK);
		code = tn_wb_target_read(json, &rules, &target, &err);
		if (!cases[i].code)
			assert_null(code);
		else
			assert_string_equal(code ? code : cases[i].json, cases[i].code);
		assert_ptr_equal(target.asked, json);
	}
	tn_wb_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_target_is_taken_or_refused_by_its_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
