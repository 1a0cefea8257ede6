#include "apps/terminal/history/internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "store/file.h"

enum { VERSION = 1 };

static const char schema[] =
	"create table sessions(id text primary key, name text, project_id text, shell text,"
	" created int, closed int, owner text, exit_code int, signal text);"
	"create table commands(rowid integer primary key, id text unique, session_id text, seq int,"
	" text text, cwd text, cwd_after text, started int, ended int, exit_code int, signal text,"
	" status text, completion text, bytes int, lines int, caller text, redactions int,"
	" isolated int);"
	"create index commands_started on commands(started);"
	"create index commands_session on commands(session_id, started);"
	/* truncated: 0, or of the head 1 and of the tail 1 and the lines that stood before it. */
	"create table outputs(rowid integer primary key, command_id text, part int, text text,"
	" truncated int);"
	"create index outputs_command on outputs(command_id, part);"
	"create table events(ts int, kind text, session_id text, command_id text, principal text,"
	" detail text);"
	"create index events_ts on events(ts);"
	"create virtual table commands_fts using fts5(text, content='commands',"
	" content_rowid='rowid', tokenize=\"unicode61 remove_diacritics 2\");"
	"create virtual table outputs_fts using fts5(text, content='outputs',"
	" content_rowid='rowid', tokenize=\"unicode61 remove_diacritics 2\");"
	/* The index follows its table, whoever writes. */
	"create trigger commands_added after insert on commands begin"
	" insert into commands_fts(rowid, text) values(new.rowid, new.text); end;"
	"create trigger commands_gone after delete on commands begin"
	" insert into commands_fts(commands_fts, rowid, text)"
	" values('delete', old.rowid, old.text); end;"
	"create trigger commands_changed after update of text on commands begin"
	" insert into commands_fts(commands_fts, rowid, text)"
	" values('delete', old.rowid, old.text);"
	" insert into commands_fts(rowid, text) values(new.rowid, new.text); end;"
	"create trigger outputs_added after insert on outputs begin"
	" insert into outputs_fts(rowid, text) values(new.rowid, new.text); end;"
	"create trigger outputs_gone after delete on outputs begin"
	" insert into outputs_fts(outputs_fts, rowid, text)"
	" values('delete', old.rowid, old.text); end;";

static enum tenon_code read_version(struct tn_sqlite *db, int64_t *ret, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	bool row = false;
	enum tenon_code code = tn_sqlite_prepare(db, "pragma user_version", &stmt, err);

	if (code == TENON_OK)
		code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK)
		*ret = row ? tn_sqlite_column_int(stmt, 0) : 0;
	tn_sqlite_finish(stmt);
	return code;
}

/* Under the write lock, because another server may be about to do the same. */
static enum tenon_code make_tables(struct tn_sqlite *db, struct tenon_error *err)
{
	int64_t version = 0;
	enum tenon_code code;

	/* What is forgotten gives its pages back. Only an empty file can still be told so; when
	 * another process is faster it has been told. */
	tn_sqlite_try(db, "pragma auto_vacuum=incremental; vacuum;");
	code = tn_sqlite_exec(db, "begin immediate", err);
	if (code != TENON_OK)
		return code;
	code = read_version(db, &version, err);
	if (code == TENON_OK && version == 0)
		code = tn_sqlite_exec(db, schema, err);
	if (code == TENON_OK && version == 0)
		code = tn_sqlite_exec(db, "pragma user_version=1", err);
	if (code == TENON_OK)
		code = tn_sqlite_exec(db, "commit", err);
	if (code != TENON_OK)
		tn_sqlite_try(db, "rollback");
	return code;
}

static enum tenon_code check_version(struct tn_sqlite *db, bool make, struct tenon_error *err)
{
	int64_t version = 0;
	enum tenon_code code = read_version(db, &version, err);

	if (code != TENON_OK)
		return code;
	if (version > VERSION)
		return tn_fail(err, TENON_DENIED, "the history was made by a newer version");
	if (version == VERSION)
		return TENON_OK;
	return make ? make_tables(db, err)
		    : tn_fail(err, TENON_NOT_FOUND, "there is no history yet");
}

