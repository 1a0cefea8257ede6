/* limits.h - what bounds listening: HTTP, WebSocket, stdio and sockets. */
#ifndef TN_SERVE_LIMITS_H
#define TN_SERVE_LIMITS_H

#include "base/size.h"

/* Requests, sessions, streams. */
#define TN_SESSION_IDLE_MS (30 * 60 * 1000)
#define TN_REPLAY_EVENTS_MAX 256 /* MCP-150, per stream */
#define TN_REPLAY_BYTES_MAX (1 * TN_MIB)
#define TN_REPLAY_TOTAL_MAX (64 * TN_MIB)
#define TN_REPLAY_AFTER_END_MS (5 * 60 * 1000)

/* HTTP. */
#define TN_TOKEN_CLOSE_MS 500     /* T8: for the close frame of who had an old token */
#define TN_HTTP_SSE_AFTER_MS 1000 /* MCP-112: no result by then, so the answer streams */
#define TN_WS_PING_MS 20000       /* MCP-162: of silence before a ping */
#define TN_STREAM_MESSAGE_BYTES_MAX (256 * TN_KIB) /* what an app's own stream takes: typing */
#define TN_RETIRE_MS 1000 /* an HTTP listener that has moved answers so long at its old port */

#endif
