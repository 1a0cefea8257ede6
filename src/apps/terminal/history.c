#include "apps/terminal/history.h"

#include <pthread.h>
#include <stdio.h>

#include "apps/terminal/history_parts.h"
#include "base/limits.h"
#include "base/mem.h"

/* The loop's half: what waits to be written, and who waits for an answer. At most one job writes;
 * searches have connections of their own. A search waits until all is written that was recorded
 * before it, so that a caller finds the command it has just run. */

enum { BUSY_TRIES_MAX = 15, BUSY_RETRY_MS = 1000, AGAIN_MS = 60 * 1000 };

struct search {
	struct search *next;
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

struct purge {
	struct purge *next;
	int64_t before_ms;
	char *matching;
	size_t matching_size;
	void (*done)(enum tenon_code code, const struct tenon_error *error, uint64_t removed,
		     void *data);
	void *data;
	uint64_t removed;
};

/* What a writing job does. It belongs to the job while it is out. */
struct work {
	struct tn_history_item *items;
	uint64_t last; /* the number of the newest of them */
	struct purge *purge;
	bool retain;
	bool suspect; /* a reader has found damage */
	enum tenon_code code;
	struct tenon_error error;
	enum tenon_code purge_code;
	struct tenon_error purge_error;
	bool more;  /* retention has not come to an end */
	bool moved; /* the file was damaged, and a new one is there */
};

enum job_state { JOB_NONE, JOB_WAITING, JOB_RUNNING, JOB_OVER };

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
	struct purge *purges;
	bool retain_due, suspect;
	/* The writing job. `lock` is for `state` alone: closing must know whether it runs. */
	struct work work;
	struct tn_job *job;
	pthread_mutex_t lock;
	pthread_cond_t over;
	enum job_state state;
	unsigned busy_tries;
	char problem[TENON_ERROR_MESSAGE_MAX + 64];
	bool off, closed;
	/* Searches: the ones that wait or run, and idle readers. */
	struct search *searches;
	unsigned search_count, running_count;
	struct tn_sqlite *idle[TN_HISTORY_SEARCHES_AT_ONCE];
	dev_t idle_device[TN_HISTORY_SEARCHES_AT_ONCE];
	ino_t idle_inode[TN_HISTORY_SEARCHES_AT_ONCE];
};

static void turn(struct tn_history *history);

static bool is_memory(const struct tn_history *history)
{
	return strcmp(history->path, ":memory:") == 0;
}

/* ---- the writing job ---- */

static void move_aside(struct tn_history *history, struct work *work)
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

static enum tenon_code write_items(struct tn_history *history, struct work *work)
{
	enum tenon_code code = tn_history_db_open(&history->db, &work->error);

	if (code == TENON_OK && work->suspect)
		code = tn_history_db_mend(&history->db, &work->error);
	work->suspect = false;
	if (code == TENON_OK && work->items)
		code = tn_history_write(&history->db, work->items, &work->error);
	return code;
}

static void forget(struct tn_history *history, struct work *work)
{
	struct purge *purge = work->purge;

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
	struct work *work = &history->work;

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

static void set_state(struct tn_history *history, enum job_state state)
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
	mine = history->state == JOB_WAITING; /* closing has not taken it away */
	if (mine)
		history->state = JOB_RUNNING;
	(void)pthread_mutex_unlock(&history->lock);
	if (!mine)
		return;
	do_work(history);
	set_state(history, JOB_OVER);
}

static void free_items(struct tn_history_item *items)
{
	while (items) {
		struct tn_history_item *next = items->next;

		tn_history_item_free(items);
		items = next;
	}
}

static void free_history(struct tn_history *history)
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
	if (moved)
		tell_state(history, "The history file was damaged. It was moved aside (its name "
				    "ends in .broken-TIME) and a new one begun.");
	if (was_off || moved)
		tell_state(history, NULL);
}

const char *tn_history_problem(const struct tn_history *history)
{
	return history->off ? history->problem : NULL;
}

/* ---- after a job ---- */

static void end_purge(struct tn_history *history, struct purge *purge, enum tenon_code code,
		      const struct tenon_error *error)
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

static void after_failure(struct tn_history *history, struct work *work)
{
	bool busy = work->code == TENON_BUSY && ++history->busy_tries < BUSY_TRIES_MAX;

	put_back(history, work->items);
	/* Those who wait get what there is. */
	history->written = work->last;
	if (!busy)
		turn_off(history, &work->error);
	tn_timer_start(history->batch, busy ? BUSY_RETRY_MS : TN_HISTORY_RETRY_MS);
}

