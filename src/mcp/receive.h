/* receive.h - the door every message enters by, whatever carried it (mcp.md section 6.1, MCP-048).
 *
 * `text` is copied; the caller may reuse it on return. Exactly one of answer/end happens to the
 * exchange for every message, now or later. Threads: loop. */
#ifndef TN_MCP_RECEIVE_H
#define TN_MCP_RECEIVE_H

#include "mcp/exchange.h"
#include "mcp/peer.h"

/* One message of a connection (stdio, WebSocket). */
void tn_receive_stream(struct tn_peer *peer, struct tn_exchange *x, struct tn_str text);

/* One POST body. `modern` is the peer that modern requests of this principal are counted under. */
void tn_receive_http(struct tn_peer *modern, struct tn_exchange *x, const struct tn_http_view *view,
		     struct tn_str text);

/* A message that never was one (too long, unreadable): error -32600 without id. */
void tn_receive_refused(struct tenon_server *server, struct tn_exchange *x, int status, int code,
			const char *message);

#endif
