/* tools/list and tools/call, resources, prompts and completion as each revision sees them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/test_fixtures.h"

static const char *const revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

static void call_tool(struct test_peer *t, const char *name, const char *arguments)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"%s\"%s%s}}",
			 name, arguments ? ",\"arguments\":" : "", arguments ? arguments : "");
}

/* ---- the list ---- */

static void test_list_projection(void **state) /* MCP-026, MCP-027, MCP-028, MCP-221 */
{
	static const char annotations[] =
		",\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":false,"
		"\"openWorldHint\":false}";
	static const char icons[] = ",\"icons\":[{\"src\":\"https://example.com/i.png\"}]";
	static const struct {
		const char *title, *icons, *meta;
	} seen[] = {
		{"", "", ""},
		{"", "", ""},
		{",\"title\":\"Echo\"", "", ",\"_meta\":{\"example.com/m\":1}"},
		{",\"title\":\"Echo\"", icons, ",\"_meta\":{\"example.com/m\":1}"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		test_initialize(t, revisions[i], NULL);
		(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
		test_expectf(
			t,
			"{\"id\":1,\"result\":{\"tools\":[{\"name\":\"echo\",\"description\":"
			"\"Says it again\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
			"{\"text\":{\"type\":\"string\"}}}%s%s%s%s},"
			"{\"name\":\"who\",\"description\":\"<string>\",\"inputSchema\":{"
			"\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"
			"%s},\"...\"]}}",
			seen[i].title, i ? annotations : "", seen[i].icons, seen[i].meta,
			i ? ",\"annotations\":\"<object>\"" : "");
		test_reconnect(t);
	}
}

/* The tool of this name in the list that was shown last. */
static bool list_shows(struct test_peer *t, const char *needle)
{
	return strstr(t->shown->json, needle) != NULL;
}

static void test_output_schemas(void **state) /* MCP-026 */
{
	static const char object[] = "\"outputSchema\":{\"type\":\"object\",";
	static const char array[] = "\"outputSchema\":{\"type\":\"array\"}";
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		test_initialize(t, revisions[i], NULL);
		(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
		test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
		assert_int_equal(list_shows(t, object), i >= 2);
		assert_false(list_shows(t, array));
		test_reconnect(t);
	}
	(void)test_modern(t, "1", "tools/list", NULL, NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	assert_true(list_shows(t, object));
	assert_true(list_shows(t, array));
	assert_true(list_shows(t, "\"x-mcp-header\":\"Region\"")); /* MCP-280: unchanged */
}

/* ---- calls ---- */

static void test_bad_requests(void **state) /* MCP-223, MCP-222 */
{
	static const struct {
		const char *params, *words;
	} bad[] = {
		{"{}", "name is missing"},
		{"{\"name\":7}", "name: expected a string"},
		{"{\"name\":null}", "name: expected a string"},
		{"{\"name\":\"nobody\"}", "Unknown tool: nobody"},
		{"{\"name\":\"Echo\"}", "Unknown tool: Echo"},
		{"{\"name\":\"\"}", "Unknown tool"},
		{"{\"name\":\"echo\",\"arguments\":[]}", "arguments: expected an object"},
		{"{\"name\":\"echo\",\"arguments\":\"x\"}", "arguments: expected an object"},
		{"{\"name\":\"echo\",\"arguments\":null}", "arguments: expected an object"},
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				 "\"params\":%s}",
				 bad[i].params);
		test_expect_error(t, "1", -32602, bad[i].words);
	}
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}");
	test_expect_error(t, "1", -32602, "name is missing");
	call_tool(t, "arguments", NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}]}}");
	call_tool(t, "arguments", "{\"a\":[1,{\"b\":1.50}]}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"{\\\"a\\\":[1,{\\\"b\\\":1.50}]}\"}]}}");
}