static void after_success(struct tn_history *history, struct work *work)
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
	struct work work;

	(void)cancelled;
	if (history->closed) { /* closing has seen to the rest */
		if (history->running_count == 0)
			free_history(history);
		else
			history->state = JOB_NONE;
		return;
	}
	work = history->work;
	history->work = (struct work){0};
	history->job = NULL;
	history->state = JOB_NONE;
	if (work.code == TENON_OK)
		after_success(history, &work);
	else
		after_failure(history, &work);
	if (work.purge)
		end_purge(history, work.purge, work.purge_code, &work.purge_error);
	turn(history);
}

/* ---- searches ---- */

static void free_search(struct search *search)
{
	tn_arena_finish(&search->request.arena);
	tn_mem_free(search);
}

static void unlink_search(struct tn_history *history, struct search *search)
{
	struct search **at = &history->searches;

	while (*at != search)
		at = &(*at)->next;
	*at = search->next;
	history->search_count--;
}

static void search_work(void *data, const atomic_bool *cancelled)
{
	struct search *search = data;

	(void)cancelled; /* our own flag, which is there before the job is */
	tn_history_run(&search->db, &search->request, &search->found);
}

static void give_reader_back(struct tn_history *history, struct search *search)
{
	for (size_t i = 0; i < TN_HISTORY_SEARCHES_AT_ONCE && !is_memory(history); i++) {
		if (history->idle[i] || !search->db.db)
			continue;
		history->idle[i] = search->db.db;
		history->idle_device[i] = search->db.device;
		history->idle_inode[i] = search->db.inode;
		search->db.db = NULL;
	}
	if (!is_memory(history))
		tn_history_db_close(&search->db);
}

static void take_reader(struct tn_history *history, struct search *search)
{
	search->db.path = history->path;
	if (is_memory(history)) {
		search->db = history->db;
		return;
	}
	for (size_t i = 0; i < TN_HISTORY_SEARCHES_AT_ONCE && !search->db.db; i++) {
		search->db.db = history->idle[i];
		search->db.device = history->idle_device[i];
		search->db.inode = history->idle_inode[i];
		history->idle[i] = NULL;
	}
}

static void end_search(struct search *search)
{
	search->done(&search->found, search->data);
	tn_arena_finish(&search->found.arena);
}

static void search_done(void *data, bool cancelled)
{
	struct search *search = data;
	struct tn_history *history = search->history;

	(void)cancelled;
	history->running_count--;
	if (history->closed) { /* `done` was told so */
		tn_arena_finish(&search->found.arena);
		if (!is_memory(history))
			tn_history_db_close(&search->db);
		free_search(search);
		if (history->running_count == 0 && history->state == JOB_NONE)
			free_history(history);
		return;
	}
	unlink_search(history, search);
	/* A reader that finds damage sets the writer to work, which moves the file aside. */
	if (search->found.code == TENON_SYSTEM && tn_history_is_damaged(&search->found.error))
		history->suspect = true;
	give_reader_back(history, search);
	end_search(search);
	free_search(search);
	turn(history);
}

static void start_search(struct tn_history *history, struct search *search)
{
	struct tenon_error err;

	take_reader(history, search);
	search->running = true;
	history->running_count++;
	if (tn_job_start(history->loop, search_work, search_done, search, &search->job, &err) ==
	    TENON_OK)
		return;
	history->running_count--;
	unlink_search(history, search);
	give_reader_back(history, search);
	tn_arena_init(&search->found.arena, TN_KIB);
	search->found.code = err.code;
	search->found.error = err;
	end_search(search);
	free_search(search);
}

static void start_searches(struct tn_history *history)
{
	struct search *search = history->searches;

	while (search && history->running_count < TN_HISTORY_SEARCHES_AT_ONCE) {
		struct search *next = search->next;

		if (!search->running && search->after <= history->written)
			start_search(history, search);
		search = next;
	}
}

/* ---- what to do next ---- */

static bool is_waited_for(const struct tn_history *history)
{
	for (const struct search *at = history->searches; at; at = at->next) {
		if (!at->running && at->after > history->written)
			return true;
	}
	return false;
}

