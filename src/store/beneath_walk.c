/* For kernels before 5.6, for filters that refuse openat2, and for every path with a link in it:
 * the kernel follows no link that begins with a slash beneath a folder, and people have them. */
#include "store/beneath_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/limits.h"

enum { STEP_FLAGS = O_PATH | O_NOFOLLOW | O_CLOEXEC, LEVELS_MAX = PATH_MAX / 2 + 1, TRIES = 16 };

struct level {
	dev_t device;
	ino_t inode;
};

struct walk {
	const struct tn_roots *roots;
	struct tn_place *place; /* its path and descriptor are those of the folder we are in */
	size_t path_size;
	char rest[PATH_MAX]; /* what is still to be gone */
	const char *at;      /* into rest */
	unsigned links;
	size_t depth; /* of the folder we are in; 0 is "/" */
	struct level levels[LEVELS_MAX];
};

enum tenon_code tn_beneath_fail(struct tenon_error *err, int number)
{
	switch (number) {
	case ENOENT:
		return tn_fail(err, TENON_NOT_FOUND, "there is no such file or folder");
	case ENOTDIR:
		return tn_fail(err, TENON_NOT_FOUND, "a file is where a folder should be");
	case EACCES:
	case EPERM:
		return tn_fail(err, TENON_DENIED,
			       "the permissions of the file or of a folder on "
			       "the way to it do not allow that");
	case EROFS:
		return tn_fail(err, TENON_DENIED, "the file system is read-only");
	case ELOOP:
		return tn_fail(err, TENON_DENIED, "a symbolic link is where none may be");
	case ENAMETOOLONG:
		return tn_fail(err, TENON_INVALID, "the path is too long");
	default:
		return tn_fail_errno(err, number, "open path");
	}
}

enum tenon_code tn_beneath_refuse(struct tenon_error *err)
{
	return tn_fail(err, TENON_DENIED, "the path is in none of the folders that are allowed");
}

/* ---- a root ---- */

static int step_linkless(int folder, const char *path)
{
	char name[NAME_MAX + 1];
	int fd = folder;

	while (fd >= 0 && *(path += strspn(path, "/"))) {
		size_t size = strcspn(path, "/");
		int next = -1;

		if (size < sizeof(name)) {
			(void)snprintf(name, sizeof(name), "%.*s", (int)size, path);
			next = openat(fd, name, STEP_FLAGS | O_DIRECTORY);
		} else {
			errno = ENAMETOOLONG;
		}
		(void)close(fd); /* nothing was written */
		fd = next;
		path += size;
	}
	return fd;
}

int tn_beneath_open_linkless(const char *path, bool walk_only)
{
	struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
			       .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
	int fd = -1;

	if (!walk_only)
		fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (fd >= 0 || (!walk_only && errno != ENOSYS && errno != EPERM))
		return fd;
	fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? fd : step_linkless(fd, path);
}

/* ---- where we are ---- */

static enum tenon_code start_at_top(struct walk *walk, struct tenon_error *err)
{
	struct stat status;
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return tn_beneath_fail(err, errno);
	tn_place_close(walk->place);
	walk->place->folder = fd;
	walk->depth = 0;
	walk->path_size = 0;
	if (fstat(fd, &status) != 0)
		return tn_beneath_fail(err, errno);
	walk->levels[0] = (struct level){status.st_dev, status.st_ino};
	return TENON_OK;
}

static bool came_through(const struct walk *walk, const struct stat *root)
{
	for (size_t i = 0; i <= walk->depth; i++) {
		if (walk->levels[i].device == root->st_dev && walk->levels[i].inode == root->st_ino)
			return true;
	}
	return false;
}

static bool is_inside(const struct walk *walk)
{
	for (size_t i = 0; i < walk->roots->count; i++) {
		struct stat status;
		int fd = -1;
		bool found;

		if (tn_root_open(walk->roots, i, &fd, NULL) != TENON_OK)
			continue; /* what is not there allows nothing */
		found = fstat(fd, &status) == 0 && came_through(walk, &status);
		(void)close(fd); /* nothing was written */
		if (found)
			return true;
	}
	return false;
}

