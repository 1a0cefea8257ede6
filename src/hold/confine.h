/* confine.h - a program that may read most and write little: Landlock, a system call filter, and a
 * watcher for what neither of them can tell apart (docs/terminal-safety.md, terminal.md section
 * 10).
 *
 * tenond --confine OPTION... -- PROGRAM ARGUMENT...
 *
 * confine.c is the road: rules (confine_rules.c), fork, filter (confine_filter.c), exec; the parent
 * stays as the watcher (confine_watch.c; hold.c for the inputs of a run). It answers the calls that
 * name an object by something that a filter cannot read: sockets by path, and what Landlock leaves
 * to everybody (chmod, chown, times; priorities, processors and limits of processes). The watcher
 * is confined as well, one level above the program, which cannot reach it.
 *
 * Ownership: no memory outlives the process. Threads: one. */
#ifndef TN_HOLD_CONFINE_H
#define TN_HOLD_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "hold/limits.h"

enum {
	TN_CONFINE_ABI_REFER = 2, /* what each ABI of Landlock brought that we use */
	TN_CONFINE_ABI_TRUNCATE = 3,
	TN_CONFINE_ABI_NETWORK = 4,
	TN_CONFINE_ABI_DEVICE = 5,
	TN_CONFINE_ABI_SCOPE = 6,
};
enum { TN_CONFINE_IOPRIO_PROCESS = 1, TN_CONFINE_IOPRIO_GROUP = 2 }; /* ioprio_set(2) */

/* The kernel's Landlock ABI; 0: there is none. `most` masks it, for tests; -1: as it is. */
int tn_confine_abi(int most);

struct tn_confine_paths {
	const char *list[TN_CONFINE_PATHS_MAX]; /* absolute; resolved by tn_confine_rules */
	size_t count;
};

struct tn_confine {
	struct tn_confine_paths write, hide, read; /* read: although it lies in what is hidden */
	const char *temp;                          /* its own folder for what is temporary */
	const char *cache;                         /* ~/.cache; NULL: there is none */
	bool network;
	bool holds;      /* what it opens and starts is watched (hold.h) */
	bool only_holds; /* and otherwise it is not confined */
	int abi;
};

/* Is the object at this real path one that it may change? */
bool tn_confine_may_write(const struct tn_confine *confine, const char *real);

/* ---- confine_rules.c ---- */

/* Resolves the paths and makes two rulesets, for the watcher and for the program. False: errno. */
bool tn_confine_rules(struct tn_confine *confine, int *ret_watcher, int *ret_program);
/* Without a way back; needs no_new_privs. False: errno. */
bool tn_confine_restrict(int ruleset);

/* ---- confine_filter.c ---- */

/* Installs the filter on this process; the descriptor on which the watcher hears, or -1: errno. */
int tn_confine_filter(const struct tn_confine *confine);

/* ---- confine_watch.c ---- */

struct tn_hold;
struct tn_confine_watch {
	const struct tn_confine *confine;
	struct tn_hold *hold; /* NULL: nothing is held */
	int listener;
	pid_t helpers[TN_CONFINE_HELPERS_MAX]; /* processes of ours that wait for a connection; 0:
						  free */
};
/* One call that waits for an answer. */
void tn_confine_watch_answer(struct tn_confine_watch *watch);
/* A child of ours is no more. */
void tn_confine_watch_reaped(struct tn_confine_watch *watch, pid_t pid);

/* ---- confine_temp.c ---- */

enum { TN_CONFINE_TEMP_SIZE = 64 };
/* A new folder, and what says that it is in use until it is closed. False: errno. */
bool tn_confine_temp_make(char path[TN_CONFINE_TEMP_SIZE], int *ret_lock);
void tn_confine_temp_remove(const char *path);
/* Those of sessions of this user whose watcher is no more. May take long: not for the loop. */
void tn_confine_temp_sweep(void);

/* ---- confine.c ---- */

/* tenond --confine: what the words behind it say; returns only the exit code of what went wrong, or
 * of the program. */
int tn_confine_main(int argc, char **argv);

#endif
