#include "apps/terminal/history/internal.h"

#include <stdio.h>

#include "base/size.h"

enum { CHUNK_ROWS = 200, CHUNKS_MAX = 50 };

static void bind_int_or_null(struct tn_sqlite_stmt *stmt, int index, int64_t value, bool present)
{
	if (present)
		tn_sqlite_bind_int(stmt, index, value);
	else
		tn_sqlite_bind_text(stmt, index, NULL);
}

static void bind_text_or_null(struct tn_sqlite_stmt *stmt, int index, const char *text)
{
	tn_sqlite_bind_text(stmt, index, text && text[0] ? text : NULL);
}

/* ---- rows ---- */

enum { SESSION, COMMAND, OLD_COMMAND, OLD_PARTS, OLD_OUTPUTS, OUTPUT, EVENT, STATEMENTS };
static const char *const statements[] = {
	[SESSION] = "insert into sessions values(?,?,?,?,?,?,?,?,?) on conflict(id) do update set"
		    " name=excluded.name, project_id=excluded.project_id, shell=excluded.shell,"
		    " created=excluded.created, owner=excluded.owner,"
		    " closed=coalesce(excluded.closed, closed),"
		    " exit_code=coalesce(excluded.exit_code, exit_code),"
		    " signal=coalesce(excluded.signal, signal)",
	[COMMAND] = "insert into commands(id, session_id, seq, text, cwd, cwd_after, started,"
		    " ended, exit_code, signal, status, completion, bytes, lines, caller,"
		    " redactions, isolated) values(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
		    " on conflict(id) do update set text=excluded.text, cwd=excluded.cwd,"
		    " cwd_after=excluded.cwd_after, ended=excluded.ended,"
		    " exit_code=excluded.exit_code, signal=excluded.signal,"
		    " status=excluded.status, completion=excluded.completion,"
		    " bytes=excluded.bytes, lines=excluded.lines, redactions=excluded.redactions",
	[OLD_COMMAND] = "delete from commands where id=?",
	[OLD_PARTS] = "select min(rowid), count(*) from outputs where command_id=?",
	[OLD_OUTPUTS] = "delete from outputs where command_id=?",
	[OUTPUT] = "insert into outputs values(?,?,?,?,?)",
	[EVENT] = "insert into events values(?,?,?,?,?,?)",
};

struct writer {
	struct tn_sqlite *db;
	struct tn_sqlite_stmt *stmts[STATEMENTS];
};

static enum tenon_code get_statement(struct writer *writer, int which, struct tn_sqlite_stmt **ret,
				     struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (writer->stmts[which])
		tn_sqlite_reset(writer->stmts[which]);
	else
		code = tn_sqlite_prepare(writer->db, statements[which], &writer->stmts[which], err);
	*ret = writer->stmts[which];
	return code;
}

static enum tenon_code write_session(struct writer *writer,
				     const struct tn_history_session *session,
				     struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt;
	enum tenon_code code = get_statement(writer, SESSION, &stmt, err);

	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, session->id);
	tn_sqlite_bind_text(stmt, 2, session->name);
	bind_text_or_null(stmt, 3, session->project_id);
	bind_text_or_null(stmt, 4, session->shell);
	tn_sqlite_bind_int(stmt, 5, session->created_ms);
	bind_int_or_null(stmt, 6, session->closed_ms, session->closed_ms != 0);
	tn_sqlite_bind_text(stmt, 7, session->owner);
	bind_int_or_null(stmt, 8, session->exit_code, session->exit_code >= 0);
	bind_text_or_null(stmt, 9, session->signal);
	return tn_sqlite_run(stmt, err);
}

static enum tenon_code drop(struct writer *writer, int which, const char *id,
			    struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt;
	enum tenon_code code = get_statement(writer, which, &stmt, err);

	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, id);
	return tn_sqlite_run(stmt, err);
}

