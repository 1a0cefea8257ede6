/* Extensions of the protocol, and MCP Apps (mcp.md MCP-042, MCP-043, MCP-047, section 20.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/extension.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

#define UI_CAPABILITY                                                                     \
	"{\"extensions\":{\"io.modelcontextprotocol/ui\":{\"mimeTypes\":[\"text/plain\"," \
	"\"text/html;profile=mcp-app\"]}}}"

static int setup(void **state)
{
	const struct tenon_server_options options = {.name = "test", .version = "1.2"};

	*state = test_peer_create(&options);
	return 0;
}

/* ---- methods ---- */

static void list_skills(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_finish_json(call,
			       "{\"skills\":[\n],\"resultType\":\"skills\",\"_meta\":{\"a/b\":"
			       "1},\"big\":12345678901234567890}");
}

static void get_skill(struct tenon_call *call, void *data)
{
	(void)data;
	if (!tenon_call_text(call, "uri"))
		tenon_call_refuse(call, -32602, "uri is missing", NULL);
	else if (strcmp(tenon_call_text(call, "uri"), "nothing") == 0)
		tenon_call_finish(call);
	else if (strcmp(tenon_call_text(call, "uri"), "broken") == 0)
		tenon_call_finish_json(call, "[1]");
	else if (strcmp(tenon_call_text(call, "uri"), "asks") == 0)
		(void)tenon_call_elicit(call, "k", "?", "{\"type\":\"object\",\"properties\":{}}");
	else if (strcmp(tenon_call_text(call, "uri"), "fails") == 0)
		tenon_call_fail(call, "no such luck");
	else if (strcmp(tenon_call_text(call, "uri"), "twice") == 0) {
		tenon_call_finish_json(call, "{\"n\":1}");
		tenon_call_finish_json(call, "{\"n\":2}");
	} else
		tenon_call_finish_json(call, tenon_call_json(call, NULL));
}

static const struct tenon_method skill_methods[] = {
	{.name = "skills/list", .call = list_skills},
	{.name = "skills/get", .name_member = "uri", .call = get_skill},
	{.name = NULL}};

static void add(struct test_peer *t, bool legacy, bool required)
{
	const struct tenon_extension extension = {.id = "com.example/skills",
						  .settings = "{\"directoryRead\":\ntrue}",
						  .legacy = legacy,
						  .required = required,
						  .methods = skill_methods};
	struct tenon_error err;

	assert_int_equal(tenon_server_add_extension(t->server, &extension, &err), TENON_OK);
}

static void test_declared(void **state) /* MCP-042 */
{
	struct test_peer *t = *state;

	add(t, false, false);
	(void)test_modern(t, "1", "server/discover", "", NULL, NULL);
	test_expect_complete(t, "1",
			     "\"supportedVersions\":\"<array>\",\"capabilities\":{\"logging\":{},"
			     "\"extensions\":{\"com.example/skills\":{\"directoryRead\":true}}},"
			     "\"ttlMs\":0,\"cacheScope\":\"private\"");
	test_initialize(t, "2025-11-25", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"skills/list\"}");
	test_expect_error(t, "2", -32601, "Method not found");
}

static void test_legacy(void **state)
{
	struct test_peer *t = *state;

	add(t, true, false);
	test_initialize(t, "2025-11-25", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"skills/list\"}");
	test_expect(t, "{\"id\":2,\"result\":{\"skills\":[],\"big\":12345678901234567890,\"_meta\":"
		       "{\"a/b\":1}}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"skills/get\",\"params\":{"
			   "\"uri\":\"nothing\"}}");
	test_expect(t, "{\"id\":3,\"result\":{}}");
	test_reconnect(t);
	test_initialize(t, "2025-06-18", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"skills/list\"}");
	test_expect_error(t, "2", -32601, "Method not found");
}

static void test_methods(void **state)
{
	struct test_peer *t = *state;

	add(t, false, false);
	(void)test_modern(t, "1", "skills/list", "", NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"skills\":[],\"big\":12345678901234567890,"
		       "\"resultType\":\"skills\",\"_meta\":{\"a/b\":1,\"...\":0}}}");
	(void)test_modern(t, "2", "skills/get", "", NULL, NULL);
	test_expect_error(t, "2", -32602, "uri is missing");
	(void)test_modern(t, "3", "skills/get", "\"uri\":\"nothing\"", NULL, NULL);
	test_expect_complete(t, "3", "");
	(void)test_modern(t, "4", "skills/get", "\"uri\":\"broken\"", NULL, NULL);
	test_expect_error(t, "4", -32603, "The result is no JSON object");
	(void)test_modern(t, "5", "skills/get", "\"uri\":\"asks\"", "{\"elicitation\":{}}", NULL);
	test_expect_error(t, "5", -32603, "This method cannot ask the client anything");
	(void)test_modern(t, "6", "skills/get", "\"uri\":\"fails\"", NULL, NULL);
	test_expect_error(t, "6", -32603, "no such luck");
	(void)test_modern(t, "7", "skills/get", "\"uri\":\"twice\"", NULL, NULL);
	test_expect_complete(t, "7", "\"n\":1");
	test_expect_nothing(t);
}

