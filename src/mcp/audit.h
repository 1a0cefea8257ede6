/* audit.h - one line for each request that ends, for whoever keeps records (MCP-289): the observer
 * behind tenon_server_options.audit.
 *
 * No arguments and no results: who asked what, and how it ended. Threads: loop. */
#ifndef TN_MCP_AUDIT_H
#define TN_MCP_AUDIT_H

#include "mcp/server.h"

/* Nothing when the options name no audit. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_audit_open(struct tenon_server *server, struct tenon_error *err);
void tn_audit_close(struct tenon_server *server); /* after the last call */

#endif
