/* A Unix socket: lines as on stdio, each connection a client of its own, known by its user id. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "serve/conversation.h"
#include "serve/serve.h"
#include "serve/unix_socket.h"
#include "transport/limits.h"
#include "transport/line_stream.h"

enum { ACCEPTS_PER_TURN = 64, ACCEPT_RETRY_MS = 100, LOOK_MS = 250 };

struct unix_way {
	struct tn_way way; /* first */
	struct tn_unix_socket socket;
	struct tn_io *io;
	struct tn_timer *accept_timer;
	struct tn_timer *look_timer; /* while somebody has ended or does not read */
	struct tn_later *reap;       /* frees the dead */
	int64_t *uids;               /* ends with -1; NULL: nobody else */
	struct unix_client *clients;
	size_t count, connections_max;
	bool draining;
};

struct unix_client {
	struct unix_way *way;
	struct tn_line_stream *stream;
	struct tn_conversation *conversation;
	int fd;
	bool ended;          /* sends no more; its answers are still delivered */
	bool dead;           /* freed at the end of this turn */
	uint64_t stalled_ms; /* since when its queue is full; 0: it is not */
	struct unix_client *next, *previous;
};

/* ---- the end of a connection ---- */

static void free_client(struct unix_client *c)
{
	struct unix_way *u = c->way;

	if (c->previous)
		c->previous->next = c->next;
	else
		u->clients = c->next;
	if (c->next)
		c->next->previous = c->previous;
	u->count--;
	tn_conversation_close(c->conversation);
	tn_line_stream_close(c->stream);
	(void)close(c->fd); /* what could be written has been */
	tn_mem_free(c);
}

/* The core or the stream may be in the middle of it: it goes at the end of the turn. */
static void end_client(struct unix_client *c)
{
	c->dead = true;
	tn_later_request(c->way->reap);
}

static void reap(struct tn_later *later, void *data)
{
	struct unix_way *u = data;
	struct unix_client *next;

	(void)later;
	for (struct unix_client *c = u->clients; c; c = next) {
		next = c->next;
		if (c->dead)
			free_client(c);
	}
	tn_serve_settled(u->way.server);
}

static bool is_finished(const struct unix_client *c)
{
	return (c->ended || c->way->draining) && tn_conversation_idle(c->conversation) &&
	       tn_line_stream_flush(c->stream);
}

/* ---- the conversation's end of it ---- */

static void look_soon(struct unix_way *u)
{
	if (!tn_timer_active(u->look_timer))
		tn_timer_start(u->look_timer, LOOK_MS);
}

static void link_send(void *link, struct tn_str json)
{
	struct unix_client *c = link;

	tn_line_stream_send(c->stream, json);
	if (tn_line_stream_queued(c->stream) > TN_OUTPUT_QUEUE_MAX)
		look_soon(c->way);
}

static size_t link_queued(const void *link)
{
	const struct unix_client *c = link;

	return tn_line_stream_queued(c->stream);
}

static void link_settled(void *link)
{
	struct unix_client *c = link;

	if (c->ended || c->way->draining)
		tn_timer_start(c->way->look_timer, 0); /* perhaps it was the last */
}

static const struct tn_conversation_ops link_ops = {
	.send = link_send,
	.queued = link_queued,
	.settled = link_settled,
};

/* ---- the stream's ---- */

static void on_line(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	const struct unix_client *c = data;

	(void)stream;
	tn_conversation_receive(c->conversation, line);
}

static void on_too_long(struct tn_line_stream *stream, void *data)
{
	const struct unix_client *c = data;

	(void)stream;
	tn_conversation_refuse(c->conversation, "The message is too long");
}

static void on_end(struct tn_line_stream *stream, void *data)
{
	struct unix_client *c = data;

	(void)stream;
	c->ended = true;
	tn_conversation_mute(c->conversation);
	tn_timer_start(c->way->look_timer, 0);
}

static void on_broken(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	end_client(data);
}