/* `fd` is ours from now on. */
static enum tenon_code go_into(struct walk *walk, int fd, const struct stat *status,
			       const char *name, struct tenon_error *err)
{
	size_t room = sizeof(walk->place->path) - walk->path_size;
	int size = snprintf(walk->place->path + walk->path_size, room, "/%s", name);

	if (size < 0 || (size_t)size >= room || walk->depth + 1 >= LEVELS_MAX) {
		(void)close(fd); /* nothing was written */
		return tn_beneath_fail(err, ENAMETOOLONG);
	}
	(void)close(walk->place->folder); /* nothing was written */
	walk->place->folder = fd;
	walk->path_size += (size_t)size;
	walk->levels[++walk->depth] = (struct level){status->st_dev, status->st_ino};
	return TENON_OK;
}

/* To the very folder that we came from, or nowhere: ours may have been moved meanwhile. */
static enum tenon_code go_up(struct walk *walk, struct tenon_error *err)
{
	const struct level *wanted = &walk->levels[walk->depth - (walk->depth > 0)];
	struct stat status;
	int fd;

	if (walk->depth == 0)
		return TENON_OK; /* "/.." is "/" */
	fd = openat(walk->place->folder, "..", STEP_FLAGS | O_DIRECTORY);
	if (fd < 0)
		return tn_beneath_fail(err, errno);
	if (fstat(fd, &status) != 0 || status.st_dev != wanted->device ||
	    status.st_ino != wanted->inode) {
		(void)close(fd); /* nothing was written */
		return tn_fail(err, TENON_BUSY, "a folder was moved while it was looked for");
	}
	(void)close(walk->place->folder); /* nothing was written */
	walk->place->folder = fd;
	walk->depth--;
	while (walk->place->path[--walk->path_size] != '/')
		;
	return TENON_OK;
}

/* The text of a link in front of what is still to be gone. */
static enum tenon_code follow(struct walk *walk, int link, struct tenon_error *err)
{
	char joined[PATH_MAX];
	ssize_t size = readlinkat(link, "", joined, sizeof(joined) - 1);
	size_t rest = strlen(walk->at);

	if (walk->roots->no_links)
		return tn_beneath_fail(err, ELOOP);
	if (size < 0)
		return tn_beneath_fail(err, errno);
	if (++walk->links > TN_BENEATH_LINKS_MAX)
		return tn_fail(err, TENON_NOT_FOUND, "the symbolic links on the way go in circles");
	if (size == 0 || (size_t)size + 1 + rest >= sizeof(joined))
		return tn_beneath_fail(err, ENAMETOOLONG);
	if (rest > 0) /* "link/" means what it leads to, as "link/." does */
		memcpy(joined + size, walk->at, rest);
	joined[(size_t)size + rest] = '\0';
	memcpy(walk->rest, joined, (size_t)size + rest + 1);
	walk->at = walk->rest;
	return joined[0] == '/' ? start_at_top(walk, err) : TENON_OK;
}

/* ---- the end ---- */

static enum tenon_code end_at(struct walk *walk, const char *name, struct tenon_error *err)
{
	struct tn_place *place = walk->place;
	size_t room = sizeof(place->path) - walk->path_size;
	int size = snprintf(place->path + walk->path_size, room, "/%s", name);

	if (size < 0 || (size_t)size >= room)
		return tn_beneath_fail(err, ENAMETOOLONG);
	place->name = place->path + walk->path_size + 1;
	return TENON_OK;
}

static enum tenon_code end_in_folder(struct walk *walk, struct tenon_error *err)
{
	struct tn_place *place = walk->place;

	if (fstat(place->folder, &place->status) != 0)
		return tn_beneath_fail(err, errno);
	place->exists = true;
	place->name = ".";
	if (walk->path_size == 0)
		walk->place->path[walk->path_size++] = '/';
	walk->place->path[walk->path_size] = '\0';
	return TENON_OK;
}

/* What does not exist is taken as it is written: it may not go up. */
static enum tenon_code end_missing(struct walk *walk, const char *name, struct tenon_error *err)
{
	char parts[PATH_MAX];
	size_t used = (size_t)snprintf(parts, sizeof(parts), "%s", name);

