/* oplog_log.h - the inside of an operation log, for the files oplog*.c. Threads: loop. */
#ifndef TN_STORE_OPLOG_LOG_H
#define TN_STORE_OPLOG_LOG_H

#include "loop/loop.h"
#include "store/oplog_disk.h"
#include "store/oplog_history.h"

enum { TN_OPLOG_FORMAT = 1 };

struct tn_oplog_job;

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

	/* Of one change at a time. */
	struct tn_arena arena;
	struct tn_buf line, inverse, pieces, waste;

	struct tn_loop *loop; /* NULL: nothing below is used */
	uint32_t sync_ms;
	struct tn_timer *timer;
	struct tn_oplog_job *job; /* NULL: none is running */
	bool job_again;           /* when it is done */
};

/* ---- oplog_apply.c ---- */

/* All operations of the array or none. `inverse` gets the array that takes them back, in the order
 * it is to be applied. Fails: as `apply` (with the number of the operation), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_apply(struct tn_oplog *log, const struct tn_json *operations,
					   struct tn_buf *inverse, struct tenon_error *err);
/* Takes back what was applied last. Where that fails the log is broken. */
void tn_oplog_take_back(struct tn_oplog *log, struct tn_str inverse);

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

/* ---- oplog.c ---- */

/* A new snapshot, and an empty journal. */
TN_MUST_USE enum tenon_code tn_oplog_compact(struct tn_oplog *log, struct tenon_error *err);
bool tn_oplog_is_long(const struct tn_oplog *log, unsigned times);

#endif
