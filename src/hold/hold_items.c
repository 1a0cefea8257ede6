/* What was packed (hold_pack.c), unpacked, and which of it a name means. */
#include "hold/hold_items.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pass_fds.h"

enum { FDS_MAX = TN_TERM_INPUTS_MAX + 1, CLIMB_MAX = 64 };

/* ---- what is packed ---- */

void tn_hold_make_plain(char *path)
{
	char *to = path;

	for (const char *at = path; *at;) {
		size_t size = strcspn(at, "/");

		if (size && !(size == 1 && at[0] == '.')) {
			if (to != path || path[0] == '/')
				*to++ = '/';
			memmove(to, at, size);
			to += size;
		}
		at += size;
		at += *at == '/';
	}
	*to = '\0';
}

const char *tn_hold_base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct tn_hold_item **bucket_of(struct tn_hold *hold, const char *base)
{
	uint32_t sum = 2166136261u;

	for (const char *at = base; *at; at++)
		sum = (sum ^ (unsigned char)*at) * 16777619u;
	return &hold->buckets[sum % TN_HOLD_BUCKETS];
}

static bool make_room(struct tn_hold *hold)
{
	size_t room = hold->room ? 2 * hold->room : 64;
	struct tn_hold_item *items;

	if (hold->count < hold->room)
		return true;
	items = tn_mem_resize(hold->items, room * sizeof(*items));
	if (!items)
		return false;
	hold->items = items;
	hold->room = room;
	return true;
}

struct reader {
	const char *at, *end;
	const int *fds;
	size_t fd_count, used;
};

static bool take(struct reader *reader, size_t size, const char **ret)
{
	if ((size_t)(reader->end - reader->at) < size)
		return false;
	*ret = reader->at;
	reader->at += size;
	return true;
}

/* False: it ends in the middle. */
static bool read_item(struct reader *reader, struct tn_hold_item *ret)
{
	struct tn_hold_entry entry;
	const char *from, *path, *bytes;

	if (!take(reader, sizeof(entry), &from))
		return false;
	memcpy(&entry, from, sizeof(entry));
	if (!entry.path_size || !take(reader, entry.path_size, &path) ||
	    !take(reader, entry.bytes_size, &bytes) ||
	    (entry.has_fd && reader->used == reader->fd_count))
		return false;
	*ret = (struct tn_hold_item){.kind = (enum tn_input_kind)entry.kind,
				     .fd = entry.has_fd ? reader->fds[reader->used++] : -1,
				     .has_copy = entry.has_fd || entry.has_bytes,
				     .bytes = tn_str(bytes, entry.bytes_size),
				     .path = tn_mem_copy_text(path, entry.path_size - 1),
				     .device = entry.device,
				     .inode = entry.inode};
	memcpy(ret->mark, entry.mark, sizeof(ret->mark));
	if (ret->path)
		tn_hold_make_plain(ret->path);
	return ret->path != NULL;
}

static bool read_items(struct tn_hold *hold, const int *fds, size_t fd_count)
{
	struct reader reader = {.fds = fds, .fd_count = fd_count, .used = 1};
	struct stat about;

	if (fd_count < 1 || fstat(fds[0], &about) != 0 || about.st_size <= 0)
		return false;
	reader.at = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fds[0], 0);
	if (reader.at == MAP_FAILED)
		return false;
	reader.end = reader.at + about.st_size; /* mapped as long as we live */
	while (reader.at < reader.end) {
		if (!make_room(hold) || !read_item(&reader, &hold->items[hold->count]))
			return false;
		hold->count++;
	}
	return true;
}

/* The first that was packed is the first that is found. */
static void sort_items(struct tn_hold *hold)
{
	for (size_t i = hold->count; i-- > 0;) {
		struct tn_hold_item *item = &hold->items[i], **list;

		list = item->kind == TN_INPUT_CLOSED ? &hold->closed
						     : bucket_of(hold, tn_hold_base_of(item->path));
		item->next_same = *list;
		*list = item;
	}
}

struct tn_hold *tn_hold_unpack(int fd)
{
	struct tn_hold *hold = tn_mem_alloc(sizeof(*hold));
	int fds[FDS_MAX];
	size_t count = tn_pass_fds_receive(fd, fds, FDS_MAX);

	(void)close(fd);
	if (!hold || !count || !read_items(hold, fds, count)) {
		errno = hold ? EPROTO : ENOMEM;
		return NULL; /* its process ends */
	}
	sort_items(hold);
	return hold;
}

/* ---- which of them ---- */

bool tn_hold_folder_of(const struct tn_confine_call *call, int folder, char out[PATH_MAX])
{
	char link[TN_HOLD_LINK_BYTES];
	ssize_t size;

	if (folder == AT_FDCWD)
		(void)snprintf(link, sizeof(link), "/proc/%u/cwd", call->request->pid);
	else
		(void)snprintf(link, sizeof(link), "/proc/%u/fd/%d", call->request->pid, folder);
	size = readlink(link, out, PATH_MAX - 1);
	out[size > 0 ? size : 0] = '\0';
	return size > 0;
}

