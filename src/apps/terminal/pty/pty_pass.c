#include "apps/terminal/pty/pty_pass.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int) * TN_PTY_FDS_MAX)];
};

void tn_pty_close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* nothing of ours waits in any of them */
	*fd = -1;
}

void tn_pty_packet_close(struct tn_pty_packet *packet)
{
	for (size_t i = 0; i < packet->fd_count; i++)
		tn_pty_close_fd(&packet->fds[i]);
	packet->fd_count = 0;
}

static enum tenon_code wait_for(int fd, short events, int wait_ms, struct tenon_error *err)
{
	struct pollfd polled = {.fd = fd, .events = events};
	int ready;

	do
		ready = poll(&polled, 1, wait_ms);
	while (ready < 0 && errno == EINTR);
	if (ready < 0)
		return tn_fail_errno(err, errno, "wait for the keeper of terminals");
	return ready > 0 ? TENON_OK
			 : tn_fail(err, TENON_BUSY, "the keeper of terminals does not answer");
}

static enum tenon_code fail_send(int number, struct tenon_error *err)
{
	if (number == EPIPE || number == ECONNRESET || number == ENOTCONN)
		return tn_fail(err, TENON_EXPIRED, "the keeper of terminals has ended");
	if (number == ETOOMANYREFS || number == EMFILE || number == ENFILE)
		return tn_fail(err, TENON_LIMIT, "no more open files are allowed");
	return tn_fail_errno(err, number, "tell the keeper of terminals");
}

enum tenon_code tn_pty_pass_send(int fd, const struct tn_pty_packet *packet, int wait_ms,
				 struct tenon_error *err)
{
	union control control = {0};
	struct iovec part = {(void *)(uintptr_t)&packet->message, sizeof(packet->message)};
	struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
	size_t size = sizeof(int) * packet->fd_count;

	if (packet->fd_count > 0) {
		header.msg_control = control.bytes;
		header.msg_controllen = CMSG_SPACE(size);
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(size),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), packet->fds, size);
	}
	for (;;) {
		enum tenon_code code;

		if (sendmsg(fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
			return TENON_OK;
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return fail_send(errno, err);
		code = wait_for(fd, POLLOUT, wait_ms, err);
		if (code != TENON_OK)
			return code;
	}
}

static void take_descriptors(struct msghdr *header, struct tn_pty_packet *ret)
{
	for (struct cmsghdr *at = CMSG_FIRSTHDR(header); at; at = CMSG_NXTHDR(header, at)) {
		size_t size = at->cmsg_len - CMSG_LEN(0);

		if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS ||
		    size > sizeof(ret->fds))
			continue;
		memcpy(ret->fds, CMSG_DATA(at), size);
		ret->fd_count = size / sizeof(int);
	}
}

enum tenon_code tn_pty_pass_receive(int fd, struct tn_pty_packet *ret, int wait_ms,
				    struct tenon_error *err)
{
	union control control = {0};
	struct iovec part = {&ret->message, sizeof(ret->message)};
	struct msghdr header = {.msg_iov = &part,
				.msg_iovlen = 1,
				.msg_control = control.bytes,
				.msg_controllen = sizeof(control.bytes)};
	ssize_t size;

	*ret = (struct tn_pty_packet){0};
	while ((size = recvmsg(fd, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)) < 0) {
		enum tenon_code code;

		/* It was closed before it had read all of ours; what it said before comes now. */
		if (errno == ECONNRESET)
			continue;
		if (errno != EAGAIN && errno != EINTR)
			return tn_fail_errno(err, errno, "hear the keeper of terminals");
		code = wait_for(fd, POLLIN, wait_ms, err);
		if (code != TENON_OK)
			return code;
	}
	if (size <= 0)
		return tn_fail(err, TENON_EXPIRED, "the keeper of terminals has ended");
	take_descriptors(&header, ret);
	if (header.msg_flags & MSG_CTRUNC) {
		tn_pty_packet_close(ret);
		return tn_fail(err, TENON_LIMIT, "no more open files are allowed");
	}
	if (size != sizeof(ret->message)) {
		tn_pty_packet_close(ret);
		return tn_fail(err, TENON_INVALID, "not a message of the keeper of terminals");
	}
	ret->message.key[TN_PTY_KEY_SIZE - 1] = '\0';
	return TENON_OK;
}
