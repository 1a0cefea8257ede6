/* limits.h - every number that bounds what a peer can make this process hold or do.
 *
 * One place, with the reason beside each. Contract: mcp.md section 24, plan.md section 3.3. */
#ifndef TN_BASE_LIMITS_H
#define TN_BASE_LIMITS_H

#define TN_KIB ((size_t)1024)
#define TN_MIB ((size_t)1024 * 1024)

/* Messages. */
#define TN_MESSAGE_BYTES_MAX (16 * TN_MIB) /* one request: line, HTTP body (mcp.md section 24) */
#define TN_MESSAGE_ARENA_MAX                                                            \
	(160 * TN_MIB)             /* a parsed message: text plus at most 9 x its nodes \
				    */
#define TN_JSON_DEPTH_MAX 128      /* MCP-013 */
#define TN_JSON_MEMBERS_MAX 100000 /* per object; dense arrays fall to the arena's cap */
#define TN_ID_BYTES_MAX 1024       /* a request id, as written */
#define TN_METHOD_BYTES_MAX 256
#define TN_NAME_BYTES_MAX 256
#define TN_URI_BYTES_MAX (64 * TN_KIB)
#define TN_CURSOR_BYTES_MAX (4 * TN_KIB)
#define TN_BATCH_ELEMENTS_MAX 100 /* MCP-022 */
#define TN_SCHEMA_FAULTS_MAX 20   /* faults told per call; a model needs no more to mend it */

/* Schemas (MCP-282). */
#define TN_SCHEMA_DEPTH_MAX 64
#define TN_SCHEMA_NODES_MAX 10000
#define TN_SCHEMA_STEPS_MAX 16000000      /* one validation: every value of a full message, twice */
#define TN_SCHEMA_FRAMES_MAX 1024         /* schemas inside schemas while validating: C stack */
#define TN_SCHEMA_BYTES_MAX (16 * TN_MIB) /* one compiled schema */
#define TN_PATTERN_STEPS_MAX 16000000     /* all regular-expression matches of one validation */
#define TN_PATTERN_STATES_MAX 4096        /* of one regular expression; 30 KiB of stack to match */

/* Requests, sessions, streams. */
#define TN_CALLS_PER_PEER_MAX 256
#define TN_RESULT_BYTES_MAX (64 * TN_MIB) /* one answer; a client takes no larger message */
#define TN_OUTPUT_QUEUE_MAX (8 * TN_MIB)  /* per peer; beyond it we stop reading, then close */
#define TN_OUTPUT_STALL_MS 30000          /* how long a full queue may stay full */
#define TN_SESSIONS_MAX 1024              /* MCP-136 */
#define TN_SESSION_IDLE_MS (30 * 60 * 1000)
#define TN_LISTENERS_MAX 1024                   /* MCP-197 */
#define TN_LISTENERS_PER_PEER_MAX 64            /* MCP-197 */
#define TN_LISTEN_URIS_MAX 10000                /* MCP-197 */
#define TN_SUBSCRIPTIONS_MAX 10000              /* resources/subscribe, per session */
#define TN_SUBSCRIPTION_BYTES_MAX (4 * TN_MIB)  /* of their URIs, per session or listen stream */
#define TN_SUBSCRIPTION_TOTAL_MAX (64 * TN_MIB) /* and of everybody's */
#define TN_PENDING_NOTICES_MAX 1000             /* MCP-140: queued for a session without a stream */
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
#define TN_AUDIT_TEXT_MAX 256       /* of a name in a line of audit, cut there */
#define TN_PROGRESS_INTERVAL_MS 100 /* MCP-167 */
#define TN_PAGE_ITEMS_MAX 500       /* MCP-183 */
#define TN_PAGE_BYTES_MAX (1 * TN_MIB)
#define TN_COMPLETIONS_MAX 100   /* MCP-184 */
#define TN_REPLAY_EVENTS_MAX 256 /* MCP-150, per stream */
#define TN_REPLAY_BYTES_MAX (1 * TN_MIB)
#define TN_REPLAY_TOTAL_MAX (64 * TN_MIB)
#define TN_REPLAY_AFTER_END_MS (5 * 60 * 1000)

/* The loop: tables for TN_HTTP_CONNECTIONS_MAX descriptors and what they grew out of. */
#define TN_LOOP_RESERVE_BYTES (128 * 1024)

