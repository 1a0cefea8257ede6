/* action.h - what a tool of studio does, apart from the protocol: one function each, used by its
 * tool, by execute_batch and by the command line alike.
 *
 * Arguments were checked against the tool's schema. The result is appended inside an open JSON
 * object; revision and changeId are added by whoever commits. Threads: loop. */
#ifndef TN_STUDIO_ACTION_H
#define TN_STUDIO_ACTION_H

#include "apps/studio/cost/cost.h"
#include "apps/studio/document/diagnostic.h"
#include "apps/studio/edit/edit.h"
#include "apps/studio/project/project.h"

struct tn_studio_act {
	struct tn_studio_project *project;     /* NULL: the action needs none, and none is open */
	struct tn_studio_registry *registry;   /* where the action needs it */
	struct tn_studio_edit *edit;           /* NULL: it only reads */
	const struct tn_studio_prices *prices; /* likewise */
	struct tn_studio_runs *runs;           /* NULL: none are known */
	struct tn_arena *arena;                /* the call's */
	struct tn_studio_fault *fault;
	struct tn_buf *text; /* what a reader needs in few lines; empty: made of the result */
	bool headline; /* the text is no more: who is sent no data gets the result behind it */
};
typedef bool tn_studio_action_fn(struct tn_studio_act *act, const struct tn_json *arguments,
				 struct tn_buf *result);

/* Beside its tool_NAME.json, which says "action"; mcp/tools.h declares them. */
struct tn_studio_action {
	const char *changes; /* what a change of it is for the feed (project.h); NULL: "diagram" */
	bool writes;
	bool without_project; /* it works when no project is open */
	bool alone;           /* it cannot stand in a batch */
	bool needs_registry, needs_prices;
	tn_studio_action_fn *run;
};

#endif