static void take_work(struct tn_history *history)
{
	struct work *work = &history->work;

	*work = (struct work){.items = history->first,
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

static void start_job(struct tn_history *history)
{
	struct tenon_error err;

	take_work(history);
	tn_timer_stop(history->batch);
	history->state = JOB_WAITING;
	if (tn_job_start(history->loop, job_work, job_done, history, &history->job, &err) ==
	    TENON_OK)
		return;
	history->state = JOB_NONE;
	if (history->work.purge) {
		history->work.purge->next = history->purges;
		history->purges = history->work.purge;
	}
	history->work.code = err.code;
	history->work.error = err;
	after_failure(history, &history->work);
	history->work = (struct work){0};
}

static void turn(struct tn_history *history)
{
	bool now = history->purges || (!history->off && (history->retain_due || history->suspect ||
							 is_waited_for(history)));

	if (history->state == JOB_NONE && now)
		start_job(history);
	else if (history->state == JOB_NONE && history->first && !tn_timer_active(history->batch))
		tn_timer_start(history->batch, TN_HISTORY_BATCH_MS);
	/* While it is off nothing gets written: what is there is what can be found. */
	if (history->off)
		history->written = history->recorded;
	start_searches(history);
}

static void batch_is_due(struct tn_timer *timer, void *data)
{
	struct tn_history *history = data;

	(void)timer;
	if (history->state == JOB_NONE)
		start_job(history);
}

static void hour_is_over(struct tn_timer *timer, void *data)
{
	struct tn_history *history = data;

	(void)timer;
	history->retain_due = true;
	turn(history);
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
	if (history->state == JOB_NONE && !tn_timer_active(history->batch))
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

/* ---- asking ---- */

static bool copy_request(struct tn_history_request *request, const struct tn_history_search *search)
{
	const char **texts[] = {&request->search.session_id, &request->search.project_id,
				&request->search.cwd_prefix, &request->search.cursor,
				&request->search.owner};

	request->search = *search;
	tn_arena_init(&request->arena, TN_MIB);
	request->search.query.data = tn_arena_copy(&request->arena, search->query);
	if (!request->search.query.data)
		return false;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (*texts[i] &&
		    !(*texts[i] = tn_arena_copy(&request->arena, tn_str_from(*texts[i]))))
			return false;
	}
	return true;
}

enum tenon_code tn_history_search(struct tn_history *history,
				  const struct tn_history_search *search,
				  void (*done)(struct tn_history_found *found, void *data),
				  void *data, struct tenon_error *err)
{
	struct search *made, **at = &history->searches;

	if (history->search_count >= TN_HISTORY_SEARCHES_MAX)
		return tn_fail(err, TENON_BUSY, "%d searches wait already",
			       TN_HISTORY_SEARCHES_MAX);
	if (is_memory(history) && tn_history_db_open(&history->db, err) != TENON_OK)
		return err->code;
	made = tn_mem_alloc(sizeof(*made));
	if (!made || !copy_request(&made->request, search)) {
		if (made)
			free_search(made);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	atomic_init(&made->cancelled, false);
	made->request.cancelled = &made->cancelled;
	if (made->request.search.limit == 0)
		made->request.search.limit = 1;
	made->history = history;
	made->after = history->recorded;
	made->done = done;
	made->data = data;
	while (*at)
		at = &(*at)->next;
	*at = made;
	history->search_count++;
	turn(history);
	return TENON_OK;
}

enum tenon_code tn_history_purge(struct tn_history *history, int64_t before_ms,
				 struct tn_str matching,
				 void (*done)(enum tenon_code code, const struct tenon_error *error,
					      uint64_t removed, void *data),
				 void *data, struct tenon_error *err)
{
	struct purge *purge = tn_mem_alloc(sizeof(*purge)), **at = &history->purges;

	if (!purge)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*purge = (struct purge){.before_ms = before_ms, .done = done, .data = data};
	purge->matching_size = matching.size;
	purge->matching = tn_mem_copy_text(matching.data ? matching.data : "", matching.size);
	if (!purge->matching) {
		tn_mem_free(purge);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	while (*at)
		at = &(*at)->next;
	*at = purge;
	turn(history);
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
		tn_timer_start(history->hourly, AGAIN_MS);
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
		free_history(history);
		return code;
	}
	history->options.patterns = NULL; /* compiled; the caller's */
	*ret = history;
	return TENON_OK;
}

static void close_searches(struct tn_history *history)
{
	struct search *next;

	for (struct search *search = history->searches; search; search = next) {
		struct tn_history_found found = {.code = TENON_CANCELLED};

		next = search->next;
		(void)tn_fail(&found.error, TENON_CANCELLED, "the history was closed");
		tn_arena_init(&found.arena, TN_KIB);
		search->done(&found, search->data);
		if (search->running) {
			atomic_store(&search->cancelled, true);
			tn_job_cancel(search->job);
		} else {
			free_search(search);
		}
	}
	history->searches = NULL;
}

/* Either the job has not begun, and its work is ours; or it runs, and is waited for. */
static bool wait_for_job(struct tn_history *history)
{
	bool ours;

	(void)pthread_mutex_lock(&history->lock);
	ours = history->state == JOB_WAITING;
	if (ours)
		history->state = JOB_OVER;
	while (history->state == JOB_RUNNING)
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
	history->work = (struct work){0};
}

void tn_history_close(struct tn_history *history)
{
	bool job_out;

	if (!history)
		return;
	history->closed = true;
	close_searches(history);
	tn_timer_close(history->batch);
	tn_timer_close(history->hourly);
	job_out = history->state != JOB_NONE;
	if (job_out && wait_for_job(history))
		do_work(history);
	if (job_out)
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
	if (!job_out && history->running_count == 0)
		free_history(history);
}