static const struct tn_line_stream_events stream_events = {
	.line = on_line,
	.too_long = on_too_long,
	.end = on_end,
	.broken = on_broken,
};

/* ---- what must be looked at now and then ---- */

/* Half-closed, it still waits for its answers; closed, nobody does, which shows only here. */
static bool has_left(const struct unix_client *c)
{
	struct pollfd peer = {.fd = c->fd};

	return poll(&peer, 1, 0) == 1 && (peer.revents & (POLLERR | POLLHUP));
}

static bool is_stalled(struct unix_client *c, uint64_t now)
{
	if (tn_line_stream_queued(c->stream) <= TN_OUTPUT_QUEUE_MAX)
		c->stalled_ms = 0;
	else if (!c->stalled_ms)
		c->stalled_ms = now;
	return c->stalled_ms && now - c->stalled_ms >= TN_OUTPUT_STALL_MS;
}

static void look(struct tn_timer *timer, void *data)
{
	struct unix_way *u = data;
	uint64_t now = tn_loop_now_ms(u->way.server->loop);
	bool again = false;

	for (struct unix_client *c = u->clients; c; c = c->next) {
		if (is_finished(c) || (c->ended && has_left(c)) || is_stalled(c, now))
			end_client(c);
		else
			again = again || c->ended || c->stalled_ms;
	}
	if (again)
		tn_timer_start(timer, LOOK_MS);
}

/* ---- the beginning of a connection ---- */

static bool is_allowed(const struct unix_way *u, uid_t uid)
{
	if (uid == geteuid())
		return true;
	for (const int64_t *at = u->uids; at && *at >= 0; at++) {
		if ((uint64_t)*at == uid)
			return true;
	}
	return false;
}

static void refuse(int fd, const char *line)
{
	(void)send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT); /* a courtesy */
	(void)close(fd);
}

static enum tenon_code open_client(struct unix_client *c, const struct ucred *who,
				   struct tenon_error *err)
{
	struct tenon_server *server = c->way->way.server;
	char principal[32];
	enum tenon_code code;

	(void)snprintf(principal, sizeof(principal), "uid:%lu", (unsigned long)who->uid);
	code = tn_conversation_open(server, principal, &link_ops, c, &c->conversation, err);
	if (code == TENON_OK) {
		/* It must not read by us what it could not read itself. */
		tn_conversation_peer(c->conversation)->foreign = who->uid != geteuid();
		tn_conversation_peer(c->conversation)->elsewhere = who->uid != geteuid();
		tn_conversation_peer(c->conversation)->way = "unix";
		tn_conversation_peer(c->conversation)->owner = who->pid;
	}
	if (code == TENON_OK)
		code = tn_line_stream_open(server->loop, c->fd, c->fd, TN_MESSAGE_BYTES_MAX,
					   &stream_events, c, &c->stream, err);
	return code;
}

/* What it starts is no person, however it speaks. Another user's never is. */
static bool is_noted(const struct tenon_server *server, const struct ucred *who)
{
	return !server->client_speaks || who->uid != geteuid() ||
	       server->client_speaks(server->client_speaks_data, who->pid);
}

static void admit(struct unix_way *u, int fd)
{
	struct ucred who = {.uid = (uid_t)-1};
	socklen_t size = sizeof(who);
	struct unix_client *c;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || !is_allowed(u, who.uid)) {
		refuse(fd, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":"
			   "\"This user may not connect\"}}\n");
		return;
	}
	c = u->count < u->connections_max && is_noted(u->way.server, &who)
		    ? tn_mem_alloc(sizeof(*c))
		    : NULL;
	if (!c) {
		refuse(fd, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":"
			   "\"Too many connections\"}}\n");
		return;
	}
	c->way = u;
	c->fd = fd;
	c->next = u->clients;
	if (c->next)
		c->next->previous = c;
	u->clients = c;
	u->count++;
	if (open_client(c, &who, NULL) != TENON_OK)
		free_client(c); /* no memory */
}

