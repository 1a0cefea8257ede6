#include "apps/plan/service/reviews.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/plan/limits.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "store/file.h"

enum { DIGEST_SIZE = 64, PATH_SIZE = PATH_MAX };

struct tn_plan_reviews {
	const struct tn_clock *clock;
	struct tn_loop *loop;
	uint32_t keep_days;
	char *folder; /* NULL: memory only */
	bool tidied;  /* old files were looked for */
	struct tn_plan_open_review *newest, *oldest;
	size_t count;
};

/* ---- life ---- */

static enum tenon_code find_folder(struct tn_plan_reviews *reviews, const char *wanted,
				   struct tenon_error *err)
{
	struct tn_buf path;
	enum tenon_code code = TENON_OK;

	if (reviews->keep_days == 0)
		return TENON_OK;
	tn_buf_init(&path, PATH_SIZE);
	if (wanted)
		tn_buf_append_text(&path, wanted);
	else
		code = tn_dir_state(&path, false, err);
	if (!wanted)
		tn_buf_append_text(&path, "/plan/reviews");
	if (code == TENON_OK && !path.failed) {
		reviews->folder = tn_mem_copy_text(path.data, path.size);
		if (!reviews->folder)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	tn_buf_finish(&path);
	return code == TENON_NOT_FOUND ? TENON_OK : code; /* neither variable: memory only */
}

enum tenon_code tn_plan_reviews_create(const struct tn_plan_reviews_options *options,
				       struct tn_plan_reviews **ret, struct tenon_error *err)
{
	struct tn_plan_reviews *reviews = tn_mem_alloc(sizeof(*reviews));
	enum tenon_code code;

	if (!reviews)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	reviews->clock = options->clock;
	reviews->loop = options->loop;
	reviews->keep_days = options->keep_days;
	code = find_folder(reviews, options->folder, err);
	if (code != TENON_OK) {
		tn_plan_reviews_destroy(reviews);
		return code;
	}
	*ret = reviews;
	return TENON_OK;
}

static void link_newest(struct tn_plan_reviews *reviews, struct tn_plan_open_review *open)
{
	open->older = reviews->newest;
	open->newer = NULL;
	if (reviews->newest)
		reviews->newest->newer = open;
	else
		reviews->oldest = open;
	reviews->newest = open;
}

static void unlink_open(struct tn_plan_reviews *reviews, struct tn_plan_open_review *open)
{
	if (open->newer)
		open->newer->older = open->older;
	else
		reviews->newest = open->older;
	if (open->older)
		open->older->newer = open->newer;
	else
		reviews->oldest = open->newer;
}

static void free_open(struct tn_plan_open_review *open)
{
	tn_oplog_close(open->log);
	tn_plan_review_finish(&open->review);
	tn_mem_free(open);
}

static void close_open(struct tn_plan_reviews *reviews, struct tn_plan_open_review *open)
{
	unlink_open(reviews, open);
	reviews->count--;
	free_open(open);
}

void tn_plan_reviews_destroy(struct tn_plan_reviews *reviews)
{
	if (!reviews)
		return;
	while (reviews->oldest)
		close_open(reviews, reviews->oldest);
	tn_mem_free(reviews->folder);
	tn_mem_free(reviews);
}

bool tn_plan_reviews_saves(const struct tn_plan_reviews *reviews)
{
	return reviews->folder != NULL;
}

void tn_plan_reviews_mend(struct tn_plan_reviews *reviews, struct tn_plan_open_review *open)
{
	if (tn_oplog_is_broken(open->log))
		close_open(reviews, open);
}

/* ---- old files ---- */

struct old_file {
	char digest[DIGEST_SIZE + 1];
	int64_t touched_ms;
};

struct tidying {
	char *folder;
	int64_t too_old_ms;
};

static bool path_of(const char *folder, const char *digest, const char *ending, char out[PATH_SIZE])
{
	int size = snprintf(out, PATH_SIZE, "%s/%s.json%s", folder, digest, ending);

	return size > 0 && size < PATH_SIZE - 16; /* the log appends to it */
}

static int64_t touched_ms(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (int64_t)status.st_mtime * 1000 : 0;
}

static int by_time(const void *a, const void *b)
{
	const struct old_file *one = a, *other = b;

	return (one->touched_ms < other->touched_ms) - (one->touched_ms > other->touched_ms);
}

/* "<64 hex>.json" or its journal; both files of one review count once, by their names' first half:
 * a journal alone is a review whose process was killed. */
static bool is_review(const char *name, char digest[DIGEST_SIZE + 1])
{
	if (strspn(name, "0123456789abcdef") != DIGEST_SIZE ||
	    (strcmp(name + DIGEST_SIZE, ".json") != 0 &&
	     strcmp(name + DIGEST_SIZE, ".json.journal") != 0))
		return false;
	memcpy(digest, name, DIGEST_SIZE);
	digest[DIGEST_SIZE] = '\0';
	return true;
}

static size_t list_files(const char *folder, struct old_file *files, size_t max)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	size_t count = 0;

	if (!dir)
		return 0;
	while (count < max && (entry = readdir(dir))) {
		char path[PATH_SIZE];

		if (!is_review(entry->d_name, files[count].digest) ||
		    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >= PATH_SIZE)
			continue;
		files[count++].touched_ms = touched_ms(path);
	}
	(void)closedir(dir); /* only read from */
	return count;
}

