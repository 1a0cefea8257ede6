/* One side of a connection: bytes from its socket and to it, in the clear or within TLS. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "gateway/internal.h"

void tn_gateway_end_close(struct tn_gateway_end *end, const struct tn_tls_library *library)
{
	if (end->tls)
		library->close(end->tls);
	end->tls = NULL;
	tn_io_close(end->io);
	end->io = NULL;
	if (end->fd >= 0)
		(void)close(end->fd);
	end->fd = -1;
}

size_t tn_gateway_end_pending(const struct tn_gateway_end *end)
{
	return end->out.size - end->sent;
}

static bool can_be_written(int fd)
{
	struct pollfd polled = {.fd = fd, .events = POLLOUT};

	return poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT);
}

/* The peer may have to say something first, and its socket can be written to all the same. */
static bool write_within(struct tn_gateway_end *end, const struct tn_tls_library *library)
{
	ssize_t sent = 1;

	end->hears_first = false;
	while (end->sent < end->out.size && sent > 0) {
		sent = library->write(end->tls, end->out.data + end->sent,
				      end->out.size - end->sent);
		if (sent > 0)
			end->sent += (size_t)sent;
	}
	if (sent == 0)
		end->hears_first = can_be_written(end->fd);
	return sent >= 0;
}

static bool write_plain(struct tn_gateway_end *end)
{
	while (end->sent < end->out.size) {
		ssize_t sent = send(end->fd, end->out.data + end->sent, end->out.size - end->sent,
				    MSG_NOSIGNAL);

		if (sent < 0)
			return errno == EAGAIN || errno == EINTR;
		end->sent += (size_t)sent;
	}
	return true;
}

bool tn_gateway_end_flush(struct tn_gateway_end *end, const struct tn_tls_library *library)
{
	if (!(end->tls ? write_within(end, library) : write_plain(end)))
		return false;
	if (tn_gateway_end_pending(end))
		return true;
	end->sent = 0;
	tn_buf_clear(&end->out);
	tn_buf_shrink(&end->out, TN_GATEWAY_READ_BYTES);
	return true;
}

ssize_t tn_gateway_end_read(struct tn_gateway_end *end, const struct tn_tls_library *library,
			    char bytes[TN_GATEWAY_READ_BYTES])
{
	ssize_t size;

	if (end->tls) {
		size = library->read(end->tls, bytes, TN_GATEWAY_READ_BYTES);
		end->unread = size > 0;
	} else {
		size = recv(end->fd, bytes, TN_GATEWAY_READ_BYTES, 0);
		if (size < 0 && errno != EAGAIN && errno != EINTR)
			size = 0;
	}
	end->eof = size == 0;
	return size;
}