static void accept_again(struct tn_timer *timer, void *data)
{
	struct unix_way *u = data;

	(void)timer;
	if (u->io)
		tn_io_watch(u->io, TN_IO_READ);
}

static void accept_ready(struct tn_io *io, int events, void *data)
{
	struct unix_way *u = data;

	(void)events;
	for (unsigned i = 0; i < ACCEPTS_PER_TURN; i++) {
		int fd = accept4(u->socket.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			admit(u, fd);
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return;
		} else if (errno != ECONNABORTED && errno != EINTR) {
			/* Out of descriptors, a level-triggered listener would spin. */
			tn_io_watch(io, 0);
			tn_timer_start(u->accept_timer, ACCEPT_RETRY_MS);
			return;
		}
	}
}

/* ---- the way in ---- */

static void drain(struct tn_way *way)
{
	struct unix_way *u = (struct unix_way *)way;

	u->draining = true;
	tn_io_close(u->io);
	u->io = NULL;
	tn_unix_socket_close(&u->socket);
	for (struct unix_client *c = u->clients; c; c = c->next) {
		tn_line_stream_stop_reading(c->stream);
		tn_conversation_mute(c->conversation);
	}
	tn_timer_start(u->look_timer, 0);
}

static bool is_drained(struct tn_way *way)
{
	struct unix_way *u = (struct unix_way *)way;

	look(u->look_timer, u);
	return u->clients == NULL;
}

static void close_way(struct tn_way *way)
{
	struct unix_way *u = (struct unix_way *)way;

	tn_io_close(u->io);
	tn_unix_socket_close(&u->socket);
	while (u->clients)
		free_client(u->clients);
	tn_timer_close(u->accept_timer);
	tn_timer_close(u->look_timer);
	tn_later_close(u->reap);
	tn_mem_free(u->uids);
	tn_mem_free(u);
}

static const struct tn_way_ops way_ops = {
	.drain = drain,
	.is_drained = is_drained,
	.close = close_way,
};

static enum tenon_code copy_uids(struct unix_way *u, const int64_t *uids, struct tenon_error *err)
{
	size_t count = 1;

	if (!uids || uids[0] < 0)
		return TENON_OK;
	while (uids[count - 1] >= 0)
		count++;
	u->uids = tn_mem_alloc_array(count, sizeof(*uids));
	if (!u->uids)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	memcpy(u->uids, uids, count * sizeof(*uids));
	return TENON_OK;
}

static enum tenon_code open_way(struct unix_way *u, const struct tenon_unix_options *options,
				struct tenon_error *err)
{
	struct tn_loop *loop = u->way.server->loop;
	enum tenon_code code = copy_uids(u, options->uids, err);

	if (code == TENON_OK)
		code = tn_timer_open(loop, accept_again, u, &u->accept_timer, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, look, u, &u->look_timer, err);
	if (code == TENON_OK)
		code = tn_later_open(loop, reap, u, &u->reap, err);
	if (code == TENON_OK)
		code = tn_unix_socket_open(&u->socket, options->path, u->uids ? 0666 : 0600, err);
	if (code == TENON_OK)
		code = tn_io_open(loop, u->socket.fd, accept_ready, u, &u->io, err);
	if (code == TENON_OK)
		tn_io_watch(u->io, TN_IO_READ);
	return code;
}

enum tenon_code tenon_server_listen_unix(struct tenon_server *server,
					 const struct tenon_unix_options *options,
					 struct tenon_error *err)
{
	enum tenon_code code = tn_serve_open(server, err);
	struct unix_way *u;

	if (code != TENON_OK)
		return code;
	u = tn_mem_alloc(sizeof(*u));
	if (!u)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	u->way = (struct tn_way){.ops = &way_ops, .server = server};
	tn_unix_socket_init(&u->socket);
	u->connections_max =
		options->connections_max ? options->connections_max : TN_HTTP_CONNECTIONS_MAX;
	code = open_way(u, options, err);
	if (code == TENON_OK)
		tn_serve_add(server, &u->way);
	else
		close_way(&u->way);
	return code;
}
