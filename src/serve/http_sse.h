/* http_sse.h - the transport of 2024-11-05: a GET stream for everything the server says, and a POST
 * for each message of the client (mcp.md section 12).
 *
 * A stream is a conversation; closing it ends the session (MCP-159). Threads: loop. */
#ifndef TN_HOST_HTTP_SSE_H
#define TN_HOST_HTTP_SSE_H

#include "base/map.h"
#include "transport/http.h"

struct tn_http_host;
struct tn_sse_client;

struct tn_sse_clients {
	struct tn_map by_id;
	struct tn_sse_client *first;
};

/* `apps` is always 0: its messages have one path. */
void tn_sse_get(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps);
void tn_sse_post(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps);

/* At the end of a turn: ends streams that are through, or cannot take what was to be sent. */
void tn_sse_turn(struct tn_http_host *host);
void tn_sse_close(struct tn_http_host *host); /* all of them */

#endif
