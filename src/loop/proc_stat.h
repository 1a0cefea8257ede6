/* proc_stat.h - what /proc says of a process (Linux), in passing. Threads: any. */
#ifndef TN_LOOP_PROC_STAT_H
#define TN_LOOP_PROC_STAT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct tn_proc_stat {
	pid_t pid, parent, group, session;
	char state;                 /* as /proc shows it: R S D T Z ... */
	unsigned long long started; /* ticks since the machine started */
};

/* False: there is none of that number, or it is hidden from us. */
bool tn_proc_stat_read(pid_t pid, struct tn_proc_stat *ret);
/* Where it stands. False: as above. */
bool tn_proc_directory(pid_t pid, char ret[PATH_MAX]);

#endif
