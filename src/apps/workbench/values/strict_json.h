/* strict_json.h - JSON of the workspace: a key that stands twice in its object is refused
 * (section 5: either may be meant).
 *
 * Ownership: the tree lives in the arena, the text is copied. Threads: any. */
#ifndef TN_WB_VALUES_STRICT_JSON_H
#define TN_WB_VALUES_STRICT_JSON_H

#include "jsonrpc/json.h"

/* Fails: INVALID (not JSON, not UTF-8, a key twice: which), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_json_read(struct tn_arena *arena, struct tn_str text,
					    struct tn_json **ret, struct tenon_error *err);

#endif
