/* digest.h - SHA-256, from libsodium. Threads: any. */
#ifndef TN_BASE_DIGEST_H
#define TN_BASE_DIGEST_H

#include <stdint.h>

#include "base/str.h"

#define TN_DIGEST_SIZE 32
#define TN_DIGEST_HEX_SIZE 65 /* lower-case, with the final NUL */

void tn_digest(struct tn_str bytes, unsigned char out[TN_DIGEST_SIZE]);
void tn_digest_hex(struct tn_str bytes, char out[TN_DIGEST_HEX_SIZE]);

/* SipHash-2-4 with a key of one's own (tn_rng_bytes): 64 bits that nobody who does not know the key
 * can make equal for two texts. */
#define TN_SHORT_KEY_SIZE 16
uint64_t tn_digest_short(struct tn_str bytes, const unsigned char key[TN_SHORT_KEY_SIZE]);

#endif
