/* An HTTP listener from outside, over a real port: what it refuses, in which words, and what it
 * keeps for clients that come back. */
#include <arpa/inet.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "serve/http_post.h"
#include "mcp/call.h"
#include "mcp/server.h"
#include "serve/limits.h"
#include "tenon/server.h"

enum { REPLY_MAX = 8 * 1024 * 1024, WAIT_S = 30 };

#define TOKEN "0123456789abcdef"

struct bench {
	struct tenon_server *server;
	pthread_t thread;
	enum tenon_code code;
	unsigned port;
	struct tn_buf reply; /* the last one */
	size_t replay_bytes; /* as `look` has seen it */
};

/* ---- the server ---- */

/* So many log lines of so many bytes. */
static void chatter(struct tenon_call *call, void *data)
{
	char line[40001];
	int64_t count = 0, size = 0;

	(void)data;
	tn_assert(tenon_call_int(call, "count", &count) && tenon_call_int(call, "size", &size) &&
		  size < (int64_t)sizeof(line));
	memset(line, 'x', (size_t)size);
	line[size] = '\0';
	for (int64_t i = 0; i < count; i++)
		tenon_call_log(call, TENON_LOG_WARNING, NULL, line);
	tenon_call_reply_text(call, "said");
}

static struct tn_http_session *session_of(struct tenon_call *call)
{
	return call->peer->transport;
}

static void look(struct tenon_call *call, void *data)
{
	struct bench *b = data;

	b->replay_bytes = session_of(call)->table->replay_bytes;
	tenon_call_reply_text(call, "seen");
}

/* As the sweep does it when so much time has passed since the streams ended. */
static void wait_long(struct tenon_call *call, void *data)
{
	uint64_t now = tn_server_now_ms(call->server);
	int64_t ms = 0;

	(void)data;
	tn_assert(tenon_call_int(call, "ms", &ms));
	tn_posts_expire(session_of(call), now + (uint64_t)ms);
	tenon_call_reply_text(call, "waited");
}

static void *run(void *data)
{
	struct bench *b = data;
	struct tenon_error err;

	b->code = tenon_server_run(b->server, &err);
	return NULL;
}

static void heard(const char *url, void *data)
{
	struct bench *b = data;

	assert_int_equal(sscanf(url, "http://127.0.0.1:%u", &b->port), 1);
}

static struct bench *open_bench(const struct tenon_http_options *wanted)
{
	static const struct tenon_server_options options = {.name = "t", .version = "1"};
	struct bench *b = tn_mem_alloc(sizeof(*b));
	static const char two[] =
		"{\"type\":\"object\",\"properties\":{"
		"\"count\":{\"type\":\"integer\",\"description\":\"how many\"},"
		"\"size\":{\"type\":\"integer\",\"description\":\"of how many bytes\"}}}";
	static const char one[] = "{\"type\":\"object\",\"properties\":{"
				  "\"ms\":{\"type\":\"integer\",\"description\":\"how long\"}}}";
	const struct tenon_tool tools[] = {
		{.name = "chatter", .description = "d", .input_schema = two, .call = chatter},
		{.name = "look", .description = "d", .call = look, .data = b},
		{.name = "wait", .description = "d", .input_schema = one, .call = wait_long},
	};
	struct tenon_http_options http = *wanted;
	struct tenon_error err = {0};

	assert_non_null(b);
	tn_buf_init(&b->reply, REPLY_MAX);
	http.listening = heard;
	http.data = b;
	assert_int_equal(tenon_server_create(&options, &b->server, &err), TENON_OK);
	for (size_t i = 0; i < TN_COUNT(tools); i++)
		assert_int_equal(tenon_server_add_tool(b->server, &tools[i], &err), TENON_OK);
	assert_int_equal(tenon_server_listen_http(b->server, &http, &err), TENON_OK);
	assert_int_equal(pthread_create(&b->thread, NULL, run, b), 0);
	return b;
}

static void close_bench(struct bench *b)
{
	tenon_server_stop(b->server);
	assert_int_equal(pthread_join(b->thread, NULL), 0);
	assert_int_equal(b->code, TENON_OK);
	tenon_server_destroy(b->server);
	tn_buf_finish(&b->reply);
	tn_mem_free(b);
}

