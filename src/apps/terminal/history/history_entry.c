/* history_entry.c - what every way of searching shares: its time, its filter, how an entry is
 * added. */
#include "apps/terminal/history/internal.h"

#include "base/clock.h"

bool tn_history_is_late(const struct tn_history_runner *runner)
{
	return tn_clock_now_ms(&tn_clock_system) > runner->deadline_ms ||
	       (runner->cancelled && atomic_load(runner->cancelled));
}

bool tn_history_is_filtered(const struct tn_history_search *search)
{
	return search->session_id || search->project_id || search->cwd_prefix || search->owner ||
	       search->since_ms || search->until_ms || search->exit != TN_HISTORY_ANY_EXIT;
}

void tn_history_bind_filter(struct tn_sqlite_stmt *stmt, const struct tn_history_search *search)
{
	tn_sqlite_bind_text(stmt, 3, search->session_id);
	tn_sqlite_bind_text(stmt, 4, search->project_id);
	tn_sqlite_bind_int(stmt, 5, search->since_ms);
	tn_sqlite_bind_int(stmt, 6, search->until_ms ? search->until_ms : INT64_MAX);
	tn_sqlite_bind_int(stmt, 7, (int64_t)search->exit);
	tn_sqlite_bind_text(stmt, 8, search->cwd_prefix);
	tn_sqlite_bind_text(stmt, 9, search->owner);
}

static bool keep_column(struct tn_history_runner *runner, struct tn_sqlite_stmt *stmt, int column,
			struct tn_str *ret)
{
	struct tn_str text = tn_sqlite_column_str(stmt, column);

	if (!text.data)
		return true;
	ret->data = tn_arena_copy(&runner->found->arena, text);
	ret->size = text.size;
	return ret->data != NULL;
}

enum tenon_code tn_history_add(struct tn_history_runner *runner, struct tn_sqlite_stmt *stmt,
			       int column, struct tn_str text, bool marked, bool is_output,
			       uint64_t before, struct tenon_error *err)
{
	struct tn_history_entry *entry = &runner->found->entries[runner->found->count];
	struct tn_history_lines lines = {0};
	int64_t started = tn_sqlite_column_int(stmt, column + 6);
	enum tenon_code code =
		tn_history_pick(&runner->query, text, marked, is_output, runner->search->context,
				&runner->found->arena, &lines, err);

	if (code != TENON_OK)
		return code;
	if (!keep_column(runner, stmt, column, &entry->command_id) ||
	    !keep_column(runner, stmt, column + 1, &entry->session_id) ||
	    !keep_column(runner, stmt, column + 2, &entry->session_name) ||
	    !keep_column(runner, stmt, column + 3, &entry->project_id) ||
	    !keep_column(runner, stmt, column + 4, &entry->cwd))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	entry->content = lines.content;
	entry->snippet = lines.snippet;
	entry->line = is_output ? lines.line + before : 0;
	entry->is_output = is_output;
	entry->exit_code = tn_sqlite_column_is_null(stmt, column + 5)
				   ? -1
				   : (int)tn_sqlite_column_int(stmt, column + 5);
	entry->timestamp = started / 1000;
	if (!tn_sqlite_column_is_null(stmt, column + 7))
		entry->duration_ms = tn_sqlite_column_int(stmt, column + 7) - started;
	runner->found->count++;
	return TENON_OK;
}
