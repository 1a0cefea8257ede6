/* The adapter channel (A3): the opening handshake, then messages. */
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "gateway/internal.h"
#include "transport/ws.h"

struct tn_channel {
	struct tn_gateway *gateway;
	struct tn_channel *next, *previous;
	struct tn_ws *ws;
	struct tn_timer *rest; /* while it runs nothing is read */
	void *user;
};

static const char protocol[] = "skaffa-rt.v0";

static void free_channel(struct tn_channel *channel)
{
	if (channel->previous)
		channel->previous->next = channel->next;
	else
		channel->gateway->channels = channel->next;
	if (channel->next)
		channel->next->previous = channel->previous;
	channel->gateway->channel_count--;
	tn_timer_close(channel->rest);
	tn_ws_free(channel->ws);
	tn_mem_free(channel);
}

void tn_gateway_close_channels(struct tn_gateway *gateway)
{
	while (gateway->channels)
		free_channel(gateway->channels);
}

/* ---- the loop's time ---- */

/* What pages send may take long to read, and there is always more of it: the pages of a gateway
 * have a quarter of the loop together. */
static void rest(struct tn_channel *channel)
{
	uint64_t now = tn_clock_now_us(&tn_clock_system), until = channel->gateway->rested_us;
	bool tired = until > now + TN_GATEWAY_BURST_US;

	if (tired)
		tn_timer_start(channel->rest, (until - now) / 1000);
	tn_ws_pause(channel->ws, tired);
}

static void rested(struct tn_timer *timer, void *data)
{
	(void)timer;
	rest(data); /* another may have been busy meanwhile */
}

static void charge(struct tn_channel *channel, uint64_t since_us)
{
	struct tn_gateway *gateway = channel->gateway;
	uint64_t now = tn_clock_now_us(&tn_clock_system);

	if (gateway->rested_us < now)
		gateway->rested_us = now;
	gateway->rested_us += (now - since_us) * TN_GATEWAY_REST_FACTOR;
	rest(channel);
}

/* ---- events ---- */

static void on_message(struct tn_ws *ws, struct tn_str text, void *data)
{
	struct tn_channel *channel = data;
	const struct tn_gateway *gateway = channel->gateway;
	uint64_t now = tn_clock_now_us(&tn_clock_system);

	(void)ws;
	if (!channel->user)
		return;
	gateway->events->message(gateway->data, channel, text);
	charge(channel, now);
}

static void on_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct tn_channel *channel = data;
	const struct tn_gateway *gateway = channel->gateway;

	(void)ws;
	(void)code;
	if (channel->user)
		gateway->events->closed(gateway->data, channel);
	free_channel(channel);
}

static const struct tn_ws_events ws_events = {.message = on_message, .closed = on_closed};

/* The handshake of RFC 6455 section 4.2.1, with our subprotocol. */
static const char *refuse(const struct tn_gateway_connection *c, struct tn_str *ret_key)
{
	const struct tn_http_parser *parser = c->parser;
	const char *data = c->in.data;

	*ret_key = tn_request_header(parser, data, "Sec-WebSocket-Key");
	if (!tn_str_is(tn_str(data + parser->method.at, parser->method.size), "GET") ||
	    !tn_request_lists(parser, data, "Upgrade", "websocket") ||
	    !tn_request_lists(parser, data, "Connection", "upgrade") ||
	    !tn_str_is(tn_request_header(parser, data, "Sec-WebSocket-Version"), "13") ||
	    !tn_ws_is_key(*ret_key) || parser->chunked || parser->has_length)
		return "A WebSocket is opened here.\n";
	if (!tn_request_lists(parser, data, "Sec-WebSocket-Protocol", protocol))
		return "The subprotocol here is skaffa-rt.v0.\n";
	return NULL;
}

/* A fresh socket takes so few bytes at once; one that does not is let go. */
static bool switch_protocol(int fd, struct tn_str key)
{
	char accept[TN_WS_ACCEPT_SIZE];
	struct tn_buf head;
	bool sent;

	tn_ws_accept(key, accept);
	tn_buf_init(&head, TN_KIB);
	tn_buf_format(&head,
		      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
		      "Upgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n"
		      "Sec-WebSocket-Protocol: %s\r\n\r\n",
		      accept, protocol);
	sent = !head.failed && send(fd, head.data, head.size, MSG_NOSIGNAL) == (ssize_t)head.size;
	tn_buf_finish(&head);
	return sent;
}

static void enlist(struct tn_gateway *gateway, struct tn_channel *channel)
{
	channel->gateway = gateway;
	channel->next = gateway->channels;
	if (channel->next)
		channel->next->previous = channel;
	gateway->channels = channel;
	gateway->channel_count++;
}

static void tell_opened(struct tn_channel *channel)
{
	const struct tn_gateway *gateway = channel->gateway;
	unsigned code = 0;

	if (gateway->events->opened(gateway->data, channel, &code))
		return;
	channel->user = NULL;
	tn_channel_close(channel, code);
}

void tn_gateway_open_channel(struct tn_gateway_connection *c)
{
	struct tn_gateway *gateway = c->gateway;
	struct tn_ws_options options = {.role = TN_WS_SERVER,
					.message_max = TN_GATEWAY_MESSAGE_MAX,
					.ping_ms = TN_GATEWAY_PING_MS,
					.events = &ws_events};
	struct tn_channel *channel;
	struct tn_str key;
	const char *refused = refuse(c, &key);

	if (refused) {
		tn_gateway_answer(c, 400, "text/plain; charset=utf-8", tn_str_from(refused));
		return;
	}
	c->phase = TN_GATEWAY_DEAD;
	channel = tn_mem_alloc(sizeof(*channel));
	if (!channel)
		return;
	enlist(gateway, channel);
	if (tn_timer_open(gateway->loop, rested, channel, &channel->rest, NULL) != TENON_OK ||
	    !switch_protocol(c->client.fd, key)) {
		free_channel(channel);
		return;
	}
	tn_io_close(c->client.io);
	c->client.io = NULL;
	options.unread = tn_str_from_offset(tn_buf_str(&c->in), c->parser->at);
	options.data = channel;
	if (tn_ws_open(gateway->loop, c->client.fd, &options, &channel->ws, NULL) != TENON_OK) {
		free_channel(channel);
		return;
	}
	c->client.fd = -1;
	rest(channel);
	tell_opened(channel);
}

void tn_channel_send(struct tn_channel *channel, struct tn_str text)
{
	tn_ws_send(channel->ws, text);
}

void tn_channel_close(struct tn_channel *channel, unsigned code)
{
	tn_ws_close(channel->ws, (enum tn_ws_close)code);
}

void tn_channel_set_user(struct tn_channel *channel, void *user)
{
	channel->user = user;
}

void *tn_channel_user(const struct tn_channel *channel)
{
	return channel->user;
}
