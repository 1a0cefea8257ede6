/* child.h - a child process with pipes to its three streams, and its orderly end.
 *
 * No shell: `command` is the argv, looked up in the PATH of the child's environment. The child is
 * the leader of a process group of its own, and its end is the end of the whole group: what it has
 * started and left behind is killed with it. It is never left a zombie. Its standard input is a
 * socket (writing to one that has gone raises no SIGPIPE), the other two are pipes of
 * TN_PIPE_BYTES. Our ends are non-blocking and close on exec.
 *
 * The kernel kills the child when the thread that started it ends, however we end. Limits of that:
 * it is the thread and not the process, so children are started by a thread that lives as long;
 * it reaches the child alone, not what the child has started (their streams end, which is how they
 * learn it); and a child that changes its user id is beyond it. A child that `outlives_us` is
 * spared: what it is doing is worse half done than unattended. A child that is `guarded` has
 * nobody below it who could outlive us: see guard.h.
 *
 * Ownership: the caller frees what it opened. Threads: loop. No event comes inside a call. */
#ifndef TN_LOOP_CHILD_H
#define TN_LOOP_CHILD_H

#include "base/error.h"
#include "loop/loop.h"

struct tn_child;

struct tn_child_end {
	bool by_signal;
	int number; /* exit status, or the signal */
};

struct tn_child_options {
	const char *const *command; /* argv, NULL-terminated */
	const char *program;        /* what is started; NULL: command[0], looked up in PATH */
	const char *const *env;     /* all of it: "NAME=value", NULL-terminated */
	const char *directory;      /* NULL: ours */
	bool shares_stderr;         /* it writes to our standard error; no pipe for it */
	bool new_session;           /* it has no terminal, even if we have one */
	bool no_input;              /* its standard input is empty; no descriptor for it */
	/* It is run by a guard (guard.h), which is this program under another word: what cannot be
	 * started says so on its standard error, and ends with 127 or 126. Signals go to the guard.
	 */
	bool guarded;
	/* Our end is not its end. It writes to these two files (open for writing; they stay the
	 * caller's), because a pipe that nobody reads would end it all the same. 0: pipes. */
	bool outlives_us;
	int stdout_file, stderr_file;
	/* Descriptors of ours that it has, too, under the same numbers (above 2). */
	const int *kept;
	size_t kept_count;
	/* It has ended, and so has its group. Once; also after tn_child_stop. */
	void (*exited)(struct tn_child *child, struct tn_child_end end, void *data);
	void *data;
};

/* Fails: SYSTEM (no such program or directory, no process), INVALID (no command), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_child_open(struct tn_loop *loop,
					  const struct tn_child_options *options,
					  struct tn_child **ret, struct tenon_error *err);

enum tn_child_stream { TN_CHILD_STDIN, TN_CHILD_STDOUT, TN_CHILD_STDERR };
/* Our end; the child keeps owning it. -1: closed, shared, or none. */
int tn_child_fd(const struct tn_child *child, enum tn_child_stream stream);

int tn_child_pid(const struct tn_child *child); /* also the number of its group */
/* To the whole group, or to its guard; nothing once it has ended. */
void tn_child_signal(struct tn_child *child, int number);

/* MCP-087: closes its standard input, after TN_CHILD_GRACE_MS sends SIGTERM to the group, after as
 * long again SIGKILL. What it still writes is read and dropped, so that it can come to its end.
 * Nobody else watches the descriptors any more. `exited` comes when it is over. */
void tn_child_stop(struct tn_child *child);

/* At once: kills the group when it still runs, of a guarded one all that is below its guard. No
 * event comes any more. Accepts NULL. */
void tn_child_free(struct tn_child *child);
/* The same, but it goes on: for one that outlives us, when we end before it. */
void tn_child_leave(struct tn_child *child);

#endif
