/* batch.h - execute_batch: many operations, all or none, one change. A short one is run at once, a
 * long one on trial (trial.h).
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
/* The action of an operation, with the schema of its arguments compiled; NULL: it is none. */
const struct tn_studio_action *tn_studio_batch_action(struct tn_studio_batch *batch,
						      const struct tn_json *operation);
/* The next operation; false: the turn's fault says which one it was and why. */
bool tn_studio_batch_step(struct tn_studio_batch *batch);
/* The answer, into the turn: what they said, any thread; then the change that it has become. */
void tn_studio_batch_put_results(struct tn_studio_batch *batch);
void tn_studio_batch_put_change(struct tn_studio_batch *batch, const struct tn_change *change);
/* All of it, from the first operation to the answer. */
void tn_studio_batch_at_once(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project);

/* ---- batch_trial.c ---- */

void tn_studio_batch_on_trial(struct tenon_call *call, struct tn_studio_door *door,
			      struct tn_studio_project *project);

#endif
