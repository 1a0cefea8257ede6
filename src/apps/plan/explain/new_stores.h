/* new_stores.h - the stores that a plan makes: what deletes by age cannot delete anything there
 * yet.
 *
 * Threads: one at a time. Ownership: the plan outlives it. */
#ifndef TN_PLAN_NEW_STORES_H
#define TN_PLAN_NEW_STORES_H

#include "apps/plan/read/model.h"
#include "base/map.h"

enum { TN_PLAN_STORE_KINDS = 7 };

struct tn_plan_new_stores {
	struct tn_map of_kind[TN_PLAN_STORE_KINDS]; /* unit and name -> its entry */
};

/* Allocates nothing; finish may follow. */
void tn_plan_new_stores_init(struct tn_plan_new_stores *stores);
TN_MUST_USE enum tenon_code tn_plan_new_stores_read(struct tn_plan_new_stores *stores,
						    const struct tn_plan *plan,
						    struct tenon_error *err);
void tn_plan_new_stores_finish(struct tn_plan_new_stores *stores);

/* The store that the entry is, or whose rules it holds, does not exist before the plan is applied.
 */
bool tn_plan_is_of_new_store(const struct tn_plan_new_stores *stores,
			     const struct tn_plan_entry *entry);

#endif
