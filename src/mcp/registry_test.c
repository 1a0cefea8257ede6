/* What a server may offer, and its lists page by page (mcp.md sections 11.5, 14.4, 17, 18). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/limits.h"
#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

static void nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "");
}

/* ---- pages ---- */

struct page {
	unsigned count;
	char first[80], last[80];
	char cursor[128]; /* "" at the end */
};

static void ask_page(struct test_peer *t, const char *method, const char *cursor)
{
	(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s%s%s}}",
			 method, cursor ? "\"cursor\":\"" : "", cursor ? cursor : "",
			 cursor ? "\"" : "");
}

static struct page take_page(struct test_peer *t, const char *cursor)
{
	struct page page = {0};
	struct tn_arena arena;
	struct tn_json *tree;
	const struct tn_json *result;
	const char *json;

	ask_page(t, "tools/list", cursor);
	json = test_next(t);
	assert_non_null(json);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(json), &tree, NULL), TENON_OK);
	result = tn_json_get(tree, "result");
	if (!result)
		fail_msg("%s", json);
	for (const struct tn_json *tool = tn_json_get(result, "tools")->first; tool;
	     tool = tool->next) {
		struct tn_str name;

		assert_true(tn_json_to_str(tn_json_get(tool, "name"), &name));
		(void)snprintf(page.count++ ? page.last : page.first, 80, "%s", name.data);
	}
	tn_arena_finish(&arena);
	if (strstr(json, "nextCursor"))
		test_member(t, "result/nextCursor", page.cursor, sizeof(page.cursor));
	return page;
}

static struct test_peer *create_many(unsigned count)
{
	static const struct tenon_server_options options = {.name = "many", .version = "1"};
	struct test_peer *t = test_peer_create(&options);

	test_add_many_tools(t, "tool", count);
	test_initialize(t, "2025-11-25", NULL);
	return t;
}

static void test_pages(void **state) /* MCP-181, MCP-182, MCP-183, MCP-221 */
{
	struct test_peer *t = create_many(1200);
	struct page page;

	(void)state;
	for (int round = 0; round < 2; round++) { /* cursors are stateless */
		page = take_page(t, NULL);
		assert_int_equal(page.count, 500);
		assert_string_equal(page.first, "tool-0000");
		assert_string_equal(page.last, "tool-0499");
		page = take_page(t, page.cursor);
		assert_int_equal(page.count, 500);
		assert_string_equal(page.first, "tool-0500");
		page = take_page(t, page.cursor);
		assert_int_equal(page.count, 200);
		assert_string_equal(page.last, "tool-1199");
		assert_string_equal(page.cursor, "");
		test_reconnect(t);
		test_initialize(t, "2025-03-26", NULL);
	}
	test_peer_destroy(t);
}

static void test_same_cursor_elsewhere(void **state) /* MCP-183: across processes and eras */
{
	struct test_peer *a = create_many(600), *b = create_many(600);
	struct page page = take_page(a, NULL);
	char params[256];

	(void)state;
	assert_int_equal(take_page(b, page.cursor).count, 100);
	(void)snprintf(params, sizeof(params), "\"cursor\":\"%s\"", page.cursor);
	(void)test_modern(b, "1", "tools/list", params, NULL, NULL);
	test_expect(b, "{\"id\":1,\"result\":{\"tools\":[{\"name\":\"tool-0500\",\"...\":0},"
		       "\"...\"],\"ttlMs\":0,\"cacheScope\":\"private\",\"resultType\":"
		       "\"complete\",\"_meta\":\"<object>\"}}");
	test_peer_destroy(a);
	test_peer_destroy(b);
}

