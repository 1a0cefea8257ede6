#include "store/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/beneath_walk.h"
#include "store/file.h"
#include "store/limits.h"

/* ---- roots ---- */

/* Without slashes that mean nothing. False: it has "." or "..", which ask what is there. */
static bool normalise(const char *path, char ret[PATH_MAX])
{
	size_t used = 0;

	while (*(path += strspn(path, "/"))) {
		size_t size = strcspn(path, "/");

		if (*path == '.' && (size == 1 || (size == 2 && path[1] == '.')))
			return false;
		used += (size_t)snprintf(ret + used, PATH_MAX - used, "/%.*s", (int)size, path);
		path += size;
	}
	if (used == 0)
		(void)snprintf(ret, PATH_MAX, "/");
	return true;
}

static enum tenon_code add_root(struct tn_roots *roots, const char *folder, struct tenon_error *err)
{
	struct tn_root *root = &roots->list[roots->count];
	char plain[PATH_MAX];
	int fd = -1;

	if (folder[0] != '/' || strlen(folder) >= sizeof(plain))
		return tn_fail(err, TENON_INVALID,
			       "a folder that is allowed must be an absolute path of less than %d "
			       "bytes",
			       PATH_MAX);
	root->is_loose = !normalise(folder, plain);
	if (!root->is_loose) {
		fd = tn_beneath_open_linkless(plain, roots->walk_only);
		root->is_loose = fd < 0;
	}
	if (fd >= 0)
		(void)close(fd); /* only looked at */
	root->path = tn_arena_copy(&roots->arena, tn_str_from(root->is_loose ? folder : plain));
	if (!root->path)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	roots->count++;
	return TENON_OK;
}

enum tenon_code tn_roots_init(struct tn_roots *roots, const char *const *folders,
			      struct tenon_error *err)
{
	const char *walk_only = getenv("TENON_NO_OPENAT2");
	enum tenon_code code = TENON_OK;
	size_t count = 0;

	while (folders[count])
		count++;
	*roots = (struct tn_roots){.walk_only = walk_only && strcmp(walk_only, "1") == 0};
	if (count > TN_BENEATH_ROOTS_MAX)
		return tn_fail(err, TENON_LIMIT, "%zu folders are allowed; send at most %d", count,
			       TN_BENEATH_ROOTS_MAX);
	tn_arena_init(&roots->arena, TN_MIB);
	roots->list = tn_arena_alloc_array(&roots->arena, count + 1, sizeof(*roots->list));
	if (!roots->list)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = add_root(roots, folders[i], err);
	if (code != TENON_OK)
		tn_roots_finish(roots);
	return code;
}

void tn_roots_finish(struct tn_roots *roots)
{
	tn_arena_finish(&roots->arena);
	roots->list = NULL;
	roots->count = 0;
}

enum tenon_code tn_root_open(const struct tn_roots *roots, size_t index, int *ret_fd,
			     struct tenon_error *err)
{
	const struct tn_root *root = &roots->list[index];
	int fd = root->is_loose ? open(root->path, O_PATH | O_DIRECTORY | O_CLOEXEC)
				: tn_beneath_open_linkless(root->path, roots->walk_only);

	if (fd < 0)
		return tn_beneath_fail(err, errno);
	*ret_fd = fd;
	return TENON_OK;
}

/* ---- the short way ---- */

/* What follows the root, or NULL. */
static const char *after_root(const char *path, const char *root)
{
	size_t size = strcmp(root, "/") == 0 ? 0 : strlen(root);

	if (strncmp(path, root, size) != 0 || (path[size] && path[size] != '/'))
		return NULL;
	return path + size + strspn(path + size, "/");
}

/* "a/b" to the folder "a"; one without a slash is in the root itself. */
static int open_folder(int root, const char *rest, const char *slash)
{
	struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
			       .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
					  RESOLVE_NO_MAGICLINKS};
	char folder[PATH_MAX];

	(void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - rest) : 1,
		       slash ? rest : ".");
	return (int)syscall(SYS_openat2, root, folder, &how, sizeof(how));
}

/* False: there is a link, nothing, or no openat2; the walk finds out. */
static bool find_short(int root, const char *rest, struct tn_place *ret)
{
	const char *slash = strrchr(rest, '/');
	const char *name = slash ? slash + 1 : rest;
	int fd;

	if (strlen(name) > NAME_MAX)
		return false;
	ret->folder = open_folder(root, rest, slash);
	if (ret->folder < 0)
		return false;
	ret->name = ret->path + strlen(ret->path) - strlen(name);
	fd = openat(ret->folder, *name ? name : ".", O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		ret->exists = false;
		if (errno == ENOENT)
			return true;
	} else if (fstat(fd, &ret->status) == 0 && S_ISDIR(ret->status.st_mode)) {
		tn_place_close(ret);
		ret->folder = fd;
		ret->name = ".";
		ret->exists = true;
		return true;
	} else {
		(void)close(fd); /* nothing was written */
		ret->exists = true;
		if (!S_ISLNK(ret->status.st_mode))
			return true;
	}
	tn_place_close(ret);
	return false;
}

