/* A client of the gateway: its one request, and the bytes both ways. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "gateway/internal.h"
#include "transport/origin.h"

/* Room for what one read can become: pages grow by what is put into them. */
enum { OUT_MAX = TN_GATEWAY_PENDING_MAX + 4 * TN_GATEWAY_LOOK_BYTES_MAX };

/* ---- life ---- */

void tn_gateway_drop(struct tn_gateway_connection *c)
{
	struct tn_gateway *gateway = c->gateway;

	if (c->previous)
		c->previous->next = c->next;
	else
		gateway->connections = c->next;
	if (c->next)
		c->next->previous = c->previous;
	gateway->count--;
	tn_gateway_end_turn(c);
	tn_gateway_end_close(&c->client, NULL);
	tn_gateway_end_close(&c->server, gateway->tls);
	tn_buf_finish(&c->client.out);
	tn_buf_finish(&c->server.out);
	tn_timer_close(c->timer);
	tn_buf_finish(&c->in);
	tn_buf_finish(&c->early);
	if (c->inject)
		tn_inject_finish(&c->injector);
	tn_mem_free(c->parser);
	tn_mem_free(c);
}

/* ---- the request's head ---- */

/* T13, T14: this listener is called by no other name, and pages of others do not call it. */
static const char *refuse(const struct tn_gateway_connection *c)
{
	const struct tn_gateway *gateway = c->gateway;
	const struct tn_http_parser *parser = c->parser;
	const char *data = c->in.data;
	struct tn_origin_rules rules = {.address = "127.0.0.1", .port = gateway->port};
	struct tn_str origin = tn_request_header(parser, data, "Origin");
	struct tn_str site = tn_request_header(parser, data, "Sec-Fetch-Site");

	if (tn_request_count(parser, data, "Origin") > 1 ||
	    tn_request_count(parser, data, "Sec-Fetch-Site") > 1)
		return "A request comes from one place.\n";
	if (!tn_origin_host_allowed(&rules, tn_str(data + parser->host.at, parser->host.size)))
		return "This preview is at 127.0.0.1.\n";
	if (origin.data && !tn_origin_origin_allowed(&rules, origin) &&
	    !(gateway->page_origin && tn_str_is(origin, gateway->page_origin)))
		return "Pages of other origins do not reach this preview.\n";
	if (site.data && !origin.data && !tn_str_is(site, "same-origin") &&
	    !tn_str_is(site, "none") &&
	    !tn_str_is(tn_request_header(parser, data, "Sec-Fetch-Mode"), "navigate"))
		return "Pages of other origins may show this preview, not use it.\n";
	return NULL;
}

/* Bytes behind the head. What follows a request for a WebSocket is none of it until the server has
 * agreed: it would be read as another request, which nobody has looked at. */
static void take_body(struct tn_gateway_connection *c, struct tn_str bytes)
{
	while (bytes.size && !c->request_body.ended && !c->request_body.fault) {
		struct tn_str payload;
		size_t taken = tn_body_take(&c->request_body, bytes, &payload);

		tn_buf_append(&c->server.out, bytes.data, taken);
		bytes = tn_str_from_offset(bytes, taken);
	}
	if (c->upgrade && c->request_body.ended)
		tn_buf_append_str(&c->early, bytes);
}

static void begin_request(struct tn_gateway_connection *c)
{
	const struct tn_http_parser *parser = c->parser;
	const char *data = c->in.data;
	struct tn_str rest = tn_str_from_offset(tn_buf_str(&c->in), parser->at);

	c->upgrade = tn_request_lists(parser, data, "Upgrade", "websocket") &&
		     tn_request_lists(parser, data, "Connection", "upgrade");
	tn_request_put(&c->server.out, parser, data, &c->gateway->route, c->upgrade);
	if (parser->chunked)
		tn_body_init(&c->request_body, TN_BODY_CHUNKED, 0);
	else
		tn_body_init(&c->request_body, parser->has_length ? TN_BODY_LENGTH : TN_BODY_NONE,
			     parser->length);
	if (parser->expect_continue)
		tn_buf_append_text(&c->client.out, "HTTP/1.1 100 Continue\r\n\r\n");
	take_body(c, rest);
	if (c->server.out.failed || c->early.failed || c->request_body.fault) {
		tn_gateway_say(c, 400, "The body is not valid.\n");
		return;
	}
	tn_gateway_connect(c);
}

