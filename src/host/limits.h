/* limits.h - what bounds the daemon, its settings and its records. */
#ifndef TN_HOST_LIMITS_H
#define TN_HOST_LIMITS_H

#include "base/size.h"

/* Settings (config.json). */
#define TN_CONFIG_BYTES_MAX TN_MIB /* the file, or one variable */
#define TN_CONFIG_FAULTS_MAX 20    /* told at a time */

/* AI hosts (tenon install). */
#define TN_HOST_PROFILES_MAX 64
#define TN_HOST_PROFILE_BYTES_MAX (256 * TN_KIB) /* one file of hosts.d, one snippet */
#define TN_HOST_ARENA_MAX (16 * TN_MIB)

/* The daemon. */
#define TN_LOG_FILE_BYTES_MAX (8 * TN_MIB) /* then it is rotated; one old file is kept */
#define TN_LOG_LINE_BYTES_MAX (8 * TN_KIB)
#define TN_LOG_LINES_KEPT 500       /* in memory, for tenon://logs */
#define TN_RESTARTS_MAX 3           /* ST-007: in a row, after a daemon died ... */
#define TN_RESTART_HEALTHY_MS 60000 /* ... without having lived so long */
#define TN_LAUNCH_WAIT_MS 10000     /* for a daemon that was started to answer */
#define TN_RUNTIME_LOOK_MS 5000     /* how often the daemon looks whether it can still be found */
#define TN_PORT_TRIES 20            /* ST-005: ports after the one that is taken */
#define TN_METRICS_METHODS_MAX 64   /* that are told apart, and ... */
#define TN_METRICS_TOOLS_MAX 512    /* ... tools; what is beyond is counted as "other" */
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

/* Consent (ARCHITECTURE section 3.4). */
#define TN_DOOR_ANSWERS_MAX 100     /* of the person's door ... */
#define TN_DOOR_WINDOW_MS 10000     /* ... in this time: people are slower */
#define TN_ANCESTORS_MAX 128        /* from a process up to the first one */
#define TN_HOLDERS_MAX 1024         /* processes that share one socket ... */
#define TN_PAGE_HOLDERS_MAX 16      /* ... which a browser wants the page on */
#define TN_CALLERS_MAX 1024         /* processes that have spoken to us and live */
#define TN_CALLERS_WAITING_MAX 2048 /* connections that wait to be looked up */
#define TN_CALLERS_LOOK_MS 2000     /* how long a look through /proc may take */
#define TN_CALLERS_AGAIN_MS 5000    /* who speaks is looked at again after this time */

#endif