static int set_up(void **state)
{
	*state = open_bench(&(struct tenon_http_options){.token = TOKEN});
	return 0;
}

static int tear_down(void **state)
{
	close_bench(*state);
	return 0;
}

/* ---- the client ---- */

/* Sends and reads up to the end, or `until`; returns the status. */
static unsigned ask_until(struct bench *b, const char *request, const char *until)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)b->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct timeval patience = {.tv_sec = WAIT_S};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ssize_t got;

	assert_true(fd >= 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
	tn_buf_clear(&b->reply);
	do {
		assert_true(tn_buf_reserve(&b->reply, 65537));
		got = recv(fd, b->reply.data + b->reply.size, 65536, 0);
		assert_true(got >= 0);
		b->reply.size += (size_t)got;
		b->reply.data[b->reply.size] = '\0';
	} while (got > 0 && !(until && strstr(b->reply.data, until)));
	(void)close(fd);
	assert_memory_equal(b->reply.data, "HTTP/1.1 ", 9);
	return (unsigned)strtoul(b->reply.data + 9, NULL, 10);
}

static unsigned ask(struct bench *b, const char *request)
{
	return ask_until(b, request, NULL);
}

/* ---- refusals ---- */

#define HEAD(line) line " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
#define AUTH "Authorization: Bearer " TOKEN "\r\n"
#define JSON "Content-Type: application/json\r\n"
#define EVENTS "Accept: text/event-stream\r\n"
#define BODY(text, size) "Content-Length: " size "\r\n\r\n" text
#define UPGRADE(headers)                                                                         \
	"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n" AUTH "Connection: close, upgrade\r\nUpgrade: " \
	"websocket\r\n" headers "\r\n"

