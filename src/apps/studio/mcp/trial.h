/* trial.h - an edit that takes long is made by a worker, on a fork of the project (project.h), and
 * is adopted whole when it is done: until then everybody sees the revision before, and who wants to
 * edit waits (waiting.h). Should the project have changed all the same (files that changed on
 * disk), it is made anew on what there is then.
 *
 * Threads: loop, but for tn_studio_trial_kind.work. */
#ifndef TN_STUDIO_TRIAL_H
#define TN_STUDIO_TRIAL_H

#include "apps/studio/mcp/tool_state.h"

struct tn_studio_trial_kind;

/* The first member of what a kind knows of a trial, from tn_mem_alloc; the call frees it. */
struct tn_studio_trial {
	struct tn_studio_door *door;
	struct tn_studio_turn turn; /* of the fork; with an edit */
	const char *label;          /* of the change, as long as the call; NULL: its own */
	bool is_dry; /* nothing is kept: it says what would be of what there was when it began */
	/* private */
	const struct tn_studio_trial_kind *kind;
	struct tn_studio_project *fork;
	struct tn_studio_project *others; /* frozen */
	struct tn_studio_prices *prices;  /* held; NULL: not needed */
	struct tn_studio_queue *queue;    /* held */
	unsigned tries;
	bool good;
};

struct tn_studio_trial_kind {
	/* On the loop, before the edit is begun: what the work will need of the door, and whether
	 * the call may have it. False: the turn's fault says what is wrong. */
	bool (*begin)(struct tn_studio_trial *trial, struct tenon_call *call);
	/* By a worker; touches nothing but the trial. False: the turn's fault says why. */
	bool (*work)(struct tn_studio_trial *trial, const struct tenon_call *call);
	/* Ends the call with what it answers. `project` NULL: nothing is kept. */
	void (*answer)(struct tenon_call *call, struct tn_studio_trial *trial,
		       struct tn_studio_project *project, const struct tn_change *change);
	/* On the project itself, when it has changed too often. */
	void (*at_once)(struct tenon_call *call, struct tn_studio_trial *trial,
			struct tn_studio_project *project);
};

/* `trial` is NULL where there was no memory. `project` NULL: of one that is not made yet (a draft,
 * project.h); dry. */
void tn_studio_trial_start(struct tenon_call *call, struct tn_studio_door *door,
			   struct tn_studio_project *project, struct tn_studio_trial *trial,
			   const struct tn_studio_trial_kind *kind);

/* For `begin`: what an action with these arguments takes from the door, and from other projects, as
 * they are now. */
bool tn_studio_trial_needs(struct tn_studio_trial *trial, const struct tn_studio_action *action,
			   const struct tn_json *arguments);

/* ---- trial_action.c: an action ---- */

void tn_studio_act_on_trial(struct tenon_call *call, struct tn_studio_door *door,
			    struct tn_studio_project *project,
			    const struct tn_studio_action *action);

#endif
