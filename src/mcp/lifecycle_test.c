/* initialize in four revisions, server/discover, what each era's client is told, ping, levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/test_fixtures.h"

static const char all_capabilities[] =
	"{\"logging\":{},\"completions\":{},\"prompts\":{\"listChanged\":true},"
	"\"resources\":{\"subscribe\":true,\"listChanged\":true},\"tools\":{\"listChanged\":true}}";
static const char r1_capabilities[] =
	"{\"logging\":{},\"prompts\":{\"listChanged\":true},"
	"\"resources\":{\"subscribe\":true,\"listChanged\":true},\"tools\":{\"listChanged\":true}}";

static void initialize(struct test_peer *t, const char *version)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			 "\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":"
			 "\"c\",\"version\":\"1\"}}}",
			 version);
}

/* ---- initialize ---- */

static void test_versions(void **state) /* MCP-024, MCP-027, MCP-035, MCP-055, MCP-057 */
{
	static const struct {
		const char *asked, *given, *info;
	} versions[] = {
		{"2024-11-05", "2024-11-05", ""},
		{"2025-03-26", "2025-03-26", ""},
		{"2025-06-18", "2025-06-18", ",\"title\":\"Test server\""},
		{"2025-11-25", "2025-11-25",
		 ",\"title\":\"Test server\",\"websiteUrl\":\"https://example.com/\""},
		{"2026-07-28", "2025-11-25",
		 ",\"title\":\"Test server\",\"websiteUrl\":\"https://example.com/\""},
		{"1999-01-01", "2025-11-25",
		 ",\"title\":\"Test server\",\"websiteUrl\":\"https://example.com/\""},
		{"2030-01-01", "2025-11-25",
		 ",\"title\":\"Test server\",\"websiteUrl\":\"https://example.com/\""},
		{"", "2025-11-25",
		 ",\"title\":\"Test server\",\"websiteUrl\":\"https://example.com/\""},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(versions); i++) {
		initialize(t, versions[i].asked);
		test_expectf(t,
			     "{\"id\":1,\"result\":{\"protocolVersion\":\"%s\",\"capabilities\":%s,"
			     "\"serverInfo\":{\"name\":\"test\",\"version\":\"1.2\"%s},"
			     "\"instructions\":\"Call echo. Apps speak, too.\"}}",
			     versions[i].given, i == 0 ? r1_capabilities : all_capabilities,
			     versions[i].info);
		test_reconnect(t);
	}
}

static void test_bad_initialize(void **state) /* MCP-055 */
{
	static const char *const params[] = {
		"{}",
		"{\"capabilities\":{}}",
		"{\"protocolVersion\":20251125,\"capabilities\":{}}",
		"{\"protocolVersion\":null,\"capabilities\":{}}",
		"{\"protocolVersion\":\"2025-11-25\",\"capabilities\":[]}",
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(params); i++) {
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
				 "\"params\":%s}",
				 params[i]);
		test_expect_error(t, "1", -32602, "");
	}
	test_initialize(t, "2025-11-25", NULL); /* none of them began a session */
}

static void test_second_initialize(void **state) /* MCP-058 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	initialize(t, "2025-11-25");
	test_expect_error(t, "1", -32600, "Already initialized");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"who\"}}");
	test_expect(t, "{\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"tester|tester|2025-03-26\"}]}}");
}

static void test_before_initialize(void **state) /* MCP-052, MCP-069 */
{
	static const char *const methods[] = {
		"tools/list", "tools/call",       "resources/list", "completion/complete",
		"nothing",    "logging/setLevel", "server/discover"};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\"}", methods[i]);
		test_expect_error(t, "1", -32602, "send initialize first, or the _meta keys");
	}
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
	test_expect(t, "{\"id\":2,\"result\":{}}");
}

static void test_without_initialized(void **state) /* MCP-067 */
{
	struct test_peer *t = *state;

	initialize(t, "2025-06-18");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"echo\"}}");
	test_expect(t, "{\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"nothing\"}]}}");
}

