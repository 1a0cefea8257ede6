/* expiry_keep.h - rules that keep what others of the same store delete.
 *
 * Slices and pointers are the entry's. Threads: any; no state. */
#ifndef TN_PLAN_EXPIRY_KEEP_H
#define TN_PLAN_EXPIRY_KEEP_H

#include "apps/plan/explain/block.h"

/* The rule kept something before that no rule keeps afterwards. */
bool tn_plan_expiry_keeps_less(const struct tn_plan_entry *entry, const struct tn_plan_block *rule);

#endif
