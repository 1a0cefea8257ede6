/* caller_folder.h - where somebody stands who calls through our own front (hosts.md HO-012): from
 * there the paths are meant that they write.
 *
 * Threads: loop. What is looked up blocks for a moment. */
#ifndef TN_MCP_CALLER_FOLDER_H
#define TN_MCP_CALLER_FOLDER_H

#include <limits.h>

#include "mcp/peer.h"
#include "store/beneath.h"
#include "tenon/result.h"

/* Where a peer stands: `room`, or its own; NULL: it is not known, or is of another machine. */
const char *tn_peer_folder(const struct tn_peer *peer, char room[PATH_MAX]);
/* The same of a call's, in the call's arena. */
const char *tn_call_folder(struct tenon_call *call);
/* tn_place_from with that folder; what is new lies in the call's arena. `path` may be NULL, then so
 * is the result; it is NULL, too, when memory is out. */
const char *tn_call_path(struct tenon_call *call, const struct tn_roots *roots, const char *path);

#endif
