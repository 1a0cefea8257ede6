/* status_read.h - a resource of the daemon's as a tree, for verbs that look at it. Threads: main.
 */
#ifndef TN_CLI_STATUS_READ_H
#define TN_CLI_STATUS_READ_H

#include "cli/shared/connect.h"
#include "jsonrpc/json.h"

/* The JSON text of resource `uri` ("tenon://status"), parsed into `arena`. Fails: NOT_FOUND (the
 * server has no such resource), DENIED (MCP is switched off), INVALID (it is no JSON), and as the
 * request. */
TN_MUST_USE enum tenon_code tn_status_read(struct tenon_client *client, const char *uri,
					   struct tn_arena *arena, const struct tn_json **ret,
					   struct tenon_error *err);

#endif
