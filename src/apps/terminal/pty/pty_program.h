/* pty_program.h - the start of a session's program, in its keeper: controlling terminal or pipes,
 * limits, directory, environment. Threads: the keeper's only one. */
#ifndef TN_TERM_PTY_PROGRAM_H
#define TN_TERM_PTY_PROGRAM_H

#include <sys/resource.h>
#include <sys/types.h>

#include "apps/terminal/pty/pty_wire.h"

struct tn_pty_program {
	const struct tn_pty_request *request; /* with the texts behind it */
	int master;                           /* -1: pipes */
	int stdin_fd;                         /* -1: the terminal, or nothing */
	int directory; /* where it starts, whatever its name leads to; -1: by its name */
	int pipes[TN_PTY_STREAMS]; /* our ends for it to write to, without a master */
	int held;                  /* becomes TN_HOLD_FD (hold.h); -1: none */
	struct rlimit files;       /* RLIMIT_NOFILE as it was before we raised it */
};

struct tn_pty_start_failure {
	int number; /* errno; 0: it runs */
	int step;   /* enum tn_pty_step */
};

/* Returns its number, or 0 and why not. */
pid_t tn_pty_program_start(const struct tn_pty_program *program, struct tn_pty_start_failure *ret);

#endif
