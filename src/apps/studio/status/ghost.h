/* ghost.h - what was taken from the diagram and still exists (studio-canvas.md SC-024): how it
 * looked and where it stood is remembered with its status, until the run that destroys it. Threads:
 * loop. */
#ifndef TN_STUDIO_GHOST_H
#define TN_STUDIO_GHOST_H

#include "apps/studio/status/status.h"

/* Notes of all that exists how the diagram shows it now; cheap when little has changed. True:
 * something has left the diagram, or has come back: it is to be kept. `status` may be NULL. */
bool tn_studio_ghosts_note(struct tn_studio_status *status,
			   const struct tn_studio_document *document);
/* A JSON array of {instanceId, typeId, label, parentId?, rect, addresses}; `rect` is in the parent.
 */
void tn_studio_ghosts_put(struct tn_buf *out, const struct tn_studio_status *status,
			  const struct tn_studio_document *document);

#endif
