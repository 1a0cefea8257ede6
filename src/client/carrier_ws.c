/* A server behind WebSocket (mcp.md section 13): the address, the connection, the handshake; what
 * comes after it is transport/ws.h. */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/url.h"
#include "client/carrier.h"
#include "client/limits.h"
#include "transport/limits.h"
#include "transport/ws.h"

enum { READ_BYTES = 4096 };

enum stage { RESOLVING, CONNECTING, SHAKING, OPEN, LOST, CLOSING, OVER };

/* Belongs to the worker until it is done, and lives on when the carrier does not. */
struct lookup {
	struct ws_carrier *carrier; /* NULL: nobody waits */
	char host[256], port[8];
	struct addrinfo *found;
	int status;
};

struct ws_carrier {
	struct tn_carrier base;
	struct tn_loop *loop;
	enum stage stage;
	struct lookup *lookup;
	struct addrinfo *found, *next; /* addresses not tried yet */
	int fd;
	struct tn_io *io;
	struct tn_timer *timer; /* of the whole way until it is open */
	struct tn_later *turn;
	struct tn_ws *ws;
	struct tn_buf request; /* not sent yet */
	struct tn_buf reply;
	char key[TN_WS_KEY_SIZE];
	struct tenon_error err;
	void (*closed)(void *data);
	void *closed_data;
};

static struct ws_carrier *carrier_of(struct tn_carrier *base)
{
	return (struct ws_carrier *)(void *)base; /* its first member */
}

static void close_socket(struct ws_carrier *c)
{
	tn_io_close(c->io);
	c->io = NULL;
	if (c->fd >= 0)
		(void)close(c->fd); /* nothing was promised on it */
	c->fd = -1;
}

static void free_carrier(struct ws_carrier *c)
{
	if (c->lookup)
		c->lookup->carrier = NULL;
	tn_ws_free(c->ws);
	close_socket(c);
	if (c->found)
		freeaddrinfo(c->found);
	tn_timer_close(c->timer);
	tn_later_close(c->turn);
	tn_buf_finish(&c->request);
	tn_buf_finish(&c->reply);
	tn_mem_free(c);
}

/* c->err says why. */
static void lose(struct ws_carrier *c)
{
	if (c->stage >= LOST)
		return;
	c->stage = LOST;
	tn_timer_stop(c->timer);
	close_socket(c);
	tn_later_request(c->turn);
}

/* ---- the open connection ---- */

static void message_came(struct tn_ws *ws, struct tn_str text, void *data)
{
	struct ws_carrier *c = data;

	(void)ws;
	if (c->stage == OPEN)
		c->base.events->message(c->base.data, NULL, 0, text);
}

static void ws_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct ws_carrier *c = data;

	(void)ws;
	if (c->stage == CLOSING) {
		c->stage = OVER;
		tn_later_request(c->turn);
		return;
	}
	if (code == TN_WS_ABNORMAL)
		(void)tn_fail(&c->err, TENON_SYSTEM, "the connection to the server broke");
	else
		(void)tn_fail(&c->err, TENON_SYSTEM, "the server has closed the connection (%u)",
			      code);
	lose(c);
}

static const struct tn_ws_events ws_events = {.message = message_came, .closed = ws_closed};

/* ---- the handshake ---- */

static void open_ws(struct ws_carrier *c, struct tn_str unread)
{
	struct tn_ws_options options = {.role = TN_WS_CLIENT,
					.message_max = TN_CLIENT_MESSAGE_MAX,
					.unread = unread,
					.events = &ws_events,
					.data = c};
	int fd = c->fd;

	tn_io_close(c->io);
	c->io = NULL;
	if (tn_ws_open(c->loop, fd, &options, &c->ws, &c->err) != TENON_OK) {
		lose(c);
		return;
	}
	c->fd = -1; /* its own now */
	c->stage = OPEN;
	tn_timer_stop(c->timer);
	tn_later_request(c->turn);
}

static void read_reply(struct ws_carrier *c)
{
	char bytes[READ_BYTES];
	ssize_t got = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	struct tn_str all;
	unsigned status;
	size_t end;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		(void)tn_fail(&c->err, TENON_SYSTEM, "the server ended the WebSocket handshake");
		lose(c);
		return;
	}
	tn_buf_append(&c->reply, bytes, (size_t)got);
	if (tn_buf_check(&c->reply, &c->err) != TENON_OK) {
		lose(c);
		return;
	}
	all = tn_buf_str(&c->reply);
	end = tn_str_find(all, TN_STR("\r\n\r\n"));
	if (end == TN_STR_NONE)
		return;
	if (tn_ws_check_reply(tn_str(all.data, end), c->key, &status, &c->err) != TENON_OK)
		lose(c);
	else
		open_ws(c, tn_str_from_offset(all, end + 4));
}

