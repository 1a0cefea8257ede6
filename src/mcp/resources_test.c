/* Resources, templates, legacy subscriptions, prompts and completion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/feed.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

static void request(struct test_peer *t, const char *method, const char *params)
{
	(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}",
			 method, params);
}

/* ---- lists ---- */

static void test_lists(void **state) /* MCP-027, MCP-036, MCP-235 */
{
	static const char *const revisions[] = {"2024-11-05", "2025-11-25"};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		test_initialize(t, revisions[i], NULL);
		request(t, "resources/list", "");
		test_expectf(t,
			     "{\"id\":1,\"result\":{\"resources\":[{\"uri\":\"test://text\","
			     "\"name\":\"text\",%s\"description\":\"A text\",\"mimeType\":"
			     "\"text/plain\",\"size\":9},{\"uri\":\"test://blob\",\"name\":"
			     "\"blob\"},\"...\"]}}",
			     i ? "\"title\":\"The text\"," : "");
		request(t, "resources/templates/list", "");
		test_expectf(t,
			     "{\"id\":1,\"result\":{\"resourceTemplates\":[{\"uriTemplate\":"
			     "\"test://item/{name}/{part}\",\"name\":\"item\",%s\"mimeType\":"
			     "\"text/plain\"},{\"uriTemplate\":\"test://item/{+name}\",\"name\":"
			     "\"items\"}]}}",
			     i ? "\"title\":\"An item\"," : "");
		request(t, "prompts/list", "");
		test_expectf(t,
			     "{\"id\":1,\"result\":{\"prompts\":[{\"name\":\"greet\",%s"
			     "\"description\":\"Greets somebody\",\"arguments\":[{\"name\":"
			     "\"name\",%s\"description\":\"Whom\",\"required\":true},{\"name\":"
			     "\"color\",\"required\":false}]},{\"name\":\"plain\"},\"...\"]}}",
			     i ? "\"title\":\"Greet\"," : "", i ? "\"title\":\"Name\"," : "");
		test_reconnect(t);
	}
}

/* An app whose list follows from something else makes it when somebody looks. */
static enum tenon_code open_late(struct tenon_server *server, void **ret_state,
				 struct tenon_error *err)
{
	(void)err;
	*ret_state = server;
	return TENON_OK;
}

static void read_late(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_not_found(call);
}

static void refresh_late(void *state)
{
	static const struct tenon_resource resource = {
		.uri = "late://one", .name = "late", .size_bytes = -1, .read = read_late};

	(void)tenon_server_remove_resource(state, "late://one");
	assert_int_equal(tenon_server_add_resource(state, &resource, NULL), TENON_OK);
}

static const struct tenon_app late_app = {
	.name = "late", .open = open_late, .refresh_resources = refresh_late};

static void test_refreshed(void **state)
{
	struct test_peer *t = *state;

	assert_int_equal(tenon_server_add_app(t->server, &late_app, NULL), TENON_OK);
	test_initialize(t, "2025-11-25", NULL);
	for (int i = 0; i < 2; i++) {
		request(t, "resources/list", "");
		assert_non_null(strstr(test_next(t), "late://one"));
	}
}

/* ---- reading ---- */

