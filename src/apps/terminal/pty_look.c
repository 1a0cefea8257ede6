/* What the kernel tells of a terminal and its processes, and signals to these. */
#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "apps/terminal/pty_inner.h"
#include "apps/terminal/pty_tree.h"
#include "base/size.h"

enum {
	PATH_BYTES = 96,
	TEXT_BYTES = 512,
	THREADS_MAX = 64,  /* of a process that are asked what they wait for */
	SLAVE_MAJOR = 136, /* /dev/pts/N */
	TTY_MAJOR = 5,     /* /dev/tty is 5, 0 */
};

/* ---- the terminal ---- */

enum tenon_code tn_pty_resize(struct tn_pty *pty, uint16_t columns, uint16_t rows,
			      struct tenon_error *err)
{
	const struct winsize size = {.ws_col = columns, .ws_row = rows};

	if (columns < 1 || columns > TN_PTY_COLUMNS_MAX || rows < 1 || rows > TN_PTY_ROWS_MAX)
		return tn_fail(err, TENON_INVALID, "send 1 to %d columns and 1 to %d rows",
			       TN_PTY_COLUMNS_MAX, TN_PTY_ROWS_MAX);
	if (pty->master < 0)
		return tn_fail(err, TENON_INVALID, "it has no terminal");
	if (ioctl(pty->master, TIOCSWINSZ, &size) != 0)
		return tn_fail_errno(err, errno, "resize the terminal");
	return TENON_OK;
}

bool tn_pty_mode(const struct tn_pty *pty, struct tn_pty_mode *ret)
{
	struct termios mode;

	if (pty->master < 0 || tcgetattr(pty->master, &mode) != 0)
		return false;
	ret->canonical = (mode.c_lflag & ICANON) != 0;
	ret->echo = (mode.c_lflag & ECHO) != 0;
	ret->kill_character = (char)mode.c_cc[VKILL];
	return true;
}

pid_t tn_pty_foreground(const struct tn_pty *pty)
{
	pid_t group = pty->master < 0 ? -1 : tcgetpgrp(pty->master);

	return group > 0 ? group : 0;
}

/* ---- processes ---- */

static bool read_text(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, out, size - 1);
	(void)close(fd); /* only read */
	if (got < 0)
		return false;
	out[got] = '\0';
	return true;
}

/* What is below the keeper; false: there is none any more. */
static bool list(const struct tn_pty *pty, struct tn_pty_tree *tree)
{
	pid_t keeper = atomic_load(&pty->shared->keeper_pid);

	if (!pty->host || pty->is_lost || keeper <= 0)
		return false;
	tn_pty_tree_list(tree, keeper);
	return true;
}

/* Its leader; when that has ended (the first of a pipeline), another one of the group. 0: nobody.
 */
static pid_t find_in_front(const struct tn_pty *pty, pid_t group)
{
	struct tn_pty_tree tree = {0};
	struct tn_pty_process process;
	pid_t chosen = 0;

	if (tn_pty_process_read(group, &process) && process.group == group &&
	    process.state != 'Z' && process.session == tcgetsid(pty->master))
		return group;
	if (!list(pty, &tree))
		return 0;
	for (size_t i = 0; i < tree.count && chosen == 0; i++) {
		if (tn_pty_process_read(tree.pids[i], &process) && process.group == group &&
		    process.state != 'Z')
			chosen = process.pid;
	}
	tn_pty_tree_finish(&tree);
	return chosen;
}

enum { CHAIN_MAX = 4 };

