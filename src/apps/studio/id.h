/* id.h - ids of nodes and edges (studio.md 4.1). Threads: any. */
#ifndef TN_STUDIO_ID_H
#define TN_STUDIO_ID_H

#include <stdint.h>

enum { TN_STUDIO_ID_SIZE = 65 };   /* 1 to 64 of A-Za-z0-9_- and the NUL */
enum { TN_STUDIO_UUID_SIZE = 37 }; /* 36 characters and the NUL */

/* A UUID of version 4. Where TENON_TEST_IDS is set it is made of that text and `counter` instead of
 * chance, so that answers can be compared byte for byte (ST-154); callers ask again with another
 * counter while the id is taken. */
void tn_studio_make_id(uint64_t counter, char out[TN_STUDIO_UUID_SIZE]);

#endif
