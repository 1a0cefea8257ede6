/* process_tree.h - the processes below another one, and signals to exactly these (Linux).
 *
 * A number of a process may be used again: a signal goes out through a descriptor of the process
 * (pidfd), after /proc has said of that very process that its parent is one of the tree. A list is
 * what was seen in passing; what is born or moves meanwhile is seen the next time. Threads: any. */
#ifndef TN_LOOP_PROCESS_TREE_H
#define TN_LOOP_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "loop/proc_stat.h"

/* All zero is an empty one. */
struct tn_process_tree {
	pid_t top;
	pid_t *pids; /* without `top`, sorted */
	size_t count, capacity;
	const pid_t *spared; /* sorted: left out with all that is below them; the caller's */
	size_t spared_count;
};

/* Lists everything below `top`, at most TN_PROCESS_TREE_MAX; what memory refuses is left out. */
void tn_process_tree_list(struct tn_process_tree *tree, pid_t top);
void tn_process_tree_finish(struct tn_process_tree *tree);

/* Sends to one of the list, if it still stands below the tree's top. SIGSTOP only to who has not
 * stopped. */
bool tn_process_tree_signal(const struct tn_process_tree *tree, pid_t pid, int number);

/* Lists and kills: stops all of them first, so that what forks faster than it is killed ends as
 * well. Who is told here is gone when the parent has waited for it. Returns how many they were. */
size_t tn_process_tree_kill(struct tn_process_tree *tree, pid_t top);

/* Kills every process of our user that has this in its environment, "NAME=value": what nobody was
 * left to look after. Not ourselves, nor what we descend from. Returns how many were told. */
size_t tn_process_tree_sweep(const char *variable);

#endif