static void test_long_client_name(void **state) /* the name is for display, and cut */
{
	struct test_peer *t = *state;
	char name[401];

	for (size_t i = 0; i < 400; i += 2)
		memcpy(&name[i], "\xC3\xA9", 2); /* a cut in the middle would not be UTF-8 */
	name[400] = '\0';
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			 "\"protocolVersion\":\"2025-11-25\",\"clientInfo\":{\"name\":\"%s\"}}}",
			 name);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"who\"}}");
	name[62] = '\0'; /* 64 bytes with the NUL, and no half letter */
	test_expectf(t,
		     "{\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		     "\"%s|tester|2025-11-25\"}]}}",
		     name);
}

static void test_empty_server(void **state) /* MCP-035, MCP-036 */
{
	static const struct tenon_server_options options = {.name = "empty", .version = "0"};
	static const char *const methods[] = {
		"tools/list",   "resources/list",      "resources/templates/list",
		"prompts/list", "tools/call",          "resources/read",
		"prompts/get",  "completion/complete", "resources/subscribe"};
	struct test_peer *t = test_peer_create(&options);

	(void)state;
	initialize(t, "2025-11-25");
	test_expect(t, "{\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
		       "\"capabilities\":{\"logging\":{}},"
		       "\"serverInfo\":{\"name\":\"empty\",\"version\":\"0\"}}}");
	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"%s\"}", methods[i]);
		test_expect_error(t, "2", -32601, "");
		(void)test_modern(t, "3", methods[i], NULL, NULL, NULL);
		test_expect_error(t, "3", -32601, "");
	}
	(void)test_modern(t, "4", "subscriptions/listen",
			  "\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":"
			  "true,\"resourcesListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]}",
			  NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		       "\"notifications\":{},\"_meta\":\"<object>\"}}"); /* MCP-191, MCP-194 */
	test_peer_destroy(t);
}

/* ---- the modern era ---- */

static void test_discover(void **state) /* MCP-045, MCP-054, MCP-074, MCP-075, MCP-187, MCP-188 */
{
	struct test_peer *t = *state;
	char members[512];

	(void)snprintf(members, sizeof(members),
		       "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":%s,"
		       "\"instructions\":\"<string>\",\"ttlMs\":0,\"cacheScope\":\"private\"",
		       all_capabilities);
	(void)test_modern(t, "\"d\"", "server/discover", NULL, NULL, NULL);
	test_expect_complete(t, "\"d\"", members);
}

