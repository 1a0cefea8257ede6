/* Output goes from the caller's memory to the socket in one call when the socket takes it; only the
 * rest is copied. */
#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "transport/http_connection.h"

enum { PARTS_MAX = 32, OWN_PARTS = 2 /* what waited, and what was held back */ };

/* Bytes taken by the socket, 0 when it is full, -1 when the connection is broken. */
static ssize_t send_parts(int fd, struct iovec *parts, size_t count)
{
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};

	for (;;) {
		ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent >= 0)
			return sent;
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			return 0;
		if (errno != EINTR)
			return -1;
	}
}

struct gather {
	struct iovec parts[PARTS_MAX];
	size_t first, count;
};

static void gather_add(struct gather *gather, const char *data, size_t size)
{
	if (size)
		gather->parts[gather->count++] = (struct iovec){(void *)(uintptr_t)data, size};
}

static void gather_advance(struct gather *gather, size_t sent)
{
	while (gather->first < gather->count && sent >= gather->parts[gather->first].iov_len)
		sent -= gather->parts[gather->first++].iov_len;
	if (sent) {
		struct iovec *part = &gather->parts[gather->first];

		part->iov_base = (char *)part->iov_base + sent;
		part->iov_len -= sent;
	}
}

/* Sends until everything has gone or the socket is full. */
static bool gather_send(struct gather *gather, int fd)
{
	while (gather->first < gather->count) {
		ssize_t sent = send_parts(fd, gather->parts + gather->first,
					  gather->count - gather->first);

		if (sent < 0)
			return false;
		if (sent == 0)
			break;
		gather_advance(gather, (size_t)sent);
	}
	return true;
}

/* Bytes already sent are dropped from the front only when they outweigh the rest: a large queue is
 * not moved for every few bytes that leave. */
static void drop_sent(struct tn_http_exchange *c)
{
	if (c->out_sent == c->out.size)
		tn_buf_clear(&c->out);
	else if (c->out_sent < c->out.size - c->out_sent)
		return;
	else
		tn_buf_drop_front(&c->out, c->out_sent);
	c->out_sent = 0;
	tn_buf_shrink(&c->out, 0);
}

static bool send_out(struct tn_http_exchange *c)
{
	struct gather gather = {.count = 0};
	size_t before = tn_http_pending(c), left = 0;

	gather_add(&gather, c->out.data + c->out_sent, before);
	if (!gather_send(&gather, c->fd))
		return false;
	if (gather.first < gather.count)
		left = gather.parts[gather.first].iov_len;
	c->out_sent += before - left;
	drop_sent(c);
	return true;
}

/* The answers that were held back for this connection. There is one batch, since only one
 * connection is processed at a time; what others send meanwhile has nothing to do with it. */
static struct tn_str held(const struct tn_http_exchange *c)
{
	return c->processing ? tn_buf_str(&c->server->batch) : tn_str(NULL, 0);
}

static void clear_held(struct tn_http_exchange *c)
{
	if (c->processing)
		tn_buf_clear(&c->server->batch);
}

static struct tn_str late_of(const struct tn_http_exchange *c)
{
	return tn_str(c->late_size ? c->server->late.data + c->late_at : NULL, c->late_size);
}

void tn_http_queue(struct tn_http_exchange *c, const struct tn_str *parts, size_t count)
{
	tn_buf_append_str(&c->out, late_of(c));
	c->late_size = 0;
	tn_buf_append_str(&c->out, held(c));
	clear_held(c);
	for (size_t i = 0; i < count; i++)
		tn_buf_append_str(&c->out, parts[i]);
}

/* ---- the end of the turn ----
 *
 * A send to a client that sleeps wakes it, and that costs more than the answer was worth. So small
 * outputs wait until all events of this turn have been served, and leave together: the clients wake
 * while we wait for the next events. */

static size_t total_size(const struct tn_http_exchange *c, const struct tn_str *parts, size_t count)
{
	size_t total = tn_http_pending(c) + held(c).size;

	for (size_t i = 0; i < count && total <= TN_HTTP_LATE_BYTES; i++)
		total += parts[i].size;
	return total;
}

