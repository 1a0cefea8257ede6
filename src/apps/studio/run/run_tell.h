/* run_tell.h - what a plan does, for the person who is asked about it (ST-081): counts, then every
 * address with its action and the reason, the gravest first.
 *
 * No values are told: they may be secrets. Threads: any. */
#ifndef TN_STUDIO_RUN_TELL_H
#define TN_STUDIO_RUN_TELL_H

#include "base/buf.h"
#include "base/error.h"

struct tn_studio_told {
	char counts[160];    /* "1 to add, 0 to change, 2 to destroy" */
	struct tn_buf lines; /* at most TN_STUDIO_TOLD_BYTES_MAX; what has no room is counted */
	/* The same for programs: add and remove count what is replaced, too. */
	struct tn_studio_told_counts {
		size_t add, change, remove, replace, import, move, forget, unknown, all;
	} numbers;
	struct tn_buf changes; /* a JSON array of {address, action}: the first TN_STUDIO_TOLD_MAX */
};

void tn_studio_told_init(struct tn_studio_told *told);
void tn_studio_told_finish(struct tn_studio_told *told);
/* `plan`: what the plan engine makes of it (resource_changes, outputs). */
TN_MUST_USE enum tenon_code tn_studio_tell(struct tn_str plan, struct tn_studio_told *told,
					   struct tenon_error *err);

/* The plan engine, which is another app's: appends what it makes of the text of `show -json`.
 * Fails: INVALID (it is no plan), LIMIT, NO_MEMORY. Threads: any. */
typedef enum tenon_code tn_studio_read_plan_fn(struct tn_str shown, struct tn_buf *ret_json,
					       struct tenon_error *err);
tn_studio_read_plan_fn tn_studio_read_plan; /* the door's: tool_read_plan.c */

#endif
