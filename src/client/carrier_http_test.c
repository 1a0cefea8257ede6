/* Against a server that answers as its script says, on a real port: carrier_http_test PLUGIN_FOLDER
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"
#include "client/carrier_test_kit.h"

#define EVENTS "Content-Type: text/event-stream\r\n"
#define HTML "Content-Type: text/html\r\n"
#define ANSWER "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define NOTICE "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}"
#define CALL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}"
#define INIT "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}"
#define INITED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OPEN(kit, script) kit_open(kit, script, COUNT(script))

static bool has(const struct kit *kit, size_t index, const char *text)
{
	return index < kit->request_count && strstr(kit->requests[index], text);
}

static bool logged(struct kit *kit, const char *text)
{
	return tn_str_find(tn_buf_str(&kit->log), tn_str_from(text)) != TN_STR_NONE;
}

/* Starts a legacy session whose id is "s1", with two replies of the script. */
static void begin_session(struct kit *kit)
{
	kit_carrier(kit, "http", (struct tn_url_target){0});
	kit_send(kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run(kit, "ended I");
	kit_send(kit, INITED, "notifications/initialized", NULL, TN_R4);
	kit_run_requests(kit, 2);
}

#define SESSION                                                                 \
	{.status = 200,                                                         \
	 .headers = "Content-Type: application/json\r\nMcp-Session-Id: s1\r\n", \
	 .body = ANSWER},                                                       \
	{                                                                       \
		.status = 202, .headers = ""                                    \
	}

/* ---- requests and answers ---- */

/* MCP-108, MCP-116 */
static void a_message_is_a_post_of_its_own(void **state)
{
	static const struct kit_reply script[] = {
		{.status = 200, .body = ANSWER}, {.status = 202}, {.status = 200, .body = ANSWER}};
	static const struct tn_carrier_header headers[] = {
		{TN_STR("Mcp-Param-Region"), TN_STR("us-west1")},
		{TN_STR("Mcp-Param-Empty"), TN_STR("")}};
	static const char *const own[] = {"X-Own: yes", NULL};
	struct tn_outgoing message = {.json = TN_STR(CALL),
				      .method = TN_STR("tools/call"),
				      .name = TN_STR("=?base64?w6Q=?="),
				      .headers = headers,
				      .header_count = 2,
				      .revision = TN_R5,
				      .request = (void *)(uintptr_t) "A"};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){.token = "secret", .headers = own});
	assert_string_equal(kit.carrier->transport, "http");
	kit.carrier->ops->send(kit.carrier, &message);
	assert_int_equal(kit.log.size, 0); /* no event inside an op */
	kit_run(&kit, "ended A");
	assert_true(logged(&kit, "ready\nmessage A 200 " ANSWER "\nended A invalid 200: "));
	assert_true(has(&kit, 0, "POST /mcp HTTP/1.1\r\n"));
	assert_true(has(&kit, 0, "\r\nContent-Type: application/json\r\n"));
	assert_true(has(&kit, 0, "\r\nAccept: application/json, text/event-stream\r\n"));
	assert_true(has(&kit, 0, "\r\nAuthorization: Bearer secret\r\n"));
	assert_true(has(&kit, 0, "\r\nX-Own: yes\r\n"));
	assert_true(has(&kit, 0, "\r\nUser-Agent: tenon/"));
	assert_true(has(&kit, 0, "\r\nMCP-Protocol-Version: 2026-07-28\r\n"));
	assert_true(has(&kit, 0, "\r\nMcp-Method: tools/call\r\n"));
	assert_true(has(&kit, 0, "\r\nMcp-Name: =?base64?w6Q=?=\r\n"));
	assert_true(has(&kit, 0, "\r\nMcp-Param-Region: us-west1\r\n"));
	assert_true(has(&kit, 0, "\r\nMcp-Param-Empty:\r\n"));
	assert_true(has(&kit, 0, "\r\n\r\n" CALL));
	assert_false(has(&kit, 0, "Expect"));
	/* A notification is no different. */
	kit_send(&kit, NOTICE, "notifications/x", NULL, TN_R5);
	kit_run_requests(&kit, 2);
	assert_true(has(&kit, 1, "\r\nMcp-Method: notifications/x\r\n"));
	assert_true(has(&kit, 1, "\r\nAuthorization: Bearer secret\r\n"));
	kit_run_for(&kit, 20);
	kit_send(&kit, CALL, "tools/call", "B", TN_R5);
	kit_run(&kit, "ended B");
	assert_int_equal(kit.connections, 1); /* one after the other, on the same connection */
	kit_close(&kit);
}

