/* Requests and registrations that are refused: each with its whole sentence. Why they are, the
 * tests beside the code say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

#define REQUEST(method, params) \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}"
#define META(members) "\"_meta\":{" members "}"
#define CLAIM "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""
#define NOTHING "\"io.modelcontextprotocol/clientCapabilities\":{}"
#define LEVELS "send debug, info, notice, warning, error, critical, alert or emergency"

struct row {
	const char *text;
	bool nameless; /* the answer has no id */
	int code;
	const char *message;
};

static void expect_refused(struct test_peer *t, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char message[256];

		(void)test_send(t, rows[i].text);
		test_expect_error(t, rows[i].nameless ? NULL : "1", rows[i].code, "");
		test_member(t, "error/message", message, sizeof(message));
		if (strcmp(message, rows[i].message) != 0)
			fail_msg("%s: wanted: %s; got: %s", rows[i].text, rows[i].message, message);
	}
}

/* MCP-015, MCP-044, MCP-052 */
static const struct row first_rows[] = {
	{"{", true, -32700, "Parse error: an unfinished value at byte 1"},
	{"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}", true, -32600,
	 "id: send a string or an integer"},
	{"{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}", true, -32600,
	 "id: send a string or an integer"},
	{"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", true, -32600,
	 "id: send a string or an integer"},
	{"{\"jsonrpc\":\"2.0\",\"id\":9007199254740993.0,\"method\":\"ping\"}", true, -32600,
	 "id: send a string or an integer"},
	{"{\"id\":1,\"method\":\"ping\"}", false, -32600,
	 "Not a JSON-RPC 2.0 message: it needs \"jsonrpc\":\"2.0\""},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", false, -32600, "method: send a string"},
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", false, -32600,
	 "params: send an object"},
	{REQUEST("tools/list", ""), false, -32602,
	 "send initialize first, or the _meta keys io.modelcontextprotocol/protocolVersion and "
	 "io.modelcontextprotocol/clientCapabilities"},
	{REQUEST("initialize", ""), false, -32602,
	 "protocolVersion: send a string such as \"2025-11-25\""},
	{REQUEST("initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":[]"), false,
	 -32602, "capabilities: send an object"},
	{REQUEST("tools/list", META("\"io.modelcontextprotocol/protocolVersion\":7," NOTHING)),
	 false, -32602, "_meta: io.modelcontextprotocol/protocolVersion must be a string"},
	{REQUEST("tools/list", META(CLAIM ",\"io.modelcontextprotocol/clientCapabilities\":7")),
	 false, -32602, "_meta: io.modelcontextprotocol/clientCapabilities must be an object"},
	{REQUEST("tools/list",
		 META(CLAIM "," NOTHING ",\"io.modelcontextprotocol/clientInfo\":{}")),
	 false, -32602, "_meta: io.modelcontextprotocol/clientInfo needs name and version"},
	{REQUEST("tools/list",
		 META(CLAIM "," NOTHING ",\"io.modelcontextprotocol/logLevel\":\"loud\"")),
	 false, -32602, "_meta: io.modelcontextprotocol/logLevel: " LEVELS},
	{REQUEST("tools/list",
		 META("\"io.modelcontextprotocol/protocolVersion\":\"2030-01-01\"," NOTHING)),
	 false, -32022, "Unsupported protocol version"},
};

static void test_first_messages(void **state)
{
	expect_refused(*state, first_rows, TN_COUNT(first_rows));
}

