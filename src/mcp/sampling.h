/* sampling.h - a question to the client's model: is it well formed, and how does this client want
 * it (MCP-215 to MCP-217)?
 *
 * Threads: loop. */
#ifndef TN_MCP_SAMPLING_H
#define TN_MCP_SAMPLING_H

#include "mcp/call.h"

/* NULL: well formed; otherwise why not, a static sentence. */
const char *tn_sampling_params_check(const struct tn_json *params);
/* Writes the params as a value this client understands. */
void tn_sampling_params_put(const struct tenon_call *call, const struct tn_json *params,
			    struct tn_buf *out);

#endif
