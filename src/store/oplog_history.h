/* oplog_history.h - what an operation log remembers of its changes: what would take back each of
 * the last ones (the undo and redo side), and a list of who did what when. Private to the log.
 *
 * A change is prepared first, which may fail, and recorded afterwards, which may not. */
#ifndef TN_STORE_OPLOG_HISTORY_H
#define TN_STORE_OPLOG_HISTORY_H

#include "store/limits.h"
#include "store/oplog.h"

/* A change that can be undone, or redone once it is undone. */
struct tn_oplog_step {
	uint64_t of;              /* the change's id */
	uint64_t toggled;         /* the revision at which it was done, undone or redone last */
	bool undone;              /* now */
	struct tn_str operations; /* a JSON array: to undo it; of what is undone, to do it again */
	struct tn_str forth; /* what those take back, as it was applied then; empty: not known */
	struct tn_str keys;  /* what it touches (oplog.h), uint64_t each; empty: not asked yet */
	char who[TN_OPLOG_WHO_MAX + 1];        /* whose change it is */
	char toggled_by[TN_OPLOG_WHO_MAX + 1]; /* who undid or redid it */
	char label[TN_OPLOG_TEXT_MAX + 1];
};

/* A line of the list. */
struct tn_oplog_past {
	struct tn_change change; /* its texts are the three below */
	char actor[TN_OPLOG_TEXT_MAX + 1];
	char label[TN_OPLOG_TEXT_MAX + 1];
	char who[TN_OPLOG_WHO_MAX + 1];
	char note[]; /* empty: none */
};

struct tn_oplog_history {
	struct tn_oplog_step **steps; /* oldest first, those that are undone among them */
	size_t step_count, step_capacity, step_max;
	size_t step_bytes;
	struct tn_oplog_past **past; /* oldest first */
	size_t past_count, past_capacity;
};

/* What recording needs; empty before and after. */
struct tn_oplog_pending {
	struct tn_oplog_step *step;
	struct tn_oplog_past *past;
};

void tn_oplog_history_init(struct tn_oplog_history *history, size_t step_max);
void tn_oplog_history_finish(struct tn_oplog_history *history);

/* The newest line, if it was done and its step is the one that undo would take; NULL: it is not. */
const struct tn_oplog_past *tn_oplog_history_newest(const struct tn_oplog_history *history);

/* Makes room for one more step and one more line. A change whose id is that of the newest line
 * becomes part of it (oplog.h, gesture). Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_history_prepare(struct tn_oplog_history *history,
						     const struct tn_change *change,
						     struct tn_str operations, struct tn_str forth,
						     struct tn_oplog_pending *pending,
						     struct tenon_error *err);
void tn_oplog_history_drop(struct tn_oplog_pending *pending);
/* Takes what was prepared: DONE adds a step, UNDO and REDO turn the one that they are of. Returns
 * the line, as it is kept. */
const struct tn_change *tn_oplog_history_record(struct tn_oplog_history *history,
						struct tn_oplog_pending *pending);

/* The step that undo or redo would take, of everybody's (`who` NULL) or one's own; NULL: none. Undo
 * takes the newest that is done. Redo takes what was undone last, unless something was done since
 * (by `who`). */
struct tn_oplog_step *tn_oplog_history_undoable(const struct tn_oplog_history *history,
						const char *who);
struct tn_oplog_step *tn_oplog_history_redoable(const struct tn_oplog_history *history,
						const char *who);
/* Of a change; NULL: it is not remembered. */
struct tn_oplog_step *tn_oplog_history_find(const struct tn_oplog_history *history, uint64_t id);
const struct tn_change *tn_oplog_history_line(const struct tn_oplog_history *history, uint64_t id);
/* How often that change was done, undone or redone after a revision; where the list does not reach
 * so far back it is once. */
unsigned tn_oplog_history_turns(const struct tn_oplog_history *history, uint64_t id,
				uint64_t revision);
/* Takes the memory. */
void tn_oplog_history_keep_keys(struct tn_oplog_history *history, struct tn_oplog_step *step,
				struct tn_str keys);

/* ---- what is read (oplog_history_file.c) ---- */

size_t tn_oplog_history_done(const struct tn_oplog_history *history); /* steps not undone */
/* NULL and false: no memory. */
struct tn_oplog_step *tn_oplog_history_add_step(struct tn_oplog_history *history, uint64_t of,
						const char *label, struct tn_str operations,
						struct tn_str forth);
void tn_oplog_step_belongs_to(struct tn_oplog_step *step, const char *who, const char *toggled_by);
bool tn_oplog_history_add_line(struct tn_oplog_history *history, const struct tn_change *change);
void tn_oplog_history_trim(struct tn_oplog_history *history); /* to what it may remember */

/* "applied":N (what an older program reads),"steps":[...],"past":[...], and the same back. Fails:
 * INVALID, NO_MEMORY. */
void tn_oplog_history_put(struct tn_buf *out, const struct tn_oplog_history *history);
TN_MUST_USE enum tenon_code tn_oplog_history_read(struct tn_oplog_history *history,
						  const struct tn_json *snapshot,
						  struct tenon_error *err);

/* The members of a change, in a snapshot and in a line of the journal alike, without "operations":
 * "revision":1,"id":1 (where it is another
 * number),"time":2,"kind":"done","of":0,"actor":"a","label":"b"; "note":"{}" where there is one,
 * which is a text to the log. */
void tn_oplog_put_change(struct tn_buf *out, const struct tn_change *change);
/* The texts stay in the tree. False: a member is missing or wrong. */
bool tn_oplog_read_change(const struct tn_json *object, struct tn_change *ret);

#endif