/* Searches take outputs by rowid for being in the order of their commands, so a command that is
 * recorded again keeps its places. *ret_first 0: there is none for its parts, and the command
 * begins anew, behind all others. */
static enum tenon_code find_places(struct writer *writer, const struct tn_history_item *item,
				   int64_t *ret_first, struct tenon_error *err)
{
	int64_t parts = (item->command.output.size > 0) + (item->tail.size > 0);
	struct tn_sqlite_stmt *stmt;
	enum tenon_code code = get_statement(writer, OLD_PARTS, &stmt, err);
	bool row = false;

	*ret_first = 0;
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, item->command.id);
	code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK && row && tn_sqlite_column_int(stmt, 1) >= parts)
		*ret_first = tn_sqlite_column_int(stmt, 0);
	tn_sqlite_reset(stmt);
	if (code == TENON_OK && parts && !*ret_first)
		code = drop(writer, OLD_COMMAND, item->command.id, err);
	return code == TENON_OK ? drop(writer, OLD_OUTPUTS, item->command.id, err) : code;
}

static enum tenon_code write_output(struct writer *writer, const char *id, int part, int64_t first,
				    struct tn_str text, uint64_t truncated, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt;
	enum tenon_code code = get_statement(writer, OUTPUT, &stmt, err);

	if (code != TENON_OK)
		return code;
	bind_int_or_null(stmt, 1, first + part, first != 0);
	tn_sqlite_bind_text(stmt, 2, id);
	tn_sqlite_bind_int(stmt, 3, part);
	tn_sqlite_bind_str(stmt, 4, text);
	tn_sqlite_bind_int(stmt, 5, (int64_t)truncated);
	return tn_sqlite_run(stmt, err);
}

static enum tenon_code write_outputs(struct writer *writer, const struct tn_history_item *item,
				     int64_t first, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (item->command.output.size)
		code = write_output(writer, item->command.id, 0, first, item->command.output,
				    item->tail.data ? 1 : 0, err);
	if (code == TENON_OK && item->tail.size)
		code = write_output(writer, item->command.id, 1, first, item->tail,
				    1 + item->tail_line, err);
	return code;
}

static enum tenon_code write_command(struct writer *writer, const struct tn_history_item *item,
				     struct tenon_error *err)
{
	const struct tn_history_command *command = &item->command;
	struct tn_sqlite_stmt *stmt;
	int64_t first;
	enum tenon_code code = find_places(writer, item, &first, err);

	if (code == TENON_OK)
		code = get_statement(writer, COMMAND, &stmt, err);
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, command->id);
	tn_sqlite_bind_text(stmt, 2, command->session_id);
	tn_sqlite_bind_int(stmt, 3, (int64_t)command->number);
	tn_sqlite_bind_str(stmt, 4, command->text);
	tn_sqlite_bind_str(stmt, 5, command->cwd);
	tn_sqlite_bind_str(stmt, 6, command->cwd_after);
	tn_sqlite_bind_int(stmt, 7, command->started_ms);
	bind_int_or_null(stmt, 8, command->ended_ms, command->ended_ms != 0);
	bind_int_or_null(stmt, 9, command->exit_code, command->exit_code >= 0);
	tn_sqlite_bind_text(stmt, 10, command->signal);
	tn_sqlite_bind_text(stmt, 11, command->status);
	tn_sqlite_bind_text(stmt, 12, command->completion);
	tn_sqlite_bind_int(stmt, 13, (int64_t)command->bytes);
	tn_sqlite_bind_int(stmt, 14, (int64_t)command->lines);
	tn_sqlite_bind_text(stmt, 15, command->caller);
	tn_sqlite_bind_int(stmt, 16, item->redactions);
	tn_sqlite_bind_int(stmt, 17, command->isolated);
	code = tn_sqlite_run(stmt, err);
	return code == TENON_OK ? write_outputs(writer, item, first, err) : code;
}

