/* Beside wslay, another implementation of RFC 6455: the same bytes give the same events and the
 * same verdict, whatever the pieces, and each reads what the other writes (MCP-162).
 *
 * What stays out of the scripts. Ours on purpose: codes 1012 to 1014, which IANA has registered
 * since, are accepted; binary messages are refused at their first frame (told here by the frame's
 * start); text is checked when it is whole, so bad bytes stand in the last frame only. Mistakes of
 * wslay 1.1.1: it accepts a close frame of one byte, and takes the code for text when a close frame
 * comes to it in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <wslay/wslay.h>

#include "base/mem.h"
#include "transport/ws_frame.h"

enum { MESSAGE_MAX = 70000, SCRIPTS = 6000, FRAMES_MAX = 8 };

static uint64_t rng_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state >> 33;
}

static bool one_in(uint64_t *rng, unsigned n)
{
	return rng_next(rng) % n == 0;
}

static void put_event(struct tn_buf *log, const char *name, unsigned code, struct tn_str text)
{
	tn_buf_format(log, "%s(%u,%zu", name, code, text.size);
	tn_buf_append_byte(log, ',');
	tn_buf_append_str(log, text);
	tn_buf_append_text(log, ") ");
}

/* ---- ours ---- */

static void play_ours(struct tn_buf *log, const struct tn_buf *bytes, bool server, size_t piece)
{
	static const char *const names[] = {[TN_WS_TEXT] = "text",
					    [TN_WS_PING] = "ping",
					    [TN_WS_PONG] = "pong",
					    [TN_WS_CLOSE] = "close",
					    [TN_WS_FAULT] = "fault"};
	struct tn_ws_reader reader;
	char *copy = tn_mem_copy_text(bytes->data ? bytes->data : "", bytes->size);
	size_t arrived = 0;
	enum tn_ws_event event;

	assert_non_null(copy);
	tn_ws_reader_init(&reader, server ? TN_WS_SERVER : TN_WS_CLIENT, MESSAGE_MAX);
	while (arrived < bytes->size && !reader.failed) {
		arrived = piece < bytes->size - arrived ? arrived + piece : bytes->size;
		do {
			struct tn_str text = {0};
			uint16_t code = 0;

			event = tn_ws_read(&reader, copy, arrived, &text, &code);
			if (event == TN_WS_CLOSE && code == TN_WS_NO_STATUS)
				code = 0; /* as wslay says it */
			if (event != TN_WS_MORE)
				put_event(log, names[event], code, text);
		} while (event != TN_WS_MORE);
	}
	tn_ws_reader_finish(&reader);
	tn_mem_free(copy);
}

/* ---- wslay's ---- */

struct theirs {
	const struct tn_buf *bytes;
	size_t at, piece;
	struct tn_buf *log, *sent;
	bool binary, closed;
};

