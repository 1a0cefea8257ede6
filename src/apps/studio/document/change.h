/* change.h - changes of the log as readers get them (studio.md 12.6).
 *
 * What an edit keeps with its change is `note`:
 * {"tool":"add_resource","instanceIds":["..."]}, and "count" when there were more. Threads: loop.
 */
#ifndef TN_STUDIO_CHANGE_H
#define TN_STUDIO_CHANGE_H

#include "base/buf.h"
#include "store/oplog.h"

/* `revision` and `changeId` of a change, as members; without an id (nothing has changed, or a dry
 * run) only `revision`. */
void tn_studio_put_change(struct tn_buf *out, const struct tn_change *change);
void tn_studio_put_change_id(struct tn_buf *out, const char *key, uint64_t id);
bool tn_studio_read_change_id(const char *text, uint64_t *ret); /* false: it is none */

/* Who made a change: ids of persons begin with this; no client can choose one that does. */
#define TN_STUDIO_PERSON "p/"

/* Colours by order of appearance: of `known` the place of an id, which is added when it is new. */
typedef unsigned tn_studio_colour_fn(void *known, const char *actor_id);

/* One of list_changes. */
void tn_studio_put_listed_change(struct tn_buf *out, const struct tn_change *change,
				 tn_studio_colour_fn *colour, void *known);
/* `canUndo`, `canRedo`. */
void tn_studio_put_can_undo(struct tn_buf *out, const struct tn_oplog *log);

#endif
