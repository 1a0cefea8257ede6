/* What a server's options change: its card, keys, limits, audit; and texts that are too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"
#include "mcp/test_fixtures.h"

static const struct tenon_server_options plain = {.name = "test", .version = "1.2"};

/* ---- serverInfo ---- */

static void test_about(void **state) /* MCP-045, MCP-074 */
{
	const struct tenon_server_options options = {.name = "test",
						     .version = "1.2",
						     .title = "Title",
						     .description = "Says things",
						     .website_url = "https://example.com/",
						     .icons = "[{\"src\":\n\"data:,\"}]"};
	static const char card[] =
		"\"name\":\"test\",\"version\":\"1.2\",\"title\":\"Title\",\"description\":\"Says "
		"things\",\"websiteUrl\":\"https://example.com/\",\"icons\":[{\"src\":\"data:,\"}]";
	struct test_peer *t = test_peer_create(&options);

	(void)state;
	(void)test_modern(t, "1", "server/discover", "", NULL, NULL);
	test_expectf(
		t,
		"{\"id\":1,\"result\":{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{%s}},"
		"\"...\":0}}",
		card);
	test_initialize(t, "2025-11-25", "{}");
	test_reconnect(t);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			   "\"protocolVersion\":\"2025-11-25\"}}");
	test_expectf(t, "{\"id\":1,\"result\":{\"serverInfo\":{%s},\"...\":0}}", card);
	test_reconnect(t);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			   "\"protocolVersion\":\"2025-06-18\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"test\",\"version\":"
		       "\"1.2\",\"title\":\"Title\"},\"...\":0}}"); /* MCP-027 */
	test_peer_destroy(t);
}

static void say_meta(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_meta(call, "\"a/b\":1");
	tenon_call_reply_text(call, "x");
}

static void test_no_server_info(void **state) /* MCP-045 */
{
	const struct tenon_server_options options = {
		.name = "test", .version = "1.2", .no_server_info = true};
	const struct tenon_tool tool = {.name = "say", .call = say_meta};
	struct test_peer *t = test_peer_create(&options);

	(void)state;
	test_add_tools(t, &tool, 1);
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"tools\":\"<array>\",\"ttlMs\":0,\"cacheScope\":"
		       "\"private\",\"resultType\":\"complete\"}}");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"say\"", NULL, NULL);
	test_expect(t, "{\"id\":2,\"result\":{\"content\":\"<array>\",\"resultType\":\"complete\","
		       "\"_meta\":{\"a/b\":1}}}");
	test_peer_destroy(t);
}

static void expect_refused(const struct tenon_server_options *options, enum tenon_code code,
			   const char *words)
{
	struct tenon_server *server = NULL;
	struct tenon_error err;

	assert_int_equal(tenon_server_create(options, &server, &err), code);
	assert_null(server);
	if (!strstr(err.message, words))
		fail_msg("%s: not in: %s", words, err.message);
}

static const char key_a[] = "the first key has more than 32 bytes";
static const char key_b[] = "the second key has more than 32 bytes";

static void test_refused_options(void **state)
{
	static const char *const short_key[] = {key_a, "too short", NULL};
	static const char *const many_keys[] = {key_a, key_a, key_a, key_a, key_a,
						key_a, key_a, key_a, key_a, NULL};
	struct tenon_server_options o = plain;

	(void)state;
	o.seal_keys = short_key;
	expect_refused(&o, TENON_INVALID, "seal_keys: send at least 32 bytes");
	o.seal_keys = many_keys;
	expect_refused(&o, TENON_LIMIT, "seal_keys: more than 8");
	o.seal_keys = NULL;
	o.icons = "{}";
	expect_refused(&o, TENON_INVALID, "icons: send a JSON array");
	o.icons = "[";
	expect_refused(&o, TENON_INVALID, "icons: send a JSON array");
	o.icons = NULL;
	o.name = "";
	expect_refused(&o, TENON_INVALID, "a server needs a name and a version");
}

/* ---- seal keys (MCP-205) ---- */

static void ask(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_state(call, "noted");
	if (tenon_call_elicit(call, "k", "?",
			      "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\"}}}"))
		tenon_call_reply_text(call, "answered");
}

