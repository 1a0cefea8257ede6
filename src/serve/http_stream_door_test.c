/* Streams of an app beside the endpoints: who is let in, what goes through, how they end
 * (terminal.md section 11). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "serve/door_kit.h"
#include "mcp/call.h"
#include "mcp/stream_door.h"
#include "transport/limits.h"

#define PATH "/things/stream/7"
#define OFFER(ticket) "Sec-WebSocket-Protocol: things, ticket." ticket "\r\n"

enum { FLOOD_MAX = 1024 * 1024 * 1024, PIECE = 32 * 1024 };

/* One stream at a time: what the app sees of it. */
struct seen {
	struct tn_stream *stream;
	const struct tn_stream_ops *ops;
	unsigned ready, writable, closed;
};

static void *on_open(void *app, struct tn_str path, struct tn_str ticket, struct tn_stream *stream,
		     const struct tn_stream_ops *ops)
{
	struct seen *seen = app;

	if (!tn_str_is(path, "7") || !tn_str_is(ticket, "good"))
		return NULL;
	seen->stream = stream;
	seen->ops = ops;
	return seen;
}

static void on_ready(void *self)
{
	struct seen *seen = self;

	seen->ready++;
	seen->ops->send(seen->stream, TN_STR("welcome"), false);
}

/* "flood": more than the queue takes; "bye": closed; anything else comes back as it came. */
static void on_received(void *self, struct tn_str bytes, bool binary)
{
	static const char piece[PIECE] = {0};
	struct seen *seen = self;

	if (tn_str_is(bytes, "flood")) {
		for (size_t sent = 0; seen->ops->queued(seen->stream) <= TN_OUTPUT_QUEUE_MAX;
		     sent += PIECE) {
			tn_assert(sent < FLOOD_MAX); /* the system does not take it all */
			seen->ops->send(seen->stream, tn_str(piece, PIECE), true);
		}
	} else if (tn_str_is(bytes, "bye")) {
		seen->ops->close(seen->stream, 1000, "bye");
	} else {
		seen->ops->send(seen->stream, bytes, binary);
	}
}

static void on_writable(void *self)
{
	struct seen *seen = self;

	seen->writable++;
	tn_assert(seen->ops->queued(seen->stream) < TN_OUTPUT_QUEUE_MAX);
	seen->ops->send(seen->stream, TN_STR("relieved"), false);
}

static void on_closed(void *self)
{
	struct seen *seen = self;

	seen->closed++;
	seen->stream = NULL;
}

static struct seen seen;
static struct tn_stream_door door = {
	.prefix = "/things/stream/",
	.subprotocol = "things",
	.app_name = "things",
	.open = on_open,
	.ready = on_ready,
	.received = on_received,
	.writable = on_writable,
	.closed = on_closed,
	.app = &seen,
};

static void tell(struct tenon_call *call, void *data)
{
	char text[64];

	(void)data;
	(void)snprintf(text, sizeof(text), "ready %u writable %u closed %u", seen.ready,
		       seen.writable, seen.closed);
	tenon_call_reply_text(call, text);
}

static void turn_off(struct tenon_call *call, void *data)
{
	(void)data;
	(void)tn_server_set_app_off(call->server, "things", true);
	tenon_call_reply_text(call, "off");
}

static void rotate(struct tenon_call *call, void *data)
{
	(void)data;
	if (tenon_server_replace_token(call->server, DOOR_TOKEN, "another-token-0123456789",
				       NULL) != TENON_OK)
		tenon_call_fail(call, "not replaced");
	else
		tenon_call_reply_text(call, "rotated");
}

static const struct tenon_tool tell_tool = {.name = "tell", .call = tell};
static const struct tenon_tool off_tool = {.name = "turn_off", .call = turn_off};
static const struct tenon_tool rotate_tool = {.name = "rotate", .call = rotate};
static const struct tenon_tool *const tools[] = {&tell_tool, &off_tool, &rotate_tool, NULL};
static const struct tenon_app things = {.name = "things"};
static const struct tenon_app other = {.name = "other", .tools = tools};

