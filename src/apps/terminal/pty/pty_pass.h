/* pty_pass.h - one message with descriptors, over a socket of packets (SOCK_SEQPACKET).
 *
 * Ownership: descriptors that were received are the caller's, close on exec. Threads: any. */
#ifndef TN_TERM_PTY_PASS_H
#define TN_TERM_PTY_PASS_H

#include <stdbool.h>
#include <stddef.h>

#include "apps/terminal/pty/pty_wire.h"
#include "base/error.h"

struct tn_pty_packet {
	struct tn_pty_message message;
	int fds[TN_PTY_FDS_MAX];
	size_t fd_count;
};

/* Waits at most wait_ms for room. Fails: BUSY (no room), EXPIRED (nobody is there), LIMIT (too many
 * descriptors are on their way), SYSTEM. */
TN_MUST_USE enum tenon_code tn_pty_pass_send(int fd, const struct tn_pty_packet *packet,
					     int wait_ms, struct tenon_error *err);
/* Waits at most wait_ms for one. Fails: BUSY (none came), EXPIRED (the other end is closed), LIMIT
 * (we have no descriptors left; none is received), INVALID (not a message), SYSTEM. */
TN_MUST_USE enum tenon_code tn_pty_pass_receive(int fd, struct tn_pty_packet *ret, int wait_ms,
						struct tenon_error *err);
void tn_pty_packet_close(struct tn_pty_packet *packet); /* the descriptors in it */

/* Closes it if it is one, and says so by -1. */
void tn_pty_close_fd(int *fd);

#endif
