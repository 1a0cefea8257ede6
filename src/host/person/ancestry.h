/* ancestry.h - which processes a process descends from, as /proc tells it (Linux).
 *
 * A process is known by its number and the moment it started: numbers are used again. What could
 * not be read, or changed while it was read, is a failure, never a shorter list. Threads: any. */
#ifndef TN_HOST_ANCESTRY_H
#define TN_HOST_ANCESTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "host/limits.h"

struct tn_process {
	pid_t pid, parent, session;
	uint64_t started; /* clock ticks since the system started */
	bool terminal;    /* it has a controlling terminal */
	char name[32];    /* as the kernel shows it; whoever runs may choose it */
};

struct tn_ancestry {
	struct tn_process chain[TN_ANCESTORS_MAX]; /* itself, its parent, and so on */
	size_t count;
};

/* Fails: NOT_FOUND (no such process, or it may not be seen), INVALID (not what /proc says). */
TN_MUST_USE enum tenon_code tn_process_read(pid_t pid, struct tn_process *ret,
					    struct tenon_error *err);
/* Fails: as above, and BUSY (it kept changing), LIMIT. */
TN_MUST_USE enum tenon_code tn_ancestry_read(pid_t pid, struct tn_ancestry *ret,
					     struct tenon_error *err);

static inline bool tn_process_equal(const struct tn_process *a, const struct tn_process *b)
{
	return a->pid == b->pid && a->started == b->started;
}

bool tn_ancestry_has(const struct tn_ancestry *ancestry, const struct tn_process *process);

/* What started it has ended: whoever leads its session is not above it. A process that began a
 * session of its own is not seen by this, nor one whose leader is in another namespace. */
bool tn_ancestry_is_cut(const struct tn_ancestry *ancestry);

/* The process that stands for what started `child`: its parent, or what is above the shells and
 * wrappers (`sh -c`, `env`) between them; of a program of many processes (an editor) the one
 * above all its parts. False: nobody in particular - the first process, a
 * service manager, or a person's own interactive shell further up. */
bool tn_process_find_host(pid_t parent, struct tn_process *ret);

/* Of a part of a program that consists of many: the one above all its parts. False: it is none. */
bool tn_process_find_whole(pid_t pid, struct tn_process *ret);

/* The program that runs this one as a command of its own, by a shell or without. False: nobody in
 * particular - a service manager, a shell that leads a session (a person's), a window. */
bool tn_process_find_starter(const struct tn_process *process, struct tn_process *ret);

/* It sits at a terminal whose session began below `above`: what started the terminal is not what
 * types there. */
bool tn_ancestry_sits_below(const struct tn_ancestry *ancestry, const struct tn_process *above);

#endif
