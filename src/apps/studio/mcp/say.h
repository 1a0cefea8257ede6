/* say.h - in few words what data has that a reader of the text alone would miss (hosts.md HO-001).
 *
 * Threads: any. */
#ifndef TN_STUDIO_SAY_H
#define TN_STUDIO_SAY_H

#include "base/buf.h"
#include "jsonrpc/json.h"

/* Of a run (studio.md 9.5), behind its text: when, by whom, with what, its files, outputs and
 * warnings. */
void tn_studio_say_run(struct tn_buf *out, const struct tn_json *run);
/* Of a plan (ST-091), behind its explanation: the run and the costs, then a line for each change.
 */
void tn_studio_say_plan(struct tn_buf *out, const struct tn_json *plan);
/* What the details of a fault say that `message` does not: "changeId change-8, by (changeId
 * change-3)"; nothing, if that is nothing. `details` is JSON. */
void tn_studio_say_details(struct tn_buf *out, struct tn_str details, struct tn_str message);

#endif