static void route(struct tn_gateway_connection *c)
{
	const struct tn_gateway *gateway = c->gateway;
	const struct tn_http_parser *parser = c->parser;
	struct tn_str path = tn_str(c->in.data + parser->path.at, parser->path.size);
	const char *refused = refuse(c);

	c->head_only =
		tn_str_is(tn_str(c->in.data + parser->method.at, parser->method.size), "HEAD");
	c->old = parser->minor == 0;
	if (refused)
		tn_gateway_say(c, 403, refused);
	else if (parser->has_authority || !path.size || path.data[0] != '/')
		tn_gateway_say(c, 400, "A path is asked for, never an absolute target.\n");
	else if (tn_str_is(path, "/__skaffa/rt"))
		tn_gateway_open_channel(c);
	else if (tn_str_is(path, "/__skaffa/adapter.js") && gateway->tagged.size)
		tn_gateway_answer_tag(c);
	else if (tn_str_is(path, "/__skaffa/adapter.js") && gateway->adapter.size)
		tn_gateway_answer(c, 200, "text/javascript; charset=utf-8", gateway->adapter);
	else if (tn_str_starts(path, TN_STR("/__skaffa/")) || !gateway->upstream)
		tn_gateway_say(c, 404, "Nothing is here.\n");
	else
		begin_request(c);
}

static void take_head(struct tn_gateway_connection *c)
{
	enum tn_http_progress progress;

	if (c->in.failed) {
		c->phase = TN_GATEWAY_DEAD;
		return;
	}
	progress = tn_http_parse_head(c->parser, c->in.data, c->in.size);
	if (progress == TN_HTTP_MORE)
		return;
	tn_timer_stop(c->timer);
	if (progress == TN_HTTP_FAULT)
		tn_gateway_say(c, c->parser->status, c->parser->fault);
	else
		route(c);
	if (c->phase == TN_GATEWAY_DEAD) /* a channel has the socket */
		return;
	tn_mem_free(c->parser);
	c->parser = NULL;
	tn_buf_finish(&c->in);
	tn_buf_init(&c->in, TN_GATEWAY_HEAD_MAX + TN_GATEWAY_READ_BYTES);
}

/* ---- input ---- */

static void take_request(struct tn_gateway_connection *c, struct tn_str bytes)
{
	if (c->phase >= TN_GATEWAY_ENDING)
		return;
	if (c->phase == TN_GATEWAY_HEAD) {
		tn_buf_append_str(&c->in, bytes);
		take_head(c);
	} else if (c->phase == TN_GATEWAY_TUNNEL) {
		tn_buf_append_str(&c->server.out, bytes);
	} else {
		take_body(c, bytes);
		if (c->request_body.fault || c->early.failed)
			c->phase = TN_GATEWAY_DEAD;
	}
	if (c->server.out.failed)
		c->phase = TN_GATEWAY_DEAD;
}

static void read_client(struct tn_gateway_connection *c)
{
	char bytes[TN_GATEWAY_READ_BYTES];
	ssize_t size = tn_gateway_end_read(&c->client, NULL, bytes);

	if (size > 0)
		take_request(c, tn_str(bytes, (size_t)size));
	else if (size == 0 && c->phase != TN_GATEWAY_ENDING)
		c->phase = TN_GATEWAY_DEAD; /* nobody waits for the answer */
}

static void read_server(struct tn_gateway_connection *c)
{
	char bytes[TN_GATEWAY_READ_BYTES];
	ssize_t size = tn_gateway_end_read(&c->server, c->gateway->tls, bytes);

	if (size >= 0)
		tn_gateway_take_answer(c, tn_str(bytes, (size_t)size), size == 0);
}

/* ---- the loop ---- */

static int client_events(const struct tn_gateway_connection *c)
{
	int events = tn_gateway_end_pending(&c->client) ? TN_IO_WRITE : 0;
	bool room = tn_gateway_end_pending(&c->server) < TN_GATEWAY_PENDING_MAX;

	if (!c->client.eof && (c->phase == TN_GATEWAY_HEAD || c->phase == TN_GATEWAY_LINGER ||
			       (c->phase < TN_GATEWAY_ENDING && room)))
		events |= TN_IO_READ;
	return events;
}

static int server_events(const struct tn_gateway_connection *c)
{
	bool writes = tn_gateway_end_pending(&c->server) && !c->server.hears_first;

	if (c->phase == TN_GATEWAY_CONNECTING)
		return TN_IO_WRITE;
	if (c->phase == TN_GATEWAY_SHAKING)
		return c->server.shakes_on;
	if (c->phase != TN_GATEWAY_EXCHANGE && c->phase != TN_GATEWAY_TUNNEL)
		return 0;
	return (writes ? TN_IO_WRITE : 0) |
	       (!c->server.eof && tn_gateway_end_pending(&c->client) < TN_GATEWAY_PENDING_MAX
			? TN_IO_READ
			: 0);
}

/* Everything is with the client: our half is closed, and what it still sends is read, so that no
 * reset overtakes the answer. */
static void linger(struct tn_gateway_connection *c)
{
	c->phase = c->client.eof ? TN_GATEWAY_DEAD : TN_GATEWAY_LINGER;
	(void)shutdown(c->client.fd, SHUT_WR);
	tn_timer_start(c->timer, TN_GATEWAY_LINGER_MS);
}

