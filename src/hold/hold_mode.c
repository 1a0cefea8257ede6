/* chmod of what is only known by its mark (hold.h): the mark changes with it, and what is started
 * later is still what was judged. It is carried out here, while nobody can write to the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"
#include "hold/hold_items.h"

enum { FCHMODAT2 = 452, MODE_BITS = 07777 };

/* Which arguments are what; -1: none. */
static const struct shape {
	int number, folder, path, descriptor, mode, flags;
} shapes[] = {
	{SYS_fchmodat, 0, 1, -1, 2, -1},
	{FCHMODAT2, 0, 1, -1, 2, 3},
	{SYS_fchmod, -1, -1, 0, 1, -1},
#ifdef SYS_chmod
	{SYS_chmod, -1, 0, -1, 1, -1},
#endif
};

static const struct shape *shape_of(int number)
{
	for (size_t i = 0; i < TN_COUNT(shapes); i++) {
		if (shapes[i].number == number)
			return &shapes[i];
	}
	return NULL;
}

bool tn_hold_changes_mode(int number)
{
	return shape_of(number) != NULL;
}

/* The file, open to read; -1: it is none that we could have looked at. */
static int open_object(const struct tn_confine_call *call, const struct shape *shape)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	char path[PATH_MAX], link[TN_HOLD_LINK_BYTES];

	if (shape->flags >= 0 && tn_confine_argument(call, shape->flags) != 0)
		return -1;
	if (shape->descriptor >= 0) {
		(void)snprintf(link, sizeof(link), "/proc/%u/fd/%d", call->request->pid,
			       (int)tn_confine_argument(call, shape->descriptor));
		return open(link, flags);
	}
	if (tn_confine_copy_text(call, tn_confine_argument(call, shape->path), path) != 0 || !*path)
		return -1;
	return tn_hold_open_as(
		call, shape->folder < 0 ? AT_FDCWD : (int)tn_confine_argument(call, shape->folder),
		path, flags);
}

static bool is_known(const struct tn_hold *hold, const char *mark)
{
	for (size_t i = 0; i < hold->count; i++) {
		if (!hold->items[i].is_own && !hold->items[i].has_copy && hold->items[i].mark[0] &&
		    strcmp(hold->items[i].mark, mark) == 0)
			return true;
	}
	return false;
}

static void mark_anew(struct tn_hold *hold, const char *before, const char *now)
{
	for (size_t i = 0; i < hold->count; i++) {
		struct tn_hold_item *item = &hold->items[i];

		if (!item->is_own && !item->has_copy && strcmp(item->mark, before) == 0)
			(void)snprintf(item->mark, sizeof(item->mark), "%s", now);
	}
}

/* A lease (fcntl(2)) is only had while nobody can write, and whoever wants to waits until we give
 * it back. Where there is none (another's file) the time of the last write has to do. */
static bool shut_out_writers(int fd)
{
	return fcntl(fd, F_SETLEASE, F_RDLCK) == 0 || errno != EAGAIN;
}

static bool same_bytes(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* False: it is not for us to say. */
static bool change_mode(struct tn_hold *hold, int fd, mode_t mode, int *error)
{
	char before[TN_HOLD_MARK_SIZE], now[TN_HOLD_MARK_SIZE];
	struct stat then, after;

	if (!shut_out_writers(fd) || fstat(fd, &then) != 0 || !S_ISREG(then.st_mode) ||
	    !tn_inputs_mark_fd(fd, before, sizeof(before)) || !is_known(hold, before))
		return false;
	*error = fchmod(fd, mode & MODE_BITS) == 0 ? 0 : errno;
	if (!*error && fstat(fd, &after) == 0 && same_bytes(&then, &after) &&
	    tn_inputs_mark_fd(fd, now, sizeof(now)))
		mark_anew(hold, before, now);
	return true;
}

static bool may_change(const struct tn_confine *confine, int fd)
{
	char link[TN_HOLD_LINK_BYTES], path[PATH_MAX];
	ssize_t size;

	if (confine->only_holds)
		return true;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, sizeof(path) - 1);
	path[size > 0 ? size : 0] = '\0';
	return tn_confine_may_write(confine, path);
}

bool tn_hold_answer_mode(struct tn_hold *hold, const struct tn_confine_call *call)
{
	const struct shape *shape = shape_of(call->request->data.nr);
	int fd = open_object(call, shape), error = 0;
	bool answered =
		fd >= 0 && may_change(call->watch->confine, fd) &&
		change_mode(hold, fd, (mode_t)tn_confine_argument(call, shape->mode), &error);

	if (fd >= 0)
		(void)close(fd); /* and with it the lease */
	if (answered)
		tn_confine_reply(call, error, 0);
	return answered;
}
