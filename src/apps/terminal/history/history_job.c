/* history_job.c - the job that writes, and what comes of it. */
#include "apps/terminal/history/history_queue.h"

#include <stdio.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"

enum { BUSY_TRIES_MAX = 15, BUSY_RETRY_MS = 1000, AGAIN_MS = 60 * 1000 };

/* ---- the writing job ---- */

static void move_aside(struct tn_history *history, struct tn_history_work *work)
{
	int64_t now = tn_clock_wall_ms(history->clock);

	/* Once; a disk that damages every file is a reason to stop. */
	if (history->moved_ms && now - history->moved_ms < TN_HISTORY_RETAIN_MS)
		return;
	if (!tn_history_db_move_aside(&history->db, now))
		return;
	history->moved_ms = now;
	work->moved = true;
}

static enum tenon_code write_items(struct tn_history *history, struct tn_history_work *work)
{
	enum tenon_code code = tn_history_db_open(&history->db, &work->error);

	if (code == TENON_OK && work->suspect)
		code = tn_history_db_mend(&history->db, &work->error);
	work->suspect = false;
	if (code == TENON_OK && work->items)
		code = tn_history_write(&history->db, work->items, &work->error);
	return code;
}

static void forget(struct tn_history *history, struct tn_history_work *work)
{
	struct tn_history_purging *purge = work->purge;

	work->purge_code = work->code;
	work->purge_error = work->error;
	if (work->code == TENON_OK)
		work->purge_code = tn_history_forget(&history->db, purge->before_ms,
						     tn_str(purge->matching, purge->matching_size),
						     &purge->removed, &work->purge_error);
	if (work->purge_code != TENON_OK && tn_history_is_damaged(&work->purge_error))
		work->error = work->purge_error;
}

static void do_work(struct tn_history *history)
{
	struct tn_history_work *work = &history->work;

	work->code = TENON_OK;
	work->moved = work->more = false;
	work->error = (struct tenon_error){0};
	for (struct tn_history_item *item = work->items; item; item = item->next)
		(void)tn_history_item_clean(item, history->redactor); /* else it is not written */
	work->code = write_items(history, work);
	if (work->purge)
		forget(history, work);
	if (work->code == TENON_OK && work->retain) {
		int64_t keep_ms = (int64_t)history->options.keep_days * 24 * 60 * 60 * 1000;

		work->code =
			tn_history_retain(&history->db, tn_clock_wall_ms(history->clock) - keep_ms,
					  history->options.bytes_max, &work->more, &work->error);
	}
	if (work->code == TENON_OK || !tn_history_is_damaged(&work->error))
		return;
	move_aside(history, work);
	if (work->moved) {
		work->error = (struct tenon_error){0};
		work->code = write_items(history, work);
	}
}

static void set_state(struct tn_history *history, enum tn_history_job state)
{
	(void)pthread_mutex_lock(&history->lock);
	history->state = state;
	(void)pthread_cond_broadcast(&history->over);
	(void)pthread_mutex_unlock(&history->lock);
}

static void job_work(void *data, const atomic_bool *cancelled)
{
	struct tn_history *history = data;
	bool mine;

	(void)cancelled;
	(void)pthread_mutex_lock(&history->lock);
	mine = history->state == TN_HISTORY_JOB_WAITING; /* closing has not taken it away */
	if (mine)
		history->state = TN_HISTORY_JOB_RUNNING;
	(void)pthread_mutex_unlock(&history->lock);
	if (!mine)
		return;
	do_work(history);
	set_state(history, TN_HISTORY_JOB_OVER);
}

static void free_items(struct tn_history_item *items)
{
	while (items) {
		struct tn_history_item *next = items->next;

		tn_history_item_free(items);
		items = next;
	}
}

/* ---- on and off ---- */

static void tell_state(struct tn_history *history, const char *problem)
{
	if (history->options.state && !history->closed)
		history->options.state(problem, history->options.data);
}

static void turn_off(struct tn_history *history, const struct tenon_error *why)
{
	bool was_off = history->off;

	history->off = true;
	(void)snprintf(history->problem, sizeof(history->problem),
		       "History is off: %s. It is tried again later.", why->message);
	if (!was_off)
		tell_state(history, history->problem);
}

static void turn_on(struct tn_history *history, bool moved)
{
	bool was_off = history->off;

	history->off = false;
	history->problem[0] = '\0';
	if (moved) {
		char when[TN_CLOCK_ISO_SIZE];

		tn_clock_format_iso(history->moved_ms, when);
		(void)snprintf(history->moved, sizeof(history->moved),
			       "The history file was damaged. It was moved aside (its name ends in "
			       ".broken-%lld) and a new one begun: what was run before %.19sZ is "
			       "not found.",
			       (long long)(history->moved_ms / 1000), when);
		tell_state(history, history->moved);
	}
	if (was_off || moved)
		tell_state(history, NULL);
}

/* ---- after a job ---- */

