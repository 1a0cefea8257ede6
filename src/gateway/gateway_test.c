/* The gateway between a client and a server, all in one process: the loop on a thread, both peers
 * on real sockets (workbench.md S16-S18, T13, T14, T18, T20, A3). */
#include "gateway/gateway.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "gateway/limits.h"

enum { TEXT_MAX = 1 << 20 };

struct stage {
	struct tn_loop *loop;
	struct tn_wakeup *stop, *allow;
	struct tn_gateway *gateway;
	pthread_t thread;
	int listener; /* the upstream's */
	uint16_t port;
	unsigned refuse_code; /* of the next page; 0: it is let in */
};

static void stop(struct tn_wakeup *wakeup, void *data)
{
	struct stage *stage = data;

	(void)wakeup;
	tn_loop_stop(stage->loop);
}

static void allow_page(struct tn_wakeup *wakeup, void *data)
{
	struct stage *stage = data;

	(void)wakeup;
	assert_int_equal(tn_gateway_allow(stage->gateway, TN_STR("http://127.0.0.1:5173"), NULL),
			 TENON_OK);
}

static void *run(void *data)
{
	struct stage *stage = data;

	tn_loop_run(stage->loop);
	return NULL;
}

static bool opened(void *data, struct tn_channel *channel, unsigned *ret_code)
{
	struct stage *stage = data;

	tn_channel_set_user(channel, stage);
	*ret_code = stage->refuse_code;
	return !stage->refuse_code;
}

/* An echo, and an end on request. */
static void message(void *data, struct tn_channel *channel, struct tn_str text)
{
	(void)data;
	uint64_t until = tn_clock_now_us(&tn_clock_system) + 20000;

	if (tn_str_is(text, "work"))
		while (tn_clock_now_us(&tn_clock_system) < until)
			;
	if (tn_str_is(text, "bye"))
		tn_channel_close(channel, 4401);
	else
		tn_channel_send(channel, text);
}

static void closed(void *data, struct tn_channel *channel)
{
	(void)data;
	(void)channel;
}

static const struct tn_gateway_events events = {opened, message, closed};

static int listen_upstream(uint16_t *ret_port)
{
	struct sockaddr_in here = {.sin_family = AF_INET};
	socklen_t size = sizeof(here);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&here, size), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&here, &size), 0);
	*ret_port = ntohs(here.sin_port);
	return fd;
}

static struct stage the_stage;

static int set_up(void **state)
{
	struct stage *stage = &the_stage;
	struct tn_gateway_options options = {.session_id = "session_1",
					     .key = "K</script>",
					     .adapter = TN_STR("adapter()"),
					     .events = &events,
					     .data = &the_stage};
	char upstream[64];

	*stage = (struct stage){.refuse_code = 0};
	stage->listener = listen_upstream(&stage->port);
	(void)snprintf(upstream, sizeof(upstream), "http://localhost:%u", stage->port);
	options.upstream = upstream;
	assert_int_equal(tn_loop_create(&stage->loop, NULL), TENON_OK);
	assert_int_equal(tn_wakeup_open(stage->loop, stop, stage, &stage->stop, NULL), TENON_OK);
	assert_int_equal(tn_wakeup_open(stage->loop, allow_page, stage, &stage->allow, NULL),
			 TENON_OK);
	assert_int_equal(tn_gateway_open(stage->loop, &options, &stage->gateway, NULL), TENON_OK);
	assert_int_equal(pthread_create(&stage->thread, NULL, run, stage), 0);
	*state = stage;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *stage = *state;

	tn_wakeup_send(stage->stop);
	assert_int_equal(pthread_join(stage->thread, NULL), 0);
	tn_gateway_close(stage->gateway);
	tn_wakeup_close(stage->stop);
	tn_wakeup_close(stage->allow);
	tn_loop_destroy(stage->loop);
	(void)close(stage->listener);
	return 0;
}

static void give_patience(int fd)
{
	const struct timeval patience = {.tv_sec = 10};

	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
}

static int connect_client(const struct stage *stage)
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	uint64_t port = 0;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(tn_str_to_uint(tn_str_from(strrchr(tn_gateway_origin(stage->gateway), ':') + 1),
				   &port));
	to.sin_port = htons((uint16_t)port);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	give_patience(fd);
	return fd;
}

static void say(int fd, const char *text)
{
	size_t size = strlen(text);

	assert_int_equal(send(fd, text, size, MSG_NOSIGNAL), (ssize_t)size);
}

