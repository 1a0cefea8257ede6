#include "apps/terminal/history/internal.h"

#include "apps/terminal/limits.h"
#include "base/clock.h"

static bool stop(void *data)
{
	return tn_history_is_late(data);
}

static enum tenon_code search_as(struct tn_history_runner *runner, enum tn_history_syntax syntax,
				 struct tn_str text, struct tn_arena *arena,
				 struct tenon_error *err)
{
	enum tenon_code code;

	tn_history_query_finish(&runner->query);
	code = tn_history_query_init(&runner->query, syntax, text, arena, err);
	if (code != TENON_OK)
		return code;
	if (runner->query.match.size)
		return tn_history_by_index(runner, err);
	return runner->query.regex ? tn_history_sweep(runner, err) : tn_history_scan(runner, err);
}

/* Nothing has these words: those that were probably meant, and the answer says so. */
static enum tenon_code search_near(struct tn_history_runner *runner, struct tn_arena *arena,
				   struct tenon_error *err)
{
	struct tn_buf near, warning;
	bool changed = false;
	enum tenon_code code;

	tn_buf_init(&near, TN_MIB);
	tn_buf_init(&warning, TN_MIB);
	code = tn_history_near(runner, &near, &changed, err);
	if (code == TENON_OK && changed)
		code = search_as(runner, TN_HISTORY_WORDS, tn_buf_str(&near), arena, err);
	if (code == TENON_OK && runner->found->total) {
		tn_buf_append_text(&warning, "Nothing has \"");
		tn_buf_append_str(&warning, tn_str_trim(runner->search->query));
		tn_buf_append_text(&warning, "\"; shown is what has \"");
		tn_buf_append_str(&warning, tn_buf_str(&near));
		tn_buf_append_text(&warning, "\".");
		if (tn_buf_check(&warning, err) == TENON_OK)
			runner->found->warning =
				tn_arena_copy(&runner->found->arena, tn_buf_str(&warning));
	}
	tn_buf_finish(&near);
	tn_buf_finish(&warning);
	return code;
}

static enum tenon_code search(struct tn_history_runner *runner, struct tenon_error *err)
{
	const struct tn_history_search *search = runner->search;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	code = search_as(runner, search->syntax, search->query, &arena, err);
	/* What is no expression is words (terminal.md 7.6: no query text may raise an error). */
	if (code == TENON_SYSTEM && search->syntax == TN_HISTORY_FTS && !tn_history_is_damaged(err))
		code = search_as(runner, TN_HISTORY_WORDS, search->query, &arena, err);
	if (code == TENON_OK && search->syntax == TN_HISTORY_WORDS && !runner->found->total)
		code = search_near(runner, &arena, err);
	tn_history_query_finish(&runner->query);
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code run(struct tn_history_runner *runner, struct tn_history_db *db,
			   struct tenon_error *err)
{
	/* Without a file the writer's connection is everybody's, and must not be stopped. */
	bool shared = strcmp(db->path, ":memory:") == 0;
	enum tenon_code code = shared ? TENON_OK : tn_history_db_open_reader(db, err);

	if (code != TENON_OK)
		return code;
	runner->db = db->db;
	runner->shared = shared;
	runner->found->entries = tn_arena_alloc_array(&runner->found->arena, runner->search->limit,
						      sizeof(struct tn_history_entry));
	if (!runner->found->entries)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!shared)
		tn_sqlite_set_stop(db->db, stop, runner);
	code = tn_history_find_place(runner, err);
	if (code == TENON_OK)
		code = search(runner, err);
	if (code == TENON_OK)
		code = tn_history_write_cursor(runner, err);
	if (!shared)
		tn_sqlite_set_stop(db->db, NULL, NULL);
	return code;
}

void tn_history_run(struct tn_history_db *db, const struct tn_history_request *request,
		    struct tn_history_found *found)
{
	struct tn_history_runner runner = {
		.search = &request->search, .cancelled = request->cancelled, .found = found};

	*found = (struct tn_history_found){.code = TENON_OK};
	tn_arena_init(&found->arena, TN_HISTORY_FOUND_BYTES_MAX);
	runner.deadline_ms =
		tn_clock_now_ms(&tn_clock_system) +
		(request->search.time_ms ? request->search.time_ms : TN_HISTORY_SEARCH_MS);
	found->code = run(&runner, db, &found->error);
	if (found->code == TENON_NOT_FOUND) { /* nothing was ever written */
		found->error = (struct tenon_error){0};
		found->code = request->search.cursor
				      ? tn_fail(&found->error, TENON_EXPIRED,
						"the cursor does not belong to this search; search "
						"again without it")
				      : TENON_OK;
	} else if (found->code == TENON_CANCELLED &&
		   !(request->cancelled && atomic_load(request->cancelled))) {
		found->code = tn_fail(&found->error, TENON_LIMIT, "the search takes too long");
	}
	if (found->code != TENON_OK)
		found->count = found->total = 0;
}
