/* One client on standard input and output. */
#include <fcntl.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "host/serve.h"
#include "mcp/feed.h"
#include "mcp/receive.h"
#include "transport/line_stream.h"

struct stdio_server {
	struct tenon_server *server;
	struct tn_line_stream *stream;
	struct tn_peer *peer;
	struct tn_timer *grace;
	bool closing;          /* no more input is taken */
	uint64_t deadline_ms;  /* of closing */
	struct message *spare; /* finished ones, to be used again */
};

/* A message's way back: a line on the stream. */
struct message {
	struct tn_exchange x; /* first: ops get this */
	struct stdio_server *stdio;
	struct message *next;
};

static void close_message(struct message *m)
{
	struct stdio_server *s = m->stdio;

	m->next = s->spare;
	s->spare = m;
	if (s->closing) /* perhaps it was the last */
		tn_timer_start(s->grace, 0);
}

static void message_answer(struct tn_exchange *x, int status, struct tn_str json)
{
	struct message *m = (struct message *)x;

	(void)status; /* lines have none */
	tn_line_stream_send(m->stdio->stream, json);
	close_message(m);
}

static void message_notify(struct tn_exchange *x, struct tn_str json)
{
	tn_line_stream_send(((struct message *)x)->stdio->stream, json);
}

static void message_end(struct tn_exchange *x, bool cancelled)
{
	(void)cancelled;
	close_message((struct message *)x);
}

static bool is_backlogged(const struct tn_exchange *x)
{
	const struct message *m = (const struct message *)x;

	return tn_line_stream_queued(m->stdio->stream) > TN_OUTPUT_QUEUE_MAX / 2;
}

static const struct tn_exchange_ops message_ops = {
	.answer = message_answer,
	.notify = message_notify,
	.end = message_end,
	.backlogged = is_backlogged,
};

static bool outlet_ready(const struct tn_peer *peer)
{
	const struct stdio_server *s = peer->transport;

	return tn_line_stream_queued(s->stream) <= TN_OUTPUT_QUEUE_MAX / 2;
}

static void outlet_send(struct tn_peer *peer, struct tn_str json)
{
	struct stdio_server *s = peer->transport;

	tn_line_stream_send(s->stream, json);
}

static bool outlet_slow(const struct tn_peer *peer)
{
	return !outlet_ready(peer);
}

static const struct tn_outlet_ops outlet_ops = {
	.ready = outlet_ready,
	.send = outlet_send,
	.slow = outlet_slow,
};

static struct message *take_message(struct stdio_server *s)
{
	struct message *m = s->spare;

	if (m)
		s->spare = m->next;
	else
		m = tn_mem_alloc(sizeof(*m));
	if (m)
		*m = (struct message){.x = {.ops = &message_ops}, .stdio = s};
	return m;
}

static void on_line(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	struct stdio_server *s = data;
	struct message *m = take_message(s);

	(void)stream;
	if (m) /* otherwise out of memory: the message is lost, the conversation is not */
		tn_receive_stream(s->peer, &m->x, line);
}

static void on_too_long(struct tn_line_stream *stream, void *data)
{
	struct stdio_server *s = data;
	struct message *m = take_message(s);

	(void)stream;
	if (m)
		tn_receive_refused(s->server, &m->x, 413, -32600, "The message is too long");
}

/* Nothing new is accepted; what was read may finish within the grace time (MCP-085). */
static void begin_close(struct stdio_server *s)
{
	if (s->closing)
		return;
	s->closing = true;
	tn_line_stream_stop_reading(s->stream);
	tn_feed_close(s->server);
	s->deadline_ms = tn_loop_now_ms(s->server->loop) + TN_SHUTDOWN_GRACE_MS;
	tn_timer_start(s->grace, 0);
}

static void on_end(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	begin_close(data);
}

static void on_broken(struct tn_line_stream *stream, void *data)
{
	struct stdio_server *s = data;

	(void)stream;
	tn_loop_stop(s->server->loop);
}

/* Ends when everything is answered and written, or when the time is up. */
static void grace_over(struct tn_timer *timer, void *data)
{
	struct stdio_server *s = data;
	uint64_t now = tn_loop_now_ms(s->server->loop);
	bool written = tn_line_stream_flush(s->stream);

	if ((tn_peer_idle(s->peer) && written) || now >= s->deadline_ms)
		tn_loop_stop(s->server->loop);
	else
		tn_timer_start(timer, written ? s->deadline_ms - now : 10);
}

static void on_stop(void *data)
{
	begin_close(data);
}

static const struct tn_line_stream_events stream_events = {
	.line = on_line,
	.too_long = on_too_long,
	.end = on_end,
	.broken = on_broken,
};

/* MCP-081: the real standard output becomes ours alone; whatever prints goes to standard error. */
static int take_stdout(void)
{
	int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (copy >= 0)
		(void)dup2(STDERR_FILENO,
			   STDOUT_FILENO); /* fails without stderr: then nothing prints */
	return copy;
}

static void free_messages(struct stdio_server *s)
{
	while (s->spare) {
		struct message *m = s->spare;

		s->spare = m->next;
		tn_mem_free(m);
	}
}

enum tenon_code tenon_server_run_stdio(struct tenon_server *server, struct tenon_error *err)
{
	struct stdio_server s = {.server = server};
	struct tn_serve_stop stop = {0};
	int out = take_stdout();
	enum tenon_code code;

	if (out < 0)
		return tn_fail(err, TENON_SYSTEM, "standard output is closed");
	code = tn_peer_create(server, TN_PEER_STREAM, "local", &outlet_ops, &s, &s.peer, err);
	if (code == TENON_OK)
		code = tn_timer_open(server->loop, grace_over, &s, &s.grace, err);
	if (code == TENON_OK)
		code = tn_serve_stop_open(&stop, server, on_stop, &s, err);
	if (code == TENON_OK)
		code = tn_line_stream_open(server->loop, STDIN_FILENO, out, TN_MESSAGE_BYTES_MAX,
					   &stream_events, &s, &s.stream, err);
	if (code == TENON_OK)
		tn_loop_run(server->loop);
	tn_peer_destroy(s.peer);
	tn_line_stream_close(s.stream);
	tn_serve_stop_close(&stop, server);
	tn_timer_close(s.grace);
	free_messages(&s);
	(void)close(out); /* everything that could be written has been */
	return code;
}
