/* json_canonical.h - JSON with sorted members, so that what is equal but for their order has equal
 * bytes: for digests.
 *
 * Numbers stay as they were written: 1 and 1.0 differ, which makes a digest stricter than need be
 * and never laxer. Threads: any. */
#ifndef TN_JSONRPC_JSON_CANONICAL_H
#define TN_JSONRPC_JSON_CANONICAL_H

#include "base/arena.h"
#include "jsonrpc/json_write.h"

/* `value` NULL is null. The arena holds lists of members; when it refuses, `out` has failed. */
void tn_json_put_canonical(struct tn_arena *arena, struct tn_buf *out, const struct tn_json *value);

#endif
