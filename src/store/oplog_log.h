/* oplog_log.h - the inside of an operation log, for the files oplog*.c. Threads: loop. */
#ifndef TN_STORE_OPLOG_LOG_H
#define TN_STORE_OPLOG_LOG_H

#include "loop/loop.h"
#include "store/oplog_disk.h"
#include "store/oplog_history.h"

enum { TN_OPLOG_FORMAT = 1 };

struct tn_oplog_job;

/* Where an applied operation stands: its inverse in `pieces`, and where its text ends in `texts`.
 */
struct tn_oplog_piece {
	size_t start, size, text_end;
};

struct tn_oplog {
	const struct tn_document_ops *ops;
	void *document;
	const struct tn_clock *clock;
	struct tn_oplog_disk disk;
	struct tn_oplog_history history;
	uint64_t revision;
	bool broken;        /* see tn_oplog_is_broken */
	bool must_snapshot; /* a sync failed: what the journal holds may not be on the disk */
	size_t journal_lines, snapshot_at_lines;

	/* The newest change, if it was part of a gesture: what of, which, and until when the next
	 * may join it. */
	char gesture[TN_OPLOG_GESTURE_MAX + 1];
	uint64_t gesture_id, gesture_until_ms;

	/* Of one change at a time (oplog_change.c). */
	bool begun;
	struct tn_arena arena;
	struct tn_buf texts, pieces; /* of its operations, and of their inverses */
	struct tn_buf steps;         /* one struct tn_oplog_piece each */
	struct tn_buf line, inverse, waste;

	struct tn_loop *loop; /* NULL: nothing below is used */
	uint32_t sync_ms;
	struct tn_timer *timer;
	struct tn_oplog_job *job; /* NULL: none is running */
	bool job_again;           /* when it is done */
};

/* ---- oplog_apply.c ---- */

void tn_oplog_steps_clear(struct tn_oplog *log);
/* What was applied is part of the revision there is now, or has been taken back. */
void tn_oplog_settle(struct tn_oplog *log, bool committed);
/* Applies one operation and notes what takes it back and, for the journal, its text. Fails: as
 * `apply`, LIMIT, NO_MEMORY; the document is as before the step. */
TN_MUST_USE enum tenon_code
tn_oplog_apply_step(struct tn_oplog *log, const struct tn_json *operation, struct tenon_error *err);
/* Takes back all steps but the first `count`. Where that fails the log is broken. */
void tn_oplog_steps_back(struct tn_oplog *log, size_t count);
/* All operations of the array or none, as the steps of a change. Fails: as a step (with the number
 * of the operation), INVALID (none are there). */
TN_MUST_USE enum tenon_code tn_oplog_apply(struct tn_oplog *log, const struct tn_json *operations,
					   struct tenon_error *err);
/* Fills `inverse` with the array that takes the steps back, in the order it is to be applied. */
TN_MUST_USE enum tenon_code tn_oplog_steps_invert(struct tn_oplog *log, struct tenon_error *err);

/* ---- oplog_read.c ---- */

/* Both consume the text. Fails: INVALID (damage: which line), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_read_snapshot(struct tn_oplog *log, struct tn_buf *text,
						   struct tenon_error *err);
/* *ret_good: how many bytes count; what follows is torn. */
TN_MUST_USE enum tenon_code tn_oplog_read_journal(struct tn_oplog *log, struct tn_buf *text,
						  size_t *ret_good, struct tenon_error *err);

/* ---- oplog_sync.c ---- */

void tn_oplog_sync_soon(struct tn_oplog *log);
void tn_oplog_sync_stop(struct tn_oplog *log);

/* ---- oplog_compact.c ---- */

/* A new snapshot, and an empty journal. */
TN_MUST_USE enum tenon_code tn_oplog_compact(struct tn_oplog *log, struct tenon_error *err);
/* When that was too seldom done while nobody waits. */
void tn_oplog_compact_if_long(struct tn_oplog *log);
bool tn_oplog_is_long(const struct tn_oplog *log, unsigned times);

#endif
