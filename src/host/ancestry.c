#include "host/ancestry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/size.h"

enum { STAT_SIZE = 1024, TRIES = 5, SOCKETS_MAX = 4096 };

/* ---- /proc/PID/stat ---- */

static enum tenon_code read_small(const char *path, char *text, size_t size,
				  struct tenon_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return tn_fail(err, TENON_NOT_FOUND, "no such process, or it may not be seen");
	got = read(fd, text, size - 1);
	(void)close(fd); /* only read */
	if (got <= 0)
		return tn_fail(err, TENON_NOT_FOUND, "the process has ended");
	text[got] = '\0';
	return TENON_OK;
}

/* proc(5): "pid (name) state ppid pgrp session tty_nr ...", the start time is number 22. The name
 * may hold anything, so what counts stands behind its last parenthesis. */
static bool parse_stat(char *text, struct tn_process *ret)
{
	enum { PARENT = 1, SESSION = 3, TERMINAL = 4, STARTED = 19 };
	const char *open = strchr(text, '(');
	char *close = strrchr(text, ')');
	char *at = close, *end;
	int size;

	if (!open || !close || close < open)
		return false;
	size = (int)(close - open - 1);
	(void)snprintf(ret->name, sizeof(ret->name), "%.*s", size, open + 1);
	at += 2; /* the state's letter */
	if (close[1] != ' ' || !*at)
		return false;
	at++;
	for (int field = PARENT; field <= STARTED; field++) {
		long long value = strtoll(at, &end, 10);

		if (end == at || *end != ' ')
			return false;
		at = end;
		if (field == PARENT)
			ret->parent = (pid_t)value;
		else if (field == SESSION)
			ret->session = (pid_t)value;
		else if (field == TERMINAL)
			ret->terminal = value != 0;
		else if (field == STARTED)
			ret->started = (uint64_t)value;
	}
	return true;
}

enum tenon_code tn_process_read(pid_t pid, struct tn_process *ret, struct tenon_error *err)
{
	char path[64], text[STAT_SIZE];
	enum tenon_code code;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	code = read_small(path, text, sizeof(text), err);
	if (code != TENON_OK)
		return code;
	*ret = (struct tn_process){.pid = pid};
	if (!parse_stat(text, ret))
		return tn_fail(err, TENON_INVALID, "/proc does not say what it should");
	return TENON_OK;
}

/* ---- ancestors ---- */

static enum tenon_code climb(pid_t pid, struct tn_ancestry *ret, struct tenon_error *err)
{
	ret->count = 0;
	while (pid > 0) {
		struct tn_process *process = &ret->chain[ret->count];
		enum tenon_code code;

		if (ret->count == TN_ANCESTORS_MAX)
			return tn_fail(err, TENON_LIMIT, "more than %d ancestors",
				       TN_ANCESTORS_MAX);
		code = tn_process_read(pid, process, err);
		if (code != TENON_OK)
			return code;
		/* A parent that is younger than its child has taken over a number. */
		if (ret->count && process->started > process[-1].started)
			return tn_fail(err, TENON_BUSY, "the process changed while it was read");
		ret->count++;
		pid = process->parent;
	}
	return ret->count ? TENON_OK : tn_fail(err, TENON_NOT_FOUND, "no such process");
}

static bool is_same(const struct tn_ancestry *a, const struct tn_ancestry *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = tn_process_equal(&a->chain[i], &b->chain[i]);
	return same;
}

enum tenon_code tn_ancestry_read(pid_t pid, struct tn_ancestry *ret, struct tenon_error *err)
{
	struct tn_ancestry again;
	enum tenon_code code = TENON_OK;

	/* Twice the same: nobody was handed to another parent in between. */
	for (int i = 0; i < TRIES; i++) {
		code = climb(pid, ret, err);
		if (code == TENON_OK)
			code = climb(pid, &again, err);
		if (code == TENON_OK && is_same(ret, &again))
			return TENON_OK;
	}
	return code != TENON_OK ? code : tn_fail(err, TENON_BUSY, "the process keeps changing");
}

bool tn_ancestry_has(const struct tn_ancestry *ancestry, const struct tn_process *process)
{
	for (size_t i = 0; i < ancestry->count; i++) {
		if (tn_process_equal(&ancestry->chain[i], process))
			return true;
	}
	return false;
}

bool tn_ancestry_is_cut(const struct tn_ancestry *ancestry)
{
	pid_t leader = ancestry->chain[0].session;

	for (size_t i = 0; leader && i < ancestry->count; i++) {
		if (ancestry->chain[i].pid == leader)
			return false;
	}
	return leader != 0;
}

/* ---- whoever started something ---- */

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static bool is_shell(const struct tn_process *process)
{
	static const char *const names[] = {"sh",  "dash", "bash", "zsh",     "fish",
					    "ksh", "env",  "nice", "timeout", NULL};

	return is_one_of(process->name, names);
}

static bool is_manager(const struct tn_process *process)
{
	static const char *const names[] = {"systemd", "init", NULL};

	return process->pid == 1 || (process->parent == 1 && is_one_of(process->name, names));
}

/* A process of an editor or another program that consists of many: Chromium's, and so Electron's,
 * say by --type= which part they are. The one that talks to us is rarely the one in whose terminal
 * commands run; what is above both is meant. */
static bool is_part(pid_t pid)
{
	char path[64], words[4096];
	ssize_t size;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%ld/cmdline", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	size = read(fd, words, sizeof(words) - 1);
	(void)close(fd); /* only read */
	for (ssize_t i = 0; i < size; i++) {
		if (!words[i])
			words[i] = ' '; /* some of them write over what stood between */
	}
	words[size > 0 ? size : 0] = '\0';
	return strstr(words, " --type=") != NULL;
}

