/* pty.h - programs on pseudo-terminals, kept by a process of its own: the daemon's half.
 *
 * The host (tenond --pty-host) and its keepers are described in docs/terminal.md. What a program
 * writes waits in a ring until it is consumed here; when the ring is full the program is stopped by
 * the kernel and nothing is lost. A PTY outlives its program until it is closed, and outlives this
 * process by the host's grace.
 *
 * Ownership: tn_pty_close takes a PTY, tn_pty_host_close the host; before the loop goes. Both may
 * be called from an event. Threads: loop. No event comes inside a call. */
#ifndef TN_TERM_PTY_H
#define TN_TERM_PTY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "apps/terminal/pty/pty_wire.h"
#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct tn_pty_host;
struct tn_pty;

struct tn_pty_events {
	/* Bytes stand in the ring of this stream: peek and consume. Comes again while they do, and
	 * once more when the stream has ended. Every session has its turn before one has two. */
	void (*readable)(struct tn_pty *pty, int stream, void *data);
	/* The root program has ended (wait status), or could not be started. All that it wrote
	 * stands before tn_pty_head, or was consumed; the streams have ended when tn_pty_ended says
	 * so: when nothing that it left behind has them open any more, or after tn_pty_end. */
	void (*exited)(struct tn_pty *pty, void *data);
	/* The host or the keeper is gone, and with it every process of the session. */
	void (*lost)(struct tn_pty *pty, void *data);
	/* After tn_pty_end: no process of the session is left. `killed`: those that needed a
	 * signal.
	 */
	void (*closed)(struct tn_pty *pty, const pid_t *killed, unsigned count, void *data);
};

struct tn_pty_host_options {
	const char *program; /* of the host: tenond; NULL: /proc/self/exe */
	const char
		*socket_path; /* where the next daemon finds it; NULL: nowhere, it ends with us */
	uint32_t grace_ms;    /* how long it waits for the next daemon; 0: not at all */
	const struct tn_pty_events *events;
	/* A session that an earlier daemon left; returns the `data` of its events, or NULL: it is
	 * ended. Called from tn_pty_host_open. */
	void *(*found)(struct tn_pty *pty, const char *key, void *data);
	/* The host process has started or was found; nothing below it is a person. May be NULL. */
	void (*started)(pid_t pid, void *data);
	void *data;
};

/* Attaches to a host that still runs; otherwise one is started with the first session. Fails: BUSY
 * (another daemon has it), DENIED (another user's is at that path), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_pty_host_open(struct tn_loop *loop,
					     const struct tn_pty_host_options *options,
					     struct tn_pty_host **ret, struct tenon_error *err);
/* Ends every session (HUP, TERM, KILL, within TN_PTY_SHUTDOWN_MS) and the host, and waits for it;
 * `keep`: leaves them to the next daemon. PTYs that are still open then only wait for their
 * tn_pty_close, which touches no process any more. Accepts NULL. */
void tn_pty_host_close(struct tn_pty_host *host, bool keep);

struct tn_pty_limits { /* setrlimit; 0: as ours */
	uint64_t processes, files, file_bytes, memory_bytes, cpu_s;
};

struct tn_pty_spawn {
	const char *key;
	const char *const *argv; /* NULL-terminated, argv[0] looked up in the PATH of `env` */
	const char *const *env;  /* "NAME=value", NULL-terminated; all there is */
	const char *cwd;         /* absolute */
	int directory_fd;        /* that directory itself (O_PATH), used instead; 0 or -1: none */
	int held_fd;             /* it finds this as TN_HOLD_FD (hold.h); 0 or -1: none */
	uint16_t columns, rows;
	bool pipes;   /* no terminal: standard output and error are pipes */
	int stdin_fd; /* its standard input instead of the terminal; -1: none. Stays the caller's */
	struct tn_pty_limits limits; /* RLIMIT_CORE is always 0 */
	mode_t umask; /* 0: 022; the daemon's own would hide the user's files from others */
	void *data;   /* of its events */
};

/* Fails: INVALID, LIMIT (no descriptors, no PTYs), SYSTEM, NO_MEMORY. A program that cannot be
 * started is told by `exited` and tn_pty_failure. */
TN_MUST_USE enum tenon_code tn_pty_spawn(struct tn_pty_host *host, const struct tn_pty_spawn *spawn,
					 struct tn_pty **ret, struct tenon_error *err);
/* Kills what is left of it, at once, without waiting, and forgets it. Accepts NULL. */
void tn_pty_close(struct tn_pty *pty);

/* SIGHUP to all that it has started, SIGTERM after a third of the time, SIGKILL at its end;
 * `force`: SIGKILL at once. Then `closed` comes, once, and the PTY stays readable. */
void tn_pty_end(struct tn_pty *pty, bool force, uint32_t grace_ms);

const char *tn_pty_key(const struct tn_pty *pty);
/* Kills, at once, what a session of that name has left behind when there is nobody to tell: its
 * keeper and its host are gone. Known by TENON_SESSION_ID in the environment. How many were. */