static int set_up(void **state)
{
	struct door *d = door_create();

	seen = (struct seen){0};
	door.next = NULL;
	assert_int_equal(tenon_server_add_app(d->server, &things, NULL), TENON_OK);
	assert_int_equal(tenon_server_add_app(d->server, &other, NULL), TENON_OK);
	tn_stream_door_add(d->server, &door);
	(void)door_listen(d, &(struct tenon_http_options){.token = NULL}, NULL);
	door_run(d);
	*state = d;
	return 0;
}

static int tear_down(void **state)
{
	door_close(*state);
	return 0;
}

/* ---- frames ---- */

static void say(int fd, unsigned kind, const char *bytes, size_t size)
{
	unsigned char head[8] = {(unsigned char)(0x80 | kind), 0x80 | 126,
				 (unsigned char)(size >> 8), (unsigned char)size};
	unsigned char little[6] = {(unsigned char)(0x80 | kind), (unsigned char)(0x80 | size)};

	if (size < 126)
		door_send(fd, little, sizeof(little));
	else
		door_send(fd, head, sizeof(head));
	door_send(fd, bytes, size);
}

static void say_text(int fd, const char *text)
{
	say(fd, 1, text, strlen(text));
}

static int enter(struct door *d)
{
	int fd = door_upgrade(d, d->port, PATH, OFFER("good"));
	char protocol[32];

	assert_true(fd >= 0);
	assert_string_equal(door_header(d, "Sec-WebSocket-Protocol", protocol, sizeof(protocol)),
			    "things");
	assert_string_equal(door_hear(d, fd), "welcome");
	return fd;
}

static void call(struct door *d, const char *tool, const char *wanted)
{
	char body[256];

	(void)snprintf(body, sizeof(body),
		       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
		       "\"name\":\"%s\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
		       "\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
		       tool);
	char headers[512];

	(void)snprintf(headers, sizeof(headers),
		       DOOR_AUTH "Accept: application/json, text/event-stream\r\n"
				 "MCP-Protocol-Version: 2026-07-28\r\n"
				 "Mcp-Method: tools/call\r\nMcp-Name: %s\r\n",
		       tool);
	(void)door_post(d, d->port, "/mcp", headers, body);
	if (!door_replied(d, wanted))
		fail_msg("%s: wanted %s, got %s", tool, wanted, d->reply.data);
}

/* ---- tests ---- */

static void expect_refused(struct door *d, const char *path, const char *headers,
			   const char *status)
{
	assert_int_equal(door_upgrade(d, d->port, path, headers), -1);
	if (!door_replied(d, status))
		fail_msg("%s: wanted %s, got %s", path, status, d->reply.data);
}

/* terminal.md section 11: a ticket opens it, nothing else; no token is asked for, none helps. */
static void test_who_comes_in(void **state)
{
	struct door *d = *state;
	int fd = enter(d);

	(void)close(fd);
	expect_refused(d, PATH, OFFER("bad"), " 403 ");
	expect_refused(d, PATH, OFFER("bad") DOOR_AUTH, " 403 ");
	expect_refused(d, PATH, "Sec-WebSocket-Protocol: things\r\n", " 403 ");
	expect_refused(d, PATH, "", " 400 ");
	expect_refused(d, PATH, "Sec-WebSocket-Protocol: mcp, ticket.good\r\n", " 400 ");
	expect_refused(d, "/things/stream/8", OFFER("good"), " 403 ");
	expect_refused(d, "/things/stream", OFFER("good"), " 404 ");
	expect_refused(d, "/things/stream/7?ticket=good", "Sec-WebSocket-Protocol: things\r\n",
		       " 403 ");
}

