/* Connections over real sockets (mcp.md MCP-162, MCP-164). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "transport/limits.h"
#include "transport/ws.h"

enum { MESSAGE_MAX = 1024 * 1024, TICK_MS = 2, TICKS_MAX = 5000, NOT_CLOSED = -1 };
enum { LINGER_MS = 1000, SHORT_MS = 100 }; /* long enough for a loaded machine; waited for */

/* One end: what it was told. */
struct side {
	struct bench *bench;
	struct tn_ws *ws;
	struct tn_buf seen; /* messages, each with a newline behind it */
	unsigned messages, relieved;
	int code;        /* of `closed` */
	size_t reply;    /* each message is answered by so many bytes; 0: by nothing */
	bool echo, quit; /* sends it back; frees the connection inside the event */
	bool keep;       /* `closed` leaves it to the test to free it */
};

/* A server and a client, or a server and a bare socket. */
struct bench {
	struct tn_loop *loop;
	struct tn_timer *tick;
	unsigned ticks;
	bool (*done)(struct bench *b);
	struct side server, client;
	int far; /* the other end of the server's socket, when no client holds it; -1 */
	struct tn_buf read;
};

static void on_message(struct tn_ws *ws, struct tn_str text, void *data)
{
	struct side *s = data;

	s->messages++;
	tn_buf_append_str(&s->seen, text);
	tn_buf_append_byte(&s->seen, '\n');
	if (s->echo)
		tn_ws_send(ws, text);
	if (s->reply) {
		char *reply = tn_mem_alloc(s->reply);

		assert_non_null(reply);
		memset(reply, 'r', s->reply);
		tn_ws_send(ws, tn_str(reply, s->reply));
		tn_mem_free(reply);
	}
	if (s->quit) {
		tn_ws_free(ws);
		s->ws = NULL;
	}
}

static void on_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct side *s = data;

	assert_int_equal(s->code, NOT_CLOSED); /* once */
	s->code = code;
	tn_ws_send(ws, TN_STR("too late"));
	tn_ws_close(ws, TN_WS_NORMAL);
	if (!s->keep) {
		tn_ws_free(ws);
		s->ws = NULL;
	}
}

static void on_relieved(struct tn_ws *ws, void *data)
{
	(void)ws;
	((struct side *)data)->relieved++;
}

static const struct tn_ws_events events = {
	.message = on_message, .closed = on_closed, .relieved = on_relieved};

static void on_tick(struct tn_timer *timer, void *data)
{
	struct bench *b = data;

	if (b->done(b) || ++b->ticks == TICKS_MAX)
		tn_loop_stop(b->loop);
	else
		tn_timer_start(timer, TICK_MS);
}

/* Turns the loop until it is so. */
static void run_until(struct bench *b, bool (*done)(struct bench *b))
{
	b->done = done;
	b->ticks = 0;
	tn_timer_start(b->tick, 0);
	tn_loop_run(b->loop);
	tn_timer_stop(b->tick);
	assert_true(b->ticks < TICKS_MAX);
}

static bool after_20_ticks(struct bench *b)
{
	return b->ticks >= 20;
}

static int set_up(void **state)
{
	struct bench *b = tn_mem_alloc(sizeof(*b));
	struct tenon_error err;

	assert_non_null(b);
	assert_int_equal(tn_loop_create(&b->loop, &err), TENON_OK);
	assert_int_equal(tn_timer_open(b->loop, on_tick, b, &b->tick, &err), TENON_OK);
	b->far = -1;
	b->server.code = b->client.code = NOT_CLOSED;
	tn_buf_init(&b->server.seen, 256 * TN_MIB);
	tn_buf_init(&b->client.seen, 256 * TN_MIB);
	tn_buf_init(&b->read, 256 * TN_MIB);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	tn_ws_free(b->server.ws);
	tn_ws_free(b->client.ws);
	tn_ws_free(NULL);
	tn_timer_close(b->tick);
	tn_loop_destroy(b->loop);
	if (b->far >= 0)
		(void)close(b->far);
	tn_buf_finish(&b->server.seen);
	tn_buf_finish(&b->client.seen);
	tn_buf_finish(&b->read);
	tn_mem_free(b);
	return 0;
}

static struct tn_ws_options options_of(enum tn_ws_role role, struct side *side)
{
	return (struct tn_ws_options){.role = role,
				      .message_max = MESSAGE_MAX,
				      .linger_ms = LINGER_MS,
				      .events = &events,
				      .data = side};
}

