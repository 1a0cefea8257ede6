/* digest.h - SHA-256, from libsodium. Threads: any. */
#ifndef TN_BASE_DIGEST_H
#define TN_BASE_DIGEST_H

#include "base/str.h"

#define TN_DIGEST_SIZE 32
#define TN_DIGEST_HEX_SIZE 65 /* lower-case, with the final NUL */

void tn_digest(struct tn_str bytes, unsigned char out[TN_DIGEST_SIZE]);
void tn_digest_hex(struct tn_str bytes, char out[TN_DIGEST_HEX_SIZE]);

#endif
