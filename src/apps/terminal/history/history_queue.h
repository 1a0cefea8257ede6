/* history_queue.h - the loop's half of the history: what waits to be written, and who waits for an
 * answer. At most one job writes; searches have connections of their own. A search waits until all
 * is written that was recorded before it, so that a caller finds the command it has just run.
 * Threads: loop, but for what a comment gives to the writing job. */
#ifndef TN_TERMINAL_HISTORY_HISTORY_QUEUE_H
#define TN_TERMINAL_HISTORY_HISTORY_QUEUE_H

#include <pthread.h>

#include "apps/terminal/history/internal.h"
#include "apps/terminal/limits.h"

struct tn_history_asking {
	struct tn_history_asking *next;
	struct tn_history *history; /* NULL: it was closed, nobody waits */
	struct tn_history_request request;
	uint64_t after; /* written up to here */
	void (*done)(struct tn_history_found *found, void *data);
	void *data;
	struct tn_history_db db; /* a reader while it runs */
	struct tn_history_found found;
	struct tn_job *job;
	atomic_bool cancelled;
	bool running;
};

struct tn_history_purging {
	struct tn_history_purging *next;
	int64_t before_ms;
	char *matching;
	size_t matching_size;
	void (*done)(enum tenon_code code, const struct tenon_error *error, uint64_t removed,
		     void *data);
	void *data;
	uint64_t removed;
};

/* What a writing job does. It belongs to the job while it is out. */
struct tn_history_work {
	struct tn_history_item *items;
	uint64_t last; /* the number of the newest of them */
	struct tn_history_purging *purge;
	bool retain;
	bool suspect; /* a reader has found damage */
	enum tenon_code code;
	struct tenon_error error;
	enum tenon_code purge_code;
	struct tenon_error purge_error;
	bool more;  /* retention has not come to an end */
	bool moved; /* the file was damaged, and a new one is there */
};

enum tn_history_job {
	TN_HISTORY_JOB_NONE,
	TN_HISTORY_JOB_WAITING,
	TN_HISTORY_JOB_RUNNING,
	TN_HISTORY_JOB_OVER
};

struct tn_history {
	struct tn_loop *loop;
	const struct tn_clock *clock;
	struct tn_history_options options;
	char *path;
	struct tn_redactor *redactor; /* the patterns; used by the writing job only */
	struct tn_history_db db;      /* likewise */
	int64_t moved_ms;             /* likewise: when a file was last moved aside */
	struct tn_timer *batch, *hourly;
	/* What waits. */
	struct tn_history_item *first, **last;
	size_t bytes;
	uint64_t recorded, written; /* numbers of items */
	struct tn_history_purging *purges;
	bool retain_due, suspect;
	/* The writing job. `lock` is for `state` alone: closing must know whether it runs. */
	struct tn_history_work work;
	struct tn_job *job;
	pthread_mutex_t lock;
	pthread_cond_t over;
	_Atomic enum tn_history_job state;
	unsigned busy_tries;
	char problem[TENON_ERROR_MESSAGE_MAX + 64];
	char moved[TENON_ERROR_MESSAGE_MAX]; /* that a damaged file was moved aside; "": none was */
	bool off, closed;
	/* Searches: the ones that wait or run, and idle readers. */
	struct tn_history_asking *searches;
	unsigned search_count, running_count;
	struct tn_sqlite *idle[TN_HISTORY_SEARCHES_AT_ONCE];
	dev_t idle_device[TN_HISTORY_SEARCHES_AT_ONCE];
	ino_t idle_inode[TN_HISTORY_SEARCHES_AT_ONCE];
};

bool tn_history_is_memory(const struct tn_history *history);
/* Does what can be done next. */
void tn_history_turn(struct tn_history *history);
void tn_history_free(struct tn_history *history); /* when no job is out */

/* history_job.c */
void tn_history_start_job(struct tn_history *history);
void tn_history_finish_jobs(struct tn_history *history); /* all that waits, now, on this thread */

/* history_ask.c */
bool tn_history_is_waited_for(const struct tn_history *history);
void tn_history_start_searches(struct tn_history *history);
void tn_history_close_searches(struct tn_history *history);

#endif