/* The same guard as everywhere: a web page elsewhere cannot come in, whatever ticket it has. */
static void test_origin(void **state)
{
	struct door *d = *state;

	expect_refused(d, PATH, OFFER("good") "Origin: https://evil.example\r\n", " 403 ");
	expect_refused(d, PATH, OFFER("good") "Sec-Fetch-Site: cross-site\r\n", " 403 ");
	assert_int_equal(seen.ready, 0);
}

static void test_no_upgrade(void **state)
{
	struct door *d = *state;

	assert_int_equal(door_ask(d, d->port, DOOR_HEAD("GET " PATH) "\r\n"), 426);
	assert_int_equal(door_ask(d, d->port, DOOR_HEAD("DELETE " PATH) "\r\n"), 405);
	assert_int_equal(door_post(d, d->port, PATH, DOOR_AUTH DOOR_JSON, "{\"jsonrpc\":\"2.0\"}"),
			 405);
}

static void test_both_kinds(void **state)
{
	struct door *d = *state;
	int fd = enter(d);

	say_text(fd, "hello");
	assert_string_equal(door_hear(d, fd), "hello");
	say(fd, 2, "\xFF\x1B\x80", 4);
	(void)door_hear(d, fd);
	assert_int_equal(d->reply.size, 4);
	assert_memory_equal(d->reply.data, "\xFF\x1B\x80", 4);
	say(fd, 1, "\xFF", 1); /* a text that is none */
	assert_string_equal(door_hear(d, fd), "close 1007");
	(void)close(fd);
	call(d, "tell", "closed 1");
}

static void test_too_large(void **state)
{
	struct door *d = *state;
	int fd = enter(d);
	unsigned char head[14] = {0x82, 0x80 | 127, 0, 0, 0, 0, 0, 4, 0, 1}; /* 256 KiB and one */

	door_send(fd, head, sizeof(head));
	assert_string_equal(door_hear(d, fd), "close 1009");
	(void)close(fd);
}

/* What the app sends beyond the queue is not lost, and it is told when there is room again. */
static void test_flood(void **state)
{
	struct door *d = *state;
	int fd = enter(d);
	static const char end[] = "\x81\x08relieved";
	char chunk[65536], tail[sizeof(end) - 1] = "";

	say_text(fd, "flood");
	call(d, "tell", "ready 1 writable 0"); /* it has been said before anything is read */
	while (memcmp(tail, end, sizeof(tail)) != 0) {
		ssize_t got = read(fd, chunk, sizeof(chunk));

		assert_true(got > 0);
		for (ssize_t i = 0; i < got; i++) {
			memmove(tail, tail + 1, sizeof(tail) - 1);
			tail[sizeof(tail) - 1] = chunk[i];
		}
	}
	say_text(fd, "bye");
	call(d, "tell", "writable ");
	assert_false(door_replied(d, "writable 0"));
	(void)close(fd);
}

static void test_closed_by_app(void **state)
{
	struct door *d = *state;
	int fd = enter(d);

	say_text(fd, "bye");
	assert_string_equal(door_hear(d, fd), "close 1000");
	(void)close(fd);
	call(d, "tell", "ready 1 writable 0 closed 1");
}

static void test_app_is_off(void **state)
{
	struct door *d = *state;

	call(d, "turn_off", "off");
	expect_refused(d, PATH, OFFER("good"), " 404 ");
}

/* workbench.md T8: whoever came in under the old token is out. */
static void test_token_replaced(void **state)
{
	struct door *d = *state;
	int fd = enter(d);

	call(d, "rotate", "");
	assert_string_equal(door_hear(d, fd), "close 1008");
	(void)close(fd);
}

/* A stream that is open does not hold the server's end up. */
static void test_server_stops(void **state)
{
	struct door *d = *state;
	int fd = enter(d);

	tenon_server_stop(d->server);
	assert_string_equal(door_hear(d, fd), "close 1001");
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_who_comes_in, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_origin, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_upgrade, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_both_kinds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_large, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_flood, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_closed_by_app, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_app_is_off, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_token_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_server_stops, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
