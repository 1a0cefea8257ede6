/* pass_fds.h - descriptors to another process over a Unix socket (unix(7), SCM_RIGHTS), one message
 * of one byte with all of them.
 *
 * Ownership: the sender keeps its own; received ones are the caller's, close on exec. Threads: any.
 */
#ifndef TN_PASS_FDS_H
#define TN_PASS_FDS_H

#include <stdbool.h>
#include <stddef.h>

enum { TN_PASS_FDS_MAX = 253 }; /* what the kernel takes at once */

/* Does not wait for room. False: errno. */
bool tn_pass_fds_send(int to, const int *fds, size_t count);
/* Waits where the socket does. Returns how many came; 0: none, more than there is room for, or the
 * other end is closed. */
size_t tn_pass_fds_receive(int from, int *fds, size_t most);

#endif