static struct test_peer *with_keys(const char *const *keys)
{
	const struct tenon_tool tool = {.name = "ask", .call = ask};
	struct tenon_server_options o = plain;
	struct test_peer *t;

	o.seal_keys = keys;
	t = test_peer_create(&o);
	test_add_tools(t, &tool, 1);
	return t;
}

static void get_state(struct test_peer *t, char *sealed, size_t size)
{
	(void)test_modern(t, "1", "tools/call", "\"name\":\"ask\"", "{\"elicitation\":{}}", NULL);
	assert_non_null(test_next(t));
	test_member(t, "result/requestState", sealed, size);
}

static void retry(struct test_peer *t, const char *sealed)
{
	char params[2048];

	(void)snprintf(params, sizeof(params),
		       "\"name\":\"ask\",\"requestState\":\"%s\",\"inputResponses\":{\"k\":{"
		       "\"action\":\"accept\",\"content\":{\"x\":\"y\"}}}",
		       sealed);
	(void)test_modern(t, "2", "tools/call", params, "{\"elicitation\":{}}", NULL);
}

/* Keys are changed one process after the other: old, then both, then new. */
static void test_seal_keys(void **state)
{
	static const char *const old_keys[] = {key_a, NULL}, *const both[] = {key_b, key_a, NULL};
	static const char *const new_keys[] = {key_b, NULL};
	struct test_peer *first = with_keys(old_keys), *second = with_keys(both);
	struct test_peer *third = with_keys(new_keys), *other = with_keys(NULL);
	char by_first[1024], by_second[1024], by_other[1024];

	(void)state;
	get_state(first, by_first, sizeof(by_first));
	get_state(second, by_second, sizeof(by_second));
	get_state(other, by_other, sizeof(by_other));
	retry(second, by_first);
	test_expect_complete(second, "2",
			     "\"content\":[{\"type\":\"text\",\"text\":\"answered\"}]");
	retry(third, by_second);
	test_expect_complete(third, "2", "\"content\":[{\"type\":\"text\",\"text\":\"answered\"}]");
	retry(third, by_first);
	test_expect_error(third, "2", -32602, "invalid requestState");
	retry(first, by_second);
	test_expect_error(first, "2", -32602, "invalid requestState");
	retry(first, by_other);
	test_expect_error(first, "2", -32602, "invalid requestState");
	test_peer_destroy(first);
	test_peer_destroy(second);
	test_peer_destroy(third);
	test_peer_destroy(other);
}

/* ---- limits ---- */

static void test_listeners_max(void **state) /* MCP-197 */
{
	struct tenon_server_options o = plain;
	struct test_peer *t;

	(void)state;
	o.listeners_max = 1;
	t = test_peer_create(&o);
	(void)test_modern(t, "1", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"
		       "\"<object>\"}");
	(void)test_modern(t, "2", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	test_expect_error(t, "2", -32603, "subscription limit reached");
	test_peer_destroy(t);
}

/* ---- audit (MCP-289) ---- */

static void note(const char *line, void *data)
{
	struct tn_buf *lines = data;

	assert_null(strchr(line, '\n'));
	tn_buf_clear(lines);
	tn_buf_append(lines, line, strlen(line) + 1);
}

static void expect_audit(struct tn_buf *lines, const char *pattern)
{
	if (!lines->size || !test_fits(lines->data, pattern))
		fail_msg("audit: %s\nexpected: %s", lines->size ? lines->data : "nothing", pattern);
	tn_buf_clear(lines);
}

#define WHO "\"time\":\"<has 20>\",\"principal\":\"tester\",\"client\":\"<string>\","

static void test_audit_modern(struct test_peer *t, struct tn_buf *lines)
{
	(void)test_modern(t, "1", "tools/call", "\"name\":\"echo\",\"arguments\":{\"text\":\"s3\"}",
			  NULL, NULL);
	(void)test_next(t);
	assert_null(strstr(lines->data, "s3")); /* no arguments */
	expect_audit(lines,
		     "{" WHO "\"method\":\"tools/call\",\"name\":\"echo\",\"outcome\":\"ok\","
		     "\"ms\":0}");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"fails\"", NULL, NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"tools/call\",\"name\":\"fails\",\"outcome\":"
			    "\"tool_error\",\"ms\":0}");
	(void)test_modern(t, "3", "tools/call", "\"name\":\"nothing\"", NULL, NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"tools/call\",\"name\":\"nothing\",\"outcome\":"
			    "\"error\",\"code\":-32602,\"ms\":0}");
	(void)test_modern(t, "4", "tools/call", "\"name\":\"ask_form\"", "{\"elicitation\":{}}",
			  NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"tools/call\",\"name\":\"ask_form\",\"outcome\":"
			    "\"input_required\",\"ms\":0}");
	(void)test_modern(t, "5", "resources/read", "\"uri\":\"test://text\"", NULL, NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"resources/read\",\"name\":\"test://text\","
			    "\"outcome\":\"ok\",\"ms\":0}");
	(void)test_modern(t, "6", "tools/call", "\"name\":\"too_large\"", NULL, NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"tools/call\",\"name\":\"too_large\",\"outcome\":"
			    "\"error\",\"code\":-32603,\"ms\":0}");
	(void)test_modern(t, "7", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"subscriptions/listen\",\"outcome\":\"listening\","
			    "\"ms\":0}");
	(void)test_modern(t, "8", "no/such", "", NULL, NULL);
	(void)test_next(t);
	expect_audit(lines, "{" WHO "\"method\":\"no/such\",\"outcome\":\"error\",\"code\":-32601,"
			    "\"ms\":0}");
}