static ssize_t their_recv(wslay_event_context_ptr ctx, uint8_t *buf, size_t len, int flags,
			  void *user)
{
	struct theirs *t = user;
	size_t size = t->bytes->size - t->at;

	(void)flags;
	if (size == 0 || t->binary) {
		wslay_event_set_error(ctx, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	size = size < len ? size : len;
	size = size < t->piece ? size : t->piece;
	memcpy(buf, t->bytes->data + t->at, size);
	t->at += size;
	return (ssize_t)size;
}

static ssize_t their_send(wslay_event_context_ptr ctx, const uint8_t *data, size_t len, int flags,
			  void *user)
{
	struct theirs *t = user;

	(void)ctx;
	(void)flags;
	tn_buf_append(t->sent, data, len);
	return (ssize_t)len;
}

static int their_mask(wslay_event_context_ptr ctx, uint8_t *buf, size_t len, void *user)
{
	(void)ctx;
	(void)user;
	for (size_t i = 0; i < len; i++)
		buf[i] = (uint8_t)(17 * i + 3);
	return 0;
}

static void their_start(wslay_event_context_ptr ctx,
			const struct wslay_event_on_frame_recv_start_arg *arg, void *user)
{
	struct theirs *t = user;

	(void)ctx;
	t->binary = t->binary || arg->opcode == WSLAY_BINARY_FRAME;
}

static void their_message(wslay_event_context_ptr ctx,
			  const struct wslay_event_on_msg_recv_arg *arg, void *user)
{
	struct theirs *t = user;
	struct tn_str text = tn_str((const char *)arg->msg, arg->msg_length);

	(void)ctx;
	if (t->binary)
		return;
	switch (arg->opcode) {
	case WSLAY_CONNECTION_CLOSE:
		t->closed = true;
		put_event(t->log, "close", arg->status_code, tn_str_from_offset(text, 2));
		break;
	case WSLAY_TEXT_FRAME:
		put_event(t->log, "text", 0, text);
		break;
	case WSLAY_PING:
		put_event(t->log, "ping", 0, text);
		break;
	default:
		put_event(t->log, "pong", 0, text);
		break;
	}
}

static const struct wslay_event_callbacks callbacks = {
	.recv_callback = their_recv,
	.send_callback = their_send,
	.genmask_callback = their_mask,
	.on_frame_recv_start_callback = their_start,
	.on_msg_recv_callback = their_message,
};

static wslay_event_context_ptr open_theirs(struct theirs *t, bool server)
{
	wslay_event_context_ptr ctx;

	assert_int_equal(server ? wslay_event_context_server_init(&ctx, &callbacks, t)
				: wslay_event_context_client_init(&ctx, &callbacks, t),
			 0);
	wslay_event_config_set_max_recv_msg_length(ctx, MESSAGE_MAX);
	return ctx;
}

/* Heads it cannot read at all it answers with a close frame without a code. */
static unsigned fault_of(wslay_event_context_ptr ctx)
{
	unsigned code = wslay_event_get_status_code_sent(ctx);

	return code == TN_WS_NO_STATUS ? TN_WS_PROTOCOL_ERROR : code;
}

static void play_theirs(struct tn_buf *log, const struct tn_buf *bytes, bool server, size_t piece)
{
	struct tn_buf sent;
	struct theirs t = {.bytes = bytes, .piece = piece, .log = log, .sent = &sent};
	wslay_event_context_ptr ctx;

	tn_buf_init(&sent, 16 * TN_MIB);
	ctx = open_theirs(&t, server);
	while (t.at < bytes->size && !t.closed && !t.binary && wslay_event_want_read(ctx))
		if (wslay_event_recv(ctx) != 0)
			break;
	(void)wslay_event_send(ctx);
	if (t.binary)
		put_event(log, "fault", TN_WS_UNSUPPORTED, tn_str("", 0));
	else if (!t.closed && wslay_event_get_close_sent(ctx))
		put_event(log, "fault", fault_of(ctx), tn_str("", 0));
	wslay_event_context_free(ctx);
	tn_buf_finish(&sent);
}

/* ---- scripts ---- */

struct script {
	struct tn_buf bytes;
	uint64_t rng;
	bool server; /* read by a server: masked */
	bool in_message, bad, long_one, has_close;
};

static size_t pick_size(struct script *s)
{
	static const size_t edges[] = {0, 1, 2, 125, 126, 127, 128};

	if (!s->long_one && one_in(&s->rng, 60)) {
		s->long_one = true; /* one is enough to be slow about */
		return 65534 + rng_next(&s->rng) % 5000;
	}
	return one_in(&s->rng, 3) ? edges[rng_next(&s->rng) % 7] : rng_next(&s->rng) % 20;
}

/* Whole characters of one to four bytes; `bad`: with a byte that is none. */
static size_t fill_text(struct script *s, char *text, size_t size, bool bad)
{
	static const char *const some[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
	static const char *const wrong[] = {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80",
					    "\xE2\x82"};
	size_t at = 0;

	while (at + 4 <= size) {
		const char *next = some[one_in(&s->rng, 2) ? rng_next(&s->rng) % 4 : 0];

		memcpy(text + at, next, strlen(next));
		at += strlen(next);
	}
	if (bad) {
		const char *next = wrong[rng_next(&s->rng) % 5];

		memcpy(text + at, next, strlen(next));
		at += strlen(next);
	}
	return at;
}

static void put_frame(struct script *s, unsigned first, const char *payload, size_t size)
{
	unsigned char mask[4];
	char head[TN_WS_HEAD_MAX];
	bool masked = s->server != one_in(&s->rng, 100);
	size_t head_size;

	for (unsigned i = 0; i < 4; i++)
		mask[i] = (unsigned char)rng_next(&s->rng);
	head_size = tn_ws_write_head(head, TN_WS_OP_TEXT, size, masked ? mask : NULL);
	head[0] = (char)first;
	tn_buf_append(&s->bytes, head, head_size);
	tn_buf_append(&s->bytes, payload, size);
	if (masked)
		tn_ws_mask(s->bytes.data + s->bytes.size - size, size, mask);
}

static void put_control(struct script *s, char *text)
{
	static const unsigned codes[] = {1000, 1001, 1003, 1007, 1011, 3000, 4999, 999,
					 1004, 1005, 1006, 1015, 2999, 5000, 0,    65535};
	size_t size = fill_text(s, text, rng_next(&s->rng) % 124, false);

	if (one_in(&s->rng, 3)) {
		unsigned code = codes[rng_next(&s->rng) % (one_in(&s->rng, 2) ? 16 : 7)];
		char payload[126];

		payload[0] = (char)(code >> 8);
		payload[1] = (char)(code & 0xFF);
		size = size < 120 ? size : 0;
		memcpy(payload + 2, text, size);
		s->has_close = true;
		put_frame(s, 0x88, payload, one_in(&s->rng, 4) ? 0 : size + 2);
	} else {
		put_frame(s, one_in(&s->rng, 2) ? 0x89 : 0x8A, text, size);
	}
}

static void put_text(struct script *s, char *text)
{
	bool final = one_in(&s->rng, 2);
	bool bad = s->bad && final && one_in(&s->rng, 4);
	size_t size = fill_text(s, text, pick_size(s), bad);
	unsigned opcode = s->in_message ? 0 : 1;

	put_frame(s, (final ? 0x80u : 0) | opcode, text, size);
	s->in_message = !final;
}

static unsigned first_byte(struct script *s) /* any but a close frame's */
{
	unsigned first = (unsigned)rng_next(&s->rng) & 0xFF;

	return first == 0x88 ? 0x8B : first;
}

/* Mostly well-formed conversations, with any first byte or any bit wrong now and then. */
static void write_script(struct script *s, uint64_t seed, char *text)
{
	size_t frames;

	*s = (struct script){.rng = seed * 7919 + 1};
	tn_buf_init(&s->bytes, 16 * TN_MIB);
	s->server = one_in(&s->rng, 2);
	s->bad = one_in(&s->rng, 3);
	frames = 1 + rng_next(&s->rng) % FRAMES_MAX;
	for (size_t i = 0; i < frames; i++) {
		if (one_in(&s->rng, 40))
			put_frame(s, first_byte(s), text, fill_text(s, text, pick_size(s), false));
		else if (one_in(&s->rng, 4))
			put_control(s, text);
		else
			put_text(s, text);
	}
}

static bool ends_in_fault(const struct tn_buf *log)
{
	return tn_str_find(tn_buf_str(log), TN_STR("fault(")) != TN_STR_NONE;
}

static void test_same_verdicts(void **state) /* MCP-162 */
{
	static const size_t pieces[] = {1, 2, 5, 100, 4096, SIZE_MAX};
	char *text = tn_mem_alloc(MESSAGE_MAX + 1000);
	unsigned faults = 0;

	(void)state;
	assert_non_null(text);
	for (uint64_t seed = 0; seed < SCRIPTS; seed++) {
		struct script s;
		struct tn_buf ours, theirs;

		write_script(&s, seed, text);
		tn_buf_init(&ours, 16 * TN_MIB);
		tn_buf_init(&theirs, 16 * TN_MIB);
		play_ours(&ours, &s.bytes, s.server, pieces[seed % 6]);
		play_theirs(&theirs, &s.bytes, s.server,
			    s.has_close ? SIZE_MAX : pieces[seed / 6 % 6]);
		faults += ends_in_fault(&ours);
		if (!tn_str_equal(tn_buf_str(&ours), tn_buf_str(&theirs)))
			fail_msg("script %u\nours   %.*s\nwslay  %.*s", (unsigned)seed,
				 (int)ours.size, ours.data, (int)theirs.size, theirs.data);
		tn_buf_finish(&ours);
		tn_buf_finish(&theirs);
		tn_buf_finish(&s.bytes);
	}
	tn_mem_free(text);
	print_message("%d scripts, %u of them end in a fault\n", SCRIPTS, faults);
	assert_in_range(faults, SCRIPTS / 20, SCRIPTS / 2);
}

static void queue(wslay_event_context_ptr ctx, uint8_t opcode, struct tn_str text)
{
	struct wslay_event_msg message = {opcode, (const uint8_t *)text.data, text.size};

	assert_int_equal(wslay_event_queue_msg(ctx, &message), 0);
	assert_int_equal(wslay_event_send(ctx), 0); /* it would send control frames first */
}

/* What wslay writes, in both roles. */
static void test_reads_what_wslay_writes(void **state)
{
	static const size_t sizes[] = {0, 1, 125, 126, 65535, 65536};
	char *text = tn_mem_alloc(65536);

	(void)state;
	assert_non_null(text);
	memset(text, 'w', 65536);
	for (unsigned server = 0; server < 2; server++) {
		struct tn_buf sent, log, wanted;
		struct theirs t = {.sent = &sent};
		wslay_event_context_ptr ctx = open_theirs(&t, server);

		tn_buf_init(&sent, 16 * TN_MIB);
		tn_buf_init(&log, 16 * TN_MIB);
		tn_buf_init(&wanted, 16 * TN_MIB);
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			queue(ctx, WSLAY_TEXT_FRAME, tn_str(text, sizes[i]));
			queue(ctx, WSLAY_PING, TN_STR("p"));
			put_event(&wanted, "text", 0, tn_str(text, sizes[i]));
			put_event(&wanted, "ping", 0, TN_STR("p"));
		}
		assert_int_equal(wslay_event_queue_close(ctx, 1001, (const uint8_t *)"away", 4), 0);
		put_event(&wanted, "close", 1001, TN_STR("away"));
		assert_int_equal(wslay_event_send(ctx), 0);
		play_ours(&log, &sent, !server, 777);
		assert_true(tn_str_equal(tn_buf_str(&log), tn_buf_str(&wanted)));
		wslay_event_context_free(ctx);
		tn_buf_finish(&sent);
		tn_buf_finish(&log);
		tn_buf_finish(&wanted);
	}
	tn_mem_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_verdicts),
		cmocka_unit_test(test_reads_what_wslay_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
