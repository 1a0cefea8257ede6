/* action.h - what a tool of studio does, apart from the protocol: one function each, used by its
 * tool, by execute_batch and by the command line alike.
 *
 * Arguments were checked against the tool's schema. The result is appended inside an open JSON
 * object; revision and changeId are added by whoever commits. Threads: loop. */
#ifndef TN_STUDIO_ACTION_H
#define TN_STUDIO_ACTION_H

#include "apps/studio/cost.h"
#include "apps/studio/diagnostic.h"
#include "apps/studio/edit.h"
#include "apps/studio/project.h"

struct tn_studio_act {
	struct tn_studio_project *project;
	struct tn_studio_edit *edit; /* NULL: it only reads */
	const struct tn_studio_prices *prices;
	struct tn_arena *arena; /* the call's */
	struct tn_studio_fault *fault;
	struct tn_buf *text; /* what a reader needs in few lines; empty: made of the result */
};
typedef bool tn_studio_action_fn(struct tn_studio_act *act, const struct tn_json *arguments,
				 struct tn_buf *result);

struct tn_studio_action {
	const char *name; /* the tool's */
	bool writes;
	bool in_batch; /* 12.6 */
	tn_studio_action_fn *run;
};

#endif
