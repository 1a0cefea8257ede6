/* limits.h - the bounds that more than one folder keeps to.
 *
 * Every number that bounds what a peer can make this process hold or do stands in the limits.h of
 * its folder (src/mcp/limits.h, src/apps/terminal/limits.h), with the reason beside it: a number
 * that changes rebuilds its folder. Contract: mcp.md section 24. */
#ifndef TN_BASE_LIMITS_H
#define TN_BASE_LIMITS_H

#include "base/size.h"

/* Messages. */
#define TN_MESSAGE_BYTES_MAX (16 * TN_MIB) /* one request: line, HTTP body (mcp.md section 24) */
/* A parsed message: text plus at most 9 x its nodes. */
#define TN_MESSAGE_ARENA_MAX (160 * TN_MIB)
#define TN_URI_BYTES_MAX (64 * TN_KIB)

/* Requests, sessions, streams. */
#define TN_CALLS_PER_PEER_MAX 256
#define TN_RESULT_BYTES_MAX (64 * TN_MIB) /* one answer; a client takes no larger message */
#define TN_COMPLETIONS_MAX 100            /* MCP-184 */
#define TN_SHUTDOWN_GRACE_MS 2000         /* MCP-085 */

/* Settings (config.json). */
#define TN_CONFIG_ARENA_MAX (16 * TN_MIB)

/* Consent (ARCHITECTURE section 3.4). */
#define TN_POLICY_BYTES_MAX (256 * TN_KIB)
#define TN_POLICY_ARENA_MAX (8 * TN_MIB)
#define TN_POLICY_RULES_MAX 1000
#define TN_POLICY_ID_MAX 64
#define TN_PROOF_MS 90000 /* a human reads, and types a password or touches a key */

#endif
