/* A token is replaced: the old one is none any more, and what it let in is closed, whatever kind of
 * connection it is; what came by another token stays. And how often one may guess. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/size.h"
#include "serve/door_kit.h"
#include "mcp/call.h"
#include "transport/limits.h"

#define OTHER "other-token-0123456789abcdef"
#define FRESH "fresh-token-0123456789abcdef"
#define AS_OTHER "Authorization: Bearer " OTHER "\r\n"
#define AS_FRESH "Authorization: Bearer " FRESH "\r\n"
#define EVENTS "Accept: application/json, text/event-stream\r\n"
#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"
#define CALL(tool)                                                                             \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool \
	"\",\"arguments\":{},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"          \
	"\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}"
#define LEGACY_CALL(tool)                                                                      \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool \
	"\"}}"
#define INITIALIZE                                                                                 \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"                     \
	"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"kit\"," \
	"\"version\":\"3\"}}}"

/* ---- the server ---- */

static void rotate(struct tenon_call *call, void *data)
{
	struct tenon_error err = {0};

	(void)data;
	if (tenon_server_replace_token(call->server, DOOR_TOKEN, FRESH, &err) == TENON_OK)
		tenon_call_reply_text(call, "rotated");
	else
		tenon_call_fail(call, "%s", err.message);
}

/* Waits for ever, unless it is cancelled. */
static void cancelled(struct tenon_call *call, void *data)
{
	unsigned *ended = data;

	(*ended)++;
	tenon_call_reply_text(call, "nobody reads this");
}

static void hold(struct tenon_call *call, void *data)
{
	tenon_call_on_cancel(call, cancelled, data);
}

static void count_ended(struct tenon_call *call, void *data)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "ended %u", *(unsigned *)data);
	tenon_call_reply_text(call, text);
}

static unsigned ended;
static uint16_t bridge;

static const struct tenon_token tokens[] = {
	{.name = "user", .token = DOOR_TOKEN},
	{.name = "user", .token = OTHER},
	{.name = NULL},
};

static int set_up(void **state)
{
	const struct tenon_tool tools[] = {
		{.name = "rotate", .call = rotate},
		{.name = "hold", .call = hold, .data = &ended},
		{.name = "ended", .call = count_ended, .data = &ended},
	};
	const struct tenon_http_options options = {.tokens = tokens, .bearer_subprotocol = true};
	const struct tenon_http_options only_ws = {.tokens = tokens, .path = "", .sse_path = ""};
	struct door *d = door_create();

	ended = 0;
	for (size_t i = 0; i < TN_COUNT(tools); i++)
		assert_int_equal(tenon_server_add_tool(d->server, &tools[i], NULL), TENON_OK);
	(void)door_listen(d, &options, NULL);
	bridge = door_listen(d, &only_ws, NULL);
	door_run(d);
	*state = d;
	return 0;
}

static int tear_down(void **state)
{
	door_close(*state);
	return 0;
}

static void expect_post(struct door *d, const char *headers, const char *body, unsigned status,
			const char *words)
{
	unsigned got = door_post(d, d->port, "/mcp", headers, body);

	if (got != status || !door_replied(d, words))
		fail_msg("wanted %u %s, got %s", status, words, d->reply.data);
}

static void rotate_as_other(struct door *d)
{
	expect_post(d, AS_OTHER, LEGACY_CALL("rotate"), 200, "rotated");
}

/* Closed by the server within a second. */
static void expect_end(struct door *d, int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	uint64_t from = tn_clock_now_ms(&tn_clock_system);
	char bytes[4096];

	while (poll(&wait, 1, 1000) == 1 && read(fd, bytes, sizeof(bytes)) > 0)
		;
	if (tn_clock_now_ms(&tn_clock_system) - from >= 1000)
		fail_msg("still open after a second");
	(void)d;
	(void)close(fd);
}

static void expect_open(int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};

	assert_int_equal(poll(&wait, 1, 100), 0); /* nothing to read, and no end */
}

/* ---- requests ---- */

