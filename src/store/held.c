#include "store/held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 16384, SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

void tn_held_init(struct tn_held *held)
{
	memset(held, 0, sizeof(*held));
	held->fd = -1;
}

void tn_held_finish(struct tn_held *held)
{
	if (held->fd >= 0)
		(void)close(held->fd); /* nothing was promised on it */
	tn_held_init(held);
}

static enum tenon_code explain(int number, struct tenon_error *err)
{
	switch (number) {
	case ENOENT:
	case ENOTDIR:
		return tn_fail(err, TENON_NOT_FOUND, "there is no such file or folder");
	case EACCES:
	case EPERM:
	case ELOOP:
		return tn_fail(err, TENON_DENIED, "it may not be opened");
	default:
		return tn_fail_errno(err, number, "open it");
	}
}

static void note(struct tn_held *held, const struct stat *about)
{
	held->device = (uint64_t)about->st_dev;
	held->inode = (uint64_t)about->st_ino;
	held->mode = about->st_mode;
}

/* ---- files ---- */

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t wrote = write(fd, bytes, size);

		if (wrote < 0 && errno != EINTR)
			return false;
		if (wrote > 0) {
			bytes += wrote;
			size -= (size_t)wrote;
		}
	}
	return true;
}

/* Byte for byte until its end, which may move while it is read: what was read counts. */
static enum tenon_code copy(struct tn_held *held, int from, size_t bytes_max,
			    struct tenon_error *err)
{
	char piece[PIECE_BYTES];
	ssize_t got;

	while ((got = read(from, piece, sizeof(piece))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return tn_fail_errno(err, errno, "read it");
		held->size_bytes += (uint64_t)got;
		if (held->size_bytes > bytes_max)
			return tn_fail(err, TENON_LIMIT, "it has more than %zu bytes", bytes_max);
		if (!write_all(held->fd, piece, (size_t)got))
			return tn_fail_errno(err, errno, "copy it");
	}
	return TENON_OK;
}

static enum tenon_code hash(struct tn_held *held, struct tenon_error *err)
{
	struct tn_str bytes = tn_held_map(held);

	if (held->size_bytes && !bytes.data)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_digest_hex(tn_str(bytes.data ? bytes.data : "", bytes.size), held->digest);
	tn_held_unmap(bytes);
	return TENON_OK;
}

static enum tenon_code hold(struct tn_held *held, int from, size_t bytes_max,
			    struct tenon_error *err)
{
	enum tenon_code code;

	held->fd = memfd_create("held", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (held->fd < 0)
		return tn_fail_errno(err, errno, "hold it");
	code = copy(held, from, bytes_max, err);
	if (code == TENON_OK &&
	    (lseek(held->fd, 0, SEEK_SET) != 0 || fcntl(held->fd, F_ADD_SEALS, SEALS) != 0))
		code = tn_fail_errno(err, errno, "seal the copy");
	return code == TENON_OK ? hash(held, err) : code;
}

/* Not O_NOFOLLOW: the name that is used later follows links as well. A pipe or a device must not
 * make us wait. */
static enum tenon_code open_file(int at, const char *path, struct stat *about, int *ret_fd,
				 struct tenon_error *err)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return explain(errno, err);
	if (fstat(fd, about) != 0 || !S_ISREG(about->st_mode)) {
		(void)close(fd); /* nothing was written */
		return tn_fail(err, TENON_DENIED, "it is no regular file");
	}
	*ret_fd = fd;
	return TENON_OK;
}

enum tenon_code tn_held_file(struct tn_held *held, int at, const char *path, size_t bytes_max,
			     struct tenon_error *err)
{
	struct stat about;
	enum tenon_code code;
	int fd = -1;

	tn_held_init(held);
	code = open_file(at, path, &about, &fd, err);
	if (code != TENON_OK)
		return code;
	note(held, &about);
	if (about.st_size > 0 && (uint64_t)about.st_size > bytes_max)
		code = tn_fail(err, TENON_LIMIT, "it has more than %zu bytes", bytes_max);
	else
		code = hold(held, fd, bytes_max, err);
	(void)close(fd); /* read only */
	if (code != TENON_OK)
		tn_held_finish(held);
	return code;
}

struct tn_str tn_held_map(const struct tn_held *held)
{
	void *at = MAP_FAILED;

	if (held->fd >= 0 && !held->is_folder && held->size_bytes)
		at = mmap(NULL, (size_t)held->size_bytes, PROT_READ, MAP_PRIVATE, held->fd, 0);
	if (at == MAP_FAILED)
		return tn_str(NULL, 0);
	return tn_str(at, (size_t)held->size_bytes);
}

void tn_held_unmap(struct tn_str bytes)
{
	if (bytes.data)
		(void)munmap((void *)(uintptr_t)bytes.data, bytes.size); /* it was mapped here */
}

/* ---- folders ---- */

static enum tenon_code take_folder(struct tn_held *held, struct tenon_error *err)
{
	struct stat about;
	char link[64];
	ssize_t got;

	held->is_folder = true;
	if (fstat(held->fd, &about) != 0)
		return tn_fail_errno(err, errno, "look at the folder");
	if (!S_ISDIR(about.st_mode))
		return tn_fail(err, TENON_INVALID, "it is no folder");
	note(held, &about);
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", held->fd);
	got = readlink(link, held->path, sizeof(held->path) - 1);
	if (got <= 0 || held->path[0] != '/')
		return tn_fail(err, TENON_NOT_FOUND, "the folder has no name any more");
	held->path[got] = '\0';
	return TENON_OK;
}

enum tenon_code tn_held_folder(struct tn_held *held, int at, const char *path,
			       struct tenon_error *err)
{
	enum tenon_code code;

	tn_held_init(held);
	held->fd = openat(at, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (held->fd < 0 && errno == ENOTDIR)
		return tn_fail(err, TENON_INVALID, "it is no folder");
	if (held->fd < 0)
		return explain(errno, err);
	code = take_folder(held, err);
	if (code != TENON_OK)
		tn_held_finish(held);
	return code;
}

enum tenon_code tn_held_folder_fd(struct tn_held *held, int fd, struct tenon_error *err)
{
	enum tenon_code code;

	tn_held_init(held);
	held->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (held->fd < 0)
		return tn_fail_errno(err, errno, "hold the folder");
	code = take_folder(held, err);
	if (code != TENON_OK)
		tn_held_finish(held);
	return code;
}

/* ---- still the same ---- */

static bool is_same_folder(const struct tn_held *held, int at, const char *path)
{
	struct stat about;

	return fstatat(at, path, &about, 0) == 0 && S_ISDIR(about.st_mode) &&
	       (uint64_t)about.st_dev == held->device && (uint64_t)about.st_ino == held->inode;
}

bool tn_held_is_still(const struct tn_held *held, int at, const char *path)
{
	struct tn_held now;
	bool same;

	if (held->fd < 0)
		return false;
	if (held->is_folder)
		return is_same_folder(held, at, path);
	/* One byte more than it had is enough to know. */
	if (tn_held_file(&now, at, path, (size_t)held->size_bytes + 1, NULL) != TENON_OK)
		return false;
	same = now.size_bytes == held->size_bytes && strcmp(now.digest, held->digest) == 0;
	tn_held_finish(&now);
	return same;
}
