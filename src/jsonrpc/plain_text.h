/* plain_text.h - texts of a peer that have no NUL in them, looked for in one place (attack 8).
 *
 * JSON can carry a NUL in a text, and nearly everything behind it takes texts up to the first one:
 * what is checked and what is used would differ. Threads: any. Nothing is allocated. */
#ifndef TN_JSONRPC_PLAIN_TEXT_H
#define TN_JSONRPC_PLAIN_TEXT_H

#include "jsonrpc/json.h"

struct tn_schema_faults;

/* True when a text or a name of a member has a NUL, however deep. */
bool tn_json_has_nul(const struct tn_json *value);

/* The same for the members of an object, told as faults of `faults->root` with their path.
 * `except`: names of members that may have some, ends with NULL; NULL: none. Fails: INVALID. */
TN_MUST_USE enum tenon_code tn_plain_text_check(const struct tn_json *object,
						const char *const *except,
						struct tn_schema_faults *faults);

#endif
