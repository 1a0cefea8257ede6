#include "apps/terminal/history/history.h"

#include "apps/terminal/history/history_queue.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"

enum { FIRST_RETAIN_MS = 60 * 1000 };

bool tn_history_is_memory(const struct tn_history *history)
{
	return strcmp(history->path, ":memory:") == 0;
}

void tn_history_free(struct tn_history *history)
{
	tn_history_db_close(&history->db);
	for (size_t i = 0; i < TN_HISTORY_SEARCHES_AT_ONCE; i++)
		tn_sqlite_close(history->idle[i]);
	tn_redactor_destroy(history->redactor);
	(void)pthread_mutex_destroy(&history->lock);
	(void)pthread_cond_destroy(&history->over);
	tn_mem_free(history->path);
	tn_mem_free(history);
}

const char *tn_history_problem(const struct tn_history *history)
{
	return history->off ? history->problem : NULL;
}

void tn_history_turn(struct tn_history *history)
{
	bool now = history->purges || (!history->off && (history->retain_due || history->suspect ||
							 tn_history_is_waited_for(history)));

	if (history->state == TN_HISTORY_JOB_NONE && now)
		tn_history_start_job(history);
	else if (history->state == TN_HISTORY_JOB_NONE && history->first &&
		 !tn_timer_active(history->batch))
		tn_timer_start(history->batch, TN_HISTORY_BATCH_MS);
	/* While it is off nothing gets written: what is there is what can be found. */
	if (history->off)
		history->written = history->recorded;
	tn_history_start_searches(history);
}

static void batch_is_due(struct tn_timer *timer, void *data)
{
	struct tn_history *history = data;

	(void)timer;
	if (history->state == TN_HISTORY_JOB_NONE)
		tn_history_start_job(history);
}

static void hour_is_over(struct tn_timer *timer, void *data)
{
	struct tn_history *history = data;

	(void)timer;
	history->retain_due = true;
	tn_history_turn(history);
}

/* ---- recording ---- */

static void add_item(struct tn_history *history, struct tn_history_item *item)
{
	if (!item)
		return; /* no memory for it: it is not recorded */
	item->next = NULL;
	*history->last = item;
	history->last = &item->next;
	history->bytes += item->bytes;
	history->recorded++;
	if (history->state == TN_HISTORY_JOB_NONE && !tn_timer_active(history->batch))
		tn_timer_start(history->batch, TN_HISTORY_BATCH_MS);
}

static bool has_room(const struct tn_history *history, size_t bytes)
{
	size_t most = history->off ? TN_HISTORY_WHILE_OFF_BYTES_MAX : TN_HISTORY_QUEUE_BYTES_MAX;

	return history->bytes + bytes <= most;
}

void tn_history_record_session(struct tn_history *history, const struct tn_history_session *session)
{
	if (has_room(history, TN_KIB))
		add_item(history, tn_history_item_session(session));
}

void tn_history_record_command(struct tn_history *history, const struct tn_history_command *command)
{
	size_t output = command->output.size + command->output_tail.size;

	if (output > 3 * TN_HISTORY_OUTPUT_BYTES)
		output = 3 * TN_HISTORY_OUTPUT_BYTES;
	if (has_room(history, command->text.size + TN_KIB))
		add_item(history,
			 tn_history_item_command(
				 command,
				 !history->off &&
					 has_room(history, command->text.size + output + TN_KIB)));
}

void tn_history_record_event(struct tn_history *history, const struct tn_history_event *event)
{
	if (has_room(history, TN_KIB))
		add_item(history, tn_history_item_event(event, tn_clock_wall_ms(history->clock)));
}

/* ---- forgetting ---- */

enum tenon_code tn_history_purge(struct tn_history *history, int64_t before_ms,
				 struct tn_str matching,
				 void (*done)(enum tenon_code code, const struct tenon_error *error,
					      uint64_t removed, void *data),
				 void *data, struct tenon_error *err)
{
	struct tn_history_purging *purge = tn_mem_alloc(sizeof(*purge)), **at = &history->purges;

	if (!purge)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*purge = (struct tn_history_purging){.before_ms = before_ms, .done = done, .data = data};
	purge->matching_size = matching.size;
	purge->matching = tn_mem_copy_text(matching.data ? matching.data : "", matching.size);
	if (!purge->matching) {
		tn_mem_free(purge);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	while (*at)
		at = &(*at)->next;
	*at = purge;
	tn_history_turn(history);
	return TENON_OK;
}

/* ---- life ---- */

static enum tenon_code open_parts(struct tn_history *history, const char *path,
				  struct tenon_error *err)
{
	enum tenon_code code;

	history->path = tn_mem_copy_text(path, strlen(path));
	if (!history->path)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	history->options.path = history->db.path = history->path;
	code = tn_redactor_create(history->options.patterns, &history->redactor, err);
	if (code == TENON_OK)
		code = tn_timer_open(history->loop, batch_is_due, history, &history->batch, err);
	if (code == TENON_OK)
		code = tn_timer_open(history->loop, hour_is_over, history, &history->hourly, err);
	if (code == TENON_OK)
		tn_timer_start(history->hourly, FIRST_RETAIN_MS);
	return code;
}

enum tenon_code tn_history_open(struct tn_loop *loop, const struct tn_history_options *options,
				struct tn_history **ret, struct tenon_error *err)
{
	struct tn_history *history = tn_mem_alloc(sizeof(*history));
	enum tenon_code code;

	if (!history)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	history->loop = loop;
	history->options = *options;
	history->clock = options->clock ? options->clock : &tn_clock_system;
	history->last = &history->first;
	if (pthread_mutex_init(&history->lock, NULL) != 0 ||
	    pthread_cond_init(&history->over, NULL) != 0) {
		tn_mem_free(history);
		return tn_fail(err, TENON_SYSTEM, "no lock");
	}
	code = open_parts(history, options->path, err);
	if (code != TENON_OK) {
		tn_timer_close(history->batch);
		tn_timer_close(history->hourly);
		tn_history_free(history);
		return code;
	}
	history->options.patterns = NULL; /* compiled; the caller's */
	*ret = history;
	return TENON_OK;
}

void tn_history_close(struct tn_history *history)
{
	bool job_out;

	if (!history)
		return;
	history->closed = true;
	tn_history_close_searches(history);
	tn_timer_close(history->batch);
	tn_timer_close(history->hourly);
	job_out = history->state != TN_HISTORY_JOB_NONE;
	tn_history_finish_jobs(history);
	if (!job_out && history->running_count == 0)
		tn_history_free(history);
}
