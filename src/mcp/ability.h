/* ability.h - what a client can, as it declares it (mcp.md section 16): be asked, sample, show
 * roots, wait for tasks, show pages; and the refusal of what needs more than that. Threads: loop.
 */
#ifndef TN_MCP_ABILITY_H
#define TN_MCP_ABILITY_H

#include "mcp/call.h"

/* Of `capabilities` (NULL: none), a set of TENON_CAN_...; each revision knows others. */
unsigned tn_abilities_parse(const struct tn_json *capabilities, enum tn_revision revision);
/* Answers that the client would have to be able to `abilities`: MCP-201 in the modern era, MCP-207
 * in the others. */
void tn_call_refuse_missing(struct tenon_call *call, unsigned abilities);

#endif