size_t tn_pty_sweep(const char *key);
pid_t tn_pty_pid(const struct tn_pty *pty); /* the root program's; 0: not started yet */
bool tn_pty_has_exited(const struct tn_pty *pty, int *ret_status);
/* Why it could not be started, as a sentence, or NULL; *ret_directory: because of its directory. */
const char *tn_pty_failure(const struct tn_pty *pty, bool *ret_directory);

/* ---- bytes from it ---- */

uint64_t tn_pty_head(const struct tn_pty *pty, int stream); /* produced so far */
uint64_t tn_pty_tail(const struct tn_pty *pty, int stream); /* consumed so far */
bool tn_pty_ended(const struct tn_pty *pty, int stream);    /* and nothing is left in the ring */
/* What stands in the ring in one piece, at most `max`; lives until it is consumed. */
struct tn_str tn_pty_peek(const struct tn_pty *pty, int stream, size_t max);
void tn_pty_consume(struct tn_pty *pty, int stream, size_t size);
/* No `readable` until it is turned on again (the spool's disk is full). */
void tn_pty_pause(struct tn_pty *pty, bool pause);

/* ---- bytes to it ---- */

/* Queued; written as the program reads. Fails: LIMIT (TN_PTY_INPUT_MAX; nothing was queued),
 * EXPIRED (it has ended), INVALID (it has no terminal). */
TN_MUST_USE enum tenon_code tn_pty_write(struct tn_pty *pty, struct tn_str bytes,
					 struct tenon_error *err);
/* Forgets what is queued and what the program has not read yet. */
void tn_pty_discard_input(struct tn_pty *pty);

/* ---- the terminal ---- */

enum { TN_PTY_COLUMNS_MAX = 500, TN_PTY_ROWS_MAX = 200 };
TN_MUST_USE enum tenon_code tn_pty_resize(struct tn_pty *pty, uint16_t columns, uint16_t rows,
					  struct tenon_error *err); /* SIGWINCH goes out */

struct tn_pty_mode {
	bool canonical; /* ICANON: the kernel edits lines */
	bool echo;
	char kill_character; /* VKILL; 0: none */
};
bool tn_pty_mode(const struct tn_pty *pty, struct tn_pty_mode *ret); /* false: no terminal */

/* The foreground process group; 0: unknown. */
pid_t tn_pty_foreground(const struct tn_pty *pty);
/* The root program has the terminal; in a sandbox that is what bubblewrap has started, which leads
 * a group of its own when it is a shell. */
bool tn_pty_root_in_front(const struct tn_pty *pty);
/* The name of what leads it ("vim"); empty: unknown. */
void tn_pty_foreground_name(const struct tn_pty *pty, char *out, size_t size);
/* The name of what does the work there: what the leader waits for, as long as that is in its group
 * (a shell's start files run without job control); empty: unknown. */
void tn_pty_working_name(const struct tn_pty *pty, char *out, size_t size);
/* The root program's directory, from /proc. Fails: NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_pty_directory(const struct tn_pty *pty, char *out, size_t size,
					     struct tenon_error *err);

/* The file that the root program runs now; another one than it was started with once it has put
 * another program in its place (exec). Fails: NOT_FOUND. */
TN_MUST_USE enum tenon_code tn_pty_root_file(const struct tn_pty *pty, char *out, size_t size,
					     struct tenon_error *err);
/* What it is now, as a number: its file and its arguments; 0: not known. */
uint64_t tn_pty_root_digest(const struct tn_pty *pty);
/* Whether it has a file open whose path ends so; a NULL-terminated list. */
bool tn_pty_root_has_open(const struct tn_pty *pty, const char *const *endings);
/* Whether that text stands in what the root program was told when it began: its arguments and its
 * environment. */
bool tn_pty_root_was_told(const struct tn_pty *pty, const char *text);
/* That directory itself (O_PATH), whatever its name leads to; -1: it cannot be had.
 * `in_front`: of what leads the foreground group. */
int tn_pty_directory_fd(const struct tn_pty *pty, bool in_front);

/* Does a program of the foreground group wait for the terminal (terminal.md section 3)? */
enum tn_pty_waiting { TN_PTY_NOT_WAITING, TN_PTY_WAITS_LIKELY, TN_PTY_WAITS, TN_PTY_WAITS_HIDDEN };
enum tn_pty_waiting tn_pty_waiting(const struct tn_pty *pty);
/* What is in front reads the terminal now, and has read all that was typed, as far as the kernel
 * tells. Of a line that has no end yet the kernel tells nothing. */
bool tn_pty_is_read(const struct tn_pty *pty);

/* ---- signals ---- */

enum tn_pty_target {
	TN_PTY_FOREGROUND, /* the foreground group, never the root program itself, nor its sandbox
			    */
	TN_PTY_SESSION,    /* every process of the session */
	TN_PTY_ROOT        /* the root program's group */
};
/* Sends it and tells to whom, at most `max`; 0: nobody was there. */
unsigned tn_pty_signal(struct tn_pty *pty, int number, enum tn_pty_target target, pid_t *ret_pids,
		       unsigned max);

/* tenond --pty-host: what the host is; returns the exit code. */
int tn_pty_host_main(int argc, char **argv);

#endif
