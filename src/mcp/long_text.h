/* long_text.h - texts that were too long for a tool result, kept for a while to be read whole
 * (MCP-231).
 *
 * A text is named by a URI with 128 random bits and belongs to the principal whose call made it.
 * Bounds: TN_LONG_TEXTS_MAX, TN_LONG_TEXT_BYTES_MAX, TN_LONG_TEXT_MS; the oldest goes first.
 * Ownership: the server's. Threads: loop. */
#ifndef TN_MCP_LONG_TEXT_H
#define TN_MCP_LONG_TEXT_H

#include "mcp/call.h"

#define TN_LONG_TEXT_PREFIX "tenon:text/"
#define TN_LONG_TEXT_URI_SIZE 48

/* Keeps a copy. Fails: LIMIT (larger than all that is kept), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_long_text_keep(struct tenon_call *call, struct tn_str text,
					      char ret_uri[TN_LONG_TEXT_URI_SIZE],
					      struct tenon_error *err);
/* False: no such text, or not this caller's. */
bool tn_long_text_find(const struct tenon_call *call, struct tn_str uri, struct tn_str *ret);
void tn_long_text_free_all(struct tenon_server *server);

#endif
