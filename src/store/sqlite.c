#include "store/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

/* Another process may be writing (a second server on the same state folder): worth this wait. */
enum { BUSY_WAIT_MS = 2000 };

/* Steps of SQLite's machine between two questions whether to stop: well below a millisecond. */
enum { STOP_STEPS = 2000 };

struct tn_sqlite {
	sqlite3 *db;
	bool (*stop)(void *data);
	void *stop_data;
};

struct tn_sqlite_stmt {
	sqlite3_stmt *stmt;
	int bind_status;
};

static enum tenon_code fail_sqlite(struct tenon_error *err, int status, sqlite3 *db)
{
	const char *reason = db ? sqlite3_errmsg(db) : sqlite3_errstr(status);
	enum tenon_code code;

	switch (status & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return tn_fail(err, TENON_BUSY, "the database is in use by another process");
	case SQLITE_FULL:
		return tn_fail(err, TENON_LIMIT, "the disk is full");
	case SQLITE_NOMEM:
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_READONLY:
		return tn_fail(err, TENON_DENIED, "the database may not be written");
	case SQLITE_INTERRUPT:
		return tn_fail(err, TENON_CANCELLED, "the database was told to stop");
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		code = tn_fail(err, TENON_SYSTEM, "database: %s", reason);
		if (err)
			err->sys_errno = EUCLEAN;
		return code;
	default:
		return tn_fail(err, TENON_SYSTEM, "database: %s", reason);
	}
}

static enum tenon_code fail_file(struct tenon_error *err, int reason)
{
	if (reason == ENOENT)
		return tn_fail(err, TENON_NOT_FOUND, "there is no database yet");
	if (reason == EACCES || reason == EPERM || reason == ELOOP || reason == EROFS)
		return tn_fail(err, TENON_DENIED, "the database may not be opened");
	return tn_fail_errno(err, reason, "open database");
}

/* SQLite would create the file with the umask's mode; it holds what infrastructure looks like, so
 * it is made for its owner alone before SQLite sees it (journals inherit the mode). One that is
 * there must not be opened here: closing it would drop the locks that other connections of this
 * process have on it, and another process would take the log of their writes for nobody's. */
static enum tenon_code make_file(const char *path, unsigned flags, struct tenon_error *err)
{
	struct stat status;
	int fd = -1;

	if (flags & TN_SQLITE_CREATE)
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		(void)close(fd); /* nothing was written */
		return TENON_OK;
	}
	if ((flags & TN_SQLITE_CREATE) && errno != EEXIST)
		return fail_file(err, errno);
	if (lstat(path, &status) != 0)
		return fail_file(err, errno);
	if (S_ISLNK(status.st_mode))
		return fail_file(err, ELOOP);
	if (faccessat(AT_FDCWD, path, flags & TN_SQLITE_READ_ONLY ? R_OK : R_OK | W_OK,
		      AT_EACCESS) != 0)
		return fail_file(err, errno);
	return TENON_OK;
}

static enum tenon_code set_up(struct tn_sqlite *db, unsigned flags, struct tenon_error *err)
{
	(void)sqlite3_extended_result_codes(db->db, 1);
	(void)sqlite3_busy_timeout(db->db, BUSY_WAIT_MS);
	if (flags & TN_SQLITE_READ_ONLY)
		return tn_sqlite_exec(db, "pragma query_only=on;", err);
	return tn_sqlite_exec(
		db,
		"pragma journal_mode=wal;"
		"pragma synchronous=normal;"
		"pragma secure_delete=on;" /* what expired is gone, not just unlisted */
		"pragma foreign_keys=on;",
		err);
}

enum tenon_code tn_sqlite_open(const char *path, unsigned flags, struct tn_sqlite **ret,
			       struct tenon_error *err)
{
	struct tn_sqlite *db;
	enum tenon_code code = TENON_OK;
	int open_flags = SQLITE_OPEN_FULLMUTEX;
	int status;

	open_flags |= flags & TN_SQLITE_READ_ONLY ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	if (strcmp(path, ":memory:") == 0)
		open_flags |= SQLITE_OPEN_MEMORY | SQLITE_OPEN_CREATE;
	else
		code = make_file(path, flags, err);
	if (code != TENON_OK)
		return code;
	db = tn_mem_alloc(sizeof(*db));
	if (!db)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	status = sqlite3_open_v2(path, &db->db, open_flags, NULL);
	if (status != SQLITE_OK)
		code = fail_sqlite(err, status, db->db);
	if (code == TENON_OK)
		code = set_up(db, flags, err);
	if (code != TENON_OK) {
		tn_sqlite_close(db);
		return code;
	}
	*ret = db;
	return TENON_OK;
}

void tn_sqlite_close(struct tn_sqlite *db)
{
	if (!db)
		return;
	(void)sqlite3_close_v2(db->db); /* statements still out keep it alive until they finish */
	tn_mem_free(db);
}

