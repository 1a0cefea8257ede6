/* rng.h - random bytes from the kernel, and the tokens made of them. Threads: any. */
#ifndef TN_BASE_RNG_H
#define TN_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

void tn_rng_bytes(void *out, size_t size); /* aborts if the kernel has none: nothing is safe then */
uint64_t tn_rng_u64(void);

/* `bytes` random bytes (at most 64) as lower-case base 32 without padding, NUL-terminated.
 * 16 bytes give 26 characters, 32 give 52. `out` holds at least (bytes * 8 + 4) / 5 + 1. */
void tn_rng_token(char *out, size_t bytes);
#define TN_RNG_TOKEN_SIZE(bytes) (((bytes)*8 + 4) / 5 + 1)

/* `digits` random digits of lower-case hexadecimal, and the NUL behind them. */
void tn_rng_hex(char *out, size_t digits);

#endif
