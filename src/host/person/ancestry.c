#include "host/person/ancestry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/size.h"
#include "host/limits.h"

enum { STAT_SIZE = 1024, TRIES = 5 };

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

/* ---- whoever runs a program for its answer ---- */

bool tn_process_find_whole(pid_t pid, struct tn_process *ret)
{
	return is_part(pid) && tn_process_find_host(pid, ret) && ret->pid != pid;
}

bool tn_process_find_starter(const struct tn_process *process, struct tn_process *ret)
{
	struct tn_process at = *process, above;

	if (at.session == at.pid && at.terminal)
		return false; /* the only program of a window */
	do {
		if (at.parent <= 1 || tn_process_read(at.parent, &above, NULL) != TENON_OK ||
		    is_manager(&above) || above.started > at.started)
			return false;
		at = above;
		if (is_shell(&at) && at.session == at.pid)
			return false; /* a person's */
	} while (is_shell(&at));
	if (!tn_process_find_whole(at.pid, ret))
		*ret = at;
	return true;
}

bool tn_ancestry_sits_below(const struct tn_ancestry *ancestry, const struct tn_process *above)
{
	const struct tn_process *self = &ancestry->chain[0];

	for (size_t i = 0; self->terminal && i < ancestry->count; i++) {
		if (tn_process_equal(&ancestry->chain[i], above))
			return false;
		if (ancestry->chain[i].pid == self->session)
			return true;
	}
	return false;
}
