/* Streams over real sockets: framing, silence, peers that vanish and peers that do not read. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "transport/http_test_kit.h"

#define OPEN "GET /open HTTP/1.1\r\nHost: h\r\n\r\n"

static int open_kit(void **state)
{
	*state = kit_open("127.0.0.1", NULL);
	return 0;
}

static int close_kit(void **state)
{
	kit_close(*state);
	return 0;
}

/* MCP-095, MCP-096 */
static void test_events_are_framed(void **state)
{
	const char *text, *body;
	int fd = kit_dial(*state);

	for (unsigned i = 0; i < 2; i++) { /* chunked, so the connection goes on */
		kit_send_text(fd, "GET /sse HTTP/1.1\r\nHost: h\r\n\r\n");
		assert_int_equal(kit_answer(fd, &text), 200);
		assert_non_null(strstr(text, "\r\nContent-Type: text/event-stream\r\n"));
		assert_non_null(strstr(text, "\r\nCache-Control: no-cache, no-transform\r\n"));
		assert_non_null(strstr(text, "\r\nX-Accel-Buffering: no\r\n"));
		assert_null(strstr(text, "Content-Length"));
		body = strstr(text, "\r\n\r\n") + 4;
		assert_string_equal(
			body, "id: i1\nevent: message\ndata: {\"a\":1}\n\ndata: {\"a\":1}\n\n");
	}
	(void)close(fd);
}

static void test_http_1_0_is_not_chunked(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, "GET /raw HTTP/1.0\r\nHost: h\r\n\r\n");
	assert_int_equal(kit_answer(fd, &text), 200); /* reads to the end of the connection */
	assert_null(strstr(text, "chunked"));
	assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
	assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\nhello you");
	(void)close(fd);
}

/* The head does not wait for a first event. */
static void test_head_leaves_at_once(void **state)
{
	struct kit *kit = *state;
	unsigned closed = atomic_load(&kit->closed);
	int fd = kit_dial(kit);

	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	(void)close(fd);
	assert_true(kit_reaches(&kit->closed, closed + 1)); /* MCP-154 */
}

static void test_end_of_input_counts_as_close(void **state)
{
	struct kit *kit = *state;
	unsigned closed = atomic_load(&kit->closed);
	int fd = kit_dial(kit);

	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	assert_int_equal(shutdown(fd, SHUT_WR), 0);
	assert_true(kit_reaches(&kit->closed, closed + 1));
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

/* The peer's input ended before the stream began: half-closed it gets the stream, comments
 * included; wholly closed it is noticed although there is nothing to read or to write. */
static void test_end_of_input_before_the_stream(void **state)
{
	struct tn_http_limits limits;
	struct kit *kit;
	int fd;

	(void)state;
	tn_http_limits_default(&limits);
	limits.keepalive_ms = 500;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, "GET /soon HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_int_equal(shutdown(fd, SHUT_WR), 0);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	assert_true(kit_expect(fd, ": ping", KIT_WAIT_MS));
	assert_true(kit_expect(fd, ": ping", KIT_WAIT_MS));
	assert_int_equal(atomic_load(&kit->closed), 0);
	(void)close(fd);
	assert_true(kit_reaches(&kit->closed, 1));
	kit_close(kit);

	limits.keepalive_ms = 0;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, "GET /soon HTTP/1.1\r\nHost: h\r\n\r\n");
	(void)close(fd);
	assert_true(kit_reaches(&kit->closed, 1));
	kit_close(kit);
}

/* ---- events to all ---- */

struct broadcast {
	const char *id;
	size_t size;
	bool last;
	size_t refused;
};

static void broadcast(struct kit *kit, void *data)
{
	struct broadcast *b = data;
	char *text = tn_mem_alloc(b->size + 1);
	const struct tn_str parts[] = {TN_STR("\""), tn_str(text, b->size), TN_STR("\"")};
	const struct tn_http_event event = {.id = tn_str_from(b->id),
					    .name = TN_STR("message"),
					    .data = parts,
					    .data_count = 3};

	memset(text, 'e', b->size);
	for (size_t i = kit->stream_count; i-- > 0;) {
		if (b->last)
			tn_http_stream_end(kit->streams[i], &event);
		else if (!tn_http_stream_event(kit->streams[i], &event))
			b->refused++;
	}
	if (b->last)
		kit->stream_count = 0;
	tn_mem_free(text);
}