static void test_read(void **state) /* MCP-232, MCP-236 */
{
	static const struct {
		const char *uri, *content;
	} good[] = {
		{"test://text", "\"mimeType\":\"text/plain\",\"text\":\"some text\""},
		{"test://blob", "\"mimeType\":\"application/octet-stream\",\"blob\":\"AP8=\""},
		{"test://item/a%20b/p", "\"mimeType\":\"text/plain\",\"text\":\"p of a b\""},
		{"test://item/a/b/c", "\"mimeType\":\"text/plain\",\"text\":\"? of a/b/c\""},
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", NULL);
	for (size_t i = 0; i < TN_COUNT(good); i++) {
		char uri[128];

		(void)snprintf(uri, sizeof(uri), "\"uri\":\"%s\"", good[i].uri);
		request(t, "resources/read", uri);
		test_expectf(t, "{\"id\":1,\"result\":{\"contents\":[{%s,%s}]}}", uri,
			     good[i].content);
		(void)test_modern(t, "2", "resources/read", uri, NULL, NULL);
		test_expectf(t,
			     "{\"id\":2,\"result\":{\"contents\":[{%s,%s}],\"ttlMs\":%d,"
			     "\"cacheScope\":\"%s\",\"resultType\":\"complete\",\"_meta\":"
			     "\"<object>\"}}",
			     uri, good[i].content, i ? 0 : 5000, i ? "private" : "public");
	}
}

static void test_not_found(void **state) /* MCP-029, MCP-232 */
{
	static const char *const unknown[] = {"test://nothing", "test://gone", "test://item/",
					      "nonsense", ""};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (size_t i = 0; i < TN_COUNT(unknown); i++) {
		char uri[128];

		(void)snprintf(uri, sizeof(uri), "\"uri\":\"%s\"", unknown[i]);
		request(t, "resources/read", uri);
		test_expectf(t,
			     "{\"id\":1,\"error\":{\"code\":-32002,\"message\":\"Resource not "
			     "found\",\"data\":{%s}}}",
			     uri);
		(void)test_modern(t, "2", "resources/read", uri, NULL, NULL);
		test_expectf(t,
			     "{\"id\":2,\"error\":{\"code\":-32602,\"message\":\"Resource not "
			     "found\",\"data\":{%s}}}",
			     uri);
	}
	request(t, "resources/read", "");
	test_expect_error(t, "1", -32602, "uri is missing");
	request(t, "resources/read", "\"uri\":[]");
	test_expect_error(t, "1", -32602, "uri: expected a string");
}

static void test_long_uri(void **state) /* MCP-236, section 24: 64 KiB */
{
	struct test_peer *t = *state;
	size_t size = TN_URI_BYTES_MAX + 2;
	char *uri = tn_mem_alloc(size);

	assert_non_null(uri);
	memset(uri, 'x', size - 1);
	memcpy(uri, "test://item/", 12);
	test_initialize(t, "2025-11-25", NULL);
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\","
			 "\"params\":{\"uri\":\"%s\"}}",
			 uri);
	test_expect_error(t, "1", -32602, "uri: longer");
	uri[size - 2] = '\0';
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\","
			 "\"params\":{\"uri\":\"%s\"}}",
			 uri);
	test_expect(t, "{\"id\":1,\"result\":{\"contents\":\"<array>\"}}");
	tn_mem_free(uri);
}

/* ---- subscribing ---- */

static void expect_updated(struct test_peer *t, const char *uri)
{
	test_expectf(t,
		     "{\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"%s\"}}",
		     uri);
}

static void test_subscriptions(void **state) /* MCP-234, MCP-078 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", NULL);
	for (int i = 0; i < 2; i++) { /* idempotent */
		request(t, "resources/subscribe", "\"uri\":\"test://text\"");
		test_expect(t, "{\"id\":1,\"result\":{}}");
	}
	request(t, "resources/subscribe", "\"uri\":\"test://item/a/b\"");
	test_expect(t, "{\"id\":1,\"result\":{}}");
	request(t, "resources/subscribe", "\"uri\":\"test://nothing\"");
	test_expect(t, "{\"id\":1,\"error\":{\"code\":-32002,\"message\":\"<string>\",\"data\":{"
		       "\"uri\":\"test://nothing\"}}}");
	request(t, "resources/subscribe", "");
	test_expect_error(t, "1", -32602, "uri");
	request(t, "resources/subscribe", "\"uri\":\"test://item/%zz\"");
	test_expect_error(t, "1", -32602, "hexadecimal");
	request(t, "resources/read", "\"uri\":\"test://item/a%\"");
	test_expect_error(t, "1", -32602, "hexadecimal");
	tenon_server_resource_updated(t->server, "test://text");
	expect_updated(t, "test://text");
	tenon_server_resource_updated(t->server, "test://item/a/b");
	expect_updated(t, "test://item/a/b");
	tenon_server_resource_updated(t->server, "test://item/a");
	tenon_server_resource_updated(t->server, "test://blob");
	test_expect_nothing(t);
	for (int i = 0; i < 2; i++) {
		request(t, "resources/unsubscribe", "\"uri\":\"test://text\"");
		test_expect(t, "{\"id\":1,\"result\":{}}");
	}
	tenon_server_resource_updated(t->server, "test://text");
	test_expect_nothing(t);
}

static void put_color(struct tn_str uri, struct tn_buf *members, void *data)
{
	(void)uri;
	tn_json_put_member_text(members, "color", data);
}

static void put_nothing(struct tn_str uri, struct tn_buf *members, void *data)
{
	(void)uri;
	(void)members;
	(void)data;
}

