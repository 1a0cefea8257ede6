/* pty_wire.h - what daemon, host and keeper know of each other: shared memory and messages.
 *
 * All three are the same program and version; a daemon that finds a host of another layout
 * (TN_PTY_WIRE_VERSION) lets it end and starts its own.
 *
 * Nobody waits for a word of another one to go on with bytes: the keeper writes and the daemon
 * consumes in shared memory, and each rings a bell only when the other sleeps. */
#ifndef TN_TERM_PTY_WIRE_H
#define TN_TERM_PTY_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#include "apps/terminal/limits.h"

#define TN_PTY_WIRE_VERSION 3

enum { TN_PTY_KEY_SIZE = 48 }; /* a session's id, the name under which the host knows it */

/* ---- shared memory ---- */

enum { TN_PTY_DAEMON_SLEEPS = 1, TN_PTY_KEEPER_SLEEPS = 2 };

/* One stream of bytes; head and tail only grow and count bytes since the session began. */
struct tn_pty_ring {
	_Atomic uint64_t head;     /* written by the keeper */
	_Atomic uint64_t tail;     /* consumed by the daemon */
	_Atomic uint32_t sleeping; /* TN_PTY_DAEMON_SLEEPS: it wants the bell;
				      TN_PTY_KEEPER_SLEEPS: it waits for room */
	_Atomic uint32_t ended;    /* no more will come */
};

enum { TN_PTY_OUT, TN_PTY_ERR, TN_PTY_STREAMS }; /* ERR only of a session with pipes */

enum tn_pty_state {
	TN_PTY_STARTING,
	TN_PTY_RUNNING,
	TN_PTY_EXITED, /* the root program has ended, or was never started */
	TN_PTY_CLOSED  /* it was ended, and all that it had started */
};

enum tn_pty_step { TN_PTY_STEP_EXEC, TN_PTY_STEP_DIRECTORY, TN_PTY_STEP_PROCESS };

/* The first page of a session's shared memory; the rings' bytes follow, each TN_PTY_RING_BYTES. */
struct tn_pty_shared {
	uint32_t version;
	_Atomic int32_t root_pid; /* of the program */
	_Atomic int32_t keeper_pid;
	uint32_t streams; /* how many rings there are */
	struct tn_pty_ring rings[TN_PTY_STREAMS];
	_Atomic uint32_t state; /* enum tn_pty_state; what follows is written before it changes */
	int32_t status;         /* as waitpid tells, once it has ended */
	int32_t spawn_errno;    /* why it could not be started; 0: it was */
	int32_t spawn_step;     /* enum tn_pty_step */
	uint32_t killed_count;
	int32_t killed[TN_PTY_KILLED_MAX];
};

enum { TN_PTY_PAGE_BYTES = 4096 };
_Static_assert(sizeof(struct tn_pty_shared) <= TN_PTY_PAGE_BYTES, "more than its page");

/* ---- between daemon and host: packets of one message, with descriptors ---- */

enum tn_pty_word {
	/* daemon to host */
	TN_PTY_WORD_HELLO = 1, /* version */
	TN_PTY_WORD_SPAWN, /* key, flags; descriptors: shared, socket, bell, keeper's end, request,
			 then the master, standard input, the directory, what is held, as the
			 flags say */
	TN_PTY_WORD_SHUTDOWN, /* ends everything */
	/* host to daemon */
	TN_PTY_WORD_WELCOME, /* answers HELLO: version, pid, number of sessions that follow */
	TN_PTY_WORD_REFUSED, /* answers HELLO: another daemon is here, or it is ending */
	TN_PTY_WORD_SESSION, /* key, flags; descriptors: shared, socket, bell, then the master */
	TN_PTY_WORD_GONE     /* key: its keeper was killed, and its processes after it */
};

enum {
	TN_PTY_HAS_MASTER = 1,
	TN_PTY_HAS_STDIN = 2,
	TN_PTY_HAS_DIRECTORY = 8,
	TN_PTY_HAS_HELD = 16, /* hold.h */
	TN_PTY_IS_GONE = 4    /* of SESSION: the keeper is no more */
};

/* Their order among the descriptors of a message. */
enum { TN_PTY_FD_SHARED, TN_PTY_FD_SOCKET, TN_PTY_FD_BELL, TN_PTY_FDS_KEPT };
enum { TN_PTY_FD_KEEPER = TN_PTY_FDS_KEPT, TN_PTY_FD_REQUEST, TN_PTY_FDS_NEEDED };
enum { TN_PTY_FDS_MAX = TN_PTY_FDS_NEEDED + 4 };

struct tn_pty_message {
	uint32_t word; /* enum tn_pty_word */
	uint32_t version;
	uint32_t flags;
	int32_t number; /* WELCOME: sessions; REFUSED: 1 when it is about to end */
	int32_t pid;
	char key[TN_PTY_KEY_SIZE];
};

/* What to start: a memory file, because argv and environment may be larger than any packet. After
 * it stand `directory`, argv and env, each text with its NUL. */
struct tn_pty_request {
	uint32_t size_bytes; /* with the texts */
	uint32_t argc, envc;
	uint16_t columns, rows;
	uint32_t umask;
	uint64_t processes, files, file_bytes, memory_bytes, cpu_s; /* 0: as ours */
};

/* ---- from the daemon, or the host, to a keeper ---- */

enum tn_pty_order { TN_PTY_ORDER_ROOM = 1, TN_PTY_ORDER_END, TN_PTY_ORDER_CLOSE };

struct tn_pty_command {
	uint32_t order; /* enum tn_pty_order */
	uint32_t force; /* of END: SIGKILL at once */
	uint32_t grace_ms;
	uint32_t leave; /* of END: then the keeper ends, as after CLOSE */
};

#endif
