#include "apps/terminal/output/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "store/file.h"

enum {
	NAME_DIGITS = 16,
	NAME_SIZE = NAME_DIGITS + sizeof(".out"),
	SEGMENT_BYTES_MIN = 16 * 1024,
	SESSION_SEGMENTS = 8, /* at least: what goes at once is a small part of a budget */
	TOTAL_SEGMENTS = 64
};

struct tn_spool {
	struct tn_spool_budget *budget;
	struct tn_spool *next; /* of the budget's */
	char *path;
	int folder;       /* descriptor */
	int fd;           /* of the newest segment, for reading and writing; -1: not open */
	uint64_t *starts; /* of the segments, oldest first; each ends where the next one starts */
	size_t count, capacity;
	uint64_t end;
	uint64_t bytes_max, segment_bytes, segment_bytes_max;
	bool gave; /* tn_spool_clear_gave */
};

static void segment_name(uint64_t start, char out[NAME_SIZE])
{
	(void)snprintf(out, NAME_SIZE, "%016llx.out", (unsigned long long)start);
}

/* False: no segment of ours. */
static bool read_segment_name(const char *name, uint64_t *ret_start)
{
	char again[NAME_SIZE];
	char *rest;

	if (strlen(name) != NAME_SIZE - 1)
		return false;
	*ret_start = strtoull(name, &rest, 16);
	segment_name(*ret_start, again);
	return strcmp(name, again) == 0;
}

uint64_t tn_spool_begin(const struct tn_spool *spool)
{
	return spool->count ? spool->starts[0] : spool->end;
}

uint64_t tn_spool_end(const struct tn_spool *spool)
{
	return spool->end;
}

static uint64_t bytes_of(const struct tn_spool *spool)
{
	return spool->end - tn_spool_begin(spool);
}

static void close_segment(struct tn_spool *spool)
{
	if (spool->fd >= 0)
		(void)close(spool->fd); /* nothing is synced here, so nothing can be lost */
	spool->fd = -1;
}

static void remove_file(const struct tn_spool *spool, uint64_t start)
{
	char name[NAME_SIZE];

	segment_name(start, name);
	/* One that cannot be removed is found, and tried again, at the next opening. */
	(void)unlinkat(spool->folder, name, 0);
}

static void drop_oldest(struct tn_spool *spool)
{
	uint64_t before = bytes_of(spool);

	if (spool->count == 1)
		close_segment(spool);
	remove_file(spool, spool->starts[0]);
	spool->count--;
	memmove(spool->starts, spool->starts + 1, spool->count * sizeof(*spool->starts));
	spool->budget->bytes -= before - bytes_of(spool);
}

static struct tn_spool *largest(const struct tn_spool_budget *budget)
{
	struct tn_spool *found = NULL;

	for (struct tn_spool *each = budget->first; each; each = each->next)
		if (each->count && (!found || bytes_of(each) > bytes_of(found)))
			found = each;
	return found;
}

static void keep_budgets(struct tn_spool *spool)
{
	struct tn_spool_budget *budget = spool->budget;

	while (spool->count > 1 && bytes_of(spool) > spool->bytes_max)
		drop_oldest(spool);
	while (budget->bytes_max && budget->bytes > budget->bytes_max) {
		struct tn_spool *giver = largest(budget);

		if (!giver)
			return;
		drop_oldest(giver);
	}
}

static void set_end(struct tn_spool *spool, uint64_t end)
{
	spool->budget->bytes += end;
	spool->budget->bytes -= spool->end;
	spool->end = end;
}

static enum tenon_code fail_write(int error_number, struct tenon_error *err)
{
	enum tenon_code code;

	if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG) {
		code = tn_fail(err, TENON_LIMIT, "the disk is full");
		err->sys_errno = error_number;
		return code;
	}
	return tn_fail_errno(err, error_number, "write the terminal's output");
}

static bool add_start(struct tn_spool *spool, uint64_t start)
{
	if (spool->count == spool->capacity) {
		size_t capacity = spool->capacity ? spool->capacity * 2 : 8;
		uint64_t *starts = tn_mem_resize(spool->starts, capacity * sizeof(*starts));

		if (!starts)
			return false;
		spool->starts = starts;
		spool->capacity = capacity;
	}
	spool->starts[spool->count++] = start;
	return true;
}

static enum tenon_code open_newest(struct tn_spool *spool, struct tenon_error *err)
{
	char name[NAME_SIZE];

