#include "hold/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hold/limits.h"
#include "base/size.h"
#include "hold/hold_items.h"

/* ---- opening ---- */

/* What Python has made of a held module before, by somebody or other: it makes it anew. */
static bool is_made_of_held(const struct tn_hold *hold, const char *path)
{
	const char *base = tn_hold_base_of(path);
	size_t size = strcspn(base, "."), all = strlen(path);

	if (all < 4 || strcmp(path + all - 4, ".pyc") != 0)
		return false;
	for (size_t i = 0; i < hold->count; i++) {
		const char *name = tn_hold_base_of(hold->items[i].path);

		if (hold->items[i].has_copy && !hold->items[i].is_own &&
		    strncmp(name, base, size) == 0 && strcmp(name + size, ".py") == 0)
			return true;
	}
	return false;
}

/* These carry bytes, and compare the file that they have opened with the one that they saw. */
static bool only_copies(const struct tn_confine_call *call)
{
	static const char *const names[] = {"cp",    "install", "mv",      "tar", "bsdtar",
					    "rsync", "scp",     "zip",     "git", "hg",
					    "svn",   "cpio",    "dpkg-deb"};
	char link[TN_HOLD_LINK_BYTES], path[PATH_MAX];
	ssize_t size;

	(void)snprintf(link, sizeof(link), "/proc/%u/exe", call->request->pid);
	size = readlink(link, path, sizeof(path) - 1);
	path[size > 0 ? size : 0] = '\0';
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (strcmp(tn_hold_base_of(path), names[i]) == 0)
			return true;
	}
	return false;
}

