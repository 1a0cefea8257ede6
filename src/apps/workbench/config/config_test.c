/* Configuration and modules (C1 to C8), read from real folders. */
#include "apps/workbench/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/values/folder_kit.h"
#include "jsonrpc/json_write.h"

static struct tn_wb_config *config;

static int tear_down(void **state)
{
	tn_wb_config_destroy(config);
	config = NULL;
	return folder_tear_down(state);
}

static void read_folder(const char *path, bool trusted)
{
	struct tn_wb_config_options options = {.trusted = trusted};
	struct tenon_error err;
	struct tn_roots roots;

	folder_roots(path, &roots);
	options.roots = options.packages = &roots;
	assert_int_equal(tn_wb_config_read(&options, &config, &err), TENON_OK);
	tn_roots_finish(&roots);
}

static void assert_diagnostic(const struct tn_wb_diagnostics *list, size_t index, const char *code,
			      const char *pointer)
{
	assert_true(index < list->count);
	assert_string_equal(list->items[index].code, code);
	if (pointer)
		assert_string_equal(list->items[index].pointer, pointer);
}

static void assert_effective(const char *section, const char *member, const char *want)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, tn_wb_config_get(config, section, member));
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, want);
	tn_buf_finish(&out);
}

static void without_a_file_the_defaults_are_in_force(void **state)
{
	(void)state;
	read_folder(folder_path(), false);
	assert_false(config->degraded);
	assert_diagnostic(&config->diagnostics, 0, "NOT_FOUND", NULL);
	assert_int_equal(config->diagnostics.items[0].severity, TN_WB_INFO);
	assert_effective("components", "infer", "true");
	assert_effective("preview", "mount", "\"app\"");
	assert_effective("preview", "launcher", "null");
	assert_effective(
		"graph", "exclude",
		"[\"**/node_modules/**\",\"**/dist/**\",\"**/*.test.*\",\"**/*.stories.*\"]");
}

/* Packages may lie anywhere: node_modules of a git worktree, or of a monorepo, is a link. */
static void vite_behind_a_link_out_of_the_folder_is_found(void **state)
{
	char link[128];

	(void)state;
	folder_write("elsewhere/vite/package.json", "{}");
	folder_write("app/package.json", "{}");
	(void)snprintf(link, sizeof(link), "%s/app/node_modules", folder_path());
	assert_int_equal(symlink("../elsewhere", link), 0);
	(void)snprintf(link, sizeof(link), "%s/app", folder_path());
	read_folder(link, false);
	assert_effective("preview", "launcher", "{\"id\":\"vite\"}");
}

static void comments_and_commas_are_read_and_the_other_files_named(void **state)
{
	(void)state;
	folder_write(
		"skaffa.config.json",
		"// ours\n{\"preview\": {\"entry\": \"./src/App\",}, /* x */ \"colour\": 1}\n");
	folder_write("skaffa.config.mjs", "export default {}\n");
	folder_write("node_modules/vite/package.json", "{}");
	read_folder(folder_path(), false);
	assert_false(config->degraded);
	assert_diagnostic(&config->diagnostics, 0, "config_ignored", NULL);
	assert_diagnostic(&config->diagnostics, 1, "unknown_field", "/colour");
	assert_effective("preview", "mount", "\"harness\"");
	assert_effective("preview", "launcher", "{\"id\":\"vite\"}");
}