/* stdio. */
#define TN_STDIO_READ_BYTES (64 * TN_KIB)
#define TN_PIPE_BYTES TN_MIB      /* F_SETPIPE_SZ on our own ends */
#define TN_SHUTDOWN_GRACE_MS 2000 /* MCP-085 */

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
#define TN_TOKEN_CLOSE_MS 500               /* T8: for the close frame of who had an old token */
#define TN_HTTP_LINGER_MS 2000     /* for a peer to read our last answer before the socket closes */
#define TN_HTTP_KEEPALIVE_MS 15000 /* MCP-098: comment lines on silent streams */
#define TN_HTTP_SSE_AFTER_MS 1000  /* MCP-112: no result by then, so the answer streams */
#define TN_WS_PING_MS 20000        /* MCP-162: of silence before a ping */
#define TN_STREAM_MESSAGE_BYTES_MAX (256 * TN_KIB) /* what an app's own stream takes: typing */

/* The client's HTTP. */
#define TN_EVENT_ID_BYTES_MAX 1024 /* of an event stream; sent back in a header of ours */
#define TN_HTTP_REPLY_HEADERS_MAX (64 * TN_KIB) /* of a server's answer, all lines */
#define TN_HTTP_PIECE_MAX (256 * TN_KIB)        /* of a body, received and not yet handed on */
#define TN_HTTP_FAULT_BYTES_MAX (64 * TN_KIB)   /* of the body of a reply that is no answer */
#define TN_HTTP_REDIRECTS_MAX 5
#define TN_HTTP_IDLE_CONNECTIONS_MAX 64 /* kept for the next request */
/* What libcurl gets when there is no memory. Until it has opened its socket a request takes less
 * than 32 KiB; so many begin at a time, and past the mark none goes on. */
#define TN_HTTP_RESERVE_BYTES TN_MIB
#define TN_HTTP_RESERVE_MARK (TN_HTTP_RESERVE_BYTES / 4)
#define TN_HTTP_BEGIN_MAX 16
#define TN_HTTP_BEGIN_BYTES (64 * TN_KIB) /* must be there before one begins */
#define TN_SESSION_ID_BYTES_MAX 1024      /* a server's Mcp-Session-Id */
#define TN_CLIENT_CONNECT_MS 10000        /* unless the user says otherwise */
#define TN_RESUME_FIRST_MS 1000           /* MCP-148: backoff without a retry value ... */
#define TN_RESUME_MAX_MS 30000            /* ... up to this */
#define TN_RESUME_TRIES_MAX 8             /* without any event in between */
#define TN_RESUME_RETRY_MAX_MS 3600000    /* a server's retry value */
#define TN_ANSWER_LINGER_MS 1000          /* for the end of a stream that brought its answer */

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
#define TN_SAMPLING_USES_MAX 128            /* tool_use blocks of one message */
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

/* Settings (config.json). */
#define TN_CONFIG_BYTES_MAX TN_MIB /* the file, or one variable */
#define TN_CONFIG_ARENA_MAX (16 * TN_MIB)
#define TN_CONFIG_FAULTS_MAX 20 /* told at a time */

/* AI hosts (tenon install). */
#define TN_HOST_PROFILES_MAX 64
#define TN_HOST_PROFILE_BYTES_MAX (256 * TN_KIB) /* one file of hosts.d, one snippet */
#define TN_HOST_ARENA_MAX (16 * TN_MIB)
#define TN_HOST_FILE_BYTES_MAX (64 * TN_MIB) /* a host's settings: some keep histories in them */

/* Child processes. */
#define TN_CHILD_GRACE_MS 2000     /* MCP-087: for the end of input, and again for SIGTERM */
#define TN_CHILD_LAST_WORDS_MS 500 /* after its end, for output that others may still hold */