static bool is_bubblewrap(pid_t pid)
{
	char path[PATH_BYTES], name[TEXT_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	return read_text(path, name, sizeof(name)) && strcmp(name, "bwrap\n") == 0;
}

/* The root program; where that is bubblewrap, what it has started: itself once more as the first
 * process inside, and the program. Returns how many they are; the last one is meant. */
static size_t find_chain(const struct tn_pty *pty, const struct tn_pty_tree *tree,
			 pid_t chain[CHAIN_MAX])
{
	size_t count = 1;

	chain[0] = tn_pty_pid(pty);
	while (count < CHAIN_MAX && is_bubblewrap(chain[count - 1])) {
		struct tn_pty_process process;
		pid_t child = 0;

		for (size_t i = 0; i < tree->count && child == 0; i++) {
			if (tn_pty_process_read(tree->pids[i], &process) &&
			    process.parent == chain[count - 1])
				child = process.pid;
		}
		if (child == 0)
			break;
		chain[count++] = child;
	}
	return count;
}

static pid_t find_root(const struct tn_pty *pty)
{
	struct tn_pty_tree tree = {0};
	pid_t chain[CHAIN_MAX], root = tn_pty_pid(pty);

	if (root > 0 && is_bubblewrap(root) && list(pty, &tree)) {
		root = chain[find_chain(pty, &tree, chain) - 1];
		tn_pty_tree_finish(&tree);
	}
	return root;
}

bool tn_pty_root_in_front(const struct tn_pty *pty)
{
	struct tn_pty_process process;
	pid_t group = tn_pty_foreground(pty), root = group ? find_root(pty) : 0;

	return group && (group == root || (root > 0 && tn_pty_process_read(root, &process) &&
					   process.group == group));
}

void tn_pty_foreground_name(const struct tn_pty *pty, char *out, size_t size)
{
	pid_t group = tn_pty_foreground(pty), chosen = group ? find_in_front(pty, group) : 0;
	char path[PATH_BYTES], name[TEXT_BYTES];

	out[0] = '\0';
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)chosen);
	if (chosen == 0 || !read_text(path, name, sizeof(name)))
		return;
	name[strcspn(name, "\n")] = '\0';
	(void)snprintf(out, size, "%s", name);
}

enum tenon_code tn_pty_directory(const struct tn_pty *pty, char *out, size_t size,
				 struct tenon_error *err)
{
	char path[PATH_BYTES];
	pid_t pid = find_root(pty);
	ssize_t got = -1;

	(void)snprintf(path, sizeof(path), "/proc/%d/cwd", (int)pid);
	if (pid > 0)
		got = readlink(path, out, size);
	/* Asked last: while it has not ended, the number was its own all the time. */
	if (got <= 0 || (size_t)got >= size || pty->is_lost || tn_pty_has_exited(pty, NULL))
		return tn_fail(err, TENON_NOT_FOUND, "the program's directory cannot be seen");
	out[got] = '\0';
	return TENON_OK;
}

static bool is_among(const pid_t *pids, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++) {
		if (pids[i] == pid)
			return true;
	}
	return false;
}

unsigned tn_pty_signal(struct tn_pty *pty, int number, enum tn_pty_target target, pid_t *ret_pids,
		       unsigned max)
{
	pid_t chain[CHAIN_MAX], group = tn_pty_foreground(pty);
	struct tn_pty_tree tree = {0};
	struct tn_pty_process process;
	unsigned count = 0;
	size_t length;

	if (!list(pty, &tree))
		return 0;
	length = find_chain(pty, &tree, chain);
	if (target == TN_PTY_ROOT)
		group = tn_pty_process_read(chain[length - 1], &process) ? process.group : 0;
	for (size_t i = 0; i < tree.count; i++) {
		pid_t pid = tree.pids[i];

		if (!tn_pty_process_read(pid, &process))
			continue;
		if (target != TN_PTY_SESSION && (group == 0 || process.group != group))
			continue;
		if (target == TN_PTY_FOREGROUND && is_among(chain, length, pid))
			continue;
		if (tn_pty_tree_signal(&tree, pid, number) && count < max)
			ret_pids[count++] = pid;
	}
	tn_pty_tree_finish(&tree);
	return count;
}

/* ---- waiting for input ---- */

enum call { CALL_NONE, CALL_READ, CALL_POLL };

