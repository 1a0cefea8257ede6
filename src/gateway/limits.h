/* limits.h - what bounds the gateway of a preview. */
#ifndef TN_GATEWAY_LIMITS_H
#define TN_GATEWAY_LIMITS_H

#include "base/size.h"

#define TN_GATEWAY_CONNECTIONS_MAX 256          /* of one gateway: more are closed at once */
#define TN_GATEWAY_HEAD_MAX (64 * TN_KIB)       /* of an answer */
#define TN_GATEWAY_PENDING_MAX (64 * TN_KIB)    /* in one direction; then nothing more is read */
#define TN_GATEWAY_READ_BYTES (16 * TN_KIB)     /* at a time */
#define TN_GATEWAY_LOOK_BYTES_MAX (64 * TN_KIB) /* of a page, until its <head> */
#define TN_GATEWAY_HEAD_MS 10000                /* for a request's head */
#define TN_GATEWAY_CONNECT_MS 5000
#define TN_GATEWAY_HANDSHAKES_MAX 4 /* at once: each takes 2 to 3 ms of the loop */
#define TN_GATEWAY_SHAKE_MS 5000
#define TN_GATEWAY_QUEUE_MS 20000 /* for a turn to shake hands */
#define TN_GATEWAY_LINGER_MS 2000
#define TN_GATEWAY_STALL_MS 30000      /* for the client to take the last of an answer */
#define TN_GATEWAY_ACCEPT_AGAIN_MS 250 /* where there were no descriptors left */
#define TN_GATEWAY_MESSAGE_MAX TN_MIB  /* of an adapter */
#define TN_GATEWAY_CHUNK_LINE_MAX 256
#define TN_GATEWAY_PING_MS 30000
#define TN_GATEWAY_REST_FACTOR \
	3 /* for so much of the loop's time as messages took, none more are read */
#define TN_GATEWAY_BURST_US 20000 /* of rest that is not asked for yet */

#endif
