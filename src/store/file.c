#include "store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/rng.h"
#include "store/limits.h"

enum { LOCK_WAIT_MS = 2000, LOCK_STEP_MS = 2 };
enum { TEMPORARY_NAME_BYTES = 10 }; /* random, so that two writers never share a temporary file */

static enum tenon_code fail_open(struct tenon_error *err, int error_number)
{
	switch (error_number) {
	case ENOENT:
	case ENOTDIR:
		return tn_fail(err, TENON_NOT_FOUND, "there is no such file");
	case EACCES:
	case EPERM:
		return tn_fail(err, TENON_DENIED, "the file may not be read");
	case ELOOP:
		return tn_fail(err, TENON_DENIED, "the file is a symbolic link");
	default:
		return tn_fail_errno(err, error_number, "open file");
	}
}

enum tenon_code tn_file_open_at(int folder, const char *name, unsigned flags, int *ret_fd,
				struct tenon_error *err)
{
	int open_flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
	struct stat status;
	int fd;

	if (flags & TN_FILE_NO_FOLLOW)
		open_flags |= O_NOFOLLOW;
	if (flags & TN_FILE_REGULAR_ONLY)
		open_flags |= O_NONBLOCK; /* or a named pipe without a writer holds us for ever */
	fd = openat(folder, name, open_flags);
	if (fd < 0)
		return fail_open(err, errno);
	if (fstat(fd, &status) != 0) {
		int error_number = errno;

		(void)close(fd);
		return tn_fail_errno(err, error_number, "look at file");
	}
	if (S_ISDIR(status.st_mode) ||
	    ((flags & TN_FILE_REGULAR_ONLY) && !S_ISREG(status.st_mode))) {
		(void)close(fd);
		return tn_fail(err, TENON_DENIED, "this is not a regular file");
	}
	*ret_fd = fd;
	return TENON_OK;
}

enum tenon_code tn_file_open(const char *path, unsigned flags, int *ret_fd, struct tenon_error *err)
{
	return tn_file_open_at(AT_FDCWD, path, flags, ret_fd, err);
}

enum tenon_code tn_file_read(const char *path, unsigned flags, struct tn_buf *out,
			     struct tenon_error *err)
{
	enum tenon_code code;
	int fd = -1;

	code = tn_file_open(path, flags, &fd, err);
	if (code != TENON_OK)
		return code;
	code = tn_buf_read_all(out, fd, err);
	(void)close(fd); /* only read from */
	return code;
}

enum tenon_code tn_file_write_all(int fd, struct tn_str data, struct tenon_error *err)
{
	while (data.size > 0) {
		ssize_t wrote = write(fd, data.data, data.size);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return tn_fail_errno(err, errno, "write file");
		data = tn_str_from_offset(data, (size_t)wrote);
	}
	return fsync(fd) == 0 ? TENON_OK : tn_fail_errno(err, errno, "write file");
}

/* The path without its last component: "." when it has only one. */
static enum tenon_code folder_of(const char *path, char ret_folder[PATH_MAX],
				 struct tenon_error *err)
{
	const char *slash = strrchr(path, '/');
	size_t size = slash ? (size_t)(slash - path) : 0;

	if (size >= PATH_MAX)
		return tn_fail(err, TENON_INVALID, "the path is too long");
	if (!slash)
		(void)snprintf(ret_folder, PATH_MAX, ".");
	else if (size == 0)
		(void)snprintf(ret_folder, PATH_MAX, "/");
	else
		(void)snprintf(ret_folder, PATH_MAX, "%.*s", (int)size, path);
	return TENON_OK;
}

static enum tenon_code sync_folder(int folder, struct tenon_error *err)
{
	/* Some file systems know no fsync of folders; then there is nothing more to be done. */
	if (fsync(folder) != 0 && errno != EINVAL && errno != ENOTSUP)
		return tn_fail_errno(err, errno, "write folder");
	return TENON_OK;
}

/* ---- replacing what is known ---- */