static bool try_short(const struct tn_roots *roots, const char *path, struct tn_place *ret)
{
	char plain[PATH_MAX];

	if (roots->walk_only || !normalise(path, plain) || path[strlen(path) - 1] == '/')
		return false;
	for (size_t i = 0; i < roots->count; i++) {
		const char *rest =
			roots->list[i].is_loose ? NULL : after_root(plain, roots->list[i].path);
		int root = -1;
		bool found;

		if (!rest || tn_root_open(roots, i, &root, NULL) != TENON_OK)
			continue;
		memcpy(ret->path, plain, strlen(plain) + 1);
		found = find_short(root, rest, ret);
		(void)close(root); /* nothing was written */
		if (found)
			return true;
	}
	return false;
}

/* ---- places ---- */

static enum tenon_code find_absolute(const struct tn_roots *roots, const char *path,
				     struct tn_place *ret, struct tenon_error *err)
{
	*ret = (struct tn_place){.folder = -1};
	if (try_short(roots, path, ret))
		return TENON_OK;
	return tn_beneath_walk(roots, path, ret, err);
}

/* A path that is new in one root may be an old one in the next. */
static enum tenon_code find_in_each(const struct tn_roots *roots, const char *path,
				    struct tn_place *ret, struct tenon_error *err)
{
	enum tenon_code first = TENON_DENIED;
	size_t chosen = roots->count;
	char whole[PATH_MAX];

	(void)tn_beneath_refuse(err);
	for (size_t i = 0; i < roots->count; i++) {
		struct tenon_error why = {0};
		enum tenon_code code;

		if (snprintf(whole, sizeof(whole), "%s/%s", roots->list[i].path, path) >=
		    (int)sizeof(whole))
			continue;
		code = find_absolute(roots, whole, ret, &why);
		if (code == TENON_OK && ret->exists)
			return code;
		if (code == TENON_OK) {
			tn_place_close(ret);
			chosen = chosen < i ? chosen : i;
		} else if (first == TENON_DENIED) {
			first = code;
			if (err)
				*err = why;
		}
	}
	if (chosen == roots->count)
		return first;
	(void)snprintf(whole, sizeof(whole), "%s/%s", roots->list[chosen].path, path);
	return find_absolute(roots, whole, ret, err);
}

enum tenon_code tn_place_find(const struct tn_roots *roots, const char *path, struct tn_place *ret,
			      struct tenon_error *err)
{
	if (!path[0])
		return tn_fail(err, TENON_INVALID, "the path is empty");
	if (strlen(path) >= PATH_MAX)
		return tn_beneath_fail(err, ENAMETOOLONG);
	if (path[0] == '/')
		return find_absolute(roots, path, ret, err);
	return find_in_each(roots, path, ret, err);
}

const char *tn_place_from(const struct tn_roots *roots, const char *folder, const char *path,
			  char ret[PATH_MAX])
{
	struct tn_place place;
	bool fits;

	if (!folder || folder[0] != '/' || !path[0] || path[0] == '/' ||
	    tn_place_find(roots, folder, &place, NULL) != TENON_OK)
		return path;
	fits = tn_place_is_folder(&place) &&
	       snprintf(ret, PATH_MAX, "%s/%s", place.path, path) < PATH_MAX;
	tn_place_close(&place);
	return fits ? ret : path;
}

void tn_place_close(struct tn_place *place)
{
	if (place->folder >= 0)
		(void)close(place->folder); /* nothing was written through it */
	place->folder = -1;
}

/* ---- making folders ---- */

static enum tenon_code enter(struct tn_place *place, const char *name, mode_t mode,
			     struct tenon_error *err)
{
	int fd;

	if (mkdirat(place->folder, name, mode) != 0 && errno != EEXIST)
		return tn_beneath_fail(err, errno);
	/* Whatever was put there instead since: a link is not gone through. */
	fd = openat(place->folder, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return tn_beneath_fail(err, errno);
	(void)close(place->folder); /* nothing was written through it */
	place->folder = fd;
	return TENON_OK;
}

enum tenon_code tn_place_make(struct tn_place *place, enum tn_place_kind kind, mode_t mode,
			      struct tenon_error *err)
{
	char name[NAME_MAX + 1];
	enum tenon_code code = TENON_OK;