static const struct row legacy_rows[] = {
	{REQUEST("logging/setLevel", "\"level\":\"loud\""), false, -32602, "level: " LEVELS},
	{REQUEST("completion/complete", "\"ref\":{\"type\":\"ref/tool\"}"), false, -32602,
	 "ref.type: send ref/prompt or ref/resource"},
	{REQUEST("completion/complete", "\"ref\":{\"type\":\"ref/prompt\"}"), false, -32602,
	 "ref.name: send a string"},
	{REQUEST("completion/complete", "\"ref\":{\"type\":\"ref/resource\"}"), false, -32602,
	 "ref.uri: send a string"},
	{REQUEST("completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"none\"}"),
	 false, -32602, "ref: unknown prompt"},
	{REQUEST("completion/complete", "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"x:{y}\"}"),
	 false, -32602, "ref: unknown resource template"},
	{"[]", true, -32600, "An empty array is no message"},
	{"[[]]", true, -32600, "An array is no element of a batch"},
	{"[" REQUEST("initialize", "") "]", true, -32600, "initialize is never part of a batch"},
	{"[" REQUEST("ping", META(CLAIM)) "]", true, -32600,
	 "Requests of 2026-07-28 are never batched"},
};

static void test_legacy_messages(void **state) /* MCP-020, MCP-021, MCP-022, MCP-178 */
{
	test_initialize(*state, "2025-03-26", "{}");
	expect_refused(*state, legacy_rows, TN_COUNT(legacy_rows));
}

static void test_arrays(void **state) /* MCP-021, MCP-022 */
{
	static const struct row newer = {"[" REQUEST("ping", "") "]", true, -32600,
					 "Arrays are not messages in this revision"};
	struct test_peer *t = *state;
	struct tn_buf many;

	test_initialize(t, "2025-06-18", "{}");
	expect_refused(t, &newer, 1);
	test_reconnect(t);
	test_initialize(t, "2025-03-26", "{}");
	tn_buf_init(&many, TN_MIB);
	for (unsigned i = 0; i <= TN_BATCH_ELEMENTS_MAX; i++)
		tn_buf_append_text(&many, i ? "," REQUEST("ping", "") : "[" REQUEST("ping", ""));
	tn_buf_append_text(&many, "]");
	{
		const struct row row = {many.data, true, -32600, "Too many elements in a batch"};

		tn_buf_append_byte(&many, '\0');
		expect_refused(t, &row, 1);
	}
	tn_buf_finish(&many);
}

/* ---- over HTTP ---- */

static void expect_post_refused(struct test_peer *t, const char *const (*headers)[2],
				const char *json, int status, const char *wanted)
{
	const struct test_exchange *x = test_post(t, headers, json);
	char message[256];

	assert_int_equal(x->status, status);
	assert_non_null(test_next(t));
	test_member(t, "error/message", message, sizeof(message));
	assert_string_equal(message, wanted);
}

static void test_posts(void **state) /* MCP-118, MCP-127, MCP-136 */
{
	static const char *const unknown[][2] = {{"MCP-Protocol-Version", "2020-01-01"},
						 {NULL, NULL}};
	static const char *const modern[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						{NULL, NULL}};
	static const char *const lost[][2] = {{"Mcp-Session-Id", "none"}, {NULL, NULL}};
	static const char *const bad_base64[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						    {"Mcp-Method", "tools/call"},
						    {"Mcp-Name", "=?base64?!!?="},
						    {NULL, NULL}};
	static const char *const twice[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
					       {"Mcp-Method", "tools/call"},
					       {"Mcp-Name", "a"},
					       {"Mcp-Name", "b"},
					       {NULL, NULL}};
	static const char *const umlaut[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						{"Mcp-Method", "tools/call"},
						{"Mcp-Name", "\xc3\xa4"},
						{NULL, NULL}};
	static const char call[] = REQUEST("tools/call", "\"name\":\"a\"," META(CLAIM "," NOTHING));
	struct test_peer *t = *state;

	expect_post_refused(t, unknown, REQUEST("tools/list", ""), 400,
			    "MCP-Protocol-Version: unsupported version");
	expect_post_refused(t, modern, REQUEST("initialize", ""), 400,
			    "MCP-Protocol-Version does not go with initialize");
	expect_post_refused(t, lost, REQUEST("tools/list", ""), 404,
			    "Session not found; send initialize to open a new one");
	expect_post_refused(
		t, NULL, REQUEST("logging/setLevel", ""), 400,
		"Mcp-Session-Id is missing; send initialize, or the _meta keys of 2026-07-28");
	/* T-06: whom nobody knows is unknown, with a session or without. */
	expect_post_refused(t, NULL, REQUEST("nope/nope", ""), 200, "Method not found");
	expect_post_refused(t, bad_base64, call, 400, "header Mcp-Name: malformed base64 value");
	expect_post_refused(t, twice, call, 400, "header Mcp-Name: given twice, differently");
	expect_post_refused(t, umlaut, call, 400,
			    "header Mcp-Name: only visible ASCII is allowed; wrap other text as "
			    "=?base64?...?=");
	t->no_more_sessions = true;
	expect_post_refused(t, NULL,
			    REQUEST("initialize", "\"protocolVersion\":\"2025-11-25\","
						  "\"capabilities\":{},\"clientInfo\":{\"name\":"
						  "\"c\",\"version\":\"1\"}"),
			    503, "Too many sessions; try later");
	t->no_more_sessions = false;
	t->stateless = true;
	expect_post_refused(t, NULL, REQUEST("logging/setLevel", ""), 400,
			    "This server keeps no sessions");
}

