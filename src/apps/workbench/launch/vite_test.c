/* What launcher.mjs is told, and what it says (S9, S15). */
#include "apps/workbench/launch/vite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/workbench/registry/registry_test_kit.h"
#include "apps/workbench/values/folder_kit.h"

static const char types[] =
	"{\"schemaVersion\":\"v0\",\"components\":{"
	"\"ui.card\":{\"displayName\":\"Card\",\"props\":{"
	"\"title\":{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},"
	"\"uiDefaultValue\":\"Hi\"}},\"style\":{\"exposure\":{\"kind\":\"opaque\"}}},"
	"\"implementation\":{\"kind\":\"file\",\"filePath\":\"src/Card.tsx\",\"exportName\":"
	"\"Card\"}},\"kit.pill\":{\"displayName\":\"Pill\",\"props\":{},\"implementation\":{"
	"\"kind\":\"package\",\"specifier\":\"@a/kit/Pill\"}}}}";

static struct tn_wb_kit kit;
static struct tn_wb_config *config;

static int set_up(void **state)
{
	const struct tn_wb_kit_inputs inputs = {.modules = {types}};

	if (folder_set_up(state) != 0)
		return -1;
	tn_wb_kit_compose(&kit, &inputs);
	return 0;
}

static int tear_down(void **state)
{
	tn_wb_config_destroy(config);
	config = NULL;
	tn_wb_kit_finish(&kit);
	return folder_tear_down(state);
}

static void configure(const char *text)
{
	struct tn_wb_config_options options = {0};
	struct tenon_error err;
	struct tn_roots roots;

	tn_wb_config_destroy(config);
	config = NULL;
	folder_write("skaffa.config.json", text);
	folder_roots(folder_path(), &roots);
	options.roots = options.packages = &roots;
	assert_int_equal(tn_wb_config_read(&options, &config, &err), TENON_OK);
	tn_roots_finish(&roots);
}

static const struct tn_wb_vite_page page = {
	.session_id = "session_1", .key = "k", .channel = "ws://127.0.0.1:1/__skaffa/rt"};

static struct tn_wb_vite of_folder(void)
{
	return (struct tn_wb_vite){.root = "/shop",
				   .folder = "/shop/web",
				   .config = config,
				   .registry = kit.registry,
				   .adapter = "/run/react.js",
				   .page = &page};
}

static void the_first_line_says_all_of_it(void **state)
{
	struct tn_wb_vite vite;
	struct tn_buf out;

	(void)state;
	configure("{\"preview\":{\"launcher\":{\"id\":\"vite\",\"options\":{\"configFile\":"
		  "\"v.ts\"}},\"entry\":\"./src/App\",\"styles\":[\"a.css\"]}}");
	vite = of_folder();
	tn_buf_init(&out, TN_MIB);
	tn_wb_vite_put_start(&out, &vite);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(
		out.data,
		"{\"root\":\"/shop/web\",\"workspaceRoot\":\"/shop\",\"configFile\":\"v.ts\","
		"\"mount\":\"harness\",\"entry\":\"./src/App\",\"styles\":[\"a.css\"],"
		"\"decorators\":[],\"hints\":[{\"typeId\":\"kit.pill\",\"kind\":\"package\","
		"\"specifier\":\"@a/kit/Pill\",\"exportName\":\"default\",\"props\":{}},"
		"{\"typeId\":\"ui.card\",\"kind\":\"file\",\"filePath\":\"src/Card.tsx\","
		"\"exportName\":\"Card\",\"props\":{\"title\":\"Hi\"}}],\"host\":\"127.0.0.1\","
		"\"adapterUrl\":\"/run/react.js\",\"sessionId\":\"session_1\",\"sessionKey\":\"k\","
		"\"channelUrl\":\"ws://127.0.0.1:1/__skaffa/rt\"}");
	tn_buf_finish(&out);
}

static void other_inputs_are_another_server_and_other_pages_are_not(void **state)
{
	const struct tn_wb_vite_page other = {
		.component = TN_STR("ui.card"), .session_id = "s", .key = "x", .channel = "ws:"};
	struct tn_wb_vite vite;
	uint64_t inputs;

	(void)state;
	configure("{}");
	vite = of_folder();
	inputs = tn_wb_vite_inputs(&vite);
	vite.page = &other;
	vite.adapter = "/elsewhere";
	assert_true(tn_wb_vite_inputs(&vite) == inputs);
	configure("{\"preview\":{\"styles\":[\"a.css\"]}}");
	vite = of_folder();
	assert_false(tn_wb_vite_inputs(&vite) == inputs);
}

static void pages_come_and_go_in_lines_of_their_own(void **state)
{
	const struct tn_wb_vite_page card = {.component = TN_STR("ui.\"card\""),
					     .session_id = "s",
					     .key = "x",
					     .channel = "ws://127.0.0.1:2/__skaffa/rt"};
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_MIB);
	tn_wb_vite_put_page(&out, &card);
	tn_buf_append_byte(&out, '\n');
	tn_wb_vite_put_leave(&out, card.component);
	tn_buf_append_byte(&out, '\n');
	tn_wb_vite_put_leave(&out, tn_str("", 0));
	tn_buf_append_byte(&out, '\n');
	tn_wb_vite_put_path(&out, card.component);
	tn_wb_vite_put_path(&out, tn_str("", 0));
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data,
			    "{\"type\":\"page\",\"componentTypeId\":\"ui.\\\"card\\\"\","
			    "\"sessionId\":\"s\",\"sessionKey\":\"x\",\"channelUrl\":"
			    "\"ws://127.0.0.1:2/__skaffa/rt\"}\n"
			    "{\"type\":\"leave\",\"componentTypeId\":\"ui.\\\"card\\\"\"}\n"
			    "{\"type\":\"leave\"}\n"
			    "/__skaffa/component?type=ui.%22card%22/");
	tn_buf_finish(&out);
}

static void its_lines_are_read_and_other_lines_are_not_its(void **state)
{
	static const char *const others[] = {
		"", "hello", "{}", "{\"type\":1}", "{\"type\":\"ready\"", "[]", "{\"type\":\"\"}"};
	struct tn_wb_vite_word word;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_true(tn_wb_vite_read(
		&arena, TN_STR("{\"type\":\"ready\",\"url\":\"http://127.0.0.1:5/\",\"port\":5}"),
		&word));
	assert_int_equal(word.kind, TN_WB_VITE_READY);
	assert_true(tn_str_is(word.url, "http://127.0.0.1:5/"));
	assert_true(
		tn_wb_vite_read(&arena,
				TN_STR("{\"type\":\"skipped\",\"typeId\":\"a\",\"target\":\"t\","
				       "\"exportName\":\"e\",\"reason\":\"none\"}"),
				&word));
	assert_int_equal(word.kind, TN_WB_VITE_SKIPPED);
	assert_true(tn_str_is(word.reason, "none") && tn_str_is(word.export_name, "e"));
	assert_true(tn_wb_vite_read(&arena, TN_STR("{\"type\":\"later\"}"), &word));
	assert_int_equal(word.kind, TN_WB_VITE_OTHER);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(tn_wb_vite_read(&arena, tn_str_from(others[i]), &word));
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_first_line_says_all_of_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			other_inputs_are_another_server_and_other_pages_are_not, set_up, tear_down),
		cmocka_unit_test(pages_come_and_go_in_lines_of_their_own),
		cmocka_unit_test(its_lines_are_read_and_other_lines_are_not_its),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
