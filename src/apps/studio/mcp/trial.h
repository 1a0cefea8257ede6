/* trial.h - an edit that takes long is made on a fork of the project (project.h), with the loop
 * free meanwhile, and is adopted whole when it is done: until then everybody sees the revision
 * before, and who wants to edit waits (waiting.h). Should the project have changed all the same
 * (files that changed on disk), it is made anew on what there is then.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_TRIAL_H
#define TN_STUDIO_TRIAL_H

#include "apps/studio/mcp/tool_state.h"

struct tn_studio_trial_kind;

/* The first member of what a kind knows of a trial, from tn_mem_alloc; the call frees it. */
struct tn_studio_trial {
	struct tn_studio_door *door;
	struct tn_studio_turn turn; /* of the fork; with an edit */
	/* private */
	const struct tn_studio_trial_kind *kind;
	struct tn_studio_project *fork;
	struct tn_studio_queue *queue; /* held */
	unsigned tries;
};

struct tn_studio_trial_kind {
	/* What is to be looked at before the edit is begun, with an author; NULL: nothing. False:
	 * the turn's fault says what is wrong. */
	bool (*begin)(struct tn_studio_trial *trial, struct tenon_call *call);
	/* Makes the edit, later and elsewhere, and calls tn_studio_trial_end. */
	void (*go)(struct tenon_call *call, struct tn_studio_trial *trial);
	const char *(*label)(const struct tenon_call *call); /* of the change; NULL: its own */
	bool (*is_dry)(const struct tn_studio_trial *trial); /* nothing is kept; NULL: it is */
	/* Ends the call with what it answers. */
	void (*answer)(struct tenon_call *call, struct tn_studio_trial *trial,
		       struct tn_studio_project *project, const struct tn_change *change);
	/* On the project itself, when it has changed too often. */
	void (*at_once)(struct tenon_call *call, struct tn_studio_trial *trial,
			struct tn_studio_project *project);
};

/* `trial` is NULL where there was no memory. */
void tn_studio_trial_start(struct tenon_call *call, struct tn_studio_door *door,
			   struct tn_studio_project *project, struct tn_studio_trial *trial,
			   const struct tn_studio_trial_kind *kind);
/* It is made; not `good`: the turn's fault says why it is not. Ends the call, or begins once more.
 */
void tn_studio_trial_end(struct tenon_call *call, struct tn_studio_trial *trial, bool good);

/* ---- trial_action.c: an action, by a worker ---- */

void tn_studio_act_on_trial(struct tenon_call *call, struct tn_studio_door *door,
			    struct tn_studio_project *project,
			    const struct tn_studio_action *action);

#endif
