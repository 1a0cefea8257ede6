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
#include "client/limits.h"
#include "loop/limits.h"

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

/* ---- replies that are no answer (mcp.md section 11.10) ---- */

struct refusal {
	struct kit_reply reply;
	enum tn_revision revision;
	const char *log;
};

#define STATUS(number, more)                                       \
	{                                                          \
		.status = number, .headers = HTML more, .body = "" \
	}
#define PRM "https://h.example/.well-known/oauth-protected-resource/mcp"
#define ERROR "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"?\"}}"

/* MCP-061, MCP-278 */
static const struct refusal refusals[] = {
	{STATUS(401, "WWW-Authenticate: Basic\r\nWWW-Authenticate: Bearer error=\"x\", "
		     "resource_metadata=\"" PRM "\", scope=\"a\"\r\n"),
	 TN_R5,
	 "ended A denied 401: the server wants authorization (401); how is said at " PRM "\n"},
	{STATUS(401, "WWW-Authenticate: Bearer resource_metadata=\"javascript:alert(1)\"\r\n"),
	 TN_R5, "ended A denied 401: the server wants authorization (401): give a token\n"},
	{STATUS(401, ""), TN_R4,
	 "ended A denied 401: the server wants authorization (401): give a token\n"},
	{STATUS(403, ""), TN_R5, "ended A denied 403: the server refuses us (403)\n"},
	{STATUS(429, "Retry-After: 7\r\n"), TN_R5,
	 "ended A busy 429: the server is busy (429) (retry after 7000)\n"},
	{STATUS(503, ""), TN_R5, "ended A busy 503: the server is busy (503)\n"},
	{STATUS(404, ""), TN_R5, "ended A invalid 404: the server replied with status 404\n"},
	{STATUS(404, ""), TN_R4, "ended A invalid 404: the server replied with status 404\n"},
	{{.status = 500, .headers = HTML, .body = "<html>"},
	 TN_R5,
	 "ended A invalid 500: the server replied with status 500 body 6 <html>\n"},
	{{.status = 200, .headers = HTML, .body = "<html>"},
	 TN_R5,
	 "ended A invalid 200: the server's reply (200) is neither JSON nor an event stream body 6 "
	 "<html>\n"},
	{{.status = 404, .body = ERROR},
	 TN_R5,
	 "message A 404 " ERROR "\nended A invalid 404: the server replied with status 404 body"},
	{{.status = 400, .headers = HTML, .body = ERROR},
	 TN_R5,
	 "message A 400 " ERROR "\nended A invalid 400: "},
	{{.status = 400, .body = "{\"error\":1"},
	 TN_R5,
	 "ready\nended A invalid 400: the server replied with status 400 body 10 {\"error\":1\n"},
	{{.status = 400, .body = NOTICE}, TN_R5, "ready\nended A invalid 400: "},
	{{.status = 200}, TN_R5, "ready\nended A invalid 200: the reply is over"},
	{STATUS(202, ""), TN_R5,
	 "ended A invalid 202: the server answered a request with status 202\n"},
	{STATUS(204, ""), TN_R3,
	 "ended A invalid 204: the server answered a request with status 204\n"},
	{STATUS(302, "Location: /other\r\n"), TN_R5,
	 "ended A invalid 302: the server sends us elsewhere (302), which is not followed\n"},
	{STATUS(307, "Location: http://localhost:1/mcp\r\n"), TN_R5,
	 "ended A invalid 307: the server sends us elsewhere (307), which is not followed\n"},
	{STATUS(308, "Location: http://user@127.0.0.1/\r\n"), TN_R5,
	 "ended A invalid 308: the server sends us elsewhere (308), which is not followed\n"},
	{STATUS(307, ""), TN_R5,
	 "ended A invalid 307: the server sends us elsewhere (307), which is not followed\n"},
	{{.body = "hello\r\n\r\n", .cut = true}, TN_R5, "ended A invalid 0: this is no HTTP\n"},
	{{.reset = true}, TN_R5, "ended A system 0: "},
	{{.body = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
		  "\r\n{}",
	  .cut = true},
	 TN_R5,
	 "ended A system 200: "},
	{{.body = "HTTP/1.1 500 No\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nwhy",
	  .cut = true},
	 TN_R5,
	 "ended A invalid 500: the server replied with status 500 body 3 why\n"},
};

static void every_refusal_says_what_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		struct kit kit;

		kit_open(&kit, &refusals[i].reply, 1);
		kit_carrier(&kit, "http", (struct tn_url_target){0});
		kit_send(&kit, CALL, "tools/call", "A", refusals[i].revision);
		kit_run(&kit, refusals[i].log);
		assert_int_equal(kit.request_count, 1);
		kit_close(&kit);
	}
}

