/* audit.h - one line for each request that ends, for whoever keeps records (MCP-289).
 *
 * No arguments and no results: who asked what, and how it ended. Threads: loop. */
#ifndef TN_MCP_AUDIT_H
#define TN_MCP_AUDIT_H

#include "mcp/call.h"

/* The call is about to be answered or dropped. Called only when the server has an audit. */
void tn_audit_end(struct tenon_call *call, bool dropped);

#endif
