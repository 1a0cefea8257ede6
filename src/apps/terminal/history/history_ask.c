/* history_ask.c - searches: who waits, who runs, and on which connection. */
#include "apps/terminal/history/history_queue.h"

#include "apps/terminal/limits.h"
#include "base/mem.h"

static void free_search(struct tn_history_asking *search)
{
	tn_arena_finish(&search->request.arena);
	tn_mem_free(search);
}

static void unlink_search(struct tn_history *history, struct tn_history_asking *search)
{
	struct tn_history_asking **at = &history->searches;

	while (*at != search)
		at = &(*at)->next;
	*at = search->next;
	history->search_count--;
}

static void search_work(void *data, const atomic_bool *cancelled)
{
	struct tn_history_asking *search = data;

	(void)cancelled; /* our own flag, which is there before the job is */
	tn_history_run(&search->db, &search->request, &search->found);
}

static void give_reader_back(struct tn_history *history, struct tn_history_asking *search)
{
	for (size_t i = 0; i < TN_HISTORY_SEARCHES_AT_ONCE && !tn_history_is_memory(history); i++) {
		if (history->idle[i] || !search->db.db)
			continue;
		history->idle[i] = search->db.db;
		history->idle_device[i] = search->db.device;
		history->idle_inode[i] = search->db.inode;
		search->db.db = NULL;
	}
	if (!tn_history_is_memory(history))
		tn_history_db_close(&search->db);
}

static void take_reader(struct tn_history *history, struct tn_history_asking *search)
{
	search->db.path = history->path;
	if (tn_history_is_memory(history)) {
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

static void end_search(struct tn_history_asking *search)
{
	const struct tn_history *history = search->history;

	if (history->off || history->moved[0])
		search->found.warning = history->off ? history->problem : history->moved;
	search->done(&search->found, search->data);
	tn_arena_finish(&search->found.arena);
}

static void search_done(void *data, bool cancelled)
{
	struct tn_history_asking *search = data;
	struct tn_history *history = search->history;

	(void)cancelled;
	history->running_count--;
	if (history->closed) { /* `done` was told so */
		tn_arena_finish(&search->found.arena);
		if (!tn_history_is_memory(history))
			tn_history_db_close(&search->db);
		free_search(search);
		if (history->running_count == 0 && history->state == TN_HISTORY_JOB_NONE)
			tn_history_free(history);
		return;
	}
	unlink_search(history, search);
	/* A reader that finds damage sets the writer to work, which moves the file aside. */
	if (search->found.code == TENON_SYSTEM && tn_history_is_damaged(&search->found.error))
		history->suspect = true;
	give_reader_back(history, search);
	end_search(search);
	free_search(search);
	tn_history_turn(history);
}

static void start_search(struct tn_history *history, struct tn_history_asking *search)
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

void tn_history_start_searches(struct tn_history *history)
{
	struct tn_history_asking *search = history->searches;

	while (search && history->running_count < TN_HISTORY_SEARCHES_AT_ONCE) {
		struct tn_history_asking *next = search->next;

		if (!search->running && search->after <= history->written)
			start_search(history, search);
		search = next;
	}
}

bool tn_history_is_waited_for(const struct tn_history *history)
{
	for (const struct tn_history_asking *at = history->searches; at; at = at->next) {
		if (!at->running && at->after > history->written)
			return true;
	}
	return false;
}

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
	struct tn_history_asking *made, **at = &history->searches;

	if (history->search_count >= TN_HISTORY_SEARCHES_MAX)
		return tn_fail(err, TENON_BUSY, "%d searches wait already",
			       TN_HISTORY_SEARCHES_MAX);
	if (tn_history_is_memory(history) && tn_history_db_open(&history->db, err) != TENON_OK)
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
	tn_history_turn(history);
	return TENON_OK;
}

void tn_history_close_searches(struct tn_history *history)
{
	struct tn_history_asking *next;

	for (struct tn_history_asking *search = history->searches; search; search = next) {
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
