#include "apps/workbench/capture/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"

enum { TRIES = 40, DESCRIPTORS = 16 };

struct tn_wb_scratch {
	char path[TN_WB_SCRATCH_SIZE];
};

enum tenon_code tn_wb_scratch_make(struct tn_wb_scratch **ret, struct tenon_error *err)
{
	struct tn_wb_scratch *scratch = tn_mem_alloc(sizeof(*scratch));

	if (!scratch)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	(void)snprintf(scratch->path, sizeof(scratch->path), "/tmp/tenon-capture-XXXXXX");
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

static void work(void *data, const atomic_bool *cancelled)
{
	const struct timespec moment = {.tv_nsec = 50000000};
	struct tn_wb_scratch *scratch = data;

	for (int i = 0; i < TRIES; i++) {
		(void)nftw(scratch->path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
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
