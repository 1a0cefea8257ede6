/* json_pointer.h - JSON Pointers (RFC 6901), made and taken apart token by token.
 *
 * Threads: any. Ownership: the caller's buffers. */
#ifndef TN_JSONRPC_JSON_POINTER_H
#define TN_JSONRPC_JSON_POINTER_H

#include "base/buf.h"

/* Appends "/" and the token, "~" and "/" in it escaped. */
void tn_json_pointer_push(struct tn_buf *pointer, struct tn_str token);
void tn_json_pointer_push_index(struct tn_buf *pointer, size_t index);

/* Takes the first token off `rest`, which begins with "/", and writes it unescaped to `out`, which
 * has room for rest->size bytes. False: no "/" is there, or a "~" without 0 or 1 behind it. */
bool tn_json_pointer_take(struct tn_str *rest, char *out, struct tn_str *ret_token);

#endif
