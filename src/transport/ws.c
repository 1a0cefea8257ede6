#include "transport/ws.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "transport/limits.h"

enum {
	READ_BYTES = 32 * 1024,   /* on the stack: most input needs no memory at all */
	DIRECT_BYTES = 32 * 1024, /* written from where it lies */
	MASKS = 16,               /* one question to the kernel for so many frames */
	PINGS_MISSED_MAX = 2
};

enum phase {
	OPEN,
	CLOSING,  /* our close frame is out or queued; the peer's is awaited */
	DRAINING, /* everything is said: the rest of the input is read and dropped, so that the
		     system does not answer it with a reset that overtakes our close frame */
	ENDING,   /* `closed` comes at the end of the turn */
	ENDED
};

struct tn_ws {
	struct tn_loop *loop;
	int fd;
	enum phase phase;
	struct tn_io *io;
	struct tn_later *turn; /* flushes, goes on with held input, says `closed` */
	struct tn_timer *timer;
	const struct tn_ws_events *events;
	void *data;
	struct tn_ws_reader reader;
	struct tn_buf input; /* an unfinished frame, or what is held */
	struct tn_buf output;
	size_t written;       /* of the output; it moves to the front only now and then */
	bool held;            /* whole frames may be in `input`: the peer reads too slowly */
	bool paused;          /* the output is over its cap */
	bool asked_to_wait;   /* tn_ws_pause */
	bool in_event, freed; /* tn_ws_free inside an event: done when it returns */
	bool shut;            /* our half is closed */
	uint16_t peer_code;   /* of `closed` */
	unsigned pings_missed;
	uint32_t ping_ms, stall_ms, linger_ms;
	uint64_t heard_ms;         /* when the last bytes came */
	uint64_t deadline_ms;      /* of a stall or of the end; 0: none */
	unsigned char (*masks)[4]; /* a client's, unused ones first; NULL for a server */
	unsigned masks_left;
};

/* ---- time ---- */

/* When the timer has something to do; 0: never. */
static uint64_t next_deadline(const struct tn_ws *ws)
{
	if (ws->phase >= ENDING)
		return 0;
	if (ws->deadline_ms || ws->phase != OPEN || ws->ping_ms == 0 || ws->asked_to_wait)
		return ws->deadline_ms;
	return ws->heard_ms + (uint64_t)ws->ping_ms * (ws->pings_missed + 1);
}

static void arm(struct tn_ws *ws)
{
	uint64_t at = next_deadline(ws), now = tn_loop_now_ms(ws->loop);

	if (at)
		tn_timer_start(ws->timer, at > now ? at - now : 0);
	else
		tn_timer_stop(ws->timer);
}

static void set_deadline(struct tn_ws *ws, uint32_t after_ms)
{
	ws->deadline_ms = tn_loop_now_ms(ws->loop) + after_ms;
	arm(ws);
}

/* ---- the end ---- */

/* Nothing is read or written any more; `closed` follows in a turn of its own. */
static void end(struct tn_ws *ws, uint16_t code)
{
	if (ws->phase >= ENDING)
		return;
	ws->phase = ENDING;
	ws->peer_code = code;
	tn_io_watch(ws->io, 0);
	tn_timer_stop(ws->timer);
	tn_later_request(ws->turn);
}

static void watch(struct tn_ws *ws)
{
	int events = 0;

	if (ws->phase >= ENDING)
		return;
	if (!ws->paused && !ws->held && !ws->asked_to_wait)
		events |= TN_IO_READ;
	if (tn_ws_queued(ws))
		events |= TN_IO_WRITE;
	tn_io_watch(ws->io, events);
}

/* The last byte of ours is out: tells the peer so. */
static void finish_output(struct tn_ws *ws)
{
	if (ws->phase != DRAINING || ws->shut)
		return;
	if (ws->peer_code != TN_WS_ABNORMAL) { /* the peer has said goodbye, too */
		end(ws, ws->peer_code);
		return;
	}
	ws->shut = true;
	(void)shutdown(ws->fd, SHUT_WR); /* refused: it is gone already, and reading says so */
}