static bool is_memory(const struct tn_history_db *db)
{
	return strcmp(db->path, ":memory:") == 0;
}

/* Another process may have moved a damaged file aside, or a person deleted it: what we write then
 * would go where nobody looks. */
static bool is_same_file(const struct tn_history_db *db)
{
	struct stat status;

	return is_memory(db) || (stat(db->path, &status) == 0 && status.st_dev == db->device &&
				 status.st_ino == db->inode);
}

static void note_file(struct tn_history_db *db)
{
	struct stat status = {0};

	if (!is_memory(db) && stat(db->path, &status) == 0) {
		db->device = status.st_dev;
		db->inode = status.st_ino;
	}
}

static enum tenon_code make_folder(const char *path, struct tenon_error *err)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (!slash || slash == path)
		return TENON_OK;
	if ((size_t)(slash - path) >= sizeof(folder))
		return tn_fail(err, TENON_INVALID, "the path of the history is too long");
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	return tn_dir_create(folder, 0700, err);
}

static enum tenon_code open_file(struct tn_history_db *db, bool make, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (db->db && is_same_file(db))
		return TENON_OK;
	tn_history_db_close(db);
	if (make && !is_memory(db))
		code = make_folder(db->path, err);
	note_file(db); /* before it is opened: a damaged one is told by this */
	if (code == TENON_OK)
		code = tn_sqlite_open(db->path, make ? TN_SQLITE_CREATE : 0, &db->db, err);
	if (code != TENON_OK)
		return code;
	note_file(db);
	code = check_version(db->db, make, err);
	if (code == TENON_OK && !make)
		code = tn_sqlite_exec(db->db, "pragma query_only=on", err);
	/* The writer appends: pages it has written are the kernel's to keep. */
	if (code == TENON_OK && make)
		code = tn_sqlite_exec(db->db, "pragma cache_size=-256", err);
	if (code != TENON_OK)
		tn_history_db_close(db);
	return code;
}

enum tenon_code tn_history_db_open(struct tn_history_db *db, struct tenon_error *err)
{
	return open_file(db, true, err);
}

enum tenon_code tn_history_db_open_reader(struct tn_history_db *db, struct tenon_error *err)
{
	return open_file(db, false, err);
}

void tn_history_db_close(struct tn_history_db *db)
{
	tn_sqlite_close(db->db);
	db->db = NULL;
}

bool tn_history_is_damaged(const struct tenon_error *err)
{
	return err->code == TENON_SYSTEM && err->sys_errno == EUCLEAN;
}

enum tenon_code tn_history_db_mend(struct tn_history_db *db, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	bool row = false;
	enum tenon_code code = tn_sqlite_prepare(db->db, "pragma quick_check(1)", &stmt, err);

	if (code == TENON_OK)
		code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK && row && !tn_str_is(tn_sqlite_column_str(stmt, 0), "ok")) {
		code = tn_fail(err, TENON_SYSTEM, "the history file is damaged");
		err->sys_errno = EUCLEAN;
	}
	tn_sqlite_finish(stmt);
	if (code == TENON_OK)
		code = tn_sqlite_exec(db->db,
				      "insert into commands_fts(commands_fts) values('rebuild');"
				      "insert into outputs_fts(outputs_fts) values('rebuild')",
				      err);
	return code;
}

bool tn_history_db_move_aside(struct tn_history_db *db, int64_t now_ms)
{
	static const char *const parts[] = {"-wal", "-shm", ""};
	bool moved = false;

	/* Nobody else has put a new one there meanwhile. */
	if (is_memory(db) || !is_same_file(db))
		return false;
	tn_history_db_close(db);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char from[PATH_MAX + 8], to[PATH_MAX + 40];

		(void)snprintf(from, sizeof(from), "%s%s", db->path, parts[i]);
		(void)snprintf(to, sizeof(to), "%s.broken-%lld%s", db->path,
			       (long long)(now_ms / 1000), parts[i]);
		moved = rename(from, to) == 0; /* the last one counts: the file itself */
	}
	return moved;
}
