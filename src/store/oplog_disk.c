#include "store/oplog_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "store/file.h"
#include "store/limits.h"

enum { OWNER_BYTES_MAX = 256, LOCK_TRIES = 100 };

static enum tenon_code fail_file(struct tenon_error *err, int error_number, const char *what)
{
	switch (error_number) {
	case ENOENT:
	case ENOTDIR:
		return tn_fail(err, TENON_NOT_FOUND, "%s: there is no such folder", what);
	case EACCES:
	case EPERM:
	case EROFS:
	case ELOOP:
		return tn_fail(err, TENON_DENIED, "%s: it may not be written", what);
	default:
		return tn_fail_errno(err, error_number, what);
	}
}

/* ---- the lock ---- */

/* Who has it, as that process wrote it: "pid 12 on host since 2026-11-21T10:15:30.000Z". */
static enum tenon_code fail_busy(int fd, struct tenon_error *err)
{
	char owner[OWNER_BYTES_MAX];
	ssize_t size = pread(fd, owner, sizeof(owner) - 1, 0);

	owner[size > 0 ? size : 0] = '\0';
	owner[strcspn(owner, "\n")] = '\0';
	return tn_fail(err, TENON_BUSY, "another process has this document open: %.150s",
		       owner[0] ? owner : "it has not said which");
}

/* Best effort: the lock counts, the words are for whoever is refused. */
static void sign_lock(int fd)
{
	char host[128] = "", when[TN_CLOCK_ISO_SIZE], owner[OWNER_BYTES_MAX];
	int size;

	(void)gethostname(host, sizeof(host) - 1);
	tn_clock_format_iso(tn_clock_wall_ms(&tn_clock_system), when);
	size = snprintf(owner, sizeof(owner), "pid %ld on %.64s since %s\n", (long)getpid(), host,
			when);
	if (ftruncate(fd, 0) != 0 || pwrite(fd, owner, (size_t)size, 0) != size)
		return;
}

/* The file that was locked may have been removed by its last owner meanwhile: then it keeps nobody
 * out, and the next one is tried. */
