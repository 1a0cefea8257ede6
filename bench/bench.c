/* bench.c - clocks, processors, children, percentiles (see bench.h). */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void bench_die(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	(void)vfprintf(stderr, format, values);
	va_end(values);
	(void)fputc('\n', stderr);
	exit(1);
}

uint64_t bench_now_ns(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

void *bench_memory(size_t size_bytes)
{
	void *memory = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		bench_die("no memory");
	return memory;
}

void bench_pin(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	for (size_t i = 0; i < CPU_SETSIZE; i++) {
		if (cpu < 0 || i == (size_t)cpu)
			CPU_SET(i, &set);
	}
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		bench_die("there is no processor %d", cpu);
}

void bench_start(char *const *argv, int cpu, int own_cpu, struct bench_child *ret_child)
{
	int to[2], from[2];
	posix_spawn_file_actions_t actions;
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		bench_die("no pipe");
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, to[0], 0);
	(void)posix_spawn_file_actions_adddup2(&actions, from[1], 1);
	bench_pin(cpu); /* inherited */
	extern char **environ;
	const int failed = posix_spawnp(&ret_child->pid, argv[0], &actions, NULL, argv, environ);
	if (failed)
		bench_die("cannot start %s: %s", argv[0], strerror(failed));
	if (own_cpu != cpu)
		bench_pin(own_cpu);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(to[0]);
	(void)close(from[1]);
	ret_child->in = to[1];
	ret_child->out = from[0];
}

double bench_finish(struct bench_child *child)
{
	struct rusage usage;
	int status;
	(void)close(child->in);
	if (wait4(child->pid, &status, 0, &usage) != child->pid)
		bench_die("lost the child");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		bench_die("the program under test ended with status %d", status);
	(void)close(child->out);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

void bench_write(int fd, const char *data, size_t size)
{
	while (size > 0) {
		const ssize_t done = write(fd, data, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			bench_die("cannot write: %s", strerror(errno));
		data += done;
		size -= (size_t)done;
	}
}

static long field(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

void bench_memory_of(pid_t pid, long *ret_rss_kib, long *ret_pss_kib)
{
	char path[64], text[4096];
	(void)snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		bench_die("cannot read %s", path);
	(void)close(fd);
	text[size] = '\0';
	*ret_rss_kib = field(text, "\nRss:");
	*ret_pss_kib = field(text, "\nPss:");
}

static int compare(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

uint64_t bench_percentile(uint64_t *values, size_t count, double part)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), compare);
	return values[(size_t)((double)(count - 1) * part)];
}

const char *bench_option(int argc, char **argv, const char *name, const char *fallback)
{
	for (int i = 1; i + 1 < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], name) == 0)
			return argv[i + 1];
	}
	return fallback;
}

long bench_option_number(int argc, char **argv, const char *name, long fallback)
{
	const char *text = bench_option(argc, argv, name, NULL);
	return text ? strtol(text, NULL, 10) : fallback;
}

char **bench_command(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return argv + i + 1;
	}
	bench_die("name the command to run behind --");
}