/* MCP-117, MCP-131: nothing modern for a legacy server, and its session id on everything. */
static void a_legacy_session_has_its_headers(void **state)
{
	static const struct kit_reply script[] = {
		SESSION, {.status = 200, .body = ANSWER}, {.status = 405}, {.status = 204}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	assert_false(has(&kit, 0, "MCP-Protocol-Version"));
	assert_false(has(&kit, 0, "Mcp-"));
	assert_true(has(&kit, 1, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
	assert_true(has(&kit, 1, "\r\nMcp-Session-Id: s1\r\n"));
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit_run(&kit, "ended A");
	assert_true(has(&kit, 2, "\r\nMcp-Session-Id: s1\r\n"));
	assert_false(has(&kit, 2, "Mcp-Method"));
	/* MCP-144: a server without a GET stream. */
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_requests(&kit, 4);
	assert_true(has(&kit, 3, "GET /mcp HTTP/1.1\r\n"));
	assert_true(has(&kit, 3, "\r\nAccept: text/event-stream\r\n"));
	assert_true(has(&kit, 3, "\r\nMcp-Session-Id: s1\r\n"));
	assert_true(has(&kit, 3, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
	assert_false(has(&kit, 3, "Last-Event-ID"));
	kit_run_for(&kit, 20);
	assert_false(logged(&kit, "lost"));
	kit_close(&kit);
}

static void older_revisions_send_no_version(void **state)
{
	static const struct kit_reply script[] = {{.status = 200, .body = ANSWER},
						  {.status = 200, .body = ANSWER}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R2);
	kit_run(&kit, "ended A");
	assert_false(has(&kit, 0, "MCP-Protocol-Version"));
	kit_send(&kit, CALL, "tools/call", "B", TN_R3);
	kit_run(&kit, "ended B");
	assert_true(has(&kit, 1, "\r\nMCP-Protocol-Version: 2025-06-18\r\n"));
	kit_close(&kit);
}

/* MCP-065: what is sent behind it does not overtake it. */
static void nothing_overtakes_initialized(void **state)
{
	static const struct kit_reply script[] = {
		{.status = 200, .body = ANSWER},
		{.body = ""}, /* later */
		{.status = 200, .body = ANSWER},
		{.status = 405},
	};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run(&kit, "ended I");
	kit_send(&kit, INITED, "notifications/initialized", NULL, TN_R4);
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_for(&kit, 50);
	assert_int_equal(kit.request_count, 2);
	kit_push(&kit, 1, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
	kit_run(&kit, "ended A");
	kit_run_requests(&kit, 4);
	kit_close(&kit);
}

/* MCP-108: a stream, cut into any pieces. */
static void a_stream_is_an_answer_too(void **state)
{
	static const struct kit_reply script[] = {
		{.status = 200,
		 .headers = EVENTS,
		 .body = ": hi\n\ndata: " NOTICE,
		 .streams = true},
		{.status = 200,
		 .headers = "content-type: Text/Event-Stream; charset=utf-8\r\n",
		 .body = "event: other\ndata: 1\n\nevent: message\ndata: " ANSWER "\n\n",
		 .streams = true,
		 .cut = true}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run_requests(&kit, 1);
	kit_run_for(&kit, 20);
	assert_false(logged(&kit, "message"));
	kit_push(&kit, 0, "\n");
	kit_push(&kit, 0, "\n");
	kit_run(&kit, "message A 200 " NOTICE "\n");
	kit_push(&kit, 0, "data: " ANSWER "\n\n");
	kit_run(&kit, "message A 200 " ANSWER "\n");
	kit_push(&kit, 0, NULL);
	kit_run(&kit, "ended A invalid 200: the reply is over, and had no answer in it\n");
	kit_send(&kit, CALL, "tools/call", "B", TN_R5);
	kit_run(&kit, "message B 200 " ANSWER "\nended B invalid 200");
	kit_close(&kit);
}

static void a_large_answer_arrives_whole(void **state)
{
	const size_t size = 8 * TN_MIB;
	struct kit_reply script[] = {{.status = 200}};
	char *body = tn_mem_alloc(size + 1);
	struct kit kit;

	(void)state;
	assert_non_null(body);
	memset(body, ' ', size);
	memcpy(body, "{}", 2);
	body[size] = '\0';
	script[0].body = body;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "message A 200 of 8388608 bytes\n");
	kit_close(&kit);
	tn_mem_free(body);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_is_a_post_of_its_own),
		cmocka_unit_test(a_legacy_session_has_its_headers),
		cmocka_unit_test(older_revisions_send_no_version),
		cmocka_unit_test(nothing_overtakes_initialized),
		cmocka_unit_test(a_stream_is_an_answer_too),
		cmocka_unit_test(a_large_answer_arrives_whole),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: carrier_http_test PLUGIN_FOLDER\n");
		return 64;
	}
	kit_plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
