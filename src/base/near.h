/* near.h - which known word was probably meant: for "did you mean". Threads: any. */
#ifndef TN_BASE_NEAR_H
#define TN_BASE_NEAR_H

#include "base/str.h"

#define TN_NEAR_NONE 1000u

/* How many letters must be put in, left out, changed or swapped with their neighbour to make one
 * word of the other; case and the difference of - and _ do not count. NONE: words longer than 64
 * bytes. */
unsigned tn_near_distance(struct tn_str a, struct tn_str b);

/* Whether `known` is near enough to `word` to be suggested: a third of its letters may differ, or
 * it begins with the word. */
bool tn_near_is(struct tn_str word, struct tn_str known);

/* The nearest of the NULL-terminated list that is near enough; NULL: none is. */
const char *tn_near_find(struct tn_str word, const char *const *known);

#endif