static void test_changed_list(void **state) /* MCP-183: an old cursor goes on by key */
{
	struct test_peer *t = create_many(1200);
	struct page page = take_page(t, NULL), next;

	(void)state;
	assert_true(tenon_server_remove_tool(t->server, "tool-0007"));
	assert_true(tenon_server_remove_tool(t->server, "tool-0300"));
	next = take_page(t, page.cursor);
	assert_string_equal(next.first, "tool-0500"); /* none left out, none twice */
	test_add_many_tools(t, "more", 10);
	next = take_page(t, page.cursor);
	assert_string_equal(next.first, "tool-0500");
	next = take_page(t, next.cursor);
	assert_string_equal(next.first, "tool-1000");
	assert_string_equal(next.last, "more-0009");
	/* The item that it names is gone as well: it goes on where that stood. */
	page = take_page(t, NULL);
	assert_string_equal(page.last, "tool-0501");
	assert_true(tenon_server_remove_tool(t->server, "tool-0501"));
	assert_string_equal(take_page(t, page.cursor).first, "tool-0502");
	test_peer_destroy(t);
}

static void test_shrunken_list(void **state) /* MCP-182: expired */
{
	struct test_peer *t = create_many(501);
	struct page page = take_page(t, NULL);

	(void)state;
	for (int i = 400; i < 501; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "tool-%04d", i);
		assert_true(tenon_server_remove_tool(t->server, name));
	}
	ask_page(t, "tools/list", page.cursor);
	test_expect_error(t, "1", -32602, "cursor");
	test_peer_destroy(t);
}

static void test_bad_cursors(void **state) /* MCP-182 */
{
	static const char *const bad[] = {"",
					  "x",
					  "0",
					  "500",
					  "1-0",
					  "500-0",
					  "-1-0",
					  " 500-abcd",
					  "500-0x1234",
					  "99999999999999999999-1",
					  "NTAw",
					  "null",
					  "0-0000000000000000-00000000",
					  "500-ffffffffffffffff-00000000"};
	static const char *const lists[] = {"resources/list", "resources/templates/list",
					    "prompts/list"};
	struct test_peer *t;
	struct page page;
	char changed[128];

	(void)test_peer_setup(state);
	t = *state;
	test_add_many_tools(t, "tool", 600);
	test_initialize(t, "2025-11-25", NULL);
	page = take_page(t, NULL);
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		ask_page(t, "tools/list", bad[i]);
		test_expect_error(t, "1", -32602, "cursor");
	}
	for (size_t i = 0; i < TN_COUNT(lists); i++) { /* of another list */
		ask_page(t, lists[i], page.cursor);
		test_expect_error(t, "1", -32602, "cursor");
	}
	for (size_t i = 0; page.cursor[i]; i++) { /* any letter changed */
		(void)snprintf(changed, sizeof(changed), "%s", page.cursor);
		changed[i] = changed[i] == '1' ? '2' : '1';
		ask_page(t, "tools/list", changed);
		test_expect_error(t, "1", -32602, "cursor");
	}
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{"
			   "\"cursor\":7}}");
	test_expect_error(t, "1", -32602, "cursor");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{"
			   "\"cursor\":null}}");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_peer_destroy(t);
}

static void test_long_cursor(void **state) /* section 24: 4 KiB */
{
	struct test_peer *t = create_many(1);
	char cursor[TN_CURSOR_BYTES_MAX + 2];

	(void)state;
	memset(cursor, '5', sizeof(cursor));
	cursor[sizeof(cursor) - 1] = '\0';
	ask_page(t, "tools/list", cursor);
	test_expect_error(t, "1", -32602, "cursor: longer");
	test_peer_destroy(t);
}

static void test_page_bytes(void **state) /* MCP-183: or 1 MiB */
{
	static const struct tenon_server_options options = {.name = "wide", .version = "1"};
	struct test_peer *t = test_peer_create(&options);
	size_t size = 100000;
	char *text = tn_mem_alloc(size + 1);
	struct page page = {.cursor = ""};
	unsigned seen = 0, pages = 0;

	(void)state;
	assert_non_null(text);
	memset(text, 'd', size);
	for (unsigned i = 0; i < 40; i++) {
		char name[32];
		const struct tenon_tool tool = {.name = name, .description = text, .call = nothing};

		(void)snprintf(name, sizeof(name), "wide-%02u", i);
		test_add_tools(t, &tool, 1);
	}
	tn_mem_free(text);
	test_initialize(t, "2025-11-25", NULL);
	do {
		char wanted[32];

		page = take_page(t, pages++ ? page.cursor : NULL);
		(void)snprintf(wanted, sizeof(wanted), "wide-%02u", seen);
		assert_string_equal(page.first, wanted);
		assert_in_range(page.count, 1, 12);
		seen += page.count;
	} while (page.cursor[0]);
	assert_int_equal(seen, 40);
	assert_in_range(pages, 4, 5);
	test_peer_destroy(t);
}

