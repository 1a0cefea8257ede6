/* waiting.h - who edits a project next (SC-028): while an edit is made on trial (trial.h), others
 * that want to edit the same project wait for it, in the order in which they came. Whoever only
 * reads does not wait: they see the revision before.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_WAITING_H
#define TN_STUDIO_WAITING_H

#include "apps/studio/mcp/tool_state.h"

/* True: the call waits, and `again` is called with `data` when it is its turn. */
bool tn_studio_waits(struct tenon_call *call, struct tn_studio_door *door, const char *path,
		     tenon_call_fn *again, void *data);

/* Others wait from here on, until it is given back. NULL: no memory. */
struct tn_studio_queue *tn_studio_queue_hold(struct tn_studio_door *door, const char *path);
void tn_studio_queue_release(struct tn_studio_queue *queue); /* accepts NULL */

#endif
