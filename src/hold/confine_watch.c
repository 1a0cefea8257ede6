/* What the filter cannot tell apart is decided here, and carried out here: with our own copy of the
 * argument and our own hold on the object, so that changing either while we look is of no use. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <utime.h>

#include "hold/confine_call.h"
#include "hold/hold.h"
#include "loop/proc_stat.h"
#include "base/size.h"

enum { FCHMODAT2 = 452, LINK_BYTES = 64, ANCESTORS_MAX = 4096 };

union request {
	struct seccomp_notif is;
	char room[512]; /* of kernels to come */
};

/* Where each call has what. -1: it has none. */
struct shape {
	int number;
	int folder, path, descriptor; /* which argument */
	int flags;
	bool no_follow;
};

static const struct shape shapes[] = {
	{SYS_fchmodat, 0, 1, -1, -1, false},  {FCHMODAT2, 0, 1, -1, 3, false},
	{SYS_fchmod, -1, -1, 0, -1, false},   {SYS_fchownat, 0, 1, -1, 4, false},
	{SYS_fchown, -1, -1, 0, -1, false},   {SYS_utimensat, 0, 1, -1, 3, false},
	{SYS_truncate, -1, 0, -1, -1, false},
#ifdef SYS_chmod
	{SYS_chmod, -1, 0, -1, -1, false},    {SYS_chown, -1, 0, -1, -1, false},
	{SYS_lchown, -1, 0, -1, -1, true},    {SYS_utime, -1, 0, -1, -1, false},
	{SYS_utimes, -1, 0, -1, -1, false},   {SYS_futimesat, 0, 1, -1, -1, false},
#endif
};

/* ---- the one that calls ---- */

uint64_t tn_confine_argument(const struct tn_confine_call *call, int number)
{
	return call->request->data.args[number];
}

bool tn_confine_still_waits(const struct tn_confine_call *call)
{
	uint64_t id = call->request->id;

	return ioctl(call->watch->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void tn_confine_reply(const struct tn_confine_call *call, int error, uint32_t flags)
{
	struct seccomp_notif_resp response = {
		.id = call->request->id, .error = -error, .flags = flags};

	/* It may have been killed meanwhile. */
	(void)ioctl(call->watch->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Its memory, as much as there is up to `size`; -1: errno. */
ssize_t tn_confine_copy_in(const struct tn_confine_call *call, uint64_t from, void *to, size_t size)
{
	struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};

	return process_vm_readv((pid_t)call->request->pid, &local, 1, &remote, 1, 0);
}

/* A text ends somewhere; what lies behind its page may not be there. */
int tn_confine_copy_text(const struct tn_confine_call *call, uint64_t from, char out[PATH_MAX])
{
	size_t used = 0;

	while (used < PATH_MAX) {
		size_t part = 4096 - (from + used) % 4096;
		ssize_t got;

		part = part > PATH_MAX - used ? PATH_MAX - used : part;
		got = tn_confine_copy_in(call, from + used, out + used, part);
		if (got <= 0)
			return EFAULT;
		if (memchr(out + used, '\0', (size_t)got))
			return 0;
		used += (size_t)got;
	}
	return ENAMETOOLONG;
}

static pid_t find_process(pid_t thread)
{
	char path[LINK_BYTES], line[256];
	FILE *file;
	int process = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)thread);
	file = fopen(path, "re");
	while (file && process == 0 && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "Tgid:", 5) == 0)
			process = (int)strtol(line + 5, NULL, 10);
	}
	if (file)
		(void)fclose(file);
	return process;
}

/* Our own hold on what its descriptor is; -1: errno. */
static int borrow(const struct tn_confine_call *call, int number)
{
	int process = (int)syscall(SYS_pidfd_open, call->process, 0), fd;

	if (process < 0)
		return -1;
	fd = (int)syscall(SYS_pidfd_getfd, process, number, 0);
	(void)close(process);
	return fd;
}

/* ---- objects ---- */