static void test_tellers(void **state) /* what an update says beside its URI */
{
	struct tn_feed_teller items = {.prefix = "test://item/", .put = put_color, .data = "red"};
	struct tn_feed_teller silent = {.prefix = "", .put = put_nothing};
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", NULL);
	tn_feed_add_teller(t->server, &items);
	tn_feed_add_teller(t->server, &silent);
	request(t, "resources/subscribe", "\"uri\":\"test://text\"");
	test_expect(t, "{\"id\":1,\"result\":{}}");
	request(t, "resources/subscribe", "\"uri\":\"test://item/a/b\"");
	test_expect(t, "{\"id\":1,\"result\":{}}");
	tenon_server_resource_updated(t->server, "test://text");
	expect_updated(t, "test://text");
	tenon_server_resource_updated(t->server, "test://item/a/b");
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":"
		       "\"test://item/a/b\",\"_meta\":{\"color\":\"red\"}}}");
	tn_feed_remove_teller(t->server, &items);
	tn_feed_remove_teller(t->server, &items); /* once is enough */
	tenon_server_resource_updated(t->server, "test://item/a/b");
	expect_updated(t, "test://item/a/b");
	tn_feed_remove_teller(t->server, &silent);
}

static void test_subscription_cap(void **state) /* MCP-292: 10,000 and 4 MiB a session */
{
	struct test_peer *t = *state;
	size_t size = 60000;
	char *text = tn_mem_alloc(size + 1);
	int taken = 0;

	assert_non_null(text);
	memset(text, 'x', size);
	test_initialize(t, "2025-06-18", NULL);
	for (int i = 0; i < 200; i++) {
		const char *json;

		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\","
				 "\"params\":{\"uri\":\"test://item/%d/%s\"}}",
				 i, text);
		json = test_next(t);
		assert_non_null(json);
		if (strstr(json, "\"result\""))
			taken++;
		else
			assert_true(test_fits(json, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{"
						    "\"code\":-32603,\"message\":"
						    "\"<has subscriptions>\"}}"));
	}
	assert_int_equal(taken, TN_SUBSCRIPTION_BYTES_MAX / size);
	tn_mem_free(text);
}

static void test_subscription_count(void **state)
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", NULL);
	for (int i = 0; i < 10000; i++) {
		struct tenon_error err;
		char uri[64];

		(void)snprintf(uri, sizeof(uri), "test://item/%d/x", i);
		assert_int_equal(tn_feed_subscribe(t->peer, tn_str_from(uri), &err), TENON_OK);
	}
	request(t, "resources/subscribe", "\"uri\":\"test://text\"");
	test_expect_error(t, "1", -32603, "10000 subscriptions");
}

/* ---- prompts ---- */

static void test_prompts(void **state) /* MCP-238, MCP-239 */
{
	static const struct {
		const char *params, *words;
	} bad[] = {
		{"", "name is missing"},
		{"\"name\":[]", "name: expected a string"},
		{"\"name\":\"nobody\"", "Unknown prompt: nobody"},
		{"\"name\":\"greet\"", "arguments.name is missing"},
		{"\"name\":\"greet\",\"arguments\":{\"color\":\"red\"}",
		 "arguments.name is missing"},
		{"\"name\":\"greet\",\"arguments\":{\"name\":7}", "arguments.name: expected a "
								  "string"},
		{"\"name\":\"greet\",\"arguments\":{\"name\":\"x\",\"y\":null}",
		 "arguments.y: expected a string"},
		{"\"name\":\"greet\",\"arguments\":[]", "arguments: expected an object"},
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		request(t, "prompts/get", bad[i].params);
		test_expect_error(t, "1", -32602, bad[i].words);
	}
	request(t, "prompts/get",
		"\"name\":\"greet\",\"arguments\":{\"name\":\"Ann\",\"extra\":\"x\"}");
	test_expect(t, "{\"id\":1,\"result\":{\"description\":\"A greeting\",\"messages\":["
		       "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Ann\"}},"
		       "{\"role\":\"assistant\",\"content\":{\"type\":\"image\",\"data\":\"cA==\","
		       "\"mimeType\":\"image/png\"}},{\"role\":\"assistant\",\"content\":{\"type\":"
		       "\"resource\",\"resource\":{\"uri\":\"test://text\",\"mimeType\":"
		       "\"text/plain\",\"text\":\"embedded\"}}}]}}");
	request(t, "prompts/get", "\"name\":\"failing\"");
	test_expect_error(t, "1", -32603, "failed with 7");
}