void tn_hold_let(const struct tn_confine_call *call)
{
	tn_confine_reply(call, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

/* Ours becomes a descriptor of the one that calls. Takes `fd`; -1: errno. */
static void give_fd(const struct tn_confine_call *call, int fd, uint64_t flags)
{
	struct seccomp_notif_addfd add = {.id = call->request->id,
					  .srcfd = (uint32_t)fd,
					  .newfd_flags = flags & O_CLOEXEC ? O_CLOEXEC : 0};
	struct seccomp_notif_resp response = {.id = call->request->id};
	int number = -1;

	if (fd >= 0)
		number = ioctl(call->watch->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
	if (number < 0) {
		/* Nothing was opened, or it has no descriptor left, or is no more. */
		tn_confine_reply(call, errno, 0);
	} else {
		response.val = number;
		(void)ioctl(call->watch->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
	}
	if (fd >= 0)
		(void)close(fd); /* only read */
}

/* These bytes, in memory of their own; -1: errno. */
static int copy_of(struct tn_str bytes)
{
	int fd = memfd_create("held", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < bytes.size) {
		ssize_t wrote = write(fd, bytes.data + done, bytes.size - done);

		if (wrote <= 0) {
			(void)close(fd); /* nobody has it */
			return -1;
		}
		done += (size_t)wrote;
	}
	return fd;
}

/* The private copy, from its beginning. */
static void give(const struct tn_confine_call *call, const struct tn_hold_item *item,
		 uint64_t flags)
{
	char link[TN_HOLD_LINK_BYTES];
	int from = item->fd >= 0 ? item->fd : copy_of(item->bytes), fd;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", from);
	fd = from >= 0 ? open(link, O_RDONLY | O_CLOEXEC) : -1;
	if (from >= 0 && from != item->fd)
		(void)close(from); /* it is open once more */
	give_fd(call, fd, flags);
}

/* The file itself, opened by us, if it is as it was when it was judged. */
static void give_same(const struct tn_confine_call *call, const struct tn_hold_item *item,
		      int folder, const char *path, uint64_t flags)
{
	int fd = tn_hold_open_as(call, folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char mark[TN_HOLD_MARK_SIZE];

	if (fd >= 0 &&
	    (!tn_inputs_mark_fd(fd, mark, sizeof(mark)) || strcmp(mark, item->mark) != 0)) {
		(void)close(fd); /* a shell reads what the kernel cannot start */
		fd = -1;
		errno = EACCES;
	}
	if (fd >= 0 && !(flags & O_NONBLOCK))
		(void)fcntl(fd, F_SETFL, 0); /* a file is never waited for */
	give_fd(call, fd, flags);
}

/* Folders may be listed; what stands in them, and was not there, is not there. */
static void give_folder(const struct tn_confine_call *call, int folder, const char *path,
			uint64_t flags)
{
	int fd = tn_hold_open_as(call, folder, path,
				 O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		errno = ENOENT;
	give_fd(call, fd, flags);
}

/* What is taken away is not there any more, whoever puts something in its place, until the run
 * does so itself; what the run puts there is its own. */
static void note_change(struct tn_hold *hold, const struct tn_confine_call *call, int folder,
			const char *path, bool is_taken)
{
	struct tn_hold_item *item = NULL;

	while ((item = tn_hold_find_next(hold, call, folder, path, item)) != NULL) {
		if (is_taken)
			item->kind = TN_INPUT_ABSENT;
		else
			item->is_own = true;
	}
}

static bool only_reads(uint64_t flags)
{
	return (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC));
}

static void answer_unheld(struct tn_hold *hold, const struct tn_confine_call *call, int folder,
			  const char *path, uint64_t flags)
{
	if (only_reads(flags) && is_made_of_held(hold, path))
		tn_confine_reply(call, ENOENT, 0);
	else if (only_reads(flags) && tn_hold_is_closed(hold, call, folder, path))
		give_folder(call, folder, path, flags);
	else
		tn_hold_let(call);
}

static void answer_open(struct tn_hold *hold, const struct tn_confine_call *call, int folder,
			uint64_t path_at, uint64_t flags)
{
	char path[PATH_MAX];
	struct tn_hold_item *item;

	if ((flags & (O_PATH | O_DIRECTORY)) || tn_confine_copy_text(call, path_at, path) != 0) {
		tn_hold_let(call);
		return;
	}
	item = tn_hold_find(hold, call, folder, path);
	if (item && !only_reads(flags)) {
		if (tn_hold_can_write(call, folder, path, flags & O_CREAT))
			note_change(hold, call, folder, path, false);
		item = NULL; /* who may not write to it is told so by the kernel */
	}
	if (!item)
		answer_unheld(hold, call, folder, path, flags);
	else if (item->kind == TN_INPUT_ABSENT)
		tn_confine_reply(call, ENOENT, 0);
	else if (item->has_copy && only_copies(call))
		tn_hold_let(call);
	else if (item->has_copy)
		give(call, item, flags);
	else
		give_same(call, item, folder, path, flags);
}

/* ---- changing ---- */

/* What lies in a folder that is moved, or comes to lie in one, is the run's own. */
static void note_folder(struct tn_hold *hold, const struct tn_confine_call *call, int folder,
			const char *path)
{
	char from[PATH_MAX] = "", whole[2 * PATH_MAX];
	size_t size;

	if (path[0] != '/' && !tn_hold_folder_of(call, folder, from))
		return;
	(void)snprintf(whole, sizeof(whole), "%s%s%s", from, path[0] == '/' ? "" : "/", path);
	tn_hold_make_plain(whole);
	size = strlen(whole);
	for (size_t i = 0; i < hold->count; i++) {
		const char *name = hold->items[i].path;

		if (strncmp(name, whole, size) == 0 && name[size] == '/')
			hold->items[i].is_own = true;
	}
}

/* Which arguments are folder and path of what a call takes away, and of what it puts there; -1:
 * none. */
static const struct change {
	int number, from_folder, from, to_folder, to;
} changes[] = {
	{SYS_renameat2, 0, 1, 2, 3}, {SYS_unlinkat, 0, 1, -1, -1},
	{SYS_linkat, -1, -1, 2, 3},  {SYS_symlinkat, -1, -1, 1, 2},
#ifdef SYS_renameat
	{SYS_renameat, 0, 1, 2, 3},
#endif
#ifdef SYS_rename
	{SYS_rename, -1, 0, -1, 1},  {SYS_unlink, -1, 0, -1, -1},
	{SYS_link, -1, -1, -1, 1},   {SYS_symlink, -1, -1, -1, 1},
#endif
};

static const struct change *change_of(int number)
{
	for (size_t i = 0; i < TN_COUNT(changes); i++) {
		if (changes[i].number == number)
			return &changes[i];
	}
	return NULL;
}

static int folder_argument(const struct tn_confine_call *call, int number)
{
	return number < 0 ? AT_FDCWD : (int)tn_confine_argument(call, number);
}

/* What the kernel will refuse changes nothing. */
static void answer_change(struct tn_hold *hold, const struct tn_confine_call *call,
			  const struct change *change)
{
	int from_folder = folder_argument(call, change->from_folder);
	int to_folder = folder_argument(call, change->to_folder);
	char from[PATH_MAX], to[PATH_MAX];
	bool takes = change->from >= 0, puts = change->to >= 0;

	if ((takes &&
	     (tn_confine_copy_text(call, tn_confine_argument(call, change->from), from) != 0 ||
	      !tn_hold_can_take(call, from_folder, from))) ||
	    (puts && (tn_confine_copy_text(call, tn_confine_argument(call, change->to), to) != 0 ||
		      !tn_hold_can_write(call, to_folder, to, true)))) {
		tn_hold_let(call);
		return;
	}
	if (takes)
		note_change(hold, call, from_folder, from, true);
	if (puts)
		note_change(hold, call, to_folder, to, false);
	if (takes && puts)
		note_folder(hold, call, from_folder, from);
	if (puts)
		note_folder(hold, call, to_folder, to);
	tn_hold_let(call);
}

/* ---- all of it ---- */

bool tn_hold_hears(int number)
{
	switch (number) {
	case SYS_openat:
	case SYS_openat2:
	case SYS_execve:
	case SYS_execveat:
#ifdef SYS_open
	case SYS_open:
	case SYS_creat:
#endif
		return true;
	default:
		return change_of(number) != NULL;
	}
}

void tn_hold_answer(struct tn_hold *hold, const struct tn_confine_call *call)
{
	struct open_how how = {.flags = 0};
	int number = call->request->data.nr, first = (int)tn_confine_argument(call, 0);

	switch (number) {
	case SYS_openat:
		answer_open(hold, call, first, tn_confine_argument(call, 1),
			    tn_confine_argument(call, 2));
		return;
	case SYS_openat2:
		if (tn_confine_copy_in(call, tn_confine_argument(call, 2), &how, sizeof(how)) < 0)
			how.flags = O_PATH; /* the kernel will say what is wrong with it */
		answer_open(hold, call, first, tn_confine_argument(call, 1), how.flags);
		return;
#ifdef SYS_open
	case SYS_open:
		answer_open(hold, call, AT_FDCWD, tn_confine_argument(call, 0),
			    tn_confine_argument(call, 1));
		return;
	case SYS_creat:
		answer_open(hold, call, AT_FDCWD, tn_confine_argument(call, 0),
			    O_WRONLY | O_CREAT | O_TRUNC);
		return;
#endif
	case SYS_execve:
		tn_hold_answer_start(hold, call, AT_FDCWD, tn_confine_argument(call, 0));
		return;
	case SYS_execveat:
		tn_hold_answer_start(hold, call, first, tn_confine_argument(call, 1));
		return;
	default:
		answer_change(hold, call, change_of(number));
	}
}
