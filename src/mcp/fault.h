/* fault.h - the errors of shared machinery, which look the same in every app: a code to branch on,
 * a sentence, and whether the same call may work later (ARCHITECTURE section 3, docs/daemon.md).
 *
 * {"error":"SERVER_DISABLED","message":"...","retryable":true} is the structured result of a tool
 * error, and the `data` of error -32603 for every other method. Threads: loop. */
#ifndef TN_MCP_FAULT_H
#define TN_MCP_FAULT_H

#include "mcp/call.h"

/* The object. `code`: one of docs/daemon.md, "Errors". */
void tn_fault_write(struct tn_buf *out, const char *code, bool retryable, struct tn_str message);

/* Ends the call with it; without effect on one that has ended. Words beyond 1 KiB are cut. */
void tn_call_fail_code(struct tenon_call *call, const char *code, bool retryable,
		       const char *format, ...) TN_PRINTF(4, 5);
/* The same with further members of the object: `"approvalId":"..."`. */
void tn_call_fail_with(struct tenon_call *call, const char *code, bool retryable,
		       struct tn_str members, const char *format, ...) TN_PRINTF(5, 6);

#endif