static void what_is_wrong_is_said_with_its_place_and_the_defaults_stay(void **state)
{
	(void)state;
	folder_write("skaffa.config.json",
		     "{\"preview\":{\"mount\":\"page\",\"root\":7},\"components\":{\"overrides\":{"
		     "\"ui.button\":3}},\"modules\":[\"./a\",{\"path\":\"x\"}]}");
	read_folder(folder_path(), false);
	assert_true(config->degraded);
	assert_int_equal(config->diagnostics.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(config->diagnostics.items[i].code, "VALIDATION_ERROR");
	assert_effective("preview", "root", "\".\"");
	assert_int_equal(config->module_count, 0);
}

static void a_fault_names_members_with_dots_as_one_token(void **state)
{
	(void)state;
	folder_write("skaffa.config.json",
		     "{\"components\":{\"overrides\":{\"ui.but/ton\":3}},\"modules\":[]}");
	read_folder(folder_path(), false);
	assert_diagnostic(&config->diagnostics, 0, "VALIDATION_ERROR",
			  "/components/overrides/ui.but~1ton");
}

/* Section 5: what is wrong of the document itself is at the empty pointer. */
static void a_fault_of_the_document_itself_points_at_all_of_it(void **state)
{
	(void)state;
	folder_write("skaffa.config.json", "[]");
	read_folder(folder_path(), false);
	assert_diagnostic(&config->diagnostics, 0, "VALIDATION_ERROR", "");
}

static void text_that_is_no_json_names_its_line(void **state)
{
	(void)state;
	folder_write("skaffa.config.json", "{\n\"a\": ]\n}");
	read_folder(folder_path(), false);
	assert_true(config->degraded);
	assert_diagnostic(&config->diagnostics, 0, "INVALID_SYNTAX", NULL);
	assert_int_equal(config->diagnostics.items[0].line, 2);
}

static void a_program_is_not_run(void **state)
{
	(void)state;
	folder_write("skaffa.config.js", "require('fs').writeFileSync('run', '')");
	read_folder(folder_path(), false);
	assert_true(config->degraded);
	assert_diagnostic(&config->diagnostics, 0, "NOT_TRUSTED", NULL);
}

/* ---- programs: what they were asked, and what they have said (C3, C4, C9) ---- */

static struct tn_wb_want want;

/* Reads with what was said to the last question; what is missing now is in `want`. */
static void read_said(struct tn_wb_evaluated *evaluated, const char *said)
{
	struct tn_wb_config_options options = {
		.trusted = true, .evaluated = evaluated, .want = &want};
	struct tenon_error err;
	struct tn_roots roots;

	if (said) {
		tn_buf_clear(&evaluated->parts[want.part].said);
		tn_buf_append_text(&evaluated->parts[want.part].said, said);
		evaluated->parts[want.part].inputs = want.inputs;
	}
	tn_buf_finish(&want.question);
	want = (struct tn_wb_want){0};
	tn_buf_init(&want.question, TN_MIB);
	tn_wb_config_destroy(config);
	config = NULL;
	folder_roots(folder_path(), &roots);
	options.roots = options.packages = &roots;
	assert_int_equal(tn_wb_config_read(&options, &config, &err), TENON_OK);
	tn_roots_finish(&roots);
}

static void assert_question(const char *text)
{
	assert_true(want.any == (text != NULL));
	tn_buf_append_byte(&want.question, '\0');
	assert_string_equal(want.question.data, text ? text : "");
}

static void what_programs_must_be_asked_is_told_once(void **state)
{
	struct tn_wb_evaluated evaluated;

	(void)state;
	tn_wb_evaluated_init(&evaluated);
	folder_write("skaffa.config.mjs", "one");
	folder_write("a.mjs", "a");
	folder_write("b.mjs", "b");
	read_said(&evaluated, NULL);
	assert_question("\"config\":\"skaffa.config.mjs\"");
	read_said(&evaluated, "noise\n{\"type\":\"config\",\"config\":{\"modules\":["
			      "\"./a.mjs\",\"./b.mjs\",\"./none.mjs\"]}}\n");
	assert_question("\"modules\":[{\"id\":\"./a.mjs\",\"file\":\"a.mjs\"},"
			"{\"id\":\"./b.mjs\",\"file\":\"b.mjs\"}]");
	read_said(&evaluated,
		  "{\"type\":\"registry\",\"moduleId\":\"./a.mjs\",\"registry\":{}}\n"
		  "{\"type\":\"graph-snapshot\",\"producerId\":\"p\",\"snapshot\":{}}\n"
		  "{\"type\":\"diagnostic\",\"code\":\"unsupported_contribution\",\"message\":"
		  "\"no\"}\n{\"type\":\"module-status\",\"status\":\"active\"}\n"
		  "{\"type\":\"registry\",\"registry\":{}}\n"
		  "{\"type\":\"error\",\"code\":\"TIMEOUT\",\"message\":\"late\"}\n");
	assert_question(NULL);
	assert_int_equal(config->module_count, 3);
	assert_false(config->modules[0].failed);
	assert_int_equal(config->modules[0].contribution_count, 1);
	assert_int_equal(config->modules[0].producer_count, 1);
	assert_diagnostic(&config->modules[0].diagnostics, 0, "unsupported_contribution", NULL);
	assert_true(config->modules[1].failed);
	assert_int_equal(config->modules[1].contribution_count, 0); /* half of it is none */
	assert_diagnostic(&config->modules[1].diagnostics, 0, "TIMEOUT", NULL);
	assert_diagnostic(&config->modules[2].diagnostics, 0, "NOT_FOUND", NULL);
	folder_write("b.mjs", "other"); /* then they are asked again, and the configuration not */
	read_said(&evaluated, NULL);
	assert_int_equal(want.part, TN_WB_EVALUATED_MODULES);
	tn_buf_finish(&want.question);
	tn_wb_evaluated_finish(&evaluated);
}

static void what_a_program_says_of_its_failure_is_a_diagnostic(void **state)
{
	static const struct {
		const char *said, *code;
	} cases[] = {
		{"{\"type\":\"config-error\",\"code\":\"INVALID_SYNTAX\",\"message\":\"m\"}\n",
		 "INVALID_SYNTAX"},
		{"{\"type\":\"error\",\"code\":\"NODE_MISSING\",\"message\":\"m\"}\n",
		 "NODE_MISSING"},
		{"{\"type\":\"error\"}\n", "UNKNOWN_ERROR"},
		{"", "UNKNOWN_ERROR"},
		{"{\"type\":7}\nnull\n[]\n{\"type\":\"config", "UNKNOWN_ERROR"},
		{"{\"type\":\"config\",\"config\":{\"modules\":7}}\n", "VALIDATION_ERROR"},
	};
	struct tn_wb_evaluated evaluated;

	(void)state;
	folder_write("skaffa.config.js", "one");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tn_wb_evaluated_init(&evaluated);
		read_said(&evaluated, NULL);
		read_said(&evaluated, cases[i].said);
		assert_question(NULL);
		assert_true(config->degraded);
		assert_diagnostic(&config->diagnostics, 0, cases[i].code, NULL);
		tn_buf_finish(&want.question);
		tn_wb_evaluated_finish(&evaluated);
	}
}

