/* sse.h - one event of an event stream as bytes (mcp.md section 10). Threads: one at a time. */
#ifndef TN_TRANSPORT_SSE_H
#define TN_TRANSPORT_SSE_H

#include "transport/http.h"

/* What stands before the event's data, and what ends the event. Between them the data goes out from
 * where it lies. A line end inside id or name becomes a blank. */
void tn_sse_put_prefix(struct tn_buf *out, const struct tn_http_event *event);
#define TN_SSE_SUFFIX TN_STR("\n\n")

/* A comment, which clients ignore and proxies take for life (MCP-098). */
#define TN_SSE_PING TN_STR(": ping\n\n")

#endif
