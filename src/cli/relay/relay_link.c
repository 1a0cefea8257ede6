#include "cli/relay/relay_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "cli/limits.h"
#include "cli/shared/here.h"
#include "mcp/fit.h"
#include "client/limits.h"
#include "jsonrpc/json.h"
#include "serve/limits.h"
#include "transport/limits.h"
#include "transport/ws.h"

enum { READ_BYTES = 16 * 1024 };

enum stage { CONNECTING, SHAKING, OPEN, LOST };

struct tn_relay_link {
	struct tn_loop *loop;
	enum stage stage;
	int fd; /* -1: the WebSocket's, or none */
	struct tn_io *io;
	struct tn_timer *timer; /* until it is open */
	struct tn_later *turn;  /* tells of the loss */
	struct tn_ws *ws;
	struct tn_buf request; /* the handshake and early messages, not sent yet */
	struct tn_buf reply;
	size_t early; /* bytes of frames behind the handshake */
	char key[TN_WS_KEY_SIZE];
	struct tn_relay_loss loss;
	const struct tn_relay_link_events *events;
	void *data;
};

/* ---- the end ---- */

static void close_socket(struct tn_relay_link *link)
{
	char rest[4096];

	tn_io_close(link->io);
	link->io = NULL;
	if (link->fd >= 0) {
		/* What is not read makes the kernel take back what we said last. */
		while (recv(link->fd, rest, sizeof(rest), MSG_DONTWAIT) > 0)
			;
		(void)close(link->fd); /* nothing was promised on it */
	}
	link->fd = -1;
}

/* link->loss says why. */
static void lose(struct tn_relay_link *link, const char *message)
{
	if (link->stage == LOST)
		return;
	link->stage = LOST;
	if (message)
		(void)snprintf(link->loss.message, sizeof(link->loss.message), "%s", message);
	tn_timer_stop(link->timer);
	close_socket(link);
	tn_later_request(link->turn);
}

static void turn_due(struct tn_later *later, void *data)
{
	struct tn_relay_link *link = data;
	struct tn_relay_loss loss = link->loss;

	(void)later;
	if (link->stage == LOST)
		link->events->closed(&loss, link->data); /* the link may be gone */
}

static void timed_out(struct tn_timer *timer, void *data)
{
	(void)timer;
	lose(data, "the daemon does not answer");
}

/* ---- the open connection ---- */

static void message_came(struct tn_ws *ws, struct tn_str text, void *data)
{
	struct tn_relay_link *link = data;

	(void)ws;
	link->events->message(text, link->data);
}

static void ws_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct tn_relay_link *link = data;

	(void)ws;
	link->loss.orderly = code == TN_WS_NORMAL || code == TN_WS_GOING_AWAY;
	lose(link,
	     link->loss.orderly ? "the daemon has stopped" : "the connection to the daemon broke");
}

static void ws_relieved(struct tn_ws *ws, void *data)
{
	struct tn_relay_link *link = data;

	(void)ws;
	if (link->events->relieved)
		link->events->relieved(link->data);
}

static const struct tn_ws_events ws_events = {
	.message = message_came, .closed = ws_closed, .relieved = ws_relieved};

static void open_ws(struct tn_relay_link *link, struct tn_str unread)
{
	const struct tn_ws_options options = {.role = TN_WS_CLIENT,
					      .message_max = TN_CLIENT_MESSAGE_MAX,
					      .ping_ms = TN_WS_PING_MS,
					      .unread = unread,
					      .events = &ws_events,
					      .data = link};
	int fd = link->fd;

	if (link->request.size) { /* far less than any socket takes: it has not, so it is broken */
		lose(link, "the daemon does not read");
		return;
	}
	tn_io_close(link->io);
	link->io = NULL;
	if (tn_ws_open(link->loop, fd, &options, &link->ws, NULL) != TENON_OK) {
		lose(link, "out of memory");
		return;
	}
	link->fd = -1; /* its own now */
	link->stage = OPEN;
	link->loss.opened = true;
	tn_timer_stop(link->timer);
	tn_buf_finish(&link->request);
	tn_buf_finish(&link->reply);
	link->events->opened(link->data);
}

/* ---- the handshake ---- */