static void test_required(void **state) /* MCP-042 */
{
	struct test_peer *t = *state;
	const struct test_exchange *x;

	add(t, true, true);
	x = test_modern(t, "1", "skills/list", "", "{\"extensions\":{\"other/x\":{}}}", NULL);
	test_expect_status(t, x, 400,
			   "{\"id\":1,\"error\":{\"code\":-32021,\"message\":\"<has capability>\","
			   "\"data\":{\"requiredCapabilities\":{\"extensions\":{"
			   "\"com.example/skills\":{}}}}}}");
	(void)test_modern(t, "2", "skills/list", "", "{\"extensions\":{\"com.example/skills\":{}}}",
			  NULL);
	test_expect(t, "{\"id\":2,\"result\":\"<object>\"}");
	test_initialize(t, "2025-11-25", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"skills/list\"}");
	test_expect_error(t, "3", -32601, "has not declared its extension");
	test_reconnect(t);
	test_initialize(t, "2025-11-25", "{\"extensions\":{\"com.example/skills\":{}}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"skills/list\"}");
	test_expect(t, "{\"id\":4,\"result\":\"<object>\"}");
}

static void test_headers(void **state) /* MCP-114: a method's own Mcp-Name */
{
	static const char *const right[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
					       {"Mcp-Method", "skills/get"},
					       {"Mcp-Name", "a"},
					       {NULL, NULL}};
	static const char *const wrong[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
					       {"Mcp-Method", "skills/get"},
					       {"Mcp-Name", "b"},
					       {NULL, NULL}};
	struct test_peer *t = *state;
	const char *text;
	const struct test_exchange *x;

	add(t, false, false);
	text = test_modern_text(t, "1", "skills/get", "\"uri\":\"a\"", NULL, NULL);
	x = test_post(t, right, text);
	assert_int_equal(x->status, 200);
	(void)test_next(t);
	text = test_modern_text(t, "2", "skills/get", "\"uri\":\"a\"", NULL, NULL);
	x = test_post(t, wrong, text);
	assert_int_equal(x->status, 400);
	test_expect_error(t, "2", -32020, "Mcp-Name differs");
}

/* ---- what is refused ---- */

static void expect_refused(struct test_peer *t, const struct tenon_extension *extension,
			   const char *words)
{
	struct tenon_error err;

	assert_int_equal(tenon_server_add_extension(t->server, extension, &err), TENON_INVALID);
	if (!strstr(err.message, words))
		fail_msg("%s: not in: %s", words, err.message);
}

static void test_refused(void **state)
{
	static const char *const ids[] = {
		"",         "skills",        "/skills",         "1a/b",          "com..a/b",
		"com.a-/b", "com.example/-", "com.example/a b", "com.ex ample/a"};
	static const char *const taken[] = {"tools/list", "initialize", "notifications/x",
					    "subscriptions/listen"};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(ids); i++)
		expect_refused(t, &(struct tenon_extension){.id = ids[i]}, "send an id such as");
	expect_refused(t, &(struct tenon_extension){0}, "send an id such as");
	expect_refused(t, &(struct tenon_extension){.id = "a/b", .settings = "[]"},
		       "settings as a JSON object");
	for (size_t i = 0; i < TN_COUNT(taken); i++) {
		const struct tenon_method methods[] = {{.name = taken[i], .call = list_skills},
						       {.name = NULL}};

		expect_refused(t, &(struct tenon_extension){.id = "a/b", .methods = methods},
			       "belongs to the protocol");
	}
	expect_refused(t,
		       &(struct tenon_extension){
			       .id = "a/b",
			       .methods = (const struct tenon_method[]){{.name = "x/y"}, {0}}},
		       "needs a name and a handler");
	add(t, false, false);
	expect_refused(t, &(struct tenon_extension){.id = "com.example/skills"}, "exists already");
	expect_refused(t, &(struct tenon_extension){.id = "a/b", .methods = skill_methods},
		       "exists already");
}

static void test_names(void **state) /* MCP-043 */
{
	static const char *const good[] = {"a/b", "com.example/", "com.example/a.b-c_d", "x",
					   "a1.b2-3/4"};
	static const char *const bad[] = {"", "a b", ".a", "a.", "1/b", "a./b", "a/b/c", "a/.b"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(good); i++)
		assert_true(tn_meta_name_valid(tn_str_from(good[i]), false));
	for (size_t i = 0; i < TN_COUNT(bad); i++)
		assert_false(tn_meta_name_valid(tn_str_from(bad[i]), false));
	assert_false(tn_meta_name_valid(TN_STR("x"), true));
	assert_true(tn_meta_name_valid(TN_STR("a/"), true));
}

