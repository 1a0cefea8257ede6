/* diagnostic.h - errors and warnings in plan text (plan.md section 4.10), framed or plain.
 *
 * Snippet and detail lines are never anything else, whatever they look like. Threads: one at a
 * time. */
#ifndef TN_PLAN_DIAGNOSTIC_H
#define TN_PLAN_DIAGNOSTIC_H

#include "apps/plan/read/build.h"
#include "apps/plan/read/row.h"
#include "base/buf.h"

enum tn_plan_diagnostic_state {
	TN_PLAN_DIAGNOSTIC_NONE,
	TN_PLAN_DIAGNOSTIC_FRAMED, /* ends with the frame */
	TN_PLAN_DIAGNOSTIC_PLAIN   /* ends where the caller sees something else begin */
};

struct tn_plan_diagnostic_reader {
	struct tn_plan_build *build;
	enum tn_plan_diagnostic_state state;
	bool in_apply; /* what is read now belongs to an apply */
	bool filled;   /* `current` has its summary */
	bool located;  /* its "on FILE line N" was read: a snippet may follow */
	struct tn_plan_diagnostic current;
	struct tn_buf detail;
};

void tn_plan_diagnostic_init(struct tn_plan_diagnostic_reader *reader, struct tn_plan_build *build);
void tn_plan_diagnostic_finish(struct tn_plan_diagnostic_reader *reader);

/* True when the line begins a diagnostic or a frame; it is then taken. */
bool tn_plan_diagnostic_begin(struct tn_plan_diagnostic_reader *reader,
			      const struct tn_plan_row *row);

/* A further line while state is not NONE. False: a framed one is over and the line is not part. */
bool tn_plan_diagnostic_line(struct tn_plan_diagnostic_reader *reader,
			     const struct tn_plan_row *row);

/* Adds what was read to the plan. */
void tn_plan_diagnostic_end(struct tn_plan_diagnostic_reader *reader);

#endif