/* "self" is who calls, not us. Links that lead there are decided by where they end. */
static void set_self(const struct tn_confine_call *call, char path[PATH_MAX])
{
	static const char self[] = "/proc/self/", thread[] = "/proc/thread-self/";
	char rest[PATH_MAX];
	size_t skip = strncmp(path, self, sizeof(self) - 1) == 0       ? sizeof(self) - 1
		      : strncmp(path, thread, sizeof(thread) - 1) == 0 ? sizeof(thread) - 1
								       : 0;

	if (!skip)
		return;
	memcpy(rest, path + skip, strlen(path + skip) + 1);
	if ((size_t)snprintf(path, PATH_MAX, "/proc/%d/%s", (int)call->request->pid, rest) >=
	    PATH_MAX)
		path[0] = '\0';
}

/* A descriptor that only names it (O_PATH); -1: errno. */
static int find(const struct tn_confine_call *call, int folder, char path[PATH_MAX], bool no_follow)
{
	const int flags = O_PATH | O_CLOEXEC | (no_follow ? O_NOFOLLOW : 0);
	char cwd[LINK_BYTES];
	int from, fd, saved;

	set_self(call, path);
	if (path[0] == '/')
		return open(path, flags);
	(void)snprintf(cwd, sizeof(cwd), "/proc/%u/cwd", call->request->pid);
	from = folder == AT_FDCWD ? open(cwd, O_PATH | O_CLOEXEC | O_DIRECTORY)
				  : borrow(call, folder);
	if (from < 0)
		return -1;
	fd = openat(from, path, flags);
	saved = errno;
	(void)close(from);
	errno = saved;
	return fd;
}

static bool real_path(int fd, char out[PATH_MAX])
{
	char link[LINK_BYTES];
	ssize_t size;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, out, PATH_MAX - 1);
	out[size > 0 ? size : 0] = '\0';
	return size > 0;
}

/* What has no name any more, or never had one, is nobody else's business. */
static bool is_granted(const struct tn_confine *confine, int fd)
{
	struct stat status;
	char path[PATH_MAX];

	if (fstat(fd, &status) != 0 || !real_path(fd, path))
		return false;
	return path[0] == '/' ? tn_confine_may_write(confine, path) : true;
}

/* The object of a call on a file's head; *ret_flags: what it asks for. -1: errno. */
static int find_object(const struct tn_confine_call *call, const struct shape *shape)
{
	int flags = shape->flags >= 0 ? (int)tn_confine_argument(call, shape->flags) : 0;
	int folder = shape->folder >= 0 ? (int)tn_confine_argument(call, shape->folder) : AT_FDCWD;
	char path[PATH_MAX];
	int error;

	if (shape->descriptor >= 0)
		return borrow(call, (int)tn_confine_argument(call, shape->descriptor));
	if (tn_confine_argument(call, shape->path) == 0) /* futimens */
		return borrow(call, folder);
	error = tn_confine_copy_text(call, tn_confine_argument(call, shape->path), path);
	if (error) {
		errno = error;
		return -1;
	}
	if (!path[0] && (flags & AT_EMPTY_PATH) && folder != AT_FDCWD)
		return borrow(call, folder);
	return find(call, folder, path, shape->no_follow || (flags & AT_SYMLINK_NOFOLLOW));
}

/* ---- changes to a file's head ---- */

static int set_mode(int fd, uint64_t mode)
{
	char link[LINK_BYTES];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return chmod(link, (mode_t)mode) == 0 ? 0 : errno;
}

static int set_owner(int fd, uint64_t user, uint64_t group)
{
	return fchownat(fd, "", (uid_t)user, (gid_t)group, AT_EMPTY_PATH) == 0 ? 0 : errno;
}

