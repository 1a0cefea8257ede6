/* The door: the ladder of mcp.md section 6.1 (MCP-048), ids, malformed messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/test_fixtures.h"

#define NONE               \
	{                  \
		NULL, NULL \
	}

static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

/* ---- what is no message ---- */

/* MCP-001, MCP-002, MCP-007, MCP-011, MCP-012, MCP-013, MCP-016, MCP-089, MCP-090, MCP-290 */
static const struct {
	const char *text, *id; /* id: of the answer, as JSON text */
	int code;
} malformed[] = {
	{"", NULL, -32700},
	{"{", NULL, -32700},
	{"hello", NULL, -32700},
	{"Content-Length: 52", NULL, -32700},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}", NULL, -32700},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", NULL, -32700},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\x80\"}", NULL, -32700},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xed\xa0\x80\"}", NULL, -32700},
	{"1", NULL, -32600},
	{"\"ping\"", NULL, -32600},
	{"null", NULL, -32600},
	{"{}", NULL, -32600},
	{"{\"id\":1,\"method\":\"ping\"}", "1", -32600},
	{"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", "\"a\"", -32600},
	{"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", NULL, -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", NULL, -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", NULL, -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", NULL, -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", NULL, -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\"x\"}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}", "1", -32600},
	{"{\"jsonrpc\":\"2.0\"}", NULL, -32600},
};

static void test_malformed(void **state)
{
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(malformed); i++) {
		const struct test_exchange *x = test_send(t, malformed[i].text);

		assert_int_equal(x->end, TEST_ANSWERED);
		test_expect_error(t, malformed[i].id, malformed[i].code, "");
		(void)test_send(t, ping); /* the conversation goes on */
		test_expect(t, "{\"id\":1,\"result\":{}}");
	}
}

static void test_malformed_http(void **state)
{
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(malformed); i++) {
		const struct test_exchange *x = test_post(t, NULL, malformed[i].text);

		assert_int_equal(x->end, TEST_ANSWERED);
		assert_int_equal(x->status, 400);
		test_expect_error(t, malformed[i].id, malformed[i].code, "");
	}
}

static void test_deep(void **state) /* MCP-013, MCP-291 */
{
	struct test_peer *t = *state;
	size_t size = 10 * TN_MIB;
	char *text = tn_mem_alloc(size);

	assert_non_null(text);
	memset(text, '[', size);
	(void)test_send_str(t, tn_str(text, 10000));
	test_expect_error(t, NULL, -32700, "nested too deeply");
	(void)test_send_str(t, tn_str(text, size));
	test_expect_error(t, NULL, -32700, "nested too deeply");
	memset(text, '7', size);
	(void)test_send_str(t, tn_str(text, size));
	test_expect_error(t, NULL, -32600, "");
	tn_mem_free(text);
	(void)test_send(t, ping);
	test_expect(t, "{\"id\":1,\"result\":{}}");
}

static void test_long_names(void **state) /* section 24: lengths */
{
	struct test_peer *t = *state;
	char text[3000];

	memset(text, 'x', sizeof(text));
	(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":\"%.1025s\",\"method\":\"ping\"}", text);
	test_expect_error(t, NULL, -32600, "id");
	(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%.257s\"}", text);
	test_expect_error(t, "1", -32600, "method");
	(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":\"%.1024s\",\"method\":\"ping\"}", text);
	test_expectf(t, "{\"id\":\"%.1024s\",\"result\":{}}", text);
}

/* ---- ids ---- */

static void test_ids(void **state) /* MCP-002, MCP-003, MCP-004 */
{
	static const char *const ids[] = {
		"0",
		"-1",
		"9223372036854775807",
		"9223372036854775808",
		"123456789012345678901234567890",
		"-99999999999999999999999999",
		"1.0",
		"1e0",
		"\"\"",
		"\"1\"",
		"\"a\\\"b\\\\\\n\"",
		"\"\xC3\xA9\"",
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(ids); i++) {
		char expected[128];

		(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", ids[i]);
		(void)snprintf(expected, sizeof(expected),
			       "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", ids[i]);
		assert_string_equal(test_next(t), expected); /* byte for byte */
	}
}

static void test_surrogates(void **state) /* MCP-012: never copied to output as it was */
{
	struct test_peer *t = *state;

	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"ping\"}");
	test_expect(t, "{\"id\":\"\xEF\xBF\xBD\",\"result\":{}}");
}