static void a_closed_port_is_named_by_nobody(void **state)
{
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	kit_carrier(&kit, "http", (struct tn_url_target){.url = "http://127.0.0.1:1/mcp"});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "ended A system 0: ");
	assert_false(logged(&kit, "127"));
	kit_close(&kit);
}

static void without_the_plugin_the_error_names_it(void **state)
{
	const char *folder = kit_plugin_folder;
	struct kit kit;

	(void)state;
	kit_plugin_folder = "/nonexistent";
	kit_open(&kit, NULL, 0);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "ended A not_found 0: the plug-in tenon-client.so is not installed\n");
	kit_close(&kit);
	kit_plugin_folder = folder;
}

/* A line of our header must stay one line. */
static void values_that_no_header_may_have_are_not_sent(void **state)
{
	struct tn_outgoing message = {.json = TN_STR(CALL),
				      .method = TN_STR("tools/call"),
				      .name = TN_STR("a\r\nX-Evil: 1"),
				      .revision = TN_R5,
				      .request = (void *)(uintptr_t) "A"};
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit.carrier->ops->send(kit.carrier, &message);
	kit_run(&kit, "ended A invalid 0: a header's value is too long or cannot be sent\n");
	kit_close(&kit);
}

/* MCP-288: mcp.md section 24, 64 MiB. */
static void answers_beyond_the_limit_are_refused(void **state)
{
	const size_t size = TN_RESULT_BYTES_MAX + 1;
	struct kit_reply script[] = {{.status = 200}, {.status = 200, .body = ANSWER}};
	char *body = tn_mem_alloc(size + 1);
	struct kit kit;

	(void)state;
	assert_non_null(body);
	memset(body, ' ', size);
	script[0].body = body;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "ended A limit 200: an answer of more than 67108864 bytes\n");
	kit_send(&kit, CALL, "tools/call", "B", TN_R5);
	kit_run(&kit, "message B 200 " ANSWER "\n"); /* the connection goes on */
	kit_close(&kit);
	tn_mem_free(body);
}

static void headers_beyond_the_limit_are_refused(void **state)
{
	struct kit_reply script[] = {{.status = 200}};
	char *headers = tn_mem_alloc(TN_HTTP_REPLY_HEADERS_MAX + 5000);
	struct kit kit;
	size_t at = 0;

	(void)state;
	assert_non_null(headers);
	while (at < TN_HTTP_REPLY_HEADERS_MAX + 2000) {
		at += (size_t)snprintf(headers + at, 5000, "X: %01000d\r\n", 0);
	}
	script[0].headers = headers;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "ended A limit 0: the answer's headers are too long\n");
	kit_close(&kit);
	tn_mem_free(headers);
}

/* ---- redirections (mcp.md section 11.10, MCP-287) ---- */

static void redirections_within_the_origin_are_followed(void **state)
{
	static const struct kit_reply script[] = {
		{.status = 307, .headers = "Location: /v2/mcp?x=1\r\n"},
		{.status = 308, .headers = "Location: new\r\n"},
		{.status = 200, .body = ANSWER}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){.token = "secret"});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "message A 200 " ANSWER "\n");
	assert_true(has(&kit, 1, "POST /v2/mcp?x=1 HTTP/1.1\r\n"));
	assert_true(has(&kit, 1, "Bearer secret"));
	assert_true(has(&kit, 2, "POST /v2/new HTTP/1.1\r\n"));
	assert_true(has(&kit, 2, "\r\n\r\n" CALL));
	kit_close(&kit);
}

static void redirections_in_a_circle_end(void **state)
{
	static const struct kit_reply around = {.status = 307, .headers = "Location: /mcp\r\n"};
	struct kit_reply script[TN_HTTP_REDIRECTS_MAX + 1];
	struct kit kit;

	(void)state;
	for (size_t i = 0; i < COUNT(script); i++)
		script[i] = around;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "ended A invalid 307: the server sends us elsewhere (307)");
	assert_int_equal(kit.request_count, TN_HTTP_REDIRECTS_MAX + 1);
	kit_close(&kit);
}

/* MCP-272: another origin sees neither the request nor the token. */
static void redirections_elsewhere_are_not(void **state)
{
	static const struct kit_reply nothing[] = {{.status = 200, .body = ANSWER}};
	struct kit_reply script[] = {{.status = 307}};
	char headers[128];
	struct kit kit, other;

	(void)state;
	OPEN(&other, nothing);
	(void)snprintf(headers, sizeof(headers), "Location: http://127.0.0.1:%u/mcp\r\n",
		       other.port);
	script[0].headers = headers;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){.token = "secret"});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run(&kit, "ended A invalid 307: the server sends us elsewhere (307)");
	kit_run_for(&other, 20);
	assert_int_equal(other.connections, 0);
	kit_close(&kit);
	kit_close(&other);
}