/* Which of three notations the times are in. */
static int read_times(const struct tn_confine_call *call, int at, struct timespec out[2])
{
	struct timeval seconds[2] = {0};
	struct utimbuf old = {0};
	bool is_old = false;
	ssize_t got;

#ifdef SYS_utime
	is_old = call->request->data.nr == SYS_utime;
#endif
	if (call->request->data.nr == SYS_utimensat) {
		got = tn_confine_copy_in(call, tn_confine_argument(call, at), out,
					 2 * sizeof(*out));
		return got == (ssize_t)(2 * sizeof(*out)) ? 0 : EFAULT;
	}
	if (is_old) {
		got = tn_confine_copy_in(call, tn_confine_argument(call, at), &old, sizeof(old));
		out[0] = (struct timespec){old.actime, 0};
		out[1] = (struct timespec){old.modtime, 0};
		return got == (ssize_t)sizeof(old) ? 0 : EFAULT;
	}
	got = tn_confine_copy_in(call, tn_confine_argument(call, at), seconds, sizeof(seconds));
	for (int i = 0; i < 2; i++) {
		if (seconds[i].tv_usec < 0 || seconds[i].tv_usec >= 1000000)
			return EINVAL;
		out[i] = (struct timespec){seconds[i].tv_sec, seconds[i].tv_usec * 1000};
	}
	return got == (ssize_t)sizeof(seconds) ? 0 : EFAULT;
}

static int set_times(const struct tn_confine_call *call, int fd, int at)
{
	struct timespec times[2];
	char link[LINK_BYTES];
	int error = tn_confine_argument(call, at) ? read_times(call, at, times) : 0;

	if (error)
		return error;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return utimensat(AT_FDCWD, link, tn_confine_argument(call, at) ? times : NULL, 0) == 0
		       ? 0
		       : errno;
}

