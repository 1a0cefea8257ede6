/* batch.h - JSON-RPC batches, which only revision 2025-03-26 has (mcp.md section 1.1).
 *
 * Each element is handled as if it had come alone; the replies are collected and sent as one array
 * when the last is there. Threads: loop. */
#ifndef TN_MCP_BATCH_H
#define TN_MCP_BATCH_H

#include "mcp/call.h"

/* Takes the whole array over; the call only carries it here and is consumed. */
void tn_batch_receive(struct tenon_call *call, const struct tn_json *array);

#endif
