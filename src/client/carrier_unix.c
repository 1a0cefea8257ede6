/* A server behind a Unix socket: the same lines as on stdio (MCP-093). */
#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "client/carrier.h"
#include "client/limits.h"
#include "transport/line_stream.h"

enum { RETRY_MS = 20 };

struct unix_carrier {
	struct tn_carrier base;
	struct tn_loop *loop;
	struct sockaddr_un address;
	int fd;
	struct tn_line_stream *lines; /* NULL: not connected yet */
	struct tn_later *turn;
	struct tn_timer *timer; /* tries again; then, waits for the end */
	uint64_t deadline_ms;
	struct tenon_error err; /* of the connection; to be told */
	bool is_lost, is_closing, is_over;
	void (*closed)(void *data);
	void *closed_data;
};

static struct unix_carrier *carrier_of(struct tn_carrier *base)
{
	return (struct unix_carrier *)(void *)base; /* its first member */
}

static void free_carrier(struct unix_carrier *c)
{
	tn_line_stream_close(c->lines);
	tn_later_close(c->turn);
	tn_timer_close(c->timer);
	if (c->fd >= 0)
		(void)close(c->fd); /* what could be sent has been */
	tn_mem_free(c);
}

static void lose(struct unix_carrier *c)
{
	if (c->is_lost)
		return;
	c->is_lost = true;
	if (c->is_closing)
		c->is_over = true;
	tn_later_request(c->turn);
}

static void line_came(struct tn_line_stream *lines, struct tn_str line, void *data)
{
	struct unix_carrier *c = data;

	(void)lines;
	if (!c->is_closing)
		c->base.events->message(c->base.data, NULL, 0, line);
}

static void line_skipped(struct tn_line_stream *lines, void *data)
{
	struct unix_carrier *c = data;

	(void)lines;
	if (c->base.events->skipped && !c->is_closing)
		c->base.events->skipped(c->base.data);
}

static void ended(struct tn_line_stream *lines, void *data)
{
	struct unix_carrier *c = data;

	(void)lines;
	(void)tn_fail(&c->err, TENON_SYSTEM, "the server has closed the connection");
	lose(c);
}

static const struct tn_line_stream_events line_events = {
	.line = line_came,
	.too_long = line_skipped,
	.end = ended,
	.broken = ended,
};

/* A socket of this kind connects at once, or is full and says so. */
static void try_connect(struct unix_carrier *c)
{
	if (connect(c->fd, (const struct sockaddr *)(const void *)&c->address,
		    sizeof(c->address)) == 0) {
		if (tn_line_stream_open(c->loop, c->fd, c->fd, TN_CLIENT_MESSAGE_MAX, &line_events,
					c, &c->lines, &c->err) != TENON_OK)
			lose(c);
		else
			tn_later_request(c->turn);
		return;
	}
	if ((errno == EAGAIN || errno == EINTR) && tn_loop_now_ms(c->loop) < c->deadline_ms) {
		tn_timer_start(c->timer, RETRY_MS);
		return;
	}
	(void)tn_fail_errno(&c->err, errno, "connect to the server's socket");
	lose(c);
}

static void timer_due(struct tn_timer *timer, void *data)
{
	struct unix_carrier *c = data;

	(void)timer;
	if (!c->is_closing) {
		try_connect(c);
		return;
	}
	c->is_over = true; /* the peer does not end its half */
	tn_later_request(c->turn);
}

static void turn_due(struct tn_later *later, void *data)
{
	struct unix_carrier *c = data;

	(void)later;
	if (c->is_closing) {
		void (*closed)(void *data) = c->closed;
		void *closed_data = c->closed_data;

		if (!c->is_over)
			return;
		free_carrier(c);
		if (closed)
			closed(closed_data);
	} else if (c->is_lost) {
		c->base.events->lost(c->base.data, &c->err);
	} else if (c->lines) {
		c->base.events->ready(c->base.data);
	}
}

/* ---- ops ---- */

static void send_line(struct tn_carrier *base, const struct tn_outgoing *message)
{
	struct unix_carrier *c = carrier_of(base);

	if (c->lines && !c->is_lost && !c->is_closing)
		tn_line_stream_send(c->lines, message->json);
}

static void forget(struct tn_carrier *base, void *request)
{
	(void)base; /* all requests share the stream */
	(void)request;
}

static void close_socket(struct tn_carrier *base, void (*closed)(void *data), void *data)
{
	struct unix_carrier *c = carrier_of(base);

	c->is_closing = true;
	c->closed = closed;
	c->closed_data = data;
	if (c->lines)
		(void)tn_line_stream_flush(c->lines);
	if (!c->lines || c->is_lost || shutdown(c->fd, SHUT_WR) != 0) {
		c->is_over = true;
		tn_later_request(c->turn);
		return;
	}
	tn_timer_start(c->timer, TN_SHUTDOWN_GRACE_MS); /* for the server to end its half */
}

static void abort_socket(struct tn_carrier *base)
{
	free_carrier(carrier_of(base));
}

static const struct tn_carrier_ops ops = {
	.send = send_line,
	.forget = forget,
	.close = close_socket,
	.abort = abort_socket,
};

enum tenon_code tn_carrier_open_unix(const struct tn_carrier_options *options,
				     const struct tn_url_target *target, struct tn_carrier **ret,
				     struct tenon_error *err)
{
	const char *path = target->url + strlen("unix:");
	struct unix_carrier *c;
	enum tenon_code code;

	if (!*path || strlen(path) >= sizeof(c->address.sun_path))
		return tn_fail(err, TENON_INVALID, "unix: needs a path of 1 to %zu bytes behind it",
			       sizeof(c->address.sun_path) - 1);
	c = tn_mem_alloc(sizeof(*c));
	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->base = (struct tn_carrier){.ops = &ops,
				      .events = options->events,
				      .data = options->data,
				      .kind = TN_CARRIER_STREAM,
				      .transport = "unix"};
	c->loop = options->loop;
	c->address.sun_family = AF_UNIX;
	memcpy(c->address.sun_path, path, strlen(path));
	c->deadline_ms = tn_loop_now_ms(c->loop) + options->connect_timeout_ms;
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	code = c->fd >= 0 ? TENON_OK : tn_fail_errno(err, errno, "open a socket");
	if (code == TENON_OK)
		code = tn_later_open(c->loop, turn_due, c, &c->turn, err);
	if (code == TENON_OK)
		code = tn_timer_open(c->loop, timer_due, c, &c->timer, err);
	if (code != TENON_OK) {
		free_carrier(c);
		return code;
	}
	try_connect(c);
	*ret = &c->base;
	return TENON_OK;
}