static void test_bom(void **state) /* MCP-012 */
{
	struct test_peer *t = *state;

	(void)test_sendf(t, "\xEF\xBB\xBF%s", ping);
	test_expect(t, "{\"id\":1,\"result\":{}}");
}

static void test_duplicate_keys(void **state) /* MCP-014: the last one wins */
{
	struct test_peer *t = *state;

	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"id\":2,"
			   "\"method\":\"ping\"}");
	test_expect(t, "{\"id\":2,\"result\":{}}");
}

static void test_unknown_members(void **state) /* MCP-010 */
{
	struct test_peer *t = *state;

	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"extra\":[1],"
			   "\"params\":{\"x\":1,\"_meta\":{\"y\":2}}}");
	test_expect(t, "{\"id\":1,\"result\":{}}");
}

static void test_same_id_twice(void **state) /* MCP-006 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\","
			   "\"params\":{\"name\":\"hold\"}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\"}");
	test_expect_error(t, "5", -32600, "still running");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":\"5\",\"method\":\"ping\"}");
	test_expect(t, "{\"id\":\"5\",\"result\":{}}");
	test_finish_held(t, 0, "first");
	test_expect(t, "{\"id\":5,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"first\"}]}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
	test_expect(t, "{\"id\":5,\"result\":{}}");
}

static void test_same_id_as_listener(void **state) /* MCP-006 */
{
	struct test_peer *t = *state;

	(void)test_modern(t, "5", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"...\":0}");
	(void)test_modern(t, "5", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	test_expect_error(t, "5", -32600, "still running");
	(void)test_modern(t, "5", "tools/list", NULL, NULL, NULL);
	test_expect_error(t, "5", -32600, "still running");
}

static void test_same_id_http(void **state) /* MCP-006: independent over HTTP */
{
	static const char *const modern[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						{"Mcp-Method", "tools/call"},
						{"Mcp-Name", "hold"},
						NONE};
	struct test_peer *t = *state;
	const char *session = test_open_session(t, "2025-11-25", NULL);
	const char *const legacy[][2] = {{"Mcp-Session-Id", session}, NONE};
	const struct test_exchange *a, *b, *c, *d;

	a = test_post(t, modern,
		      test_modern_text(t, "5", "tools/call", "\"name\":\"hold\"", NULL, NULL));
	b = test_post(t, modern,
		      test_modern_text(t, "5", "tools/call", "\"name\":\"hold\"", NULL, NULL));
	c = test_post(t, legacy,
		      "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\","
		      "\"params\":{\"name\":\"hold\"}}");
	d = test_post(t, legacy,
		      "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\","
		      "\"params\":{\"name\":\"hold\"}}");
	test_finish_held(t, 1, "b");
	test_expect_status(t, b, 200, "{\"id\":5,\"result\":{\"...\":0}}");
	test_finish_held(t, 0, "a");
	test_expect_status(t, a, 200, "{\"id\":5,\"result\":{\"...\":0}}");
	test_finish_held(t, 3, "d");
	test_expect_status(t, d, 200, "{\"id\":5,\"result\":{\"...\":0}}");
	test_finish_held(t, 2, "c");
	test_expect_status(t, c, 200, "{\"id\":5,\"result\":{\"...\":0}}");
}

static void test_too_many_calls(void **state) /* section 24: 256 at once */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (int i = 0; i < 256; i++)
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
				 "\"params\":{\"name\":\"hold\"}}",
				 i);
	test_expect_nothing(t);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":\"more\",\"method\":\"ping\"}");
	test_expect_error(t, "\"more\"", -32603, "Too many requests");
	test_finish_held(t, 9, "x");
	test_expect(t, "{\"id\":9,\"result\":{\"...\":0}}");
	(void)test_send(t, ping);
	test_expect_error(t, "1", -32600, "still running");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":\"more\",\"method\":\"ping\"}");
	test_expect(t, "{\"id\":\"more\",\"result\":{}}");
}

/* ---- notifications and responses ---- */

static void test_notifications(void **state) /* MCP-008, MCP-009 */
{
	static const char *const notifications[] = {
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"initialize\",\"params\":{}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"fails\"}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[1,2]}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":7}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
		"{\"requestId\":null}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
		"{\"requestId\":[]}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
		"{\"requestId\":99}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
		"{\"progressToken\":1,\"progress\":1}}",
	};
	struct test_peer *t = *state;

	for (int round = 0; round < 2; round++) { /* before and after a handshake */
		for (size_t i = 0; i < TN_COUNT(notifications); i++)
			assert_int_equal(test_send(t, notifications[i])->end, TEST_ENDED);
		test_expect_nothing(t);
		if (round == 0)
			test_initialize(t, "2025-06-18", NULL);
	}
}

