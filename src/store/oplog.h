/* oplog.h - the operation log: a document changes only by operations that have an inverse
 * (ARCHITECTURE section 3.3).
 *
 * Gives undo and redo across people and assistants, revisions, batches that apply wholly or not at
 * all, recovery after a crash, and the list of who did what when. The document itself stays the
 * app's: it is told to apply an operation, and says what would take it back.
 *
 * On disk: a snapshot (replaced whole) and a journal beside it (one JSON object a line with a
 * checksum, one line a commit). A commit is in the kernel before it is acknowledged, so no killed
 * process loses one; it is on the disk at the latest sync_ms later. A torn last line is dropped at
 * the next open; any other damage is an error that names the line, and the file stays as it is.
 * Ownership: the caller's. Threads: loop. */
#ifndef TN_STORE_OPLOG_H
#define TN_STORE_OPLOG_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "jsonrpc/json.h"

struct tn_oplog;

struct tn_document_ops {
	/* Applies one operation and appends its inverse, an operation, to `inverse`. Fails: INVALID
	 * and the like, with the document as it was. */
	enum tenon_code (*apply)(void *document, const struct tn_json *operation,
				 struct tn_buf *inverse, struct tenon_error *err);
	void (*save)(const void *document, struct tn_buf *out); /* as one JSON value */
	enum tenon_code (*load)(void *document, const struct tn_json *saved,
				struct tenon_error *err);
};

struct tn_oplog_options {
	const char *path; /* of the snapshot; the journal is path + ".journal"; NULL: memory only */
	const struct tn_document_ops *ops;
	void *document; /* empty; filled by opening */
	const struct tn_clock *clock;
	uint32_t undo_max; /* changes that can be undone; 0: TN_OPLOG_UNDO_MAX (200) */
};
/* Fails: INVALID (a damaged file: which line), LIMIT, DENIED, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_open(const struct tn_oplog_options *options,
					  struct tn_oplog **ret, struct tenon_error *err);
/* Writes a snapshot when there is a journal. Accepts NULL. */
void tn_oplog_close(struct tn_oplog *log);

uint64_t tn_oplog_revision(const struct tn_oplog *log); /* 0: empty; one more with each commit */

struct tn_change {
	uint64_t id, revision; /* id: never used again */
	uint64_t wall_ms;
	const char *actor; /* "Claude Code", "user (page)" */
	const char *label; /* "Mark 3 changes": what undo says */
	enum { TN_CHANGE_DONE, TN_CHANGE_UNDO, TN_CHANGE_REDO } kind;
	uint64_t of; /* the change that was undone or redone */
	size_t operations;
};

struct tn_commit {
	const char *actor, *label;
	const struct tn_json *operations; /* an array; all or none */
	int64_t expected_revision;        /* -1: whatever it is */
	bool dry_run;                     /* applied, and taken back at once */
};
/* Fails: EXPIRED (another revision; the message has it: STALE_REVISION), INVALID (which operation
 * and why), LIMIT (TN_OPLOG_BATCH_MAX), SYSTEM (the journal cannot be written: nothing has
 * happened), NO_MEMORY. *ret lives until the next commit. */
TN_MUST_USE enum tenon_code tn_oplog_commit(struct tn_oplog *log, const struct tn_commit *commit,
					    struct tn_change *ret, struct tenon_error *err);
/* The last change that is not undone, whoever made it. Fails: NOT_FOUND (nothing to undo), and as
 * a commit. */
TN_MUST_USE enum tenon_code tn_oplog_undo(struct tn_oplog *log, const char *actor,
					  int64_t expected_revision, struct tn_change *ret,
					  struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_oplog_redo(struct tn_oplog *log, const char *actor,
					  int64_t expected_revision, struct tn_change *ret,
					  struct tenon_error *err);
/* What undo and redo would do; NULL: nothing. */
const char *tn_oplog_undo_label(const struct tn_oplog *log);
const char *tn_oplog_redo_label(const struct tn_oplog *log);

/* Changes after revision `since`, oldest first: calls `each` until it returns false. */
void tn_oplog_list(const struct tn_oplog *log, uint64_t since,
		   bool (*each)(const struct tn_change *change, void *data), void *data);

/* To the disk now (fdatasync); a caller with a loop calls it in a job some time after a commit. */
TN_MUST_USE enum tenon_code tn_oplog_sync(struct tn_oplog *log, struct tenon_error *err);

#endif