static void test_old_is_none(void **state) /* T8 */
{
	struct door *d = *state;

	expect_post(d, DOOR_AUTH, LIST, 200, "rotate");
	expect_post(d, AS_FRESH, LIST, 401, "Send the token");
	rotate_as_other(d);
	expect_post(d, DOOR_AUTH, LIST, 401, "Send the token");
	expect_post(d, AS_FRESH, LIST, 200, "rotate");
	expect_post(d, AS_OTHER, LIST, 200, "rotate");
	assert_int_equal(door_upgrade(d, bridge, "/ws", DOOR_AUTH), -1); /* everywhere */
	(void)close(door_upgrade(d, bridge, "/ws", AS_FRESH));
}

/* By the very token that is replaced. */
static void test_by_itself(void **state)
{
	struct door *d = *state;
	int fd = door_upgrade(d, d->port, "/ws", DOOR_AUTH);

	door_say(fd, CALL("rotate"));
	(void)door_hear(d, fd); /* the answer, or the end at once */
	expect_end(d, fd);
	expect_post(d, DOOR_AUTH, LIST, 401, "Send the token");
	expect_post(d, AS_FRESH, LIST, 200, "rotate");
}

static void test_what_cannot_be(void **state)
{
	struct door *d = *state;

	rotate_as_other(d);
	expect_post(d, AS_OTHER, LEGACY_CALL("rotate"), 200, "the replacement is a token already");
	assert_int_equal(
		tenon_server_replace_token(d->server, "no-such-token-at-all", "short", NULL),
		TENON_INVALID);
	assert_int_equal(tenon_server_replace_token(d->server, "no-such-token-at-all",
						    "another-token-012345", NULL),
			 TENON_NOT_FOUND);
}

/* Its head had been accepted, its body came later. */
static void test_half_a_request(void **state)
{
	static const char head[] =
		"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" DOOR_AUTH DOOR_JSON
		"Content-Length: 46\r\n\r\n";
	struct door *d = *state;
	int fd = door_connect(d->port);

	door_send(fd, head, sizeof(head) - 1);
	door_send(fd, LIST, 10);
	expect_open(fd);
	rotate_as_other(d);
	door_send(fd, &LIST[10], sizeof(LIST) - 11);
	assert_true(door_read(d, fd, NULL));
	assert_true(door_replied(d, "HTTP/1.1 401 "));
	(void)close(fd);
}

/* ---- streams ---- */

static int begin(struct door *d, const char *line, const char *headers, const char *until)
{
	char request[1024];
	int fd = door_connect(d->port);
	int size = snprintf(request, sizeof(request),
			    "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%s\r\n", line,
			    headers);

	door_send(fd, request, (size_t)size);
	if (until)
		assert_true(door_read(d, fd, until));
	return fd;
}

static void test_websockets(void **state)
{
	struct door *d = *state;
	int mine = door_upgrade(d, d->port, "/ws", DOOR_AUTH);
	int page = door_upgrade(d, d->port, "/ws",
				"Sec-WebSocket-Protocol: mcp, bearer." DOOR_TOKEN "\r\n");
	int relay = door_upgrade(d, bridge, "/ws", DOOR_AUTH);
	int others = door_upgrade(d, d->port, "/ws", AS_OTHER);

	door_say(mine, CALL("hold"));
	expect_open(mine);
	rotate_as_other(d);
	assert_string_equal(door_hear(d, mine), "close 1008");
	expect_end(d, mine); /* although it does not answer the close frame */
	assert_string_equal(door_hear(d, page), "close 1008");
	expect_end(d, page);
	assert_string_equal(door_hear(d, relay), "close 1008");
	expect_end(d, relay);
	expect_open(others);
	door_say(others, CALL("ended"));
	assert_non_null(strstr(door_hear(d, others), "ended 1")); /* what ran is cancelled */
	(void)close(others);
}

/* A client that goes on talking is not listened to. */
static void test_websocket_is_not_heard(void **state)
{
	struct door *d = *state;
	int fd = door_upgrade(d, d->port, "/ws", DOOR_AUTH);

	rotate_as_other(d);
	door_say(fd, CALL("ended"));
	assert_string_equal(door_hear(d, fd), "close 1008");
	assert_string_equal(door_hear(d, fd), "");
	(void)close(fd);
}