static void test_audit(void **state)
{
	struct tenon_server_options o = plain;
	struct tn_buf lines;
	struct test_peer *t;

	(void)state;
	tn_buf_init(&lines, TN_MIB);
	o.audit = note;
	o.data = &lines;
	t = test_peer_create(&o);
	test_add_fixtures(t);
	tn_timer_stop(t->server->list_timer);
	t->server->dirty = 0;
	test_audit_modern(t, &lines);
	test_initialize(t, "2025-11-25", "{}");
	expect_audit(&lines, "{\"method\":\"initialize\",\"outcome\":\"ok\",\"...\":0}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}");
	(void)test_send(t, "[");
	(void)test_next(t);
	assert_int_equal(lines.size, 0); /* only requests are told of */
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"hold\"}}");
	assert_int_equal(lines.size, 0);
	test_turn_clock(t, 250);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}");
	expect_audit(&lines, "{" WHO "\"method\":\"tools/call\",\"name\":\"hold\",\"outcome\":"
			     "\"cancelled\",\"ms\":250}");
	test_peer_destroy(t);
	assert_int_equal(lines.size, 0); /* once each */
	tn_buf_finish(&lines);
}

/* ---- texts that are too long (MCP-231) ---- */

static void say_long(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "12345", TENON_TEXT);
	tenon_call_add_text(call, "67\xC3\xA9\xC3\xA9 and more", TENON_TEXT);
	tenon_call_finish(call);
}

static void say_exactly(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "1234567890");
}

static struct test_peer *with_long_tools(void)
{
	const struct tenon_tool tools[] = {
		{.name = "long", .text_max_bytes = 8, .call = say_long},
		{.name = "exact", .text_max_bytes = 10, .call = say_exactly}};
	struct test_peer *t = test_peer_create(&plain);

	test_add_tools(t, tools, TN_COUNT(tools));
	return t;
}

static void expect_cut(struct test_peer *t, char *params, size_t size)
{
	char uri[128];
	const char *json, *found;

	(void)test_modern(t, "1", "tools/call", "\"name\":\"long\"", NULL, NULL);
	json = test_next(t);
	assert_true(test_fits(
		json, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":"
		      "\"text\",\"text\":\"12345\"},{\"type\":\"text\",\"text\":\"67\"},{"
		      "\"type\":\"resource_link\",\"uri\":\"<has tenon:text/>\",\"name\":"
		      "\"full text\",\"title\":\"<string>\",\"description\":\"<string>\","
		      "\"mimeType\":\"text/plain\"}],\"resultType\":\"complete\",\"...\":0}}"));
	found = strstr(json, TN_LONG_TEXT_PREFIX);
	assert_non_null(found);
	(void)snprintf(uri, sizeof(uri), "%.*s", (int)strcspn(found, "\""), found);
	(void)snprintf(params, size, "\"uri\":\"%s\"", uri);
}