/* The daemon. */
#define TN_LOG_FILE_BYTES_MAX (8 * TN_MIB) /* then it is rotated; one old file is kept */
#define TN_LOG_LINE_BYTES_MAX (8 * TN_KIB)
#define TN_LOG_LINES_KEPT 500       /* in memory, for tenon://logs */
#define TN_RESTARTS_MAX 3           /* ST-007: in a row, after a daemon died ... */
#define TN_RESTART_HEALTHY_MS 60000 /* ... without having lived so long */
#define TN_LAUNCH_WAIT_MS 10000     /* for a daemon that was started to answer */
#define TN_RUNTIME_LOOK_MS 5000     /* how often the daemon looks whether it can still be found */
#define TN_RETIRE_MS 1000 /* an HTTP listener that has moved answers so long at its old port */
#define TN_PORT_TRIES 20  /* ST-005: ports after the one that is taken */
#define TN_METRICS_METHODS_MAX 64         /* that are told apart, and ... */
#define TN_METRICS_TOOLS_MAX 512          /* ... tools; what is beyond is counted as "other" */
#define TN_METRICS_BYTES_MAX (8 * TN_MIB) /* the page: 25 lines for each of them */
#define TN_ADMIN_RECENT_CALLS 100         /* tenon://calls */
#define TN_ADMIN_CALLERS_MAX 64 /* of stateless HTTP, told apart by name; the oldest goes */
#define TN_ADMIN_CALLER_MS (5 * 60 * 1000)   /* how long one is shown after its last call */
#define TN_ADMIN_COUNT_MS 1000               /* what counts is published so often at most */
#define TN_ADMIN_BYTES_MAX (16 * TN_MIB)     /* one resource as text */
#define TN_AUDIT_FILE_BYTES_MAX (8 * TN_MIB) /* then it is rotated; one old file is kept */
#define TN_AUDIT_LINE_MAX (4 * TN_KIB)
#define TN_AUDIT_ENTRIES_KEPT 500          /* in memory, for tenon://audit */
#define TN_AUDIT_TAIL_BYTES (256 * TN_KIB) /* read at the start to have them again */
#define TN_AUDIT_QUEUE_MAX TN_MIB /* not written yet; beyond it entries are lost, and told so */

/* Documents and handles (store/). */
#define TN_HANDLES_GONE_MAX 1024          /* handles of one table that went and are remembered */
#define TN_OPLOG_UNDO_MAX 200             /* ST-065: changes that can be undone */
#define TN_OPLOG_UNDO_BYTES (64 * TN_MIB) /* and what they hold; the oldest go */
#define TN_OPLOG_LISTED_MAX 1000          /* changes in the list of who did what */
#define TN_OPLOG_BATCH_MAX 20000          /* operations of one change */
#define TN_OPLOG_COMMIT_BYTES_MAX (16 * TN_MIB)    /* one change: a message's worth */
#define TN_OPLOG_TEXT_MAX 256                      /* an actor's name, a label */
#define TN_OPLOG_NOTE_MAX (4 * TN_KIB)             /* what the caller keeps with a change */
#define TN_OPLOG_FILE_BYTES_MAX (256 * TN_MIB)     /* read at opening: snapshot, journal */
#define TN_OPLOG_ARENA_MAX ((size_t)2048 * TN_MIB) /* the same, parsed */
#define TN_OPLOG_JOURNAL_LINES 1000                /* then a new snapshot ... */
#define TN_OPLOG_JOURNAL_BYTES (4 * TN_MIB)
#define TN_OPLOG_KEEP_BYTES (64 * TN_KIB) /* of memory kept from one change to the next */
#define TN_OPLOG_SYNC_MS 100              /* what a power cut may cost */

/* Consent (ARCHITECTURE section 3.4). */
#define TN_POLICY_BYTES_MAX (256 * TN_KIB)
#define TN_POLICY_ARENA_MAX (8 * TN_MIB)
#define TN_POLICY_RULES_MAX 1000
#define TN_POLICY_ID_MAX 64
#define TN_CONSENT_SECONDS_MAX 86400 /* how long a person may take */
#define TN_CONSENT_TIMEOUT_MS (600 * 1000)
#define TN_CONSENT_PENDING_MAX 128       /* more than any person reads ... */
#define TN_CONSENT_PENDING_OWN_MAX 64    /* ... of those, one principal's */
#define TN_CONSENT_KEPT_MAX 256          /* decided ones, shown ... */
#define TN_CONSENT_KEPT_MS (600 * 1000)  /* ... for so long */
#define TN_CONSENT_LASTING_MAX 1024      /* that last; the oldest goes */
#define TN_CONSENT_TEXT_MAX (4 * TN_KIB) /* shown to a person, each text; terminal.md 10.2 */
#define TN_DOOR_ANSWERS_MAX 100          /* of the person's door ... */
#define TN_DOOR_WINDOW_MS 10000          /* ... in this time: people are slower */
#define TN_DOOR_REFUSED_MAX 1024         /* processes below which nobody is a person */
#define TN_ANCESTORS_MAX 128             /* from a process up to the first one */

