/* run_process.h - one process of the engine, and all that it prints.
 *
 * With `folder` it outlives us and writes to files there, which are read while they grow and are
 * gone when it has ended; otherwise it writes to pipes and is killed when we end. Ownership: the
 * caller's. Threads: loop. No callback comes inside a call. */
#ifndef TN_STUDIO_RUN_PROCESS_H
#define TN_STUDIO_RUN_PROCESS_H

#include "base/buf.h"
#include "loop/child.h"

struct tn_studio_process;

struct tn_studio_process_options {
	struct tn_loop *loop;
	const char *const *argv, *const *env; /* NULL-terminated; needed only while it starts */
	const char *directory;
	const char *program; /* what is started; NULL: argv[0] */
	const int *kept;     /* descriptors it is given, as in loop/child.h */
	size_t kept_count;
	const char *folder; /* NULL: pipes */
	void (*output)(struct tn_str bytes, bool is_stderr, void *data);
	/* After the last output. It may free the process. */
	void (*ended)(struct tn_child_end end, void *data);
	void *data;
};
/* Fails: SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_process_start(const struct tn_studio_process_options *options,
						    struct tn_studio_process **ret,
						    struct tenon_error *err);
void tn_studio_process_signal(struct tn_studio_process *process, int number);
int tn_studio_process_pid(const struct tn_studio_process *process);
/* Kills it if it runs. Accepts NULL. */
void tn_studio_process_free(struct tn_studio_process *process);

/* For our own end: waits until it has ended, at most so long, with its output delivered as ever;
 * blocks. True: it has ended (`ended` was called). */
bool tn_studio_process_wait(struct tn_studio_process *process, uint64_t at_most_ms);
/* Lets one with a folder go on without us. */
void tn_studio_process_leave(struct tn_studio_process *process);

/* ---- one whose output is wanted whole ---- */

struct tn_studio_capture;
struct tn_studio_capture_options {
	struct tn_loop *loop;
	const char *const *argv, *const *env;
	const char *directory, *program; /* as above */
	const int *kept;
	size_t kept_count;
	size_t bytes_max;
	uint64_t timeout_ms; /* 0: none */
	/* Once. `code` is OK when it ended by itself and everything fitted; `exit_code` is 128 and
	 * the signal's number when a signal ended it. It may free the capture. */
	void (*done)(enum tenon_code code, int exit_code, struct tn_str out, void *data);
	void *data;
};
TN_MUST_USE enum tenon_code tn_studio_capture_start(const struct tn_studio_capture_options *options,
						    struct tn_studio_capture **ret,
						    struct tenon_error *err);
/* What it has said, to be taken away when it is done. */
struct tn_buf *tn_studio_capture_out(struct tn_studio_capture *capture);
void tn_studio_capture_free(struct tn_studio_capture *capture); /* accepts NULL */

#endif