/* ---- what the client sent along ---- */

static void tell_meta(struct tenon_call *call, void *data)
{
	char text[1024];
	const char *own = tenon_call_meta(call, "com.example/own");
	const char *settings = tenon_call_extension(call, "com.example/skills");

	(void)data;
	(void)snprintf(text, sizeof(text), "%s|%s|%s|%s|%s", own ? own : "-",
		       tenon_call_meta(call, "traceparent") ? "traced" : "-",
		       tenon_call_meta(call, NULL) ? "all" : "-", settings ? settings : "-",
		       tenon_call_can(call, TENON_CAN_SHOW_UI) ? "ui" : "-");
	tenon_call_reply_text(call, text);
}

static void add_tell_meta(struct test_peer *t)
{
	const struct tenon_tool tool = {
		.name = "tell", .input_schema = "{\"type\":\"object\"}", .call = tell_meta};

	test_add_tools(t, &tool, 1);
}

static void test_meta(void **state) /* MCP-047 */
{
	struct test_peer *t = *state;

	add_tell_meta(t);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"tell\"",
			  "{\"extensions\":{\"com.example/skills\":{\"x\":1}}}",
			  "\"com.example/own\":{\"deep\":[1.0,null]},\"traceparent\":\"00-0\"");
	test_expect_complete(t, "1",
			     "\"content\":[{\"type\":\"text\",\"text\":"
			     "\"{\\\"deep\\\":[1.0,null]}|traced|all|{\\\"x\\\":1}|-\"}]");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"tell\"", UI_CAPABILITY, NULL);
	test_expect_complete(t, "2", "\"content\":[{\"type\":\"text\",\"text\":\"-|-|all|-|ui\"}]");
	test_initialize(
		t, "2025-11-25",
		"{\"extensions\":{\"com.example/skills\":{\"y\":2},"
		"\"io.modelcontextprotocol/ui\":{\"mimeTypes\":[\"text/html;profile=mcp-app\"]"
		"}}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"tell\",\"_meta\":{\"com.example/own\":7}}}");
	test_expect(t, "{\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"7|-|all|{\\\"y\\\":2}|ui\"}]}}");
	test_reconnect(t);
	test_initialize(t, "2025-06-18", UI_CAPABILITY);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"tell\"}}");
	test_expect(t, "{\"id\":4,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"-|-|-|-|-\"}]}}");
}

/* More than is kept for a session is as if nothing had been declared. */
static void test_too_much(void **state)
{
	char capabilities[TN_EXTENSIONS_BYTES_MAX + 128];
	struct test_peer *t = *state;

	add_tell_meta(t);
	memset(capabilities, 'x', sizeof(capabilities));
	memcpy(capabilities, "{\"extensions\":{\"com.example/skills\":{\"x\":\"",
	       strlen("{\"extensions\":{\"com.example/skills\":{\"x\":\""));
	memcpy(capabilities + sizeof(capabilities) - 5, "\"}}}", 5);
	test_initialize(t, "2025-11-25", capabilities);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"tell\"}}");
	test_expect(t, "{\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"-|-|-|-|-\"}]}}");
}

/* ---- MCP Apps ---- */

static void view(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "<!doctype html>", TENON_TEXT);
	tenon_call_annotate(call, "user", 1); /* contents have no annotations */
	tenon_call_set_block_meta(call, "[]");
	tenon_call_set_block_meta(call, "{\"ui\":{\"prefersBorder\":true}}");
	tenon_call_finish(call);
}

static void weather(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_block_meta(call, "{\"no\":\"block yet\"}");
	tenon_call_add_text(call, "sunny", TENON_TEXT);
	tenon_call_set_block_meta(call, "{\"a/b\":\n1}");
	tenon_call_annotate(call, "user", -1);
	tenon_call_finish(call);
}

static void add_weather(struct test_peer *t)
{
	const struct tenon_tool tools[] = {
		{.name = "weather",
		 .ui = "ui://weather/view",
		 .meta = "{\"com.example/k\":1,\"ui/resourceUri\":\"ui://old\",\"ui\":{"
			 "\"resourceUri\":\"ui://old\",\"visibility\":[\"model\"]}}",
		 .call = weather},
		{.name = "refresh", .ui_only = true, .call = weather}};

	test_add_tools(t, tools, TN_COUNT(tools));
}

static enum tenon_code add_page(struct test_peer *t, const char *type)
{
	const struct tenon_resource page = {.uri = "ui://weather/view",
					    .name = "view",
					    .mime_type = type,
					    .size_bytes = -1,
					    .read = view};
	struct tenon_error err;

