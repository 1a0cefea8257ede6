/* action.h - what a tool of studio does, apart from the protocol: one function each, used by its
 * tool, by execute_batch and by the command line alike.
 *
 * Arguments were checked against the tool's schema. The result is appended inside an open JSON
 * object; revision and changeId are added by whoever commits. Threads: loop; one that stands aside
 * (below) also a worker. */
#ifndef TN_STUDIO_ACTION_H
#define TN_STUDIO_ACTION_H

#include "apps/studio/cost/cost.h"
#include "apps/studio/document/diagnostic.h"
#include "apps/studio/edit/edit.h"
#include "apps/studio/project/project.h"

struct tn_studio_follow; /* mcp/follow.h */
struct tn_studio_reading;

struct tn_studio_act {
	/* NULL: the action needs none, and none is open. One that stands aside may get a frozen one
	 * (tn_studio_project_freeze): it has no log and nothing private. */
	struct tn_studio_project *project;
	struct tn_studio_registry *registry;   /* where the action needs it */
	struct tn_studio_edit *edit;           /* NULL: it only reads */
	const struct tn_studio_prices *prices; /* likewise */
	struct tn_studio_runs *runs;           /* NULL: none are known */
	const struct tn_json *beside;          /* what `before` has found; NULL: nothing */
	struct tn_studio_follow **follows;     /* where it is noted what was read; NULL: nowhere */
	struct tn_studio_reading *reading;     /* to be noted (mcp/reading.h); NULL: nothing */
	struct tn_arena *arena;                /* the call's */
	struct tn_studio_fault *fault;
	struct tn_buf *text; /* what a reader needs in few lines; empty: made of the result */
	bool lean;           /* a model reads the result: no member at its default, nothing twice */
	bool names_project;  /* the result says elsewhere which project it is */
	bool for_model; /* a model reads the result in whatever form: pages of lists end early */
	bool headline;  /* the text is no more: who is sent no data gets the result behind it */
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
	bool says_all; /* its text, which it always writes: who is sent no data needs no result */
	/* It reads only, and of a large diagram on a worker: it touches nothing but `act`, with no
	 * `runs`. */
	bool stands_aside;
	/* It writes, and takes long: a worker makes it on a fork (project.h), by what is above. */
	bool on_trial;
	bool (*before)(
		struct tn_studio_act *act); /* on the loop, with all of `act`; NULL: nothing */
	tn_studio_action_fn *run;
	/* On the loop, when it has run, but for one on trial; `act` as it ran. NULL: nothing. */
	void (*after)(struct tn_studio_act *act, struct tn_buf *result);
};

#endif