static void open_side(struct bench *b, struct side *side, int fd,
		      const struct tn_ws_options *options)
{
	struct tenon_error err;

	if (tn_ws_open(b->loop, fd, options, &side->ws, &err) != TENON_OK)
		fail_msg("%s", err.message);
}

static void make_pair(int pair[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair),
			 0);
}

static void open_both(struct bench *b)
{
	struct tn_ws_options server = options_of(TN_WS_SERVER, &b->server);
	struct tn_ws_options client = options_of(TN_WS_CLIENT, &b->client);
	int pair[2];

	make_pair(pair);
	open_side(b, &b->server, pair[0], &server);
	open_side(b, &b->client, pair[1], &client);
}

static void open_server(struct bench *b, const struct tn_ws_options *options)
{
	int pair[2];

	make_pair(pair);
	open_side(b, &b->server, pair[0], options);
	b->far = pair[1];
}

/* ---- the bare end ---- */

static void far_write(struct bench *b, const char *bytes, size_t size)
{
	assert_int_equal(send(b->far, bytes, size, MSG_NOSIGNAL), size);
}

/* A masked frame; the mask is 0, so that the payload can be read in the test. */
static void far_frame(struct bench *b, unsigned first, const char *payload, size_t size)
{
	static const unsigned char mask[4];
	char head[TN_WS_HEAD_MAX];
	size_t head_size = tn_ws_write_head(head, TN_WS_OP_TEXT, size, mask);

	head[0] = (char)first;
	far_write(b, head, head_size);
	far_write(b, payload, size);
}

/* Reads what is there; true at the end of the stream. */
static bool far_read(struct bench *b)
{
	for (;;) {
		ssize_t got;

		assert_true(tn_buf_reserve(&b->read, 65536));
		got = read(b->far, b->read.data + b->read.size, 65536);
		if (got <= 0)
			return got == 0 || errno == ECONNRESET;
		b->read.size += (size_t)got;
	}
}

static void assert_far_read(struct bench *b, const char *bytes, size_t size)
{
	(void)far_read(b);
	assert_int_equal(b->read.size, size);
	assert_memory_equal(b->read.data, bytes, size);
}

static bool server_closed(struct bench *b)
{
	return b->server.code != NOT_CLOSED;
}

static bool both_closed(struct bench *b)
{
	return b->server.code != NOT_CLOSED && b->client.code != NOT_CLOSED;
}

static bool server_has_one(struct bench *b)
{
	return b->server.messages >= 1;
}

static bool client_has_three(struct bench *b)
{
	return b->client.messages >= 3;
}

/* ---- tests ---- */

static void test_echo(void **state) /* MCP-162, MCP-164 */
{
	struct bench *b = *state;
	char *large = tn_mem_alloc(MESSAGE_MAX);

	assert_non_null(large);
	memset(large, 'x', MESSAGE_MAX);
	open_both(b);
	b->server.echo = true;
	tn_ws_send(b->client.ws, TN_STR("one"));
	tn_ws_send(b->client.ws, tn_str(large, MESSAGE_MAX));
	tn_ws_send(b->client.ws, TN_STR(""));
	run_until(b, client_has_three);
	assert_int_equal(b->client.seen.size, 3 + MESSAGE_MAX + 3);
	assert_memory_equal(b->client.seen.data, "one\nxxxx", 8);
	assert_int_equal(tn_ws_queued(b->server.ws), 0);
	tn_mem_free(large);
}

static void test_close_by_server(void **state)
{
	struct bench *b = *state;

	open_both(b);
	tn_ws_send(b->server.ws, TN_STR("last"));
	tn_ws_close(b->server.ws, TN_WS_GOING_AWAY);
	tn_ws_close(b->server.ws, TN_WS_NORMAL); /* has no effect */
	tn_ws_send(b->server.ws, TN_STR("dropped"));
	run_until(b, both_closed);
	assert_int_equal(b->client.code, TN_WS_GOING_AWAY);
	assert_int_equal(b->server.code, TN_WS_GOING_AWAY); /* the client's echo */
	assert_int_equal(b->client.messages, 1);
}

static void test_close_by_client(void **state)
{
	struct bench *b = *state;

	open_both(b);
	tn_ws_close(b->client.ws, TN_WS_NORMAL);
	run_until(b, both_closed);
	assert_int_equal(b->server.code, TN_WS_NORMAL);
	assert_int_equal(b->client.code, TN_WS_NORMAL);
}

