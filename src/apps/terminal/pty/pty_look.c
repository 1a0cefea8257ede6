/* What the kernel tells of a terminal and its processes, and signals to these. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

#include "apps/terminal/pty/internal.h"
#include "loop/process_tree.h"
#include "base/size.h"

enum {
	PATH_BYTES = 96,
	TEXT_BYTES = 512,
	CHUNK_BYTES = 4096,
	DEPTH_MAX = 16,    /* of programs that wait for each other */
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
static bool list(const struct tn_pty *pty, struct tn_process_tree *tree)
{
	pid_t keeper = atomic_load(&pty->shared->keeper_pid);

	if (!pty->host || pty->is_lost || keeper <= 0)
		return false;
	tn_process_tree_list(tree, keeper);
	return true;
}

/* Its leader; when that has ended (the first of a pipeline), another one of the group. 0: nobody.
 */
static pid_t find_in_front(const struct tn_pty *pty, pid_t group)
{
	struct tn_process_tree tree = {0};
	struct tn_proc_stat process;
	pid_t chosen = 0;

	if (tn_proc_stat_read(group, &process) && process.group == group && process.state != 'Z' &&
	    process.session == tcgetsid(pty->master))
		return group;
	if (!list(pty, &tree))
		return 0;
	for (size_t i = 0; i < tree.count && chosen == 0; i++) {
		if (tn_proc_stat_read(tree.pids[i], &process) && process.group == group &&
		    process.state != 'Z')
			chosen = process.pid;
	}
	tn_process_tree_finish(&tree);
	return chosen;
}

enum { CHAIN_MAX = 4 };