static void test_argument_faults(void **state) /* MCP-223, MCP-228 */
{
	static const struct {
		const char *arguments, *words;
	} bad[] = {
		{NULL, "n: required but missing"},
		{"{}", "n: required but missing"},
		{"{\"n\":0}", "n: "},
		{"{\"n\":\"1\"}", "n: expected an integer"},
		{"{\"n\":1,\"m\":2}", "m: "},
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", NULL);
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		call_tool(t, "strict", bad[i].arguments);
		test_expectf(t,
			     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			     "\"<has %s>\"}],\"isError\":true}}",
			     bad[i].words);
		call_tool(t, "app_strict", bad[i].arguments);
		test_expect_error(t, "1", -32602, bad[i].words);
	}
	call_tool(t, "shaped_strict", "{\"n\":\"1\",\"m\":2}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"without\"}],\"structuredContent\":{\"error\":\"NO\",\"path\":"
		       "\"<string>\",\"count\":2},\"isError\":true}}");
	call_tool(t, "shaped_strict", "{\"n\":1}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\"}}");
	call_tool(t, "strict", "{\"n\":1}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\"}}");
	call_tool(t, "app_strict", "{\"n\":1}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\"}}");
	call_tool(t, "app_state", NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"the state\"}]}}");
	call_tool(t, "app_own", NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"its own beside the state\"}]}}");
}

static void test_failures(void **state) /* MCP-224, MCP-033, MCP-034 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	call_tool(t, "fails", NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"failed with 7\"}],\"isError\":true}}");
	call_tool(t, "refuses", NULL);
	test_expect(t, "{\"id\":1,\"error\":{\"code\":4711,\"message\":\"refused\",\"data\":{"
		       "\"why\":\"because\"}}}");
	call_tool(t, "finishes_twice", NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"once\"}]}}");
	test_expect_nothing(t);
	call_tool(t, "too_large", NULL);
	test_expect_error(t, "1", -32603, "too large");
	call_tool(t, "echo", "{\"text\":\"still here\"}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\"}}");
}

static void test_blocks(void **state) /* MCP-025, MCP-239 */
{
	static const char text[] = "{\"type\":\"text\",\"text\":\"hello\",\"annotations\":{"
				   "\"audience\":[\"user\"],\"priority\":0.5}}";
	static const char image[] = "{\"type\":\"image\",\"data\":\"AQID\",\"mimeType\":"
				    "\"image/png\"}";
	static const char *const audio[] = {
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"<string>\",\"mimeType\":"
		"\"audio/wav\",\"blob\":\"d2F2ZQ==\"}}",
		"{\"type\":\"audio\",\"data\":\"d2F2ZQ==\",\"mimeType\":\"audio/wav\"}"};
	static const char *const link[] = {
		"{\"type\":\"text\",\"text\":\"The text: test://text - A text\"}",
		"{\"type\":\"resource_link\",\"uri\":\"test://text\",\"name\":\"text\",\"title\":"
		"\"The text\",\"description\":\"A text\",\"mimeType\":\"text/plain\"}"};
	static const char rest[] =
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"test://text\",\"mimeType\":"
		"\"text/plain\",\"text\":\"embedded\"}},"
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"test://blob\",\"blob\":\"/w==\"}}";
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		test_initialize(t, revisions[i], NULL);
		call_tool(t, "blocks", NULL);
		test_expectf(t, "{\"id\":1,\"result\":{\"content\":[%s,%s,%s,%s,%s]%s}}", text,
			     image, audio[i > 0], link[i > 1], rest,
			     i > 1 ? ",\"_meta\":{\"example.com/k\":1}" : "");
		test_reconnect(t);
	}
	(void)test_modern(t, "1", "tools/call", "\"name\":\"blocks\"", NULL, NULL);
	test_expectf(t,
		     "{\"id\":1,\"result\":{\"content\":[%s,%s,%s,%s,%s],\"resultType\":"
		     "\"complete\",\"_meta\":{\"example.com/k\":1,"
		     "\"io.modelcontextprotocol/serverInfo\":\"<object>\"}}}",
		     text, image, audio[1], link[1], rest);
}

