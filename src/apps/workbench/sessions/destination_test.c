/* Where a page is sent (workbench.md 17.4). */
#include "apps/workbench/sessions/destination.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"

static const char snapshot[] =
	"{\"schemaVersion\":\"v0\",\"revision\":1,\"nodes\":["
	"{\"kind\":\"route\",\"id\":\"routeId:item\",\"path\":\"/menu/:itemId\"},"
	"{\"kind\":\"route\",\"id\":\"routeId:home\",\"path\":\"/\"},"
	"{\"kind\":\"route\",\"id\":\"routeId:lang\",\"path\":\"/:lang?/help/about?\"},"
	"{\"kind\":\"route\",\"id\":\"route:/files/*\",\"path\":\"/files/*\"}],\"edges\":[]}";

static const struct {
	const char *to, *path, *code; /* one of the two is NULL */
} cases[] = {
	{"{\"path\":\"/menu?x=1#y\"}", "/menu?x=1#y", NULL},
	{"{\"path\":\"/\"}", "/", NULL},
	{"{\"path\":\"//evil.example\"}", NULL, "invalid_path"},
	{"{\"path\":\"/\\\\evil.example\"}", NULL, "invalid_path"},
	{"{\"path\":\"\\\\/evil.example\"}", NULL, "invalid_path"},
	{"{\"path\":\"/\\t/evil.example\"}", NULL, "invalid_path"},
	{"{\"path\":\"/a\\u0085\"}", NULL, "invalid_path"},
	{"{\"path\":\"http://evil.example/\"}", NULL, "invalid_path"},
	{"{\"path\":\"javascript:alert(1)\"}", NULL, "invalid_path"},
	{"{\"path\":\"\"}", NULL, "invalid_path"},
	{"{\"path\":7}", NULL, "invalid_path"},
	{"{}", NULL, "invalid_path"},
	{"{\"path\":\"/\",\"routeId\":\"routeId:home\"}", NULL, "invalid_path"},
	{"{\"routeId\":\"routeId:home\"}", "/", NULL},
	{"{\"routeId\":\"home\"}", NULL, "route_unknown"},
	{"{\"routeId\":\"routeId:item\"}", NULL, "missing_param"},
	{"{\"routeId\":\"routeId:item\",\"params\":{\"itemId\":\"\"}}", NULL, "missing_param"},
	{"{\"routeId\":\"routeId:item\",\"params\":{\"itemId\":7}}", NULL, "missing_param"},
	{"{\"routeId\":\"routeId:item\",\"params\":{\"itemId\":\"a b/\xc3\xa9?\"}}",
	 "/menu/a%20b%2F%C3%A9%3F", NULL},
	{"{\"routeId\":\"routeId:item\",\"params\":{\"itemId\":\"..\"}}", NULL, "invalid_path"},
	{"{\"routeId\":\"routeId:lang\"}", "/help/about", NULL},
	{"{\"routeId\":\"routeId:lang\",\"params\":{\"lang\":\"de\"}}", "/de/help/about", NULL},
	{"{\"routeId\":\"route:/files/*\",\"params\":{\"*\":\"a/b c\"}}", "/files/a/b%20c", NULL},
	{"{\"routeId\":\"route:/files/*\",\"params\":{\"*\":\"a/../../b\"}}", NULL, "invalid_path"},
	{"{\"routeId\":\"route:/files/*\",\"params\":{\"*\":\"/evil.example\"}}", NULL,
	 "invalid_path"},
	{"{\"routeId\":\"route:/files/*\"}", NULL, "missing_param"},
};

static struct tn_wb_graph *make_graph(struct tn_arena *arena)
{
	struct tn_wb_graph *graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_update update;
	struct tn_json *tree = NULL;
	struct tenon_error err;

	assert_non_null(graph);
	assert_int_equal(tn_json_parse_copy(arena, tn_str_from(snapshot), &tree, &err), TENON_OK);
	tn_wb_diagnostics_init(&diagnostics);
	assert_int_equal(tn_wb_graph_put(graph, "test", 0, tree, &update, &diagnostics, &err),
			 TENON_OK);
	assert_true(update.accepted);
	tn_wb_diagnostics_finish(&diagnostics);
	return graph;
}

static void each_destination_is_a_path_or_refused_by_its_code(void **none)
{
	struct tn_wb_graph *graph;
	struct tn_arena arena;

	(void)none;
	tn_arena_init(&arena, TN_MIB);
	graph = make_graph(&arena);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_json *to = NULL;
		struct tenon_error err;
		struct tn_buf path;
		const char *code;

		assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(cases[i].to), &to, &err),
				 TENON_OK);
		tn_buf_init(&path, TN_KIB);
		code = tn_wb_destination_read(graph, to, &path, &err);
		if (!code != !cases[i].code || (code && strcmp(code, cases[i].code) != 0) ||
		    (!code && !tn_str_is(tn_buf_str(&path), cases[i].path)))
			fail_msg("%s: %s, %.*s", cases[i].to, code ? code : "taken", (int)path.size,
				 path.data ? path.data : "");
		tn_buf_finish(&path);
	}
	tn_wb_graph_destroy(graph);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_destination_is_a_path_or_refused_by_its_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
