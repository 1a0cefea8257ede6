#include "apps/plan/allowed_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "store/file.h"

static enum tenon_code refuse(const char **ret_reason, struct tenon_error *err)
{
	*ret_reason = "path_not_allowed";
	return tn_fail(err, TENON_DENIED,
		       "this path is in none of the folders the operator allows");
}

static enum tenon_code fail_missing(const char **ret_reason, struct tenon_error *err)
{
	*ret_reason = "no_such_file";
	return tn_fail(err, TENON_NOT_FOUND, "there is no such file that may be read");
}

/* "..", at the start, between slashes or at the end. */
static bool climbs(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")); at += 2) {
		if ((at == path || at[-1] == '/') && (at[2] == '\0' || at[2] == '/'))
			return true;
	}
	return false;
}

static bool is_inside(const char *path, const char *folder)
{
	size_t size = strlen(folder);

	if (size > 1 && folder[size - 1] == '/')
		size--;
	return strncmp(path, folder, size) == 0 && (path[size] == '/' || size == 1);
}

/* The descriptor's real path, asked of the kernel: a folder on the way may have become a link
 * between looking and opening. */
static bool opened_inside(int fd, const char *folder)
{
	char link[64], real[PATH_MAX];
	ssize_t size;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, real, sizeof(real) - 1);
	if (size <= 0)
		return false;
	real[size] = '\0';
	return is_inside(real, folder);
}

enum attempt { OPENED, OUTSIDE, MISSING };

static enum attempt try_folder(const char *folder, const char *path, int *ret_fd)
{
	char real_folder[PATH_MAX], wanted[PATH_MAX], real[PATH_MAX];
	struct tenon_error err = {0};
	int size, fd = -1;

	if (folder[0] != '/' || !realpath(folder, real_folder))
		return OUTSIDE; /* this folder is not there: it allows nothing */
	if (path[0] == '/' && !is_inside(path, folder) && !is_inside(path, real_folder))
		return OUTSIDE;
	size = snprintf(wanted, sizeof(wanted), "%s%s%s", path[0] == '/' ? "" : real_folder,
			path[0] == '/' ? "" : "/", path);
	if (size < 0 || (size_t)size >= sizeof(wanted) || !realpath(wanted, real))
		return MISSING;
	if (!is_inside(real, real_folder))
		return OUTSIDE;
	if (tn_file_open(real, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd, &err) != TENON_OK)
		return MISSING;
	if (!opened_inside(fd, real_folder)) {
		(void)close(fd); /* nothing was read */
		return OUTSIDE;
	}
	*ret_fd = fd;
	return OPENED;
}

enum tenon_code tn_plan_open_path(const char *folders, const char *path, int *ret_fd,
				  const char **ret_reason, struct tenon_error *err)
{
	struct tn_str rest = tn_str_from(folders);
	bool missing = false;

	if (!folders) {
		*ret_reason = "path_not_allowed";
		return tn_fail(err, TENON_DENIED,
			       "no folders are allowed; the operator sets TENON_PLAN_PATHS");
	}
	if (path[0] == '\0' || climbs(path))
		return refuse(ret_reason, err);
	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, ':');
		size_t size = end == TN_STR_NONE ? rest.size : end;
		char folder[PATH_MAX];
		enum attempt attempt = OUTSIDE;

		if (size < sizeof(folder)) {
			memcpy(folder, rest.data, size);
			folder[size] = '\0';
			attempt = try_folder(folder, path, ret_fd);
		}
		if (attempt == OPENED)
			return TENON_OK;
		missing |= attempt == MISSING;
		rest = tn_str_from_offset(rest, size + 1);
	}
	return missing ? fail_missing(ret_reason, err) : refuse(ret_reason, err);
}