static void modules_add_what_they_have_and_one_that_fails_stops_no_other(void **state)
{
	(void)state;
	folder_write("skaffa.config.json",
		     "{\"modules\":[\"./ui.module.json\",\"./none.module.json\",\"../out.json\","
		     "\"@kit/ui\",\"../../etc\",\"nothing\",\"@/deep/d.module.json\",\"./m.mjs\","
		     "{\"id\":\"x\",\"path\":\"./bad.module.json\"}]}");
	folder_write("ui.module.json",
		     "{\"schemaVersion\":\"v0\",\"registry\":{\"schemaVersion\":"
		     "\"v0\",\"components\":{}},\"graph\":{\"nodes\":[],\"edges\":[]}}");
	folder_write("node_modules/@kit/ui/skaffa.module.json",
		     "{\"schemaVersion\":\"v0\",\"registries\":[\"./r.json\"],\"launchers\":[]}");
	folder_write("node_modules/@kit/ui/r.json", "{\"schemaVersion\":\"v0\",\"components\":{}}");
	folder_write("deep/d.module.json",
		     "{\"schemaVersion\":\"v0\",\"registries\":[\"@/top.json\",\"./near.json\"]}");
	folder_write("top.json", "{}");
	folder_write("deep/near.json", "{}");
	folder_write("bad.module.json", "{\"launchers\":[{\"id\":\"static\"}]}");
	read_folder(folder_path(), false);
	assert_false(config->degraded);
	assert_int_equal(config->module_count, 9);
	assert_false(config->modules[0].failed);
	assert_int_equal(config->modules[0].contribution_count, 1);
	assert_non_null(config->modules[0].graph);
	assert_true(config->modules[1].failed);
	assert_diagnostic(&config->modules[1].diagnostics, 0, "NOT_FOUND", NULL);
	assert_true(config->modules[2].failed);
	assert_diagnostic(&config->modules[2].diagnostics, 0, "path_escapes_workspace", NULL);
	assert_false(config->modules[3].failed);
	assert_int_equal(config->modules[3].contribution_count, 1);
	assert_true(config->modules[4].failed && config->modules[5].failed);
	assert_int_equal(config->modules[6].contribution_count, 2);
	assert_diagnostic(&config->modules[7].diagnostics, 0, "NOT_TRUSTED", NULL);
	assert_diagnostic(&config->modules[8].diagnostics, 0, "VALIDATION_ERROR", NULL);
	assert_string_equal(config->modules[8].id, "x");
	assert_effective("components", "infer", "false");
}

static void a_link_out_of_the_workspace_is_refused(void **state)
{
	char path[128];

	(void)state;
	folder_write("skaffa.config.json", "{\"modules\":[\"./out.module.json\"]}");
	(void)snprintf(path, sizeof(path), "%s/out.module.json", folder_path());
	assert_int_equal(symlink("/etc/hostname", path), 0);
	read_folder(folder_path(), false);
	assert_diagnostic(&config->modules[0].diagnostics, 0, "path_escapes_workspace", NULL);
}

static void the_demo_is_without_a_fault(void **state)
{
	(void)state;
	read_folder(TN_TEST_DATA "/../../demo/harbour", false);
	assert_false(config->degraded);
	assert_int_equal(config->diagnostics.count, 0);
	assert_int_equal(config->module_count, 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(config->modules[i].diagnostics.count, 0);
	assert_effective("preview", "propDefaults", "{\"shop.price\":{\"currency\":\"USD\"}}");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, folder_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(without_a_file_the_defaults_are_in_force),
		CASE(vite_behind_a_link_out_of_the_folder_is_found),
		CASE(comments_and_commas_are_read_and_the_other_files_named),
		CASE(what_is_wrong_is_said_with_its_place_and_the_defaults_stay),
		CASE(a_fault_names_members_with_dots_as_one_token),
		CASE(a_fault_of_the_document_itself_points_at_all_of_it),
		CASE(text_that_is_no_json_names_its_line),
		CASE(a_program_is_not_run),
		CASE(what_programs_must_be_asked_is_told_once),
		CASE(what_a_program_says_of_its_failure_is_a_diagnostic),
		CASE(modules_add_what_they_have_and_one_that_fails_stops_no_other),
		CASE(a_link_out_of_the_workspace_is_refused),
		CASE(the_demo_is_without_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
