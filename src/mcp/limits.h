/* limits.h - what bounds the server's side of a conversation: requests, sessions, tasks, consent.
 */
#ifndef TN_MCP_LIMITS_H
#define TN_MCP_LIMITS_H

#include "base/size.h"

/* Messages. */
#define TN_ID_BYTES_MAX 1024 /* a request id, as written */
#define TN_METHOD_BYTES_MAX 256
#define TN_NAME_BYTES_MAX 256
#define TN_CURSOR_BYTES_MAX (4 * TN_KIB)
#define TN_BATCH_ELEMENTS_MAX 100 /* MCP-022 */

/* Requests, sessions, streams. */
#define TN_SESSIONS_MAX 1024                    /* MCP-136 */
#define TN_LISTENERS_MAX 1024                   /* MCP-197 */
#define TN_LISTENERS_PER_PEER_MAX 64            /* MCP-197 */
#define TN_LISTEN_URIS_MAX 10000                /* MCP-197 */
#define TN_SUBSCRIPTIONS_MAX 10000              /* resources/subscribe, per session */
#define TN_SUBSCRIPTION_BYTES_MAX (4 * TN_MIB)  /* of their URIs, per session or listen stream */
#define TN_SUBSCRIPTION_TOTAL_MAX (64 * TN_MIB) /* and of everybody's */
#define TN_LIST_CHANGED_DEBOUNCE_MS 50          /* MCP-198 */
#define TN_INSTRUCTIONS_BYTES_MAX (64 * TN_KIB) /* of the server and all its apps */
#define TN_ROUNDS_MAX 8                         /* MCP-207: questions asked in a row by one call */
#define TN_ASKS_PER_ROUND_MAX 16
#define TN_ASK_TIMEOUT_MS (10 * 60 * 1000) /* a person answers */
#define TN_ROOTS_TIMEOUT_MS 60000          /* a program answers */
#define TN_STATE_BYTES_MAX (64 * TN_KIB)   /* sealed requestState, MCP-205 */
#define TN_STATE_TTL_MS (10 * 60 * 1000)
#define TN_TASKS_MAX 4096                /* MCP-247: kept, running or ended */
#define TN_TASKS_PER_OWNER_MAX 1024      /* of those, one principal's or one session's */
#define TN_TASK_BYTES_MAX (128 * TN_MIB) /* of all results kept for tasks */
#define TN_TASK_MESSAGE_MAX TN_KIB       /* of a status message, cut there */
#define TN_TASK_TTL_MS (10 * 60 * 1000)
#define TN_TASK_TTL_MIN_MS 1000 /* less, and the answer could not be fetched */
#define TN_TASK_TTL_MAX_MS (24 * 60 * 60 * 1000)
#define TN_TASK_POLL_MS 1000
#define TN_TASK_ROUNDS_MAX 64 /* how often answers may wake one task: each costs memory */
#define TN_SEAL_KEYS_MAX 8    /* MCP-205: more are not needed to change them in turn */
#define TN_SEAL_KEY_BYTES_MIN 32
#define TN_EXTENSIONS_BYTES_MAX (4 * TN_KIB) /* of a legacy client's, kept for its session */
#define TN_SCOPE_PATTERNS_MAX 1000           /* of one token and kind */
#define TN_LONG_TEXTS_MAX 1024               /* MCP-231: cut results, kept to be read whole */
#define TN_LONG_TEXT_BYTES_MAX (64 * TN_MIB) /* and all of them */
#define TN_LONG_TEXT_MS (10 * 60 * 1000)
#define TN_MODEL_TOKENS_MAX 19800   /* HO-003: 20,000 of an answer, with a link to the rest */
#define TN_MODEL_TOKENS_KEPT 600    /* of those, for what follows a text that is cut */
#define TN_AUDIT_TEXT_MAX 256       /* of a name in a line of audit, cut there */
#define TN_PROGRESS_INTERVAL_MS 100 /* MCP-167 */
#define TN_PAGE_ITEMS_MAX 500       /* MCP-183 */
#define TN_PAGE_BYTES_MAX (1 * TN_MIB)
#define TN_FINDER_TOOLS 1        /* find_tools describes so many with their schemas ... */
#define TN_FINDER_TOOLS_MAX 12   /* ... at most */
#define TN_SAMPLING_USES_MAX 128 /* tool_use blocks of one message */

/* Consent (ARCHITECTURE section 3.4). */
#define TN_CONSENT_SECONDS_MAX 86400 /* how long a person may take */
#define TN_CONSENT_TIMEOUT_MS (600 * 1000)
#define TN_CONSENT_PENDING_MAX 128         /* more than any person reads ... */
#define TN_CONSENT_PENDING_OWN_MAX 16      /* ... of those, one client's ... */
#define TN_CONSENT_PENDING_KEPT 32         /* ... and kept for those who have none yet */
#define TN_CONSENT_KEPT_MAX 256            /* decided ones, shown ... */
#define TN_CONSENT_KEPT_MS (600 * 1000)    /* ... for so long */
#define TN_CONSENT_LASTING_MAX 1024        /* that last; the oldest goes */
#define TN_CONSENT_DATA_MAX (128 * TN_KIB) /* for programs; of open requests only */
#define TN_CONSENT_TEXT_MAX (4 * TN_KIB)   /* shown to a person, each text; terminal.md 10.2 */

#endif