static bool is_same_program(pid_t one, pid_t other)
{
	char path[64];
	struct stat a, b;

	(void)snprintf(path, sizeof(path), "/proc/%ld/exe", (long)one);
	if (stat(path, &a) != 0)
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%ld/exe", (long)other);
	return stat(path, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* A host that runs us by `sh -c` or a script is meant, not its shell; but the shell at which a
 * person sits leads a session, and what it starts besides is the person's. */
static bool stands_for_more(const struct tn_process *process, const struct tn_process *above)
{
	if (is_shell(process))
		return process->session != process->pid &&
		       !(is_shell(above) && above->session == above->pid);
	return is_part(process->pid) && is_same_program(process->pid, above->pid);
}

bool tn_process_find_host(pid_t parent, struct tn_process *ret)
{
	struct tn_process above;

	if (parent <= 1 || tn_process_read(parent, ret, NULL) != TENON_OK || is_manager(ret))
		return false;
	while (tn_process_read(ret->parent, &above, NULL) == TENON_OK && !is_manager(&above) &&
	       stands_for_more(ret, &above))
		*ret = above;
	return true;
}

/* ---- connections ---- */

struct sockets {
	unsigned long inodes[SOCKETS_MAX];
	size_t count;
};

static bool is_port(unsigned port, const uint16_t *ports, size_t port_count)
{
	for (size_t i = 0; i < port_count; i++) {
		if (ports[i] && ports[i] == port)
			return true;
	}
	return false;
}

/* A line of /proc/net/tcp, proc(5): "sl local:port remote:port st tx:rx tr:when retrnsmt uid
 * timeout inode". */
struct tcp_line {
	unsigned port, remote_port, uid;
	unsigned long inode;
};

static bool read_tcp_line(FILE *file, struct tcp_line *ret)
{
	char line[512];

	*ret = (struct tcp_line){.port = 0};
	if (!file || !fgets(line, sizeof(line), file))
		return false;
	if (sscanf(line, " %*[^:]: %*[^:]:%x %*[^:]:%x %*x %*[^ ] %*[^ ] %*x %u %*u %lu",
		   &ret->port, &ret->remote_port, &ret->uid, &ret->inode) != 4)
		ret->inode = 0; /* the heading */
	return true;
}

/* The client's end of a connection is the one whose remote port is ours. An ancestor is of our
 * user: others do not fill the table. */
static void collect(const char *path, const uint16_t *ports, size_t port_count, struct sockets *ret)
{
	FILE *file = fopen(path, "re");
	struct tcp_line line;

	while (ret->count < SOCKETS_MAX && read_tcp_line(file, &line)) {
		if (line.inode && line.uid == geteuid() &&
		    is_port(line.remote_port, ports, port_count))
			ret->inodes[ret->count++] = line.inode;
	}
	if (file)
		(void)fclose(file); /* only read */
}

bool tn_socket_owner(uint16_t port, uint16_t remote_port, uid_t *ret)
{
	FILE *file = fopen("/proc/net/tcp", "re");
	struct tcp_line line;
	bool found = false;

	while (!found && read_tcp_line(file, &line))
		found = line.inode && line.port == port && line.remote_port == remote_port;
	if (file)
		(void)fclose(file); /* only read */
	if (found)
		*ret = (uid_t)line.uid;
	return found;
}

static bool is_socket_of(const char *target, const struct sockets *sockets)
{
	unsigned long inode;

	if (sscanf(target, "socket:[%lu]", &inode) != 1)
		return false;
	for (size_t i = 0; i < sockets->count; i++) {
		if (sockets->inodes[i] == inode)
			return true;
	}
	return false;
}

static bool has_socket(pid_t pid, const struct sockets *sockets)
{
	char path[64], target[64];
	bool found = false;
	const struct dirent *entry;
	DIR *folder;

	(void)snprintf(path, sizeof(path), "/proc/%ld/fd", (long)pid);
	folder = opendir(path);
	while (folder && !found && (entry = readdir(folder)) != NULL) {
		ssize_t size = readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1);

		if (size > 0) {
			target[size] = '\0';
			found = is_socket_of(target, sockets);
		}
	}
	if (folder)
		(void)closedir(folder); /* only read */
	return found;
}

/* Some part of a program above it, if not one of the ancestors, has such a connection. */
static bool is_part_connected(const struct tn_ancestry *ancestry, const struct sockets *sockets)
{
	const struct dirent *entry;
	bool found = false;
	DIR *folder = opendir("/proc");

	while (folder && !found && (entry = readdir(folder)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		struct tn_process host;

		found = pid > 0 && is_part(pid) && has_socket(pid, sockets) &&
			tn_process_find_host(pid, &host) && tn_ancestry_has(ancestry, &host) &&
			!tn_process_equal(&host, &ancestry->chain[0]);
	}
	if (folder)
		(void)closedir(folder); /* only read */
	return found;
}

bool tn_ancestry_is_connected(const struct tn_ancestry *ancestry, const uint16_t *ports,
			      size_t port_count)
{
	struct sockets sockets = {.count = 0};

	collect("/proc/net/tcp", ports, port_count, &sockets);
	collect("/proc/net/tcp6", ports, port_count, &sockets);
	if (sockets.count == SOCKETS_MAX)
		return true;
	for (size_t i = 1; sockets.count && i < ancestry->count; i++) {
		if (has_socket(ancestry->chain[i].pid, &sockets))
			return true;
	}
	return sockets.count && is_part_connected(ancestry, &sockets);
}