static void test_events_reach_everybody(void **state)
{
	enum { STREAMS = 100 };
	struct kit *kit = *state;
	struct broadcast some = {.id = "a\r\nb", .size = 100};
	struct broadcast end = {.id = "c", .size = 10, .last = true};
	int fds[STREAMS];
	unsigned closed = atomic_load(&kit->closed);

	for (size_t i = 0; i < STREAMS; i++) {
		fds[i] = kit_dial(kit);
		kit_send_text(fds[i], OPEN);
		assert_true(kit_expect(fds[i], "\r\n\r\n", KIT_WAIT_MS));
	}
	kit_run(kit, broadcast, &some);
	kit_run(kit, broadcast, &end);
	for (size_t i = 0; i < STREAMS; i++) {
		/* A line end in an id would forge a field: it is a blank. */
		assert_true(
			kit_expect(fds[i], "id: a  b\nevent: message\ndata: \"eeee", KIT_WAIT_MS));
		assert_true(kit_expect(fds[i], "e\"\n\n\r\n", KIT_WAIT_MS));
		assert_true(kit_expect(
			fds[i], "id: c\nevent: message\ndata: \"eeeeeeeeee\"\n\n\r\n0\r\n\r\n",
			KIT_WAIT_MS));
		kit_send_text(fds[i], "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n");
		assert_int_equal(kit_answer(fds[i], NULL), 200);
		(void)close(fds[i]);
	}
	assert_int_equal(atomic_load(&kit->closed), closed);
}

static void prime(struct kit *kit, void *data)
{
	const struct tn_http_event priming = {.id = TN_STR("p")};

	(void)data;
	for (size_t i = 0; i < kit->stream_count; i++)
		tn_assert(tn_http_stream_event(kit->streams[i], &priming));
}

/* MCP-146: a priming event has an id and empty data. */
static void test_priming_event(void **state)
{
	struct kit *kit = *state;
	unsigned closed = atomic_load(&kit->closed);
	int fd = kit_dial(kit);

	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	kit_run(kit, prime, NULL);
	assert_true(kit_expect(fd, "\r\nid: p\ndata:\n\n\r\n", KIT_WAIT_MS));
	(void)close(fd);
	assert_true(kit_reaches(&kit->closed, closed + 1));
}

/* ---- silence ---- */

/* MCP-098 */
static void test_comments_in_silence(void **state)
{
	struct tn_http_limits limits;
	struct kit *kit;
	uint64_t began;
	int fd;

	(void)state;
	tn_http_limits_default(&limits);
	limits.keepalive_ms = 60;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	began = kit_now_ms();
	for (unsigned i = 0; i < 3; i++)
		assert_true(kit_expect(fd, "8\r\n: ping\n\n\r\n", KIT_WAIT_MS));
	assert_in_range(kit_now_ms() - began, 170, KIT_WAIT_MS);
	(void)close(fd);
	/* Not into a stream that is no event stream, nor when switched off. */
	kit_close(kit);
	limits.keepalive_ms = 0;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	assert_false(kit_expect(fd, "ping", 200));
	(void)close(fd);
	kit_close(kit);
}

/* ---- a peer that does not read ---- */

static void test_slow_reader_is_cut_off(void **state)
{
	struct tn_http_limits limits;
	struct broadcast big = {.id = "x", .size = 300000};
	struct kit *kit;
	uint64_t began;
	int fd;

	(void)state;
	tn_http_limits_default(&limits);
	limits.output_queue_max = 1000000;
	limits.stall_ms = 200;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	began = kit_now_ms();
	for (unsigned i = 0; i < 60 && big.refused == 0; i++)
		kit_run(kit, broadcast, &big);
	assert_true(big.refused > 0); /* the queue has its cap */
	assert_true(kit_reaches(&kit->closed, 1));
	assert_in_range(kit_now_ms() - began, 100, KIT_WAIT_MS);
	(void)close(fd);
	kit_close(kit);
}

static void test_slow_reader_that_reads_again(void **state)
{
	struct tn_http_limits limits;
	struct broadcast big = {.id = "x", .size = 300000}, again = {.id = "again", .size = 1};
	struct kit *kit;
	int fd;

	(void)state;
	tn_http_limits_default(&limits);
	limits.output_queue_max = 1000000;
	limits.stall_ms = 3000;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, OPEN);
	assert_true(kit_expect(fd, "\r\n\r\n", KIT_WAIT_MS));
	for (unsigned i = 0; i < 60 && big.refused == 0; i++)
		kit_run(kit, broadcast, &big);
	assert_true(big.refused > 0);
	assert_false(kit_ends(fd, 500)); /* reads and drops all there is */
	kit_run(kit, broadcast, &again);
	assert_int_equal(again.refused, 0);
	assert_true(kit_expect(fd, "id: again\n", KIT_WAIT_MS));
	assert_int_equal(atomic_load(&kit->closed), 0);
	(void)close(fd);
	kit_close(kit);
}

static void count_streams(struct kit *kit, void *data)
{
	size_t *counts = data;

	counts[0] = kit->stream_count;
	counts[1] = tn_http_server_connections(kit->server);
}