/* The relay (tenon mcp). */
#define TN_RELAY_REQUESTS_MAX 4096         /* unanswered; beyond, the host's next one waits */
#define TN_RELAY_WAITING_MAX (32 * TN_MIB) /* of messages while there is no daemon */
#define TN_RELAY_KEPT_MAX (4 * TN_MIB)     /* of what is repeated for a new daemon, each kind */
#define TN_RELAY_EARLY_MAX (16 * TN_KIB)   /* sent behind the handshake without waiting for it */
#define TN_RELAY_REFUSAL_MAX (16 * TN_KIB) /* of a daemon's words when it refuses the handshake */
#define TN_RELAY_AGAIN_MS 200              /* ST-013: before the first try, doubled each time ... */
#define TN_RELAY_AGAIN_MAX_MS 5000         /* ... up to this ... */
#define TN_RELAY_TRIES_MAX 5               /* ... so often */
#define TN_RELAY_CONNECT_MS 5000           /* for a daemon that is there to take us in */
#define TN_RELAY_LAUNCH_MS 15000           /* for one that is started: more than it takes itself */
#define TN_RELAY_LAST_WORDS_MS 1000        /* for the first request of a host we must refuse */

/* plan (plan.md section 3.3). */
#define TN_PLAN_CLI_BYTES_MAX (64 * TN_MIB)
#define TN_PLAN_ARG_BYTES_MAX (16 * TN_MIB)
#define TN_PLAN_RESOURCES_MAX 100000
#define TN_PLAN_ATTRIBUTES_MAX 400
#define TN_PLAN_VALUE_BYTES_MAX (2 * TN_KIB)
#define TN_PLAN_CPU_MS_MAX 10000
#define TN_PLAN_LIST_MAX 100000               /* drift, outputs, diagnostics and the like, each */
#define TN_PLAN_WARNINGS_PER_CODE 100         /* what was said a hundred times is known */
#define TN_PLAN_PATH_BYTES_MAX 1024           /* an attribute's path, cut there */
#define TN_PLAN_DETAIL_BYTES_MAX (8 * TN_KIB) /* a diagnostic's explanation */
#define TN_PLAN_MEMORY_FACTOR 4               /* times the input, plan.md section 2 */
#define TN_PLAN_MEMORY_FLOOR TN_MIB           /* and this much for the small ones */
#define TN_PLAN_HANDLES_MAX 256               /* parsed plans held for plan_id; the oldest goes */
#define TN_PLAN_HANDLE_BYTES_MAX (64 * TN_MIB)
#define TN_PLAN_HANDLE_IDLE_MS (24 * 60 * 60 * 1000)
#define TN_PLAN_MODEL_RESPONSE_MAX TN_MIB
#define TN_PLAN_CONVERSATIONS_MAX 1024 /* the oldest goes */
#define TN_PLAN_TURNS_KEPT_MAX 8       /* kept of one conversation; a model is shown two */
#define TN_PLAN_HISTORY_ROWS_MAX 100   /* one answer of terraform_history */
#define TN_PLAN_HISTORY_KEPT_MAX 10000 /* explanations on disk, besides their age */
#define TN_PLAN_HISTORY_MEMORY_MAX 500 /* the same when nothing may be written */
#define TN_PLAN_PARALLEL_MAX 4         /* requests to a model at a time, plan.md section 11.1 */
#define TN_PLAN_REVIEWS_OPEN_MAX 64    /* the least recently used is closed */
#define TN_PLAN_REVIEWS_KEPT_MAX 1000  /* on disk, besides their age; the oldest go */
#define TN_PLAN_REVIEW_BYTES_MAX (8 * TN_MIB) /* the texts of all marks of one */
#define TN_PLAN_NOTE_BYTES_MAX (2 * TN_KIB)
#define TN_PLAN_INLINE_BYTES_MAX (64 * TN_KIB) /* parsed at once; larger ones by a worker */

