/* state_seal.h - requestState: what a multi-round-trip request must remember, handed to the client
 * in a form it can neither read nor change (MCP-204, MCP-205).
 *
 * XChaCha20-Poly1305 under the first configured key, or one made at the first use; bound to the
 * principal, the method, the name or URI and a digest of the arguments; expires after
 * TN_STATE_TTL_MS. Threads: loop. */
#ifndef TN_MCP_STATE_SEAL_H
#define TN_MCP_STATE_SEAL_H

#include "mcp/call.h"

/* Appends the sealed text (base 64) of `payload` for this call. Fails: LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_state_seal(struct tenon_call *call, struct tn_str payload,
					  struct tn_buf *out, struct tenon_error *err);

/* The payload, in the call's arena. Fails: INVALID (forged, foreign, of other arguments, expired).
 */
TN_MUST_USE enum tenon_code tn_state_open(struct tenon_call *call, struct tn_str sealed,
					  struct tn_str *ret_payload, struct tenon_error *err);

#endif
