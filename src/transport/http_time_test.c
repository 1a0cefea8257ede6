/* Deadlines, caps and the end of the server: nothing waits for ever and nothing grows for ever. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "transport/http_test_kit.h"

#define OK "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n"

static struct tn_http_limits quick(void)
{
	struct tn_http_limits limits;

	tn_http_limits_default(&limits);
	limits.headers_timeout_ms = 150;
	limits.body_timeout_ms = 150;
	limits.idle_ms = 300;
	limits.linger_ms = 200;
	return limits;
}

static int open_quick(void **state)
{
	const struct tn_http_limits limits = quick();

	*state = kit_open("127.0.0.1", &limits);
	return 0;
}

static int close_kit(void **state)
{
	kit_close(*state);
	return 0;
}

/* One byte after the other until there is an answer, however late. */
static void drip(int fd)
{
	for (unsigned i = 0; i < KIT_WAIT_MS / 30; i++) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};

		kit_send_text(fd, "a");
		if (poll(&ready, 1, 30) == 1)
			return;
	}
	fail_msg("bytes that keep coming buy more time");
}

/* Slow-loris. */
static void test_slow_headers(void **state)
{
	uint64_t began = kit_now_ms();
	int fd = kit_dial(*state);

	kit_send_text(fd, "GET /echo HTTP/1.1\r\nX: ");
	drip(fd);
	assert_int_equal(kit_answer(fd, NULL), 408);
	assert_true(kit_now_ms() - began >= 140);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

/* Also for the second request of a connection, and for one that was read together with another. */
static void test_slow_headers_behind_a_request(void **state)
{
	int fd = kit_dial(*state);

	kit_send_text(fd, OK "GET /ec");
	assert_int_equal(kit_answer(fd, NULL), 200);
	assert_int_equal(kit_answer(fd, NULL), 408);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

static void test_slow_body(void **state)
{
	int fd = kit_dial(*state);

	kit_send_text(fd, "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
	drip(fd);
	assert_int_equal(kit_answer(fd, NULL), 408);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

/* Whether the body was sent as it should be: a machine that is busy may keep us from it. */
static bool send_in_time(int fd, unsigned pieces, unsigned period_ms)
{
	uint64_t sent = kit_now_ms();
	char piece[2000] = {0};
	bool in_time = true;

	for (unsigned i = 0; i < pieces; i++) {
		kit_send(fd, piece, sizeof(piece));
		in_time = in_time && kit_now_ms() - sent < period_ms / 2;
		sent = kit_now_ms();
		(void)usleep(100000);
	}
	return in_time;
}

static void test_body_that_comes_fast_enough(void **state)
{
	enum { PIECES = 25, PERIOD_MS = 1000 };
	struct tn_http_limits limits = quick();
	bool in_time = false;
	struct kit *kit;

	(void)state;
	limits.body_timeout_ms = PERIOD_MS;
	kit = kit_open("127.0.0.1", &limits);
	for (unsigned i = 0; i < 100 && !in_time; i++) {
		int fd = kit_dial(kit);

		/* More than two periods at more than 1 KiB/s. */
		kit_send_text(fd,
			      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n");
		in_time = send_in_time(fd, PIECES, PERIOD_MS);
		if (in_time)
			assert_int_equal(kit_answer(fd, NULL), 200);
		(void)close(fd);
	}
	kit_close(kit);
}

static void count_connections(struct kit *kit, void *data)
{
	*(size_t *)data = tn_http_server_connections(kit->server);
}

static void until_connections(struct kit *kit, size_t wanted)
{
	size_t count = wanted + 1;

	for (unsigned i = 0; i < KIT_WAIT_MS / 2 && count != wanted; i++) {
		(void)usleep(1000);
		kit_run(kit, count_connections, &count);
	}
	assert_int_equal(count, wanted);
}

/* The server itself lets go, while the client holds on to its end and reads nothing. */
static bool is_freed(struct kit *kit)
{
	size_t count = 1;

	for (unsigned i = 0; i < KIT_WAIT_MS / 10; i++) {
		kit_run(kit, count_connections, &count);
		if (count == 0)
			return true;
		(void)usleep(10000);
	}
	return false;
}

/* Slow-loris in every place where a peer could stay: each is freed, with the answer still unread.
 */
static void test_slow_peers_are_freed(void **state)
{
	static const char *const starts[] = {
		"G",
		"GET /echo HTTP/1.1\r\nX: ",
		"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\na",
		"POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
		"9\r\n\r\n",
		"POST /nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\na",
		/* A WebSocket handshake without its last line. */
		"GET /switch HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
	};
	const struct tn_http_limits limits = quick();
	struct kit *kit = kit_open("127.0.0.1", &limits);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(starts); i++) {
		int fd = kit_dial(kit);

		kit_send_text(fd, starts[i]);
		until_connections(kit, 1);
		if (!is_freed(kit))
			fail_msg("kept: %s", starts[i]);
		(void)close(fd);
	}
	assert_int_equal(atomic_load(&kit->requests), 0);
	kit_close(kit);
}

enum { IDLE_MS = 1200 };

/* Each request begins the time anew. False: a busy machine has kept us from asking in time. */
static bool ask_in_time(int fd)
{
	for (unsigned i = 0; i < 4; i++) {
		uint64_t began = kit_now_ms();

		if (i)
			(void)usleep(IDLE_MS / 2 * 1000);
		if (kit_now_ms() - began >= IDLE_MS * 3 / 4)
			return false;
		kit_send_text(fd, OK);
		assert_int_equal(kit_answer(fd, NULL), 200);
	}
	return true;
}

static void test_idle_connection(void **state)
{
	struct tn_http_limits limits = quick();
	struct kit *kit;
	int fd;

	(void)state;
	limits.idle_ms = IDLE_MS;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	for (unsigned i = 0; i < 100 && !ask_in_time(fd); i++) {
		(void)close(fd);
		fd = kit_dial(kit);
	}
	assert_true(kit_ends(fd, KIT_WAIT_MS)); /* without a word: nothing was asked */
	(void)close(fd);
	kit_close(kit);
}

static void test_handlers_have_time(void **state)
{
	int fd = kit_dial(*state);

	kit_send_text(fd, "GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_false(kit_ends(fd, 700));
	(void)close(fd);
}

/* A client that neither reads nor closes does not keep the socket after a fault. */
static void test_lingering_ends(void **state)
{
	struct kit *kit = *state;
	int fd = kit_dial(kit);
	bool is_reset = false;

	kit_send_text(fd, "nonsense\r\n\r\n");
	assert_int_equal(kit_answer(fd, NULL), 400);
	/* Once it is closed a write is answered by a reset, and the next one fails. */
	for (unsigned i = 0; i < KIT_WAIT_MS / 50 && !is_reset; i++) {
		(void)usleep(50000);
		is_reset = send(fd, "x", 1, MSG_NOSIGNAL) < 0;
	}
	assert_true(is_reset);
	(void)close(fd);
}

/* ---- caps ---- */

static void test_connection_cap(void **state)
{
	enum { CAP = 8 };
	struct tn_http_limits limits = quick();
	struct kit *kit;
	const char *text;
	int fds[CAP], fd;

	(void)state;
	limits.connections_max = CAP;
	limits.idle_ms = 10000;
	kit = kit_open("127.0.0.1", &limits);
	for (size_t i = 0; i < CAP; i++) {
		fds[i] = kit_dial(kit);
		kit_send_text(fds[i], OK);
		assert_int_equal(kit_answer(fds[i], NULL), 200);
	}
	for (unsigned i = 0; i < 100; i++) { /* more than are told so at a time */
		fd = kit_dial(kit);
		kit_send_text(fd, OK);
		if (i < 10) {
			assert_int_equal(kit_answer(fd, &text), 503);
			assert_non_null(strstr(text, "\r\nRetry-After: "));
			assert_true(kit_ends(fd, KIT_WAIT_MS));
		}
		(void)close(fd);
	}
	(void)close(fds[0]);
	until_connections(kit, CAP - 1);
	fd = kit_dial(kit);
	kit_send_text(fd, OK);
	assert_int_equal(kit_answer(fd, NULL), 200);
	(void)close(fd);
	for (size_t i = 1; i < CAP; i++)
		(void)close(fds[i]);
	kit_close(kit);
}

/* What keeps a place without a right to it: nothing, half a head, half a head after what anybody
 * may ask for, and the body of what was refused. */
static void take_place(int fd, size_t kind)
{
	static const char *const texts[] = {
		"", "GET /half", "GET /* HTTP/1.1\r\nHost: h\r\n\r\nGET /half",
		"POST /none HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf"};

	if (texts[kind % 4][0])
		kit_send_text(fd, texts[kind % 4]);
}

/* Half requests, and connections without any, do not shut the door: the oldest make room. */
static void test_half_requests_make_room(void **state)
{
	enum { CAP = 8 };
	struct tn_http_limits limits = quick();
	struct kit *kit;
	int fds[CAP], taken[CAP], served;

	(void)state;
	limits.connections_max = CAP;
	limits.idle_ms = limits.headers_timeout_ms = 10000;
	kit = kit_open("127.0.0.1", &limits);
	served = kit_dial(kit);
	kit_send_text(served, OK);
	assert_int_equal(kit_answer(served, NULL), 200);
	for (size_t i = 0; i < CAP - 1; i++) {
		fds[i] = kit_dial(kit);
		take_place(fds[i], i);
	}
	until_connections(kit, CAP);
	for (size_t i = 0; i < CAP - 1; i++) {
		taken[i] = kit_dial(kit);
		kit_send_text(taken[i], OK);
		assert_int_equal(kit_answer(taken[i], NULL), 200);
	}
	kit_send_text(served, OK); /* whoever was served stays */
	assert_int_equal(kit_answer(served, NULL), 200);
	assert_true(kit_ends(fds[0], KIT_WAIT_MS));
	(void)close(served);
	for (size_t i = 0; i < CAP - 1; i++) {
		(void)close(fds[i]);
		(void)close(taken[i]);
	}
	kit_close(kit);
}

/* This machine under an address that is not loopback, as another machine would come. */
static bool dial_from_outside(const struct kit *kit, int *ret_fd)
{
	struct ifaddrs *all = NULL, *at;
	bool found = false;

	assert_int_equal(getifaddrs(&all), 0);
	for (at = all; at && !found; at = at->ifa_next) {
		struct sockaddr_in to;

		if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET ||
		    (at->ifa_flags & IFF_LOOPBACK))
			continue;
		memcpy(&to, at->ifa_addr, sizeof(to));
		to.sin_port = htons(kit->port);
		*ret_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		assert_int_equal(connect(*ret_fd, (struct sockaddr *)&to, sizeof(to)), 0);
		found = true;
	}
	freeifaddrs(all);
	return found;
}

static void test_cap_per_peer(void **state)
{
	enum { CAP = 3 };
	struct tn_http_limits limits = quick();
	struct kit *kit;
	int fds[CAP + 1], here;

	(void)state;
	limits.connections_per_peer_max = CAP;
	limits.idle_ms = 10000;
	kit = kit_open("0.0.0.0", &limits);
	for (size_t i = 0; i <= CAP; i++) {
		if (!dial_from_outside(kit, &fds[i])) {
			kit_close(kit);
			skip(); /* no network but loopback */
		}
		if (i == 0) /* whatever it speaks now, it is one of the three */
			kit_send_text(fds[i], "GET /keep HTTP/1.1\r\nHost: h\r\n\r\n");
		else
			kit_send_text(fds[i], OK);
		if (i == 0)
			assert_true(kit_expect(fds[i], "HTTP/1.1 101 ", KIT_WAIT_MS));
		else
			assert_int_equal(kit_answer(fds[i], NULL), i < CAP ? 200 : 503);
	}
	here = kit_dial(kit); /* loopback is exempt */
	kit_send_text(here, OK);
	assert_int_equal(kit_answer(here, NULL), 200);
	(void)close(here);
	for (size_t i = 0; i <= CAP; i++)
		(void)close(fds[i]);
	kit_close(kit);
}

/* Out of descriptors the listener rests, and takes up again when there are some. */
static void test_no_descriptors_left(void **state)
{
	struct kit *kit = kit_open("127.0.0.1", NULL);
	struct rlimit before, none;
	struct rusage began, ended;
	int clients[4], spare;
	long cpu_us;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		assert_true(clients[i] >= 0);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	spare = dup(0);
	(void)close(spare);
	none = (struct rlimit){(rlim_t)spare, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		struct sockaddr_in at = {.sin_family = AF_INET,
					 .sin_port = htons(kit->port),
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

		assert_int_equal(connect(clients[i], (struct sockaddr *)&at, sizeof(at)), 0);
		kit_send_text(clients[i], OK);
	}
	(void)getrusage(RUSAGE_SELF, &began);
	(void)usleep(400000);
	(void)getrusage(RUSAGE_SELF, &ended);
	cpu_us = (ended.ru_utime.tv_sec - began.ru_utime.tv_sec) * 1000000 +
		 ended.ru_utime.tv_usec - began.ru_utime.tv_usec +
		 (ended.ru_stime.tv_sec - began.ru_stime.tv_sec) * 1000000 +
		 ended.ru_stime.tv_usec - began.ru_stime.tv_usec;
	assert_in_range(cpu_us, 0, 100000); /* a loop that spins would take all 400 ms */
	assert_int_equal(atomic_load(&kit->requests), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		assert_int_equal(kit_answer(clients[i], NULL), 200);
		(void)close(clients[i]);
	}
	kit_close(kit);
}

/* ---- the end ---- */

static void count_drained(void *data)
{
	struct kit *kit = data;

	atomic_fetch_add(&kit->drained, 1);
}

static void drain(struct kit *kit, void *data)
{
	(void)data;
	tn_http_server_drain(kit->server, count_drained, kit);
}

static void test_drain_lets_exchanges_end(void **state)
{
	struct kit *kit = kit_open("127.0.0.1", NULL);
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(kit->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const char *text;
	int idle = kit_dial(kit), busy = kit_dial(kit), half = kit_dial(kit), late;

	(void)state;
	kit_send_text(idle, OK);
	assert_int_equal(kit_answer(idle, NULL), 200);
	kit_send_text(half, "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nab");
	kit_send_text(busy, "GET /later HTTP/1.1\r\nHost: h\r\n\r\n" OK);
	assert_true(kit_reaches(&kit->requests, 2));
	kit_run(kit, drain, NULL);
	assert_true(kit_ends(idle, KIT_WAIT_MS));
	late = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(late, (struct sockaddr *)&at, sizeof(at)), -1);
	assert_int_equal(atomic_load(&kit->drained), 0);
	assert_int_equal(kit_answer(busy, &text), 200);
	assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
	assert_true(kit_ends(busy, KIT_WAIT_MS));
	(void)close(busy);
	kit_send_text(half, "cd");
	assert_int_equal(kit_answer(half, &text), 200);
	(void)close(half);
	assert_true(kit_reaches(&kit->drained, 1));
	(void)close(idle);
	(void)close(late);
	kit_close(kit);
}

static void test_close_ends_open_exchanges(void **state)
{
	struct kit *kit = kit_open("127.0.0.1", NULL);
	int stream = kit_dial(kit), never = kit_dial(kit);

	(void)state;
	kit_send_text(stream, "GET /open HTTP/1.1\r\nHost: h\r\n\r\n");
	kit_send_text(never, "GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_true(kit_reaches(&kit->requests, 2));
	kit_close(kit); /* the sanitizers see what stays */
	assert_true(kit_ends(stream, KIT_WAIT_MS));
	assert_true(kit_ends(never, KIT_WAIT_MS));
	(void)close(stream);
	(void)close(never);
}

static void test_ipv6_and_bad_addresses(void **state)
{
	static const struct tn_http_handler handler = {0};
	struct tn_http_options options = {.handler = &handler};
	struct tn_http_server *server = NULL;
	struct tenon_error err;
	struct tn_loop *loop = NULL;

	(void)state;
	assert_int_equal(tn_loop_create(&loop, &err), TENON_OK);
	options.address = "localhost";
	assert_int_equal(tn_http_server_open(loop, &options, &server, &err), TENON_INVALID);
	options.address = "";
	assert_int_equal(tn_http_server_open(loop, &options, &server, &err), TENON_INVALID);
	options.address = "192.0.2.1"; /* TEST-NET-1: never ours */
	assert_int_equal(tn_http_server_open(loop, &options, &server, &err), TENON_SYSTEM);
	options.address = "[::1]";
	if (tn_http_server_open(loop, &options, &server, &err) == TENON_OK) {
		assert_int_not_equal(tn_http_server_port(server), 0);
		options.port = tn_http_server_port(server);
		tn_http_server_close(server);
		options.address = "::1";
		assert_int_equal(tn_http_server_open(loop, &options, &server, &err), TENON_OK);
		assert_int_equal(tn_http_server_port(server), options.port);
		tn_http_server_close(server);
	}
	tn_loop_destroy(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_headers),
		cmocka_unit_test(test_slow_headers_behind_a_request),
		cmocka_unit_test(test_slow_body),
		cmocka_unit_test(test_body_that_comes_fast_enough),
		cmocka_unit_test(test_slow_peers_are_freed),
		cmocka_unit_test(test_idle_connection),
		cmocka_unit_test(test_handlers_have_time),
		cmocka_unit_test(test_lingering_ends),
		cmocka_unit_test(test_connection_cap),
		cmocka_unit_test(test_half_requests_make_room),
		cmocka_unit_test(test_cap_per_peer),
		cmocka_unit_test(test_no_descriptors_left),
		cmocka_unit_test(test_drain_lets_exchanges_end),
		cmocka_unit_test(test_close_ends_open_exchanges),
		cmocka_unit_test(test_ipv6_and_bad_addresses),
	};

	return cmocka_run_group_tests_name("http_time", tests, open_quick, close_kit);
}
