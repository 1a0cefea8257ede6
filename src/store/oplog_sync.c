#include "base/mem.h"
#include "store/oplog_log.h"

/* One fdatasync on a worker. It has descriptors of its own, so the log may be closed meanwhile. */
struct tn_oplog_job {
	struct tn_oplog *log; /* NULL: closed */
	struct tn_oplog_sync_fds fds;
	enum tenon_code code;
};

/* After a failure the kernel takes what it could not write for written: syncing again would
 * succeed and mean nothing. A new snapshot is written from what is in memory instead. */
static void sync_failed(struct tn_oplog *log)
{
	log->must_snapshot = true;
	if (!log->begun && tn_oplog_compact(log, NULL) == TENON_OK)
		log->must_snapshot = false; /* else the next commit tries again, and says so */
}

static void sync_work(void *data, const atomic_bool *cancelled)
{
	struct tn_oplog_job *job = data;

	(void)cancelled; /* a sync that has begun is as good done */
	job->code = tn_oplog_disk_sync_fds(&job->fds, NULL);
}

static void start_job(struct tn_oplog *log);
static void expired(struct tn_timer *timer, void *data);

/* The timer lives from a commit to its end: a loop that is destroyed waits for it and what follows,
 * and an idle log holds nothing that the loop would have to outlive. */
static bool arm(struct tn_oplog *log)
{
	if (log->timer)
		return true;
	if (tn_timer_open(log->loop, expired, log, &log->timer, NULL) != TENON_OK) {
		log->timer = NULL;
		return false;
	}
	tn_timer_start(log->timer, log->sync_ms);
	return true;
}

static void sync_done(void *data, bool cancelled)
{
	struct tn_oplog_job *job = data;
	struct tn_oplog *log = job->log;

	if (cancelled) /* the worker may never have had it */
		job->code = tn_oplog_disk_sync_fds(&job->fds, NULL);
	if (log) {
		log->job = NULL;
		if (job->code != TENON_OK)
			sync_failed(log);
		else if (log->job_again)
			start_job(log);
	}
	tn_mem_free(job);
}

static void start_job(struct tn_oplog *log)
{
	struct tn_oplog_job *job = tn_mem_alloc(sizeof(*job));
	struct tn_job *started = NULL;

	log->job_again = false;
	if (!job || tn_oplog_disk_sync_begin(&log->disk, &job->fds, NULL) != TENON_OK) {
		tn_mem_free(job);
		log->must_snapshot = log->must_snapshot || !arm(log); /* once more, or anew */
		return;
	}
	job->log = log;
	log->job = job;
	if (job->fds.journal >= 0 &&
	    tn_job_start(log->loop, sync_work, sync_done, job, &started, NULL) == TENON_OK)
		return;
	/* Without a worker it blocks, once. */
	sync_done(job, job->fds.journal >= 0);
}

static void expired(struct tn_timer *timer, void *data)
{
	struct tn_oplog *log = data;

	tn_timer_close(timer);
	log->timer = NULL;
	/* Nobody waits now: a good moment for what takes longer than a commit. */
	if (!log->begun && tn_oplog_is_long(log, 1) && tn_oplog_compact(log, NULL) == TENON_OK)
		return;
	if (log->job)
		log->job_again = true;
	else
		start_job(log);
}

void tn_oplog_sync_soon(struct tn_oplog *log)
{
	if (!log->loop || !log->disk.path)
		return;
	if (!arm(log) && tn_oplog_sync(log, NULL) != TENON_OK)
		log->must_snapshot = true;
}

void tn_oplog_attach(struct tn_oplog *log, struct tn_loop *loop)
{
	tn_oplog_sync_stop(log);
	log->loop = loop;
	if (log->journal_lines > 0)
		tn_oplog_sync_soon(log); /* what it has committed until now */
}

void tn_oplog_sync_stop(struct tn_oplog *log)
{
	if (log->job)
		log->job->log = NULL;
	log->job = NULL;
	tn_timer_close(log->timer);
	log->timer = NULL;
}

enum tenon_code tn_oplog_sync(struct tn_oplog *log, struct tenon_error *err)
{
	struct tn_oplog_sync_fds fds;
	enum tenon_code code = tn_oplog_disk_sync_begin(&log->disk, &fds, err);

	if (code == TENON_OK)
		code = tn_oplog_disk_sync_fds(&fds, err);
	if (code != TENON_OK)
		log->must_snapshot = true;
	return code;
}