static bool is_sandbox(pid_t pid)
{
	char path[PATH_BYTES], name[TEXT_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	return read_text(path, name, sizeof(name)) &&
	       (strcmp(name, "bwrap\n") == 0 || strcmp(name, "tenon-confine\n") == 0);
}

/* The root program; where that is a sandbox, what it has started: itself once more as the first
 * process inside (bubblewrap), and the program. Returns how many they are; the last one is meant.
 */
static size_t find_chain(const struct tn_pty *pty, const struct tn_process_tree *tree,
			 pid_t chain[CHAIN_MAX])
{
	size_t count = 1;

	chain[0] = tn_pty_pid(pty);
	while (count < CHAIN_MAX && is_sandbox(chain[count - 1])) {
		struct tn_proc_stat process, first = {0};

		/* Numbers begin again when they are used up; the first child is the oldest one. */
		for (size_t i = 0; i < tree->count; i++) {
			if (tn_proc_stat_read(tree->pids[i], &process) &&
			    process.parent == chain[count - 1] &&
			    (first.pid == 0 || process.started < first.started))
				first = process;
		}
		if (first.pid == 0)
			break;
		chain[count++] = first.pid;
	}
	return count;
}

static pid_t find_root(const struct tn_pty *pty)
{
	struct tn_process_tree tree = {0};
	pid_t chain[CHAIN_MAX], root = tn_pty_pid(pty);

	if (root > 0 && is_sandbox(root) && list(pty, &tree)) {
		root = chain[find_chain(pty, &tree, chain) - 1];
		tn_process_tree_finish(&tree);
	}
	return root;
}

bool tn_pty_root_in_front(const struct tn_pty *pty)
{
	struct tn_proc_stat process;
	pid_t group = tn_pty_foreground(pty), root = group ? find_root(pty) : 0;

	return group && (group == root ||
			 (root > 0 && tn_proc_stat_read(root, &process) && process.group == group));
}

static void read_name(pid_t pid, char *out, size_t size)
{
	char path[PATH_BYTES], name[TEXT_BYTES];

	out[0] = '\0';
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	if (pid == 0 || !read_text(path, name, sizeof(name)))
		return;
	name[strcspn(name, "\n")] = '\0';
	(void)snprintf(out, size, "%s", name);
}

void tn_pty_foreground_name(const struct tn_pty *pty, char *out, size_t size)
{
	pid_t group = tn_pty_foreground(pty);

	read_name(group ? find_in_front(pty, group) : 0, out, size);
}

/* The call that a thread of it is in; false: none, or we may not know. */
static bool read_call(pid_t pid, const char *thread, long *ret_number, unsigned long *ret_first)
{
	char path[PATH_BYTES], text[TEXT_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/syscall", (int)pid, thread);
	return read_text(path, text, sizeof(text)) &&
	       sscanf(text, "%ld %lx", ret_number, ret_first) == 2;
}

static bool waits_for_child(pid_t pid)
{
	unsigned long first;
	char thread[16];
	long number;

	(void)snprintf(thread, sizeof(thread), "%d", (int)pid);
	return read_call(pid, thread, &number, &first) &&
	       (number == SYS_wait4 || number == SYS_waitid);
}

/* Its latest child in that group; 0: none. Of one tick the highest number is most likely that. */
static pid_t last_child(const struct tn_process_tree *tree, pid_t parent, pid_t group)
{
	struct tn_proc_stat process, last = {0};

	for (size_t i = 0; i < tree->count; i++) {
		if (tn_proc_stat_read(tree->pids[i], &process) && process.parent == parent &&
		    process.group == group && process.state != 'Z' &&
		    process.started >= last.started)
			last = process;
	}
	return last.pid;
}

void tn_pty_working_name(const struct tn_pty *pty, char *out, size_t size)
{
	pid_t group = tn_pty_foreground(pty), chosen = group ? find_in_front(pty, group) : 0;
	struct tn_process_tree tree = {0};

	if (chosen && list(pty, &tree)) {
		pid_t next = chosen;

		for (int i = 0; i < DEPTH_MAX && next && waits_for_child(next); i++) {
			next = last_child(&tree, next, group);
			chosen = next ? next : chosen;
		}
		tn_process_tree_finish(&tree);
	}
	read_name(chosen, out, size);
}

/* One of the links in the root program's folder of /proc. */
static enum tenon_code read_root_link(const struct tn_pty *pty, const char *name, char *out,
				      size_t size, struct tenon_error *err)
{
	char path[PATH_BYTES];
	pid_t pid = find_root(pty);
	ssize_t got = -1;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	if (pid > 0)
		got = readlink(path, out, size);
	/* Asked last: while it has not ended, the number was its own all the time. */
	if (got <= 0 || (size_t)got >= size || pty->is_lost || tn_pty_has_exited(pty, NULL))
		return tn_fail(err, TENON_NOT_FOUND, "the program's %s cannot be seen", name);
	out[got] = '\0';
	return TENON_OK;
}

enum tenon_code tn_pty_directory(const struct tn_pty *pty, char *out, size_t size,
				 struct tenon_error *err)
{
	return read_root_link(pty, "cwd", out, size, err);
}

enum tenon_code tn_pty_root_file(const struct tn_pty *pty, char *out, size_t size,
				 struct tenon_error *err)
{
	return read_root_link(pty, "exe", out, size, err);
}

static uint64_t digest(uint64_t so_far, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		so_far = (so_far ^ (unsigned char)bytes[i]) * 1099511628211U;
	return so_far;
}

uint64_t tn_pty_root_digest(const struct tn_pty *pty)
{
	char path[PATH_BYTES], part[CHUNK_BYTES], file[PATH_MAX];
	uint64_t sum = 14695981039346656037U;
	int fd;
	ssize_t got;

	if (tn_pty_root_file(pty, file, sizeof(file), NULL) != TENON_OK)
		return 0;
	sum = digest(sum, file, strlen(file));
	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)find_root(pty));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (got = read(fd, part, sizeof(part))) > 0)
		sum = digest(sum, part, (size_t)got);
	if (fd >= 0)
		(void)close(fd); /* only read */
	return sum;
}

static bool ends_so(struct tn_str path, const char *const *endings)
{
	for (; *endings; endings++) {
		struct tn_str ending = tn_str_from(*endings);

		if (path.size >= ending.size &&
		    memcmp(path.data + path.size - ending.size, ending.data, ending.size) == 0)
			return true;
	}
	return false;
}

bool tn_pty_root_has_open(const struct tn_pty *pty, const char *const *endings)
{
	char path[PATH_BYTES], link[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	DIR *files;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)find_root(pty));
	files = opendir(path);
	while (files && !found && (entry = readdir(files)) != NULL) {
		ssize_t size = readlinkat(dirfd(files), entry->d_name, link, sizeof(link));

		found = size > 0 && ends_so(tn_str(link, (size_t)size), endings);
	}
	if (files)
		(void)closedir(files); /* only read */
	return found;
}

