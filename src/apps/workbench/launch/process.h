/* process.h - a program of the project that runs for us: what is written to it, and its lines.
 *
 * It is guarded (loop/guard.h): nothing that it starts outlives it, or us. What it prints is read
 * at a pace that leaves the loop to others; a program that prints more waits.
 * Ownership: the caller's. Threads: loop. No event comes inside a call; an event may free it. */
#ifndef TN_WB_LAUNCH_PROCESS_H
#define TN_WB_LAUNCH_PROCESS_H

#include "base/buf.h"
#include "loop/child.h"

struct tn_wb_process;

struct tn_wb_process_options {
	struct tn_loop *loop;
	const char *const *command, *const *env; /* as in loop/child.h; needed only for the start */
	const char *directory;
	size_t line_max; /* bytes; of a longer line the rest is left out */
	/* Without its end; valid during the call. */
	void (*line)(void *data, struct tn_str line, bool is_stderr);
	/* After its last line. */
	void (*ended)(void *data, struct tn_child_end end);
	void *data;
};

/* Fails: SYSTEM (no process; no such directory), NO_MEMORY. A program that is not there ends with
 * 127, and says so on its standard error. */
TN_MUST_USE enum tenon_code tn_wb_process_start(const struct tn_wb_process_options *options,
						struct tn_wb_process **ret,
						struct tenon_error *err);
/* A line to its standard input. False: out of memory, or more than TN_WB_INPUT_BYTES_MAX wait. */
bool tn_wb_process_send(struct tn_wb_process *process, struct tn_str line);
/* From now on no more of a line than so many bytes, and of all that it prints no more in a second:
 * it waits. Not above the `line_max` that it began with. */
void tn_wb_process_bound(struct tn_wb_process *process, size_t line_max, size_t rate_bytes);
/* Whoever is told its lines and its end from now on. Also from inside `line`. */
void tn_wb_process_follow(struct tn_wb_process *process,
			  void (*line)(void *data, struct tn_str line, bool is_stderr),
			  void (*ended)(void *data, struct tn_child_end end), void *data);
/* No line and no end is told until it is let go on; it waits meanwhile. Also from inside `line`. */
void tn_wb_process_hold(struct tn_wb_process *process, bool held);
/* S6: SIGTERM to all of it, SIGKILL after 5 s. `ended` follows. */
void tn_wb_process_stop(struct tn_wb_process *process);
/* At once. Accepts NULL. */
void tn_wb_process_free(struct tn_wb_process *process);

/* "exit status 1", "signal 9 (Killed)". */
void tn_wb_process_put_end(struct tn_buf *out, struct tn_child_end end);

#endif