/* The daemon's own words for a refusal: {"error":{"message":"..."}}. */
static void read_refusal(struct tn_relay_link *link, struct tn_str body)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	struct tn_str words = {0};

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, body, &root, NULL) == TENON_OK &&
	    tn_json_to_str(tn_json_get(tn_json_get(root, "error"), "message"), &words) &&
	    words.size)
		(void)snprintf(link->loss.message, sizeof(link->loss.message), "%.*s",
			       (int)words.size, words.data);
	tn_arena_finish(&arena);
}

/* Whether the refusal's body is all there, as far as its head says. */
static bool has_body(struct tn_str head, struct tn_str body)
{
	uint64_t size = 0;

	return !tn_str_to_uint(tn_ws_reply_header(head, TN_STR("Content-Length")), &size) ||
	       body.size >= size;
}

static void take_reply(struct tn_relay_link *link, bool over)
{
	struct tn_str all = tn_buf_str(&link->reply), head, rest;
	size_t end = tn_str_find(all, TN_STR("\r\n\r\n"));
	struct tenon_error err;
	unsigned status = 0;

	if (end == TN_STR_NONE) {
		if (over)
			lose(link, "the daemon ended the handshake");
		return;
	}
	head = tn_str(all.data, end);
	rest = tn_str_from_offset(all, end + 4);
	if (tn_ws_check_reply(head, link->key, &status, &err) == TENON_OK) {
		open_ws(link, rest);
		return;
	}
	if (!over && !has_body(head, rest))
		return;
	link->loss.status = status;
	(void)snprintf(link->loss.message, sizeof(link->loss.message), "%s", err.message);
	read_refusal(link, rest);
	lose(link, NULL);
}

static void read_reply(struct tn_relay_link *link)
{
	char bytes[READ_BYTES];
	ssize_t got = recv(link->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got < 0) {
		lose(link, "the connection to the daemon broke");
		return;
	}
	tn_buf_append(&link->reply, bytes, (size_t)got);
	if (link->reply.failed)
		lose(link, "the daemon's answer to the handshake is too long");
	else
		take_reply(link, got == 0);
}

static void flush(struct tn_relay_link *link)
{
	ssize_t sent =
		send(link->fd, link->request.data, link->request.size, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent > 0)
		tn_buf_drop_front(&link->request, (size_t)sent);
	/* A broken connection is seen by reading. */
	tn_io_watch(link->io, link->request.size ? TN_IO_READ | TN_IO_WRITE : TN_IO_READ);
}

bool tn_relay_link_early(struct tn_relay_link *link, struct tn_str text)
{
	char head[TN_WS_HEAD_MAX];
	unsigned char mask[4];

	link->early += text.size + TN_WS_HEAD_MAX;
	if (link->stage > SHAKING || link->early > TN_RELAY_EARLY_MAX)
		return false; /* and nothing after it: order matters */
	tn_rng_bytes(mask, sizeof(mask));
	tn_buf_append(&link->request, head, tn_ws_write_head(head, TN_WS_OP_TEXT, text.size, mask));
	tn_buf_append_str(&link->request, text);
	if (link->request.failed) {
		lose(link, "out of memory");
		return false;
	}
	tn_ws_mask(link->request.data + link->request.size - text.size, text.size, mask);
	if (link->stage == SHAKING)
		flush(link);
	return true;
}

/* ---- the connection ---- */

static void lose_dialling(struct tn_relay_link *link, int number)
{
	link->loss.absent = number == ECONNREFUSED;
	lose(link, "no daemon listens");
}

static void connected(struct tn_relay_link *link)
{
	int number = 0;
	socklen_t size = sizeof(number);

	if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &number, &size) != 0)
		number = errno;
	if (number) {
		lose_dialling(link, number);
		return;
	}
	link->stage = SHAKING;
	flush(link);
}

static void socket_ready(struct tn_io *io, int events, void *data)
{
	struct tn_relay_link *link = data;

	(void)io;
	if (link->stage == CONNECTING) {
		connected(link);
		return;
	}
	if (events & TN_IO_WRITE && link->request.size)
		flush(link);
	if (events & TN_IO_READ)
		read_reply(link);
}

