/* internal.h - the parts of history.h, each in a file of its own: what runs on a worker.
 *
 * Threads: any, one at a time per object; every function may block on the disk. */
#ifndef TN_TERMINAL_HISTORY_INTERNAL_H
#define TN_TERMINAL_HISTORY_INTERNAL_H

#include <stdatomic.h>
#include <sys/types.h>

#include "apps/terminal/history/history.h"
#include "apps/terminal/redact/regex.h"
#include "store/sqlite.h"

/* ---- history_db.c: the file ---- */

struct tn_history_db {
	const char *path; /* the history's */
	struct tn_sqlite *db;
	dev_t device; /* of the file that is open: it may be taken away while we hold it */
	ino_t inode;
};
/* Opens, or opens again when the path names another file by now; makes the file and its tables.
 * Fails: as tn_sqlite_open, DENIED (made by a newer version). */
TN_MUST_USE enum tenon_code tn_history_db_open(struct tn_history_db *db, struct tenon_error *err);
/* The same to read only; NOT_FOUND when there is no file yet. */
TN_MUST_USE enum tenon_code tn_history_db_open_reader(struct tn_history_db *db,
						      struct tenon_error *err);
void tn_history_db_close(struct tn_history_db *db);
bool tn_history_is_damaged(const struct tenon_error *err);
/* Looks whether the file is damaged after a reader has said so. An index that does not fit its
 * table is made anew. Fails: as tn_history_is_damaged tells. */
TN_MUST_USE enum tenon_code tn_history_db_mend(struct tn_history_db *db, struct tenon_error *err);
/* Closes and renames a damaged file to PATH.broken-SECONDS. False: it stays where it is. */
bool tn_history_db_move_aside(struct tn_history_db *db, int64_t now_ms);

/* ---- history_item.c: what is to be written ---- */

enum tn_history_kind { TN_HISTORY_SESSION, TN_HISTORY_COMMAND, TN_HISTORY_EVENT };
struct tn_history_item {
	struct tn_history_item *next;
	char *texts;           /* holds all its texts ... */
	struct tn_arena arena; /* ... but those in which secrets were replaced */
	size_t bytes;
	enum tn_history_kind kind;
	bool seen, clean; /* secrets were looked for; they are out */
	struct tn_redactor *secrets;
	struct tn_history_session session;
	struct tn_history_command command; /* output: its head, with what stands behind it */
	size_t head_size;                  /* bytes of the output that belong to the head */
	struct tn_str tail;                /* with what stands before it */
	size_t tail_begin;
	uint64_t tail_line; /* lines before the tail */
	unsigned redactions;
	struct tn_history_event event;
	int64_t now_ms;
};
/* Copies. `with_output` false leaves the output out. NULL: no memory. */
struct tn_history_item *tn_history_item_session(const struct tn_history_session *session);
struct tn_history_item *tn_history_item_command(const struct tn_history_command *command,
						bool with_output);
struct tn_history_item *tn_history_item_event(const struct tn_history_event *event, int64_t now_ms);
void tn_history_item_free(struct tn_history_item *item); /* accepts NULL */
/* Takes the secrets out, once. False: no memory, and the item must not be written. */
bool tn_history_item_clean(struct tn_history_item *item, const struct tn_redactor *redactor);

/* ---- history_write.c: writing, forgetting ---- */

/* Writes all or nothing. */
TN_MUST_USE enum tenon_code tn_history_write(struct tn_history_db *db,
					     const struct tn_history_item *items,
					     struct tenon_error *err);
