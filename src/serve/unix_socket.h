/* unix_socket.h - a listening Unix socket at a path: made so that nobody connects before its mode
 * is right, a dead one replaced, a living one left alone, removed at the end (mcp.md MCP-284).
 *
 * Threads: any, one at a time. Ownership: the caller's struct, from open to close. */
#ifndef TN_HOST_UNIX_SOCKET_H
#define TN_HOST_UNIX_SOCKET_H

#include <sys/types.h>

#include "base/error.h"

struct tn_unix_socket {
	int fd; /* -1: not listening */
	char *path;
	dev_t device; /* of the socket we made: what another has put there is not removed */
	ino_t inode;
};

void tn_unix_socket_init(struct tn_unix_socket *s);
/* Fails: INVALID (empty or too long, or something that is no socket is there), BUSY (somebody
 * serves there), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_unix_socket_open(struct tn_unix_socket *s, const char *path,
						mode_t mode, struct tenon_error *err);
void tn_unix_socket_close(struct tn_unix_socket *s);

#endif