static void send_request(struct ws_carrier *c)
{
	ssize_t sent = send(c->fd, c->request.data, c->request.size, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent > 0)
		tn_buf_drop_front(&c->request, (size_t)sent);
	/* A broken connection is seen by reading. */
	tn_io_watch(c->io, c->request.size ? TN_IO_READ | TN_IO_WRITE : TN_IO_READ);
}

/* ---- the connection ---- */

static void try_next(struct ws_carrier *c);

static void socket_ready(struct tn_io *io, int events, void *data)
{
	struct ws_carrier *c = data;
	int number = 0;
	socklen_t size = sizeof(number);

	(void)io;
	if (c->stage == CONNECTING) {
		if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &number, &size) != 0)
			number = errno;
		if (number) {
			(void)tn_fail_errno(&c->err, number, "connect to the server");
			close_socket(c);
			try_next(c);
			return;
		}
		c->stage = SHAKING;
		send_request(c);
		return;
	}
	if (events & TN_IO_WRITE)
		send_request(c);
	if (events & TN_IO_READ)
		read_reply(c);
}

static bool begin_connect(struct ws_carrier *c, const struct addrinfo *to)
{
	c->fd = socket(to->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->fd < 0 ||
	    (connect(c->fd, to->ai_addr, to->ai_addrlen) != 0 && errno != EINPROGRESS)) {
		(void)tn_fail_errno(&c->err, errno, "connect to the server");
		return false;
	}
	if (tn_io_open(c->loop, c->fd, socket_ready, c, &c->io, &c->err) != TENON_OK)
		return false;
	c->stage = CONNECTING;
	tn_io_watch(c->io, TN_IO_WRITE);
	return true;
}

static void try_next(struct ws_carrier *c)
{
	while (c->next) {
		const struct addrinfo *to = c->next;

		c->next = to->ai_next;
		if (begin_connect(c, to))
			return;
		close_socket(c);
	}
	lose(c); /* with the last address's reason */
}

static void timed_out(struct tn_timer *timer, void *data)
{
	struct ws_carrier *c = data;

	(void)timer;
	(void)tn_fail(&c->err, TENON_EXPIRED, "no connection to the server in time");
	lose(c);
}

static void look_up(void *data, const atomic_bool *cancelled)
{
	struct lookup *lookup = data;
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};

	(void)cancelled;
	lookup->status = getaddrinfo(lookup->host, lookup->port, &hints, &lookup->found);
	if (lookup->status == EAI_ADDRFAMILY || lookup->status == EAI_NONAME) {
		hints.ai_flags = 0; /* a machine with loopback only has no family configured */
		lookup->status = getaddrinfo(lookup->host, lookup->port, &hints, &lookup->found);
	}
}

static void looked_up(void *data, bool cancelled)
{
	struct lookup *lookup = data;
	struct ws_carrier *c = lookup->carrier;

	if (c && c->stage == RESOLVING) {
		c->lookup = NULL;
		c->found = c->next = lookup->status == 0 && !cancelled ? lookup->found : NULL;
		(void)tn_fail(&c->err, TENON_SYSTEM, "the server's host has no address");
		try_next(c);
	} else {
		if (c)
			c->lookup = NULL;
		if (lookup->status == 0 && !cancelled)
			freeaddrinfo(lookup->found);
	}
	tn_mem_free(lookup);
}

static void turn_due(struct tn_later *later, void *data)
{
	struct ws_carrier *c = data;
	void (*closed)(void *data) = c->closed;
	void *closed_data = c->closed_data;

	(void)later;
	if (c->stage == OPEN) {
		c->base.events->ready(c->base.data);
	} else if (c->stage == LOST) {
		c->base.events->lost(c->base.data, &c->err);
	} else if (c->stage == OVER) {
		free_carrier(c);
		if (closed)
			closed(closed_data);
	}
}

/* ---- ops ---- */

static void send_text(struct tn_carrier *base, const struct tn_outgoing *message)
{
	struct ws_carrier *c = carrier_of(base);

	if (c->stage == OPEN)
		tn_ws_send(c->ws, message->json);
}

static void forget(struct tn_carrier *base, void *request)
{
	(void)base; /* all requests share the connection */
	(void)request;
}