/* ---- what cannot be registered ---- */

static void nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_finish(call);
}

#define WITH_HEADER(property) "{\"type\":\"object\",\"properties\":{\"a\":" property "}}"

static void test_tools(void **state) /* MCP-124, MCP-125, MCP-220, MCP-259 */
{
	static const struct {
		struct tenon_tool tool;
		const char *message;
	} rows[] = {
		{{.name = "t"}, "tool t has no handler"},
		{{.name = "t", .call = nothing, .ui = "http://x"},
		 "tool t: ui: send a URI that begins ui://"},
		{{.name = "t",
		  .call = nothing,
		  .input_schema = WITH_HEADER("{\"type\":\"string\",\"x-mcp-header\":\"\"}")},
		 "tool t: x-mcp-header must be a non-empty string"},
		{{.name = "t",
		  .call = nothing,
		  .input_schema = WITH_HEADER("{\"type\":\"string\",\"x-mcp-header\":\"a b\"}")},
		 "tool t: x-mcp-header has characters that no header name may have"},
		{{.name = "t",
		  .call = nothing,
		  .input_schema = WITH_HEADER("{\"type\":\"array\",\"x-mcp-header\":\"a\"}")},
		 "tool t: x-mcp-header needs a property of type string, integer or boolean"},
		{{.name = "t",
		  .call = nothing,
		  .input_schema = WITH_HEADER("{\"type\":\"string\",\"x-mcp-header\":\"a\"},\"b\":"
					      "{\"type\":\"string\",\"x-mcp-header\":\"A\"}")},
		 "tool t: x-mcp-header is used twice in this tool"},
		{{.name = "t",
		  .call = nothing,
		  .input_schema = WITH_HEADER("{\"type\":\"array\",\"items\":{\"type\":\"string\","
					      "\"x-mcp-header\":\"a\"}}")},
		 "tool t: x-mcp-header must be reached through properties only"},
		{{.name = "t",
		  .call = nothing,
		  .input_schema = "{\"type\":\"object\",\"x-mcp-header\":\"a\"}"},
		 "tool t: x-mcp-header needs a property; the root is none"},
	};
	const struct test_peer *t = *state;
	const struct tenon_prompt prompt = {.name = "p"};
	struct tenon_error err;

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		assert_int_equal(tenon_server_add_tool(t->server, &rows[i].tool, &err),
				 TENON_INVALID);
		assert_string_equal(err.message, rows[i].message);
	}
	assert_int_equal(tenon_server_add_prompt(t->server, &prompt, &err), TENON_INVALID);
	assert_string_equal(err.message, "prompt p has no handler");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_first_messages, test_peer_setup,
						test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_legacy_messages, test_peer_setup,
						test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_arrays, test_peer_setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_posts, test_peer_setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_tools, test_peer_setup, test_peer_teardown),
	};

	return cmocka_run_group_tests_name("refused", tests, NULL, NULL);
}
