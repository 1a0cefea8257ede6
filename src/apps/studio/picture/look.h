/* look.h - how types, statuses and plans look, as data: what a page needs to draw as pictures do
 * (SC-015).
 *
 * Threads: any. */
#ifndef TN_STUDIO_LOOK_H
#define TN_STUDIO_LOOK_H

#include "apps/studio/registry/registry.h"

/* Members of an open object: sign (path data in a square of 24, to be stroked), family (a number of
 * tn_studio_look_put), minSize, and transparent where what stands in it counts as standing around
 * it. */
void tn_studio_type_put_look(struct tn_buf *out, const struct tn_studio_type *type);

/* An object: the colours of both themes, and the names of what they are for. */
void tn_studio_look_put(struct tn_buf *out);

#endif
