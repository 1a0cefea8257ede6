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
	struct tn_str operations; /* a JSON array: to undo it; on the redo side: to do it again */
	char label[TN_OPLOG_TEXT_MAX + 1];
};

/* A line of the list. */
struct tn_oplog_past {
	struct tn_change change; /* its texts are the three below */
	char actor[TN_OPLOG_TEXT_MAX + 1];
	char label[TN_OPLOG_TEXT_MAX + 1];
	char note[]; /* empty: none */
};

struct tn_oplog_history {
	struct tn_oplog_step **steps; /* oldest first: `applied` of them done, the others undone */
	size_t step_count, applied, step_capacity, step_max;
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

/* Makes room for one more step and one more line. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_history_prepare(struct tn_oplog_history *history,
						     const struct tn_change *change,
						     struct tn_str operations,
						     struct tn_oplog_pending *pending,
						     struct tenon_error *err);
void tn_oplog_history_drop(struct tn_oplog_pending *pending);
/* Takes what was prepared: DONE adds a step and clears the redo side, UNDO and REDO move one from
 * side to side if it is the change's own. Returns the line, as it is kept. */
const struct tn_change *tn_oplog_history_record(struct tn_oplog_history *history,
						struct tn_oplog_pending *pending);

/* The step that undo or redo would take; NULL: none. */
const struct tn_oplog_step *tn_oplog_history_undoable(const struct tn_oplog_history *history);
const struct tn_oplog_step *tn_oplog_history_redoable(const struct tn_oplog_history *history);

/* "applied":N,"steps":[...],"past":[...], and the same back. Fails: INVALID, NO_MEMORY. */
void tn_oplog_history_put(struct tn_buf *out, const struct tn_oplog_history *history);
TN_MUST_USE enum tenon_code tn_oplog_history_read(struct tn_oplog_history *history,
						  const struct tn_json *snapshot,
						  struct tenon_error *err);

/* The members of a change, in a snapshot and in a line of the journal alike, without "operations":
 * "revision":1,"time":2,"kind":"done","of":0,"actor":"a","label":"b"; "note":"{}" where there is
 * one, which is a text to the log. */
void tn_oplog_put_change(struct tn_buf *out, const struct tn_change *change);
/* The texts stay in the tree. False: a member is missing or wrong. */
bool tn_oplog_read_change(const struct tn_json *object, struct tn_change *ret);

#endif