/* ---- output ---- */

/* Over the cap reading stops: what the peer asks only makes it worse. */
static void update_pause(struct tn_ws *ws)
{
	bool was = ws->paused;

	if (ws->phase != OPEN)
		return;
	if (tn_ws_queued(ws) > TN_OUTPUT_QUEUE_MAX)
		ws->paused = true;
	else if (tn_ws_queued(ws) < TN_OUTPUT_QUEUE_MAX / 2)
		ws->paused = false;
	if (ws->paused == was)
		return;
	if (ws->paused) {
		set_deadline(ws, ws->stall_ms);
		return;
	}
	ws->deadline_ms = 0;
	ws->heard_ms = tn_loop_now_ms(ws->loop); /* silence was our own doing */
	arm(ws);
	if (ws->held)
		tn_later_request(ws->turn);
	if (ws->events->relieved)
		ws->events->relieved(ws, ws->data);
}

/* Returns the bytes written, or -1 when the connection is over. */
static ssize_t write_parts(struct tn_ws *ws, struct iovec *parts, size_t count)
{
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
	ssize_t wrote;

	do
		wrote = sendmsg(ws->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (wrote < 0 && errno == EINTR);
	if (wrote < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	return wrote;
}

/* Moving the rest to the front each time would make a large answer to a slow reader quadratic. */
static void drop_output(struct tn_ws *ws, size_t size)
{
	ws->written += size;
	if (ws->written < ws->output.size / 2 + 1)
		return;
	tn_buf_drop_front(&ws->output, ws->written);
	ws->written = 0;
	tn_buf_shrink(&ws->output, 0);
}

static struct iovec output_part(const struct tn_ws *ws)
{
	size_t size = tn_ws_queued(ws);

	return (struct iovec){size ? ws->output.data + ws->written : NULL, size};
}

static void flush(struct tn_ws *ws)
{
	while (ws->phase < ENDING && tn_ws_queued(ws)) {
		struct iovec part = output_part(ws);
		ssize_t wrote = write_parts(ws, &part, 1);

		if (wrote < 0) {
			end(ws, TN_WS_ABNORMAL);
			return;
		}
		if (wrote == 0)
			break;
		drop_output(ws, (size_t)wrote);
	}
	if (ws->phase >= ENDING)
		return;
	if (tn_ws_queued(ws) == 0)
		finish_output(ws);
	update_pause(ws);
	watch(ws);
}

/* Queue, head and payload in one call, without copying the payload. */
static void send_direct(struct tn_ws *ws, const char *head, size_t head_size, struct tn_str text)
{
	struct iovec parts[3] = {output_part(ws),
				 {(void *)(uintptr_t)head, head_size},
				 {(void *)(uintptr_t)text.data, text.size}};
	ssize_t wrote = write_parts(ws, parts, 3);
	size_t left = wrote > 0 ? (size_t)wrote : 0;
	size_t queued = parts[0].iov_len < left ? parts[0].iov_len : left;

	if (wrote < 0) {
		end(ws, TN_WS_ABNORMAL);
		return;
	}
	drop_output(ws, queued);
	left -= queued;
	if (left < head_size) {
		tn_buf_append(&ws->output, head + left, head_size - left);
		left = 0;
	} else {
		left -= head_size;
	}
	tn_buf_append(&ws->output, text.data + left, text.size - left);
}

/* A mask nobody can foresee: what a client sends must not look like another protocol to a proxy
 * (RFC 6455 section 10.3). */
static const unsigned char *next_mask(struct tn_ws *ws)
{
	if (!ws->masks)
		return NULL;
	if (ws->masks_left == 0) {
		tn_rng_bytes(ws->masks, MASKS * sizeof(ws->masks[0]));
		ws->masks_left = MASKS;
	}
	return ws->masks[--ws->masks_left];
}

static void put_frame(struct tn_ws *ws, enum tn_ws_opcode opcode, struct tn_str payload)
{
	char head[TN_WS_HEAD_MAX];
	const unsigned char *mask = next_mask(ws);
	size_t head_size = tn_ws_write_head(head, opcode, payload.size, mask);

	if (!mask && payload.size >= DIRECT_BYTES) {
		send_direct(ws, head, head_size, payload);
	} else {
		tn_buf_append(&ws->output, head, head_size);
		tn_buf_append_str(&ws->output, payload);
		if (mask && !ws->output.failed)
			tn_ws_mask(ws->output.data + ws->output.size - payload.size, payload.size,
				   mask);
	}
	if (ws->output.failed) { /* past every cap although we stopped reading */
		end(ws, TN_WS_ABNORMAL);
		return;
	}
	update_pause(ws);
	if (!ws->in_event) /* else its end flushes */
		tn_later_request(ws->turn);
}

static void put_close(struct tn_ws *ws, uint16_t code)
{
	char payload[2] = {(char)(code >> 8), (char)(code & 0xFF)};

	put_frame(ws, TN_WS_OP_CLOSE, tn_str(payload, code == TN_WS_NO_STATUS ? 0 : 2));
}

void tn_ws_send(struct tn_ws *ws, struct tn_str text)
{
	if (ws->phase == OPEN)
		put_frame(ws, TN_WS_OP_TEXT, text);
}

void tn_ws_send_binary(struct tn_ws *ws, struct tn_str bytes)
{
	if (ws->phase == OPEN)
		put_frame(ws, TN_WS_OP_BINARY, bytes);
}

size_t tn_ws_queued(const struct tn_ws *ws)
{
	return ws->output.size - ws->written;
}

void tn_ws_pause(struct tn_ws *ws, bool pause)
{
	if (ws->phase != OPEN || ws->asked_to_wait == pause)
		return;
	ws->asked_to_wait = pause;
	if (!pause) {
		ws->heard_ms = tn_loop_now_ms(ws->loop); /* silence was our own doing */
		if (ws->held)
			tn_later_request(ws->turn);
	}
	arm(ws);
	watch(ws);
}

/* From here on nobody waits for the queue to shrink: only for the end. */
static void start_closing(struct tn_ws *ws, enum phase phase)
{
	if (ws->phase >= phase)
		return;
	if (ws->phase == OPEN)
		set_deadline(ws, ws->linger_ms);
	ws->phase = phase;
	ws->paused = ws->asked_to_wait = false; /* what still comes is dropped */
	tn_later_request(ws->turn);
}

void tn_ws_close(struct tn_ws *ws, enum tn_ws_close code)
{
	if (ws->phase != OPEN)
		return;
	put_close(ws, (uint16_t)code);
	start_closing(ws, CLOSING);
}

/* ---- input ---- */

static void take_event(struct tn_ws *ws, enum tn_ws_event event, struct tn_str text, uint16_t code)
{
	switch (event) {
	case TN_WS_TEXT:
		if (ws->phase == OPEN)
			ws->events->message(ws, text, ws->data);
		break;
	case TN_WS_BINARY:
		if (ws->phase == OPEN)
			ws->events->binary(ws, text, ws->data);
		break;
	case TN_WS_PING:
		if (ws->phase == OPEN)
			put_frame(ws, TN_WS_OP_PONG, text);
		break;
	case TN_WS_CLOSE:
		if (ws->phase == OPEN)
			put_close(ws, code);
		ws->peer_code = code;
		start_closing(ws, DRAINING);
		break;
	case TN_WS_FAULT:
		if (ws->phase == OPEN)
			put_close(ws, code);
		start_closing(ws, DRAINING);
		break;
	case TN_WS_PONG: /* that bytes came is all it says */
	case TN_WS_MORE:
		break;
	}
}

/* Takes whole frames from the front of `data`; returns how many bytes that were. */
static size_t take_frames(struct tn_ws *ws, char *data, size_t size)
{
	enum tn_ws_event event = TN_WS_MORE;
	size_t took;

	ws->in_event = true;
	ws->held = false;
	do {
		struct tn_str text = {0};
		uint16_t code = 0;

		if (ws->phase >= DRAINING) {
			ws->reader.consumed = size;
			break;
		}
		ws->held = ws->paused || ws->asked_to_wait;
		if (ws->held)
			break;
		event = tn_ws_read(&ws->reader, data, size, &text, &code);
		take_event(ws, event, text, code);
	} while (event != TN_WS_MORE && !ws->freed);
	ws->in_event = false;
	took = ws->reader.consumed;
	ws->reader.consumed = 0;
	return took;
}

/* What follows input: answers leave, the front of the input goes. The last use of `ws`. */
static void settle(struct tn_ws *ws)
{
	if (ws->freed) {
		tn_ws_free(ws);
		return;
	}
	tn_buf_shrink(&ws->input, 0);
	if (ws->input.failed)
		end(ws, TN_WS_ABNORMAL);
	flush(ws);
}

static void take_input(struct tn_ws *ws)
{
	tn_buf_drop_front(&ws->input, take_frames(ws, ws->input.data, ws->input.size));
	settle(ws);
}

/* Returns the bytes read; 0: the peer is gone; -1: nothing there. */
static ssize_t receive(struct tn_ws *ws, char *to, size_t size)
{
	ssize_t got = recv(ws->fd, to, size, MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return -1;
	if (got <= 0) {
		end(ws, ws->peer_code);
		return 0;
	}
	ws->heard_ms = tn_loop_now_ms(ws->loop);
	ws->pings_missed = 0;
	return got;
}

/* With nothing left from before, frames are taken where they were read, and only an unfinished one
 * is kept. */
static void read_fresh(struct tn_ws *ws)
{
	char chunk[READ_BYTES];
	ssize_t got = receive(ws, chunk, sizeof(chunk));
	struct tn_str left;
	size_t took, needed;

	if (got <= 0)
		return;
	took = take_frames(ws, chunk, (size_t)got);
	if (!ws->freed && took < (size_t)got) {
		left = tn_str(chunk + took, (size_t)got - took);
		needed = ws->held ? 0 : tn_ws_needed(&ws->reader, left.data, left.size);
		(void)tn_buf_reserve(&ws->input,
				     left.size + needed); /* appending sees it as well */
		tn_buf_append_str(&ws->input, left);
	}
	settle(ws);
}

/* Goes on with an unfinished frame: room for the rest of it, and for what follows a short one. */
static void read_more(struct tn_ws *ws)
{
	size_t needed = tn_ws_needed(&ws->reader, ws->input.data, ws->input.size);
	size_t room = needed > READ_BYTES ? needed : READ_BYTES;
	ssize_t got;

	if (!tn_buf_reserve(&ws->input, room)) {
		end(ws, TN_WS_ABNORMAL);
		return;
	}
	got = receive(ws, ws->input.data + ws->input.size, room);
	if (got <= 0)
		return;
	ws->input.size += (size_t)got;
	take_input(ws);
}

static void ready(struct tn_io *io, int events, void *data)
{
	struct tn_ws *ws = data;

	(void)io;
	if (events & TN_IO_WRITE)
		flush(ws);
	if (!(events & TN_IO_READ) || ws->phase >= ENDING || ws->paused || ws->held ||
	    ws->asked_to_wait)
		return;
	if (ws->input.size)
		read_more(ws);
	else
		read_fresh(ws);
}

/* ---- turns and timers ---- */

static void turn_due(struct tn_later *later, void *data)
{
	struct tn_ws *ws = data;

	(void)later;
	if (ws->phase == ENDING) {
		ws->phase = ENDED;
		ws->events->closed(ws, ws->peer_code, ws->data);
	} else if (ws->phase < ENDING) {
		if (ws->held && !ws->paused && !ws->asked_to_wait)
			take_input(ws);
		else
			flush(ws);
	}
}

static void timer_due(struct tn_timer *timer, void *data)
{
	struct tn_ws *ws = data;

	(void)timer;
	if (next_deadline(ws) == 0 || next_deadline(ws) > tn_loop_now_ms(ws->loop)) {
		arm(ws); /* something came in the meantime */
		return;
	}
	if (ws->deadline_ms || ws->pings_missed == PINGS_MISSED_MAX) {
		end(ws, ws->peer_code);
		return;
	}
	ws->pings_missed++;
	put_frame(ws, TN_WS_OP_PING, tn_str("", 0));
	arm(ws);
}

/* ---- life ---- */

static enum tenon_code open_handles(struct tn_ws *ws, int fd, struct tenon_error *err)
{
	enum tenon_code code = tn_timer_open(ws->loop, timer_due, ws, &ws->timer, err);

	if (code == TENON_OK)
		code = tn_later_open(ws->loop, turn_due, ws, &ws->turn, err);
	if (code == TENON_OK)
		code = tn_io_open(ws->loop, fd, ready, ws, &ws->io, err);
	return code;
}

static enum tenon_code prepare(struct tn_ws *ws, const struct tn_ws_options *options,
			       struct tenon_error *err)
{
	tn_ws_reader_init(&ws->reader, options->role, options->message_max);
	ws->reader.takes_binary = options->events->binary != NULL;
	/* The longest frame, and what a read brings behind it. */
	tn_buf_init(&ws->input, options->message_max + TN_WS_HEAD_MAX + options->unread.size +
					2 * (size_t)READ_BYTES);
	tn_buf_init(&ws->output, TN_OUTPUT_QUEUE_MAX + TN_RESULT_BYTES_MAX);
	tn_buf_append_str(&ws->input, options->unread);
	if (options->role == TN_WS_CLIENT)
		ws->masks = tn_mem_alloc_array(MASKS, sizeof(ws->masks[0]));
	if (ws->input.failed || (options->role == TN_WS_CLIENT && !ws->masks))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}

enum tenon_code tn_ws_open(struct tn_loop *loop, int fd, const struct tn_ws_options *options,
			   struct tn_ws **ret, struct tenon_error *err)
{
	struct tn_ws *ws = tn_mem_alloc(sizeof(*ws));
	enum tenon_code code;
	int on = 1;

	if (!ws)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	ws->loop = loop;
	ws->fd = -1; /* the caller's until all is well */
	ws->events = options->events;
	ws->data = options->data;
	ws->peer_code = TN_WS_ABNORMAL;
	ws->ping_ms = options->ping_ms;
	ws->stall_ms = options->stall_ms ? options->stall_ms : TN_OUTPUT_STALL_MS;
	ws->linger_ms = options->linger_ms ? options->linger_ms : TN_HTTP_LINGER_MS;
	ws->heard_ms = tn_loop_now_ms(loop);
	code = prepare(ws, options, err);
	if (code == TENON_OK)
		code = open_handles(ws, fd, err);
	if (code != TENON_OK) {
		tn_ws_free(ws);
		return code;
	}
	ws->fd = fd;
	/* Answers must not wait for the peer's acknowledgement; a Unix socket has no such option.
	 */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	ws->held = ws->input.size > 0;
	if (ws->held)
		tn_later_request(ws->turn);
	watch(ws);
	arm(ws);
	*ret = ws;
	return TENON_OK;
}

void tn_ws_free(struct tn_ws *ws)
{
	if (!ws)
		return;
	if (ws->in_event) {
		ws->freed = true;
		return;
	}
	tn_io_close(ws->io);
	tn_later_close(ws->turn);
	tn_timer_close(ws->timer);
	if (ws->fd >= 0)
		(void)close(ws->fd); /* what could be sent has been */
	tn_ws_reader_finish(&ws->reader);
	tn_buf_finish(&ws->input);
	tn_buf_finish(&ws->output);
	tn_mem_free(ws->masks);
	tn_mem_free(ws);
}
