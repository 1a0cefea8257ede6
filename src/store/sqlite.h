/* sqlite.h - a thin wrapper around SQLite: our errors, our file mode, nothing hidden.
 *
 * Ownership: the caller closes databases and finishes statements (before their database). Threads:
 * one at a time per database; every call may block, so on the loop's thread it belongs into a job.
 * Messages name the table or the SQL error, never a path or a value. A file that is damaged is
 * SYSTEM with sys_errno EUCLEAN. */
#ifndef TN_STORE_SQLITE_H
#define TN_STORE_SQLITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct tn_sqlite;
struct tn_sqlite_stmt;

enum {
	TN_SQLITE_CREATE = 1 << 0,   /* make the file when it is missing, mode 0600 */
	TN_SQLITE_READ_ONLY = 1 << 1 /* never write, not even a journal */
};

/* Opens the file in WAL mode; ":memory:" gives a database without a file.
 * Fails: NOT_FOUND (no file, and not asked to make it), DENIED, SYSTEM (not a database, disk). */
TN_MUST_USE enum tenon_code tn_sqlite_open(const char *path, unsigned flags, struct tn_sqlite **ret,
					   struct tenon_error *err);
void tn_sqlite_close(struct tn_sqlite *db); /* accepts NULL */

/* While a statement runs, `stop` is asked now and then; once it says true the statement fails with
 * CANCELLED. NULL: nobody is asked. */
void tn_sqlite_set_stop(struct tn_sqlite *db, bool (*stop)(void *data), void *data);

/* Runs statements that give no rows. Fails: BUSY, LIMIT (disk full), CANCELLED, SYSTEM. */
TN_MUST_USE enum tenon_code tn_sqlite_exec(struct tn_sqlite *db, const char *sql,
					   struct tenon_error *err);
/* The same where nothing depends on it: a rollback of what may be rolled back already. */
void tn_sqlite_try(struct tn_sqlite *db, const char *sql);

TN_MUST_USE enum tenon_code tn_sqlite_prepare(struct tn_sqlite *db, const char *sql,
					      struct tn_sqlite_stmt **ret, struct tenon_error *err);
void tn_sqlite_finish(struct tn_sqlite_stmt *stmt); /* accepts NULL */
void tn_sqlite_reset(struct tn_sqlite_stmt *stmt);  /* to run once more; every parameter is null */

/* Parameters count from 1. Text is copied. A failure to bind shows up at the next step. */
void tn_sqlite_bind_str(struct tn_sqlite_stmt *stmt, int index, struct tn_str text);
void tn_sqlite_bind_text(struct tn_sqlite_stmt *stmt, int index, const char *text); /* NULL: null */
void tn_sqlite_bind_int(struct tn_sqlite_stmt *stmt, int index, int64_t value);

/* One row further. *ret_row is false at the end. Fails: BUSY, LIMIT, CANCELLED, SYSTEM, NO_MEMORY.
 */
TN_MUST_USE enum tenon_code tn_sqlite_step(struct tn_sqlite_stmt *stmt, bool *ret_row,
					   struct tenon_error *err);
/* Steps to the end, for statements whose rows nobody wants. */
TN_MUST_USE enum tenon_code tn_sqlite_run(struct tn_sqlite_stmt *stmt, struct tenon_error *err);

/* Columns count from 0; texts live until the next step. NULL gives an absent slice or 0. */
struct tn_str tn_sqlite_column_str(struct tn_sqlite_stmt *stmt, int index);
int64_t tn_sqlite_column_int(struct tn_sqlite_stmt *stmt, int index);
bool tn_sqlite_column_is_null(struct tn_sqlite_stmt *stmt, int index);

int64_t tn_sqlite_last_id(const struct tn_sqlite *db); /* rowid of the last insert */

#endif