static void end_purge(struct tn_history *history, struct tn_history_purging *purge,
		      enum tenon_code code, const struct tenon_error *error)
{
	(void)history;
	purge->done(code, error, purge->removed, purge->data);
	tn_mem_free(purge->matching);
	tn_mem_free(purge);
}

/* What could not be written waits in front of what came since, without what is too much. */
static void put_back(struct tn_history *history, struct tn_history_item *items)
{
	struct tn_history_item **end = &items;
	size_t bytes = 0;

	if (!items)
		return;
	while (*end && history->bytes + bytes + (*end)->bytes <= TN_HISTORY_WHILE_OFF_BYTES_MAX) {
		bytes += (*end)->bytes;
		end = &(*end)->next;
	}
	free_items(*end);
	*end = history->first;
	if (!history->first)
		history->last = end;
	if (items)
		history->first = items;
	else
		history->last = &history->first;
	history->bytes += bytes;
}

static void after_failure(struct tn_history *history, struct tn_history_work *work)
{
	bool busy = work->code == TENON_BUSY && ++history->busy_tries < BUSY_TRIES_MAX;

	put_back(history, work->items);
	/* Those who wait get what there is. */
	history->written = work->last;
	if (!busy)
		turn_off(history, &work->error);
	tn_timer_start(history->batch, busy ? BUSY_RETRY_MS : TN_HISTORY_RETRY_MS);
}

static void after_success(struct tn_history *history, struct tn_history_work *work)
{
	bool any = work->items != NULL;

	free_items(work->items);
	history->written = work->last;
	history->busy_tries = 0;
	turn_on(history, work->moved);
	if (work->retain) {
		history->retain_due = false;
		tn_timer_start(history->hourly, work->more ? AGAIN_MS : TN_HISTORY_RETAIN_MS);
	}
	if ((any || work->purge) && history->options.changed)
		history->options.changed(history->options.data);
}

static void job_done(void *data, bool cancelled)
{
	struct tn_history *history = data;
	struct tn_history_work work;

	(void)cancelled;
	if (history->closed) { /* closing has seen to the rest */
		if (history->running_count == 0)
			tn_history_free(history);
		else
			history->state = TN_HISTORY_JOB_NONE;
		return;
	}
	work = history->work;
	history->work = (struct tn_history_work){0};
	history->job = NULL;
	history->state = TN_HISTORY_JOB_NONE;
	if (work.code == TENON_OK)
		after_success(history, &work);
	else
		after_failure(history, &work);
	if (work.purge)
		end_purge(history, work.purge, work.purge_code, &work.purge_error);
	tn_history_turn(history);
}

/* ---- before one ---- */

static void take_work(struct tn_history *history)
{
	struct tn_history_work *work = &history->work;

	*work = (struct tn_history_work){.items = history->first,
					 .last = history->recorded,
					 .purge = history->purges,
					 .retain = history->retain_due,
					 .suspect = history->suspect};
	history->suspect = false;
	history->first = NULL;
	history->last = &history->first;
	history->bytes = 0;
	if (work->purge)
		history->purges = work->purge->next;
}

void tn_history_start_job(struct tn_history *history)
{
	struct tenon_error err;

	take_work(history);
	tn_timer_stop(history->batch);
	history->state = TN_HISTORY_JOB_WAITING;
	if (tn_job_start(history->loop, job_work, job_done, history, &history->job, &err) ==
	    TENON_OK)
		return;
	history->state = TN_HISTORY_JOB_NONE;
	if (history->work.purge) {
		history->work.purge->next = history->purges;
		history->purges = history->work.purge;
	}
	history->work.code = err.code;
	history->work.error = err;
	after_failure(history, &history->work);
	history->work = (struct tn_history_work){0};
}

/* ---- without one ---- */

/* Either the job has not begun, and its work is ours; or it runs, and is waited for. */
static bool wait_for_job(struct tn_history *history)
{
	bool ours;

	(void)pthread_mutex_lock(&history->lock);
	ours = history->state == TN_HISTORY_JOB_WAITING;
	if (ours)
		history->state = TN_HISTORY_JOB_OVER;
	while (history->state == TN_HISTORY_JOB_RUNNING)
		(void)pthread_cond_wait(&history->over, &history->lock);
	(void)pthread_mutex_unlock(&history->lock);
	return ours;
}

static void finish_work(struct tn_history *history)
{
	if (history->work.code != TENON_OK)
		history->off = true;
	free_items(history->work.items);
	if (history->work.purge)
		end_purge(history, history->work.purge, history->work.purge_code,
			  &history->work.purge_error);
	history->work = (struct tn_history_work){0};
}

void tn_history_finish_jobs(struct tn_history *history)
{
	bool out = history->state != TN_HISTORY_JOB_NONE;

	if (out && wait_for_job(history))
		do_work(history);
	if (out)
		finish_work(history);
	while (history->first || history->purges) {
		take_work(history);
		if (!history->off)
			do_work(history);
		else
			history->work.purge_code =
				tn_fail(&history->work.purge_error, TENON_CANCELLED,
					"the history was closed");
		finish_work(history);
	}
}