static void test_long_text(void **state)
{
	struct test_peer *t = with_long_tools();
	char params[256], twin[256];

	(void)state;
	expect_cut(t, params, sizeof(params));
	expect_cut(t, twin, sizeof(twin));
	assert_string_not_equal(params, twin);
	(void)test_modern(t, "2", "resources/read", params, NULL, NULL);
	test_expectf(t,
		     "{\"id\":2,\"result\":{\"contents\":[{%s,\"mimeType\":\"text/plain\",\"text\":"
		     "\"67\xC3\xA9\xC3\xA9 and more\"}],\"ttlMs\":0,\"cacheScope\":\"private\","
		     "\"resultType\":\"complete\",\"_meta\":\"<object>\"}}",
		     params);
	(void)test_modern(t, "3", "tools/call", "\"name\":\"exact\"", NULL, NULL);
	test_expect_complete(t, "3", "\"content\":[{\"type\":\"text\",\"text\":\"1234567890\"}]");
	/* Another's text is not there, and neither is one whose time is over. */
	memcpy(t->peer->principal, "other", sizeof("other"));
	(void)test_modern(t, "4", "resources/read", params, NULL, NULL);
	test_expect_error(t, "4", -32602, "Resource not found");
	memcpy(t->peer->principal, "tester", sizeof("tester"));
	test_turn_clock(t, TN_LONG_TEXT_MS);
	(void)test_modern(t, "5", "resources/read", params, NULL, NULL);
	test_expect_error(t, "5", -32602, "Resource not found");
	expect_cut(t, params, sizeof(params)); /* drops the old ones */
	assert_int_equal(t->server->long_text_count, 1);
	test_peer_destroy(t);
}

/* Old clients get the link as text; a server with such a tool offers resources. */
static void test_long_text_legacy(void **state) /* MCP-025, MCP-035 */
{
	struct test_peer *t = with_long_tools();

	(void)state;
	test_initialize(t, "2024-11-05", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"long\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"12345\"},{"
		       "\"type\":\"text\",\"text\":\"67\"},{\"type\":\"text\",\"text\":"
		       "\"<has tenon:text/>\"}]}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\"}");
	test_expect(t, "{\"id\":2,\"result\":{\"resources\":[]}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":"
			   "{\"uri\":\"tenon:text/aaaaaaaaaaaaaaaaaaaaaaaaaa\"}}");
	test_expect_error(t, "3", -32002, "Resource not found");
	test_peer_destroy(t);
}

static void say_huge(struct tenon_call *call, void *data)
{
	char *text = tn_mem_alloc(TN_LONG_TEXT_BYTES_MAX + 1);

	(void)data;
	assert_non_null(text);
	memset(text, 'x', TN_LONG_TEXT_BYTES_MAX + 1);
	tenon_call_add_text(call, text, TN_LONG_TEXT_BYTES_MAX + 1);
	tn_mem_free(text);
	tenon_call_finish(call);
}

static void test_long_text_limits(void **state)
{
	const struct tenon_tool huge = {.name = "huge", .text_max_bytes = 2, .call = say_huge};
	struct test_peer *t = with_long_tools();
	char params[256];

	(void)state;
	test_add_tools(t, &huge, 1);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"huge\"", NULL, NULL);
	test_expect_complete(t, "1",
			     "\"content\":[{\"type\":\"text\",\"text\":\"xx\"},{\"type\":\"text\","
			     "\"text\":\"<has too long to be kept>\"}]");
	for (int i = 0; i < TN_LONG_TEXTS_MAX + 3; i++)
		expect_cut(t, params, sizeof(params));
	assert_int_equal(t->server->long_text_count, TN_LONG_TEXTS_MAX);
	test_peer_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_about),
		cmocka_unit_test(test_no_server_info),
		cmocka_unit_test(test_refused_options),
		cmocka_unit_test(test_seal_keys),
		cmocka_unit_test(test_listeners_max),
		cmocka_unit_test(test_audit),
		cmocka_unit_test(test_long_text),
		cmocka_unit_test(test_long_text_legacy),
		cmocka_unit_test(test_long_text_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