/* ---- sessions ---- */

/* MCP-131 */
static void a_lost_session_is_said_so(void **state)
{
	static const struct kit_reply script[] = {
		SESSION, {.status = 404, .headers = ""}, {.status = 200, .body = ANSWER}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit_run(&kit, "ended A expired 404: the server does not know our session any more (404) "
		      "(session lost)\n");
	/* A new one begins without the old id. */
	kit_send(&kit, INIT, "initialize", "J", TN_REVISION_NONE);
	kit_run(&kit, "message J 200");
	assert_false(has(&kit, 3, "Mcp-Session-Id"));
	kit_close(&kit);
}

/* Who has no request running learns it, too. */
static void a_session_lost_for_a_notification_loses_the_carrier(void **state)
{
	static const struct kit_reply script[] = {SESSION, {.status = 404, .headers = ""}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit_send(&kit, NOTICE, "notifications/x", NULL, TN_R4);
	kit_run(&kit, "lost expired: the server does not know our session any more (404)\n");
	kit_close(&kit);
}

static void session_ids_are_visible_ascii(void **state)
{
	static const struct kit_reply script[] = {
		{.status = 200,
		 .headers = "Content-Type: application/json\r\nMcp-Session-Id: a b\r\n",
		 .body = ANSWER}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run(&kit, "ended I invalid 200: the server's session id is longer than 1024 bytes or "
		      "has other characters than visible ASCII\n");
	assert_false(logged(&kit, "message"));
	kit_close(&kit);
}

/* ---- cancelling and closing ---- */

/* MCP-174: closing the stream is the modern cancellation. */
static void forgetting_closes_the_stream(void **state)
{
	static const struct kit_reply script[] = {{.status = 200,
						   .headers = EVENTS,
						   .body = "data: " NOTICE "\n\n",
						   .streams = true}};
	struct kit kit;
	static const char request[] = "A";

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", request, TN_R5);
	kit_run(&kit, "message A");
	assert_true(kit_is_open(&kit, 0));
	kit.carrier->ops->forget(kit.carrier, (void *)(uintptr_t)request);
	kit_run_for(&kit, 50);
	assert_false(kit_is_open(&kit, 0));
	assert_false(logged(&kit, "ended"));
	kit.carrier->ops->forget(kit.carrier, (void *)(uintptr_t)request); /* nothing any more */
	kit_close(&kit);
}

static void forget_in_message(struct kit *kit, void *request)
{
	kit->carrier->ops->forget(kit->carrier, request);
}

/* Whoever forgets what was answered keeps the connection. */
static void an_answered_stream_may_end_by_itself(void **state)
{
	static const struct kit_reply script[] = {
		{.body = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
			 "Transfer-Encoding: chunked\r\n\r\n"},
		{.status = 200, .body = ANSWER},
		{.status = 200, .headers = EVENTS, .body = "data: " NOTICE "\n\n", .streams = true},
		{.status = 200, .headers = EVENTS, .body = "data: " ANSWER "\n\n", .streams = true},
	};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit.on_message = forget_in_message;
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", "A", TN_R5);
	kit_run_requests(&kit, 1);
	kit_push(&kit, 0, "2c\r\ndata: " ANSWER "\n\n\r\n");
	kit_run(&kit, "message A 200");
	kit_run_for(&kit, 20);
	kit_push(&kit, 0, "0\r\n\r\n");
	kit_run_for(&kit, 20);
	kit_send(&kit, CALL, "tools/call", "B", TN_R5);
	kit_run(&kit, "message B 200");
	assert_int_equal(kit.connections, 1);
	kit_run_for(&kit, 20);
	/* What is no answer is cut at once, and what never ends is cut soon. */
	kit_send(&kit, CALL, "tools/call", "C", TN_R5);
	kit_run(&kit, "message C 200");
	kit_run_for(&kit, 20);
	assert_false(kit_is_open(&kit, 2));
	kit_send(&kit, CALL, "tools/call", "D", TN_R5);
	kit_run(&kit, "message D 200");
	kit_run_for(&kit, TN_ANSWER_LINGER_MS / 2);
	assert_true(kit_is_open(&kit, 3));
	kit_run_for(&kit, TN_ANSWER_LINGER_MS);
	assert_false(kit_is_open(&kit, 3));
	assert_false(logged(&kit, "ended"));
	kit_close(&kit);
}

static void abort_in_message(struct kit *kit, void *request)
{
	(void)request;
	kit->carrier->ops->abort(kit->carrier);
	kit->carrier = NULL;
}

static void aborting_inside_an_event(void **state)
{
	static const struct kit_reply script[] = {
		{.status = 200,
		 .headers = EVENTS,
		 .body = "data: " NOTICE "\n\ndata: " ANSWER "\n\n",
		 .streams = true},
		{.status = 200, .body = ANSWER}};
	struct kit kit;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		kit_open(&kit, script + i, 1);
		kit.on_message = abort_in_message;
		kit_carrier(&kit, "http", (struct tn_url_target){0});
		kit_send(&kit, CALL, "tools/call", "A", TN_R5);
		kit_run(&kit, "message A");
		kit_run_for(&kit, 20);
		assert_false(logged(&kit, ANSWER "\nmessage"));
		assert_false(logged(&kit, "ended"));
		kit_close(&kit);
	}
}

static void note_closed(void *data)
{
	struct kit *kit = data;

	kit->carrier = NULL;
	tn_buf_append_text(&kit->log, "closed\n");
}

/* MCP-134: what was said leaves, then the session ends; requests are not waited for. */
static void closing_ends_the_session(void **state)
{
	static const struct kit_reply script[] = {
		SESSION, {.body = ""}, {.body = ""}, {.status = 405, .headers = ""}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit_run_for(&kit, 20);
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit_run_requests(&kit, 3);
	kit_send(&kit, NOTICE, "notifications/cancelled", NULL, TN_R4);
	kit.carrier->ops->close(kit.carrier, note_closed, &kit);
	kit_run_requests(&kit, 4);
	kit_run_for(&kit, 20);
	assert_int_equal(kit.request_count, 4);
	kit_push(&kit, 3, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
	kit_run(&kit, "closed\n");
	assert_true(has(&kit, 4, "DELETE /mcp HTTP/1.1\r\n"));
	assert_true(has(&kit, 4, "\r\nMcp-Session-Id: s1\r\n"));
	assert_true(has(&kit, 4, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
	assert_false(logged(&kit, "ended A"));
	kit_close(&kit);
}

static void closing_does_not_wait_for_ever(void **state)
{
	static const struct kit_reply script[] = {SESSION, {.body = ""}, {.body = ""}};
	struct kit kit;
	uint64_t start_ms;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit_run_for(&kit, 20);
	kit_send(&kit, NOTICE, "notifications/cancelled", NULL, TN_R4);
	start_ms = tn_loop_now_ms(kit.loop);
	kit.carrier->ops->close(kit.carrier, note_closed, &kit);
	kit_run(&kit, "closed\n");
	assert_in_range(tn_loop_now_ms(kit.loop) - start_ms, 2 * TN_SHUTDOWN_GRACE_MS - 100,
			2 * TN_SHUTDOWN_GRACE_MS + 20000);
	kit_close(&kit);
}

static void closing_without_a_session_is_quick(void **state)
{
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit.carrier->ops->close(kit.carrier, note_closed, &kit);
	assert_int_equal(kit.log.size, 0);
	kit_run(&kit, "closed\n");
	assert_int_equal(kit.connections, 0);
	kit_close(&kit);
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
		cmocka_unit_test(every_refusal_says_what_it_is),
		cmocka_unit_test(a_closed_port_is_named_by_nobody),
		cmocka_unit_test(without_the_plugin_the_error_names_it),
		cmocka_unit_test(values_that_no_header_may_have_are_not_sent),
		cmocka_unit_test(answers_beyond_the_limit_are_refused),
		cmocka_unit_test(headers_beyond_the_limit_are_refused),
		cmocka_unit_test(redirections_within_the_origin_are_followed),
		cmocka_unit_test(redirections_in_a_circle_end),
		cmocka_unit_test(redirections_elsewhere_are_not),
		cmocka_unit_test(a_lost_session_is_said_so),
		cmocka_unit_test(a_session_lost_for_a_notification_loses_the_carrier),
		cmocka_unit_test(session_ids_are_visible_ascii),
		cmocka_unit_test(forgetting_closes_the_stream),
		cmocka_unit_test(an_answered_stream_may_end_by_itself),
		cmocka_unit_test(aborting_inside_an_event),
		cmocka_unit_test(closing_ends_the_session),
		cmocka_unit_test(closing_does_not_wait_for_ever),
		cmocka_unit_test(closing_without_a_session_is_quick),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: carrier_http_test PLUGIN_FOLDER\n");
		return 64;
	}
	kit_plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