	if (spool->fd >= 0)
		return TENON_OK;
	segment_name(spool->starts[spool->count - 1], name);
	spool->fd = openat(spool->folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (spool->fd < 0)
		return tn_fail_errno(err, errno, "open the terminal's output");
	return TENON_OK;
}

static enum tenon_code add_segment(struct tn_spool *spool, struct tenon_error *err)
{
	char name[NAME_SIZE];

	if (!add_start(spool, spool->end))
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the terminal's output");
	close_segment(spool);
	segment_name(spool->end, name);
	/* Whatever has this name is not one of our segments: those are in the list. */
	(void)unlinkat(spool->folder, name, 0);
	spool->fd = openat(spool->folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			   0600);
	if (spool->fd < 0) {
		spool->count--;
		return fail_write(errno, err);
	}
	/* After a full disk they grow again. */
	spool->segment_bytes *= 2;
	if (spool->segment_bytes > spool->segment_bytes_max)
		spool->segment_bytes = spool->segment_bytes_max;
	return TENON_OK;
}

/* Takes what stands from `at` on away; `at` within begin and end. */
static enum tenon_code cut(struct tn_spool *spool, uint64_t at, struct tenon_error *err)
{
	enum tenon_code code;

	while (spool->count && spool->starts[spool->count - 1] >= at) {
		close_segment(spool);
		remove_file(spool, spool->starts[--spool->count]);
		/* A spool without segments begins at its end. */
		set_end(spool, spool->count ? spool->starts[spool->count] : at);
	}
	if (spool->end == at)
		return TENON_OK;
	code = open_newest(spool, err);
	if (code != TENON_OK)
		return code;
	if (ftruncate(spool->fd, (off_t)(at - spool->starts[spool->count - 1])) != 0)
		return tn_fail_errno(err, errno, "shorten the terminal's output");
	set_end(spool, at);
	return TENON_OK;
}

/* ---- a full disk ---- */

/* Of all spools the one that has most and can spare its oldest segment. This one keeps what stands
 * from `at` on: it is being written. */
static struct tn_spool *giver_for(struct tn_spool *spool, uint64_t at)
{
	struct tn_spool *found = NULL;

	for (struct tn_spool *each = spool->budget->first; each; each = each->next) {
		bool can = each != spool ? bytes_of(each) > 0
					 : each->count > 1 && each->starts[1] <= at;

		if (can && (!found || bytes_of(each) > bytes_of(found)))
			found = each;
	}
	return found;
}

/* Its oldest segment goes, and the next ones are smaller. */
static void give(struct tn_spool *giver)
{
	uint64_t bytes = bytes_of(giver) / SESSION_SEGMENTS;

	if (bytes < SEGMENT_BYTES_MIN)
		bytes = SEGMENT_BYTES_MIN;
	if (giver->segment_bytes > bytes)
		giver->segment_bytes = bytes;
	drop_oldest(giver);
}

/* Gives old output up so that a program can go on. False: there is none. */
static bool make_room(struct tn_spool *spool, uint64_t at)
{
	struct tn_spool *giver = giver_for(spool, at);

	if (!giver) { /* all there is is one segment: it goes, and the next ones are smaller */
		if (!spool->count || spool->starts[0] >= at || cut(spool, at, NULL) != TENON_OK)
			return false;
		giver = spool;
	}
	give(giver);
	spool->gave = true;
	return true;
}

bool tn_spool_make_room(struct tn_spool_budget *budget)
{
	struct tn_spool *giver = largest(budget);

	if (!giver || bytes_of(giver) < SEGMENT_BYTES_MIN)
		return false;
	give(giver);
	return true;
}

bool tn_spool_clear_gave(struct tn_spool *spool)
{
	bool gave = spool->gave;

	spool->gave = false;
	return gave;
}

static enum tenon_code write_piece(struct tn_spool *spool, struct tn_str *bytes,
				   struct tenon_error *err)
{
	uint64_t used = 0, size;
	ssize_t done;
	enum tenon_code code = TENON_OK;

