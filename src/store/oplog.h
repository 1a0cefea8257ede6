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
 * the next open; any other damage is an error that names the line, and the file stays as it is. The
 * snapshot names its revision, and the journal's older lines are passed over: a crash between the
 * two files loses nothing and applies nothing twice. While it is open a third file, path + ".lock",
 * keeps other processes out.
 * Ownership: the caller's. Threads: one at a time; with a loop its own. Opening, closing and the
 * rare rewriting of the snapshot block for as long as a small file takes. */
#ifndef TN_STORE_OPLOG_H
#define TN_STORE_OPLOG_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "jsonrpc/json.h"

struct tn_loop;
struct tn_oplog;

struct tn_document_ops {
	/* Applies one operation and appends its inverse, one JSON value, to `inverse`
	 * (which may hold other bytes before). The same
	 * operation on the same document does the same: ids and times stand in it. It changes the
	 * document only after the inverse stands there whole (tn_buf_check). Fails: INVALID and the
	 * like, with the document as it was. */
	enum tenon_code (*apply)(void *document, const struct tn_json *operation,
				 struct tn_buf *inverse, struct tenon_error *err);
	void (*save)(const void *document, struct tn_buf *out); /* as one JSON value */
	enum tenon_code (*load)(void *document, const struct tn_json *saved,
				struct tenon_error *err);
	/* NULL, or what a change touches: appends numbers (uint64_t) for `forth`, the operations
	 * as they were applied, and `back`, their inverses in turn. Two changes meet when both have
	 * a number, and one of them with its lowest bit set, which stands for no part of it. */
	void (*touch)(const struct tn_json *forth, const struct tn_json *back, struct tn_buf *out);
	/* NULL, or told when what was applied since it was told last has come to an end: it stays,
	 * as part of this revision (which what was loaded without one has, too), or all of it has
	 * been taken back. The same changes settle in the same order when a log is read again; it
	 * may not fail. */
	void (*settled)(void *document, uint64_t revision, bool committed);
};

struct tn_oplog_options {
	const char *path; /* of the snapshot; the journal is path + ".journal"; NULL: memory only */
	const struct tn_document_ops *ops;
	void *document; /* empty; filled by opening */
	const struct tn_clock *clock;
	uint32_t undo_max;    /* changes that can be undone; 0: TN_OPLOG_UNDO_MAX (200) */
	struct tn_loop *loop; /* for tn_oplog_sync in jobs; NULL: the caller calls it */
	uint32_t sync_ms;     /* with a loop: after a commit; 0: TN_OPLOG_SYNC_MS (100) */
};
/* Fails: INVALID (a damaged file: which line), BUSY (open elsewhere: by which process), LIMIT,
 * NOT_FOUND (no folder), DENIED, SYSTEM, NO_MEMORY. After a failure the document is to be thrown
 * away. */
TN_MUST_USE enum tenon_code tn_oplog_open(const struct tn_oplog_options *options,
					  struct tn_oplog **ret, struct tenon_error *err);
/* For a log without any change: what its owner has put into the document is the beginning, at this
 * revision (1 or more), and cannot be undone. Fails: INVALID (there are changes), and as writing a
 * snapshot; then nothing has happened to the log. */
TN_MUST_USE enum tenon_code tn_oplog_start(struct tn_oplog *log, uint64_t revision,
					   struct tenon_error *err);
/* For a log that was opened without a loop, in whatever thread: from now on it has this one (NULL:
 * none) as if it had been opened with it, and is that thread's. Without one it may go to another
 * thread again. */
void tn_oplog_attach(struct tn_oplog *log, struct tn_loop *loop);
/* Writes a snapshot when there is a journal; where that fails the journal stays. Accepts NULL. */
void tn_oplog_close(struct tn_oplog *log);

/* Removes the files of a log that nobody has open; none are there: fine. Threads: any.
 * Fails: BUSY, and as opening. */
TN_MUST_USE enum tenon_code tn_oplog_remove(const char *path, struct tenon_error *err);

/* True after a change that failed could not be taken back, for want of memory: the document is
 * between two revisions, everything below fails with INTERNAL, and the files have the last good
 * one: close it and open it again. */
bool tn_oplog_is_broken(const struct tn_oplog *log);

uint64_t tn_oplog_revision(const struct tn_oplog *log); /* 0: empty; one more with each commit */

enum tn_change_kind { TN_CHANGE_DONE, TN_CHANGE_UNDO, TN_CHANGE_REDO };

struct tn_change {
	/* id: never used again; 0: of a dry run. A gesture keeps that of its first change, and has
	 * the revision of its last. */
	uint64_t id, revision;
	uint64_t wall_ms;
	const char *actor; /* "Claude Code", "user (page)"; cut at TN_OPLOG_TEXT_MAX, as is ... */
	const char *label; /* "Mark 3 changes": what undo says */
	const char *who;   /* NULL, or whose it is, as an id of the caller's (TN_OPLOG_WHO_MAX) */
	enum tn_change_kind kind;
	uint64_t of; /* the change that was undone or redone; 0: neither */
	size_t operations;
	const char *note; /* NULL, or the caller's own, at most TN_OPLOG_NOTE_MAX bytes of JSON */
	bool undone;      /* in the list: it is taken back now */
};

struct tn_commit {
	const char *actor, *label;
	const char *who;                  /* see struct tn_change */
	const struct tn_json *operations; /* an array; all or none */
	int64_t expected_revision;        /* -1: whatever it is */
	bool dry_run;                     /* applied, and taken back at once */
	const char *note;                 /* see struct tn_change */
	/* NULL, or what this change is a part of (at most TN_OPLOG_GESTURE_MAX bytes): successive
	 * ones of one actor with the same, nothing between them and TN_OPLOG_GESTURE_MS apart at
	 * most, are one in the list and one step of undo (tn_oplog_end alone). */
	const char *gesture;
	uint64_t of; /* 0, or the change that this takes back, or makes again where it is undone */
};
/* What a commit by this actor with this gesture would become part of now; NULL: nothing. */
const struct tn_change *tn_oplog_joins(const struct tn_oplog *log, const char *actor,
				       const char *gesture);