	if (place->exists)
		return tn_place_is_folder(place) == (kind == TN_PLACE_FOLDER)
			       ? TENON_OK
			       : tn_beneath_fail(err, kind == TN_PLACE_FOLDER ? ENOTDIR : EISDIR);
	while (code == TENON_OK && *place->name) {
		const char *slash = strchr(place->name, '/');
		size_t size = slash ? (size_t)(slash - place->name) : strlen(place->name);

		if (!slash && kind == TN_PLACE_FILE)
			return TENON_OK;
		(void)snprintf(name, sizeof(name), "%.*s", (int)size, place->name);
		code = enter(place, name, mode, err);
		if (code == TENON_OK)
			place->name += size + (slash != NULL);
	}
	if (code == TENON_OK && fstat(place->folder, &place->status) != 0)
		code = tn_beneath_fail(err, errno);
	if (code == TENON_OK) {
		place->name = ".";
		place->exists = true;
	}
	return code;
}

/* ---- files ---- */

static enum tenon_code check_file(const struct tn_place *place, struct tenon_error *err)
{
	if (tn_place_is_folder(place) || place->has_slash)
		return tn_fail(err, TENON_INVALID, "the path names a folder, not a file");
	if (strchr(place->name, '/'))
		return tn_fail(err, TENON_NOT_FOUND, "its folder does not exist");
	return TENON_OK;
}

/* Files that the kernel makes up as they are read: our own memory and surroundings among them. */
static bool is_made_up(int fd)
{
	struct statfs status;

	return fstatfs(fd, &status) == 0 &&
	       (status.f_type == PROC_SUPER_MAGIC || status.f_type == SYSFS_MAGIC ||
		status.f_type == DEBUGFS_MAGIC || status.f_type == TRACEFS_MAGIC ||
		status.f_type == SECURITYFS_MAGIC);
}

enum tenon_code tn_place_open(const struct tn_place *place, int *ret_fd, struct tenon_error *err)
{
	enum tenon_code code = check_file(place, err);
	int fd = -1;

	if (code == TENON_OK && !place->exists)
		code = tn_beneath_fail(err, ENOENT);
	/* Before it is opened: that alone does things with some devices. */
	if (code == TENON_OK && !S_ISREG(place->status.st_mode))
		code = tn_fail(err, TENON_DENIED, "this is no ordinary file");
	if (code == TENON_OK)
		code = tn_file_open_at(place->folder, place->name,
				       TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd, err);
	if (code != TENON_OK)
		return code;
	if (is_made_up(fd)) {
		(void)close(fd); /* nothing was read */
		return tn_fail(err, TENON_DENIED, "this is no ordinary file");
	}
	*ret_fd = fd;
	return TENON_OK;
}

enum tenon_code tn_place_read(const struct tn_place *place, struct tn_buf *out,
			      struct tenon_error *err)
{
	enum tenon_code code;
	int fd = -1;

	code = tn_place_open(place, &fd, err);
	if (code != TENON_OK)
		return code;
	code = tn_buf_read_all(out, fd, err);
	(void)close(fd); /* only read from */
	return code;
}

enum tenon_code tn_place_write(const struct tn_place *place, mode_t mode, struct tn_str data,
			       struct tenon_error *err)
{
	enum tenon_code code = check_file(place, err);

	if (code == TENON_OK && place->exists && !S_ISREG(place->status.st_mode))
		code = tn_fail(err, TENON_DENIED, "what is there is no ordinary file");
	return code == TENON_OK ? tn_file_write_at(place->folder, place->name, mode, data, err)
				: code;
}

enum tenon_code tn_place_remove(const struct tn_place *place, struct tenon_error *err)
{
	enum tenon_code code = check_file(place, err);

	if (code == TENON_NOT_FOUND)
		return TENON_OK;
	if (code != TENON_OK)
		return code;
	if (unlinkat(place->folder, place->name, 0) != 0 && errno != ENOENT)
		return tn_beneath_fail(err, errno);
	return TENON_OK;
}

enum tenon_code tn_place_folder(const struct tn_place *place, int *ret_fd, struct tenon_error *err)
{
	int fd;

	if (!place->exists)
		return tn_beneath_fail(err, ENOENT);
	if (!tn_place_is_folder(place))
		return tn_fail(err, TENON_INVALID, "the path names a file, not a folder");
	fd = openat(place->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return tn_beneath_fail(err, errno);
	*ret_fd = fd;
	return TENON_OK;
}
