/* Arguments repeated in headers, and how header values are written (mcp.md 11.4, 11.5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/header_params.h"
#include "mcp/test_fixtures.h"

static void nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "");
}

/* ---- registration ---- */

#define PROPERTIES(inside) "{\"type\":\"object\",\"properties\":{" inside "}}"
#define STRING(name) "{\"type\":\"string\",\"x-mcp-header\":" name "}"

static void test_bad_annotations(void **state) /* MCP-124, MCP-125 */
{
	static const char *const bad[] = {
		PROPERTIES("\"a\":" STRING("\"\"")),
		PROPERTIES("\"a\":" STRING("7")),
		PROPERTIES("\"a\":" STRING("null")),
		PROPERTIES("\"a\":" STRING("\"a b\"")),
		PROPERTIES("\"a\":" STRING("\"a:b\"")),
		PROPERTIES("\"a\":" STRING("\"\xC3\xA9\"")),
		PROPERTIES("\"a\":" STRING("\"a\\u0000\"")),
		PROPERTIES("\"a\":" STRING("\"Same\"") ",\"b\":" STRING("\"same\"")),
		PROPERTIES("\"a\":{\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":\"array\",\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":\"null\",\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":[\"string\",\"null\"],\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":[\"string\"],\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":{\"type\":\"array\",\"items\":" STRING("\"A\"") "}"),
		PROPERTIES("\"a\":{\"anyOf\":[" STRING("\"A\"") "]}"),
		PROPERTIES("\"a\":{\"additionalProperties\":" STRING("\"A\"") "}"),
		PROPERTIES("\"a\":{\"not\":{\"properties\":{\"b\":" STRING("\"A\"") "}}}"),
		"{\"type\":\"object\",\"x-mcp-header\":\"A\"}",
		"{\"type\":\"object\",\"patternProperties\":{\"a\":" STRING("\"A\"") "}}",
		"{\"type\":\"object\",\"$defs\":{\"a\":" STRING("\"A\"") "}}",
		"{\"type\":\"object\",\"if\":{\"properties\":{\"a\":" STRING("\"A\"") "}}}",
		"{\"type\":\"object\",\"allOf\":[{\"properties\":{\"a\":" STRING("\"A\"") "}}]}",
	};
	static const char *const good[] = {
		PROPERTIES("\"a\":" STRING("\"A\"")),
		PROPERTIES("\"a\":" STRING("\"!#$%&'*+-.^_`|~09\"")),
		PROPERTIES("\"a\":{\"type\":\"boolean\",\"x-mcp-header\":\"A\"}"),
		PROPERTIES("\"a\":" PROPERTIES("\"b\":" PROPERTIES("\"c\":" STRING("\"C\"")))),
		/* Data that looks like one is none; neither is a property of that name. */
		PROPERTIES("\"a\":{\"default\":{\"x-mcp-header\":\"A\"}}"),
		PROPERTIES("\"x-mcp-header\":{\"type\":\"string\"}"),
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		const struct tenon_tool tool = {
			.name = "bad", .input_schema = bad[i], .call = nothing};
		struct tenon_error err;

		if (tenon_server_add_tool(t->server, &tool, &err) != TENON_INVALID)
			fail_msg("taken: %s", bad[i]);
		assert_non_null(strstr(err.message, "x-mcp-header"));
	}
	for (size_t i = 0; i < TN_COUNT(good); i++) {
		char name[16];
		const struct tenon_tool tool = {
			.name = name, .input_schema = good[i], .call = nothing};

		(void)snprintf(name, sizeof(name), "good-%zu", i);
		test_add_tools(t, &tool, 1);
	}
}

/* An argument too deep to be named, by the length of the names that lead to it. */
static void test_deep_annotation(void **state) /* MCP-124 */
{
	struct test_peer *t = *state;
	char name[513], schema[2048];
	const struct tenon_tool tool = {.name = "deep", .input_schema = schema, .call = nothing};
	struct tenon_error err;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	(void)snprintf(schema, sizeof(schema),
		       "{\"type\":\"object\",\"properties\":{\"%s\":{\"properties\":{\"%s\":{"
		       "\"type\":\"string\",\"x-mcp-header\":\"A\"}}}}}",
		       name, name);
	assert_int_equal(tenon_server_add_tool(t->server, &tool, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "x-mcp-header is nested too deeply"));
	(void)snprintf(schema, sizeof(schema),
		       "{\"type\":\"object\",\"properties\":{\"%s\":{\"properties\":{\"%s\":{"
		       "\"type\":\"string\"}}}}}",
		       name, name);
	test_add_tools(t, &tool, 1); /* without the annotation nobody minds */
}

/* ---- calls ---- */

static struct test_exchange *post_routed(struct test_peer *t, const char *const (*more)[2],
					 const char *arguments)
{
	const char *headers[12][2] = {{"MCP-Protocol-Version", "2026-07-28"},
				      {"Mcp-Method", "tools/call"},
				      {"Mcp-Name", "routed"}};
	char params[512];

	for (size_t i = 0; more && more[i][0]; i++) {
		headers[3 + i][0] = more[i][0];
		headers[3 + i][1] = more[i][1];
	}
	(void)snprintf(params, sizeof(params), "\"name\":\"routed\"%s%s",
		       arguments ? ",\"arguments\":" : "", arguments ? arguments : "");
	return test_post(t, (const char *const(*)[2])headers,
			 test_modern_text(t, "1", "tools/call", params, NULL, NULL));
}

static void test_matching(void **state) /* MCP-122, MCP-123, MCP-127 */
{
	static const struct {
		const char *const headers[4][2];
		const char *arguments;
	} good[] = {
		{{{NULL, NULL}}, NULL},
		{{{NULL, NULL}}, "{}"},
		{{{NULL, NULL}}, "{\"region\":null,\"where\":{\"shard\":null}}"},
		{{{NULL, NULL}}, "{\"where\":7}"},
		{{{"Mcp-Param-Other", "x"}, {NULL, NULL}}, "{}"},
		{{{"mcp-param-region", "us-west1"}, {NULL, NULL}}, "{\"region\":\"us-west1\"}"},
		{{{"Mcp-Param-Region", ""}, {NULL, NULL}}, "{\"region\":\"\"}"},
		{{{"Mcp-Param-Region", "=?base64?\?="}, {NULL, NULL}}, "{\"region\":\"\"}"},
		{{{"Mcp-Param-Region", "=?base64?SGVsbG8sIOS4lueVjA==?="}, {NULL, NULL}},
		 "{\"region\":\"Hello, \xE4\xB8\x96\xE7\x95\x8C\"}"},
		{{{"Mcp-Param-Region", "=?base64?IHBhZGRlZCA=?="}, {NULL, NULL}},
		 "{\"region\":\" padded \"}"},
		{{{"Mcp-Param-Region", "=?base64?bGluZTEKbGluZTI=?="}, {NULL, NULL}},
		 "{\"region\":\"line1\\nline2\"}"},
		{{{"Mcp-Param-Region", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="}, {NULL, NULL}},
		 "{\"region\":\"=?base64?literal?=\"}"},
		{{{"Mcp-Param-Region", "=?BASE64?eA==?="}, {NULL, NULL}},
		 "{\"region\":\"=?BASE64?eA==?=\"}"},
		{{{"Mcp-Param-Region", "a\tb"}, {NULL, NULL}}, "{\"region\":\"a\\tb\"}"},
		{{{"Mcp-Param-Dry", "true"}, {"Mcp-Param-Shard-No", "42"}, {NULL, NULL}},
		 "{\"dry\":true,\"where\":{\"shard\":42}}"},
		{{{"Mcp-Param-Dry", "false"}, {"Mcp-Param-Shard-No", "42.0"}, {NULL, NULL}},
		 "{\"dry\":false,\"where\":{\"shard\":42}}"},
		{{{"Mcp-Param-Shard-No", "-1"}, {NULL, NULL}}, "{\"where\":{\"shard\":-1.0}}"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(good); i++) {
		const struct test_exchange *x = post_routed(t, good[i].headers, good[i].arguments);

		if (x->status != 200)
			fail_msg("%zu: %d %s", i, x->status, test_next(t));
		test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	}
}

static void test_mismatches(void **state) /* MCP-127, MCP-122, MCP-115 */
{
	static const struct {
		const char *const headers[4][2];
		const char *arguments, *words;
	} bad[] = {
		{{{NULL, NULL}}, "{\"region\":\"x\"}", "Mcp-Param-Region is missing"},
		{{{NULL, NULL}}, "{\"where\":{\"shard\":1}}", "Mcp-Param-Shard-No is missing"},
		{{{"Mcp-Param-Region", "x"}, {NULL, NULL}}, NULL, "has no argument in the body"},
		{{{"Mcp-Param-Region", "x"}, {NULL, NULL}},
		 "{\"region\":null}",
		 "has no argument in the body"},
		{{{"Mcp-Param-Region", "X"}, {NULL, NULL}}, "{\"region\":\"x\"}", "differs"},
		{{{"Mcp-Param-Region", "=?base64?e=?="}, {NULL, NULL}},
		 "{\"region\":\"x\"}",
		 "base64"},
		{{{"Mcp-Param-Region", "=?base64?_w==?="}, {NULL, NULL}},
		 "{\"region\":\"x\"}",
		 "base64"},
		{{{"Mcp-Param-Region", "=?base64?/w==?="}, {NULL, NULL}},
		 "{\"region\":\"x\"}",
		 "base64"}, /* not UTF-8 */
		{{{"Mcp-Param-Region", "\xC3\xA9"}, {NULL, NULL}},
		 "{\"region\":\"\xC3\xA9\"}",
		 "visible ASCII"},
		{{{"Mcp-Param-Region", "x"}, {"mcp-param-REGION", "y"}, {NULL, NULL}},
		 "{\"region\":\"x\"}",
		 "twice"},
		{{{"Mcp-Param-Dry", "True"}, {NULL, NULL}}, "{\"dry\":true}", "differs"},
		{{{"Mcp-Param-Dry", "1"}, {NULL, NULL}}, "{\"dry\":true}", "differs"},
		{{{"Mcp-Param-Shard-No", "43"}, {NULL, NULL}},
		 "{\"where\":{\"shard\":42}}",
		 "differs"},
		{{{"Mcp-Param-Shard-No", "0x2A"}, {NULL, NULL}},
		 "{\"where\":{\"shard\":42}}",
		 "differs"},
		{{{"Mcp-Param-Shard-No", ""}, {NULL, NULL}},
		 "{\"where\":{\"shard\":42}}",
		 "differs"},
		{{{"Mcp-Param-Shard-No", "42"}, {NULL, NULL}},
		 "{\"where\":{\"shard\":\"43\"}}",
		 "differs"},
		{{{"Mcp-Param-Region", "x"}, {NULL, NULL}}, "{\"region\":[\"x\"]}", "differs"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		const struct test_exchange *x = post_routed(t, bad[i].headers, bad[i].arguments);

		if (x->status != 400)
			fail_msg("%zu: %d %s", i, x->status, test_next(t));
		test_expect_error(t, "1", -32020, bad[i].words);
	}
}

static void test_not_here(void **state) /* neither on a connection nor in a legacy era */
{
	struct test_peer *t = *state;
	const char *const session[][2] = {
		{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)}, {NULL, NULL}};

	(void)test_modern(t, "1", "tools/call",
			  "\"name\":\"routed\",\"arguments\":{\"region\":\"x\"}", NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_expect_status(t,
			   test_post(t, session,
				     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				     "\"params\":{\"name\":\"routed\",\"arguments\":{\"region\":"
				     "\"x\"}}}"),
			   200, "{\"id\":1,\"result\":\"<object>\"}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_bad_annotations), TEST(test_deep_annotation), TEST(test_matching),
		TEST(test_mismatches),      TEST(test_not_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
