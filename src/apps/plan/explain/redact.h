/* redact.h - no secret is stored (plan.md section 16).
 *
 * A pass over text that replaces what looks like a secret by [redacted]: keys with a provider's
 * prefix, PEM blocks, JSON web tokens, passwords in URLs, and long random text next to a word like
 * password. Linear in the text. Threads: any. */
#ifndef TN_PLAN_REDACT_H
#define TN_PLAN_REDACT_H

#include "base/buf.h"

#define TN_PLAN_REDACTED "[redacted]"

void tn_plan_redact(struct tn_buf *out, struct tn_str text);

/* True when redacting would change the text. */
bool tn_plan_has_secret(struct tn_str text);

#endif