static int ask_to_stop(void *data)
{
	const struct tn_sqlite *db = data;

	return db->stop(db->stop_data);
}

void tn_sqlite_set_stop(struct tn_sqlite *db, bool (*stop)(void *data), void *data)
{
	db->stop = stop;
	db->stop_data = data;
	sqlite3_progress_handler(db->db, stop ? STOP_STEPS : 0, stop ? ask_to_stop : NULL, db);
}

enum tenon_code tn_sqlite_exec(struct tn_sqlite *db, const char *sql, struct tenon_error *err)
{
	int status = sqlite3_exec(db->db, sql, NULL, NULL, NULL);

	return status == SQLITE_OK ? TENON_OK : fail_sqlite(err, status, db->db);
}

void tn_sqlite_try(struct tn_sqlite *db, const char *sql)
{
	(void)sqlite3_exec(db->db, sql, NULL, NULL, NULL); /* as its header says */
}

enum tenon_code tn_sqlite_prepare(struct tn_sqlite *db, const char *sql,
				  struct tn_sqlite_stmt **ret, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = tn_mem_alloc(sizeof(*stmt));
	int status;

	if (!stmt)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	status = sqlite3_prepare_v2(db->db, sql, -1, &stmt->stmt, NULL);
	if (status != SQLITE_OK) {
		tn_mem_free(stmt);
		return fail_sqlite(err, status, db->db);
	}
	stmt->bind_status = SQLITE_OK;
	*ret = stmt;
	return TENON_OK;
}

void tn_sqlite_finish(struct tn_sqlite_stmt *stmt)
{
	if (!stmt)
		return;
	(void)sqlite3_finalize(stmt->stmt); /* repeats the error of the last step, already told */
	tn_mem_free(stmt);
}

void tn_sqlite_reset(struct tn_sqlite_stmt *stmt)
{
	(void)sqlite3_reset(stmt->stmt); /* repeats the error of the last step, already told */
	(void)sqlite3_clear_bindings(stmt->stmt);
	stmt->bind_status = SQLITE_OK;
}

static void note_bind(struct tn_sqlite_stmt *stmt, int status)
{
	if (stmt->bind_status == SQLITE_OK)
		stmt->bind_status = status;
}

void tn_sqlite_bind_str(struct tn_sqlite_stmt *stmt, int index, struct tn_str text)
{
	if (!text.data || text.size > INT_MAX)
		note_bind(stmt, text.data ? SQLITE_TOOBIG : sqlite3_bind_null(stmt->stmt, index));
	else
		note_bind(stmt, sqlite3_bind_text(stmt->stmt, index, text.data, (int)text.size,
						  SQLITE_TRANSIENT));
}

void tn_sqlite_bind_text(struct tn_sqlite_stmt *stmt, int index, const char *text)
{
	tn_sqlite_bind_str(stmt, index, tn_str_from(text));
}

void tn_sqlite_bind_int(struct tn_sqlite_stmt *stmt, int index, int64_t value)
{
	note_bind(stmt, sqlite3_bind_int64(stmt->stmt, index, value));
}

enum tenon_code tn_sqlite_step(struct tn_sqlite_stmt *stmt, bool *ret_row, struct tenon_error *err)
{
	int status;

	if (stmt->bind_status != SQLITE_OK)
		return fail_sqlite(err, stmt->bind_status, NULL);
	status = sqlite3_step(stmt->stmt);
	if (status != SQLITE_ROW && status != SQLITE_DONE)
		return fail_sqlite(err, status, sqlite3_db_handle(stmt->stmt));
	*ret_row = status == SQLITE_ROW;
	return TENON_OK;
}

enum tenon_code tn_sqlite_run(struct tn_sqlite_stmt *stmt, struct tenon_error *err)
{
	bool row = true;
	enum tenon_code code = TENON_OK;

	while (row && code == TENON_OK)
		code = tn_sqlite_step(stmt, &row, err);
	return code;
}

struct tn_str tn_sqlite_column_str(struct tn_sqlite_stmt *stmt, int index)
{
	const char *text = (const char *)sqlite3_column_text(stmt->stmt, index);

	return tn_str(text, text ? (size_t)sqlite3_column_bytes(stmt->stmt, index) : 0);
}

int64_t tn_sqlite_column_int(struct tn_sqlite_stmt *stmt, int index)
{
	return sqlite3_column_int64(stmt->stmt, index);
}

bool tn_sqlite_column_is_null(struct tn_sqlite_stmt *stmt, int index)
{
	return sqlite3_column_type(stmt->stmt, index) == SQLITE_NULL;
}

int64_t tn_sqlite_last_id(const struct tn_sqlite *db)
{
	return sqlite3_last_insert_rowid(db->db);
}
