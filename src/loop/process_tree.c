#include "loop/process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "loop/limits.h"

enum {
	TEXT_BYTES = 4096,
	STOP_PASSES = 50,
	NAME_BYTES = 64,
	ENVIRON_BYTES_MAX = 4 * 1024 * 1024,
};

static int compare(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static bool find(const pid_t *pids, size_t count, pid_t pid)
{
	return count > 0 && bsearch(&pid, pids, count, sizeof(*pids), compare) != NULL;
}

static void add(struct tn_process_tree *tree, pid_t pid)
{
	if (tree->count >= TN_PROCESS_TREE_MAX || find(tree->spared, tree->spared_count, pid))
		return;
	if (tree->count == tree->capacity) {
		size_t capacity = tree->capacity ? tree->capacity * 2 : 64;
		pid_t *pids = tn_mem_resize(tree->pids, capacity * sizeof(*pids));

		if (!pids)
			return;
		tree->pids = pids;
		tree->capacity = capacity;
	}
	tree->pids[tree->count++] = pid;
}

/* The numbers in a "children" file, which may be longer than one read. */
static bool add_children(struct tn_process_tree *tree, pid_t pid, const char *thread)
{
	char path[NAME_BYTES * 2], text[TEXT_BYTES];
	long number = 0;
	ssize_t got;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/children", (int)pid, thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while ((got = read(fd, text, sizeof(text))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				number = number * 10 + (text[i] - '0');
			} else if (number > 0) {
				add(tree, (pid_t)number);
				number = 0;
			}
		}
	}
	(void)close(fd); /* only read */
	return true;
}

/* False: this kernel has no such files (or the process is gone, which is no harm). */
static bool add_children_of_threads(struct tn_process_tree *tree, pid_t pid)
{
	char path[NAME_BYTES];
	struct dirent *entry;
	bool any = false;
	DIR *threads;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	threads = opendir(path);
	if (!threads)
		return true;
	while ((entry = readdir(threads))) {
		if (entry->d_name[0] != '.')
			any = add_children(tree, pid, entry->d_name) || any;
	}
	(void)closedir(threads); /* only read */
	return any;
}

static bool holds(const struct tn_process_tree *tree, pid_t pid)
{
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->pids[i] == pid)
			return true;
	}
	return pid == tree->top;
}

/* Without those files: everybody's parent is looked at until nothing new is found. */
static void scan(struct tn_process_tree *tree)
{
	size_t before;

	do {
		DIR *all = opendir("/proc");
		struct dirent *entry;

		before = tree->count;
		while (all && (entry = readdir(all))) {
			struct tn_proc_stat process;
			pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

			if (pid > 0 && !holds(tree, pid) && tn_proc_stat_read(pid, &process) &&
			    holds(tree, process.parent))
				add(tree, pid);
		}
		if (all)
			(void)closedir(all); /* only read */
	} while (tree->count > before);
}

void tn_process_tree_list(struct tn_process_tree *tree, pid_t top)
{
	char path[NAME_BYTES];
	bool known;

	tree->count = 0;
	tree->top = top;
	/* Who may not see `top` itself (hidepid) may see its children. */
	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)top);
	known = access(path, R_OK | X_OK) == 0 && add_children_of_threads(tree, top);
	for (size_t i = 0; known && i < tree->count; i++)
		(void)add_children_of_threads(tree, tree->pids[i]); /* gone: nothing below it */
	if (!known)
		scan(tree);
	if (tree->count > 0)
		qsort(tree->pids, tree->count, sizeof(*tree->pids), compare);
}

void tn_process_tree_finish(struct tn_process_tree *tree)
{
	tn_mem_free(tree->pids);
	*tree = (struct tn_process_tree){0};
}

bool tn_process_tree_signal(const struct tn_process_tree *tree, pid_t pid, int number)
{
	struct tn_proc_stat process = {0};
	int fd = (int)syscall(SYS_pidfd_open, pid, 0); /* closes on exec by itself */
	bool is_wanted, sent;

	if (fd < 0 && errno != ENOSYS)
		return false;
	/* Read after the descriptor was opened: if it is not of this process, the signal below
	 * finds nobody, because the process must have ended for its number to be given away. */
	is_wanted = tn_proc_stat_read(pid, &process) && process.state != 'Z' &&
		    (process.parent == tree->top || find(tree->pids, tree->count, process.parent));
	if (number == SIGSTOP && (process.state == 'T' || process.state == 't'))
		is_wanted = false; /* it is as it should be */
	if (fd < 0)
		return is_wanted && kill(pid, number) == 0;
	sent = is_wanted && syscall(SYS_pidfd_send_signal, fd, number, NULL, 0) == 0;
	(void)close(fd); /* a name, no more */
	return sent;
}

static size_t signal_all(const struct tn_process_tree *tree, int number)
{
	size_t sent = 0;

	for (size_t i = 0; i < tree->count; i++)
		sent += tn_process_tree_signal(tree, tree->pids[i], number);
	return sent;
}

size_t tn_process_tree_kill(struct tn_process_tree *tree, pid_t top)
{
	/* A stopped process forks no more: when nobody is left to be stopped, the list is whole. */
	for (int pass = 0; pass < STOP_PASSES; pass++) {
		tn_process_tree_list(tree, top);
		if (signal_all(tree, SIGSTOP) == 0)
			break;
	}
	return signal_all(tree, SIGKILL);
}

/* ---- without a tree ---- */

static bool has_variable(pid_t pid, const char *variable, struct tn_buf *text)
{
	size_t size = strlen(variable);
	char path[NAME_BYTES];
	bool has = false;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false; /* another user's, or gone */
	tn_buf_clear(text);
	if (tn_buf_read_all(text, fd, NULL) == TENON_OK) {
		for (size_t at = 0; at < text->size && !has; at++) {
			size_t length = strnlen(text->data + at, text->size - at);

			has = length == size && memcmp(text->data + at, variable, size) == 0;
			at += length;
		}
	}
	(void)close(fd); /* only read */
	return has;
}

static bool is_above_us(pid_t pid)
{
	struct tn_proc_stat process = {.pid = getpid()};

	while (process.pid != pid && process.pid > 1) {
		pid_t next = process.pid;

		if (!tn_proc_stat_read(next, &process))
			return true; /* better one too few */
		process.pid = process.parent;
	}
	return process.pid == pid;
}

static bool kill_swept(pid_t pid, const char *variable, struct tn_buf *text)
{
	int fd;
	bool sent;

	if (!has_variable(pid, variable, text) || pid == getpid() || is_above_us(pid))
		return false;
	fd = (int)syscall(SYS_pidfd_open, pid, 0); /* closes on exec by itself */
	if (fd < 0)
		return false;
	/* Once more: the descriptor may be of another one than was looked at. */
	sent = has_variable(pid, variable, text) &&
	       syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) == 0;
	(void)close(fd); /* a name, no more */
	return sent;
}

size_t tn_process_tree_sweep(const char *variable)
{
	DIR *all = opendir("/proc");
	struct tn_buf text;
	struct dirent *entry;
	size_t sent = 0;

	tn_buf_init(&text, ENVIRON_BYTES_MAX);
	while (all && (entry = readdir(all))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0)
			sent += kill_swept(pid, variable, &text);
	}
	if (all)
		(void)closedir(all); /* only read */
	tn_buf_finish(&text);
	return sent;
}