static void test_structured(void **state) /* MCP-026, MCP-225 */
{
	static const char value[] = ",\"structuredContent\":{\"n\":1}";
	static const char copy[] =
		"\"content\":[{\"type\":\"text\",\"text\":\"{\\\"n\\\":\\n1}\"}]";
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		test_initialize(t, revisions[i], NULL);
		call_tool(t, "number", NULL);
		test_expectf(t, "{\"id\":1,\"result\":{%s%s}}", copy, i > 1 ? value : "");
		call_tool(t, "list", NULL);
		test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			       "\"[1,2]\"}]}}");
		call_tool(t, "wrong_number", NULL);
		test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			       "\"<has The tool broke its own output schema: "
			       ">\"}],\"isError\":true}}");
		call_tool(t, "no_number", NULL);
		test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			       "\"The tool broke its own output schema: structuredContent is "
			       "missing or no JSON\"}],\"isError\":true}}");
		call_tool(t, "failed_number", NULL);
		test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			       "\"no value\"}],\"isError\":true}}");
		test_reconnect(t);
	}
	(void)test_modern(t, "1", "tools/call", "\"name\":\"list\"", NULL, NULL);
	test_expect_complete(t, "1",
			     "\"content\":[{\"type\":\"text\",\"text\":\"[1,2]\"}],"
			     "\"structuredContent\":[1,2]");
	(void)test_modern(t, "1", "tools/call", "\"name\":\"number\"", NULL, NULL);
	test_expectf(t,
		     "{\"id\":1,\"result\":{%s%s,\"resultType\":\"complete\",\"_meta\":"
		     "\"<object>\"}}",
		     copy, value);
}

static void test_output_unchecked(void **state) /* MCP-225: by option */
{
	static const struct tenon_server_options options = {.name = "lax", .version = "1"};
	struct test_peer *t = test_peer_create(&options);

	(void)state;
	test_add_fixtures(t);
	test_initialize(t, "2025-11-25", NULL);
	call_tool(t, "wrong_number", NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
		       "\"n\":\"one\"}}}");
	test_peer_destroy(t);
}

static void test_later(void **state) /* calls that finish from a timer or after work */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	call_tool(t, "later", NULL);
	test_expect_nothing(t);
	test_run_until_sent(t);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"later\"}]}}");
	call_tool(t, "works", NULL);
	test_expect_nothing(t);
	test_run_until_sent(t);
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"worked\"}]}}");
	assert_int_equal(t->freed, 2);
	call_tool(t, "works_late", NULL); /* answered while the work is out */
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"before the work\"}]}}");
	for (int i = 0; i < 6000 && t->freed < 3; i++)
		test_run(t, 5);
	assert_int_equal(t->freed, 3);
	assert_int_equal(t->worked, 2); /* `done` frees what the handler made: it runs anyway */
	test_expect_nothing(t);
}

static void test_end_while_working(void **state) /* the server is destroyed under its calls */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (int i = 0; i < 10; i++) {
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
				 "\"params\":{\"name\":\"%s\"}}",
				 i,
				 i % 2   ? "works"
				 : i % 4 ? "later"
					 : "hold_deaf");
	}
	test_expect_nothing(t);
}

static void test_removed_while_running(void **state) /* a running call keeps its tool */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	call_tool(t, "hold", NULL);
	assert_true(tenon_server_remove_tool(t->server, "hold"));
	assert_false(tenon_server_remove_tool(t->server, "hold"));
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"hold\"}}");
	test_expect_error(t, "2", -32602, "Unknown tool");
	test_finish_held(t, 0, "done");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\"}}");
}

static void test_polling(void **state) /* MCP-147: only where the client knows of it */
{
	struct test_peer *t = *state;
	const struct test_exchange *x;

	for (size_t i = 2; i < TN_COUNT(revisions); i++) {
		const char *const session[][2] = {
			{"Mcp-Session-Id", test_open_session(t, revisions[i], NULL)}, {NULL, NULL}};

		x = test_post(t, session,
			      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
			      "\"params\":{\"name\":\"polls\"}}");
		assert_int_equal(x->releases, i == 3);
		test_run_until_sent(t);
		test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\"}}");
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_list_projection),
		TEST(test_output_schemas),
		TEST(test_bad_requests),
		TEST(test_argument_faults),
		TEST(test_failures),
		TEST(test_blocks),
		TEST(test_structured),
		cmocka_unit_test(test_output_unchecked),
		TEST(test_later),
		TEST(test_end_while_working),
		TEST(test_removed_while_running),
		TEST(test_polling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
