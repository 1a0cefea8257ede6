/* bench.h - what the load generators share: clocks, processors, children, percentiles.
 *
 * Threads: one. A bench that cannot go on says why on standard error and exits with 1: its figures
 * would be worthless. */
#ifndef TENON_BENCH_H
#define TENON_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

uint64_t bench_now_ns(void);

/* Zeroed memory that is never given back. */
void *bench_memory(size_t size_bytes);

/* Keeps this process on one processor; -1: wherever the kernel likes. */
void bench_pin(int cpu);

struct bench_child {
	pid_t pid;
	int in;  /* its standard input, for us to write */
	int out; /* its standard output, for us to read */
};

/* Starts argv on `cpu`; this process goes back to `own_cpu`. */
void bench_start(char *const *argv, int cpu, int own_cpu, struct bench_child *ret_child);
/* Closes its input and waits for its end. Returns the processor time it took, in microseconds. */
double bench_finish(struct bench_child *child);

void bench_write(int fd, const char *data, size_t size);

/* Resident and proportional memory in KiB, from smaps_rollup. */
void bench_memory_of(pid_t pid, long *ret_rss_kib, long *ret_pss_kib);

/* Sorts in place. `part` is 0 to 1. */
uint64_t bench_percentile(uint64_t *values, size_t count, double part);

/* The value of option `name` among argv[1..argc-1], up to "--"; `fallback` when it is not there. */
const char *bench_option(int argc, char **argv, const char *name, const char *fallback);
long bench_option_number(int argc, char **argv, const char *name, long fallback);
/* What stands behind "--", NULL-terminated as argv is; dies when there is nothing. */
char **bench_command(int argc, char **argv);

#endif