static enum tenon_code write_event(struct writer *writer, const struct tn_history_item *item,
				   struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt;
	enum tenon_code code = get_statement(writer, EVENT, &stmt, err);

	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_int(stmt, 1, item->now_ms);
	tn_sqlite_bind_text(stmt, 2, item->event.kind);
	tn_sqlite_bind_text(stmt, 3, item->event.session_id);
	tn_sqlite_bind_text(stmt, 4, item->event.command_id);
	tn_sqlite_bind_text(stmt, 5, item->event.principal);
	tn_sqlite_bind_text(stmt, 6, item->event.detail);
	return tn_sqlite_run(stmt, err);
}

static enum tenon_code write_item(struct writer *writer, const struct tn_history_item *item,
				  struct tenon_error *err)
{
	switch (item->kind) {
	case TN_HISTORY_SESSION:
		return write_session(writer, &item->session, err);
	case TN_HISTORY_COMMAND:
		return item->clean ? write_command(writer, item, err) : TENON_OK;
	case TN_HISTORY_EVENT:
		return item->clean ? write_event(writer, item, err) : TENON_OK;
	}
	return TENON_OK;
}

enum tenon_code tn_history_write(struct tn_history_db *db, const struct tn_history_item *items,
				 struct tenon_error *err)
{
	struct writer writer = {.db = db->db};
	enum tenon_code code = tn_sqlite_exec(db->db, "begin immediate", err);

	if (code != TENON_OK)
		return code;
	for (; items && code == TENON_OK; items = items->next)
		code = write_item(&writer, items, err);
	for (size_t i = 0; i < STATEMENTS; i++)
		tn_sqlite_finish(writer.stmts[i]);
	if (code == TENON_OK)
		code = tn_sqlite_exec(db->db, "commit", err);
	if (code != TENON_OK)
		tn_sqlite_try(db->db, "rollback"); /* perhaps it has been already */
	return code;
}

/* ---- forgetting ---- */

static enum tenon_code get_number(struct tn_sqlite *db, const char *sql, int64_t *ret,
				  struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	bool row = false;
	enum tenon_code code = tn_sqlite_prepare(db, sql, &stmt, err);

	if (code == TENON_OK)
		code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK)
		*ret = row ? tn_sqlite_column_int(stmt, 0) : 0;
	tn_sqlite_finish(stmt);
	return code;
}

/* Runs a statement with up to two numbers; *ret_rows: how many rows it changed. */
static enum tenon_code change(struct tn_sqlite *db, const char *sql, int64_t first, int64_t second,
			      int64_t *ret_rows, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = tn_sqlite_prepare(db, sql, &stmt, err);

	if (code == TENON_OK) {
		tn_sqlite_bind_int(stmt, 1, first);
		if (strstr(sql, "?2"))
			tn_sqlite_bind_int(stmt, 2, second);
		code = tn_sqlite_run(stmt, err);
	}
	tn_sqlite_finish(stmt);
	if (code == TENON_OK)
		code = get_number(db, "select changes()", ret_rows, err);
	return code;
}

/* One step of each kind, oldest first. */
static enum tenon_code drop_old(struct tn_sqlite *db, int64_t before_ms, int64_t *ret_rows,
				struct tenon_error *err)
{
	static const char *const steps[] = {
		"delete from outputs where command_id in (select id from commands where"
		" started<?1 order by started limit ?2)",
		"delete from commands where rowid in (select rowid from commands where started<?1"
		" order by started limit ?2)",
		"delete from events where rowid in (select rowid from events where ts<?1 limit ?2)",
		"delete from sessions where rowid in (select rowid from sessions where closed<?1"
		" and not exists (select 1 from commands where session_id=sessions.id) limit ?2)",
	};
	enum tenon_code code = tn_sqlite_exec(db, "begin immediate", err);

