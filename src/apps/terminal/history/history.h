/* history.h - what was run and what it printed, searchable (terminal.md sections 7.6 and 9).
 *
 * One SQLite file with FTS5; a worker writes in batches (TN_HISTORY_BATCH_MS), readers run beside
 * it, other processes too. Recording copies, redacts in the worker, and never waits. When the disk
 * is full or the file cannot be written, history turns itself off, says why, and tries again; a
 * damaged file is moved aside (history.db.broken-SECONDS) and a new one begun. Ownership: the
 * caller's. Threads: loop; `done` functions come on the loop. */
#ifndef TN_TERM_HISTORY_H
#define TN_TERM_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "apps/terminal/redact/redact.h"
#include "base/arena.h"
#include "base/clock.h"
#include "loop/loop.h"

struct tn_history;

struct tn_history_options {
	const char *path;             /* copied; ":memory:" has no file */
	const struct tn_clock *clock; /* NULL: the system's */
	uint32_t keep_days;
	uint64_t bytes_max;
	const char *const *patterns; /* further redaction (d); NULL: none */
	/* It has turned itself off or begun a new file (a sentence), or works again (NULL). */
	void (*state)(const char *problem, void *data);
	/* Entries were written: searches give more than before. */
	void (*changed)(void *data);
	void *data;
};
/* Opens nothing yet: the first record or search does. Fails: NO_MEMORY, INVALID (a pattern), SYSTEM
 * (no thread). */
TN_MUST_USE enum tenon_code tn_history_open(struct tn_loop *loop,
					    const struct tn_history_options *options,
					    struct tn_history **ret, struct tenon_error *err);
void tn_history_close(struct tn_history *history); /* writes what is queued; accepts NULL */
const char *tn_history_problem(const struct tn_history *history); /* NULL: it works */

/* Texts are copied. */
struct tn_history_session {
	const char *id, *name, *project_id, *shell, *owner; /* project_id, shell: may be NULL */
	int64_t created_ms, closed_ms;                      /* closed: 0 while it is open */
	int exit_code;                                      /* -1: none */
	const char *signal;                                 /* NULL: none */
};
void tn_history_record_session(struct tn_history *history,
			       const struct tn_history_session *session);

struct tn_history_command {
	const char *id, *session_id, *caller;
	uint64_t number; /* in the session */
	struct tn_str text, cwd, cwd_after;
	int64_t started_ms, ended_ms;
	int exit_code; /* -1: not known */
	const char *signal, *status, *completion;
	uint64_t bytes, lines;
	bool isolated;
	struct tn_str output; /* plain; beyond 256 KiB + 256 KiB the middle is left out */
	/* When the middle has been left out already: the end of the output, and how many lines
	 * stand before it. Both pieces should be 64 KiB longer than what is kept of them: a secret
	 * over the border is found by what stands beyond. */
	struct tn_str output_tail;
	uint64_t tail_line;
	/* Secrets to look for besides shapes and patterns; NULL: none. Copied. */
	const struct tn_redactor *secrets;
};
void tn_history_record_command(struct tn_history *history,
			       const struct tn_history_command *command);

/* A decision, confirmation, hand-over, signal. */
struct tn_history_event {
	const char *kind;
	const char *session_id, *command_id, *principal; /* NULL: none */
	const char *detail;                              /* a JSON object; NULL: none */
	const struct tn_redactor *secrets;               /* as above */
};
void tn_history_record_event(struct tn_history *history, const struct tn_history_event *event);

enum tn_history_syntax { TN_HISTORY_WORDS, TN_HISTORY_PHRASE, TN_HISTORY_FTS, TN_HISTORY_REGEX };
enum { TN_HISTORY_COMMANDS = 1, TN_HISTORY_OUTPUTS = 2 };
enum tn_history_exit { TN_HISTORY_ANY_EXIT, TN_HISTORY_OK, TN_HISTORY_FAILED };

/* An empty query finds everything, newest first. Texts are copied by the search. */
struct tn_history_search {
	struct tn_str query;
	enum tn_history_syntax syntax;
	unsigned types;
	enum tn_history_exit exit;
	const char *session_id, *project_id, *cwd_prefix, *cursor; /* NULL: any, none */
	/* Only what was run in this principal's sessions (or by it, where the session is not
	 * known); NULL: all. */
	const char *owner;
	int64_t since_ms, until_ms; /* 0: no bound */
	unsigned limit, context;
	uint32_t time_ms; /* it may take; 0: TN_HISTORY_SEARCH_MS */
};

struct tn_history_entry {
	int64_t timestamp; /* seconds */
	struct tn_str content, snippet, cwd, command_id, session_id, session_name, project_id;
	bool is_output;
	int exit_code; /* -1: none */
	int64_t duration_ms;
	uint64_t line; /* of the output, from 1; 0 for commands */
};
struct tn_history_found {
	enum tenon_code code;
	/* INVALID: the pattern; EXPIRED: the cursor is none of this search; LIMIT: it took too
	 * long; CANCELLED: the history was closed; else: no history. */
	struct tenon_error error;
	struct tn_history_entry *entries;
	size_t count, total;
	bool total_is_least;       /* there are more: to count them all takes too long */
	struct tn_str next_cursor; /* empty: no more */
	/* Why something may be missing: nothing is written any more, or a damaged file was moved
	 * aside; or what was looked for instead. NULL: nothing is. Lives as long as the entries. */
	const char *warning;
	struct tn_arena arena; /* holds them; finished after `done` returns */
};
/* Sees all that was recorded before. `done` comes once, not inside. Fails: NO_MEMORY, BUSY (too
 * many searches wait), SYSTEM. */
TN_MUST_USE enum tenon_code
tn_history_search(struct tn_history *history, const struct tn_history_search *search,
		  void (*done)(struct tn_history_found *found, void *data), void *data,
		  struct tenon_error *err);

/* Removes commands and outputs before a time (0: any) that match words ("": all), from the disk,
 * too: no page of the file holds them afterwards. A command goes with its outputs when either
 * matches. */
TN_MUST_USE enum tenon_code
tn_history_purge(struct tn_history *history, int64_t before_ms, struct tn_str matching,
		 void (*done)(enum tenon_code code, const struct tenon_error *error,
			      uint64_t removed, void *data),
		 void *data, struct tenon_error *err);

#endif
