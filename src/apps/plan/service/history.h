/* history.h - what was explained, kept for later questions (plan.md section 16).
 *
 * A SQLite file of its owner's alone; it is opened by the first explanation or question, never by
 * parsing. Texts handed in are already redacted. Everything belongs to a principal and is found by
 * that principal only. Ownership: the caller closes what it opened. Threads: any; calls block
 * (disk), so on a server they belong into a job. One lock inside makes calls of several workers
 * take turns. */
#ifndef TN_PLAN_HISTORY_H
#define TN_PLAN_HISTORY_H

#include "apps/plan/service/config.h"
#include "apps/plan/explain/context.h"
#include "base/buf.h"
#include "base/clock.h"

struct tn_plan_history;

struct tn_plan_record {
	const char *principal;
	/* The plan: kept once, however often it is explained. */
	const char *plan_id, *sha256;
	size_t source_bytes;
	/* Writes the plan as JSON, redacted; asked only when the plan is not stored yet. */
	void (*write_plan)(struct tn_buf *out, const void *data);
	const void *write_plan_data;
	struct tn_str raw; /* absent unless the operator wants it kept */
	/* The explanation. */
	const char *form, *source;
	int score;
	struct tn_str text;      /* redacted */
	struct tn_str addresses; /* one a line, for the search */
	/* The conversation's new turns; conversation_id may be NULL. */
	const char *conversation_id;
	const struct tn_plan_turn *turns;
	size_t turn_count;
};

struct tn_plan_question {
	const char *principal; /* NULL: everybody's, for the owner of the file */
	struct tn_str query;   /* words that must all occur; absent: everything */
	int64_t since_ms;      /* wall clock; 0: from the beginning */
	uint32_t limit;        /* 1 to TN_PLAN_HISTORY_ROWS_MAX */
};

/* Opens no file yet. `path` NULL: plans.db in the state folder. With keep_days 0 no file is ever
 * made and everything lives in memory. Fails: NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_plan_history_create(const struct tn_plan_config *config,
						   const struct tn_clock *clock, const char *path,
						   struct tn_plan_history **ret,
						   struct tenon_error *err);
void tn_plan_history_destroy(struct tn_plan_history *history); /* accepts NULL */

/* Adds an explanation and drops what is too old. Fails: as tn_sqlite_*. */
TN_MUST_USE enum tenon_code tn_plan_history_add(struct tn_plan_history *history,
						const struct tn_plan_record *record,
						struct tenon_error *err);

/* Writes {"entries":[...],"total":N} with the newest first. Without a history it writes an empty
 * list and makes no file. Fails: as tn_sqlite_*. */
TN_MUST_USE enum tenon_code tn_plan_history_find(struct tn_plan_history *history,
						 const struct tn_plan_question *question,
						 struct tn_buf *out, struct tenon_error *err);

/* The raw text of a kept plan, so that its handle survives a restart.
 * Fails: NOT_FOUND (not kept), EXPIRED (it was), and as tn_sqlite_*. */
TN_MUST_USE enum tenon_code tn_plan_history_raw(struct tn_plan_history *history,
						const char *plan_id, const char *principal,
						struct tn_buf *ret_raw, struct tenon_error *err);

/* "2026-11-21" or "2026-11-21T10:15:30Z" as milliseconds since 1970; false: neither. */
bool tn_plan_parse_time(struct tn_str text, int64_t *ret_ms);

#endif