/* ---- what may be offered ---- */

static void expect_refused(struct test_peer *t, const struct tenon_tool *tool, const char *words)
{
	struct tenon_error err = {0};

	assert_int_equal(tenon_server_add_tool(t->server, tool, &err), TENON_INVALID);
	if (!strstr(err.message, words))
		fail_msg("%s: not about %s", err.message, words);
}

static void test_bad_tools(void **state) /* MCP-028, MCP-220, MCP-279 */
{
	static const char long_name[] =
		"a2345678901234567890123456789012345678901234567890123456789012345";
	static const struct {
		struct tenon_tool tool;
		const char *words;
	} bad[] = {
		{{.call = nothing}, "name"},
		{{.name = "", .call = nothing}, "name"},
		{{.name = long_name, .call = nothing}, "64"},
		{{.name = "a b", .call = nothing}, "name"},
		{{.name = "a/b", .call = nothing}, "name"},
		{{.name = "\xC3\xA9", .call = nothing}, "name"},
		{{.name = "a"}, "handler"},
		{{.name = "echo", .call = nothing}, "exists already"},
		{{.name = "a", .input_schema = "{", .call = nothing}, "inputSchema"},
		{{.name = "a", .input_schema = "true", .call = nothing}, "\"type\":\"object\""},
		{{.name = "a", .input_schema = "{}", .call = nothing}, "\"type\":\"object\""},
		{{.name = "a", .input_schema = "{\"type\":\"array\"}", .call = nothing},
		 "\"type\":\"object\""},
		{{.name = "a", .input_schema = "{\"type\":\"objekt\"}", .call = nothing},
		 "inputSchema"},
		{{.name = "a", .output_schema = "[", .call = nothing}, "outputSchema"},
		{{.name = "a", .output_schema = "{\"$schema\":\"http://x/y\"}", .call = nothing},
		 "outputSchema"},
		{{.name = "a", .meta = "[]", .call = nothing}, "meta"},
		{{.name = "a", .meta = "{\"a\":}", .call = nothing}, "meta"},
		{{.name = "a", .icons = "{}", .call = nothing}, "icons"},
	};
	struct test_peer *t = *state;
	struct tenon_tool good = {.name = long_name + 1, .call = nothing};

	for (size_t i = 0; i < TN_COUNT(bad); i++)
		expect_refused(t, &bad[i].tool, bad[i].words);
	test_add_tools(t, &good, 1); /* 64 characters */
	good.name = "A-Z_a.z-09";
	test_add_tools(t, &good, 1);
}

static void test_bad_others(void **state) /* MCP-236, MCP-220 */
{
	static const struct tenon_resource resources[] = {
		{.name = "a", .read = nothing},
		{.uri = "no scheme", .name = "a", .read = nothing},
		{.uri = "a:b", .read = nothing},
		{.uri = "a:b", .name = "a"},
		{.uri = "a:b", .name = "a", .meta = "7", .read = nothing},
		{.uri = "test://text", .name = "a", .read = nothing},
	};
	static const struct tenon_resource_template templates[] = {
		{.name = "a", .read = nothing},
		{.uri_template = "a:{b", .name = "a", .read = nothing},
		{.uri_template = "a:{b}", .read = nothing},
		{.uri_template = "a:{b}", .name = "a"},
		{.uri_template = "a:{b}", .name = "a", .icons = "x", .read = nothing},
	};
	static const struct tenon_prompt_argument unnamed = {.title = "x"};
	static const struct tenon_prompt prompts[] = {
		{.get = nothing},
		{.name = "a"},
		{.name = "a b", .get = nothing},
		{.name = "a", .arguments = &unnamed, .argument_count = 1, .get = nothing},
		{.name = "greet", .get = nothing},
		{.name = "a", .meta = "[]", .get = nothing},
	};
	struct test_peer *t = *state;
	struct tenon_error err;

	for (size_t i = 0; i < TN_COUNT(resources); i++)
		assert_int_equal(tenon_server_add_resource(t->server, &resources[i], &err),
				 TENON_INVALID);
	for (size_t i = 0; i < TN_COUNT(templates); i++)
		assert_int_equal(tenon_server_add_template(t->server, &templates[i], &err),
				 TENON_INVALID);
	for (size_t i = 0; i < TN_COUNT(prompts); i++)
		assert_int_equal(tenon_server_add_prompt(t->server, &prompts[i], &err),
				 TENON_INVALID);
}