/* The terminal. */
#define TN_PTY_RING_BYTES (256 * TN_KIB) /* of output that waits to be consumed; a power of two */
#define TN_PTY_INPUT_MAX (2 * TN_MIB)    /* typed and not yet read by the program */
#define TN_PTY_SHUTDOWN_MS 5000          /* terminal.md 12.4: to end every session */
#define TN_PTY_KILLED_MAX 512            /* processes told of by number when a session ends */
#define TN_PTY_TREE_MAX 65536            /* processes of one session that are looked at */
/* Of one session in a turn of the loop: 0.3 ms of short lines, so that nobody waits for a flood. */
#define TN_TERM_TURN_BYTES (16 * TN_KIB)
#define TN_TERM_TURN_PIECES 4 /* of so many bytes, when they are understood this fast together: */
#define TN_TERM_TURN_US 150
#define TN_TERM_COMMAND_BYTES_MAX TN_MIB        /* terminal.md 7.1 */
#define TN_SHELL_SCRIPT_BYTES_MAX (64 * TN_KIB) /* a start file: ours, and three values */
#define TN_SHELL_WORDS_BYTES_MAX (32 * TN_KIB)  /* how a shell is started: a few paths */
#define TN_SHELL_FILE_BYTES_MAX \
	(16 * TN_MIB) /* a command and its surroundings, each byte quoted as four at worst */
#define TN_TERM_STDIN_BYTES_MAX TN_MIB
#define TN_TERM_ANSWER_BYTES 16384      /* terminal.md 6.2: text of an answer, default ... */
#define TN_TERM_ANSWER_BYTES_MAX TN_MIB /* ... and most */
#define TN_TERM_ANSWER_LINES 100
#define TN_TERM_ANSWER_LINES_MAX 10000
#define TN_TERM_LINE_CHARACTERS_MAX 2000        /* of a line that is shown */
#define TN_TERM_YIELD_MS_MAX 55000              /* a call returns before clients give up */
#define TN_TERM_COMMANDS_KEPT 1000              /* of one session, for results by id */
#define TN_TERM_EDITS_MAX 32768                 /* of one stream: what was echoed for us ... */
#define TN_TERM_EDIT_BYTES_MAX (4 * TN_MIB)     /* ... and its texts; the oldest go */
#define TN_TERM_QUEUE_MAX 64                    /* commands waiting in one session */
#define TN_TERM_VIEWERS_MAX 64                  /* of one session */
#define TN_TERM_VIEWER_LAG_BYTES (512 * TN_KIB) /* terminal.md 11 */
#define TN_TERM_TICKET_MS 60000
#define TN_TERM_LOGIN_PATH_MS 5000 /* terminal.md 10.3: for the user's shell to say its PATH */
#define TN_RECORD_BYTES_MAX (256 * TN_MIB) /* one recording; then it ends */
#define TN_TERM_TICKETS_MAX 256
#define TN_SPOOL_BLOCK_BYTES (64 * TN_KIB) /* written at once; a part of a ring and a segment */
#define TN_SPOOL_SEGMENT_BYTES (4 * TN_MIB)
#define TN_OUTPUT_SEARCH_MAX (16 * TN_MIB) /* read back from the end for the last lines */
#define TN_OUTPUT_WINDOW_MIN TN_MIB        /* of raw output, cleaned for a small answer */
#define TN_SCREEN_SCROLLBACK_MAX 100000
#define TN_SCREEN_COLUMNS_MAX 500 /* terminal.md 7.4 */
#define TN_SCREEN_ROWS_MAX 200
#define TN_SCREEN_LINE_BYTES                                                \
	256 /* of scroll-back a line, on average; then the oldest go sooner \
	     */
#define TN_REDACT_VALUES_MAX 1024
#define TN_REDACT_VALUE_BYTES_MIN 8 /* terminal.md 9: what is shorter is in every text */
#define TN_REDACT_VALUE_BYTES_MAX (64 * TN_KIB)
#define TN_REDACT_PATTERNS_MAX 64
#define TN_HISTORY_BATCH_MS 250 /* terminal.md 9 */
#define TN_HISTORY_QUEUE_BYTES_MAX \
	(64 * TN_MIB)                          /* not written yet; beyond it outputs are left out */
