/* socket_holder.h - whose the other end of a TCP connection of this machine is: the kernel names
 * the socket (sock_diag(7)), and /proc says which processes have it open (Linux).
 *
 * Reading /proc takes as long as there are processes: for worker threads, where nothing else says
 * so. Threads: any. Ownership: the caller's memory. */
#ifndef TN_HOST_SOCKET_HOLDER_H
#define TN_HOST_SOCKET_HOLDER_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>

#include "host/person/ancestry.h"

/* Both ends as we see them. */
struct tn_socket_ends {
	struct sockaddr_storage here, there;
};

enum tn_socket_state {
	TN_SOCKET_OPEN,   /* somebody of this machine has the other end open */
	TN_SOCKET_CLOSED, /* it was of this machine, and nobody has it open any more */
	TN_SOCKET_AWAY    /* it is not of this machine */
};

/* *ret_uid and *ret_inode are set for TN_SOCKET_OPEN. Takes microseconds; what the kernel does not
 * find is looked for in /proc/net, too, if `thorough`, which takes as long as there are sockets. */
enum tn_socket_state tn_socket_look(const struct tn_socket_ends *ends, bool thorough,
				    uid_t *ret_uid, unsigned long *ret_inode);

/* One socket that is looked for, and who has it open. */
struct tn_holders {
	unsigned long inode; /* 0: nothing is looked for */
	struct tn_process *processes;
	size_t count, capacity;
	bool more;  /* there are more than TN_HOLDERS_MAX, or than memory holds */
	bool known; /* found among those that are known */
};
void tn_holders_finish(struct tn_holders *holders);

struct tn_holders_search {
	const pid_t *known; /* asked first, and not about their ancestors: that was done before */
	size_t known_count;
	const pid_t *likely; /* asked next */
	size_t likely_count;
	bool all;             /* everybody is looked for, not only somebody for each socket */
	unsigned patience_ms; /* how long it may take */
	const atomic_bool *cancelled;
};

/* Asks the likely ones and then all processes of our user, the youngest first, until somebody is
 * found for each socket. Of whoever was found its ancestors are asked, too: what a process starts
 * inherits its sockets. Threads that keep descriptors of their own count as well. False: it took
 * too long, or was cancelled; what was found is whole all the same. */
bool tn_holders_find(struct tn_holders *list, size_t count, const struct tn_holders_search *search);

#endif
