/* percent.h - text as a part of an address (RFC 3986). Threads: any. */
#ifndef TN_BASE_PERCENT_H
#define TN_BASE_PERCENT_H

#include "base/buf.h"

/* Everything but letters, digits, "-._~" and the characters of `kept` as %XX. */
void tn_percent_put(struct tn_buf *out, struct tn_str text, const char *kept);
/* Whether each "%" is followed by two hexadecimal digits. */
bool tn_percent_is_valid(struct tn_str text);

#endif
