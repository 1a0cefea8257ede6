/* pty_wire.h - what daemon, host and keeper know of each other: shared memory and messages.
 *
 * All three are the same program and version; a daemon that finds a host of another layout
 * (TN_PTY_WIRE_VERSION) lets it end and starts its own. */
#ifndef TN_TERM_PTY_WIRE_H
#define TN_TERM_PTY_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#define TN_PTY_WIRE_VERSION 1

/* One stream of bytes; head and tail only grow and count bytes since the session began. */
struct tn_pty_ring {
	_Atomic uint64_t head;     /* written by the keeper */
	_Atomic uint64_t tail;     /* consumed by the daemon */
	_Atomic uint32_t sleeping; /* bit 0: the daemon wants a ring at the doorbell; bit 1: the
				      keeper waits for room */
	_Atomic uint32_t ended;    /* no more will come */
};

enum { TN_PTY_OUT, TN_PTY_ERR, TN_PTY_STREAMS }; /* ERR only of a session with pipes */

/* The first page of a session's shared memory; the rings' bytes follow, each TN_PTY_RING_BYTES. */
struct tn_pty_shared {
	uint32_t version;
	int32_t root_pid; /* of the program */
	int32_t keeper_pid;
	struct tn_pty_ring rings[TN_PTY_STREAMS];
	_Atomic uint32_t
		state;       /* 0 starting, 1 running, 2 the root program has ended, 3 all have */
	int32_t status;      /* as waitpid tells, once it has ended */
	int32_t spawn_errno; /* why it could not be started; 0: it was */
	int32_t spawn_step;  /* 0: exec, 1: directory, 2: the PTY or a process */
};

#endif
