#include "apps/terminal/session/record_trim.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"

/* ---- a worker's ---- */

struct recording {
	char *name;
	struct timespec changed;
	uint64_t size;
};

struct recordings {
	struct recording *items; /* at most TN_RECORDS_LISTED_MAX */
	size_t count, room;
	size_t count_all; /* also those that are not listed: they are looked at the next time */
	uint64_t bytes_all;
};

static bool is_over(const atomic_bool *cancelled)
{
	return cancelled && atomic_load(cancelled);
}

/* Without memory it is not listed: another one goes, or none. */
static void list_one(struct recordings *all, const char *name, const struct stat *status)
{
	all->count_all++;
	all->bytes_all += (uint64_t)status->st_size;
	if (all->count == all->room) {
		size_t room = all->room ? 2 * all->room : 64;
		struct recording *items =
			room > TN_RECORDS_LISTED_MAX
				? NULL
				: tn_mem_resize(all->items, room * sizeof(*items));

		if (!items)
			return;
		all->items = items;
		all->room = room;
	}
	all->items[all->count] = (struct recording){.name = tn_mem_copy_text(name, strlen(name)),
						    .changed = status->st_mtim,
						    .size = (uint64_t)status->st_size};
	if (all->items[all->count].name)
		all->count++;
}

static void list_all(DIR *list, struct recordings *all, const atomic_bool *cancelled)
{
	struct dirent *entry;
	struct stat status;

	while (!is_over(cancelled) && (entry = readdir(list)) != NULL) {
		size_t length = strlen(entry->d_name);

		if (length >= 5 && strcmp(entry->d_name + length - 5, ".cast") == 0 &&
		    fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(status.st_mode))
			list_one(all, entry->d_name, &status);
	}
}

static int compare(const void *a, const void *b)
{
	const struct recording *left = a, *right = b;

	if (left->changed.tv_sec != right->changed.tv_sec)
		return left->changed.tv_sec < right->changed.tv_sec ? -1 : 1;
	if (left->changed.tv_nsec != right->changed.tv_nsec)
		return left->changed.tv_nsec < right->changed.tv_nsec ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* Unless somebody writes it. It is deleted while it is locked: who opens it meanwhile finds that it
 * is not there any more, and makes a new one. */
static bool remove_free(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	bool gone = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &status) == 0 &&
		    status.st_nlink > 0 && unlinkat(folder, name, 0) == 0;

	if (fd >= 0)
		(void)close(fd);
	return gone;
}

void tn_records_trim(const char *folder, const struct tn_records_limit *limit,
		     const atomic_bool *cancelled)
{
	DIR *list = opendir(folder);
	struct recordings all = {0};

	if (!list)
		return;
	list_all(list, &all, cancelled);
	if (all.count)
		qsort(all.items, all.count, sizeof(all.items[0]), compare);
	for (size_t i = 0; i < all.count; i++) {
		bool much = all.bytes_all > limit->bytes_max || all.count_all > limit->count_max;

		if (much && !is_over(cancelled) && remove_free(dirfd(list), all.items[i].name)) {
			all.bytes_all -= all.items[i].size;
			all.count_all--;
		}
		tn_mem_free(all.items[i].name);
	}
	tn_mem_free(all.items);
	(void)closedir(list);
}

/* ---- the loop's ---- */

struct tn_record_trimmer {
	struct tn_loop *loop;
	struct tn_records_limit limit;
	char *folder;
	struct tn_job *job; /* NULL: no worker is at it */
	bool again, closed;
};

static void free_trimmer(struct tn_record_trimmer *trimmer)
{
	tn_mem_free(trimmer->folder);
	tn_mem_free(trimmer);
}

static void work(void *data, const atomic_bool *cancelled)
{
	const struct tn_record_trimmer *trimmer = data;

	tn_records_trim(trimmer->folder, &trimmer->limit, cancelled);
}

static void done(void *data, bool cancelled)
{
	struct tn_record_trimmer *trimmer = data;

	(void)cancelled;
	trimmer->job = NULL;
	if (trimmer->closed)
		free_trimmer(trimmer);
	else if (trimmer->again)
		tn_record_trimmer_wake(trimmer);
}

void tn_record_trimmer_wake(struct tn_record_trimmer *trimmer)
{
	trimmer->again = trimmer->job != NULL;
	if (trimmer->job ||
	    tn_job_start(trimmer->loop, work, done, trimmer, &trimmer->job, NULL) == TENON_OK)
		return;
	trimmer->job = NULL; /* the next recording tries again */
}

enum tenon_code tn_record_trimmer_open(struct tn_loop *loop, const char *folder,
				       const struct tn_records_limit *limit,
				       struct tn_record_trimmer **ret, struct tenon_error *err)
{
	struct tn_record_trimmer *trimmer = tn_mem_alloc(sizeof(*trimmer));

	if (trimmer)
		trimmer->folder = tn_mem_copy_text(folder, strlen(folder));
	if (!trimmer || !trimmer->folder) {
		tn_mem_free(trimmer);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	trimmer->loop = loop;
	trimmer->limit = *limit;
	*ret = trimmer;
	return TENON_OK;
}

void tn_record_trimmer_close(struct tn_record_trimmer *trimmer)
{
	if (!trimmer)
		return;
	trimmer->closed = true;
	if (trimmer->job)
		tn_job_cancel(trimmer->job); /* `done` frees it */
	else
		free_trimmer(trimmer);
}