	return tenon_server_add_resource(t->server, &page, &err);
}

static void test_ui(void **state) /* MCP-259, MCP-260, MCP-261, MCP-262 */
{
	struct test_peer *t = *state;

	add_weather(t);
	assert_int_equal(add_page(t, "text/html;profile=mcp-app"), TENON_OK);
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	test_expect_complete(
		t, "1",
		"\"tools\":[{\"name\":\"weather\",\"_meta\":{\"com.example/k\":1,\"ui\":{"
		"\"resourceUri\":\"ui://weather/view\",\"visibility\":[\"model\"]},"
		"\"ui/resourceUri\":\"ui://weather/view\"},\"...\":0},"
		"{\"name\":\"refresh\",\"_meta\":{\"ui\":{\"visibility\":[\"app\"]}},\"...\":0}],"
		"\"ttlMs\":0,\"cacheScope\":\"private\"");
	(void)test_modern(t, "2", "resources/read", "\"uri\":\"ui://weather/view\"", NULL, NULL);
	test_expect_complete(t, "2",
			     "\"contents\":[{\"uri\":\"ui://weather/view\",\"mimeType\":"
			     "\"text/html;profile=mcp-app\",\"text\":\"<!doctype html>\",\"_meta\":"
			     "{\"ui\":{\"prefersBorder\":true}}}],\"ttlMs\":0,\"cacheScope\":"
			     "\"private\"");
	(void)test_modern(t, "3", "tools/call", "\"name\":\"weather\"", NULL, NULL);
	test_expect_complete(
		t, "3",
		"\"content\":[{\"type\":\"text\",\"text\":\"sunny\",\"_meta\":{\"a/b\":"
		"1},\"annotations\":{\"audience\":[\"user\"]}}]");
	(void)test_modern(t, "4", "server/discover", "", NULL, NULL);
	test_expect_complete(t, "4",
			     "\"supportedVersions\":\"<array>\",\"capabilities\":{\"extensions\":{"
			     "\"io.modelcontextprotocol/ui\":{}},\"...\":0},\"ttlMs\":0,"
			     "\"cacheScope\":\"private\"");
	test_initialize(t, "2025-03-26", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"weather\"}}");
	test_expect(t, "{\"id\":5,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"sunny\","
		       "\"annotations\":{\"audience\":[\"user\"]}}]}}");
}

static void test_page_is_there(void **state) /* MCP-260 */
{
	const struct tenon_resource_template pages = {.uri_template = "ui://weather/{name}",
						      .name = "pages",
						      .mime_type = "text/html;profile=mcp-app",
						      .read = view};
	const struct tenon_tool wrong = {.name = "w", .ui = "https://x", .call = weather};
	struct test_peer *t = *state;
	struct tenon_error err;

	assert_int_equal(tenon_server_add_tool(t->server, &wrong, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "begins ui://"));
	assert_int_equal(tn_server_start(t->server, &err), TENON_OK);
	add_weather(t);
	assert_int_equal(tn_server_start(t->server, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "tool weather: its page ui://weather/view is not"));
	assert_int_equal(add_page(t, "text/html"), TENON_OK);
	assert_int_equal(tn_server_start(t->server, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "needs the mime_type text/html;profile=mcp-app"));
	assert_true(tenon_server_remove_resource(t->server, "ui://weather/view"));
	assert_int_equal(tenon_server_add_template(t->server, &pages, &err), TENON_OK);
	assert_int_equal(tn_server_start(t->server, &err), TENON_OK);
}

static void need_ui(struct tenon_call *call, void *data)
{
	(void)data;
	if (tenon_call_require(call, TENON_CAN_SHOW_UI))
		tenon_call_reply_text(call, "shown");
}

static void test_need_ui(void **state)
{
	const struct tenon_tool tool = {.name = "need_ui", .call = need_ui};
	struct test_peer *t = *state;

	test_add_tools(t, &tool, 1);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"need_ui\"", NULL, NULL);
	test_expect(t, "{\"id\":1,\"error\":{\"code\":-32021,\"message\":\"<string>\",\"data\":{"
		       "\"requiredCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/ui\":{"
		       "\"mimeTypes\":[\"text/html;profile=mcp-app\"]}}}}}}");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"need_ui\"", UI_CAPABILITY, NULL);
	test_expect_complete(t, "2", "\"content\":[{\"type\":\"text\",\"text\":\"shown\"}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_declared, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_legacy, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_methods, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_required, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_headers, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, test_peer_teardown),
		cmocka_unit_test(test_names),
		cmocka_unit_test_setup_teardown(test_meta, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_too_much, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_ui, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_page_is_there, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_need_ui, setup, test_peer_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
