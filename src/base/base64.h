/* base64.h - RFC 4648 section 4: standard alphabet, padded, no line breaks. Threads: any. */
#ifndef TN_BASE_BASE64_H
#define TN_BASE_BASE64_H

#include "base/arena.h"
#include "base/buf.h"

/* Writes (size + 2) / 3 * 4 characters; no NUL. */
void tn_base64_encode(char *out, const void *data, size_t size);
void tn_base64_append(struct tn_buf *out, const void *data, size_t size);

/* Strict: wrong alphabet, wrong or missing padding, stray bits are refused. On success the bytes
 * are in the arena. False: bad input or no memory. */
bool tn_base64_decode(struct tn_arena *arena, struct tn_str text, struct tn_str *ret_bytes);

#endif