	walk->place->exists = false;
	walk->place->has_slash = walk->at[0] != '\0';
	while (*(walk->at += strspn(walk->at, "/"))) {
		size_t size = strcspn(walk->at, "/");

		if (size == 2 && memcmp(walk->at, "..", 2) == 0)
			return tn_fail(err, TENON_DENIED,
				       "the path goes up (..) from a folder that does not exist");
		if (size > NAME_MAX || used + size + 2 > sizeof(parts))
			return tn_beneath_fail(err, ENAMETOOLONG);
		if (size != 1 || *walk->at != '.')
			used += (size_t)snprintf(parts + used, sizeof(parts) - used, "/%.*s",
						 (int)size, walk->at);
		walk->at += size;
		walk->place->has_slash = *walk->at == '/';
	}
	return end_at(walk, parts, err);
}

/* ---- steps ---- */

enum found { GOES_ON, ENDS };

static enum tenon_code step_onto(struct walk *walk, int fd, const char *name, enum found *ret,
				 struct tenon_error *err)
{
	struct stat *status = &walk->place->status;
	enum tenon_code code;

	if (fstat(fd, status) != 0) {
		code = tn_beneath_fail(err, errno);
	} else if (S_ISDIR(status->st_mode)) {
		return go_into(walk, fd, status, name, err);
	} else if (S_ISLNK(status->st_mode)) {
		code = follow(walk, fd, err);
	} else if (walk->at[0]) { /* "file/" too */
		code = tn_beneath_fail(err, ENOTDIR);
	} else {
		walk->place->exists = true;
		*ret = ENDS;
		code = end_at(walk, name, err);
	}
	(void)close(fd); /* nothing was written */
	return code;
}

static enum tenon_code step(struct walk *walk, const char *name, enum found *ret,
			    struct tenon_error *err)
{
	int fd;

	if (strcmp(name, ".") == 0)
		return TENON_OK;
	if (strcmp(name, "..") == 0)
		return go_up(walk, err);
	fd = openat(walk->place->folder, name, STEP_FLAGS);
	if (fd >= 0)
		return step_onto(walk, fd, name, ret, err);
	if (errno != ENOENT)
		return tn_beneath_fail(err, errno);
	*ret = ENDS;
	return end_missing(walk, name, err);
}

static enum tenon_code go(struct walk *walk, struct tenon_error *err)
{
	enum tenon_code code = start_at_top(walk, err);
	enum found found = GOES_ON;

	while (code == TENON_OK && found == GOES_ON) {
		size_t size;
		char name[NAME_MAX + 1];

		walk->at += strspn(walk->at, "/");
		size = strcspn(walk->at, "/");
		if (size == 0)
			return end_in_folder(walk, err);
		if (size >= sizeof(name))
			return tn_beneath_fail(err, ENAMETOOLONG);
		memcpy(name, walk->at, size);
		name[size] = '\0';
		walk->at += size;
		code = step(walk, name, &found, err);
	}
	return code;
}

static enum tenon_code walk_once(const struct tn_roots *roots, const char *path,
				 struct tn_place *ret, struct tenon_error *err)
{
	struct walk walk = {.roots = roots, .place = ret, .depth = 0};
	enum tenon_code code;

	walk.at = walk.rest;
	ret->folder = -1;
	(void)snprintf(walk.rest, sizeof(walk.rest), "%s", path);
	code = go(&walk, err);
	/* What lies elsewhere is refused alike, whether it is there or not. */
	if (ret->folder >= 0 && !is_inside(&walk))
		code = tn_beneath_refuse(err);
	if (code != TENON_OK)
		tn_place_close(ret);
	return code;
}

enum tenon_code tn_beneath_walk(const struct tn_roots *roots, const char *path,
				struct tn_place *ret, struct tenon_error *err)
{
	enum tenon_code code = TENON_BUSY;

	for (int tries = 0; tries < TRIES && code == TENON_BUSY; tries++)
		code = walk_once(roots, path, ret, err);
	return code;
}