static void test_both_eras(void **state) /* MCP-049, MCP-051, MCP-072, MCP-077 */
{
	struct test_peer *t = *state;

	(void)test_modern(t, "1", "server/discover", NULL, NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
	test_expect_error(t, "2", -32602, "initialize"); /* discover has changed nothing */
	test_initialize(t, "2024-11-05", "{\"sampling\":{},\"roots\":{}}");
	(void)test_modern(t, "3", "tools/call", "\"name\":\"who\"", NULL,
			  "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"other\",\"version\":"
			  "\"2\"}");
	test_expect_complete(
		t, "3", "\"content\":[{\"type\":\"text\",\"text\":\"other|tester|2026-07-28\"}]");
	(void)test_modern(t, "4", "tools/call", "\"name\":\"who\"", NULL, NULL);
	test_expect_complete(t, "4",
			     "\"content\":[{\"type\":\"text\",\"text\":\"|tester|2026-07-28\"}]");
	/* Capabilities are not remembered from the handshake either (MCP-039). */
	(void)test_modern(t, "5", "tools/call", "\"name\":\"needs_model\"", NULL, NULL);
	test_expect_error(t, "5", -32021, "");
	(void)test_modern(t, "6", "server/discover", NULL, NULL, NULL);
	test_expect(t, "{\"id\":6,\"result\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"who\"}}");
	test_expect(t, "{\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"tester|tester|2024-11-05\"}]}}");
}

/* MCP-075, MCP-187: every result is complete, says by whom, and six of them for how long. */
static void test_every_result(void **state)
{
	static const char cache[] = ",\"ttlMs\":\"<number>\",\"cacheScope\":\"<string>\"";
	static const struct {
		const char *method, *params, *result;
		bool cached;
	} methods[] = {
		{"server/discover", NULL,
		 "\"supportedVersions\":\"<array>\",\"capabilities\":\"<object>\","
		 "\"instructions\":\"<string>\"",
		 true},
		{"tools/list", NULL, "\"tools\":\"<array>\"", true},
		{"tools/call", "\"name\":\"echo\"", "\"content\":\"<array>\"", false},
		{"resources/list", NULL, "\"resources\":\"<array>\"", true},
		{"resources/templates/list", NULL, "\"resourceTemplates\":\"<array>\"", true},
		{"resources/read", "\"uri\":\"test://text\"", "\"contents\":\"<array>\"", true},
		{"prompts/list", NULL, "\"prompts\":\"<array>\"", true},
		{"prompts/get", "\"name\":\"greet\",\"arguments\":{\"name\":\"x\"}",
		 "\"messages\":\"<array>\",\"description\":\"<string>\"", false},
		{"completion/complete",
		 "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":"
		 "\"color\",\"value\":\"\"}",
		 "\"completion\":\"<object>\"", false},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		char members[512];

		(void)snprintf(members, sizeof(members), "%s%s", methods[i].result,
			       methods[i].cached ? cache : "");
		(void)test_modern(t, "1", methods[i].method, methods[i].params, NULL, NULL);
		test_expect_complete(t, "1", members);
	}
}

static void test_legacy_results(void **state) /* MCP-024 */
{
	static const char *const requests[][2] = {
		{"tools/list", "{}"},
		{"tools/call", "{\"name\":\"echo\"}"},
		{"resources/list", "{}"},
		{"resources/read", "{\"uri\":\"test://text\"}"},
		{"prompts/list", "{}"},
		{"prompts/get", "{\"name\":\"greet\",\"arguments\":{\"name\":\"x\"}}"},
		{"ping", "{}"},
	};
	static const char *const revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
						"2025-11-25"};
	struct test_peer *t = *state;

	for (size_t r = 0; r < TN_COUNT(revisions); r++) {
		test_initialize(t, revisions[r], NULL);
		for (size_t i = 0; i < TN_COUNT(requests); i++) {
			const char *json;

			(void)test_sendf(
				t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
				requests[i][0], requests[i][1]);
			json = test_next(t);
			assert_non_null(json);
			assert_null(strstr(json, "\"error\""));
			assert_null(strstr(json, "resultType"));
			assert_null(strstr(json, "ttlMs"));
			assert_null(strstr(json, "cacheScope"));
			assert_null(strstr(json, "serverInfo"));
		}
		test_reconnect(t);
	}
}

/* ---- levels ---- */

static void test_set_level(void **state) /* MCP-178 */
{
	static const char *const bad[] = {"{}", "{\"level\":\"loud\"}", "{\"level\":3}",
					  "{\"level\":\"DEBUG\"}"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", NULL);
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
				 "\"params\":%s}",
				 bad[i]);
		test_expect_error(t, "1", -32602, "level");
	}
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
			   "\"params\":{\"level\":\"critical\"}}");
	test_expect(t, "{\"id\":1,\"result\":{}}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_versions),
		TEST(test_bad_initialize),
		TEST(test_second_initialize),
		TEST(test_before_initialize),
		TEST(test_without_initialized),
		TEST(test_long_client_name),
		cmocka_unit_test(test_empty_server),
		TEST(test_discover),
		TEST(test_both_eras),
		TEST(test_every_result),
		TEST(test_legacy_results),
		TEST(test_set_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