/* What is too old or too much, a bit at a time. *ret_more: there is still too much. */
TN_MUST_USE enum tenon_code tn_history_retain(struct tn_history_db *db, int64_t before_ms,
					      uint64_t bytes_max, bool *ret_more,
					      struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_history_forget(struct tn_history_db *db, int64_t before_ms,
					      struct tn_str matching, uint64_t *ret_removed,
					      struct tenon_error *err);

/* ---- history_query.c: what is looked for ---- */

enum { TN_HISTORY_WORDS_MAX = 512 };
struct tn_history_query {
	struct tn_str match;  /* an expression of FTS5, NUL-terminated; empty: all are read */
	struct tn_str phrase; /* likewise, of words: all of them as they stand; or empty */
	bool ranked;          /* the index measures what matches best (syntax fts) */
	struct tn_str literals[TN_HISTORY_WORDS_MAX]; /* all of these must stand in the text */
	size_t literal_count;
	size_t phrase_count;    /* in `match` */
	struct tn_regex *regex; /* of regex */
};
/* Fails: INVALID (a pattern; too many words), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_history_query_init(struct tn_history_query *query,
						  enum tn_history_syntax syntax, struct tn_str text,
						  struct tn_arena *arena, struct tenon_error *err);
void tn_history_query_finish(struct tn_history_query *query);
/* The place of `needle` in `text` without case, from `from` on; TN_STR_NONE: nowhere. */
size_t tn_history_find(struct tn_str text, struct tn_str needle, size_t from);
bool tn_history_has_literals(const struct tn_history_query *query, struct tn_str text);

/* ---- history_lines.c: which lines of a text are shown ---- */

/* Around what FTS5 found; no characters at all (U+FDD0, U+FDD1), so they are in no text. */
#define TN_HISTORY_MARK "\xef\xb7\x90"
#define TN_HISTORY_MARK_END "\xef\xb7\x91"

struct tn_history_lines {
	struct tn_str content, snippet;
	uint64_t line; /* from 1 */
};
/* `text` has marks when `marked`. Outputs give the lines that match best, with `context` lines
 * around; commands all of their text. Fails: NO_MEMORY, LIMIT (a pattern). */
TN_MUST_USE enum tenon_code tn_history_pick(const struct tn_history_query *query,
					    struct tn_str text, bool marked, bool is_output,
					    unsigned context, struct tn_arena *arena,
					    struct tn_history_lines *ret, struct tenon_error *err);

/* ---- history_search.c and those it calls: a search from its query to its page ---- */

struct tn_history_request { /* a search with its texts */
	struct tn_history_search search;
	struct tn_arena arena;
	const atomic_bool *cancelled; /* NULL: nobody cancels */
};
/* Fills *found, whose arena it inits. */
void tn_history_run(struct tn_history_db *db, const struct tn_history_request *request,
		    struct tn_history_found *found);

/* Where a search stands: a page goes on where the one before it ended, among the entries that were
 * there when the first one was made. */
struct tn_history_place {
	int64_t commands_max, outputs_max; /* rowids */
	int64_t offset;                    /* entries shown so far */
	int64_t started, rowid, texts;     /* scans: the command, and how many texts of it */
	int64_t total;                     /* scans: as the first page counted them */
	int64_t uncounted;                 /* 1: there are more than that */
};
struct tn_history_runner {
	struct tn_sqlite *db;
	const struct tn_history_search *search;
	const atomic_bool *cancelled;
	struct tn_history_query query;
	struct tn_history_place place;
	bool first;  /* page */
	bool shared; /* its connection is the writer's, too */
	uint64_t deadline_ms;
	struct tn_history_found *found;
	struct tn_history_place next;
	bool has_next;
};
bool tn_history_is_late(const struct tn_history_runner *runner);
/* What every statement needs: the columns of an entry and which entries are wanted. */
#define TN_HISTORY_COLUMNS \
	"c.id, c.session_id, s.name, s.project_id, c.cwd, c.exit_code, c.started, c.ended"
#define TN_HISTORY_FILTER                                                                    \
	" (?3 is null or c.session_id=?3) and (?4 is null or s.project_id=?4)"               \
	" and c.started>=?5 and c.started<=?6 and (?7=0 or (?7=1 and c.exit_code=0)"         \
	" or (?7=2 and (c.exit_code<>0 or (c.exit_code is null and c.signal is not null))))" \
	" and (?8 is null or substr(c.cwd, 1, length(?8))=?8)"                               \
	" and (?9 is null or coalesce(s.owner, c.caller)=?9)"
bool tn_history_is_filtered(const struct tn_history_search *search);
void tn_history_bind_filter(struct tn_sqlite_stmt *stmt, const struct tn_history_search *search);
/* Adds an entry of the text, whose columns begin at `column` of the statement's row. `before`:
 * lines of the output that stood before the text. */
TN_MUST_USE enum tenon_code tn_history_add(struct tn_history_runner *runner,
					   struct tn_sqlite_stmt *stmt, int column,
					   struct tn_str text, bool marked, bool is_output,
					   uint64_t before, struct tenon_error *err);
/* history_near.c: the query's words, those that nothing has replaced by the nearest that something
 * has: one letter is wrong, of longer words two. *ret_changed: one was. Fails: as searches do. */
TN_MUST_USE enum tenon_code tn_history_near(struct tn_history_runner *runner, struct tn_buf *ret,
					    bool *ret_changed, struct tenon_error *err);
/* history_index.c: what has the query's words, as the index tells. */
TN_MUST_USE enum tenon_code tn_history_by_index(struct tn_history_runner *runner,
						struct tenon_error *err);
/* history_place.c: the place of the search's cursor, or the beginning; fails: EXPIRED (it belongs
 * to another search). The cursor of the next page, when there is one. */
TN_MUST_USE enum tenon_code tn_history_find_place(struct tn_history_runner *runner,
						  struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_history_write_cursor(struct tn_history_runner *runner,
						    struct tenon_error *err);
/* history_sweep.c: of a pattern, all that match are counted, and the newest shown. */
TN_MUST_USE enum tenon_code tn_history_sweep(struct tn_history_runner *runner,
					     struct tenon_error *err);
/* Reads entries newest first, for what the index cannot find. */
TN_MUST_USE enum tenon_code tn_history_scan(struct tn_history_runner *runner,
					    struct tenon_error *err);

#endif