static int change(const struct tn_confine_call *call, const struct shape *shape, int fd)
{
	int after = shape->path >= 0 ? shape->path + 1 : shape->descriptor + 1;
	char link[LINK_BYTES];

	switch (shape->number) {
	case SYS_fchmodat:
	case FCHMODAT2:
	case SYS_fchmod:
#ifdef SYS_chmod
	case SYS_chmod:
#endif
		return set_mode(fd, tn_confine_argument(call, after));
	case SYS_fchownat:
	case SYS_fchown:
#ifdef SYS_chown
	case SYS_chown:
	case SYS_lchown:
#endif
		return set_owner(fd, tn_confine_argument(call, after),
				 tn_confine_argument(call, after + 1));
	case SYS_truncate:
		(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		return truncate(link, (off_t)tn_confine_argument(call, after)) == 0 ? 0 : errno;
	default:
		return set_times(call, fd, after);
	}
}

static int answer_change(const struct tn_confine_call *call, const struct shape *shape)
{
	int fd = find_object(call, shape), error;

	if (fd < 0)
		return errno;
	if (!tn_confine_still_waits(call))
		error = EINTR;
	else if (!is_granted(call->watch->confine, fd))
		error = shape->number == SYS_truncate ? EACCES : EPERM;
	else
		error = change(call, shape, fd);
	(void)close(fd);
	return error;
}

/* ---- connections ---- */

/* Name services that libc asks of its own accord; those that look up other machines only where
 * there is a network. */
static bool is_service(const struct tn_confine *confine, const char *path)
{
	static const char *const users[] = {"/var/lib/sss/pipes/nss", "/run/systemd/userdb/"};
	static const char *const machines[] = {"/run/nscd/socket",
					       "/run/systemd/resolve/io.systemd.Resolve"};
	bool is = false;

	for (size_t i = 0; i < TN_COUNT(users); i++)
		is = is || strncmp(path, users[i], strlen(users[i])) == 0;
	for (size_t i = 0; i < TN_COUNT(machines) && confine->network; i++)
		is = is || strcmp(path, machines[i]) == 0;
	return is;
}

union address {
	struct sockaddr_storage any;
	struct sockaddr_un local;
};

/* Turns the path into one through our own hold on the socket, *ret_held. Returns errno. */
static int hold_socket(const struct tn_confine_call *call, union address *to, socklen_t *size,
		       int *ret_held)
{
	const struct tn_confine *confine = call->watch->confine;
	char path[PATH_MAX] = "", real[PATH_MAX];
	size_t room = *size - offsetof(struct sockaddr_un, sun_path);

	if (*size <= offsetof(struct sockaddr_un, sun_path) || *size > sizeof(struct sockaddr_un) ||
	    to->local.sun_family != AF_UNIX)
		return EINVAL;
	/* Without a name in the file system: the kernel knows whose it is, from ABI 6 on. */
	if (to->local.sun_path[0] == '\0')
		return confine->abi >= TN_CONFINE_ABI_SCOPE ? 0 : EACCES;
	memcpy(path, to->local.sun_path, room);
	*ret_held = find(call, AT_FDCWD, path, false);
	if (*ret_held < 0)
		return errno;
	if (!real_path(*ret_held, real) ||
	    (!tn_confine_may_write(confine, real) && !is_service(confine, real)))
		return EACCES;
	(void)snprintf(to->local.sun_path, sizeof(to->local.sun_path), "/proc/self/fd/%d",
		       *ret_held);
	*size = sizeof(to->local);
	return 0;
}

/* Whoever waits for the other side waits in a process of its own. True: that answers. */
static bool leave_to_helper(const struct tn_confine_call *call, int fd, const union address *to,
			    socklen_t size)
{
	pid_t helper, *helpers = call->watch->helpers;
	size_t free_at = 0;

	while (free_at < TN_CONFINE_HELPERS_MAX && helpers[free_at])
		free_at++;
	if (free_at == TN_CONFINE_HELPERS_MAX)
		return false;
	helper = fork();
	if (helper == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		tn_confine_reply(
			call, connect(fd, (const struct sockaddr *)&to->any, size) == 0 ? 0 : errno,
			0);
		_exit(0);
	}
	if (helper > 0)
		helpers[free_at] = helper;
	return helper > 0;
}

void tn_confine_watch_reaped(struct tn_confine_watch *watch, pid_t pid)
{
	for (size_t i = 0; i < TN_CONFINE_HELPERS_MAX; i++) {
		if (watch->helpers[i] == pid)
			watch->helpers[i] = 0;
	}
}

/* Returns errno, or -1: somebody else answers. */
static int connect_for(const struct tn_confine_call *call, int fd)
{
	union address to = {0};
	socklen_t size = (socklen_t)tn_confine_argument(call, 2);
	int family = 0, held = -1, error = 0;
	socklen_t room = sizeof(family);

	if (tn_confine_argument(call, 2) > sizeof(to))
		return EINVAL;
	if (size &&
	    tn_confine_copy_in(call, tn_confine_argument(call, 1), &to, size) != (ssize_t)size)
		return EFAULT;
	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &room) != 0)
		return errno;
	if (family == AF_UNIX)
		error = hold_socket(call, &to, &size, &held);
	if (!error && !tn_confine_still_waits(call))
		error = EINTR;
	if (!error && !(fcntl(fd, F_GETFL) & O_NONBLOCK))
		error = leave_to_helper(call, fd, &to, size) ? -1 : EAGAIN;
	else if (!error)
		error = connect(fd, (const struct sockaddr *)&to.any, size) == 0 ? 0 : errno;
	if (held >= 0)
		(void)close(held);
	return error;
}

static int answer_connect(const struct tn_confine_call *call)
{
	int fd = borrow(call, (int)tn_confine_argument(call, 0)), error;

	if (fd < 0)
		return errno;
	error = connect_for(call, fd);
	(void)close(fd);
	return error;
}

/* ---- signals, where the kernel does not keep them inside ---- */

static bool is_inside(pid_t pid)
{
	struct tn_proc_stat process;
	pid_t us = getpid();

	for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
		if (pid == us)
			return i > 0;
		if (!tn_proc_stat_read(pid, &process))
			return false;
		pid = process.parent;
	}
	return false;
}

