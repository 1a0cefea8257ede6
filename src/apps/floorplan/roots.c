#include "apps/floorplan/roots.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "store/file.h"

/* ---- which folders ---- */

static enum tenon_code add_folder(struct tn_floor_roots *roots, const char *folder,
				  struct tenon_error *err)
{
	char real[PATH_MAX];

	if (!realpath(folder, real))
		return TENON_OK; /* it is not there, and allows nothing */
	roots->folders[roots->count] = tn_arena_copy(&roots->arena, tn_str_from(real));
	if (!roots->folders[roots->count])
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	roots->count++;
	return TENON_OK;
}

static enum tenon_code add_list(struct tn_floor_roots *roots, const char *list,
				struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	while (*list && code == TENON_OK) {
		size_t size = strcspn(list, ":");
		char folder[PATH_MAX];

		if (size > 0 && (list[0] != '/' || size >= sizeof(folder)))
			return tn_fail(err, TENON_INVALID,
				       "TENON_FLOORPLAN_ROOTS has '%.*s'; send absolute folders",
				       (int)(size > 100 ? 100 : size), list);
		if (size > 0) {
			memcpy(folder, list, size);
			folder[size] = '\0';
			code = add_folder(roots, folder, err);
		}
		list += size + (list[size] == ':');
	}
	return code;
}

static size_t count_pieces(const char *list)
{
	size_t count = 1;

	for (; *list; list++)
		count += *list == ':';
	return count;
}

enum tenon_code tn_floor_roots_read(struct tn_floor_roots *roots, const char *list,
				    struct tenon_error *err)
{
	char here[PATH_MAX];
	enum tenon_code code = TENON_OK;

	*roots = (struct tn_floor_roots){.count = 0};
	tn_arena_init(&roots->arena, TN_CONFIG_ARENA_MAX);
	roots->folders = tn_arena_alloc_array(&roots->arena, count_pieces(list ? list : "") + 1,
					      sizeof(*roots->folders));
	if (!roots->folders)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	else if (list && list[0])
		code = add_list(roots, list, err);
	else if (getcwd(here, sizeof(here)) && strcmp(here, "/") != 0)
		code = add_folder(roots, here,
				  err); /* "/" would be everything: nobody meant that */
	if (code != TENON_OK)
		tn_floor_roots_finish(roots);
	return code;
}

void tn_floor_roots_finish(struct tn_floor_roots *roots)
{
	tn_arena_finish(&roots->arena);
	roots->folders = NULL;
	roots->count = 0;
}

/* ---- a path ---- */

static bool is_below(const char *path, const char *folder)
{
	size_t size = strlen(folder);

	if (size == 1) /* "/" */
		return true;
	return strncmp(path, folder, size) == 0 && path[size] == '/';
}

static bool is_allowed(const struct tn_floor_roots *roots, const char *real)
{
	for (size_t i = 0; i < roots->count; i++) {
		if (is_below(real, roots->folders[i]))
			return true;
	}
	return false;
}

/* A file that is there by its own real path, another by that of its folder. */
static bool resolve(const char *path, char ret[PATH_MAX], bool *ret_exists)
{
	char folder[PATH_MAX], real[PATH_MAX];
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t size = slash ? (size_t)(slash - path) : 0;

	*ret_exists = realpath(path, ret) != NULL;
	if (*ret_exists)
		return true;
	if (!slash || size >= sizeof(folder) || !name[0] || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0)
		return false;
	memcpy(folder, path, size);
	folder[size] = '\0';
	if (!realpath(size > 0 ? folder : "/", real))
		return false;
	return snprintf(ret, PATH_MAX, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name) <
	       PATH_MAX;
}

struct search {
	char best[PATH_MAX]; /* empty: none */
	bool exists, outside;
};

static void try_path(const struct tn_floor_roots *roots, const char *path, struct search *search)
{
	char real[PATH_MAX];
	bool exists = false;

	if (search->exists || !resolve(path, real, &exists))
		return;
	if (!is_allowed(roots, real)) {
		search->outside = true;
		return;
	}
	if (exists || !search->best[0]) {
		memcpy(search->best, real, strlen(real) + 1);
		search->exists = exists;
	}
}

/* What lies elsewhere is refused alike, whether it is there or not. */
static enum tenon_code refuse(const struct tn_floor_roots *roots, const char *path, bool outside,
			      struct tenon_error *err)
{
	bool inside = !strstr(path, "..") && (path[0] != '/' || is_allowed(roots, path));

	if (roots->count == 0)
		return tn_fail(err, TENON_DENIED,
			       "no folder is allowed for '%.150s'; set floorplan.roots", path);
	if (outside || !inside)
		return tn_fail(err, TENON_DENIED,
			       "'%.150s' is in no folder that plans may lie in (setting "
			       "floorplan.roots)",
			       path);
	return tn_fail(err, TENON_NOT_FOUND, "there is no folder for '%.150s'", path);
}

enum tenon_code tn_floor_roots_find(const struct tn_floor_roots *roots, const char *path,
				    struct tn_buf *ret_path, struct tenon_error *err)
{
	struct search search = {.best = ""};
	char whole[PATH_MAX];

	if (!path || !path[0] || strlen(path) >= sizeof(whole))
		return tn_fail(err, TENON_INVALID, "send the path of a file");
	if (path[0] == '/')
		try_path(roots, path, &search);
	for (size_t i = 0; path[0] != '/' && i < roots->count; i++) {
		if (snprintf(whole, sizeof(whole), "%s/%s", roots->folders[i], path) <
		    (int)sizeof(whole))
			try_path(roots, whole, &search);
	}
	if (!search.best[0])
		return refuse(roots, path, search.outside, err);
	tn_buf_append_text(ret_path, search.best);
	tn_buf_append_byte(ret_path, '\0');
	if (ret_path->failed)
		return tn_buf_check(ret_path, err);
	ret_path->size--; /* the NUL stays behind the last byte */
	return TENON_OK;
}

/* ---- the file ---- */

/* A folder on the way may have become a link between looking and opening: the kernel knows. */
static bool opened_inside(const struct tn_floor_roots *roots, int fd)
{
	char link[64], real[PATH_MAX];
	ssize_t size;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, real, sizeof(real) - 1);
	if (size <= 0)
		return false;
	real[size] = '\0';
	return is_allowed(roots, real);
}

enum tenon_code tn_floor_roots_load(const struct tn_floor_roots *roots, const char *real_path,
				    struct tn_buf *text, struct tenon_error *err)
{
	enum tenon_code code;
	int fd = -1;

	code = tn_file_open(real_path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd, err);
	if (code != TENON_OK)
		return code;
	if (opened_inside(roots, fd))
		code = tn_buf_read_all(text, fd, err);
	else
		code = tn_fail(err, TENON_DENIED, "this file lies outside the allowed folders");
	(void)close(fd); /* only read from */
	return code;
}

enum tenon_code tn_floor_roots_store(const struct tn_floor_roots *roots, const char *real_path,
				     struct tn_str text, struct tenon_error *err)
{
	char real[PATH_MAX];
	bool exists = false;

	/* Once more, as near to the writing as can be. */
	if (!resolve(real_path, real, &exists) || strcmp(real, real_path) != 0 ||
	    !is_allowed(roots, real))
		return tn_fail(err, TENON_DENIED, "this file lies outside the allowed folders");
	return tn_file_write(real_path, 0644, text, err);
}
