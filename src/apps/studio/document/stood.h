/* stood.h - where nodes stood that are gone: for who looks at the history (studio-canvas.md,
 * SC-141). Threads: loop. */
#ifndef TN_STUDIO_STOOD_H
#define TN_STUDIO_STOOD_H

#include "apps/studio/document/document.h"

/* Appends an array: of each node that this change of the log has touched and that is in the
 * document no more {"instanceId":"...","label":"...","rect":{"x","y","width","height"}} (pixels, of
 * the canvas), as the change left it, or as it was before where the change removed it. Of
 * what stood in something whose place is not known any more, of a change that is too old to be
 * taken back, and of more than some hundred nodes nothing is said. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_put_stood(struct tn_buf *out,
						const struct tn_studio_document *document,
						struct tn_oplog *log, uint64_t change,
						struct tenon_error *err);

#endif
