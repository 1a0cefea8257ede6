#include "apps/workbench/launch/scratch.h"

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
#include "base/size.h"
#include "base/str.h"

enum { TRIES = 40, DESCRIPTORS = 16, TEMPORARY_MAX = 32 };

/* A longer one leaves no room for the name. */
static const char *temporary(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && folder[0] == '/' && strlen(folder) <= TEMPORARY_MAX ? folder : "/tmp";
}

enum tenon_code tn_wb_scratch_make(const char *what, char ret_path[TN_WB_SCRATCH_SIZE],
				   struct tenon_error *err)
{
	int size = snprintf(ret_path, TN_WB_SCRATCH_SIZE, "%s/tenon-%s-%ld-XXXXXX", temporary(),
			    what, (long)getpid());

	if (size > 0 && size < TN_WB_SCRATCH_SIZE && mkdtemp(ret_path))
		return TENON_OK;
	ret_path[0] = '\0';
	return tn_fail_errno(err, errno, "make a folder for our programs");
}

/* ---- removing ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	(void)remove(path);
	return 0;
}

void tn_wb_scratch_remove(const char *path)
{
	if (path[0])
		(void)nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

struct removal {
	char path[TN_WB_SCRATCH_SIZE];
};

static void work(void *data, const atomic_bool *cancelled)
{
	const struct timespec moment = {.tv_nsec = 50000000};
	struct removal *removal = data;

	tn_wb_scratch_sweep();
	for (int i = 0; i < TRIES; i++) {
		tn_wb_scratch_remove(removal->path);
		if (access(removal->path, F_OK) != 0 || *cancelled)
			return;
		(void)nanosleep(&moment, NULL);
	}
}

static void done(void *data, bool cancelled)
{
	(void)cancelled;
	tn_mem_free(data);
}

void tn_wb_scratch_remove_soon(const char *path, struct tn_loop *loop)
{
	struct removal *removal = path[0] ? tn_mem_alloc(sizeof(*removal)) : NULL;
	struct tn_job *job;

	if (!removal)
		return;
	(void)snprintf(removal->path, sizeof(removal->path), "%s", path);
	if (tn_job_start(loop, work, done, removal, &job, NULL) != TENON_OK)
		tn_mem_free(removal);
}

/* ---- sweeping ---- */

/* What follows the name: "4711-a1b2c3", of a process that there is no more. */
static bool is_of_nobody(struct tn_str rest)
{
	size_t end = tn_str_find_byte(rest, '-');
	uint64_t pid;

	if (end == TN_STR_NONE || !tn_str_to_uint(tn_str(rest.data, end), &pid) || !pid ||
	    pid > INT32_MAX)
		return false;
	return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static bool is_left(const char *name, const char *path)
{
	static const char *const names[] = {"tenon-capture-", "tenon-workbench-"};
	struct stat status;

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0 &&
		    is_of_nobody(tn_str_from(name + strlen(names[i]))))
			return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
			       status.st_uid == geteuid();
	return false;
}

void tn_wb_scratch_sweep(void)
{
	DIR *folder = opendir(temporary());
	struct dirent *entry;
	char path[512];

	while (folder && (entry = readdir(folder)) != NULL) {
		(void)snprintf(path, sizeof(path), "%s/%s", temporary(), entry->d_name);
		if (is_left(entry->d_name, path))
			tn_wb_scratch_remove(path);
	}
	if (folder)
		(void)closedir(folder); /* only read */
}