/* A connection that is about to end, or has output of this turn already, does not wait. */
static bool send_later(struct tn_http_exchange *c, const struct tn_str *parts, size_t count)
{
	struct tn_http_server *server = c->server;
	struct tn_buf *late = &server->late;
	size_t total = total_size(c, parts, count), at = late->size;

	if (c->closing || c->eof || c->late || server->draining || total == 0 ||
	    total > TN_HTTP_LATE_BYTES || at + total > TN_HTTP_LATE_MAX)
		return false;
	if (tn_http_pending(c))
		tn_buf_append(late, c->out.data + c->out_sent, tn_http_pending(c));
	tn_buf_append_str(late, held(c));
	for (size_t i = 0; i < count; i++)
		tn_buf_append_str(late, parts[i]);
	if (late->failed) { /* no memory: what others left there is still good */
		late->size = at;
		late->failed = late->starved = false;
		return false;
	}
	tn_buf_clear(&c->out);
	tn_buf_shrink(&c->out, 0);
	c->out_sent = 0;
	clear_held(c);
	c->late_at = (uint32_t)at;
	c->late_size = (uint32_t)total;
	c->late_next = NULL;
	c->late = true;
	*server->late_tail = c;
	server->late_tail = &c->late_next;
	tn_later_request(server->turn);
	return true;
}

static bool send_all(struct tn_http_exchange *c, const struct tn_str *parts, size_t count)
{
	struct gather gather;

	gather.first = gather.count = 0;
	gather_add(&gather, late_of(c).data, late_of(c).size);
	gather_add(&gather, held(c).data, held(c).size);
	for (size_t i = 0; i < count; i++)
		gather_add(&gather, parts[i].data, parts[i].size);
	if (!gather_send(&gather, c->fd))
		return false;
	for (size_t i = gather.first; i < gather.count; i++)
		tn_buf_append(&c->out, gather.parts[i].iov_base, gather.parts[i].iov_len);
	clear_held(c);
	c->late_size = 0; /* it stays in the list, with nothing to send */
	return !c->out.failed;
}

void tn_http_send_late_of(struct tn_http_exchange *c)
{
	if (c->late_size && c->fd >= 0)
		(void)send_parts(
			c->fd, &(struct iovec){(void *)(uintptr_t)late_of(c).data, late_of(c).size},
			1); /* the connection ends: what does not go now never will */
	c->late_size = 0;
}

void tn_http_send_late(struct tn_http_server *server)
{
	while (server->late_first) {
		struct tn_http_exchange *c = server->late_first;

		server->late_first = c->late_next;
		if (!server->late_first)
			server->late_tail = &server->late_first;
		c->late = false;
		if (!c->late_size)
			continue;
		if (!send_all(c, NULL, 0)) {
			tn_http_break(c);
		} else if (tn_http_pending(c)) {
			if (c->phase == TN_HTTP_IDLE)
				c->phase = TN_HTTP_WRITING;
			tn_http_settle(c);
		}
	}
	tn_buf_clear(&server->late);
	tn_buf_shrink(&server->late, TN_HTTP_BATCH_BYTES);
}

static bool hold_back(struct tn_http_server *server, const struct tn_str *parts, size_t count)
{
	size_t total = server->batch.size;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].size > TN_HTTP_BATCH_BYTES)
			return false;
		total += parts[i].size;
	}
	if (total > TN_HTTP_BATCH_BYTES)
		return false;
	for (size_t i = 0; i < count; i++)
		tn_buf_append_str(&server->batch, parts[i]);
	return true;
}

bool tn_http_output(struct tn_http_exchange *c, const struct tn_str *parts, size_t count, bool hold)
{
	if (tn_http_pending(c) == 0 && hold && hold_back(c->server, parts, count))
		return !c->server->batch.failed;
	/* What a stream has pending in the turn it began in is its head, which goes along. */
	if ((tn_http_pending(c) == 0 || (c->due && c->phase == TN_HTTP_STREAM)) &&
	    send_later(c, parts, count))
		return true;
	if (tn_http_pending(c) == 0 && count + OWN_PARTS <= PARTS_MAX)
		return send_all(c, parts, count);
	tn_http_queue(c, parts, count);
	return !c->out.failed && send_out(c);
}

bool tn_http_flush(struct tn_http_exchange *c)
{
	if (held(c).size)
		return tn_http_output(c, NULL, 0, false);
	return tn_http_pending(c) == 0 || send_out(c);
}