/* ---- completion ---- */

static void test_completion(void **state) /* MCP-184, MCP-237 */
{
	static const char prompt[] = "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"}";
	static const char item[] =
		"\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://item/{name}/{part}\"}";
	static const struct {
		const char *ref, *argument, *completion;
	} good[] = {
		{prompt, "{\"name\":\"color\",\"value\":\"r\"}",
		 "\"values\":[\"red\",\"rose\"],\"total\":2,\"hasMore\":false"},
		{prompt, "{\"name\":\"color\",\"value\":\"x\"}",
		 "\"values\":[],\"total\":0,\"hasMore\":false"},
		{item, "{\"name\":\"part\",\"value\":\"bl\"}",
		 "\"values\":[\"blue\"],\"total\":1,\"hasMore\":false"},
		{"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"plain\"}",
		 "{\"name\":\"color\",\"value\":\"r\"}",
		 "\"values\":[],\"total\":0,\"hasMore\":false"},
		{prompt, "{\"name\":\"\",\"value\":\"\"}", "\"values\":[],\"...\":0"},
		{prompt, "{\"name\":\"no such\",\"value\":\"\"}", "\"values\":[],\"...\":0"},
	};
	struct test_peer *t = *state;
	const char *at;
	unsigned values = 0;

	test_initialize(t, "2025-06-18", NULL);
	for (size_t i = 0; i < TN_COUNT(good); i++) {
		char params[256];

		(void)snprintf(params, sizeof(params), "%s,\"argument\":%s", good[i].ref,
			       good[i].argument);
		request(t, "completion/complete", params);
		test_expectf(t, "{\"id\":1,\"result\":{\"completion\":{%s}}}", good[i].completion);
	}
	request(t, "completion/complete",
		"\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://item/{name}/"
		"{part}\"},\"argument\":{\"name\":"
		"\"many\",\"value\":\"\"}");
	test_expect(t, "{\"id\":1,\"result\":{\"completion\":{\"values\":\"<array>\",\"total\":"
		       "1000,\"hasMore\":true}}}");
	for (at = strstr(t->shown->json, "\"name\""); at; at = strstr(at + 1, "\"name\""))
		values++;
	assert_int_equal(values, 100);
	request(t, "completion/complete", /* MCP-186: what is known already */
		"\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://item/{name}/"
		"{part}\"},\"argument\":{\"name\":"
		"\"context\",\"value\":\"?\"},\"context\":{\"arguments\":{\"name\":\"Ann\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"completion\":{\"values\":[\"Ann\"],\"total\":1,"
		       "\"hasMore\":false}}}");
}

static void test_bad_completion(void **state) /* MCP-184 */
{
	static const char *const bad[] = {
		"",
		"\"ref\":7",
		"\"ref\":{\"type\":\"ref/tool\",\"name\":\"echo\"}",
		"\"ref\":{\"type\":\"ref/prompt\"}",
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"nobody\"},\"argument\":{\"name\":"
		"\"a\",\"value\":\"\"}",
		"\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://item/a/b\"},\"argument\":{"
		"\"name\":\"a\",\"value\":\"\"}",
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"}",
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":"
		"\"a\"}",
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":"
		"\"a\",\"value\":7}",
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		request(t, "completion/complete", bad[i]);
		test_expect_error(t, "1", -32602, "");
	}
	/* MCP-199: a completion cannot ask. */
	request(t, "completion/complete",
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"asks\"},\"argument\":{\"name\":"
		"\"a\",\"value\":\"\"}");
	test_expect_error(t, "1", -32603, "completion");
	(void)test_modern(t, "2", "completion/complete",
			  "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"asks\"},\"argument\":{"
			  "\"name\":\"a\",\"value\":\"\"}",
			  "{\"elicitation\":{}}", NULL);
	test_expect_error(t, "2", -32603, "completion");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lists),     TEST(test_refreshed),        TEST(test_read),
		TEST(test_not_found), TEST(test_long_uri),         TEST(test_subscriptions),
		TEST(test_tellers),   TEST(test_subscription_cap), TEST(test_subscription_count),
		TEST(test_prompts),   TEST(test_completion),       TEST(test_bad_completion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