static void test_copied(void **state) /* tool.h: a description may live on the stack */
{
	struct test_peer *t = *state;
	char name[] = "copied", schema[] = "{\"type\":\"object\"}", text[] = "a text";
	const struct tenon_tool tool = {
		.name = name, .description = text, .input_schema = schema, .call = nothing};

	test_add_tools(t, &tool, 1);
	memset(name, 'x', sizeof(name) - 1);
	memset(schema, 'x', sizeof(schema) - 1);
	memset(text, 'x', sizeof(text) - 1);
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	assert_non_null(strstr(test_next(t), "{\"name\":\"copied\",\"description\":\"a text\","
					     "\"inputSchema\":{\"type\":\"object\"}"));
}

static void test_no_name(void **state) /* a server has a name and a version */
{
	static const struct tenon_server_options bad[] = {
		{.name = "a"}, {.version = "1"}, {.name = "", .version = "1"}};
	struct tenon_server *server;
	struct tenon_error err;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(bad); i++)
		assert_int_equal(tenon_server_create(&bad[i], &server, &err), TENON_INVALID);
	tenon_server_destroy(NULL);
}

/* ---- apps ---- */

static enum tenon_code cannot_open(struct tenon_server *server, void **ret_state,
				   struct tenon_error *err)
{
	(void)server;
	(void)ret_state;
	return tn_fail(err, TENON_DENIED, "not today");
}

static void count_close(void *state)
{
	++*(unsigned *)state;
}

static unsigned closed_apps; /* the app's state, which has to outlive the server */

static enum tenon_code can_open(struct tenon_server *server, void **ret_state,
				struct tenon_error *err)
{
	(void)server;
	(void)err;
	*ret_state = &closed_apps;
	return TENON_OK;
}

static void test_apps(void **state)
{
	static const struct tenon_tool bad_tool = {.name = "a b", .call = nothing};
	static const struct tenon_tool *const bad_tools[] = {&bad_tool, NULL};
	static const struct tenon_app closed = {.name = "closed", .open = cannot_open};
	static const struct tenon_app bad = {
		.name = "bad", .tools = bad_tools, .open = can_open, .close = count_close};
	static const struct tenon_server_options options = {.name = "apps", .version = "1"};
	struct test_peer *t = test_peer_create(&options);
	struct tenon_error err;

	(void)state;
	closed_apps = 0;
	assert_int_equal(tenon_server_add_app(t->server, &closed, &err), TENON_DENIED);
	assert_string_equal(err.message, "not today");
	assert_int_equal(tenon_server_add_app(t->server, &bad, &err), TENON_INVALID);
	assert_int_equal(closed_apps, 0); /* it stays open until the server ends */
	test_peer_destroy(t);
	assert_int_equal(closed_apps, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_same_cursor_elsewhere),
		cmocka_unit_test(test_changed_list),
		cmocka_unit_test(test_shrunken_list),
		cmocka_unit_test(test_bad_cursors),
		cmocka_unit_test(test_long_cursor),
		cmocka_unit_test(test_page_bytes),
		TEST(test_bad_tools),
		TEST(test_bad_others),
		TEST(test_copied),
		cmocka_unit_test(test_no_name),
		cmocka_unit_test(test_apps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
