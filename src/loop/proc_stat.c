#include "loop/proc_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

/* Reads a small file of /proc whole. */
static bool read_text(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	do
		got = read(fd, out, size - 1);
	while (got < 0 && errno == EINTR);
	(void)close(fd); /* only read */
	if (got < 0)
		return false;
	out[got] = '\0';
	return true;
}

#define SKIPPED " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"

bool tn_proc_stat_read(pid_t pid, struct tn_proc_stat *ret)
{
	char path[NAME_BYTES], text[1024];
	const char *rest;
	int parent, group, session;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!read_text(path, text, sizeof(text)))
		return false;
	rest = strrchr(text, ')'); /* the name before it may hold anything */
	/* Behind the session come fifteen fields of no use here. */
	if (!rest || sscanf(rest, ") %c %d %d %d" SKIPPED " %llu", &ret->state, &parent, &group,
			    &session, &ret->started) != 5)
		return false;
	ret->pid = pid;
	ret->parent = parent;
	ret->group = group;
	ret->session = session;
	return true;
}

bool tn_proc_directory(pid_t pid, char ret[PATH_MAX])
{
	char link[NAME_BYTES];
	ssize_t size;

	(void)snprintf(link, sizeof(link), "/proc/%d/cwd", (int)pid);
	size = readlink(link, ret, PATH_MAX - 1);
	if (size <= 0)
		return false;
	ret[size] = '\0';
	return true;
}