#define TN_HISTORY_OUTPUT_BYTES (256 * TN_KIB) /* of the head and of the tail of one output */
#define TN_HISTORY_WHILE_OFF_BYTES_MAX (4 * TN_MIB) /* the same while nothing can be written */
#define TN_HISTORY_RETRY_MS 30000                   /* until it is tried again */
#define TN_HISTORY_RETAIN_MS (60 * 60 * 1000)       /* terminal.md 9: hourly */
#define TN_HISTORY_SEARCH_MS 5000                   /* of one search, in a worker */
#define TN_HISTORY_SEARCHES_MAX 64                  /* that wait or run */
#define TN_HISTORY_SEARCHES_AT_ONCE 2               /* workers that others need, too */
#define TN_HISTORY_FOUND_BYTES_MAX (16 * TN_MIB)
#define TN_HISTORY_PAGES_MAX 10000     /* entries that cursors lead to */
#define TN_HISTORY_LITERAL_TEXTS 10000 /* terminal.md 7.6 */
#define TN_REGEX_MATCH_LIMIT 1000000   /* steps from one place of the text ... */
#define TN_REGEX_DEPTH_LIMIT 10000
#define TN_REGEX_SEARCH_MS 1000  /* ... and the time for all places of one text */
#define TN_REGEX_HEAP_KIB 16384  /* for the ways back of one match */
#define TN_REGEX_NESTING_MAX 100 /* brackets in brackets: C stack of the compiler */
#define TN_REGEX_PATTERN_BYTES_MAX (16 * TN_KIB)
#define TN_ANALYSIS_ARENA_MAX (64 * TN_MIB) /* of a command of 1 MiB */
#define TN_ANALYSIS_COMMANDS_MAX 10000
#define TN_ANALYSIS_DEPTH_MAX 64
#define TN_ANALYSIS_SCRIPT_BYTES_MAX (256 * TN_KIB)

/* Pictures (draw/). */
#define TN_DRAW_ITEMS_MAX 1000000 /* shapes, pieces of paths, texts of one picture */
#define TN_DRAW_ARENA_MAX (256 * TN_MIB)
#define TN_DRAW_POINTS_MAX (16 * 1000 * 1000) /* of one shape, its curves and dashes as lines */
#define TN_DRAW_PIXELS_MAX (64 * 1000 * 1000) /* 256 MB while it is made */
#define TN_DRAW_SVG_BYTES_MAX (64 * TN_MIB)
#define TN_SCENE_FACES_MAX 262144 /* of solids: 40 MiB */
#define TN_SCENE_CORNERS_MAX 8    /* of a solid's base */
/* Samples of a picture, and of all faces over each other: more, and pixels have fewer of them. */
#define TN_SCENE_SAMPLES_MAX 110000000
#define TN_SCENE_WORK_MAX 800000000

/* studio (studio.md section 21). */
#define TN_STUDIO_NODES_MAX 10000
#define TN_STUDIO_EDGES_MAX 20000
#define TN_STUDIO_PROPERTIES_MAX 500
#define TN_STUDIO_STRING_BYTES_MAX (64 * TN_KIB)
#define TN_STUDIO_LIST_MAX 1000
#define TN_STUDIO_DEPTH_MAX 16 /* of values, and of containers */
#define TN_STUDIO_LABEL_CHARACTERS_MAX 128
#define TN_STUDIO_NOTES_BYTES_MAX (16 * TN_KIB)
#define TN_STUDIO_BATCH_MAX 500
#define TN_STUDIO_FILE_BYTES_MAX (32 * TN_MIB) /* a project file */
#define TN_STUDIO_ARENA_MAX ((size_t)512 * TN_MIB)
#define TN_STUDIO_NODE_ARENA_MAX (64 * TN_MIB)
#define TN_STUDIO_RESULT_BYTES_MAX (64 * TN_MIB)
#define TN_STUDIO_PROJECTS_MAX 16
#define TN_STUDIO_RECENT_MAX 10
#define TN_STUDIO_TYPE_FILE_BYTES_MAX (4 * TN_MIB) /* one registry file */
#define TN_STUDIO_TYPE_FILES_MAX 256
#define TN_STUDIO_TYPES_MAX 5000
#define TN_STUDIO_PRICES_BYTES_MAX (8 * TN_MIB) /* prices.json */
#define TN_STUDIO_RUN_LOG_BYTES_MAX (10 * TN_MIB)
#define TN_STUDIO_RUN_LINE_BYTES_MAX TN_MIB
#define TN_STUDIO_RUNS_KEPT 50
#define TN_STUDIO_RUN_DIAGNOSTICS_MAX 1000 /* of one run; the rest stands in its log */
#define TN_STUDIO_RUN_CHANGES_MAX 100000
#define TN_STUDIO_RUN_ARENA_MAX (128 * TN_MIB)
#define TN_STUDIO_RUN_DOCUMENT_BYTES_MAX (64 * TN_MIB) /* show -json, validate -json */
#define TN_STUDIO_RUN_RESULT_BYTES_MAX (32 * TN_MIB)
#define TN_STUDIO_RUN_WATCHERS_MAX 256
#define TN_STUDIO_PLAN_HOURS 24 /* ST-083 */
#define TN_STUDIO_SECRETS_MAX 1000
#define TN_HCL_BYTES_MAX (16 * TN_MIB) /* one .tf file */
#define TN_HCL_NODES_MAX 1000000
#define TN_HCL_DEPTH_MAX 100
#define TN_STUDIO_IMPORT_FILES_MAX 1000
#define TN_STUDIO_IMPORT_BYTES_MAX (64 * TN_MIB) /* of all files of one import */
#define TN_HCL_FAULTS_MAX 100 /* told of one file; the rest is passed over in silence */