static void test_peer_vanishes(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	open_server(b, &options);
	(void)close(b->far);
	b->far = -1;
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_ABNORMAL);
}

static void test_peer_vanishes_while_sending(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	b->server.keep = true;
	open_server(b, &options);
	(void)close(b->far);
	b->far = -1;
	tn_ws_send(b->server.ws, TN_STR("nobody hears this"));
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_ABNORMAL);
}

/* The answer to what was read meets a peer that has gone. */
static void test_peer_vanishes_before_the_answer(void **state)
{
	struct bench *b = *state;
	static const size_t sizes[] = {10, MESSAGE_MAX};

	for (size_t i = 0; i < 2; i++) {
		struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

		b->server.code = NOT_CLOSED;
		b->server.reply = sizes[i];
		open_server(b, &options);
		far_frame(b, 0x81, "x", 1);
		(void)close(b->far);
		b->far = -1;
		run_until(b, server_closed);
		assert_int_equal(b->server.code, TN_WS_ABNORMAL);
	}
	assert_int_equal(b->server.messages, 2);
}

struct fault_case {
	unsigned first;
	const char *payload;
	size_t size;
	const char answer[5];
};

static void test_faults(void **state) /* MCP-162 */
{
	static const struct fault_case cases[] = {
		{0x82, "x", 1, "\x88\x02\x03\xEB"},    /* binary: 1003 */
		{0x81, "\xFF", 1, "\x88\x02\x03\xEF"}, /* no UTF-8: 1007 */
		{0x83, "x", 1, "\x88\x02\x03\xEA"},    /* reserved: 1002 */
	};
	struct bench *b = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

		b->server.code = NOT_CLOSED;
		open_server(b, &options);
		far_frame(b, cases[i].first, cases[i].payload, cases[i].size);
		far_frame(b, 0x81, "more",
			  4); /* read and dropped: no reset may overtake the close */
		run_until(b, after_20_ticks);
		assert_far_read(b, cases[i].answer, 4);
		assert_true(far_read(b)); /* our half is closed */
		assert_int_equal(b->server.code, NOT_CLOSED);
		(void)close(b->far);
		b->far = -1;
		run_until(b, server_closed);
		assert_int_equal(b->server.code, TN_WS_ABNORMAL);
		assert_int_equal(b->server.messages, 0);
		tn_buf_clear(&b->read);
	}
}

static void test_too_large(void **state) /* MCP-162 */
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	options.message_max = 10;
	options.linger_ms = SHORT_MS;
	open_server(b, &options);
	far_frame(b, 0x81, "0123456789", 10);
	far_frame(b, 0x81, "0123456789a", 11);
	run_until(b,
		  server_closed); /* the peer keeps its end open: it is waited for, but not long */
	assert_int_equal(b->server.messages, 1);
	assert_far_read(b, "\x88\x02\x03\xF1", 4);
}

static void test_unmasked(void **state) /* MCP-162 */
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	options.linger_ms = SHORT_MS;
	open_server(b, &options);
	far_write(b, "\x81\x02hi", 4);
	run_until(b, server_closed);
	assert_far_read(b, "\x88\x02\x03\xEA", 4);
}

static void test_ping_is_answered(void **state) /* MCP-162 */
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	open_server(b, &options);
	far_frame(b, 0x01, "frag", 4);
	far_frame(b, 0x89, "are you there", 13);
	far_frame(b, 0x8A, "unasked", 7);
	far_frame(b, 0x80, "ment", 4);
	run_until(b, server_has_one);
	run_until(b, after_20_ticks);
	assert_far_read(b,
			"\x8A\x0D"
			"are you there",
			15);
	assert_memory_equal(b->server.seen.data, "fragment\n", 9);
}

/* Two pings into silence, then the end; a pong in time starts over. */
static void test_silence(void **state) /* MCP-162 */
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);
	uint64_t start = tn_loop_now_ms(b->loop);

	options.ping_ms = 60;
	open_server(b, &options);
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_ABNORMAL);
	assert_far_read(b, "\x89\0\x89\0", 4);
	assert_true(tn_loop_now_ms(b->loop) - start >= 180);
}

static bool answers_pings(struct bench *b)
{
	size_t before = b->read.size;

	(void)far_read(b);
	if (b->read.size > before)
		far_frame(b, 0x8A, "", 0);
	return b->read.size >= 8 || b->server.code != NOT_CLOSED;
}

