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

/* A text that was found. */
struct tn_long_text_found {
	struct tn_str text;
	struct tn_str uri; /* of all of it */
	size_t from;       /* where to read on: 0, or what follows the URI */
	bool json;
};

/* Keeps a copy; `json`: it is a JSON object, and no plain text. Fails: LIMIT (larger than all that
 * is kept), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_long_text_keep(struct tenon_call *call, struct tn_str text,
					      bool json, char ret_uri[TN_LONG_TEXT_URI_SIZE],
					      struct tenon_error *err);
/* `uri`: as it was made, or with /BYTES behind it, from where on. False: no such text, or not this
 * caller's. */
bool tn_long_text_find(const struct tenon_call *call, struct tn_str uri,
		       struct tn_long_text_found *ret);
void tn_long_text_free_all(struct tenon_server *server);

#endif
