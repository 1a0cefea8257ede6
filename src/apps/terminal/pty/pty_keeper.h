/* pty_keeper.h - the keeper of one session: parent, and subreaper, of all that it starts.
 *
 * It reads what the program writes into the ring, stops reading when the ring is full, reaps, and
 * ends the session's processes when it is told to, or when the host is gone. Threads: one. */
#ifndef TN_TERM_PTY_KEEPER_H
#define TN_TERM_PTY_KEEPER_H

#include <sys/resource.h>

#include "apps/terminal/pty/pty_pass.h"

struct tn_pty_keeper_start {
	struct tn_pty_packet *spawn; /* the message; takes its descriptors */
	int life;                    /* readable when the host has ended */
	struct rlimit files;         /* RLIMIT_NOFILE as programs shall have it */
};

/* In a fresh child of the host. Ends with 0 when it was told to close and all is gone. */
_Noreturn void tn_pty_keeper_run(struct tn_pty_keeper_start *start);

#endif