static int accept_upstream(const struct stage *stage)
{
	int fd;

	give_patience(stage->listener);
	fd = accept(stage->listener, NULL, NULL);
	assert_true(fd >= 0);
	give_patience(fd);
	return fd;
}

static char heard[TEXT_MAX];
static char block[1 << 16];

/* Until `end` has come, or (NULL) the peer's end. */
static const char *hear(int fd, const char *end)
{
	size_t size = 0;
	ssize_t got = 1;

	heard[0] = '\0';
	while (got > 0 && !(end && strstr(heard, end))) {
		got = recv(fd, heard + size, sizeof(heard) - 1 - size, 0);
		if (got < 0)
			fail_msg("nothing more came behind: %s", heard);
		size += (size_t)got;
		heard[size] = '\0';
	}
	return heard;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no %s in %s", part, text);
}

/* Asks, answers as the server, and returns what the client got. */
static const char *exchange(const struct stage *stage, const char *request, const char *answer)
{
	int client = connect_client(stage), server;
	const char *got;

	say(client, request);
	server = accept_upstream(stage);
	assert_has(hear(server, "\r\n\r\n"), "Host: localhost:");
	say(server, answer);
	(void)close(server);
	got = hear(client, NULL);
	(void)close(client);
	return got;
}

static const char *ask(const struct stage *stage, const char *request)
{
	int client = connect_client(stage);
	const char *got;

	say(client, request);
	got = hear(client, NULL);
	(void)close(client);
	return got;
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

static void a_page_gets_the_block_and_the_script(void **state)
{
	const char *got = exchange(*state, GET("/"),
				   "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
				   "Content-Length: 31\r\n\r\n<!doctype html><head><title>t</");

	assert_has(got, "Transfer-Encoding: chunked\r\n");
	assert_has(got, "<!doctype html><head><script type=\"application/json\" "
			"id=\"skaffa-rt-config\">{\"protocol\":\"v0\",\"sessionId\":\"session_1\","
			"\"channelUrl\":\"ws://127.0.0.1:");
	assert_has(got, "\"key\":\"K\\u003c/script>\"}</script><script nonce=\"");
	assert_has(got, "src=\"/__skaffa/adapter.js\"></script><title>t</");
	assert_has(got, "\r\n0\r\n\r\n");
}

static void other_answers_pass_byte_for_byte(void **state)
{
	assert_has(exchange(*state, GET("/a.js"),
			    "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n"
			    "Transfer-Encoding: chunked\r\n\r\n5\r\n<head\r\n0\r\n\r\n"),
		   "\r\n\r\n5\r\n<head\r\n0\r\n\r\n");
	assert_has(exchange(*state, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n",
			    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\n"
			    "\r\n"),
		   "Content-Length: 7\r\nConnection: close\r\n\r\n");
}

/* RFC 9110 section 15.2: heads that announce another, each as it comes. */
static void early_hints_are_not_the_answer(void **state)
{
	struct stage *stage = *state;
	int client = connect_client(stage), server;

	say(client, GET("/"));
	server = accept_upstream(stage);
	(void)hear(server, "\r\n\r\n");
	say(server, "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n");
	(void)usleep(50000);
	say(server,
	    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	assert_string_equal(hear(client, NULL),
			    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
	(void)close(server);
	(void)close(client);
}

/* A page whose beginning were looked for again for each chunk of one byte would take seconds. */
static void small_chunks_are_looked_at_together(void **state)
{
	struct stage *stage = *state;
	int client = connect_client(stage), server;
	char chunks[6 * 1024 + 1];

	for (size_t i = 0; i < sizeof(chunks) - 1; i += 6)
		memcpy(chunks + i, "1\r\n \r\n", 6);
	chunks[sizeof(chunks) - 1] = '\0';
	say(client, GET("/"));
	server = accept_upstream(stage);
	(void)hear(server, "\r\n\r\n");
	say(server,
	    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 60; i++)
		say(server, chunks);
	say(server, "0\r\n\r\n");
	assert_has(hear(client, NULL), "\r\n0\r\n\r\n");
	(void)close(server);
	(void)close(client);
}

static void an_answer_that_is_cut_is_not_made_whole(void **state)
{
	const char *got = exchange(*state, GET("/"),
				   "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
				   "Content-Length: 999\r\n\r\n<head>");

	assert_null(strstr(got, "\r\n0\r\n\r\n"));
	assert_has(exchange(*state, GET("/"), "what?"), "HTTP/1.1 502 ");
}

static void a_head_that_becomes_too_long_is_said_so(void **state)
{
	char answer[65000];
	size_t size = (size_t)snprintf(answer, sizeof(answer),
				       "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n");

	for (int header = 0; header < 5; header++) {
		size += (size_t)snprintf(answer + size, 64, "Content-Security-Policy: default-src");
		for (int i = 0; i < 950; i++)
			size += (size_t)snprintf(answer + size, 64, ",default-src");
		size += (size_t)snprintf(answer + size, 8, "\r\n");
	}
	(void)snprintf(answer + size, 8, "\r\n");
	assert_has(exchange(*state, GET("/"), answer), "HTTP/1.1 502 ");
}

static void our_own_paths_do_not_reach_the_server(void **state)
{
	const char *got = ask(*state, GET("/__skaffa/adapter.js"));

	assert_has(got, "X-Content-Type-Options: nosniff\r\n");
	assert_has(got, "\r\n\r\nadapter()");
	assert_has(ask(*state, GET("/__skaffa/secret")), "HTTP/1.1 404 ");
	assert_has(ask(*state, GET("/__skaffa/rt")), "HTTP/1.1 400 ");
}

/* S17, T13, T14, T18. */
#define TWO_SITES                                                       \
	"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: none\r\n" \
	"Sec-Fetch-Site: cross-site\r\n\r\n"

static void what_is_not_for_this_preview_is_refused(void **state)
{
	static const char *const forbidden[] = {
		"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1:7777\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\n\r\n",
		TWO_SITES,
	};
	static const char *const wrong[] = {
		"CONNECT 127.0.0.1:7777 HTTP/1.1\r\nHost: 127.0.0.1:7777\r\n\r\n",
		"GET http://127.0.0.1:7777/mcp HTTP/1.1\r\nHost: 127.0.0.1:7777\r\n\r\n",
		"GET http://127.0.0.1/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
	};

	for (size_t i = 0; i < TN_COUNT(forbidden); i++)
		assert_has(ask(*state, forbidden[i]), "HTTP/1.1 403 ");
	for (size_t i = 0; i < TN_COUNT(wrong); i++)
		assert_has(ask(*state, wrong[i]), "HTTP/1.1 400 ");
}

static void a_server_that_is_not_there_is_said_so(void **state)
{
	struct stage *stage = *state;

	(void)close(stage->listener);
	stage->listener = -1;
	assert_has(ask(stage, GET("/")), "HTTP/1.1 502 ");
}

static void a_body_streams_through_and_a_slow_reader_holds_its_sender(void **state)
{
	struct stage *stage = *state;
	int client = connect_client(stage), server;
	size_t sent = 0, got = 0;

	memset(block, 'x', sizeof(block));
	say(client, "POST /up HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000000\r\n\r\n");
	server = accept_upstream(stage);
	(void)hear(server, "\r\n\r\n");
	/* Nobody reads: what fits into the sockets and our bounds goes, and no more. */
	for (ssize_t n = 1; n > 0; sent += n > 0 ? (size_t)n : 0) {
		n = send(client, block, sizeof(block), MSG_NOSIGNAL | MSG_DONTWAIT);
		for (int i = 0; n < 0 && i < 20; i++) {
			(void)usleep(10000);
			n = send(client, block, sizeof(block), MSG_NOSIGNAL | MSG_DONTWAIT);
		}
	}
	assert_true(sent < 50000000);
	while (got < sent) {
		ssize_t n = recv(server, block, sizeof(block), 0);

		assert_true(n > 0);
		got += (size_t)n;
	}
	assert_int_equal(got, sent);
	say(server, "HTTP/1.1 204 No Content\r\n\r\n");
	assert_has(hear(client, NULL), "HTTP/1.1 204 No Content\r\n");
	(void)close(server);
	(void)close(client);
}

#define UPGRADE(path, rest)                                                               \
	"GET " path " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive, Upgrade\r\n" \
	"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"                             \
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" rest "\r\n"

static const char channel_request[] =
	UPGRADE("/__skaffa/rt", "Sec-WebSocket-Protocol: skaffa-rt.v0\r\n");

/* Hot reload keeps working (S16). */
static void another_websocket_is_a_tunnel(void **state)
{
	struct stage *stage = *state;
	int client = connect_client(stage), server;

	say(client, UPGRADE("/vite", "Sec-WebSocket-Protocol: vite-hmr\r\n") "early");
	server = accept_upstream(stage);
	/* What follows waits for the server's word: until then it would be another request. */
	assert_has(hear(server, "\r\n\r\n"), "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
	assert_int_equal(recv(server, block, 1, MSG_DONTWAIT), -1);
	say(server, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
		    "Connection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\nfirst");
	assert_has(hear(client, "first"), "Sec-WebSocket-Accept: x\r\nConnection: Upgrade\r\n");
	assert_string_equal(hear(server, "early"), "early");
	say(client, "ping");
	assert_string_equal(hear(server, "ping"), "ping");
	say(server, "pong");
	assert_string_equal(hear(client, "pong"), "pong");
	(void)close(server);
	assert_string_equal(hear(client, NULL), "");
	(void)close(client);
}

static void what_follows_a_websocket_that_is_refused_is_no_request(void **state)
{
	struct stage *stage = *state;
	int client = connect_client(stage), server;

	say(client, UPGRADE("/vite", "") "GET /hidden HTTP/1.1\r\nHost: evil.example\r\n\r\n");
	server = accept_upstream(stage);
	assert_null(strstr(hear(server, "websocket\r\n\r\n"), "/hidden"));
	say(server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	assert_has(hear(client, NULL), "\r\n\r\nok");
	(void)close(client);
	assert_string_equal(hear(server, NULL), "");
	(void)close(server);
}

/* A frame of a client's, with a mask of zeros. */
static void say_frame(int fd, const char *text)
{
	char frame[256] = {(char)0x81, (char)(0x80 | strlen(text))};

	memcpy(frame + 6, text, strlen(text));
	assert_true(send(fd, frame, 6 + strlen(text), MSG_NOSIGNAL) > 0);
}

static void the_channel_carries_messages_and_ends_by_code(void **state)
{
	struct stage *stage = *state;
	int client = connect_client(stage);
	unsigned char end[4];

	say(client, UPGRADE("/__skaffa/rt", "Sec-WebSocket-Protocol: skaffa-rt.v0\r\n"));
	assert_has(hear(client, "\r\n\r\n"),
		   "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
		   "Sec-WebSocket-Protocol: skaffa-rt.v0\r\n");
	say_frame(client, "hello");
	assert_string_equal(hear(client, "hello"), "\x81\x05hello");
	say_frame(client, "bye");
	assert_int_equal(recv(client, end, 4, MSG_WAITALL), 4);
	assert_int_equal(end[0], 0x88);
	assert_int_equal(end[2] << 8 | end[3], 4401);
	(void)close(client);
}

static void a_channel_of_a_foreign_page_or_another_protocol_is_refused(void **state)
{
	struct stage *stage = *state;
	unsigned char end[4];
	int client;

	assert_has(ask(stage, UPGRADE("/__skaffa/rt", "Origin: http://evil.example\r\n"
						      "Sec-WebSocket-Protocol: skaffa-rt.v0\r\n")),
		   "HTTP/1.1 403 ");
	assert_has(ask(stage, UPGRADE("/__skaffa/rt", "Sec-WebSocket-Protocol: mcp\r\n")),
		   "HTTP/1.1 400 ");
	stage->refuse_code = 4409;
	client = connect_client(stage);
	say(client, UPGRADE("/__skaffa/rt", "Sec-WebSocket-Protocol: skaffa-rt.v0\r\n"));
	(void)hear(client, "\r\n\r\n");
	if (!strstr(heard, "\x88")) {
		assert_int_equal(recv(client, end, 4, MSG_WAITALL), 4);
		assert_int_equal(end[2] << 8 | end[3], 4409);
	}
	(void)close(client);
}

/* Section 0: the channel of a server of ours, whose pages come from its own port. */
static void pages_of_an_origin_that_is_allowed_have_the_channel(void **state)
{
	static const char theirs[] = UPGRADE(
		"/__skaffa/rt",
		"Origin: http://127.0.0.1:5173\r\nSec-WebSocket-Protocol: skaffa-rt.v0\r\n");
	uint64_t until = tn_clock_now_ms(&tn_clock_system) + 10000;
	struct stage *stage = *state;
	bool refused = true;

	assert_has(ask(stage, theirs), "HTTP/1.1 403 ");
	tn_wakeup_send(stage->allow);
	while (refused && tn_clock_now_ms(&tn_clock_system) < until) {
		int client = connect_client(stage);

		say(client, theirs);
		refused = strstr(hear(client, "\r\n\r\n"), "HTTP/1.1 101 ") == NULL;
		(void)close(client);
	}
	assert_false(refused);
	assert_has(ask(stage, UPGRADE("/__skaffa/rt", "Origin: http://127.0.0.1:5174\r\n"
						      "Sec-WebSocket-Protocol: skaffa-rt.v0\r\n")),
		   "HTTP/1.1 403 ");
}

/* What a page asks for at once takes a quarter of the loop at most, on however many channels. */
static void a_busy_page_leaves_the_loop_to_others(void **state)
{
	struct stage *stage = *state;
	uint64_t before = tn_clock_now_us(&tn_clock_system);
	int clients[4];

	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		clients[i] = connect_client(stage);
		say(clients[i], channel_request);
		(void)hear(clients[i], "\r\n\r\n");
	}
	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		say_frame(clients[i], "work");
		say_frame(clients[i], "work");
		say_frame(clients[i], "end");
	}
	for (size_t i = 0; i < TN_COUNT(clients); i++)
		(void)hear(clients[i], "end");
	/* 160 ms of work; what comes first waits for nothing. */
	assert_true(tn_clock_now_us(&tn_clock_system) - before > 400000);
	for (size_t i = 0; i < TN_COUNT(clients); i++)
		(void)close(clients[i]);
}

/* Whoever is refused has its socket until it has ended, and counts as long. */
static void channels_count_as_connections(void **state)
{
	struct stage *stage = *state;
	int clients[TN_GATEWAY_CONNECTIONS_MAX + 8];
	int refused = 0;

	stage->refuse_code = 1013;
	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		char first[4] = {0};

		clients[i] = connect_client(stage);
		(void)send(clients[i], channel_request, strlen(channel_request), MSG_NOSIGNAL);
		refused += recv(clients[i], first, sizeof(first), MSG_WAITALL) <= 0;
	}
	assert_in_range(refused, 1, TN_COUNT(clients) / 2);
	for (size_t i = 0; i < TN_COUNT(clients); i++)
		(void)close(clients[i]);
}

/* The program has other work: a quarter of its descriptors is not for previews. */
static void descriptors_are_left_for_others(void **state)
{
	struct stage *stage = *state;
	struct rlimit before, few;
	int clients[1000], low = dup(stage->listener), spare = low + 16;
	size_t count = 2 * (size_t)low + 36; /* with their other ends they are more than all */
	char byte;

	assert_in_range(low, 0, 400);
	(void)close(low);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 4 * (rlim_t)spare;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (size_t i = 0; i < count; i++)
		clients[i] = connect_client(stage);
	assert_int_equal(recv(clients[count - 1], &byte, 1, 0), 0);
	low = dup(stage->listener);
	assert_true(low >= 0);
	(void)close(low);
	for (size_t i = 0; i < count; i++)
		(void)close(clients[i]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void only_servers_of_this_machine_that_need_no_look_up_are_upstreams(void **state)
{
	static const char *const bad[] = {"ftp://localhost:1",   "ws://localhost:1",
					  "localhost:1",         "http://example.org",
					  "https://example.org", "https://192.0.2.1"};
	struct stage *stage = *state;

	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		struct tn_gateway_options options = {.upstream = bad[i], .events = &events};
		struct tn_gateway *gateway = NULL;

		assert_int_equal(tn_gateway_open(stage->loop, &options, &gateway, NULL),
				 TENON_INVALID);
		assert_null(gateway);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_page_gets_the_block_and_the_script),
		TEST(other_answers_pass_byte_for_byte),
		TEST(early_hints_are_not_the_answer),
		TEST(small_chunks_are_looked_at_together),
		TEST(an_answer_that_is_cut_is_not_made_whole),
		TEST(a_head_that_becomes_too_long_is_said_so),
		TEST(our_own_paths_do_not_reach_the_server),
		TEST(what_is_not_for_this_preview_is_refused),
		TEST(a_server_that_is_not_there_is_said_so),
		TEST(a_body_streams_through_and_a_slow_reader_holds_its_sender),
		TEST(another_websocket_is_a_tunnel),
		TEST(what_follows_a_websocket_that_is_refused_is_no_request),
		TEST(the_channel_carries_messages_and_ends_by_code),
		TEST(a_channel_of_a_foreign_page_or_another_protocol_is_refused),
		TEST(pages_of_an_origin_that_is_allowed_have_the_channel),
		TEST(a_busy_page_leaves_the_loop_to_others),
		TEST(channels_count_as_connections),
		TEST(descriptors_are_left_for_others),
		TEST(only_servers_of_this_machine_that_need_no_look_up_are_upstreams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