static void test_pongs_keep_it(void **state) /* MCP-162 */
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	options.ping_ms = 200;
	open_server(b, &options);
	run_until(b, answers_pings);
	assert_int_equal(b->server.code, NOT_CLOSED);
}

/* What came with the handshake's bytes is the first input. */
static void test_unread(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	options.unread = tn_str("\x81\x83\0\0\0\0one\x81\x83\0\0\0\0t", 16);
	open_server(b, &options);
	assert_int_equal(b->server.messages, 0); /* no event inside a call */
	run_until(b, server_has_one);
	far_write(b, "wo", 2);
	run_until(b, after_20_ticks);
	assert_int_equal(b->server.messages, 2);
	assert_memory_equal(b->server.seen.data, "one\ntwo\n", 8);
}

static void test_free_inside_event(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	b->server.quit = true;
	options.unread = tn_str("\x81\x81\0\0\0\0a\x81\x81\0\0\0\0b", 14);
	open_server(b, &options);
	run_until(b, server_has_one);
	run_until(b, after_20_ticks);
	assert_int_equal(b->server.messages, 1);
	assert_int_equal(b->server.code, NOT_CLOSED);
	(void)close(b->far);
	b->server.messages = 0;
	open_server(b, &(struct tn_ws_options){.role = TN_WS_SERVER,
					       .message_max = 100,
					       .events = &events,
					       .data = &b->server});
	far_write(b, "\x81\x81\0\0\0\0a\x81\x81\0\0\0\0b\x81", 15);
	run_until(b, server_has_one);
	assert_int_equal(b->server.messages, 1);
}

static bool server_is_paused(struct bench *b)
{
	return tn_ws_queued(b->server.ws) > TN_OUTPUT_QUEUE_MAX;
}

static bool far_has_all(struct bench *b)
{
	(void)far_read(b);
	return b->read.size >= (size_t)41 * (MESSAGE_MAX + 10);
}

/* A peer that does not read is not read from either; when it reads, everything comes. */
static void test_backpressure(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	b->server.reply = MESSAGE_MAX;
	open_server(b, &options);
	for (unsigned i = 0; i < 40; i++)
		far_frame(b, 0x81, "x", 1);
	run_until(b, server_is_paused);
	run_until(b, after_20_ticks);
	assert_in_range(b->server.messages, 8, 12);
	assert_true(tn_ws_queued(b->server.ws) <= TN_OUTPUT_QUEUE_MAX + MESSAGE_MAX + 10);
	far_frame(b, 0x81, "y", 1); /* behind those that are held */
	run_until(b, far_has_all);
	run_until(b, after_20_ticks);
	(void)far_read(b);
	assert_int_equal(b->server.messages, 41);
	assert_int_equal(b->read.size, (size_t)41 * (MESSAGE_MAX + 10));
	assert_int_equal(b->server.code, NOT_CLOSED);
}

static void test_stall(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	b->server.reply = MESSAGE_MAX;
	options.stall_ms = 100;
	options.ping_ms = 20; /* a peer we do not read from cannot be silent */
	open_server(b, &options);
	for (unsigned i = 0; i < 40; i++)
		far_frame(b, 0x81, "x", 1);
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_ABNORMAL);
	assert_in_range(b->server.messages, 8, 12);
}

/* Output that grows without any input of the peer ends at the hard cap. */
static void test_hard_cap(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);
	char *text = tn_mem_alloc(MESSAGE_MAX);

	assert_non_null(text);
	memset(text, 'n', MESSAGE_MAX);
	open_server(b, &options);
	for (unsigned i = 0; i < 80; i++)
		tn_ws_send(b->server.ws, tn_str(text, MESSAGE_MAX));
	tn_mem_free(text);
	assert_int_equal(b->server.code, NOT_CLOSED); /* no event inside a call */
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_ABNORMAL);
}

static bool read_until_relieved(struct bench *b)
{
	(void)far_read(b);
	return b->server.relieved == 1;
}

static bool five_came(struct bench *b)
{
	return b->server.messages == 5;
}

