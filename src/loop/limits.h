/* limits.h - what bounds pipes, child processes and requests over HTTP. */
#ifndef TN_LOOP_LIMITS_H
#define TN_LOOP_LIMITS_H

#include "base/size.h"

/* The loop: tables for TN_HTTP_CONNECTIONS_MAX descriptors and what they grew out of. */
#define TN_LOOP_RESERVE_BYTES (128 * 1024)
#define TN_PIPE_BYTES TN_MIB /* F_SETPIPE_SZ on our own ends */

/* The client's HTTP. */
#define TN_HTTP_REPLY_HEADERS_MAX (64 * TN_KIB) /* of a server's answer, all lines */
#define TN_HTTP_PIECE_MAX (256 * TN_KIB)        /* of a body, received and not yet handed on */

/* Child processes. */
#define TN_CHILD_GRACE_MS 2000 /* MCP-087: for the end of input, and again for SIGTERM */
#define TN_GUARD_GRACE_MS 5000 /* between SIGTERM and SIGKILL, of all that a guard has below it */
#define TN_GUARD_END_MS 2000   /* that a guard may take to kill all of it */
#define TN_PROCESS_TREE_MAX 65536 /* processes below one that are looked at */

#endif