static const struct {
	long number;
	enum call call;
} calls[] = {
#ifdef SYS_read
	{SYS_read, CALL_READ},
#endif
#ifdef SYS_readv
	{SYS_readv, CALL_READ},
#endif
#ifdef SYS_poll
	{SYS_poll, CALL_POLL},
#endif
#ifdef SYS_ppoll
	{SYS_ppoll, CALL_POLL},
#endif
#ifdef SYS_select
	{SYS_select, CALL_POLL},
#endif
#ifdef SYS_pselect6
	{SYS_pselect6, CALL_POLL},
#endif
#ifdef SYS_epoll_wait
	{SYS_epoll_wait, CALL_POLL},
#endif
#ifdef SYS_epoll_pwait
	{SYS_epoll_pwait, CALL_POLL},
#endif
#ifdef SYS_epoll_pwait2
	{SYS_epoll_pwait2, CALL_POLL},
#endif
};

static enum call classify(long number)
{
	for (size_t i = 0; i < TN_COUNT(calls); i++) {
		if (calls[i].number == number)
			return calls[i].call;
	}
	return CALL_NONE;
}

/* Whether that descriptor of the process is this terminal, under whatever name. */
static bool is_terminal(pid_t pid, unsigned long fd, dev_t slave)
{
	char path[PATH_BYTES];
	struct stat info;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%lu", (int)pid, fd);
	return stat(path, &info) == 0 && S_ISCHR(info.st_mode) &&
	       (info.st_rdev == slave || info.st_rdev == makedev(TTY_MAJOR, 0));
}

static enum tn_pty_waiting look_at_thread(pid_t pid, const char *thread, dev_t slave,
					  bool canonical)
{
	char path[PATH_BYTES], text[TEXT_BYTES];
	unsigned long first;
	long number;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/syscall", (int)pid, thread);
	if (!read_text(path, text, sizeof(text)) || sscanf(text, "%ld %lx", &number, &first) != 2)
		return TN_PTY_NOT_WAITING; /* it runs, or we may not know */
	switch (classify(number)) {
	case CALL_READ:
		return is_terminal(pid, first, slave) ? TN_PTY_WAITS : TN_PTY_NOT_WAITING;
	case CALL_POLL:
		return canonical ? TN_PTY_NOT_WAITING : TN_PTY_WAITS_LIKELY;
	case CALL_NONE:
		break;
	}
	return TN_PTY_NOT_WAITING;
}

static enum tn_pty_waiting look_at_process(pid_t pid, dev_t slave, bool canonical)
{
	enum tn_pty_waiting most = TN_PTY_NOT_WAITING;
	char path[PATH_BYTES];
	struct dirent *entry;
	DIR *threads;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	threads = opendir(path);
	for (int i = 0; threads && i < THREADS_MAX && (entry = readdir(threads)); i++) {
		enum tn_pty_waiting waiting = TN_PTY_NOT_WAITING;

		if (entry->d_name[0] != '.')
			waiting = look_at_thread(pid, entry->d_name, slave, canonical);
		if (waiting > most)
			most = waiting;
	}
	if (threads)
		(void)closedir(threads); /* only read */
	return most;
}

enum tn_pty_waiting tn_pty_waiting(const struct tn_pty *pty)
{
	enum tn_pty_waiting most = TN_PTY_NOT_WAITING;
	struct tn_pty_tree tree = {0};
	struct tn_pty_process process;
	struct tn_pty_mode mode;
	pid_t group = tn_pty_foreground(pty);
	unsigned number = 0;

	if (!tn_pty_mode(pty, &mode) || tn_pty_has_exited(pty, NULL))
		return TN_PTY_NOT_WAITING;
	if (mode.canonical && !mode.echo)
		return TN_PTY_WAITS_HIDDEN;
	if (group == 0 || ioctl(pty->master, TIOCGPTN, &number) != 0 || !list(pty, &tree))
		return TN_PTY_NOT_WAITING;
	for (size_t i = 0; i < tree.count && most != TN_PTY_WAITS; i++) {
		enum tn_pty_waiting waiting;

		if (!tn_pty_process_read(tree.pids[i], &process) || process.group != group ||
		    process.state == 'T' || process.state == 'Z')
			continue;
		waiting =
			look_at_process(process.pid, makedev(SLAVE_MAJOR, number), mode.canonical);
		if (waiting > most)
			most = waiting;
	}
	tn_pty_tree_finish(&tree);
	return most;
}