static void test_sessions_and_streams(void **state)
{
	struct door *d = *state;
	char id[64], headers[512], fresh[512];
	int get, sse, post, others;

	assert_int_equal(door_post(d, d->port, "/mcp", DOOR_AUTH, INITIALIZE), 200);
	(void)door_header(d, "Mcp-Session-Id", id, sizeof(id));
	(void)snprintf(headers, sizeof(headers), "%s%sMcp-Session-Id: %s\r\n", DOOR_AUTH, EVENTS,
		       id);
	(void)snprintf(fresh, sizeof(fresh), "%sMcp-Session-Id: %s\r\n", AS_FRESH, id);
	get = begin(d, "GET /mcp", headers, "\r\n\r\n");
	assert_true(door_replied(d, " 200 "));
	sse = begin(d, "GET /sse", DOOR_AUTH EVENTS, "endpoint");
	others = begin(d, "GET /sse", AS_OTHER EVENTS, "sessionId=");
	assert_true(door_read(d, others, "\n\n\r\n"));
	/* One that waits for its answer; after a second it is a stream. */
	post = begin(
		d, "POST /mcp",
		DOOR_AUTH EVENTS DOOR_JSON
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hold\r\n"
		"Content-Length: 220\r\n",
		NULL);
	(void)snprintf(headers, sizeof(headers), "%-220s", CALL("hold"));
	door_send(post, headers, 220);
	expect_open(post);
	rotate_as_other(d);
	expect_end(d, get);
	expect_end(d, sse);
	expect_end(d, post);
	expect_open(others);
	(void)close(others);
	expect_post(d, fresh, LIST, 404, "Session not found");
	expect_post(d, AS_OTHER, LEGACY_CALL("ended"), 200, "ended 1");
}

static void test_stream_of_events(void **state)
{
	static const char listen[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{"
		"\"notifications\":{\"toolsListChanged\":true},\"_meta\":{"
		"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		"\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
	struct door *d = *state;
	char headers[512];
	int fd;

	(void)snprintf(headers, sizeof(headers),
		       "%s%s%sMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
		       "subscriptions/listen\r\nContent-Length: %zu\r\n",
		       DOOR_AUTH, EVENTS, DOOR_JSON, sizeof(listen) - 1);
	fd = begin(d, "POST /mcp", headers, NULL);
	door_send(fd, listen, sizeof(listen) - 1);
	assert_true(door_read(d, fd, "acknowledged"));
	assert_true(door_read(d, fd, "\n\n"));
	rotate_as_other(d);
	expect_end(d, fd);
}

/* ---- guessing ---- */

static void test_throttle(void **state) /* T10 */
{
	struct door *d = *state;
	char seconds[16];

	for (unsigned i = 0; i < 2 * TN_AUTH_FAILURES_MAX; i++) /* nothing was guessed */
		expect_post(d, "", LIST, 401, "Send the token");
	for (unsigned i = 0; i < TN_AUTH_FAILURES_MAX; i++)
		expect_post(d, "Authorization: Bearer wrong\r\n", LIST, 401, "Send the token");
	expect_post(d, "Authorization: Bearer wrong\r\n", LIST, 429, "without a valid token");
	(void)door_header(d, "Retry-After", seconds, sizeof(seconds));
	assert_in_range(strtoul(seconds, NULL, 10), 1, 30);
	expect_post(d, "", LIST, 429, "without a valid token");
	assert_int_equal(door_upgrade(d, d->port, "/ws", ""), -1);
	assert_true(door_replied(d, " 429 "));
	/* Whoever has the token is not locked out by whoever has not. */
	expect_post(d, DOOR_AUTH, LIST, 200, "rotate");
	(void)close(door_upgrade(d, d->port, "/ws", DOOR_AUTH));
	/* And the other listener has its own count. */
	assert_int_equal(door_upgrade(d, bridge, "/ws", ""), -1);
	assert_true(door_replied(d, " 401 "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_old_is_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_by_itself, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_half_a_request, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_websockets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_websocket_is_not_heard, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sessions_and_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stream_of_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_throttle, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
