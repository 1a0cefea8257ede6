/* policy.h - the Content-Security-Policy of a previewed page, so that the adapter may run, be
 * framed and reach its host (workbench.md S16). Threads: any. */
#ifndef TN_GATEWAY_POLICY_H
#define TN_GATEWAY_POLICY_H

#include "base/buf.h"

/* Appends the policies of one header's value (several are separated by commas): without
 * frame-ancestors; the nonce may run scripts, and `channel` ("ws://127.0.0.1:1") may be reached,
 * where the policy restricts either. Everything else stays as it is. */
void tn_policy_rewrite(struct tn_buf *out, struct tn_str value, const char *nonce,
		       struct tn_str channel);

#endif
