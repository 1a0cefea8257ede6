/* aside.h - what takes long is done aside, by a worker, on the project as it was when the call came
 * (SC-028): the loop, and so every other client, goes on meanwhile.
 *
 * Small diagrams are done with before a worker could begin: their calls are answered at once.
 * Threads: loop, but for tn_studio_aside_fn. */
#ifndef TN_STUDIO_ASIDE_H
#define TN_STUDIO_ASIDE_H

#include "apps/studio/mcp/tool_state.h"

struct tn_studio_aside {
	struct tn_studio_turn turn; /* of a frozen project (project.h) */
	struct tn_studio_project *frozen;
	struct tn_studio_prices *prices; /* held; NULL: not needed */
	const struct tenon_call *call;   /* for tenon_call_cancelled */
	bool good;                       /* otherwise the turn has the fault */
	void *data;                      /* the caller's own; NULL: none */
	void (*free_data)(void *data);
	/* private */
	bool (*work)(struct tn_studio_aside *aside);
	void (*then)(struct tenon_call *call, struct tn_studio_aside *aside);
};

/* Many nodes or edges: what looks at all of them takes long. */
bool tn_studio_is_large(const struct tn_studio_project *project);

/* The project as it is now, and a turn for it; it is the call's data and goes with it. NULL: the
 * call has ended, out of memory. */
struct tn_studio_aside *tn_studio_aside_begin(struct tenon_call *call, struct tn_studio_door *door,
					      struct tn_studio_project *project);
/* `work` runs on a worker and touches nothing but the aside; then `then` ends the call, on the
 * loop. A call that was cancelled meanwhile has ended before. */
void tn_studio_aside_start(struct tenon_call *call, struct tn_studio_aside *aside,
			   bool (*work)(struct tn_studio_aside *aside),
			   void (*then)(struct tenon_call *call, struct tn_studio_aside *aside));

/* ---- actions ---- */

/* Ends a call with what the turn has, or with its fault. */
typedef void tn_studio_answer_fn(struct tenon_call *call, struct tn_studio_turn *turn, bool good);

bool tn_studio_goes_aside(const struct tn_studio_action *action,
			  const struct tn_studio_project *project);
/* `arguments_json` NULL: the call's own. */
void tn_studio_act_aside(struct tenon_call *call, struct tn_studio_door *door,
			 struct tn_studio_project *project, const struct tn_studio_action *action,
			 const char *arguments_json, tn_studio_answer_fn *answer);

#endif
