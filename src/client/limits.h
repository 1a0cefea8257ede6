/* limits.h - what bounds the client's side of a conversation. */
#ifndef TN_CLIENT_LIMITS_H
#define TN_CLIENT_LIMITS_H

#include "base/size.h"

/* The client's HTTP. */
#define TN_EVENT_ID_BYTES_MAX 1024 /* of an event stream; sent back in a header of ours */
#define TN_HTTP_FAULT_BYTES_MAX (64 * TN_KIB) /* of the body of a reply that is no answer */
#define TN_HTTP_REDIRECTS_MAX 5
#define TN_SESSION_ID_BYTES_MAX 1024   /* a server's Mcp-Session-Id */
#define TN_CLIENT_CONNECT_MS 10000     /* unless the user says otherwise */
#define TN_RESUME_FIRST_MS 1000        /* MCP-148: backoff without a retry value ... */
#define TN_RESUME_MAX_MS 30000         /* ... up to this */
#define TN_RESUME_TRIES_MAX 8          /* without any event in between */
#define TN_RESUME_RETRY_MAX_MS 3600000 /* a server's retry value */
#define TN_ANSWER_LINGER_MS 1000       /* for the end of a stream that brought its answer */

/* The client's conversation: everything here is a server's to fill (MCP-288). */
#define TN_CLIENT_MESSAGE_MAX (64 * TN_MIB) /* mcp.md section 24 */
#define TN_CLIENT_ARENA_MAX (256 * TN_MIB)  /* one message, parsed: text, or 4 million values */
#define TN_CLIENT_RESULT_MAX (128 * TN_MIB) /* a result written out, or a list of all pages */
#define TN_CLIENT_REQUESTS_MAX 4096         /* of the program at a time */
#define TN_CLIENT_PAGES_MAX 10000           /* MCP-181 */
#define TN_CLIENT_CURSOR_MAX (64 * TN_KIB)  /* one of a server's ... */
#define TN_CLIENT_CURSORS_MAX (16 * TN_MIB) /* ... and all of a list's, kept to see one again */
#define TN_CLIENT_ROUNDS_MAX 10             /* MCP-206 */
#define TN_CLIENT_TASK_ROUNDS_MAX 64        /* questions of one task, in rounds */
#define TN_CLIENT_QUESTIONS_MAX 64          /* open at a time: a person answers them */
#define TN_CLIENT_STATE_MAX TN_MIB          /* a server's requestState, sent back as it came */
#define TN_CLIENT_TOOLS_MAX 10000           /* whose definitions are kept */
#define TN_CLIENT_CACHE_ENTRIES_MAX 256
#define TN_CLIENT_CACHE_BYTES_MAX (16 * TN_MIB)
#define TN_CLIENT_TEXTS_MAX (4 * TN_MIB)    /* the options a client is made with */
#define TN_CLIENT_WATCHED_MAX 10000         /* what a server takes in one filter (MCP-197) */
#define TN_CLIENT_FAULTS_TOLD_MAX 10        /* parse errors answered on one connection (MCP-089) */
#define TN_CLIENT_PROBE_MS 3000             /* MCP-059 */
#define TN_CLIENT_REQUEST_MS 60000          /* without a sign of life (MCP-071) ... */
#define TN_CLIENT_TOTAL_MS (10 * 60 * 1000) /* ... and in any case */
#define TN_CLIENT_POLL_MS 1000     /* MCP-258: how often a task is asked after, at first ... */
#define TN_CLIENT_POLL_MAX_MS 5000 /* ... and at last */
#define TN_CLIENT_POLL_MIN_MS 20   /* whatever the server says */
#define TN_CLIENT_AGAIN_MAX 5      /* MCP-088: reconnections a minute */
#define TN_CLIENT_AGAIN_WINDOW_MS 60000
#define TN_CLIENT_AGAIN_FIRST_MS 100     /* doubled each time */
#define TN_CLIENT_LISTEN_DOUBLINGS_MAX 7 /* a broken listen stream: every 13 s at last */

/* Child processes. */
#define TN_CHILD_LAST_WORDS_MS 500 /* after its end, for output that others may still hold */

#endif
