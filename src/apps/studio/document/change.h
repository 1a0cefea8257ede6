/* change.h - changes of the log as readers get them (studio.md 12.6).
 *
 * What an edit keeps with its change is `note`: {"tool":"add_resource","instanceIds":["..."]}.
 * Threads: loop. */
#ifndef TN_STUDIO_CHANGE_H
#define TN_STUDIO_CHANGE_H

#include "base/buf.h"
#include "store/oplog.h"

/* `revision` and `changeId` of a change, as members; without an id (nothing has changed, or a dry
 * run) only `revision`. */
void tn_studio_put_change(struct tn_buf *out, const struct tn_change *change);
void tn_studio_put_change_id(struct tn_buf *out, const char *key, uint64_t id);

/* One of list_changes. */
void tn_studio_put_listed_change(struct tn_buf *out, const struct tn_change *change);
/* `canUndo`, `canRedo`. */
void tn_studio_put_can_undo(struct tn_buf *out, const struct tn_oplog *log);

#endif