static void write_request(struct tn_relay_link *link, const struct tn_relay_target *target)
{
	tn_ws_make_key(link->key);
	tn_buf_format(&link->request,
		      "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
		      "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s"
		      "\r\nSec-WebSocket-Protocol: mcp\r\nAuthorization: Bearer %s\r\n"
		      "Tenon-Relay: %ld %ld\r\n",
		      target->path, target->port, link->key, target->token, (long)getpid(),
		      (long)getppid());
	if (tn_here_put(&link->request))
		tn_buf_append_text(&link->request, "\r\n");
	if (target->fit)
		tn_buf_format(&link->request, TN_FIT_HEADER ": %s\r\n", target->fit);
	tn_buf_append_text(&link->request, "\r\n");
}

/* On loopback a connection stands, or is refused, when connect returns, although it says "in
 * progress": sending at once saves a turn of the loop. */
static void dial(struct tn_relay_link *link, uint16_t port)
{
	const struct sockaddr_in to = {.sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	ssize_t sent;
	int on = 1;

	if (connect(link->fd, (const struct sockaddr *)&to, sizeof(to)) != 0 &&
	    errno != EINPROGRESS) {
		lose_dialling(link, errno);
		return;
	}
	(void)setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* slower without */
	sent = send(link->fd, link->request.data, link->request.size, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (sent < 0 && errno != EAGAIN && errno != EINTR) { /* the error is told once */
		lose_dialling(link, errno);
		return;
	}
	if (sent > 0) {
		tn_buf_drop_front(&link->request, (size_t)sent);
		link->stage = SHAKING;
	}
	tn_io_watch(link->io, link->request.size ? TN_IO_WRITE | TN_IO_READ : TN_IO_READ);
	tn_timer_start(link->timer, TN_RELAY_CONNECT_MS);
}

static enum tenon_code open_handles(struct tn_relay_link *link, struct tenon_error *err)
{
	enum tenon_code code = tn_later_open(link->loop, turn_due, link, &link->turn, err);

	if (code == TENON_OK)
		code = tn_timer_open(link->loop, timed_out, link, &link->timer, err);
	if (code != TENON_OK)
		return code;
	link->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (link->fd < 0)
		return tn_fail_errno(err, errno, "open a socket");
	return tn_io_open(link->loop, link->fd, socket_ready, link, &link->io, err);
}

enum tenon_code tn_relay_link_open(struct tn_loop *loop, const struct tn_relay_target *target,
				   const struct tn_relay_link_events *events, void *data,
				   struct tn_relay_link **ret, struct tenon_error *err)
{
	struct tn_relay_link *link = tn_mem_alloc(sizeof(*link));
	enum tenon_code code;

	if (!link)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	link->loop = loop;
	link->fd = -1;
	link->events = events;
	link->data = data;
	tn_buf_init(&link->request, TN_RELAY_EARLY_MAX + TN_HTTP_SECTION_MAX);
	tn_buf_init(&link->reply, TN_RELAY_REFUSAL_MAX + READ_BYTES);
	write_request(link, target);
	code = tn_buf_check(&link->request, err);
	if (code == TENON_OK)
		code = open_handles(link, err);
	if (code != TENON_OK) {
		tn_relay_link_free(link);
		return code;
	}
	dial(link, target->port);
	*ret = link;
	return TENON_OK;
}

void tn_relay_link_send(struct tn_relay_link *link, struct tn_str text)
{
	if (link->stage == OPEN)
		tn_ws_send(link->ws, text);
}

size_t tn_relay_link_queued(const struct tn_relay_link *link)
{
	return link->stage == OPEN ? tn_ws_queued(link->ws) : 0;
}

void tn_relay_link_pause(struct tn_relay_link *link, bool pause)
{
	if (link->stage == OPEN)
		tn_ws_pause(link->ws, pause);
}

void tn_relay_link_close(struct tn_relay_link *link)
{
	if (link->stage == OPEN)
		tn_ws_close(link->ws, TN_WS_NORMAL);
	else
		lose(link, "closed");
}

void tn_relay_link_free(struct tn_relay_link *link)
{
	if (!link)
		return;
	tn_ws_free(link->ws);
	close_socket(link);
	tn_timer_close(link->timer);
	tn_later_close(link->turn);
	tn_buf_finish(&link->request);
	tn_buf_finish(&link->reply);
	tn_mem_free(link);
}