/* Whether the same review was touched later than this entry says. */
static bool is_younger_elsewhere(const struct old_file *files, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (strcmp(files[i].digest, files[at].digest) == 0)
			return true;
	}
	return false;
}

static void tidy(void *data, const atomic_bool *cancelled)
{
	const size_t max = 4 * (size_t)TN_PLAN_REVIEWS_KEPT_MAX; /* more are seen the next time */
	struct tidying *tidying = data;
	struct old_file *files = tn_mem_alloc_array(max, sizeof(*files));
	size_t count;

	if (!files)
		return; /* the next process tries again */
	count = list_files(tidying->folder, files, max);
	qsort(files, count, sizeof(*files), by_time); /* the youngest first */
	for (size_t i = 0; i < count && !atomic_load(cancelled); i++) {
		char path[PATH_SIZE];

		if (files[i].touched_ms >= tidying->too_old_ms && i < TN_PLAN_REVIEWS_KEPT_MAX)
			continue;
		if (!is_younger_elsewhere(files, i) &&
		    path_of(tidying->folder, files[i].digest, "", path) &&
		    tn_oplog_remove(path, NULL) != TENON_OK)
			continue; /* somebody has it open */
	}
	tn_mem_free(files);
}

static void tidied(void *data, bool cancelled)
{
	struct tidying *tidying = data;

	(void)cancelled;
	tn_mem_free(tidying->folder);
	tn_mem_free(tidying);
}

/* Once a process, with the first review that is written. */
static void tidy_once(struct tn_plan_reviews *reviews)
{
	struct tidying *tidying = tn_mem_alloc(sizeof(*tidying));
	const atomic_bool go_on = false;
	struct tn_job *job = NULL;

	reviews->tidied = true;
	if (!tidying)
		return;
	tidying->folder = tn_mem_copy_text(reviews->folder, strlen(reviews->folder));
	tidying->too_old_ms =
		tn_clock_wall_ms(reviews->clock) - (int64_t)reviews->keep_days * 24 * 3600 * 1000;
	if (tidying->folder && reviews->loop &&
	    tn_job_start(reviews->loop, tidy, tidied, tidying, &job, NULL) == TENON_OK)
		return;
	if (tidying->folder)
		tidy(tidying, &go_on);
	tidied(tidying, false);
}

/* ---- opening ---- */

static struct tn_plan_open_review *find_open(const struct tn_plan_reviews *reviews,
					     const char *digest)
{
	struct tn_plan_open_review *open = reviews->newest;

	while (open && strcmp(open->digest, digest) != 0)
		open = open->older;
	return open;
}

static bool has_file(const struct tn_plan_reviews *reviews, const char *digest)
{
	static const char *const endings[] = {"", ".journal"};
	char path[PATH_SIZE];

	for (size_t i = 0; reviews->folder && i < 2; i++) {
		if (path_of(reviews->folder, digest, endings[i], path) && access(path, F_OK) == 0)
			return true;
	}
	return false;
}

static enum tenon_code open_log(struct tn_plan_reviews *reviews, struct tn_plan_open_review *open,
				const char *path, struct tenon_error *err)
{
	const struct tn_oplog_options options = {.path = path,
						 .ops = &tn_plan_review_ops,
						 .document = &open->review,
						 .clock = reviews->clock,
						 .loop = reviews->loop};

	open->saved = path != NULL;
	return tn_oplog_open(&options, &open->log, err);
}

/* On the disk if that can be, else in memory. What is there and cannot be read is an error: a
 * review begun anew would hide it. */
static enum tenon_code open_anywhere(struct tn_plan_reviews *reviews,
				     struct tn_plan_open_review *open, struct tenon_error *err)
{
	char path[PATH_SIZE];
	enum tenon_code code = TENON_DENIED;

	if (reviews->folder && path_of(reviews->folder, open->digest, "", path) &&
	    tn_dir_create(reviews->folder, 0700, err) == TENON_OK) {
		code = open_log(reviews, open, path, err);
		if (code == TENON_OK && !reviews->tidied)
			tidy_once(reviews);
	}
	if (code != TENON_DENIED || has_file(reviews, open->digest))
		return code;
	tn_plan_review_finish(&open->review);
	return open_log(reviews, open, NULL, err);
}

enum tenon_code tn_plan_reviews_open(struct tn_plan_reviews *reviews, const char *digest,
				     bool write, struct tn_plan_open_review **ret,
				     struct tenon_error *err)
{
	struct tn_plan_open_review *open = find_open(reviews, digest);
	enum tenon_code code;

	if (open) {
		unlink_open(reviews, open);
		link_newest(reviews, open);
		*ret = open;
		return TENON_OK;
	}
	*ret = NULL;
	if (!write && !has_file(reviews, digest))
		return TENON_OK;
	open = tn_mem_alloc(sizeof(*open));
	if (!open)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	(void)snprintf(open->digest, sizeof(open->digest), "%s", digest);
	code = open_anywhere(reviews, open, err);
	if (code != TENON_OK) {
		free_open(open);
		return code;
	}
	while (reviews->count >= TN_PLAN_REVIEWS_OPEN_MAX)
		close_open(reviews, reviews->oldest);
	link_newest(reviews, open);
	reviews->count++;
	*ret = open;
	return TENON_OK;
}
