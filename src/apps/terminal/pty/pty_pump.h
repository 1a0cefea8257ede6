/* pty_pump.h - the keeper's road of bytes: from the PTY, or two pipes, into shared memory.
 *
 * It reads while there is room, and rings the daemon's bell only when the daemon sleeps. Ownership:
 * the keeper's, and the descriptors in it. Threads: one. */
#ifndef TN_TERM_PTY_PUMP_H
#define TN_TERM_PTY_PUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "apps/terminal/pty/pty_wire.h"

struct tn_pty_pump_stream {
	int fd; /* -1: nothing more comes */
	bool is_full;
	bool is_dry;             /* since the program ended all it wrote has been read */
	uint64_t again_ms;       /* nobody has the terminal open: when to look again; 0: now */
	uint32_t again_after_ms; /* the last such pause */
	struct tn_pty_ring *ring;
	uint8_t *bytes;
};

struct tn_pty_pump {
	struct tn_pty_shared *shared;
	struct tn_pty_pump_stream streams[TN_PTY_STREAMS];
	int bell;
	bool has_terminal;
	bool program_ended;
	bool is_last;     /* what is not there now is not waited for */
	size_t drained;   /* bytes since the program ended */
	uint64_t bell_ms; /* when it rang last */
	bool bell_waits;
};

uint64_t tn_pty_pump_now_ms(void);

/* Tells the daemon of a state; what it means stands in shared memory by then. */
void tn_pty_pump_tell(struct tn_pty_pump *pump, enum tn_pty_state state);
/* The program has ended; its last words are read now. */
void tn_pty_pump_note_end(struct tn_pty_pump *pump);
bool tn_pty_pump_is_dry(const struct tn_pty_pump *pump); /* they have been */
void tn_pty_pump_end_all(struct tn_pty_pump *pump);

/* Reads what is there, some of each. True: there may be more. */
bool tn_pty_pump_run(struct tn_pty_pump *pump);
/* When to run it although nothing is readable; 0: never. */
uint64_t tn_pty_pump_due_ms(const struct tn_pty_pump *pump);

/* Maps a session's shared memory: the first page, and the rings. NULL: not what it should be. */
struct tn_pty_shared *tn_pty_shared_map(int fd, size_t *ret_size);
uint8_t *tn_pty_shared_bytes(struct tn_pty_shared *shared, int stream);

#endif