static void test_responses(void **state) /* MCP-017 */
{
	static const char *const responses[] = {
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
		"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}",
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"m\"}}",
		"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-1,\"message\":\"m\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":[1],\"result\":3}",
		"{\"jsonrpc\":\"2.0\",\"id\":1e99,\"result\":{},\"error\":{}}",
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(responses); i++)
		assert_int_equal(test_send(t, responses[i])->end, TEST_ENDED);
	test_expect_nothing(t);
	(void)test_send(t, ping);
	test_expect(t, "{\"id\":1,\"result\":{}}");
}

/* ---- the ladder over HTTP ---- */

static const char call_echo[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
	"{\"name\":\"echo\",\"arguments\":{\"text\":\"x\"}}}";

static void test_http_notifications(void **state) /* ladder 6, MCP-111, MCP-115 */
{
	static const char *const version[][2] = {{"MCP-Protocol-Version", "2026-07-28"}, NONE};
	static const char *const wrong[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
					       {"Mcp-Method", "notifications/other"},
					       NONE};
	static const char *const right[][2] = {
		{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "notifications/x"}, NONE};
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";
	static const char claim[] =
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":"
		"{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
		"\"2026-07-28\"}}}";
	struct test_peer *t = *state;
	const char *const legacy[][2] = {
		{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)}, NONE};
	static const char *const unknown[][2] = {{"Mcp-Session-Id", "nobody"}, NONE};

	assert_int_equal(test_post(t, version, text)->end, TEST_ENDED); /* 202 */
	assert_int_equal(test_post(t, right, text)->end, TEST_ENDED);
	assert_int_equal(test_post(t, NULL, claim)->end, TEST_ENDED);
	assert_int_equal(test_post(t, legacy, text)->end, TEST_ENDED);
	test_expect_status(t, test_post(t, wrong, text), 400,
			   "{\"error\":{\"code\":-32020,\"message\":\"<has Mcp-Method>\"}}");
	test_expect_status(t, test_post(t, NULL, text), 400,
			   "{\"error\":{\"code\":-32600,\"message\":\"<has Mcp-Session-Id>\"}}");
	test_expect_status(t, test_post(t, unknown, text), 404,
			   "{\"error\":{\"code\":-32600,\"message\":\"<string>\"}}");
	test_expect_nothing(t);
}

static void test_http_responses(void **state) /* ladder 5 */
{
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
	struct test_peer *t = *state;
	const char *const legacy[][2] = {
		{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)}, NONE};

	assert_int_equal(test_post(t, legacy, text)->end, TEST_ENDED);
	test_expect_status(t, test_post(t, NULL, text), 400,
			   "{\"error\":{\"code\":-32600,\"message\":\"<string>\"}}");
}

static void test_http_initialize(void **state) /* ladder 7, MCP-058, MCP-119, MCP-137 */
{
	static const char *const versions[] = {"2025-11-25", "2024-11-05", "1999-01-01", "garbage",
					       "v999.0.0"};
	static const char *const modern[][2] = {{"MCP-Protocol-Version", "2026-07-28"}, NONE};
	static const char *const future[][2] = {{"MCP-Protocol-Version", "2027-01-01"}, NONE};
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
				   "\"params\":{\"protocolVersion\":\"2025-06-18\","
				   "\"capabilities\":{}}}";
	struct test_peer *t = *state;
	const struct test_exchange *x;

	for (size_t i = 0; i < TN_COUNT(versions); i++) {
		const char *const header[][2] = {{"MCP-Protocol-Version", versions[i]}, NONE};

		x = test_post(t, header, text);
		test_expect_status(t, x, 200,
				   "{\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\","
				   "\"...\":0}}");
		assert_non_null(x->opened);
	}
	test_expect_status(t, test_post(t, modern, text), 400,
			   "{\"id\":1,\"error\":{\"code\":-32020,\"message\":\"<string>\"}}");
	test_expect_status(t, test_post(t, future, text), 400,
			   "{\"id\":1,\"error\":{\"code\":-32020,\"message\":\"<string>\"}}");
	x = test_post(t, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}");
	test_expect_status(t, x, 200, "{\"id\":1,\"error\":{\"code\":-32602,\"...\":0}}");
	assert_null(x->opened);
	{
		const char *const again[][2] = {{"Mcp-Session-Id", t->sessions[0].id}, NONE};

		test_expect_status(t, test_post(t, again, text), 400,
				   "{\"id\":1,\"error\":{\"code\":-32600,\"...\":0}}");
	}
	t->no_more_sessions = true; /* MCP-136 */
	test_expect_status(t, test_post(t, NULL, text), 503, "{\"id\":1,\"error\":{\"...\":0}}");
}