static bool file_has(const char *path, struct tn_str text)
{
	char part[CHUNK_BYTES + TEXT_BYTES];
	int fd = text.size <= TEXT_BYTES ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	size_t kept = 0;
	ssize_t got;
	bool found = false;

	while (fd >= 0 && !found && (got = read(fd, part + kept, CHUNK_BYTES)) > 0) {
		size_t size = kept + (size_t)got;

		found = tn_str_find(tn_str(part, size), text) != TN_STR_NONE;
		/* It may begin at the end of this part. */
		kept = size < text.size ? size : text.size;
		memmove(part, part + size - kept, kept);
	}
	if (fd >= 0)
		(void)close(fd); /* only read */
	return found;
}

bool tn_pty_root_was_told(const struct tn_pty *pty, const char *text)
{
	pid_t pid = find_root(pty);
	char path[PATH_BYTES];
	bool found;

	if (pid <= 0)
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	found = file_has(path, tn_str_from(text));
	(void)snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	return found || file_has(path, tn_str_from(text));
}

int tn_pty_directory_fd(const struct tn_pty *pty, bool in_front)
{
	char path[PATH_BYTES];
	pid_t pid = in_front ? tn_pty_foreground(pty) : 0;
	int fd = -1;

	if (pid <= 0)
		pid = find_root(pty);

	(void)snprintf(path, sizeof(path), "/proc/%d/cwd", (int)pid);
	if (pid > 0)
		fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && (pty->is_lost || tn_pty_has_exited(pty, NULL))) {
		(void)close(fd); /* the number may be another's by now */
		fd = -1;
	}
	return fd;
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
	struct tn_process_tree tree = {0};
	struct tn_proc_stat process;
	unsigned count = 0;
	size_t length;

	if (!list(pty, &tree))
		return 0;
	length = find_chain(pty, &tree, chain);
	if (target == TN_PTY_ROOT)
		group = tn_proc_stat_read(chain[length - 1], &process) ? process.group : 0;
	for (size_t i = 0; i < tree.count; i++) {
		pid_t pid = tree.pids[i];

		if (!tn_proc_stat_read(pid, &process))
			continue;
		if (target != TN_PTY_SESSION && (group == 0 || process.group != group))
			continue;
		if (target == TN_PTY_FOREGROUND && is_among(chain, length, pid))
			continue;
		if (tn_process_tree_signal(&tree, pid, number) && count < max)
			ret_pids[count++] = pid;
	}
	tn_process_tree_finish(&tree);
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
	unsigned long first;
	long number;

	if (!read_call(pid, thread, &number, &first))
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

/* Of the foreground group. */
static enum tn_pty_waiting look_at_group(const struct tn_pty *pty, bool canonical)
{
	enum tn_pty_waiting most = TN_PTY_NOT_WAITING;
	struct tn_process_tree tree = {0};
	struct tn_proc_stat process;
	pid_t group = tn_pty_foreground(pty);
	unsigned number = 0;

	if (group == 0 || ioctl(pty->master, TIOCGPTN, &number) != 0 || !list(pty, &tree))
		return TN_PTY_NOT_WAITING;
	for (size_t i = 0; i < tree.count && most != TN_PTY_WAITS; i++) {
		enum tn_pty_waiting waiting;

		if (!tn_proc_stat_read(tree.pids[i], &process) || process.group != group ||
		    process.state == 'T' || process.state == 'Z')
			continue;
		waiting = look_at_process(process.pid, makedev(SLAVE_MAJOR, number), canonical);
		if (waiting > most)
			most = waiting;
	}
	tn_process_tree_finish(&tree);
	return most;
}

enum tn_pty_waiting tn_pty_waiting(const struct tn_pty *pty)
{
	struct tn_pty_mode mode;

	if (!tn_pty_mode(pty, &mode) || tn_pty_has_exited(pty, NULL))
		return TN_PTY_NOT_WAITING;
	if (mode.canonical && !mode.echo)
		return TN_PTY_WAITS_HIDDEN;
	return look_at_group(pty, mode.canonical);
}

bool tn_pty_is_read(const struct tn_pty *pty)
{
	struct tn_pty_mode mode;
	int slave, unread = 1;

	if (pty->input.size || !tn_pty_mode(pty, &mode) || tn_pty_has_exited(pty, NULL))
		return false;
	slave = ioctl(pty->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return false;
	if (ioctl(slave, TIOCINQ, &unread) != 0)
		unread = 1;
	(void)close(slave); /* nothing was written to it */
	return unread == 0 && look_at_group(pty, mode.canonical) != TN_PTY_NOT_WAITING;
}