static bool is_at_path(int fd, const char *path)
{
	struct stat locked, named;

	return fstat(fd, &locked) == 0 && stat(path, &named) == 0 &&
	       locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

static enum tenon_code take_lock(struct tn_oplog_disk *disk, struct tenon_error *err)
{
	enum tenon_code code;

	for (int i = 0; i < LOCK_TRIES; i++) {
		int fd = open(disk->lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

		if (fd < 0)
			return fail_file(err, errno, "lock the document");
		if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
			code = errno == EWOULDBLOCK
				       ? fail_busy(fd, err)
				       : tn_fail_errno(err, errno, "lock the document");
			(void)close(fd); /* not ours */
			return code;
		}
		if (is_at_path(fd, disk->lock_path)) {
			sign_lock(fd);
			disk->lock_fd = fd;
			return TENON_OK;
		}
		(void)close(fd); /* of a file that is gone */
	}
	return tn_fail(err, TENON_BUSY, "the document's lock changes hands all the time");
}

/* ---- life ---- */

static char *join(const char *path, const char *ending)
{
	size_t size = strlen(path), more = strlen(ending) + 1;
	char *joined = tn_mem_alloc(size + more);

	if (!joined)
		return NULL;
	memcpy(joined, path, size);
	memcpy(joined + size, ending, more);
	return joined;
}

static void free_paths(struct tn_oplog_disk *disk)
{
	tn_mem_free(disk->path);
	tn_mem_free(disk->journal_path);
	tn_mem_free(disk->lock_path);
	disk->path = disk->journal_path = disk->lock_path = NULL;
}

enum tenon_code tn_oplog_disk_open(struct tn_oplog_disk *disk, const char *path,
				   struct tenon_error *err)
{
	enum tenon_code code;

	*disk = (struct tn_oplog_disk){.lock_fd = -1, .journal_fd = -1};
	if (!path)
		return TENON_OK;
	disk->path = join(path, "");
	disk->journal_path = join(path, ".journal");
	disk->lock_path = join(path, ".lock");
	if (!disk->path || !disk->journal_path || !disk->lock_path)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	else
		code = take_lock(disk, err);
	if (code != TENON_OK)
		free_paths(disk);
	return code;
}

void tn_oplog_disk_close(struct tn_oplog_disk *disk, bool journal_done)
{
	if (!disk->path)
		return;
	if (disk->journal_fd >= 0)
		(void)close(disk->journal_fd); /* what it holds was written or is not needed */
	if (journal_done)
		(void)unlink(disk->journal_path); /* one that stays is passed over */
	if (disk->lock_fd >= 0) {
		(void)unlink(disk->lock_path); /* while it is locked: see is_at_path */
		(void)close(disk->lock_fd);
	}
	disk->lock_fd = disk->journal_fd = -1;
	free_paths(disk);
}

enum tenon_code tn_oplog_disk_read(const struct tn_oplog_disk *disk, bool journal,
				   struct tn_buf *out, struct tenon_error *err)
{
	const char *path = journal ? disk->journal_path : disk->path;
	enum tenon_code code;

	if (!path)
		return TENON_OK;
	code = tn_file_read(path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, out, err);
	return code == TENON_NOT_FOUND ? TENON_OK : code;
}

void tn_oplog_disk_keep(struct tn_oplog_disk *disk, size_t good_size, size_t size)
{
	disk->journal_size = good_size;
	disk->torn = good_size != size;
}

/* ---- writing ---- */

static enum tenon_code open_journal(struct tn_oplog_disk *disk, struct tenon_error *err)
{
	int fd;

	if (disk->journal_fd >= 0)
		return TENON_OK;
	fd = open(disk->journal_path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail_file(err, errno, "open the journal");
	disk->journal_fd = fd;
	disk->is_new = disk->journal_size == 0;
	return TENON_OK;
}

static enum tenon_code cut_torn(struct tn_oplog_disk *disk, struct tenon_error *err)
{
	if (!disk->torn)
		return TENON_OK;
	if (ftruncate(disk->journal_fd, (off_t)disk->journal_size) != 0)
		return tn_fail_errno(err, errno, "repair the journal");
	disk->torn = false;
	return TENON_OK;
}

/* One write as a rule; a second one only says why the first was short. */
static enum tenon_code write_line(struct tn_oplog_disk *disk, struct tn_str line,
				  struct tenon_error *err)
{
	off_t at = (off_t)disk->journal_size;

	while (line.size > 0) {
		ssize_t wrote = pwrite(disk->journal_fd, line.data, line.size, at);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return tn_fail_errno(err, errno, "write the journal");
		line = tn_str_from_offset(line, (size_t)wrote);
		at += wrote;
	}
	return TENON_OK;
}

enum tenon_code tn_oplog_disk_append(struct tn_oplog_disk *disk, struct tn_str line,
				     struct tenon_error *err)
{
	enum tenon_code code;

	if (!disk->path)
		return TENON_OK;
	if (line.size > TN_OPLOG_FILE_BYTES_MAX - disk->journal_size)
		return tn_fail(err, TENON_LIMIT, "the journal is full");
	code = open_journal(disk, err);
	if (code == TENON_OK)
		code = cut_torn(disk, err);
	if (code != TENON_OK)
		return code;
	code = write_line(disk, line, err);
	if (code != TENON_OK) {
		disk->torn = true;
		(void)cut_torn(disk, NULL); /* else before the next line, or at the next open */
		return code;
	}
	disk->journal_size += line.size;
	disk->unsynced = true;
	return TENON_OK;
}

enum tenon_code tn_oplog_disk_replace(struct tn_oplog_disk *disk, struct tn_str snapshot,
				      struct tenon_error *err)
{
	enum tenon_code code;

	if (!disk->path)
		return TENON_OK;
	code = tn_file_write(disk->path, 0600, snapshot, err);
	if (code != TENON_OK)
		return code;
	disk->unsynced = false;
	if (disk->journal_size == 0 && !disk->torn)
		return TENON_OK;
	/* A journal that cannot be emptied goes on growing: its older lines are passed over. */
	if (open_journal(disk, NULL) == TENON_OK && ftruncate(disk->journal_fd, 0) == 0) {
		disk->journal_size = 0;
		disk->torn = false;
	}
	return TENON_OK;
}

/* ---- to the disk ---- */

static int open_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int fd;

	if (!slash)
		return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder = tn_mem_copy_text(path, slash == path ? 1 : (size_t)(slash - path));
	if (!folder) {
		errno = ENOMEM;
		return -1;
	}
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tn_mem_free(folder);
	return fd;
}

enum tenon_code tn_oplog_disk_sync_begin(struct tn_oplog_disk *disk, struct tn_oplog_sync_fds *ret,
					 struct tenon_error *err)
{
	ret->journal = ret->folder = -1;
	if (!disk->path || !disk->unsynced)
		return TENON_OK;
	ret->journal = fcntl(disk->journal_fd, F_DUPFD_CLOEXEC, 0);
	if (ret->journal >= 0 && disk->is_new)
		ret->folder = open_folder(disk->path);
	if (ret->journal < 0 || (disk->is_new && ret->folder < 0)) {
		int error_number = errno;

		if (ret->journal >= 0)
			(void)close(ret->journal); /* nothing was written through it */
		return tn_fail_errno(err, error_number, "sync the journal");
	}
	disk->unsynced = disk->is_new = false;
	return TENON_OK;
}

enum tenon_code tn_oplog_disk_sync_fds(struct tn_oplog_sync_fds *fds, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (fds->journal >= 0 && fdatasync(fds->journal) != 0)
		code = tn_fail_errno(err, errno, "sync the journal");
	/* Some file systems know no fsync of folders; then there is nothing more to be done. */
	if (fds->folder >= 0 && fsync(fds->folder) != 0 && errno != EINVAL && errno != ENOTSUP)
		code = tn_fail_errno(err, errno, "sync the journal's folder");
	if (fds->journal >= 0)
		(void)close(fds->journal); /* synced */
	if (fds->folder >= 0)
		(void)close(fds->folder);
	fds->journal = fds->folder = -1;
	return code;
}
