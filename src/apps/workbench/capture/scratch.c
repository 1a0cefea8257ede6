#include "apps/workbench/capture/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

#define FOLDER "/tmp/"
#define NAME "tenon-capture-"

enum { TRIES = 40, DESCRIPTORS = 16 };

struct tn_wb_scratch {
	char path[TN_WB_SCRATCH_SIZE];
};

enum tenon_code tn_wb_scratch_make(struct tn_wb_scratch **ret, struct tenon_error *err)
{
	struct tn_wb_scratch *scratch = tn_mem_alloc(sizeof(*scratch));

	if (!scratch)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	/* The process says whose it is (sweep). */
	(void)snprintf(scratch->path, sizeof(scratch->path), FOLDER NAME "%ld-XXXXXX",
		       (long)getpid());
	if (!mkdtemp(scratch->path)) {
		tn_mem_free(scratch);
		return tn_fail(err, TENON_SYSTEM, "no folder can be made in /tmp (errno %d)",
			       errno);
	}
	*ret = scratch;
	return TENON_OK;
}

const char *tn_wb_scratch_path(const struct tn_wb_scratch *scratch)
{
	return scratch->path;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	(void)remove(path);
	return 0;
}

static void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

/* "tenon-capture-4711-a1b2c3" of a process that there is no more, in a folder of ours. */
static bool is_left(const char *name, const char *path)
{
	struct stat status;
	struct tn_str rest;
	uint64_t pid;
	size_t end;

	if (strncmp(name, NAME, strlen(NAME)) != 0)
		return false;
	rest = tn_str_from(name + strlen(NAME));
	end = tn_str_find_byte(rest, '-');
	if (end == TN_STR_NONE || !tn_str_to_uint(tn_str(rest.data, end), &pid) || !pid ||
	    pid > INT32_MAX)
		return false;
	return kill((pid_t)pid, 0) != 0 && errno == ESRCH && lstat(path, &status) == 0 &&
	       S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

/* What a daemon has left that was killed while it drew. */
static void sweep(void)
{
	DIR *folder = opendir(FOLDER);
	struct dirent *entry;
	char path[512];

	while (folder && (entry = readdir(folder)) != NULL) {
		(void)snprintf(path, sizeof(path), FOLDER "%s", entry->d_name);
		if (is_left(entry->d_name, path))
			remove_tree(path);
	}
	if (folder)
		(void)closedir(folder);
}

static void work(void *data, const atomic_bool *cancelled)
{
	const struct timespec moment = {.tv_nsec = 50000000};
	struct tn_wb_scratch *scratch = data;

	sweep();
	for (int i = 0; i < TRIES; i++) {
		remove_tree(scratch->path);
		if (remove(scratch->path) == 0 || errno == ENOENT || *cancelled)
			return;
		(void)nanosleep(&moment, NULL);
	}
}

static void done(void *data, bool cancelled)
{
	(void)cancelled;
	tn_mem_free(data);
}

void tn_wb_scratch_remove(struct tn_wb_scratch *scratch, struct tn_loop *loop)
{
	struct tn_job *job;

	if (scratch && tn_job_start(loop, work, done, scratch, &job, NULL) != TENON_OK)
		tn_mem_free(scratch);
}