/* The same name, as we have to say it. False: it is too long. */
static bool seen_as(const struct tn_confine_call *call, int folder, const char *path, size_t size,
		    char out[PATH_MAX + TN_HOLD_LINK_BYTES])
{
	const size_t room = PATH_MAX + TN_HOLD_LINK_BYTES;
	unsigned pid = call->request->pid;
	int put;

	if (path[0] == '/')
		put = snprintf(out, room, "/proc/%u/root%.*s", pid, (int)size, path);
	else if (folder == AT_FDCWD)
		put = snprintf(out, room, "/proc/%u/cwd/%.*s", pid, (int)size, path);
	else
		put = snprintf(out, room, "/proc/%u/fd/%d/%.*s", pid, folder, (int)size, path);
	return put > 0 && (size_t)put < room;
}

int tn_hold_open_as(const struct tn_confine_call *call, int folder, const char *path, int flags)
{
	char at[PATH_MAX + TN_HOLD_LINK_BYTES];

	if (!seen_as(call, folder, path, strlen(path), at)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(at, flags);
}

static bool may_change_folder_of(const struct tn_confine_call *call, int folder, const char *path)
{
	char at[PATH_MAX + TN_HOLD_LINK_BYTES];

	return seen_as(call, folder, path, (size_t)(tn_hold_base_of(path) - path), at) &&
	       faccessat(AT_FDCWD, at, W_OK | X_OK, AT_EACCESS) == 0;
}

bool tn_hold_can_write(const struct tn_confine_call *call, int folder, const char *path,
		       bool may_create)
{
	char at[PATH_MAX + TN_HOLD_LINK_BYTES];

	if (!seen_as(call, folder, path, strlen(path), at))
		return false;
	if (faccessat(AT_FDCWD, at, W_OK, AT_EACCESS) == 0)
		return true;
	return may_create && may_change_folder_of(call, folder, path);
}

bool tn_hold_can_take(const struct tn_confine_call *call, int folder, const char *path)
{
	char at[PATH_MAX + TN_HOLD_LINK_BYTES];
	struct stat about;

	return seen_as(call, folder, path, strlen(path), at) && lstat(at, &about) == 0 &&
	       may_change_folder_of(call, folder, path);
}

/* By what the folder is, whatever its name leads to by now; or by its name, whatever stands there
 * by now, and however it was come to. */
static bool lies_in(const struct tn_confine_call *call, int folder, const char *path,
		    const struct tn_hold_item *item)
{
	char at[PATH_MAX + TN_HOLD_LINK_BYTES];
	struct stat about, named;

	if (!seen_as(call, folder, path, (size_t)(tn_hold_base_of(path) - path), at) ||
	    stat(at, &about) != 0)
		return false;
	if (item->inode && about.st_dev == item->device && about.st_ino == item->inode)
		return true;
	(void)snprintf(at, sizeof(at), "/proc/%u/root%.*s", call->request->pid,
		       (int)(tn_hold_base_of(item->path) - item->path), item->path);
	return stat(at, &named) == 0 && about.st_dev == named.st_dev &&
	       about.st_ino == named.st_ino;
}

static bool has_whole_name(const struct tn_confine_call *call, int folder, const char *path,
			   const struct tn_hold_item *item)
{
	char whole[2 * PATH_MAX] = "", from[PATH_MAX] = "";

	if (path[0] != '/' && !tn_hold_folder_of(call, folder, from))
		return false;
	(void)snprintf(whole, sizeof(whole), "%s%s%s", from, path[0] == '/' ? "" : "/", path);
	tn_hold_make_plain(whole);
	return strcmp(whole, item->path) == 0;
}

struct tn_hold_item *tn_hold_find_next(struct tn_hold *hold, const struct tn_confine_call *call,
				       int folder, const char *path,
				       const struct tn_hold_item *after)
{
	const char *base = tn_hold_base_of(path);
	struct tn_hold_item *at = after ? after->next_same : *bucket_of(hold, base);

	for (; at; at = at->next_same) {
		if (!at->is_own && strcmp(tn_hold_base_of(at->path), base) == 0 &&
		    (has_whole_name(call, folder, path, at) || lies_in(call, folder, path, at)))
			return at;
	}
	return NULL;
}

struct tn_hold_item *tn_hold_find(struct tn_hold *hold, const struct tn_confine_call *call,
				  int folder, const char *path)
{
	return tn_hold_find_next(hold, call, folder, path, NULL);
}

static bool is_one_of(const struct tn_hold_item *folders, const struct stat *about)
{
	for (const struct tn_hold_item *at = folders; at; at = at->next_same) {
		if (at->device == about->st_dev && at->inode == about->st_ino)
			return true;
	}
	return false;
}

/* From the folder that it lies in upwards. */
bool tn_hold_is_closed(const struct tn_hold *hold, const struct tn_confine_call *call, int folder,
		       const char *path)
{
	char at[PATH_MAX + TN_HOLD_LINK_BYTES];
	struct stat about, last = {0};
	bool is = false;
	int fd = -1;

	if (hold->closed && seen_as(call, folder, path, (size_t)(tn_hold_base_of(path) - path), at))
		fd = open(at, O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; fd >= 0 && !is && i < CLIMB_MAX && fstat(fd, &about) == 0; i++) {
		int up;

		is = is_one_of(hold->closed, &about);
		if (is || (about.st_ino == last.st_ino && about.st_dev == last.st_dev))
			break;
		last = about;
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		(void)close(fd); /* only a name */
		fd = up;
	}
	if (fd >= 0)
		(void)close(fd); /* only a name */
	return is;
}
