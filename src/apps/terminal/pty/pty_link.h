/* pty_link.h - the daemon's way to its host: finding one, starting one, seeing one end.
 *
 * Threads: loop. These wait, for moments, for a process of our own. */
#ifndef TN_TERM_PTY_LINK_H
#define TN_TERM_PTY_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum { TN_PTY_LINK_FD = 3 }; /* where a host finds the connection to who has started it */

struct tn_pty_link {
	int fd; /* -1: there is no host */
	pid_t pid;
	bool is_child; /* ours to wait for */
};

/* Asks the host at the path whether it takes us, and says how many sessions it will name. A host
 * that is about to end, or is of another version, is waited for. Fails: NOT_FOUND (none there),
 * BUSY (it has a daemon), SYSTEM. */
TN_MUST_USE enum tenon_code tn_pty_link_find(struct tn_pty_link *link, const char *path,
					     int *ret_sessions, struct tenon_error *err);

/* Fails: SYSTEM, LIMIT. program NULL: this very program; path NULL: nobody shall find it. */
TN_MUST_USE enum tenon_code tn_pty_link_start(struct tn_pty_link *link, const char *program,
					      const char *path, uint32_t grace_ms,
					      struct tenon_error *err);

/* Waits until the host has ended; kills it after wait_ms. */
void tn_pty_link_end(struct tn_pty_link *link, int wait_ms);
/* Leaves it; one of ours that has ended is waited for. */
void tn_pty_link_drop(struct tn_pty_link *link);

#endif
