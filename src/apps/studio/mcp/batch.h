/* batch.h - execute_batch: many operations, all or none, one change. A short one is run at once, a
 * long one in slices on trial (trial.h).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_BATCH_H
#define TN_STUDIO_BATCH_H

#include "apps/studio/mcp/tool_state.h"

struct tn_studio_batch {
	struct tn_studio_turn *turn; /* with an edit */
	const struct tn_json *operations, *next;
	const struct tn_json **results; /* by place, in the arena */
	size_t count;                   /* done so far */
	bool dry_run;
};

/* ---- tool_batch.c ---- */

/* Of a turn with an author. Fails: BATCH_FAILED, where an operation expects nodes otherwise. */
bool tn_studio_batch_begin(struct tn_studio_batch *batch, struct tn_studio_turn *turn,
			   struct tenon_call *call);
/* The next operation; false: the turn's fault says which one it was and why. */
bool tn_studio_batch_step(struct tn_studio_batch *batch);
/* The answer, into the turn. */
void tn_studio_batch_put(struct tn_studio_batch *batch, const struct tn_change *change);
/* All of it, from the first operation to the answer. */
void tn_studio_batch_at_once(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project);

/* ---- batch_slices.c ---- */

void tn_studio_batch_in_slices(struct tenon_call *call, struct tn_studio_door *door,
			       struct tn_studio_project *project);

#endif