/* No process outside is in the group. */
static bool is_group_inside(pid_t group)
{
	const struct dirent *entry;
	DIR *folder = opendir("/proc");
	bool inside = folder != NULL;

	while (inside && (entry = readdir(folder))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		struct tn_proc_stat process;

		if (pid > 0 && tn_proc_stat_read(pid, &process) && process.group == group)
			inside = pid == getpid() || is_inside(pid);
	}
	if (folder)
		(void)closedir(folder);
	return inside;
}

/* The kernel goes on with the call: all that it is about stands in registers. */
static bool may_signal(const struct tn_confine_call *call)
{
	struct tn_proc_stat process;
	pid_t to = (pid_t)tn_confine_argument(call, 0);

	if (call->request->data.nr == SYS_pidfd_send_signal)
		return false; /* its descriptor may be another one by then */
	if (to > 0)
		return is_inside(to);
	if (to == -1 || call->request->data.nr != SYS_kill)
		return false; /* everybody */
	if (to == 0 && !tn_proc_stat_read(call->process, &process))
		return false;
	return is_group_inside(to == 0 ? process.group : -to);
}

/* ---- priorities, processors and limits ---- */

static bool is_own_group(const struct tn_confine_call *call, pid_t group)
{
	struct tn_proc_stat process;

	if (group == 0 && !tn_proc_stat_read(call->process, &process))
		return false;
	return is_group_inside(group ? group : process.group);
}

/* Of processes and threads that are confined like the one that calls. */
static bool may_arrange(const struct tn_confine_call *call)
{
	int kind = (int)tn_confine_argument(call, 0);
	pid_t who = (pid_t)tn_confine_argument(call, 1);

	switch (call->request->data.nr) {
	case SYS_setpriority:
		return kind == PRIO_PROCESS ? is_inside(who)
					    : kind == PRIO_PGRP && is_own_group(call, who);
	case SYS_ioprio_set:
		return kind == TN_CONFINE_IOPRIO_PROCESS
			       ? is_inside(who)
			       : kind == TN_CONFINE_IOPRIO_GROUP && is_own_group(call, who);
	default:
		return is_inside((pid_t)tn_confine_argument(call, 0));
	}
}

static bool is_arrangement(int number)
{
	static const int numbers[] = {
		SYS_setpriority,        SYS_ioprio_set,     SYS_prlimit64,    SYS_sched_setaffinity,
		SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr};

	for (size_t i = 0; i < TN_COUNT(numbers); i++) {
		if (numbers[i] == number)
			return true;
	}
	return false;
}

/* ---- all of it ---- */

/* What is about what is held. */
static bool hold_answers(struct tn_confine_watch *watch, const struct tn_confine_call *call)
{
	int number = call->request->data.nr;

	if (tn_hold_hears(number)) {
		tn_hold_answer(watch->hold, call);
		return true;
	}
	if (!tn_hold_changes_mode(number))
		return false;
	if (tn_hold_answer_mode(watch->hold, call))
		return true;
	if (watch->confine->only_holds)
		tn_confine_reply(call, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
	return watch->confine->only_holds;
}

void tn_confine_watch_answer(struct tn_confine_watch *watch)
{
	union request request;
	struct tn_confine_call call = {.watch = watch, .request = &request.is};
	const struct shape *shape = NULL;
	int error = EPERM;

	memset(&request, 0, sizeof(request));
	if (ioctl(watch->listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0)
		return; /* it was killed meanwhile */
	if (watch->hold && hold_answers(watch, &call))
		return;
	call.process = find_process((pid_t)request.is.pid);
	for (size_t i = 0; i < TN_COUNT(shapes) && !shape; i++)
		shape = shapes[i].number == request.is.data.nr ? &shapes[i] : NULL;
	if (shape) {
		error = answer_change(&call, shape);
	} else if (request.is.data.nr == SYS_connect) {
		error = answer_connect(&call);
	} else if (is_arrangement(request.is.data.nr) ? may_arrange(&call) : may_signal(&call)) {
		tn_confine_reply(&call, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
		return;
	}
	if (error >= 0)
		tn_confine_reply(&call, error, 0);
}
