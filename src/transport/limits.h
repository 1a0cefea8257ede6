/* limits.h - what bounds HTTP, WebSocket and stdio, as bytes. */
#ifndef TN_TRANSPORT_LIMITS_H
#define TN_TRANSPORT_LIMITS_H

#include "base/size.h"

/* Requests, sessions, streams. */
#define TN_OUTPUT_QUEUE_MAX (8 * TN_MIB) /* per peer; beyond it we stop reading, then close */
#define TN_OUTPUT_STALL_MS 30000         /* how long a full queue may stay full */
#define TN_STDIO_READ_BYTES (64 * TN_KIB)

/* HTTP. */
#define TN_HTTP_LINE_MAX (8 * TN_KIB)
#define TN_HTTP_HEADER_MAX (16 * TN_KIB)
#define TN_HTTP_SECTION_MAX (32 * TN_KIB)
#define TN_HTTP_HEADERS_MAX 100
#define TN_HTTP_HEADERS_TIMEOUT_MS 10000
#define TN_HTTP_BODY_TIMEOUT_MS 30000
#define TN_HTTP_BODY_RATE_MIN 1024 /* bytes a second, averaged: slower is slow-loris */
#define TN_HTTP_IDLE_MS 75000
#define TN_HTTP_CONNECTIONS_MAX 1024
#define TN_HTTP_CONNECTIONS_PER_PEER_MAX 64 /* loopback is exempt */
#define TN_AUTH_FAILURES_MAX 20             /* workbench.md T10: of one address ... */
#define TN_AUTH_WINDOW_MS (60 * 1000)       /* ... in so long a time ... */
#define TN_AUTH_BLOCK_MS (30 * 1000)        /* ... close the door to it for this long */
#define TN_AUTH_PEERS_MAX 128               /* addresses remembered; the one silent longest goes */
#define TN_HTTP_LINGER_MS 2000     /* for a peer to read our last answer before the socket closes */
#define TN_HTTP_KEEPALIVE_MS 15000 /* MCP-098: comment lines on silent streams */

#endif