	*ret_rows = 0;
	for (size_t i = 0; i < TN_COUNT(steps) && code == TENON_OK; i++) {
		int64_t rows = 0;

		code = change(db, steps[i], before_ms, CHUNK_ROWS, &rows, err);
		*ret_rows += rows;
	}
	if (code == TENON_OK)
		code = tn_sqlite_exec(db, "commit", err);
	if (code != TENON_OK)
		tn_sqlite_try(db, "rollback");
	return code;
}

/* The oldest output, or when there is none the oldest command. */
static enum tenon_code drop_oldest(struct tn_sqlite *db, int64_t *ret_rows, struct tenon_error *err)
{
	enum tenon_code code = change(db,
				      "delete from outputs where rowid in"
				      " (select rowid from outputs order by rowid limit ?1)",
				      CHUNK_ROWS / 4, 0, ret_rows, err);

	if (code == TENON_OK && *ret_rows == 0)
		code = change(db,
			      "delete from commands where rowid in"
			      " (select rowid from commands order by started limit ?1)",
			      CHUNK_ROWS, 0, ret_rows, err);
	/* The index gives back what it holds of them only when its pieces are merged. */
	if (code == TENON_OK)
		code = tn_sqlite_exec(db,
				      "insert into outputs_fts(outputs_fts, rank)"
				      " values('merge', 500);"
				      "insert into commands_fts(commands_fts, rank)"
				      " values('merge', 100)",
				      err);
	return code;
}

static enum tenon_code used_bytes(struct tn_sqlite *db, int64_t *ret, struct tenon_error *err)
{
	int64_t pages = 0, free_pages = 0, size = 0;
	enum tenon_code code = get_number(db, "pragma page_count", &pages, err);

	if (code == TENON_OK)
		code = get_number(db, "pragma freelist_count", &free_pages, err);
	if (code == TENON_OK)
		code = get_number(db, "pragma page_size", &size, err);
	*ret = (pages - free_pages) * size;
	return code;
}

enum tenon_code tn_history_retain(struct tn_history_db *db, int64_t before_ms, uint64_t bytes_max,
				  bool *ret_more, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	int64_t rows = 1, used = 0;

	*ret_more = true;
	for (int i = 0; i < CHUNKS_MAX && rows > 0 && code == TENON_OK; i++)
		code = drop_old(db->db, before_ms, &rows, err);
	if (code == TENON_OK && rows > 0)
		return TENON_OK;
	for (int i = 0; i < CHUNKS_MAX && code == TENON_OK; i++) {
		code = used_bytes(db->db, &used, err);
		if (code != TENON_OK || (uint64_t)used <= bytes_max)
			break;
		rows = 0;
		code = drop_oldest(db->db, &rows, err);
		if (rows == 0) /* nothing is left that could go */
			break;
	}
	*ret_more = (uint64_t)used > bytes_max && rows > 0;
	if (code == TENON_OK)
		code = tn_sqlite_exec(db->db, "pragma incremental_vacuum(4096)", err);
	return code;
}

/* ---- on demand ---- */

/* Which commands: by text, or by what one of their outputs says. */
static const char by_words[] =
	"select c.rowid, c.text from commands_fts f cross join commands c on c.rowid=f.rowid"
	" where commands_fts match ?1 and c.started<?2"
	" union all select c.rowid, o.text from outputs_fts f cross join outputs o on "
	"o.rowid=f.rowid"
	" cross join commands c on c.id=o.command_id where outputs_fts match ?1 and c.started<?2";
static const char by_text[] =
	"select rowid, text from commands where started<?2 and ?1 is not null"
	" union all select c.rowid, o.text from outputs o join commands c on c.id=o.command_id"
	" where c.started<?2";