/* Whoever the messages go to is slow: frames wait, no ping is missed, and an end is seen later. */
static void test_pause(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	options.ping_ms = 10;
	open_server(b, &options);
	tn_ws_pause(b->server.ws, true);
	for (unsigned i = 0; i < 5; i++)
		far_frame(b, 0x81, "x", 1);
	run_until(b, after_20_ticks);
	assert_int_equal(b->server.messages, 0);
	assert_int_equal(b->server.code, NOT_CLOSED);
	tn_ws_pause(b->server.ws, false);
	assert_int_equal(b->server.messages, 0); /* not inside the call */
	run_until(b, five_came);
	tn_ws_pause(b->server.ws, true);
	tn_ws_close(b->server.ws, TN_WS_NORMAL); /* what is due to the peer's end is read */
	far_frame(b, 0x88, "\x03\xe8", 2);
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_NORMAL);
}

/* Told once when the queue that was over its cap is half of it. */
static void test_relieved(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);
	char *text = tn_mem_alloc(MESSAGE_MAX);

	assert_non_null(text);
	memset(text, 'n', MESSAGE_MAX);
	open_server(b, &options);
	while (tn_ws_queued(b->server.ws) <= TN_OUTPUT_QUEUE_MAX)
		tn_ws_send(b->server.ws, tn_str(text, MESSAGE_MAX));
	tn_mem_free(text);
	run_until(b, after_20_ticks);
	assert_int_equal(b->server.relieved, 0);
	run_until(b, read_until_relieved);
}

/* A close while frames are held: the peer's own close may be among them. */
static void test_close_while_held(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	options.linger_ms = SHORT_MS;
	b->server.reply = MESSAGE_MAX;
	open_server(b, &options);
	for (unsigned i = 0; i < 20; i++)
		far_frame(b, 0x81, "x", 1);
	far_frame(b, 0x88, "\x03\xE8", 2);
	run_until(b, server_is_paused);
	tn_ws_close(b->server.ws, TN_WS_NORMAL);
	run_until(b, server_closed); /* the queue never leaves: the linger ends it */
	assert_int_equal(b->server.code, TN_WS_NORMAL);
	assert_in_range(b->server.messages, 8, 12);
}

/* The peer never answers the close. */
static void test_close_unanswered(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	open_server(b, &options);
	tn_ws_close(b->server.ws, TN_WS_POLICY);
	run_until(b, after_20_ticks);
	far_frame(b, 0x81, "ignored", 7);
	far_frame(b, 0x89, "ignored", 7);
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_ABNORMAL);
	assert_int_equal(b->server.messages, 0);
	assert_far_read(b, "\x88\x02\x03\xF0", 4);
}

static void test_peer_closes_without_code(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_SERVER, &b->server);

	open_server(b, &options);
	far_frame(b, 0x88, "", 0);
	run_until(b, server_closed);
	assert_int_equal(b->server.code, TN_WS_NO_STATUS);
	assert_far_read(b, "\x88\0", 2); /* 1005 is never sent */
}

/* A client's masks differ, and a message is never what it looks like. */
static void test_client_masks(void **state)
{
	struct bench *b = *state;
	struct tn_ws_options options = options_of(TN_WS_CLIENT, &b->client);
	int pair[2];

	make_pair(pair);
	open_side(b, &b->client, pair[0], &options);
	b->far = pair[1];
	for (unsigned i = 0; i < 40; i++)
		tn_ws_send(b->client.ws, TN_STR("aaaa"));
	run_until(b, after_20_ticks);
	(void)far_read(b);
	assert_int_equal(b->read.size, 400);
	for (unsigned i = 0; i < 40; i++) {
		const char *frame = b->read.data + (size_t)10 * i;

		assert_memory_equal(frame, "\x81\x84", 2);
		for (unsigned j = 0; j < 4; j++)
			assert_int_equal(frame[2 + j] ^ frame[6 + j], 'a');
		for (unsigned j = 0; j < i; j++)
			assert_memory_not_equal(frame + 2, b->read.data + (size_t)10 * j + 2, 4);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_echo),
		TEST(test_close_by_server),
		TEST(test_close_by_client),
		TEST(test_peer_vanishes),
		TEST(test_peer_vanishes_while_sending),
		TEST(test_peer_vanishes_before_the_answer),
		TEST(test_faults),
		TEST(test_too_large),
		TEST(test_unmasked),
		TEST(test_ping_is_answered),
		TEST(test_silence),
		TEST(test_pongs_keep_it),
		TEST(test_unread),
		TEST(test_free_inside_event),
		TEST(test_backpressure),
		TEST(test_stall),
		TEST(test_hard_cap),
		TEST(test_pause),
		TEST(test_relieved),
		TEST(test_close_while_held),
		TEST(test_close_unanswered),
		TEST(test_peer_closes_without_code),
		TEST(test_client_masks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
