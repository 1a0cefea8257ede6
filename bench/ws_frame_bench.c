/* ws_frame_bench.c - WebSocket frames read and written in memory, ours and wslay's.
 *
 *     ws_frame_bench [SECONDS]
 *
 * A server's side: messages of one masked frame each are read, unmasked and checked to be UTF-8;
 * messages are written unmasked. Both get their bytes in pieces of 32 KiB and hand theirs to a
 * callback that drops them. A row per size: frames a second and MB a second of payload. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <wslay/wslay.h>

#include "base/mem.h"
#include "transport/ws_frame.h"

enum { PIECE = 32 * 1024, ROUND_BYTES = 8 * 1024 * 1024 };

struct load {
	struct tn_buf frames; /* ROUND_BYTES of payload, masked */
	struct tn_buf text;   /* one message */
	size_t count;
	size_t at;   /* of wslay's input */
	size_t seen; /* messages read */
	size_t out;  /* bytes written */
	struct tn_buf copy;
};

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t); /* always there */
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void make_load(struct load *l, size_t size)
{
	static const unsigned char mask[4] = {0x12, 0x9A, 0xF0, 0x55};
	char head[TN_WS_HEAD_MAX];

	*l = (struct load){.count = ROUND_BYTES / size};
	tn_buf_init(&l->frames, 64 * TN_MIB);
	tn_buf_init(&l->text, 64 * TN_MIB);
	tn_buf_init(&l->copy, 64 * TN_MIB);
	while (l->text.size < size)
		tn_buf_append_byte(&l->text, (char)('a' + l->text.size % 26));
	for (size_t i = 0; i < l->count; i++) {
		tn_buf_append(&l->frames, head, tn_ws_write_head(head, TN_WS_OP_TEXT, size, mask));
		tn_buf_append_str(&l->frames, tn_buf_str(&l->text));
		tn_ws_mask(l->frames.data + l->frames.size - size, size, mask);
	}
	tn_assert(!l->frames.failed && !l->text.failed);
}

/* As ws.c does it: what is whole is read where it came, an unfinished frame is collected. */
static void read_ours(struct load *l)
{
	struct tn_ws_reader reader;
	struct tn_buf window;

	tn_ws_reader_init(&reader, TN_WS_SERVER, 64 * TN_MIB);
	tn_buf_init(&window, 64 * TN_MIB);
	for (size_t at = 0; at < l->frames.size; at += PIECE) {
		size_t size = l->frames.size - at < PIECE ? l->frames.size - at : PIECE;
		struct tn_str text;
		uint16_t code;

		tn_buf_append(&window, l->frames.data + at, size);
		while (tn_ws_read(&reader, window.data, window.size, &text, &code) == TN_WS_TEXT)
			l->seen += text.size == l->text.size;
		tn_buf_drop_front(&window, reader.consumed);
		reader.consumed = 0;
		(void)tn_buf_reserve(&window, tn_ws_needed(&reader, window.data, window.size));
	}
	tn_buf_finish(&window);
	tn_ws_reader_finish(&reader);
}

static ssize_t wslay_recv(wslay_event_context_ptr ctx, uint8_t *buf, size_t len, int flags,
			  void *user)
{
	struct load *l = user;
	size_t size = l->frames.size - l->at;

	(void)flags;
	size = size < len ? size : len;
	size = size < PIECE ? size : PIECE;
	if (size == 0) {
		wslay_event_set_error(ctx, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	memcpy(buf, l->frames.data + l->at, size);
	l->at += size;
	return (ssize_t)size;
}

static ssize_t wslay_send(wslay_event_context_ptr ctx, const uint8_t *data, size_t len, int flags,
			  void *user)
{
	(void)ctx;
	(void)data;
	(void)flags;
	((struct load *)user)->out += len;
	return (ssize_t)len;
}

static void wslay_message(wslay_event_context_ptr ctx,
			  const struct wslay_event_on_msg_recv_arg *arg, void *user)
{
	struct load *l = user;

	(void)ctx;
	l->seen += arg->msg_length == l->text.size;
}

static const struct wslay_event_callbacks callbacks = {.recv_callback = wslay_recv,
						       .send_callback = wslay_send,
						       .on_msg_recv_callback = wslay_message};

static void read_wslay(struct load *l)
{
	wslay_event_context_ptr ctx;

	tn_assert(wslay_event_context_server_init(&ctx, &callbacks, l) == 0);
	wslay_event_config_set_max_recv_msg_length(ctx, 64 * TN_MIB);
	l->at = 0;
	while (l->at < l->frames.size)
		tn_assert(wslay_event_recv(ctx) == 0);
	wslay_event_context_free(ctx);
}

/* As ws.c does it: small messages of a turn are copied into one run, large ones are not copied. */
static void write_ours(struct load *l)
{
	char head[TN_WS_HEAD_MAX];

	for (size_t i = 0; i < l->count; i++) {
		size_t size = tn_ws_write_head(head, TN_WS_OP_TEXT, l->text.size, NULL);

		if (l->text.size < PIECE) {
			tn_buf_append(&l->copy, head, size);
			tn_buf_append_str(&l->copy, tn_buf_str(&l->text));
		} else {
			l->out += size + l->text.size; /* writev from where it lies */
		}
		if (l->copy.size > PIECE) {
			l->out += l->copy.size;
			tn_buf_clear(&l->copy);
		}
	}
}

static void write_wslay(struct load *l)
{
	struct wslay_event_msg message = {WSLAY_TEXT_FRAME, (const uint8_t *)l->text.data,
					  l->text.size};
	wslay_event_context_ptr ctx;

	tn_assert(wslay_event_context_server_init(&ctx, &callbacks, l) == 0);
	for (size_t i = 0; i < l->count; i++) {
		tn_assert(wslay_event_queue_msg(ctx, &message) == 0);
		tn_assert(wslay_event_send(ctx) == 0);
	}
	wslay_event_context_free(ctx);
}

static void measure(const char *name, struct load *l, void (*run)(struct load *), double seconds)
{
	double start = now(), took;
	size_t rounds = 0;

	do {
		run(l);
		rounds++;
		took = now() - start;
	} while (took < seconds);
	printf("%-12s %9zu %14.0f %10.0f\n", name, l->text.size, (double)(rounds * l->count) / took,
	       (double)(rounds * l->count) * (double)l->text.size / took / 1e6);
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {20, 100, 1000, 10000, 1000000};
	double seconds = argc > 1 ? strtod(argv[1], NULL) : 1.0;

	printf("%-12s %9s %14s %10s\n", "", "bytes", "frames/s", "MB/s");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct load l;

		make_load(&l, sizes[i]);
		measure("read", &l, read_ours, seconds);
		measure("read wslay", &l, read_wslay, seconds);
		tn_assert(l.seen % l.count == 0 && l.seen > 0);
		measure("write", &l, write_ours, seconds);
		measure("write wslay", &l, write_wslay, seconds);
		tn_buf_finish(&l.frames);
		tn_buf_finish(&l.text);
		tn_buf_finish(&l.copy);
	}
	return 0;
}
