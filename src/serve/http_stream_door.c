#include "serve/http_stream_door.h"

#include <unistd.h>

#include "base/mem.h"
#include "serve/http_host.h"
#include "serve/limits.h"
#include "transport/ws.h"

struct tn_stream {
	struct tn_http_host *host;
	const struct tn_stream_door *door;
	void *self; /* the app's; NULL: not let in, or told that it is over */
	struct tn_ws *ws;
	struct tn_http_seat *seat;
	bool leaving, expelled; /* as struct tn_ws_client has them */
	struct tn_stream *next, *previous;
};

/* ---- the app's end of it ---- */

static void send(struct tn_stream *stream, struct tn_str bytes, bool binary)
{
	if (binary)
		tn_ws_send_binary(stream->ws, bytes);
	else
		tn_ws_send(stream->ws, bytes);
}

static size_t queued(const struct tn_stream *stream)
{
	return tn_ws_queued(stream->ws);
}

static void close_stream(struct tn_stream *stream, unsigned code, const char *reason)
{
	(void)reason; /* said before, in the app's own words */
	stream->leaving = true;
	tn_ws_close(stream->ws, (enum tn_ws_close)code);
}

static const struct tn_stream_ops ops = {
	.send = send,
	.queued = queued,
	.close = close_stream,
};

/* ---- life ---- */

static void free_stream(struct tn_stream *stream)
{
	struct tn_http_host *host = stream->host;

	if (stream->previous)
		stream->previous->next = stream->next;
	else
		host->streams = stream->next;
	if (stream->next)
		stream->next->previous = stream->previous;
	if (stream->self)
		stream->door->closed(stream->self);
	tn_ws_free(stream->ws);
	tn_http_leave(stream->seat);
	tn_mem_free(stream);
	tn_serve_settled(host->server);
}

static void take(struct tn_stream *stream, struct tn_str bytes, bool binary)
{
	if (!stream->leaving)
		stream->door->received(stream->self, bytes, binary);
}

static void on_text(struct tn_ws *ws, struct tn_str text, void *data)
{
	(void)ws;
	take(data, text, false);
}

static void on_binary(struct tn_ws *ws, struct tn_str bytes, void *data)
{
	(void)ws;
	take(data, bytes, true);
}

static void on_relieved(struct tn_ws *ws, void *data)
{
	const struct tn_stream *stream = data;

	(void)ws;
	if (!stream->leaving && stream->door->writable)
		stream->door->writable(stream->self);
}

static void on_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	(void)ws;
	(void)code;
	free_stream(data);
}

static const struct tn_ws_events ws_events = {
	.message = on_text,
	.binary = on_binary,
	.closed = on_closed,
	.relieved = on_relieved,
};

void tn_stream_turn(struct tn_http_host *host)
{
	if (!host->server->stopping)
		return;
	for (struct tn_stream *stream = host->streams; stream; stream = stream->next) {
		if (!stream->leaving)
			close_stream(stream, TN_WS_GOING_AWAY, NULL);
	}
}

void tn_stream_silence(struct tn_http_host *host)
{
	for (struct tn_stream *stream = host->streams; stream; stream = stream->next)
		stream->leaving = true;
}

void tn_stream_expel(struct tn_http_host *host)
{
	for (struct tn_stream *stream = host->streams; stream; stream = stream->next) {
		if (stream->expelled)
			continue;
		stream->expelled = true;
		close_stream(stream, TN_WS_POLICY, NULL);
		tn_timer_start(host->expel_timer, TN_TOKEN_CLOSE_MS);
	}
}

void tn_stream_expel_now(struct tn_http_host *host)
{
	struct tn_stream *next;

	for (struct tn_stream *stream = host->streams; stream; stream = next) {
		next = stream->next;
		if (stream->expelled)
			free_stream(stream);
	}
}

void tn_stream_close_all(struct tn_http_host *host)
{
	while (host->streams)
		free_stream(host->streams);
}

/* ---- the beginning ---- */

static bool offers(const struct tn_http_exchange *x, const char *protocol)
{
	struct tn_http_list list = {0};
	struct tn_str element;

	while (tn_http_list_next(x, "Sec-WebSocket-Protocol", &list, &element)) {
		if (tn_str_is(element, protocol))
			return true;
	}
	return false;
}

/* NULL: answered. */
static struct tn_stream *let_in(struct tn_http_host *host, struct tn_http_exchange *x,
				const struct tn_stream_door *door)
{
	struct tn_str ticket = tn_ws_offered(x, TN_STR("ticket."));
	struct tn_str path = tn_str_from_offset(tn_http_path(x), strlen(door->prefix));
	struct tn_stream *stream = tn_mem_alloc(sizeof(*stream));

	if (!stream) {
		tn_http_refuse(x, 503, "out of memory", NULL);
		return NULL;
	}
	stream->host = host;
	stream->door = door;
	stream->next = host->streams;
	if (stream->next)
		stream->next->previous = stream;
	host->streams = stream;
	stream->self = door->open(door->app, path, ticket, stream, &ops);
	if (stream->self)
		return stream;
	free_stream(stream);
	tn_http_refuse(x, 403, "No valid ticket for this; each is good for one connection, soon",
		       NULL);
	return NULL;
}

static bool start(struct tn_stream *stream, struct tn_http_upgraded *upgraded)
{
	const struct tn_ws_options options = {
		.role = TN_WS_SERVER,
		.message_max = TN_STREAM_MESSAGE_BYTES_MAX,
		.ping_ms = TN_WS_PING_MS,
		.unread = tn_buf_str(&upgraded->unread),
		.events = &ws_events,
		.data = stream,
	};
	enum tenon_code code =
		tn_ws_open(stream->host->server->loop, upgraded->fd, &options, &stream->ws, NULL);

	stream->seat = upgraded->seat;
	tn_buf_finish(&upgraded->unread);
	if (code != TENON_OK)
		(void)close(upgraded->fd); /* no memory: it was not taken over */
	return code == TENON_OK;
}

void tn_stream_get(struct tn_http_host *host, struct tn_http_exchange *x,
		   const struct tn_stream_door *door)
{
	struct tn_str protocol = tn_str_from(door->subprotocol);
	struct tn_http_upgraded upgraded;
	struct tn_stream *stream;
	struct tn_str key;

	if (!tn_ws_handshake(x, &key))
		return;
	if (!offers(x, door->subprotocol)) {
		tn_http_refuse(x, 400, "Offer this endpoint's own subprotocol, and ticket.<ticket>",
			       NULL);
		return;
	}
	stream = let_in(host, x, door);
	if (!stream)
		return;
	if (!tn_ws_switch(x, key, protocol, &upgraded) || !start(stream, &upgraded))
		free_stream(stream);
	else if (door->ready)
		door->ready(stream->self);
}