/* Fails: EXPIRED (another revision; the message has it: STALE_REVISION), INVALID (which operation
 * and why), LIMIT (TN_OPLOG_BATCH_MAX), SYSTEM (the journal cannot be written: nothing has
 * happened), NO_MEMORY, INTERNAL (see tn_oplog_is_broken). *ret lives until the next commit. */
TN_MUST_USE enum tenon_code tn_oplog_commit(struct tn_oplog *log, const struct tn_commit *commit,
					    struct tn_change *ret, struct tenon_error *err);

/* A change made step by step, each on the document as the step before left it: begin, any number
 * of steps, then end or abandon. Nothing else may be done with the log in between. Fails: EXPIRED,
 * INTERNAL (see tn_oplog_is_broken), BUSY (one has begun already). */
TN_MUST_USE enum tenon_code tn_oplog_begin(struct tn_oplog *log, int64_t expected_revision,
					   struct tenon_error *err);
/* One operation, applied now. Fails: as `apply`, LIMIT; the document is as before the step. */
TN_MUST_USE enum tenon_code tn_oplog_step(struct tn_oplog *log, const struct tn_json *operation,
					  struct tenon_error *err);
/* How many steps there are, and back to so many: what came after is taken back. */
size_t tn_oplog_steps(const struct tn_oplog *log);
void tn_oplog_back_to(struct tn_oplog *log, size_t steps);
/* Appends the operations of the steps so far, as an array. */
void tn_oplog_put_steps(const struct tn_oplog *log, struct tn_buf *out);
/* Commits all steps as one change (`operations`, `expected_revision` of `commit` do not count);
 * after a failure everything is taken back. Without a step nothing happens, and *ret has the
 * revision. Fails: as a commit. */
TN_MUST_USE enum tenon_code tn_oplog_end(struct tn_oplog *log, const struct tn_commit *commit,
					 struct tn_change *ret, struct tenon_error *err);
void tn_oplog_abandon(struct tn_oplog *log);
/* For a change that was made on a copy of the document, with a log of its own: its steps become
 * those of the change that has begun in `to` and has none yet. Nothing is applied: the caller has
 * put what they made in the place of the document of `to`. */
void tn_oplog_pass(struct tn_oplog *from, struct tn_oplog *to);

/* The last change that is not undone, whoever made it. Fails: NOT_FOUND (nothing to undo), and as
 * a commit. */
TN_MUST_USE enum tenon_code tn_oplog_undo(struct tn_oplog *log, const char *actor,
					  int64_t expected_revision, struct tn_change *ret,
					  struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_oplog_redo(struct tn_oplog *log, const char *actor,
					  int64_t expected_revision, struct tn_change *ret,
					  struct tenon_error *err);

/* ---- undoing one's own (SC-019) ----
 *
 * For documents whose ops have `touch`: a change that is not the newest can be taken back, too, as
 * a new change with `of` (tn_oplog_begin to tn_oplog_end), which its document makes of what was
 * done. Whatever was undone can be made again in the same way. */

struct tn_oplog_which { /* which change undo or redo takes */
	bool redo;
	uint64_t id;     /* 0: the newest that can be */
	const char *who; /* NULL: everybody's; else those of one alone */
};
struct tn_oplog_taken {
	uint64_t id;
	const char *label;
	struct tn_str text, forth_text;     /* of both, as the log has them; empty: not known */
	const struct tn_json *back, *forth; /* in the arena; forth NULL: it is not known */
	/* Nothing has happened since then but what was taken back: `back` does, as it stands. */
	bool clean;
};
/* Fails: NOT_FOUND (there is none, with a sentence), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_take(struct tn_oplog *log, const struct tn_oplog_which *which,
					  struct tn_arena *arena, struct tn_oplog_taken *ret,
					  struct tenon_error *err);
/* The same, read by nobody yet: `back` and `forth` are NULL, and the text lasts until something
 * changes. */
TN_MUST_USE enum tenon_code tn_oplog_look(struct tn_oplog *log, const struct tn_oplog_which *which,
					  struct tn_arena *arena, struct tn_oplog_taken *ret,
					  struct tenon_error *err);
/* The changes since that one was made or turned last which are otherwise now than they were then;
 * `meeting`: those alone that touch the same. Calls `each`, oldest first, at most `max` times.
 * Returns how many there are. */
size_t tn_oplog_conflicts(struct tn_oplog *log, uint64_t id, bool meeting, size_t max,
			  void (*each)(const struct tn_change *change, void *data), void *data);
/* Of the list; NULL: it is not in it any more. */
const struct tn_change *tn_oplog_line(const struct tn_oplog *log, uint64_t id);

/* What undo and redo would do; NULL: nothing. */
const char *tn_oplog_undo_label(const struct tn_oplog *log);
const char *tn_oplog_redo_label(const struct tn_oplog *log);

/* Changes after revision `since`, oldest first: calls `each` until it returns false. */
void tn_oplog_list(const struct tn_oplog *log, uint64_t since,
		   bool (*each)(const struct tn_change *change, void *data), void *data);

/* To the disk now (fdatasync). Blocks; with a loop it is done in jobs besides. Fails: SYSTEM; then
 * the next commit writes a new snapshot first. */
TN_MUST_USE enum tenon_code tn_oplog_sync(struct tn_oplog *log, struct tenon_error *err);

#endif
