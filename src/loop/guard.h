/* guard.h - a program that leaves nothing behind: tenond --guard PROGRAM ARGUMENT...
 *
 * The guard stands between us and the program, and everything that the program starts is below it,
 * whatever group or session that makes for itself. When the program ends, what it has left is
 * killed. When we end, however that is, or say SIGTERM, all of it is told SIGTERM, and killed after
 * TN_GUARD_GRACE_MS; SIGQUIT kills at once. The guard ends last, as the program did: by its exit
 * code, or by the same signal. 127: there is no such program; 126: it cannot be started.
 *
 * Ownership: no memory outlives the process. Threads: one. */
#ifndef TN_LOOP_GUARD_H
#define TN_LOOP_GUARD_H

#define TN_GUARD_WORD "--guard"

/* argv[0] is the word itself. Returns only the exit code of what went wrong. */
int tn_guard_main(int argc, char **argv);

#endif