/* floorplan (floorplan.md section 11). */
#define TN_FLOOR_TEXT_BYTES_MAX TN_MIB
#define TN_FLOOR_TOKENS_MAX 300000
#define TN_FLOOR_FLOORS_MAX 64
#define TN_FLOOR_ROOMS_MAX 5000 /* sub-rooms among them */
#define TN_FLOOR_CIRCULATION_MAX 1000
#define TN_FLOOR_DEPTH_MAX 8 /* of sub-rooms */
#define TN_FLOOR_CONNECTIONS_MAX 10000
#define TN_FLOOR_VERTICALS_MAX 1000
#define TN_FLOOR_SIZES_MAX 1000
#define TN_FLOOR_STYLES_MAX 256
#define TN_FLOOR_NAME_BYTES_MAX 128
#define TN_FLOOR_STRING_BYTES_MAX 4096
#define TN_FLOOR_STEPS_MAX 1000
#define TN_FLOOR_SOLID_STEPS_MAX 16000 /* of all stairs in space; more are drawn as blocks */
/* Of pairs of rooms: 5,000 rooms in one place make 12 million. Overlaps beyond are counted, not
 * told; shared walls beyond are left out. A plan whose rooms do not overlap has at most 15,000. */
#define TN_FLOOR_PAIRS_MAX 20000
#define TN_FLOOR_LENGTH_MAX 1000000 /* in U */
#define TN_FLOOR_OPERATIONS_MAX 500
#define TN_FLOOR_LABEL_BYTES_MAX 512 /* that add_label writes */
#define TN_FLOOR_SIDE_PIXELS_MIN 64
#define TN_FLOOR_SIDE_PIXELS_MAX 8192
#define TN_FLOOR_PIXELS_MAX (25 * 1000 * 1000)
#define TN_FLOOR_OUTPUT_BYTES_MAX (32 * TN_MIB) /* SVG, DXF, JSON */
#define TN_FLOOR_INPUT_BYTES_MAX (4 * TN_MIB)   /* JSON to be imported */
#define TN_FLOOR_ARENA_MAX (128 * TN_MIB)       /* of one plan */
#define TN_FLOOR_DOCUMENTS_MAX 64               /* open at a time; the least used goes */
#define TN_FLOOR_DOCUMENT_BYTES_MAX (64 * TN_MIB)
#define TN_FLOOR_KEPT_BYTES_MAX (64 * TN_KIB)  /* of what is known of one beside its text */
#define TN_LSP_HEADER_BYTES_MAX 4096           /* before a message of an editor */
#define TN_LSP_MESSAGE_BYTES_MAX (16 * TN_MIB) /* a plan of 1 MiB, each byte escaped, fits */
#define TN_LSP_FAULTS_MAX 1000                 /* marked in one text, of each severity */
#define TN_LSP_ACTIONS_MAX 20                  /* offered at once: each is an edit of its own */
#define TN_FLOOR_DOCUMENT_IDLE_MS (7ull * 24 * 3600 * 1000)

#endif