/* An answer that nobody reads does not stay for ever either. */
static void test_unread_answer_is_given_up(void **state)
{
	struct tn_http_limits limits;
	struct kit *kit;
	size_t counts[2] = {0, 1};
	int fd;

	(void)state;
	tn_http_limits_default(&limits);
	limits.stall_ms = 150;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, "GET /big?20000000 HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_true(kit_reaches(&kit->requests, 1));
	for (unsigned i = 0; i < 3000 && counts[1] > 0; i++) {
		(void)usleep(10000);
		kit_run(kit, count_streams, counts);
	}
	assert_int_equal(counts[1], 0);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	assert_int_equal(atomic_load(&kit->closed), 0); /* it was answered */
	(void)close(fd);
	kit_close(kit);
}

/* ---- MCP-292: peers that vanish ---- */

static void test_abrupt_ends_leave_nothing(void **state)
{
	/* Half of the /never ones are closed, not reset: such a peer may still want its answer. */
	enum { ROUNDS = 200, STAYING = ROUNDS / 10 };
	struct kit *kit = kit_open("127.0.0.1", NULL);
	const struct linger reset = {.l_onoff = 1};
	struct broadcast some = {.id = "a", .size = 5000};
	size_t counts[2] = {ROUNDS, ROUNDS};

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		static const char *const texts[] = {
			OPEN, "GET /later HTTP/1.1\r\nHost: h\r\n\r\n",
			"GET /never HTTP/1.1\r\nHost: h\r\n\r\n",
			"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9999\r\n\r\nabc",
			"GET /big?3000000 HTTP/1.1\r\nHost: h\r\n\r\n"};
		int fd = kit_dial(kit);

		kit_send_text(fd, texts[i % 5]);
		if (i % 3)
			kit_run(kit, broadcast, &some);
		if (i % 2)
			(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		(void)close(fd);
	}
	for (unsigned i = 0; i < 3000 && counts[0] + counts[1] > STAYING; i++) {
		kit_run(kit, broadcast, &some); /* half-closed ones show when written to */
		kit_run(kit, count_streams, counts);
		(void)usleep(10000);
	}
	assert_int_equal(counts[0], 0);
	assert_int_equal(counts[1], STAYING);
	kit_close(kit);
}

/* ---- what an idle stream costs ---- */

static void measure_heap(struct kit *kit, void *data)
{
	(void)kit;
	*(size_t *)data = mallinfo2().uordblks; /* a sanitizer's allocator says 0 */
}

static void test_idle_streams_are_small(void **state)
{
	enum { STREAMS = 1000, BYTES_MAX = 512 };
	struct tn_http_limits limits;
	struct rlimit before, files;
	struct kit *kit;
	size_t empty, full;
	int *fds = tn_mem_alloc_array(STREAMS + 1, sizeof(*fds));

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	files = (struct rlimit){before.rlim_max, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	tn_http_limits_default(&limits);
	limits.keepalive_ms = 200;
	kit = kit_open("127.0.0.1", &limits);
	for (size_t i = 0; i <= STREAMS; i++) {
		fds[i] = kit_dial(kit);
		kit_send_text(fds[i], OPEN);
		assert_true(kit_expect(fds[i], "\r\n\r\n", KIT_WAIT_MS));
		if (i == 0) /* what a server has anyway */
			kit_run(kit, measure_heap, &empty);
	}
	assert_true(kit_expect(fds[STREAMS], ": ping", KIT_WAIT_MS));
	kit_run(kit, measure_heap, &full);
	print_message("%zu bytes a stream\n", (full - empty) / STREAMS);
	assert_in_range((full - empty) / STREAMS, 0, BYTES_MAX);
	for (size_t i = 0; i <= STREAMS; i++)
		(void)close(fds[i]);
	assert_true(kit_reaches(&kit->closed, STREAMS + 1));
	tn_mem_free(fds);
	kit_close(kit);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_are_framed),
		cmocka_unit_test(test_http_1_0_is_not_chunked),
		cmocka_unit_test(test_head_leaves_at_once),
		cmocka_unit_test(test_end_of_input_counts_as_close),
		cmocka_unit_test(test_end_of_input_before_the_stream),
		cmocka_unit_test(test_events_reach_everybody),
		cmocka_unit_test(test_priming_event),
		cmocka_unit_test(test_comments_in_silence),
		cmocka_unit_test(test_slow_reader_is_cut_off),
		cmocka_unit_test(test_slow_reader_that_reads_again),
		cmocka_unit_test(test_unread_answer_is_given_up),
		cmocka_unit_test(test_abrupt_ends_leave_nothing),
		cmocka_unit_test(test_idle_streams_are_small),
	};

	return cmocka_run_group_tests_name("http_stream", tests, open_kit, close_kit);
}