/* Whether the file is still the one that is known, and which it is; what cannot be read is not. */
static bool is_known(int folder, const char *name, const char *known, struct stat *ret)
{
	char digest[TN_DIGEST_HEX_SIZE] = "";
	enum tenon_code code;
	struct tn_buf text;
	int fd = -1;

	tn_buf_init(&text, TN_FILE_KNOWN_BYTES_MAX);
	code = tn_file_open_at(folder, name, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd, NULL);
	if (code == TENON_OK && fstat(fd, ret) != 0)
		code = TENON_SYSTEM;
	if (code == TENON_OK)
		code = tn_buf_read_all(&text, fd, NULL);
	if (code == TENON_OK)
		tn_digest_hex(tn_buf_str(&text), digest);
	if (fd >= 0)
		(void)close(fd); /* only read from */
	tn_buf_finish(&text);
	return (code == TENON_OK || code == TENON_NOT_FOUND) && strcmp(digest, known) == 0;
}

/* Programs of ours wait for each other; whoever else keeps the folder is not waited for. Held until
 * the folder is closed. */
static void lock_folder(int folder)
{
	for (int ms = 0; ms < LOCK_WAIT_MS; ms += LOCK_STEP_MS) {
		if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return;
		(void)poll(NULL, 0, LOCK_STEP_MS); /* a pause */
	}
}

static enum tenon_code fail_known(struct tenon_error *err)
{
	return tn_fail(err, TENON_EXPIRED, "others have changed the file meanwhile");
}

static bool is_as_seen(int folder, const char *name, const struct stat *seen)
{
	struct stat now;

	return fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       now.st_dev == seen->st_dev && now.st_ino == seen->st_ino &&
	       now.st_size == seen->st_size && now.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == seen->st_mtim.tv_nsec;
}

/* The two change places, so that what was replaced can still be looked at: an editor may have been
 * quicker than the look before. */
static enum tenon_code exchange(int folder, const char *temporary, const char *name,
				const struct stat *seen, struct tenon_error *err)
{
	if (is_as_seen(folder, temporary, seen)) {
		(void)unlinkat(folder, temporary, 0); /* a leftover at most */
		return TENON_OK;
	}
	if (renameat2(folder, temporary, folder, name, RENAME_EXCHANGE) != 0)
		(void)renameat2(folder, temporary, folder, name, RENAME_NOREPLACE); /* gone: back */
	return fail_known(err);
}

static enum tenon_code replace_known(int folder, const char *temporary, const char *name,
				     const char *known, struct tenon_error *err)
{
	struct stat seen;

	lock_folder(folder);
	if (!is_known(folder, name, known, &seen))
		return fail_known(err);
	if (renameat2(folder, temporary, folder, name,
		      known[0] ? RENAME_EXCHANGE : RENAME_NOREPLACE) == 0)
		return known[0] ? exchange(folder, temporary, name, &seen, err) : TENON_OK;
	if (errno == EEXIST || errno == ENOENT)
		return fail_known(err);
	/* Some file systems know neither. */
	if ((errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) &&
	    renameat(folder, temporary, folder, name) == 0)
		return TENON_OK;
	return tn_fail_errno(err, errno, "rename file");
}

/* `folder` can be written to and synced. `known` NULL: whatever is there. */
static enum tenon_code replace_in(int folder, const char *name, mode_t mode, struct tn_str data,
				  const char *known, struct tenon_error *err)
{
	char temporary[NAME_MAX + 1];
	char random[TN_RNG_TOKEN_SIZE(TEMPORARY_NAME_BYTES)];
	enum tenon_code code;
	int fd;

	tn_rng_token(random, TEMPORARY_NAME_BYTES);
	(void)snprintf(temporary, sizeof(temporary), ".tenon-%s.tmp", random);
	fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return errno == EACCES ? tn_fail(err, TENON_DENIED, "the folder may not be written")
				       : tn_fail_errno(err, errno, "create file");
	code = tn_file_write_all(fd, data, err);
	if (close(fd) != 0 && code == TENON_OK)
		code = tn_fail_errno(err, errno, "write file");
	if (code == TENON_OK && known)
		code = replace_known(folder, temporary, name, known, err);
	else if (code == TENON_OK && renameat(folder, temporary, folder, name) != 0)
		code = tn_fail_errno(err, errno, "rename file");
	if (code != TENON_OK) {
		(void)unlinkat(folder, temporary, 0); /* the failure itself is reported */
		return code;
	}
	return sync_folder(folder, err);
}