void tn_gateway_settle(struct tn_gateway_connection *c)
{
	if (c->phase != TN_GATEWAY_DEAD && !tn_gateway_end_flush(&c->client, NULL))
		c->phase = TN_GATEWAY_DEAD;
	if ((c->phase == TN_GATEWAY_EXCHANGE || c->phase == TN_GATEWAY_TUNNEL) &&
	    !tn_gateway_end_flush(&c->server, c->gateway->tls)) {
		/* It does not take the rest of the request, but may have answered. */
		tn_buf_clear(&c->server.out);
		c->server.sent = 0;
	}
	if (c->phase == TN_GATEWAY_ENDING && !tn_gateway_end_pending(&c->client))
		linger(c);
	else if (c->phase == TN_GATEWAY_ENDING && !tn_timer_active(c->timer))
		tn_timer_start(c->timer, TN_GATEWAY_STALL_MS);
	if (c->phase == TN_GATEWAY_DEAD) {
		tn_gateway_drop(c);
		return;
	}
	tn_io_watch(c->client.io, client_events(c));
	if (c->server.io)
		tn_io_watch(c->server.io, server_events(c));
	if (c->server.unread && (server_events(c) & TN_IO_READ))
		tn_later_request(c->gateway->again);
}

void tn_gateway_read_on(struct tn_gateway_connection *c)
{
	if (!(server_events(c) & TN_IO_READ))
		return;
	read_server(c);
	tn_gateway_settle(c);
}

static void client_ready(struct tn_io *io, int events, void *data)
{
	struct tn_gateway_connection *c = data;

	(void)io;
	if (events & TN_IO_READ)
		read_client(c);
	tn_gateway_settle(c);
}

static void server_ready(struct tn_io *io, int events, void *data)
{
	struct tn_gateway_connection *c = data;

	(void)io;
	if (c->phase == TN_GATEWAY_CONNECTING)
		tn_gateway_connected(c);
	else if (c->phase == TN_GATEWAY_SHAKING)
		tn_gateway_shake(c, events);
	else if (events & TN_IO_READ)
		read_server(c);
	tn_gateway_settle(c);
}

static void expired(struct tn_timer *timer, void *data)
{
	struct tn_gateway_connection *c = data;

	(void)timer;
	if (c->phase == TN_GATEWAY_CONNECTING)
		tn_gateway_connect(c);
	else if (c->phase == TN_GATEWAY_WAITING)
		tn_gateway_say(c, 504, "The server behind this preview takes too long.\n");
	else if (c->phase == TN_GATEWAY_SHAKING)
		tn_gateway_say(c, 504,
			       "The server behind this preview does not end its TLS handshake.\n");
	else
		c->phase = TN_GATEWAY_DEAD;
	tn_gateway_settle(c);
}

static bool set_up(struct tn_gateway_connection *c)
{
	const int on = 1;

	(void)setsockopt(c->client.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	c->parser = tn_mem_alloc(sizeof(*c->parser));
	if (!c->parser)
		return false;
	tn_http_parser_init(c->parser, &c->gateway->limits);
	return tn_timer_open(c->gateway->loop, expired, c, &c->timer, NULL) == TENON_OK &&
	       tn_io_open(c->gateway->loop, c->client.fd, client_ready, c, &c->client.io, NULL) ==
		       TENON_OK;
}

/* A descriptor is the lowest number that is free, so it tells how many are taken. */
bool tn_gateway_may_have(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	       (rlim_t)fd < limit.rlim_cur - limit.rlim_cur / 4;
}

void tn_gateway_admit(struct tn_gateway *gateway, int fd)
{
	struct tn_gateway_connection *c = NULL;

	if (gateway->count + gateway->channel_count < TN_GATEWAY_CONNECTIONS_MAX &&
	    tn_gateway_may_have(fd))
		c = tn_mem_alloc(sizeof(*c));
	if (!c) {
		(void)close(fd);
		return;
	}
	c->gateway = gateway;
	c->client.fd = fd;
	c->server.fd = -1;
	c->server_ready = server_ready;
	tn_buf_init(&c->in, TN_GATEWAY_HEAD_MAX);
	tn_buf_init(&c->early, TN_GATEWAY_PENDING_MAX);
	tn_buf_init(&c->client.out, gateway->adapter.size + gateway->tagged.size + OUT_MAX);
	tn_buf_init(&c->server.out, OUT_MAX);
	c->next = gateway->connections;
	if (c->next)
		c->next->previous = c;
	gateway->connections = c;
	gateway->count++;
	if (!set_up(c)) {
		tn_gateway_drop(c);
		return;
	}
	tn_timer_start(c->timer, TN_GATEWAY_HEAD_MS);
	tn_io_watch(c->client.io, TN_IO_READ);
}
