#include "base/pass_fds.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int) * TN_PASS_FDS_MAX)];
};

bool tn_pass_fds_send(int to, const int *fds, size_t count)
{
	union control control = {.bytes = {0}};
	char byte = 0;
	struct iovec body = {&byte, 1};
	struct msghdr message = {.msg_iov = &body, .msg_iovlen = 1, .msg_control = &control};
	ssize_t sent;

	if (!count || count > TN_PASS_FDS_MAX) {
		errno = EINVAL;
		return false;
	}
	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(int) * count);
	memcpy(CMSG_DATA(&control.head), fds, sizeof(int) * count);
	message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
	do
		sent = sendmsg(to, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (sent < 0 && errno == EINTR);
	return sent == 1;
}

size_t tn_pass_fds_receive(int from, int *fds, size_t most)
{
	union control control = {.bytes = {0}};
	char byte;
	struct iovec body = {&byte, 1};
	struct msghdr message = {.msg_iov = &body,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	int all[TN_PASS_FDS_MAX];
	size_t count = 0;
	ssize_t got;

	do
		got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got == 1 && message.msg_controllen >= CMSG_LEN(sizeof(int)) &&
	    control.head.cmsg_level == SOL_SOCKET && control.head.cmsg_type == SCM_RIGHTS)
		count = (control.head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(all, CMSG_DATA(&control.head), count * sizeof(int));
	if (count <= most && !(message.msg_flags & MSG_CTRUNC)) {
		memcpy(fds, all, count * sizeof(int));
		return count;
	}
	for (size_t i = 0; i < count; i++)
		(void)close(all[i]); /* never used */
	return 0;
}