static void close_carrier(struct tn_carrier *base, void (*closed)(void *data), void *data)
{
	struct ws_carrier *c = carrier_of(base);

	c->closed = closed;
	c->closed_data = data;
	tn_timer_stop(c->timer);
	if (c->stage == OPEN) {
		c->stage = CLOSING;
		tn_ws_close(c->ws, TN_WS_NORMAL);
		return;
	}
	close_socket(c);
	c->stage = OVER;
	tn_later_request(c->turn);
}

static void abort_carrier(struct tn_carrier *base)
{
	free_carrier(carrier_of(base));
}

static const struct tn_carrier_ops ops = {
	.send = send_text,
	.forget = forget,
	.close = close_carrier,
	.abort = abort_carrier,
};

/* ---- the start ---- */

static enum tenon_code write_request(struct ws_carrier *c, const struct tn_url *url,
				     const struct tn_url_target *target, struct tenon_error *err)
{
	size_t authority = tn_str_find(url->origin, TN_STR("://")) + 3;

	tn_ws_make_key(c->key);
	tn_buf_append_text(&c->request, "GET ");
	if (url->target.size == 0 || url->target.data[0] != '/')
		tn_buf_append_byte(&c->request, '/');
	tn_buf_append_str(&c->request, url->target);
	tn_buf_append_text(&c->request, " HTTP/1.1\r\nHost: ");
	tn_buf_append_str(&c->request, tn_str_from_offset(url->origin, authority));
	tn_buf_format(&c->request,
		      "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
		      "13\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Protocol: mcp\r\n",
		      c->key);
	if (target->token)
		tn_buf_format(&c->request, "Authorization: Bearer %s\r\n", target->token);
	for (const char *const *h = target->headers; h && *h; h++)
		tn_buf_format(&c->request, "%s\r\n", *h);
	tn_buf_append_text(&c->request, "\r\n");
	return tn_buf_check(&c->request, err);
}

static enum tenon_code begin_lookup(struct ws_carrier *c, const struct tn_url *url,
				    struct tenon_error *err)
{
	struct tn_str host = url->host;
	struct lookup *lookup;
	struct tn_job *job;
	enum tenon_code code;

	if (host.size && host.data[0] == '[')
		host = tn_str(host.data + 1, host.size - 2);
	if (host.size == 0 || host.size >= sizeof(lookup->host))
		return tn_fail(err, TENON_INVALID, "the URL's host name is empty or too long");
	lookup = tn_mem_alloc(sizeof(*lookup));
	if (!lookup)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	memcpy(lookup->host, host.data, host.size);
	(void)snprintf(lookup->port, sizeof(lookup->port), "%u", url->port);
	lookup->carrier = c;
	code = tn_job_start(c->loop, look_up, looked_up, lookup, &job, err);
	if (code == TENON_OK)
		c->lookup = lookup;
	else
		tn_mem_free(lookup);
	return code;
}

enum tenon_code tn_carrier_open_ws(const struct tn_carrier_options *options,
				   const struct tn_url_target *target, struct tn_carrier **ret,
				   struct tenon_error *err)
{
	struct ws_carrier *c;
	struct tn_url url;
	enum tenon_code code;

	if (!tn_url_parse(tn_str_from(target->url), &url) ||
	    !tn_str_equal_nocase(url.scheme, TN_STR("ws")))
		return tn_fail(err, TENON_INVALID, "not a ws:// URL; send ws://host:port/path");
	c = tn_mem_alloc(sizeof(*c));
	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->base = (struct tn_carrier){.ops = &ops,
				      .events = options->events,
				      .data = options->data,
				      .kind = TN_CARRIER_STREAM,
				      .transport = "ws"};
	c->loop = options->loop;
	c->fd = -1;
	tn_buf_init(&c->request, TN_HTTP_SECTION_MAX + TN_MIB);
	tn_buf_init(&c->reply, TN_HTTP_SECTION_MAX);
	code = write_request(c, &url, target, err);
	if (code == TENON_OK)
		code = tn_later_open(c->loop, turn_due, c, &c->turn, err);
	if (code == TENON_OK)
		code = tn_timer_open(c->loop, timed_out, c, &c->timer, err);
	if (code == TENON_OK)
		code = begin_lookup(c, &url, err);
	if (code != TENON_OK) {
		free_carrier(c);
		return code;
	}
	tn_timer_start(c->timer, options->connect_timeout_ms);
	*ret = &c->base;
	return TENON_OK;
}
