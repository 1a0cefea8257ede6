/* limits.h - what bounds the relay and the commands. */
#ifndef TN_CLI_LIMITS_H
#define TN_CLI_LIMITS_H

#include "base/size.h"

/* AI hosts (tenon install). */
#define TN_HOST_FILE_BYTES_MAX (64 * TN_MIB) /* a host's settings: some keep histories in them */

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

#endif