static const struct {
	const char *request;
	unsigned status;
	int code;
	const char *message;
} refused[] = {
	{HEAD("GET /nowhere") "\r\n", 404, -32600, "No such path"},
	{"GET /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 403, -32600,
	 "Host or Origin is not allowed"},
	{HEAD("GET /mcp") "Origin: https://evil.example\r\n\r\n", 403, -32600,
	 "Host or Origin is not allowed"},
	{HEAD("GET /mcp") "\r\n", 401, -32600, "Send the token as Authorization: Bearer <token>"},
	{HEAD("PUT /mcp") AUTH "\r\n", 405, -32600, "Method not allowed"},
	{HEAD("POST /sse") AUTH "\r\n", 405, -32600, "Method not allowed"},
	{HEAD("POST /mcp") AUTH BODY("{}", "2"), 415, -32600,
	 "Content-Type must be application/json"},
	{HEAD("POST /mcp") AUTH JSON "Accept: text/html\r\n" BODY("{}", "2"), 406, -32600,
	 "Accept application/json and text/event-stream"},
	{HEAD("GET /mcp") AUTH "Accept: application/json\r\n\r\n", 406, -32600,
	 "Accept application/json and text/event-stream"},
	{HEAD("GET /mcp") AUTH EVENTS "\r\n", 400, -32600, "Mcp-Session-Id is missing"},
	{HEAD("DELETE /mcp") AUTH "\r\n", 400, -32600, "Mcp-Session-Id is missing"},
	{HEAD("DELETE /mcp") AUTH "Mcp-Session-Id: x\r\n\r\n", 404, -32600,
	 "Session not found; send initialize to open a new one"},
	{HEAD("POST /mcp") AUTH JSON BODY("{", "1"), 400, -32700,
	 "Parse error: an unfinished value at byte 1"},
	{HEAD("POST /messages") AUTH JSON BODY("{}", "2"), 400, -32600,
	 "sessionId is missing; GET the event stream first"},
	{HEAD("POST /messages?sessionId=x") AUTH JSON BODY("{}", "2"), 404, -32600,
	 "Session not found; open a new event stream"},
	{HEAD("GET /ws") AUTH "\r\n", 426, -32600,
	 "This is a WebSocket endpoint: send Upgrade: websocket"},
	{UPGRADE("Sec-WebSocket-Version: 8\r\n"), 426, -32600, "Sec-WebSocket-Version must be 13"},
	{UPGRADE("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n"), 400, -32600,
	 "Sec-WebSocket-Key must be 16 bytes in base64"},
	{UPGRADE("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		 "Sec-WebSocket-Protocol: soap\r\n"),
	 400, -32600, "Offer the subprotocol mcp, or none"},
	{HEAD("POST /mcp") "Content-Length: x\r\n\r\n", 400, -32600,
	 "Content-Length is not a number"},
};

static void expect_refused(struct bench *b, const char *request, unsigned status, int code,
			   const char *message)
{
	char body[256];

	(void)snprintf(body, sizeof(body),
		       "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}}", code,
		       message);
	if (ask(b, request) != status || !tn_str_ends(tn_buf_str(&b->reply), tn_str_from(body)))
		fail_msg("wanted: %u %s; got: %s", status, body, b->reply.data);
	assert_non_null(strstr(b->reply.data, "\r\nContent-Type: application/json\r\n"));
}

static void test_refusals(void **state) /* MCP-015, MCP-032, MCP-104 */
{
	struct bench *b = *state;

	for (size_t i = 0; i < TN_COUNT(refused); i++)
		expect_refused(b, refused[i].request, refused[i].status, refused[i].code,
			       refused[i].message);
}

/* ---- sessions ---- */

#define INITIALIZE                                                                                 \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":" \
	"\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}"

static unsigned post(struct bench *b, const char *session, const char *accept, const char *json)
{
	char request[2048];

	(void)snprintf(request, sizeof(request),
		       HEAD("POST /mcp") AUTH JSON
		       "Accept: %s\r\n%s%s%sContent-Length: %zu\r\n\r\n%s",
		       accept, session ? "Mcp-Session-Id: " : "", session ? session : "",
		       session ? "\r\n" : "", strlen(json), json);
	return ask(b, request);
}

static void open_session(struct bench *b, char *id, size_t size)
{
	static const char name[] = "\r\nMcp-Session-Id: ";
	const char *at, *end;

	assert_int_equal(post(b, NULL, "application/json, text/event-stream", INITIALIZE), 200);
	at = strstr(b->reply.data, name);
	assert_non_null(at);
	at += strlen(name);
	end = strstr(at, "\r\n");
	assert_true((size_t)(end - at) < size);
	(void)snprintf(id, size, "%.*s", (int)(end - at), at);
	assert_int_equal(post(b, id, "application/json, text/event-stream",
			      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
			 202);
}

/* A call whose messages come as a stream with ids; returns the stream's number. */
static unsigned long talk(struct bench *b, const char *session, unsigned count, unsigned size)
{
	char json[256];
	const char *id;

	(void)snprintf(
		json, sizeof(json),
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"
		"\"chatter\",\"arguments\":{\"count\":%u,\"size\":%u}}}",
		count, size);
	assert_int_equal(post(b, session, "application/json, text/event-stream", json), 200);
	id = strstr(b->reply.data, "id: ");
	if (!id)
		fail_msg("%s", b->reply.data);
	return strtoul(id + 4, NULL, 16);
}

static void call_tool(struct bench *b, const char *session, const char *name, const char *arguments)
{
	char json[256];

	(void)snprintf(
		json, sizeof(json),
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
		"\"%s\",\"arguments\":%s}}",
		name, arguments);
	assert_int_equal(post(b, session, "application/json", json), 200);
}

static unsigned resume(struct bench *b, const char *session, const char *last, const char *until)
{
	char request[512];

	(void)snprintf(request, sizeof(request),
		       HEAD("GET /mcp") AUTH EVENTS
		       "Mcp-Session-Id: %s\r\nLast-Event-ID: %s\r\n\r\n",
		       session, last);
	return ask_until(b, request, until);
}

/* How many events came, and the number of the first. */
static unsigned count_events(const struct bench *b, unsigned long *ret_first)
{
	unsigned count = 0;

	for (const char *at = strstr(b->reply.data, "\nid: "); at; at = strstr(at + 1, "\nid: ")) {
		const char *dash = strchr(at, '-');

		assert_non_null(dash);
		if (count++ == 0)
			*ret_first = strtoul(dash + 1, NULL, 16);
	}
	return count;
}

static void test_replay_is_bounded(void **state) /* MCP-150 */
{
	struct bench *b = *state;
	unsigned long first = 0, stream;
	char id[64], place[64];
	unsigned count;

	open_session(b, id, sizeof(id));
	/* By number: the last 256 of 301, the answer among them. */
	stream = talk(b, id, 300, 10);
	assert_int_equal(count_events(b, &first), 302); /* and the priming one */
	assert_int_equal(first, 0);
	(void)snprintf(place, sizeof(place), "%lx-0", stream);
	assert_int_equal(resume(b, id, place, NULL), 200);
	assert_int_equal(count_events(b, &first), TN_REPLAY_EVENTS_MAX);
	assert_int_equal(first, 302 - TN_REPLAY_EVENTS_MAX);
	assert_non_null(strstr(b->reply.data, "\"said\""));
	/* By bytes: of 2 MB the last one. */
	stream = talk(b, id, 50, 40000);
	(void)snprintf(place, sizeof(place), "%lx-0", stream);
	assert_int_equal(resume(b, id, place, NULL), 200);
	count = count_events(b, &first);
	assert_in_range(count, 20, TN_REPLAY_BYTES_MAX / 40000 + 1);
	assert_int_equal(first, 52 - count);
	assert_non_null(strstr(b->reply.data, "\"said\""));
	call_tool(b, id, "look", "{}");
	assert_in_range(b->replay_bytes, TN_REPLAY_BYTES_MAX / 2, 2 * TN_REPLAY_BYTES_MAX);
}

static void test_replay_of_all(void **state) /* MCP-150 */
{
	struct bench *b = *state;
	unsigned long first = 0, stream = 0;
	char id[64], place[64];

	open_session(b, id, sizeof(id));
	for (unsigned i = 0; i < TN_REPLAY_TOTAL_MAX / TN_REPLAY_BYTES_MAX + 3; i++)
		stream = talk(b, id, 27, 40000);
	call_tool(b, id, "look", "{}");
	assert_in_range(b->replay_bytes, TN_REPLAY_TOTAL_MAX - TN_REPLAY_BYTES_MAX,
			TN_REPLAY_TOTAL_MAX);
	/* The newest stream has lost its beginning, not its end. */
	(void)snprintf(place, sizeof(place), "%lx-0", stream);
	assert_int_equal(resume(b, id, place, NULL), 200);
	assert_true(count_events(b, &first) > 0);
	assert_non_null(strstr(b->reply.data, "\"said\""));
}

static void test_replay_expires(void **state) /* MCP-149, MCP-150 */
{
	struct bench *b = *state;
	unsigned long first, stream;
	char id[64], place[64], ms[64];

	open_session(b, id, sizeof(id));
	stream = talk(b, id, 3, 10);
	(void)snprintf(place, sizeof(place), "%lx-0", stream);
	(void)snprintf(ms, sizeof(ms), "{\"ms\":%d}", TN_REPLAY_AFTER_END_MS - 5000);
	call_tool(b, id, "wait", ms);
	assert_int_equal(resume(b, id, place, NULL), 200);
	assert_int_equal(count_events(b, &first), 4);
	(void)snprintf(ms, sizeof(ms), "{\"ms\":%d}", TN_REPLAY_AFTER_END_MS);
	call_tool(b, id, "wait", ms);
	call_tool(b, id, "look", "{}");
	assert_int_equal(b->replay_bytes, 0);
	/* What is lost is not sent again: a live stream. */
	assert_int_equal(resume(b, id, place, "\r\n\r\n"), 200);
	assert_int_equal(count_events(b, &first), 0);
	/* What never was is refused. */
	assert_int_equal(resume(b, id, "99-0", NULL), 400);
	assert_non_null(strstr(b->reply.data, "\"Last-Event-ID is none of this session's\""));
	assert_int_equal(resume(b, id, "nonsense", NULL), 400);
	assert_non_null(strstr(b->reply.data, "\"Last-Event-ID is none of this session's\""));
}

static void test_version_of_a_session(void **state)
{
	struct bench *b = *state;
	char id[64], request[512];

	open_session(b, id, sizeof(id));
	(void)snprintf(request, sizeof(request),
		       HEAD("GET /mcp") AUTH EVENTS
		       "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2026-07-28\r\n\r\n",
		       id);
	expect_refused(b, request, 400, -32600, "MCP-Protocol-Version: unsupported version");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_replay_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_replay_of_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_replay_expires, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_version_of_a_session, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("http_door", tests, NULL, NULL);
}