/* Words with punctuation must stand in the text as they were written. */
static enum tenon_code choose_rows(struct tn_sqlite_stmt *rows, struct tn_sqlite_stmt *insert,
				   const struct tn_history_query *query, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	bool row = true;

	while (code == TENON_OK) {
		code = tn_sqlite_step(rows, &row, err);
		if (code != TENON_OK || !row)
			break;
		if (query->literal_count &&
		    !tn_history_has_literals(query, tn_sqlite_column_str(rows, 1)))
			continue;
		tn_sqlite_reset(insert);
		tn_sqlite_bind_int(insert, 1, tn_sqlite_column_int(rows, 0));
		code = tn_sqlite_run(insert, err);
	}
	return code;
}

static enum tenon_code choose(struct tn_sqlite *db, const struct tn_history_query *query,
			      int64_t before_ms, struct tenon_error *err)
{
	struct tn_sqlite_stmt *rows = NULL, *insert = NULL;
	enum tenon_code code =
		tn_sqlite_exec(db, "create temp table chosen(id integer primary key)", err);

	if (code == TENON_OK)
		code = tn_sqlite_prepare(db, query->match.size ? by_words : by_text, &rows, err);
	if (code == TENON_OK)
		code = tn_sqlite_prepare(db, "insert or ignore into temp.chosen values(?)", &insert,
					 err);
	if (code == TENON_OK) {
		tn_sqlite_bind_str(rows, 1,
				   query->match.size ? query->match : TN_STR("everything"));
		tn_sqlite_bind_int(rows, 2, before_ms);
		code = choose_rows(rows, insert, query, err);
	}
	tn_sqlite_finish(rows);
	tn_sqlite_finish(insert);
	return code;
}

static enum tenon_code drop_chosen(struct tn_sqlite *db, uint64_t *ret_removed,
				   struct tenon_error *err)
{
	int64_t removed = 0;
	enum tenon_code code = tn_sqlite_exec(
		db,
		"delete from outputs where command_id in"
		" (select id from commands where rowid in (select id from temp.chosen));"
		/* That it was allowed stays on record, what it was does not. */
		"update events set detail=null where command_id in"
		" (select id from commands where rowid in (select id from temp.chosen));"
		"delete from commands where rowid in (select id from temp.chosen)",
		err);

	if (code == TENON_OK)
		code = get_number(db, "select changes()", &removed, err);
	if (code == TENON_OK)
		code = tn_sqlite_exec(db, "drop table temp.chosen", err);
	*ret_removed = (uint64_t)removed;
	return code;
}

/* A deleted row's words stay in the index until its pieces are merged, and the log of the last
 * writes holds pages as they were: a person who purges a secret wants neither. */
static enum tenon_code wipe(struct tn_sqlite *db, struct tenon_error *err)
{
	return tn_sqlite_exec(db,
			      "insert into outputs_fts(outputs_fts) values('optimize');"
			      "insert into commands_fts(commands_fts) values('optimize');"
			      "pragma incremental_vacuum;"
			      "pragma wal_checkpoint(truncate);",
			      err);
}

enum tenon_code tn_history_forget(struct tn_history_db *db, int64_t before_ms,
				  struct tn_str matching, uint64_t *ret_removed,
				  struct tenon_error *err)
{
	struct tn_history_query query = {0};
	struct tn_arena arena;
	enum tenon_code code;

	*ret_removed = 0;
	tn_arena_init(&arena, TN_MIB);
	code = tn_history_query_init(&query, TN_HISTORY_WORDS, matching, &arena, err);
	if (code != TENON_OK)
		goto out;
	code = tn_sqlite_exec(db->db, "pragma temp_store=memory; begin immediate", err);
	if (code != TENON_OK)
		goto out;
	code = choose(db->db, &query, before_ms ? before_ms : INT64_MAX, err);
	if (code == TENON_OK)
		code = drop_chosen(db->db, ret_removed, err);
	if (code == TENON_OK)
		code = tn_sqlite_exec(db->db, "commit", err);
	if (code == TENON_OK)
		code = wipe(db->db, err);
	else
		tn_sqlite_try(db->db, "rollback");
out:
	tn_history_query_finish(&query);
	tn_arena_finish(&arena);
	return code;
}
