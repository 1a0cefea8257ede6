/* manifest.h - mcp.json: what AI hosts can be pointed to (ST-016, FR-34, FR-35).
 *
 * One entry for all apps and one for each, which start `tenon mcp`. It has no token: the relay
 * finds the daemon itself. Threads: main, or loop (a small file is written). */
#ifndef TN_HOST_MANIFEST_H
#define TN_HOST_MANIFEST_H

#include "base/buf.h"
#include "base/error.h"

/* The manifest's text; `command` is the absolute path of `tenon`. */
void tn_manifest_put(const char *command, struct tn_buf *out);

/* Writes FOLDER/mcp.json (0644; the folder 0700) when it is missing or says something else.
 * `command` NULL: the program beside the running one. Fails: DENIED, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_manifest_write(const char *folder, const char *command,
					      struct tenon_error *err);

#endif