	if (spool->count)
		used = spool->end - spool->starts[spool->count - 1];
	if (!spool->count || used >= spool->segment_bytes) {
		code = add_segment(spool, err);
		used = 0;
	} else {
		code = open_newest(spool, err);
	}
	if (code != TENON_OK)
		return code;
	size = spool->segment_bytes - used;
	if (size > bytes->size)
		size = bytes->size;
	do
		done = pwrite(spool->fd, bytes->data, (size_t)size, (off_t)used);
	while (done < 0 && errno == EINTR);
	if (done <= 0)
		return fail_write(done < 0 ? errno : ENOSPC, err);
	set_end(spool, spool->end + (uint64_t)done);
	*bytes = tn_str_from_offset(*bytes, (size_t)done);
	return TENON_OK;
}

enum tenon_code tn_spool_write(struct tn_spool *spool, uint64_t at, struct tn_str bytes,
			       struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_str rest = bytes;

	if (at > spool->end || at < tn_spool_begin(spool)) {
		while (spool->count)
			drop_oldest(spool);
		spool->end = at; /* nothing is there: nothing is counted */
	} else if (at < spool->end) {
		code = cut(spool, at, err);
	}
	while (code == TENON_OK && rest.size) {
		code = write_piece(spool, &rest, err);
		if (code == TENON_LIMIT && err->sys_errno != EFBIG && make_room(spool, at)) {
			code = TENON_OK;
			rest = tn_str_from_offset(bytes, (size_t)(spool->end - at));
		}
	}
	if (code != TENON_OK && spool->end > at)
		(void)cut(spool, at, NULL); /* shortening takes no space; the first fault counts */
	keep_budgets(spool);
	return code;
}

static size_t segment_of(const struct tn_spool *spool, uint64_t offset)
{
	size_t low = 0, high = spool->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (spool->starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The newest segment stays open, others are opened for this read. */
static enum tenon_code open_for_reading(struct tn_spool *spool, size_t index, int *ret_fd,
					struct tenon_error *err)
{
	char name[NAME_SIZE];
	enum tenon_code code = TENON_OK;

	if (index + 1 == spool->count) {
		code = open_newest(spool, err);
		*ret_fd = spool->fd;
		return code;
	}
	segment_name(spool->starts[index], name);
	*ret_fd = openat(spool->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (*ret_fd < 0)
		code = tn_fail_errno(err, errno, "open the terminal's output");
	return code;
}

static enum tenon_code read_at(int fd, uint64_t offset, size_t size, struct tn_buf *out,
			       struct tenon_error *err)
{
	if (!tn_buf_reserve(out, size))
		return tn_buf_check(out, err);
	while (size) {
		ssize_t got = pread(fd, out->data + out->size, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return tn_fail_errno(err, errno, "read the terminal's output");
		if (got == 0) /* somebody else shortened the file */
			return tn_fail_errno(err, EIO, "read the terminal's output");
		out->size += (size_t)got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return TENON_OK;
}

enum tenon_code tn_spool_read(struct tn_spool *spool, uint64_t from, size_t max, struct tn_buf *out,
			      struct tenon_error *err)
{
	size_t index = segment_of(spool, from);
	uint64_t end;
	enum tenon_code code;
	int fd;

	if (from < tn_spool_begin(spool))
		return tn_fail(err, TENON_EXPIRED, "this output is gone");
	if (from >= spool->end)
		return TENON_OK;
	end = index + 1 < spool->count ? spool->starts[index + 1] : spool->end;
	if (max > end - from)
		max = (size_t)(end - from);
	code = open_for_reading(spool, index, &fd, err);
	if (code != TENON_OK)
		return code;
	code = read_at(fd, from - spool->starts[index], max, out, err);
	if (fd != spool->fd)
		(void)close(fd);
	return code;
}

static int compare_starts(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

static enum tenon_code list_segments(struct tn_spool *spool, struct tenon_error *err)
{
	int again = openat(spool->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = again < 0 ? NULL : fdopendir(again);
	enum tenon_code code = TENON_OK;
	struct dirent *entry;
	uint64_t start;

	if (!folder) {
		code = tn_fail_errno(err, errno, "read the folder of a terminal's output");
		if (again >= 0)
			(void)close(again);
		return code;
	}
	while (code == TENON_OK && (entry = readdir(folder)) != NULL)
		if (read_segment_name(entry->d_name, &start) && !add_start(spool, start))
			code = tn_fail(err, TENON_NO_MEMORY, "no memory for the terminal's output");
	(void)closedir(folder);
	if (spool->count)
		qsort(spool->starts, spool->count, sizeof(*spool->starts), compare_starts);
	return code;
}

static bool segment_size(const struct tn_spool *spool, uint64_t start, uint64_t *ret_size)
{
	char name[NAME_SIZE];
	struct stat info;

	segment_name(start, name);
	if (fstatat(spool->folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
		return false;
	*ret_size = (uint64_t)info.st_size;
	return *ret_size <= UINT64_MAX - start;
}

/* What an earlier process left. Only the newest run of segments without a hole counts. */
static enum tenon_code recover(struct tn_spool *spool, struct tenon_error *err)
{
	enum tenon_code code = list_segments(spool, err);
	uint64_t size, next = 0;
	size_t first;

	if (code != TENON_OK)
		return code;
	/* The newest must be a file, or it is not ours. */
	while (spool->count && !segment_size(spool, spool->starts[spool->count - 1], &size))
		remove_file(spool, spool->starts[--spool->count]);
	if (!spool->count)
		return TENON_OK;
	spool->end = spool->starts[spool->count - 1] + size;
	next = spool->starts[spool->count - 1];
	for (first = spool->count - 1; first > 0; first--) {
		uint64_t start = spool->starts[first - 1];

		if (!segment_size(spool, start, &size) || start + size < next)
			break;
		next = start;
	}
	for (size_t i = 0; i < first; i++)
		remove_file(spool, spool->starts[i]);
	spool->count -= first;
	memmove(spool->starts, spool->starts + first, spool->count * sizeof(*spool->starts));
	return TENON_OK;
}

static uint64_t segment_bytes_for(uint64_t bytes_max, uint64_t total_max)
{
	uint64_t bytes = TN_SPOOL_SEGMENT_BYTES;

	if (bytes > bytes_max / SESSION_SEGMENTS)
		bytes = bytes_max / SESSION_SEGMENTS;
	if (total_max && bytes > total_max / TOTAL_SEGMENTS)
		bytes = total_max / TOTAL_SEGMENTS;
	return bytes < SEGMENT_BYTES_MIN ? SEGMENT_BYTES_MIN : bytes;
}

static void destroy(struct tn_spool *spool)
{
	close_segment(spool);
	if (spool->folder >= 0)
		(void)close(spool->folder);
	tn_mem_free(spool->starts);
	tn_mem_free(spool->path);
	tn_mem_free(spool);
}

enum tenon_code tn_spool_open(const char *folder, uint64_t bytes_max,
			      struct tn_spool_budget *budget, struct tn_spool **ret,
			      struct tenon_error *err)
{
	struct tn_spool *spool;
	enum tenon_code code = tn_dir_create(folder, 0700, err);

	if (code != TENON_OK)
		return code;
	spool = tn_mem_alloc(sizeof(*spool));
	if (!spool)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a terminal's output");
	spool->budget = budget;
	spool->fd = -1;
	spool->bytes_max = bytes_max;
	spool->segment_bytes = spool->segment_bytes_max =
		segment_bytes_for(bytes_max, budget->bytes_max);
	spool->path = tn_mem_copy_text(folder, strlen(folder));
	spool->folder = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (spool->folder < 0)
		code = tn_fail_errno(err, errno, "open the folder of a terminal's output");
	else if (!spool->path)
		code = tn_fail(err, TENON_NO_MEMORY, "no memory for a terminal's output");
	else if (flock(spool->folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		code = tn_fail(err, TENON_BUSY, "another server has this terminal's output");
	else
		code = recover(spool, err);
	if (code != TENON_OK) {
		destroy(spool);
		return code;
	}
	budget->bytes += bytes_of(spool);
	spool->next = budget->first;
	budget->first = spool;
	keep_budgets(spool);
	*ret = spool;
	return TENON_OK;
}

void tn_spool_close(struct tn_spool *spool)
{
	struct tn_spool **link;

	if (!spool)
		return;
	for (link = &spool->budget->first; *link != spool;)
		link = &(*link)->next;
	*link = spool->next;
	spool->budget->bytes -= bytes_of(spool);
	destroy(spool);
}

static void remove_entries(int folder)
{
	int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = again < 0 ? NULL : fdopendir(again);
	struct dirent *entry;

	if (!list) {
		if (again >= 0)
			(void)close(again);
		return;
	}
	while ((entry = readdir(list)) != NULL)
		(void)unlinkat(folder, entry->d_name, 0); /* "." and ".." refuse by themselves */
	(void)closedir(list);
}

void tn_spool_remove(struct tn_spool *spool)
{
	if (!spool)
		return;
	remove_entries(spool->folder);
	(void)rmdir(spool->path); /* what is left is removed with the state folder's next sweep */
	tn_spool_close(spool);
}