enum tenon_code tn_file_write_known_at(int folder, const char *name, mode_t mode,
				       struct tn_str data, const char *known,
				       struct tenon_error *err)
{
	int readable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum tenon_code code;

	if (readable < 0)
		return fail_open(err, errno);
	code = replace_in(readable, name, mode, data, known, err);
	(void)close(readable); /* already synced */
	return code;
}

enum tenon_code tn_file_write_at(int folder, const char *name, mode_t mode, struct tn_str data,
				 struct tenon_error *err)
{
	return tn_file_write_known_at(folder, name, mode, data, NULL, err);
}

enum tenon_code tn_file_write(const char *path, mode_t mode, struct tn_str data,
			      struct tenon_error *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char folder_path[PATH_MAX];
	enum tenon_code code;
	int folder;

	if (*name == '\0' || strlen(name) > NAME_MAX)
		return tn_fail(err, TENON_INVALID, "the path names no file");
	code = folder_of(path, folder_path, err);
	if (code != TENON_OK)
		return code;
	folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return fail_open(err, errno);
	code = replace_in(folder, name, mode, data, NULL, err);
	(void)close(folder); /* already synced */
	return code;
}

static enum tenon_code make_one(const char *path, mode_t mode, struct tenon_error *err)
{
	struct stat status;

	if (mkdir(path, mode) == 0)
		return TENON_OK;
	if (errno == EEXIST) {
		if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
			return TENON_OK;
		return tn_fail(err, TENON_INVALID, "a file is where a folder should be");
	}
	if (errno == EACCES || errno == EROFS)
		return tn_fail(err, TENON_DENIED, "the folder may not be made");
	return tn_fail_errno(err, errno, "make folder");
}

enum tenon_code tn_dir_create(const char *path, mode_t mode, struct tenon_error *err)
{
	char part[PATH_MAX];
	size_t size = strlen(path);

	if (size == 0 || size >= sizeof(part))
		return tn_fail(err, TENON_INVALID, "the folder's path is empty or too long");
	memcpy(part, path, size + 1);
	for (size_t i = 1; i < size; i++) {
		enum tenon_code code;

		if (part[i] != '/')
			continue;
		part[i] = '\0';
		/* Those above may exist and be closed to us: only the last one counts. */
		code = make_one(part, mode, err);
		part[i] = '/';
		if (code == TENON_INVALID)
			return code;
	}
	return make_one(path, mode, err);
}

enum tenon_code tn_dir_state(struct tn_buf *ret_path, bool create, struct tenon_error *err)
{
	const char *base = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	enum tenon_code code;

	/* The specification of these folders: a relative path is invalid and must be ignored. */
	if (base && base[0] == '/') {
		tn_buf_append_text(ret_path, base);
		tn_buf_append_text(ret_path, "/tenon");
	} else if (home && home[0] == '/') {
		tn_buf_append_text(ret_path, home);
		tn_buf_append_text(ret_path, "/.local/state/tenon");
	} else {
		return tn_fail(err, TENON_NOT_FOUND, "neither XDG_STATE_HOME nor HOME is set");
	}
	tn_buf_append_byte(ret_path, '\0');
	code = tn_buf_check(ret_path, err);
	if (code != TENON_OK)
		return code;
	ret_path->size--; /* the NUL stays behind the last byte */
	return create ? tn_dir_create(ret_path->data, 0700, err) : TENON_OK;
}
