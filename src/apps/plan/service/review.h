/* review.h - what people and assistants think of a plan's changes: one mark for each change that
 * somebody has looked at. A document of the operation log (store/oplog.h).
 *
 * An operation is a mark as JSON, {"address":"...","verdict":"ok","note":"...","by":"...","at":1},
 * note absent when there is none; verdict "none" takes the mark off. Its inverse is the mark as it
 * was before. Ownership: the caller's. Threads: loop. */
#ifndef TN_PLAN_REVIEW_H
#define TN_PLAN_REVIEW_H

#include "store/oplog.h"

enum tn_plan_mark_kind {
	TN_PLAN_MARK_NONE,
	TN_PLAN_MARK_OK,
	TN_PLAN_MARK_QUESTION,
	TN_PLAN_MARK_STOP,
	TN_PLAN_MARK_COUNT
};
const char *tn_plan_mark_kind_name(enum tn_plan_mark_kind verdict); /* "none", "ok", ... */
bool tn_plan_mark_kind_from_name(struct tn_str name, enum tn_plan_mark_kind *ret);

struct tn_plan_mark {
	enum tn_plan_mark_kind verdict; /* never NONE when it is kept */
	struct tn_str address;
	struct tn_str note; /* empty: none */
	struct tn_str by;   /* who set it, for display */
	int64_t at_ms;      /* wall clock */
};

/* All zero is empty. */
struct tn_plan_review {
	struct tn_plan_mark **marks; /* by address */
	size_t count, capacity;
	size_t bytes; /* of their texts */
};
void tn_plan_review_finish(struct tn_plan_review *review);

/* Its `apply` fails: INVALID (no such operation), LIMIT (TN_PLAN_REVIEW_BYTES_MAX), NO_MEMORY. */
extern const struct tn_document_ops tn_plan_review_ops;

/* The operation that sets this mark. */
void tn_plan_mark_put(struct tn_buf *out, const struct tn_plan_mark *mark);

/* Writes, inside an object: "revision":1,"saved":true,"marks":[{address,verdict,note,by,at}],
 * "counts":{"ok":1,"question":0,"stop":0,"open":9},"undo":null,"redo":null. `log` NULL: a review
 * that nobody has begun. `changes`: how many can be marked. */
void tn_plan_review_put(struct tn_buf *out, const struct tn_plan_review *review,
			const struct tn_oplog *log, bool saved, size_t changes);

#endif