static void
test_http_sessions(void **state) /* ladder 11, MCP-032, MCP-118, MCP-120, MCP-132, MCP-133 */
{
	static const char *const unknown[][2] = {{"Mcp-Session-Id", "nobody"}, NONE};
	static const char *const curl[][2] = {NONE};
	static const char *const odd[][2] = {{"MCP-Protocol-Version", "2025-01-01"}, NONE};
	struct test_peer *t = *state;
	const char *id = test_open_session(t, "2025-03-26", NULL);
	const char *const session[][2] = {{"mcp-session-id", id}, NONE};
	const char *const newer[][2] = {
		{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", "2025-11-25"}, NONE};
	const char *const bad[][2] = {
		{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", "v999.0.0"}, NONE};

	test_expect_status(t, test_post(t, session, ping), 200, "{\"id\":1,\"result\":{}}");
	test_expect_status(t, test_post(t, newer, ping), 200, "{\"id\":1,\"result\":{}}");
	test_expect_status(t, test_post(t, bad, ping), 400,
			   "{\"id\":1,\"error\":{\"code\":-32600,\"...\":0}}");
	test_expect_status(t, test_post(t, unknown, call_echo), 404,
			   "{\"id\":1,\"error\":{\"code\":-32600,\"...\":0}}");
	test_expect_status(t, test_post(t, curl, ping), 400,
			   "{\"id\":1,\"error\":{\"code\":-32600,\"...\":0}}");
	test_expect_status(t, test_post(t, odd, call_echo), 400,
			   "{\"id\":1,\"error\":{\"code\":-32600,\"...\":0}}");
	/* A bare curl is served as 2025-03-26: no session, no title in the list. */
	test_expect_status(t, test_post(t, curl, call_echo), 200,
			   "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			   "\"x\"}]}}");
	test_expect_status(
		t, test_post(t, curl, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"),
		200,
		"{\"id\":1,\"result\":{\"tools\":[{\"name\":\"echo\",\"description\":\"<any>\","
		"\"inputSchema\":\"<object>\",\"annotations\":\"<object>\"},\"...\"]}}");
	test_expect_status(
		t,
		test_post(t, session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing/such\"}"),
		200, "{\"id\":1,\"error\":{\"code\":-32601,\"...\":0}}");
}

static void expect_modern_refusal(struct test_peer *t, const char *const (*headers)[2],
				  const char *json, int status, int code, const char *words)
{
	const struct test_exchange *x = test_post(t, headers, json);

	assert_int_equal(x->end, TEST_ANSWERED);
	if (x->status != status)
		fail_msg("%d instead of %d: %s", x->status, status, test_next(t));
	test_expect_error(t, "7", code, words);
}

static void test_http_modern_meta(void **state) /* ladder 8, 10, MCP-044 */
{
	static const char *const headers[][2] = {
		{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}, NONE};
	static const struct {
		const char *meta, *words;
	} bad[] = {
		{"", "io.modelcontextprotocol/protocolVersion"},
		{"\"io.modelcontextprotocol/protocolVersion\":7", "protocolVersion"},
		{"\"io.modelcontextprotocol/protocolVersion\":null", "protocolVersion"},
		{"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"",
		 "clientCapabilities"},
		{"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		 "\"io.modelcontextprotocol/clientCapabilities\":[]",
		 "clientCapabilities"},
		{"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		 "\"io.modelcontextprotocol/clientCapabilities\":{},"
		 "\"io.modelcontextprotocol/clientInfo\":\"me\"",
		 "clientInfo"},
		{"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		 "\"io.modelcontextprotocol/clientCapabilities\":{},"
		 "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"me\"}",
		 "clientInfo"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		char text[512];

		(void)snprintf(text, sizeof(text),
			       "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\","
			       "\"params\":{\"_meta\":{%s}}}",
			       bad[i].meta);
		expect_modern_refusal(t, headers, text, 400, -32602, bad[i].words);
		if (i == 0)
			continue; /* without a claim a connection is legacy */
		(void)test_send(t, text);
		test_expect_error(t, "7", -32602, bad[i].words);
	}
	expect_modern_refusal(t, headers,
			      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}", 400,
			      -32602, "clientCapabilities");
}

static void test_http_modern_headers(void **state) /* ladder 9, MCP-113, MCP-114, MCP-115 */
{
#define VERSION                                         \
	{                                               \
		"mcp-protocol-version", " 2026-07-28\t" \
	}
	static const struct {
		const char *const headers[5][2];
		const char *words;
	} bad[] = {
		{{NONE}, "MCP-Protocol-Version is missing"},
		{{{"MCP-Protocol-Version", "2025-11-25"}, NONE}, "MCP-Protocol-Version differs"},
		{{{"MCP-Protocol-Version", "2026-07-29"}, NONE}, "MCP-Protocol-Version differs"},
		{{VERSION, {"MCP-Protocol-Version", "2025-11-25"}, NONE}, "given twice"},
		{{VERSION, NONE}, "Mcp-Method is missing"},
		{{VERSION, {"Mcp-Method", "tools/Call"}, NONE}, "Mcp-Method differs"},
		{{VERSION, {"Mcp-Method", "tools/call"}, {"Mcp-Method", "x"}, NONE}, "given twice"},
		{{VERSION, {"Mcp-Method", "tools/call"}, NONE}, "Mcp-Name is missing"},
		{{VERSION, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "Echo"}, NONE},
		 "Mcp-Name differs"},
		{{VERSION, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "ech\xC3\xB6"}, NONE},
		 "Mcp-Name"},
		{{VERSION, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?!!!!?="}, NONE},
		 "base64"},
		{{VERSION, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?ZWNobw?="}, NONE},
		 "base64"},
		{{VERSION, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?gICA?="}, NONE},
		 "base64"},
	};
	static const char *const good[][2] = {VERSION,
					      VERSION,
					      {"MCP-METHOD", "tools/call"},
					      {"mcp-name", "=?base64?ZWNobw==?="},
					      {"Mcp-Session-Id", "nobody"}, /* MCP-050 */
					      {"Last-Event-ID", "1-1"},
					      NONE};
	struct test_peer *t = *state;
	const struct test_exchange *x;

	for (size_t i = 0; i < TN_COUNT(bad); i++)
		expect_modern_refusal(
			t, bad[i].headers,
			test_modern_text(t, "7", "tools/call", "\"name\":\"echo\"", NULL, NULL),
			400, -32020, bad[i].words);
	x = test_post(t, good,
		      test_modern_text(t, "7", "tools/call", "\"name\":\"echo\"", NULL, NULL));
	assert_int_equal(x->status, 200);
	assert_null(x->opened);
	test_expect_complete(t, "7", "\"content\":\"<array>\"");
#undef VERSION
}

static void test_unsupported_version(void **state) /* ladder 9, MCP-054 */
{
	static const char *const headers[][2] = {
		{"MCP-Protocol-Version", "2027-01-01"}, {"Mcp-Method", "x"}, NONE};
	static const char *const odd[][2] = {{"MCP-Protocol-Version", "v999.0.0"}, NONE};
	static const char text[] =
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":{"
		"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"%s\","
		"\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
	static const char expected[] =
		"{\"id\":7,\"error\":{\"code\":-32022,\"message\":\"<string>\",\"data\":{"
		"\"supported\":[\"2026-07-28\"],\"requested\":\"%s\"}}}";
	static const char *const versions[] = {"2027-01-01", "2025-11-25", "", "v999.0.0"};
	struct test_peer *t = *state;
	char body[512], wanted[512];

	for (size_t i = 0; i < TN_COUNT(versions); i++) {
		(void)test_sendf(t, text, versions[i]);
		test_expectf(t, expected, versions[i]);
	}
	(void)snprintf(body, sizeof(body), text, "2027-01-01");
	(void)snprintf(wanted, sizeof(wanted), expected, "2027-01-01");
	/* It wins over other headers (here Mcp-Method). */
	test_expect_status(t, test_post(t, headers, body), 400, wanted);
	(void)snprintf(body, sizeof(body), text, "v999.0.0");
	(void)snprintf(wanted, sizeof(wanted), expected, "v999.0.0");
	test_expect_status(t, test_post(t, odd, body), 400, wanted);
	/* A mismatch wins over it. */
	test_expect_status(t, test_post(t, headers, body), 400,
			   "{\"id\":7,\"error\":{\"code\":-32020,\"...\":0}}");
}

static void test_removed_methods(void **state) /* MCP-078, MCP-009 */
{
	static const char *const methods[] = {"initialize",
					      "ping",
					      "logging/setLevel",
					      "resources/subscribe",
					      "resources/unsubscribe",
					      "tasks/get",
					      "tasks/list",
					      "nothing"};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		const char *const headers[][2] = {
			{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", methods[i]}, NONE};
		const char *text =
			test_modern_text(t, "7", methods[i], "\"uri\":\"test://text\"", NULL, NULL);

		expect_modern_refusal(t, headers, text, 404, -32601, "");
		(void)test_send(t, text);
		test_expect_error(t, "7", -32601, "");
	}
}

static void test_order_of_refusals(void **state) /* the checks after the claim, in their order */
{
	static const char *const no_method[][2] = {{"MCP-Protocol-Version", "2026-07-28"}, NONE};
	static const char *const no_name[][2] = {
		{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, NONE};
	struct test_peer *t = *state;

	expect_modern_refusal(t, no_method, test_modern_text(t, "7", "no/method", NULL, NULL, NULL),
			      400, -32020, "Mcp-Method");
	/* A name that is no string is a matter of the params (in band). */
	expect_modern_refusal(t, no_name,
			      test_modern_text(t, "7", "tools/call", "\"name\":7", NULL, NULL), 200,
			      -32602, "name");
	expect_modern_refusal(t, no_name, test_modern_text(t, "7", "tools/call", NULL, NULL, NULL),
			      200, -32602, "name");
}

/* MCP-173, MCP-285: over HTTP ids of different clients meet; nobody cancels for another. */
static void test_http_modern_cancel(void **state)
{
	static const char *const call[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
					      {"Mcp-Method", "tools/call"},
					      {"Mcp-Name", "hold"},
					      NONE};
	static const char *const listen[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						{"Mcp-Method", "subscriptions/listen"},
						NONE};
	static const char *const cancel[][2] = {{"MCP-Protocol-Version", "2026-07-28"}, NONE};
	struct test_peer *t = *state;
	struct test_exchange *x, *y;

	x = test_post(t, call,
		      test_modern_text(t, "5", "tools/call", "\"name\":\"hold\"", NULL, NULL));
	y = test_post(t, listen,
		      test_modern_text(t, "6", "subscriptions/listen", "\"notifications\":{}", NULL,
				       NULL));
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"...\":0}");
	for (int id = 5; id <= 6; id++) {
		char text[128];

		(void)snprintf(text, sizeof(text),
			       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			       "\"params\":{\"requestId\":%d}}",
			       id);
		assert_int_equal(test_post(t, cancel, text)->end, TEST_ENDED);
	}
	assert_int_equal(x->end, TEST_OPEN);
	assert_int_equal(y->end, TEST_OPEN);
	test_finish_held(t, 0, "done");
	test_expect_status(t, x, 200, "{\"id\":5,\"result\":{\"...\":0}}");
	test_gone(y);
}

static void test_refused(void **state) /* MCP-089: what never was a message */
{
	struct test_peer *t = *state;
	struct test_exchange *x = test_send(t, ping);

	test_expect(t, "{\"id\":1,\"result\":{}}");
	x->end = TEST_OPEN;
	tn_receive_refused(t->server, &x->x, 413, -32600, "too long");
	test_expect_status(t, x, 413, "{\"error\":{\"code\":-32600,\"message\":\"too long\"}}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_malformed),
		TEST(test_malformed_http),
		TEST(test_deep),
		TEST(test_long_names),
		TEST(test_ids),
		TEST(test_surrogates),
		TEST(test_bom),
		TEST(test_duplicate_keys),
		TEST(test_unknown_members),
		TEST(test_same_id_twice),
		TEST(test_same_id_as_listener),
		TEST(test_same_id_http),
		TEST(test_too_many_calls),
		TEST(test_notifications),
		TEST(test_responses),
		TEST(test_http_notifications),
		TEST(test_http_responses),
		TEST(test_http_initialize),
		TEST(test_http_sessions),
		TEST(test_http_modern_meta),
		TEST(test_http_modern_headers),
		TEST(test_unsupported_version),
		TEST(test_removed_methods),
		TEST(test_order_of_refusals),
		TEST(test_http_modern_cancel),
		TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
