/* nocase.h - finding words in text whatever their case, for searches by people and models.
 *
 * Threads: any. Letters of ASCII alone have a case here. */
#ifndef TN_BASE_NOCASE_H
#define TN_BASE_NOCASE_H

#include "base/str.h"

/* An empty part is in every text. */
bool tn_nocase_contains(struct tn_str text, struct tn_str part);

#endif
